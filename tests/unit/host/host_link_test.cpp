// SPDX-License-Identifier: Apache-2.0
// The link to memory of the host: cycles worked out by hand, and random traffic beside a plain
// memory.
#include "host/host_link.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "base/protocol_checker.hpp"
#include "base/random.hpp"
#include "base/stat_sampler.hpp"
#include "base/stats.hpp"
#include "base/transaction.hpp"

namespace warpmem::host {
namespace {

constexpr Addr kBase = 0x3000'0000'0000;

struct Request {
  Cycle at = 0;  ///< cycle of BEGIN_REQ
  Addr address = 0;
  unsigned bytes = 32;
  AccessKind kind = AccessKind::load;
  std::uint8_t value = 0;  ///< of each byte, written or expected
  std::uint32_t sequence = 0;
};

/// Stands in the place of an L2 slice: sends its requests in order.
class Slice : public sc_core::sc_module, public Clocked {
 public:
  Slice(sc_core::sc_module_name name, ClockDomain& domain)
      : sc_module(name), Clocked(domain), out("out", *this, 4) {}

  RequestPort out;
  std::vector<Request> script;
  std::vector<Cycle> answered;  ///< cycle in which the answer is seen, by script index
  std::vector<std::size_t> order;

 private:
  Cycle tick(Cycle now) override {
    out.begin_cycle();
    answered.resize(script.size());
    if (out.response() != nullptr) {
      auto& t = static_cast<Transaction&>(*out.take_response());
      const std::size_t i = t.access.tag;
      EXPECT_TRUE(t.is_response_ok());
      for (unsigned b = 0; t.is_read() && b < t.get_data_length(); ++b)
        EXPECT_EQ(t.data[b], script[i].value) << "request " << i << ", byte " << b;
      answered[i] = now;
      order.push_back(i);
      t.release();
    }
    if (next_ < script.size() && script[next_].at <= now && out.can_send()) {
      const Request& r = script[next_];
      const bool read = r.kind == AccessKind::load;
      Transaction& t =
          pool_.get(read ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND, r.address, r.bytes);
      if (!read) std::memset(t.data.data(), r.value, r.bytes);
      t.access.kind = r.kind;
      t.access.atomic_sequence = r.sequence;
      t.access.tag = static_cast<std::uint32_t>(next_++);
      out.send(t);
    }
    return order.size() < script.size() ? now + 1 : kNever;
  }

