// SPDX-License-Identifier: Apache-2.0
// Entry point of every test: SystemC warnings and errors fail the test that caused them.
#include <gtest/gtest.h>

#include <systemc>

int sc_main(int, char**) { return 0; }  // libsystemc wants the symbol; nothing calls it here

int main(int argc, char** argv) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_THROW);
  sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_THROW);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
