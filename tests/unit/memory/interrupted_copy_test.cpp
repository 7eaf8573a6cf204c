// SPDX-License-Identifier: Apache-2.0
// Copies by the host go on for a while; a signal ends them.
#include <gtest/gtest.h>

#include <csignal>
#include <vector>

#include "base/interrupt.hpp"
#include "memory/memory_system.hpp"

namespace warpmem::memory {
namespace {

class InterruptedCopy : public testing::TestWithParam<const char*> {};

TEST_P(InterruptedCopy, EndsBeforeItsEnd) {
  set_simulation_resolution();
  MemorySystem memory("memory", read_params("", {"sm.count=1", "memory.partitions=2",
                                                 std::string("l2.memcpy=") + GetParam()}));
  const std::vector<std::uint8_t> bytes(4096);
  memory.host_wrote(0x10000, bytes.size(), bytes.data());
  request_interrupt(SIGTERM);
  EXPECT_THROW(memory.host_wrote(0x10000, bytes.size(), bytes.data()), Interrupted);
}

INSTANTIATE_TEST_SUITE_P(Ways, InterruptedCopy, testing::Values("drop", "keep", "update"),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace warpmem::memory
