// SPDX-License-Identifier: Apache-2.0
#include "base/interrupt.hpp"

#include <gtest/gtest.h>

#include <csignal>

namespace warpmem {
namespace {

TEST(InterruptTest, NothingAskedNothingThrown) {
  EXPECT_EQ(requested_interrupt(), 0);
  EXPECT_NO_THROW(throw_if_interrupted());
}

TEST(InterruptTest, TheFirstSignalCounts) {
  request_interrupt(SIGTERM);
  request_interrupt(SIGINT);
  EXPECT_EQ(requested_interrupt(), SIGTERM);
  try {
    throw_if_interrupted();
    FAIL() << "nothing thrown";
  } catch (const Interrupted& interrupt) {
    EXPECT_EQ(interrupt.signal(), SIGTERM);
    EXPECT_STREQ(interrupt.what(), "interrupted by SIGTERM (Terminated)");
  }
}

TEST(InterruptTest, NamesOfSignals) {
  EXPECT_EQ(signal_text(SIGSEGV), "SIGSEGV (Segmentation fault)");
  EXPECT_EQ(signal_text(SIGRTMAX), "signal 64");
}

TEST(InterruptTest, EndsByTheSignal) {
  EXPECT_EXIT(end_by_signal(SIGTERM), testing::KilledBySignal(SIGTERM), "");
}

void end_by_own_signal(int signal) { end_by_signal(signal); }

TEST(InterruptTest, EndsByTheSignalWithinItsHandler) {
  EXPECT_EXIT(
      {
        std::signal(SIGTERM, end_by_own_signal);
        raise(SIGTERM);
      },
      testing::KilledBySignal(SIGTERM), "");
}

}  // namespace
}  // namespace warpmem
