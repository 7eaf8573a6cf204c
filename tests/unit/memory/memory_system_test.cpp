// SPDX-License-Identifier: Apache-2.0
// The memory system under initiators, and over memories, that are made of tlm_utils alone.
#include "memory/memory_system.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/errors.hpp"
#include "files/stats_json.hpp"
#include "support/plain_tlm.hpp"

namespace warpmem::memory {
namespace {

constexpr unsigned kWords = 40;
constexpr unsigned kPorts = 2;

MemoryParams small(const std::vector<std::string>& more = {}) {
  std::vector<std::string> keys{"sm.count=" + std::to_string(kPorts),
                                "memory.partitions=2",
                                "l2.size=8KiB",
                                "l2.ways=4",
                                "l1d.size=1KiB",
                                "l1d.ways=2",
                                "check_protocol=true"};
  keys.insert(keys.end(), more.begin(), more.end());
  return read_params("", keys);
}

/// A payload of one's own, without memory manager and extension.
struct OwnPayload : Payload {
  OwnPayload(tlm::tlm_command command, Addr address, std::vector<unsigned char>& bytes) {
    set_command(command);
    set_address(address);
    set_data_ptr(bytes.data());
    set_data_length(static_cast<unsigned>(bytes.size()));
    set_streaming_width(static_cast<unsigned>(bytes.size()));
  }
};

/// Does in a thread what a test says, by b_transport, transport_dbg and timed requests.
class Scripted : public sc_core::sc_module, public tlm::tlm_mm_interface {
 public:
  SC_HAS_PROCESS(Scripted);
  explicit Scripted(sc_core::sc_module_name name) : sc_module(name), socket("socket") {
    socket.register_nb_transport_bw(this, &Scripted::nb_transport_bw);
    SC_THREAD(run);
  }
  tlm_utils::simple_initiator_socket<Scripted> socket;
  std::function<void()> script;

  sc_core::sc_time access(tlm::tlm_command command, Addr address,
                          std::vector<unsigned char>& bytes) {
    OwnPayload payload(command, address, bytes);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->b_transport(payload, delay);
    status = payload.get_response_status();
    return delay;
  }
  sc_core::sc_time write(Addr address, std::vector<unsigned char> bytes) {
    return access(tlm::TLM_WRITE_COMMAND, address, bytes);
  }
  std::vector<unsigned char> read(Addr address, unsigned n) {
    std::vector<unsigned char> bytes(n);
    took = access(tlm::TLM_READ_COMMAND, address, bytes);
    return bytes;
  }
  void write_local(Addr address, std::vector<unsigned char> bytes) {
    OwnPayload payload(tlm::TLM_WRITE_COMMAND, address, bytes);
    Access access;
    access.local = true;
    access.kind = AccessKind::store;
    payload.set_extension(&access);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->b_transport(payload, delay);
    payload.clear_extension(&access);
  }
  std::vector<unsigned char> debug_read(Addr address, unsigned n) {
    std::vector<unsigned char> bytes(n);
    OwnPayload payload(tlm::TLM_READ_COMMAND, address, bytes);
    EXPECT_EQ(socket->transport_dbg(payload), n);
    return bytes;
  }
  void debug_write(Addr address, std::vector<unsigned char> bytes) {
    OwnPayload payload(tlm::TLM_WRITE_COMMAND, address, bytes);
    EXPECT_EQ(socket->transport_dbg(payload), bytes.size());
  }
  /// Sends a request and waits for its answer. `local`: with the extension, as local memory.
  void timed(tlm::tlm_command command, Addr address, std::vector<unsigned char>& bytes,
             bool local = false) {
    OwnPayload payload(command, address, bytes);
    payload.set_mm(this);
    Access access;
    access.local = true;
    access.kind = command == tlm::TLM_WRITE_COMMAND ? AccessKind::store : AccessKind::load;
    if (local) payload.set_extension(&access);
    payload.acquire();
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_fw(payload, phase, delay);
    wait(answered_);
    wait(10, sc_core::SC_NS);
    EXPECT_TRUE(payload.is_response_ok());
    payload.release();
    if (local) payload.clear_extension(&access);
  }
  std::vector<unsigned char> timed_read(Addr address, unsigned n, bool local = false) {
    std::vector<unsigned char> bytes(n);
    timed(tlm::TLM_READ_COMMAND, address, bytes, local);
    return bytes;
  }
  void free(Payload*) override {}
  tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
  sc_core::sc_time took;

