// SPDX-License-Identifier: Apache-2.0
// What a machine is told when it replays a trace, and what it is spared.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>

#include "base/errors.hpp"
#include "program/trace/own_format.hpp"
#include "program/trace/recorder.hpp"
#include "program/trace/replay.hpp"
#include "support/scratch_folder.hpp"

namespace warpmem::program::trace {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr Addr kManaged = 0x200000, kOther = 0x900000;

/// Writes down what it is told.
class Listener final : public Device {
 public:
  Listener() {
    properties_.memory_bytes = 1u << 20;
    properties_.host_bytes = 3u << 20;
    properties_.managed_alignment = 2u << 20;
  }
  const DeviceProperties& properties() const override { return properties_; }
  void launch(Grid&) override {}
  void allocated(Addr address, std::uint64_t bytes, bool managed) override {
    told.push_back(fmt::format("allocated {:x} {} {}", address, bytes, managed));
  }
  void released(Addr address, std::uint64_t bytes) override {
    told.push_back(fmt::format("released {:x} {}", address, bytes));
  }
  void host_wrote(Addr address, std::uint64_t bytes) override {
    told.push_back(fmt::format("wrote {:x} {}", address, bytes));
  }
  void host_read(Addr address, std::uint64_t bytes) override {
    told.push_back(fmt::format("read {:x} {}", address, bytes));
  }
  void prefetch(Addr address, std::uint64_t bytes, bool to_device) override {
    told.push_back(fmt::format("prefetch {:x} {} {}", address, bytes, to_device));
  }
  double seconds() const override { return 0; }
  void finish() override {}
  std::vector<std::string> told;

 private:
  DeviceProperties properties_;
};

class Replay : public ::testing::Test {
 protected:
  std::string error(const std::function<void(OwnFormatWriter&)>& write) {
    OwnFormatWriter writer(path_);
    write(writer);
    writer.finish();
    try {
      Listener device;
      replay(*open_trace(path_), device);
    } catch (const UserError& e) {
      return e.what();
    }
    return "";
  }
  warpmem::test::ScratchFolder folder_;
  const std::string path_ = folder_ / "t.wmtrace";
};

TEST_F(Replay, TellsTheMachineWhatTheRecorderWasTold) {
  const auto tell = [](Device& device) {
    device.allocated(kManaged, 5000, true);
    device.allocated(kOther, 300, false);
    device.host_wrote(kOther, 300);
    device.prefetch(kManaged, 5000, true);
    device.prefetch(kManaged + 4096, 100, false);
    device.host_read(kManaged, 8);
    device.released(kManaged, 5000);
    device.host_wrote(kManaged, 5000);
    device.finish();
  };
  Listener machine, replayed;
  tell(machine);
  RecordingDevice recorder(path_);
  tell(recorder);
  const ReplayResult result = replay(*open_trace(path_), replayed);
  EXPECT_EQ(replayed.told, machine.told);
  EXPECT_EQ(replayed.told.size(), 8u);
  EXPECT_TRUE(result.any_managed);
}

TEST_F(Replay, MemoryThatNoRunCanHaveIsRefused) {
  const auto refused = [this](const char* what,
                              const std::function<void(OwnFormatWriter&)>& write) {
    EXPECT_THAT(error(write), AllOf(HasSubstr("t.wmtrace: byte offset"), HasSubstr(what)));
  };
  refused("managed memory at 0x200100; allowed: multiples of 2097152 bytes",
          [](OwnFormatWriter& w) { w.allocate(kManaged + 256, 100, true); });
  refused("managed memory of 5000000 bytes besides 0; allowed: 4194304 in all",
          [](OwnFormatWriter& w) { w.allocate(kManaged, 5000000, true); });
  refused("100 bytes at 0x900000 are allocated; allowed: memory that is free; record",
          [](OwnFormatWriter& w) {
            w.allocate(kOther - 50, 60, false);
            w.allocate(kOther, 100, false);
          });
  refused("100 bytes at 0x900000 are allocated", [](OwnFormatWriter& w) {
    w.allocate(kOther + 99, 60, false);
    w.allocate(kOther, 100, false);
  });
  refused("100 bytes at 0x201000 are allocated", [](OwnFormatWriter& w) {
    w.allocate(kManaged, 100, true);  // the region is its own
    w.allocate(kManaged + 4096, 100, false);
  });
  refused("memory at 0x900001 is given back; allowed: the address of an allocation",
          [](OwnFormatWriter& w) {
            w.allocate(kOther, 100, false);
            w.release(kOther + 1);
          });
  refused("a prefetch of 101 bytes at 0x200000; allowed: managed memory", [](OwnFormatWriter& w) {
    w.allocate(kManaged, 100, true);
    w.prefetch(kManaged, 101, true);
  });
  refused("a prefetch of 4 bytes at 0x900000", [](OwnFormatWriter& w) {
    w.allocate(kOther, 100, false);
    w.prefetch(kOther, 4, true);
  });
  refused("a copy of 4194305 bytes; allowed: at most 4194304",
          [](OwnFormatWriter& w) { w.host_wrote(kOther, (4u << 20) + 1); });
  refused("a copy of 4194305 bytes",
          [](OwnFormatWriter& w) { w.host_read(kOther, (4u << 20) + 1); });
  EXPECT_EQ(error([](OwnFormatWriter& w) {
              w.allocate(kOther, 0, false);
              w.allocate(kOther, 100, false);
              w.release(kOther);
              w.allocate(kOther + 50, 100, false);
              w.host_wrote(kOther, 4u << 20);
            }),
            "");
}

TEST_F(Replay, ACopyBeyondTheMemoryIsNamedByItsLine) {
  const std::string list = folder_ / "kernelslist.g";
  std::ofstream(list) << "\nMemcpyHtoD,0x00007f4000000000,281474976710655\n";
  Listener device;
  try {
    replay(*open_trace(list), device);
    FAIL() << "accepted";
  } catch (const UserError& e) {
    EXPECT_THAT(e.what(), HasSubstr("kernelslist.g:2: a copy of 281474976710655 bytes; allowed: at "
                                    "most 4194304, the memory that there is (memory.size)"));
  }
}

}  // namespace
}  // namespace warpmem::program::trace