  TransactionPool pool_;
  std::size_t next_ = 0;
};

/// A cycle is a nanosecond, and by default a byte takes one.
LinkParams slow_link() {
  LinkParams p;
  p.megabytes = 1000;
  p.header_bytes = 10;
  p.latency_nanoseconds = 100;
  return p;
}

class HostLinkTest : public testing::Test {
 protected:
  void build(const LinkParams& params, unsigned slices, bool tick_all = false) {
    set_simulation_resolution();
    clock_ = std::make_unique<ClockDomain>("clock", 1'000'000'000, tick_all);
    link_ = std::make_unique<HostLink>("link", *clock_, params, slices);
    link_->register_stats(registry_);
    for (unsigned s = 0; s < slices; ++s) {
      slices_.push_back(std::make_unique<Slice>(fmt::format("slice{}", s).c_str(), *clock_));
      checkers_.push_back(std::make_unique<ProtocolChecker>(fmt::format("checker{}", s).c_str()));
      slices_[s]->out.socket.bind(checkers_[s]->target);
      checkers_[s]->initiator.bind(link_->port(s).socket);
    }
  }
  void run() {
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    registry_.begin_kernel("kernel");
    sc_core::sc_start(100, sc_core::SC_US);
    rethrow_tick_failure();
    EXPECT_TRUE(link_->idle()) << link_->describe();
    for (const auto& slice : slices_) EXPECT_EQ(slice->order.size(), slice->script.size());
    registry_.end_kernel();
  }
  /// Cycle in which slice `s` sees the answer to its request `i`, after its BEGIN_REQ.
  Cycle took(unsigned s, std::size_t i) const {
    return slices_[s]->answered[i] - slices_[s]->script[i].at;
  }

  StatRegistry registry_;
  std::unique_ptr<ClockDomain> clock_;
  std::unique_ptr<HostLink> link_;
  std::vector<std::unique_ptr<Slice>> slices_;
  std::vector<std::unique_ptr<ProtocolChecker>> checkers_;
};

// n: BEGIN_REQ   n+1: leaves   n+11: at the host   n+111: begins   n+153: there   n+154: seen
TEST_F(HostLinkTest, AReadTakesBothDirectionsAndTheLatency) {
  build(slow_link(), 1);
  slices_[0]->script = {{5, kBase, 32}};
  run();
  EXPECT_EQ(took(0, 0), 1u + 10 + 100 + 42 + 1);
}

// The request leaves in one interval and is answered in the next, to which its latency belongs.
TEST_F(HostLinkTest, AnIntervalHasTheLatencyOfItsAnswers) {
  build(slow_link(), 1);
  slices_[0]->script = {{5, kBase, 32}};
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  registry_.begin_kernel("kernel");
  StatSampler sampler(registry_);
  const StatSampler::Column& latency = *sampler.find("host", "read_latency");
  sampler.begin();
  sc_core::sc_start(100, sc_core::SC_NS);
  sampler.end(100e-9);
  EXPECT_TRUE(std::isnan(sampler.value(latency)));
  sc_core::sc_start(100, sc_core::SC_NS);
  sampler.end(100e-9);
  EXPECT_EQ(sampler.value(latency), 152);
  registry_.end_kernel();
}

TEST_F(HostLinkTest, AWriteTakesItsDataOnTheWayThere) {
  build(slow_link(), 1);
  slices_[0]->script = {{5, kBase, 8, AccessKind::store, 7}, {500, kBase, 8, AccessKind::load, 7}};
  run();
  EXPECT_EQ(took(0, 0), 1u + 18 + 100 + 1);
  EXPECT_EQ(took(0, 1), 1u + 10 + 100 + 18 + 1);
}

TEST_F(HostLinkTest, AnswersFollowOneAnother) {
  build(slow_link(), 2);
  slices_[0]->script = {{5, kBase, 32}};
  slices_[1]->script = {{5, kBase + 4096, 32}};
  run();
  const auto [first, second] = std::minmax({took(0, 0), took(1, 0)});
  EXPECT_EQ(first, 154u);
  EXPECT_EQ(second, 154u + 42) << "the way back is taken for 42 cycles";
}

TEST_F(HostLinkTest, ReadsWaitForATagAndWritesPassThem) {
  LinkParams params = slow_link();
  params.reads = 1;
  build(params, 2);
  slices_[0]->script = {{5, kBase, 32}, {6, kBase + 32, 32}};
  slices_[1]->script = {{7, kBase + 4096, 6, AccessKind::store, 1}};
  run();
  EXPECT_EQ(took(0, 0), 154u);
  // The tag is free when the first answer leaves, in cycle 158, for the second to leave then.
  EXPECT_EQ(slices_[0]->answered[1], 158u + 10 + 100 + 42 + 1);
  EXPECT_EQ(took(1, 0), 9u + 16 + 100 + 1) << "the link is free from cycle 16 on";
  EXPECT_EQ(link_->stats().tag_wait_cycles, 158u - 7);
}

// A direction that gets free within a cycle is used from then on.
TEST_F(HostLinkTest, PacketsTakePartsOfCycles) {
  LinkParams params = slow_link();
  params.megabytes = 20'000;
  params.header_bytes = 30;
  build(params, 1);
  for (unsigned i = 0; i < 100; ++i) slices_[0]->script.push_back({5, kBase + 32 * i, 32});
  run();
  const Cycle first = slices_[0]->answered[0];
  // The answers' 62 B take 3.1 ns each.
  EXPECT_THAT(slices_[0]->answered[99] - first,
              testing::AllOf(testing::Ge(306u), testing::Le(308u)));
}

TEST_F(HostLinkTest, AnOlderAtomicDoesNotUndoANewerOne) {
  build(slow_link(), 1);
  slices_[0]->script = {{5, kBase, 4, AccessKind::atomic, 9, 2},
                        {6, kBase, 4, AccessKind::atomic, 3, 1},
                        {900, kBase, 4, AccessKind::load, 9}};
  run();
  EXPECT_EQ(link_->stats().atomics, 2u);
}

TEST_F(HostLinkTest, WhatTheHostWroteIsRead) {
  build(slow_link(), 1);
  const std::vector<std::uint8_t> data(100, 0x2a);
  link_->host_wrote(kBase + 28, data.size(), data.data());
  slices_[0]->script = {{5, kBase, 28}, {6, kBase + 28, 100, AccessKind::load, 0x2a}};
  run();
  EXPECT_THAT(link_->take_written_pages(), testing::ElementsAre(kBase));
}

/// Each slice has addresses of its own, so that the order of its requests says what they read.
class HostLinkRandomTest : public HostLinkTest,
                           public testing::WithParamInterface<std::pair<unsigned, bool>> {};

TEST_P(HostLinkRandomTest, ReadsSeeWhatWasWrittenBefore) {
  const auto [seed, tick_all] = GetParam();
  Random random(seed);
  LinkParams params;
  params.megabytes = 1000 + static_cast<std::uint32_t>(random.below(60'000));
  params.latency_nanoseconds = 1 + static_cast<std::uint32_t>(random.below(1500));
  params.reads = 1 + static_cast<std::uint32_t>(random.below(20));
  params.queue = 1 + static_cast<std::uint32_t>(random.below(3));
  build(params, 5, tick_all);
  std::uint64_t bytes_read = 0;
  for (unsigned s = 0; s < 5; ++s) {
    std::vector<std::uint8_t> memory(64);
    Cycle at = 1;
    for (unsigned i = 0; i < 100; ++i) {
      Request r;
      const unsigned block = static_cast<unsigned>(random.below(memory.size()));
      r.at = at += random.below(4) == 0 ? random.below(300) : 0;
      r.address = kBase + s * 0x1000 + block * 32;
      if (random.below(2) == 0) {
        r.kind = AccessKind::store;
        memory[block] = r.value = static_cast<std::uint8_t>(random.below(256));
      } else {
        r.value = memory[block];
        bytes_read += r.bytes;
      }
      slices_[s]->script.push_back(r);
    }
  }
  run();
  EXPECT_EQ(link_->stats().requests, 500u);
  EXPECT_EQ(link_->stats().read_bytes, bytes_read);
  EXPECT_LE(link_->stats().reads_under_way, params.reads);
}

INSTANTIATE_TEST_SUITE_P(Seeds, HostLinkRandomTest,
                         testing::Values(std::pair(1u, false), std::pair(1u, true),
                                         std::pair(2u, false), std::pair(3u, false),
                                         std::pair(4u, true), std::pair(5u, false)));

}  // namespace
}  // namespace warpmem::host