 private:
  void run() {
    if (script) script();
  }
  tlm::tlm_sync_enum nb_transport_bw(Payload&, tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
    answered_.notify(sc_core::SC_ZERO_TIME);
    return tlm::TLM_COMPLETED;
  }
  sc_core::sc_event answered_;
};

/// A loosely timed memory: b_transport and transport_dbg only, 100 ns an access.
class LooseMemory : public sc_core::sc_module {
 public:
  explicit LooseMemory(sc_core::sc_module_name name, std::map<Addr, unsigned char>& bytes)
      : sc_module(name), socket("socket"), bytes_(bytes) {
    socket.register_b_transport(this, &LooseMemory::b_transport);
    socket.register_transport_dbg(this, &LooseMemory::transport_dbg);
  }
  tlm_utils::simple_target_socket<LooseMemory> socket;
  unsigned accesses = 0;

 private:
  void b_transport(Payload& payload, sc_core::sc_time& delay) {
    ++accesses;
    transport_dbg(payload);
    delay += sc_core::sc_time(100, sc_core::SC_NS);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  unsigned transport_dbg(Payload& payload) {
    for (unsigned i = 0; i < payload.get_data_length(); ++i) {
      unsigned char& byte = bytes_[payload.get_address() + i];
      unsigned char& other = payload.get_data_ptr()[i];
      payload.is_write() ? byte = other : other = byte;
    }
    return payload.get_data_length();
  }
  std::map<Addr, unsigned char>& bytes_;
};

/// The system with its statistics, and plain initiators at its ports.
struct Bench {
  explicit Bench(const MemoryParams& params) {
    set_simulation_resolution();
    memory = std::make_unique<MemorySystem>("memory", params);
    memory->register_stats(stats);
  }
  void bind_plain(plain::Finish finish) {
    for (unsigned i = 0; i < kPorts; ++i) {
      plain.push_back(std::make_unique<plain::Initiator>(("initiator" + std::to_string(i)).c_str(),
                                                         finish, i == 0 ? kWords : 0));
      plain.back()->socket.bind(memory->cpu(i));
    }
  }
  void bind_scripted() {
    for (unsigned i = 0; i < kPorts; ++i) {
      scripted.push_back(std::make_unique<Scripted>(("initiator" + std::to_string(i)).c_str()));
      scripted.back()->socket.bind(memory->cpu(i));
    }
  }
  void bind_loose_memory() {
    for (unsigned s = 0; s < memory->slices(); ++s) {
      loose.push_back(std::make_unique<LooseMemory>(("loose" + std::to_string(s)).c_str(), bytes));
      memory->memory(s).bind(loose.back()->socket);
    }
  }
  void run(double microseconds = 100) {
    stats.begin_kernel("test");
    sc_core::sc_start(sc_core::sc_time(microseconds, sc_core::SC_US));
    rethrow_tick_failure();
    EXPECT_TRUE(memory->idle()) << memory->describe();
    EXPECT_NO_THROW(stats.end_kernel());
  }
  void expect_read_back() {
    EXPECT_EQ(plain[0]->written, kWords);
    ASSERT_EQ(plain[0]->read.size(), kWords);
    for (unsigned i = 0; i < kWords; ++i) EXPECT_EQ(plain[0]->read[128 * i], i + 1);
    EXPECT_EQ(plain[0]->in_use, 0u);
  }

  std::unique_ptr<MemorySystem> memory;
  StatRegistry stats;
  std::vector<std::unique_ptr<plain::Initiator>> plain;
  std::vector<std::unique_ptr<Scripted>> scripted;
  std::map<Addr, unsigned char> bytes;
  std::vector<std::unique_ptr<LooseMemory>> loose;
};

using Variant = std::pair<plain::Finish, std::vector<std::string>>;
class PlainInitiator : public testing::TestWithParam<Variant> {};

TEST_P(PlainInitiator, ReadsBackWhatItWroteThroughAllLevels) {
  Bench b(small(GetParam().second));
  b.bind_plain(GetParam().first);
  b.run();
  b.expect_read_back();
  EXPECT_EQ(b.memory->l1d_stats(0).write_accesses, kWords);
  EXPECT_EQ(b.memory->l1d_stats(0).primary_misses + b.memory->l1d_stats(0).bypasses, kWords);
  EXPECT_EQ(b.memory->port_requests(), 2 * kWords);
}

INSTANTIATE_TEST_SUITE_P(
    Handshakes, PlainInitiator,
    testing::Values(Variant{plain::Finish::completed, {}},
                    Variant{plain::Finish::updated_end_resp, {"check_protocol=false"}},
                    Variant{plain::Finish::accepted, {"tick_all=true"}},
                    Variant{plain::Finish::completed, {"reverse_construction=true"}},
                    Variant{plain::Finish::accepted, {"l1d.bypass.kind=bucl_prf"}},
                    Variant{plain::Finish::completed, {"l2.slices=2", "l2.frontend.kind=cart"}},
                    Variant{plain::Finish::accepted,
                            {"l2.slices=3", "l2.slice_hash=xor", "reverse_construction=true"}},
                    Variant{plain::Finish::updated_end_resp, {"l2.coalescer.entries=4"}},
                    Variant{plain::Finish::accepted,
                            {"l2.coalescer.entries=1", "l2.slices=2", "tick_all=true"}}));

TEST(MemorySystem, AnExternalMemoryStandsInPlaceOfTheChannels) {
  Bench b(small({"dram.kind=external"}));
  b.bind_plain(plain::Finish::completed);
  b.bind_loose_memory();
  b.run();
  b.expect_read_back();
  EXPECT_GT(b.loose[0]->accesses, 0u);
  EXPECT_GT(b.loose[1]->accesses, 0u);
  EXPECT_EQ(stats_json(b.stats).find("dram."), std::string::npos) << "statistics of no channel";
  EXPECT_NE(stats_json(b.stats).find("l2.primary_misses"), std::string::npos);
}

/// Returns how many requests the crossbar of a memory system may hold without a response.
unsigned most_in_flight(const std::vector<std::string>& keys) {
  const Bench b(small(keys));
  const auto* const crossbar =
      dynamic_cast<const noc::Crossbar*>(sc_core::sc_find_object("memory.noc"));
  if (crossbar == nullptr) throw SimulationError("there is no memory.noc");
  const std::string text = crossbar->describe();
  const std::string after = " requests without a response";
  const std::size_t end = text.find(after);
  const std::size_t begin = text.rfind(' ', end - 1) + 1;
  return static_cast<unsigned>(std::stoul(text.substr(begin, end - begin)));
}
TEST(MemorySystem, TheCrossbarLetsGoWhatTheL1dsCanHaveUnderWay) {
  const unsigned most = most_in_flight({"l1d.outstanding_writes=3000"});
  EXPECT_EQ(most % kPorts, 0u);
  EXPECT_GT(most / kPorts, 3000u);
  EXPECT_LT(most / kPorts, 3100u);  // and its loads
}
TEST(MemorySystem, AKeyHoldsRequestsBackBeforeTheCrossbar) {
  EXPECT_EQ(most_in_flight({"noc.in_flight=3"}), 3u);
}

TEST(MemorySystem, EachSliceHasASocketForAnExternalMemory) {
  Bench b(small({"dram.kind=external", "l2.slices=3"}));
  EXPECT_EQ(b.memory->partitions(), 2u);
  EXPECT_EQ(b.memory->slices(), 6u);
  b.bind_plain(plain::Finish::completed);
  b.bind_loose_memory();
  b.run();
  b.expect_read_back();
  for (const auto& memory : b.loose) EXPECT_GT(memory->accesses, 0u) << memory->name();
}

TEST(MemorySystem, AnApproximatelyTimedExternalMemory) {
  Bench b(small({"dram.kind=external"}));
  b.bind_plain(plain::Finish::completed);
  std::vector<std::unique_ptr<plain::Target>> targets;
  for (unsigned p = 0; p < b.memory->partitions(); ++p) {
    targets.push_back(std::make_unique<plain::Target>(("target" + std::to_string(p)).c_str(),
                                                      plain::Answer::accepted,
                                                      sc_core::sc_time(63.7, sc_core::SC_NS)));
    b.memory->memory(p).bind(targets.back()->socket);
  }
  b.run();
  b.expect_read_back();
}

TEST(MemorySystem, AnUnboundExternalMemoryIsOneClearError) {
  Bench b(small({"dram.kind=external"}));
  b.bind_plain(plain::Finish::completed);
  try {
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    FAIL() << "nothing was thrown";
  } catch (const UserError& error) {
    EXPECT_STREQ(
        error.what(),
        "memory: nothing is bound to memory(0); dram.kind: external needs a target at each "
        "of 2 partitions");
  }
}

TEST(MemorySystem, ChannelsLeaveNoSocketForAMemory) {
  Bench b(small());
  EXPECT_THROW(b.memory->memory(0), UserError);
}

TEST(MemorySystem, CallsBackEachTimeItHasBecomeIdle) {
  Bench b(small());
  b.bind_scripted();
  unsigned calls = 0;
  bool was_idle = true;
  b.memory->on_idle([&] {
    ++calls;
    was_idle = was_idle && b.memory->idle();
  });
  b.run();
  EXPECT_EQ(calls, 0u) << "it was never busy";
  EXPECT_TRUE(was_idle);
}

TEST(MemorySystem, TheCallComesAfterTheLastAnswer) {
  Bench b(small());
  b.bind_plain(plain::Finish::completed);
  unsigned calls = 0;
  unsigned answered = 0;
  b.memory->on_idle([&] {
    ++calls;
    EXPECT_TRUE(b.memory->idle());
    answered = b.plain[0]->written + static_cast<unsigned>(b.plain[0]->read.size());
  });
  b.run();
  EXPECT_EQ(calls, 2u) << "after the writes and after the reads";
  EXPECT_EQ(answered, 2 * kWords);
}

TEST(MemorySystem, DirectMemoryAccessIsRefused) {
  Bench b(small());
  b.bind_scripted();
  std::vector<unsigned char> bytes(4);
  OwnPayload payload(tlm::TLM_READ_COMMAND, 0x100, bytes);
  payload.set_dmi_allowed(true);
  tlm::tlm_dmi dmi;
  dmi.allow_read_write();
  b.scripted[0]->script = [&] {
    EXPECT_FALSE(b.scripted[0]->socket->get_direct_mem_ptr(payload, dmi));
  };
  b.run();
  EXPECT_FALSE(payload.is_dmi_allowed());
  EXPECT_TRUE(dmi.is_none_allowed());
  EXPECT_EQ(dmi.get_start_address(), 0u);
  EXPECT_EQ(dmi.get_end_address(), ~sc_dt::uint64(0)) << "the refusal holds everywhere";
}

// ---- blocking transport ------------------------------------------------------------------------

std::vector<unsigned char> pattern(unsigned n, unsigned char first) {
  std::vector<unsigned char> bytes(n);
  for (unsigned i = 0; i < n; ++i) bytes[i] = static_cast<unsigned char>(first + i);
  return bytes;
}

TEST(BlockingTransport, ReadsBackAtOnceWithTheLatenciesOnTheWay) {
  Bench b(small());
  b.bind_scripted();
  Scripted& port = *b.scripted[0];
  port.script = [&] {
    for (unsigned i = 0; i < kWords; ++i) port.write(256 * i + 4, pattern(8, i));
    const sc_core::sc_time there = port.write(4, pattern(8, 99));
    EXPECT_EQ(port.status, tlm::TLM_OK_RESPONSE);
    for (unsigned i = 1; i < kWords; ++i) EXPECT_EQ(port.read(256 * i + 4, 8), pattern(8, i)) << i;
    EXPECT_EQ(port.read(4, 8), pattern(8, 99));
    EXPECT_EQ(b.scripted[1]->read(4, 8), pattern(8, 99)) << "through the other L1D";
    EXPECT_GT(there, sc_core::sc_time(40, sc_core::SC_NS)) << "L1D, crossbar, L2 and DRAM";
    EXPECT_LT(there, sc_core::sc_time(1, sc_core::SC_US));
    EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
  };
  b.run();
  EXPECT_EQ(b.memory->port_requests(), 0u) << "nothing counts them";
}

TEST(BlockingTransport, AcrossALineIsABurstError) {
  Bench b(small({"check_protocol=false"}));  // the checker would refuse them first
  b.bind_scripted();
  Scripted& port = *b.scripted[0];
  port.script = [&] {
    port.read(120, 16);
    EXPECT_EQ(port.status, tlm::TLM_BURST_ERROR_RESPONSE);
    std::vector<unsigned char> none;
    port.access(tlm::TLM_READ_COMMAND, 0, none);
    EXPECT_EQ(port.status, tlm::TLM_BURST_ERROR_RESPONSE);
    std::vector<unsigned char> one(1);
    port.access(tlm::TLM_IGNORE_COMMAND, 0, one);
    EXPECT_EQ(port.status, tlm::TLM_COMMAND_ERROR_RESPONSE);
  };
  b.run();
}

TEST(BlockingTransport, AHitInL1dTakesItsTimeAloneAndAStoreReachesIt) {
  Bench b(small());
  b.bind_scripted();
  Scripted& port = *b.scripted[0];
  port.script = [&] {
    port.timed_read(0, 4);  // brings the line
    port.read(4, 4);
    EXPECT_LT(port.took, sc_core::sc_time(2, sc_core::SC_NS)) << "one cycle of 1137 MHz";
    EXPECT_GT(port.write(8, pattern(4, 7)), sc_core::sc_time(10, sc_core::SC_NS));
    EXPECT_EQ(port.read(8, 4), pattern(4, 7));
    EXPECT_EQ(port.timed_read(8, 4), pattern(4, 7)) << "a timed hit sees it";
  };
  b.run();
  EXPECT_EQ(b.memory->l1d_stats(0).hits, 1u);
}

/// Keys of a machine whose accesses walk over the parts of a line.
class LastLine : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(LastLine, OfTheAddressSpaceIsOneLikeOthers) {
  constexpr Addr kLine = ~Addr(127);
  Bench b(small(GetParam()));
  b.bind_scripted();
  Scripted& port = *b.scripted[0];
  port.script = [&] {
    port.debug_write(kLine + 40, pattern(60, 1));  // its end is not that of the line
    EXPECT_EQ(port.debug_read(kLine + 40, 60), pattern(60, 1));
    port.write(kLine + 32, pattern(60, 2));
    EXPECT_EQ(port.read(kLine + 32, 60), pattern(60, 2));
    port.timed_read(kLine, 128);
    port.debug_write(kLine + 64, pattern(64, 3));  // to the last byte
    EXPECT_EQ(port.read(kLine + 64, 64), pattern(64, 3)) << "L1D's line has it, too";
    port.write(kLine + 96, pattern(32, 4));
    EXPECT_EQ(port.timed_read(kLine + 96, 32), pattern(32, 4));
  };
  b.run();
  b.memory->host_wrote(kLine, 128, pattern(128, 5).data(), false);
  EXPECT_EQ(b.memory->port_requests(), 2u);
  b.memory->prepare_launch();
  std::vector<std::uint8_t> bytes(128);
  b.memory->read_newest(kLine, 128, bytes.data());
  EXPECT_EQ(bytes, pattern(128, 5)) << "L2 has dropped it";
}

INSTANTIATE_TEST_SUITE_P(Parts, LastLine,
                         testing::Values(std::vector<std::string>{},
                                         std::vector<std::string>{"l2.coalescer.entries=4"},
                                         std::vector<std::string>{"l1d.sector=32", "l2.sector=32",
                                                                  "l2.write_miss=validate"},
                                         std::vector<std::string>{"l2.memcpy=keep"}));

// The line is dirty in its first sector; the write makes the third one valid and dirty.
TEST(BlockingTransport, AWriteIntoADirtyLineStays) {
  Bench b(small({"l1d.sector=32", "l1d.write=through_update", "l1d.write_miss=allocate"}));
  b.bind_scripted();
  Scripted& port = *b.scripted[0];
  port.script = [&] {
    std::vector<unsigned char> first = pattern(32, 1);
    port.timed(tlm::TLM_WRITE_COMMAND, 0, first, true);
    port.write_local(64, pattern(32, 2));
    EXPECT_EQ(port.timed_read(64, 32, true), pattern(32, 2));
    EXPECT_EQ(port.debug_read(64, 32), pattern(32, 2));
    for (Addr a = 512; a <= 1024; a += 512) port.timed_read(a, 32);  // the same set: it leaves
    EXPECT_EQ(port.timed_read(0, 32, true), pattern(32, 1));
    EXPECT_EQ(port.timed_read(64, 32, true), pattern(32, 2));
  };
  b.run();
  EXPECT_GT(b.memory->l1d_stats(0).writebacks, 0u);
}

TEST(DebugTransport, FindsTheNewestBytesAndItsWritesAreSeen) {
  Bench b(small());
  b.bind_scripted();
  Scripted& port = *b.scripted[0];
  std::vector<unsigned char> local = pattern(16, 40);
  std::vector<unsigned char> global = pattern(16, 80);
  port.script = [&] {
    port.timed(tlm::TLM_WRITE_COMMAND, 0x8000, local, true);  // stays dirty in L1D
    port.timed(tlm::TLM_WRITE_COMMAND, 0x100, global);        // dirty in L2
    EXPECT_EQ(port.debug_read(0x8000, 16), pattern(16, 40));
    EXPECT_EQ(port.read(0x8000, 16), pattern(16, 40));
    EXPECT_EQ(port.debug_read(0x100, 16), pattern(16, 80));
    EXPECT_EQ(b.scripted[1]->debug_read(0x100, 16), pattern(16, 80));

    port.debug_write(0x8004, pattern(4, 1));
    port.debug_write(0xf0, pattern(64, 5));  // over two lines
    EXPECT_EQ(port.read(0x8004, 4), pattern(4, 1));
    EXPECT_EQ(port.timed_read(0x100, 4), pattern(4, 5 + 16));
    EXPECT_EQ(port.debug_read(0xf0, 64), pattern(64, 5));
    port.debug_write(0x100, pattern(4, 200));  // a clean line of L1D
    EXPECT_EQ(port.timed_read(0x100, 4), pattern(4, 200));
  };
  b.run();
}

// A copy by the host into a line that L2 has written: `drop` gives the line up, `update` keeps it
// as it is, dirty, and the next reader hits it. All of them find the newest bytes.
using CopiesAndHits = std::pair<const char*, unsigned>;
class HostCopies : public testing::TestWithParam<CopiesAndHits> {};

TEST_P(HostCopies, DecideWhatBecomesOfALineThatL2Has) {
  Bench b(small({std::string("l2.memcpy=") + GetParam().first, "l2.write_miss=validate",
                 "l2.sector=32", "l1d.sector=32"}));
  b.bind_scripted();
  Scripted& port = *b.scripted[0];
  const std::vector<unsigned char> copied = pattern(8, 200);
  port.script = [&] {
    std::vector<unsigned char> stored = pattern(32, 80);
    port.timed(tlm::TLM_WRITE_COMMAND, 0x100, stored);
    b.memory->host_wrote(0x108, copied.size(), copied.data());
    std::copy(copied.begin(), copied.end(), stored.begin() + 8);
    EXPECT_EQ(port.timed_read(0x100, 32), stored);
    for (Addr a = 0x1100; a <= 0x8100; a += 0x1000) port.timed_read(a, 32);  // it leaves
    EXPECT_EQ(b.scripted[1]->timed_read(0x100, 32), stored);
  };
  b.run();
  const nlohmann::json stats = nlohmann::json::parse(stats_json(b.stats))["total"]["stats"];
  EXPECT_EQ(stats["l2.hits"], GetParam().second);
}

INSTANTIATE_TEST_SUITE_P(Ways, HostCopies,
                         testing::Values(CopiesAndHits{"drop", 0}, CopiesAndHits{"keep", 1},
                                         CopiesAndHits{"update", 1}),
                         [](const auto& one) { return std::string(one.param.first); });

TEST(UnifiedMemoryPorts, UntimedAccessesFollowAPageBetweenTheMemories) {
  Bench b(small({"uvm.enable=true", "uvm.fault.latency_ns=1000"}));
  b.bind_scripted();
  Scripted& port = *b.scripted[0];
  b.memory->allocated(0x100000, 8192, true);
  port.script = [&] {
    EXPECT_FALSE(b.memory->move_ahead({}));
    const sc_core::sc_time far = port.write(0x100010, pattern(8, 3));
    EXPECT_GT(far, sc_core::sc_time(1, sc_core::SC_US)) << "a fault and the link";
    EXPECT_EQ(port.debug_read(0x100010, 8), pattern(8, 3)) << "in host memory";
    EXPECT_EQ(port.timed_read(0x100010, 8), pattern(8, 3)) << "with its page";
    EXPECT_LT(port.write(0x100014, pattern(4, 60)), sc_core::sc_time(1, sc_core::SC_US));
    EXPECT_EQ(port.read(0x100014, 4), pattern(4, 60));
  };
  b.run(300);
  b.memory->host_read(0x100000, 4096);  // takes the page back, with what was written untimed
  EXPECT_EQ(port.debug_read(0x100014, 4), pattern(4, 60));
}

}  // namespace
}  // namespace warpmem::memory
