// SPDX-License-Identifier: Apache-2.0
// Around a cache under test: an initiator that follows a script and compares what loads return with
// a flat reference memory, and a memory of fixed or random latency with back-pressure.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/memory_image.hpp"
#include "base/payload_bytes.hpp"
#include "base/protocol_checker.hpp"
#include "base/random.hpp"
#include "base/stats.hpp"
#include "base/tlm_ports.hpp"
#include "base/transaction.hpp"
#include "cache/stall.hpp"
#include "files/stats_json.hpp"

namespace warpmem::testing_support {

inline void resolution_once() {
  static const bool done = (set_simulation_resolution(), true);
  (void)done;
}

struct Scripted {
  Cycle at = 0;  ///< earliest cycle of BEGIN_REQ
  Addr address = 0;
  unsigned bytes = 128;
  AccessKind kind = AccessKind::load;
  bool local = false;
  bool bypass = false;
  std::uint8_t sectors = 0;  ///< sectors of 32 B that the lanes want or write; 0: all
  std::uint32_t words = 0;   // that lanes touch, a bit for each 4 B; 0: those of the sectors
  std::uint32_t pc = 0;
  std::uint16_t warp = 0;
  std::uint32_t sequence = 0;          ///< number of an atomic
  std::uint8_t line_requests = 1;      ///< of its instruction in the same line
  std::uint8_t groups = 1, chain = 1;  ///< operations of an atomic, and of its worst word
  std::uint8_t value = 0;              ///< value of every enabled byte of a write
  std::uint64_t enables =
      ~std::uint64_t(0);  ///< bit i % 64 enables byte i; all: no enables in loads
  bool check = true;      ///< a load must return the reference's bytes; a write changes them
};

inline Scripted load(Addr address, Cycle at = 0, unsigned bytes = 128) {
  Scripted s;
  s.at = at;
  s.address = address;
  s.bytes = bytes;
  return s;
}
inline Scripted store(Addr address, std::uint8_t value, Cycle at = 0, unsigned bytes = 128) {
  Scripted s = load(address, at, bytes);
  s.kind = AccessKind::store;
  s.value = value;
  return s;
}
/// Number `sequence` in the order of issue, on the first word of a line of 128 B.
inline Scripted atomic(Addr address, std::uint8_t value, std::uint32_t sequence, Cycle at = 0) {
  Scripted s = store(address, value, at);
  s.kind = AccessKind::atomic;
  s.sequence = sequence;
  s.enables = 0xf;
  return s;
}

class Initiator : public sc_core::sc_module, public Clocked {
 public:
  /// `width` is that of the link to the cache. What goes in one cycle is of one instruction where
  /// it is of one warp.
  Initiator(sc_core::sc_module_name name, ClockDomain& domain, TransactionPool& pool,
            unsigned width = 1)
      : sc_module(name),
        Clocked(domain),
        out("out", *this, width + 1, width),
        pool_(pool),
        width_(width) {}

  RequestPort out;
  std::vector<Scripted> script;
  bool carry_data = true;
  unsigned busy_percent = 0;  ///< share of the cycles that take no response
  std::uint64_t seed = 1;
  MemoryImage reference;

  std::vector<Cycle> sent, responded;  ///< cycles by script index
  std::vector<std::size_t> order;      ///< order of the responses
  std::vector<tlm::tlm_response_status> status;
  std::vector<Access> access;  ///< each access as it came back
  std::vector<std::uint8_t> first_byte;

  bool done() const { return order.size() == script.size(); }
  Cycle latency(std::size_t i) const { return responded[i] - sent[i]; }

 private:
  Cycle tick(Cycle now) override {
    out.begin_cycle();
    if (sent.size() != script.size()) resize();
    // The choice depends on the cycle alone, so that skipped ticks do not change it.
    const bool busy = Random(seed ^ now * 0x9e3779b9u).chance(busy_percent);
    for (unsigned i = 0; i < width_ && !busy && out.response() != nullptr; ++i) retire(now);
    for (unsigned i = 0; i < width_ && next_ < script.size() && script[next_].at <= now; ++i)
      if (out.can_send()) send(now);
    if (out.queued() != 0) return now + 1;
    return next_ < script.size() && script[next_].at > now ? script[next_].at : kNever;
  }

  void resize() {
    sent.resize(script.size());
    responded.resize(script.size());
    status.resize(script.size());
    access.resize(script.size());
    first_byte.resize(script.size());
    expected_.resize(script.size());
  }

  void send(Cycle now) {
    const Scripted& s = script[next_];
    const bool write = s.kind != AccessKind::load;
    Transaction& t =
        pool_.get(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, s.address, s.bytes);
    t.access.kind = s.kind;
    t.access.local = s.local;
    t.access.bypass_l1d = s.bypass;
    t.access.sectors = s.sectors;
    t.access.words = s.words;
    t.access.line_requests = s.line_requests;
    t.access.pc = s.pc;
    t.access.warp = s.warp;
    t.access.warp_in_cta = static_cast<std::uint8_t>(s.warp);
    t.access.atomic_sequence = s.sequence;
    t.access.atomic_groups = s.groups;
    t.access.atomic_chain = s.chain;
    t.access.tag = static_cast<std::uint32_t>(next_);
    t.access.mark(Stage::issue, simulation_now());
    if (write) {
      for (unsigned i = 0; i < s.bytes; ++i) {
        t.data[i] = s.value;
        const bool touched = s.sectors == 0 || (s.sectors >> i / kSectorBytes & 1) != 0;
        const bool enabled = touched && (s.enables >> i % 64 & 1) != 0;
        t.byte_enable[i] = enabled ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
      }
      enable(t);
      if (s.check) reference.write(s.address, s.bytes, t.data.data(), t.byte_enable.data());
    } else {
      reference.read(s.address, s.bytes, expected_[next_].data());
      if (s.enables != ~std::uint64_t(0)) {
        for (unsigned i = 0; i < s.bytes; ++i)
          t.byte_enable[i] = (s.enables >> i % 64 & 1) != 0 ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
        enable(t);
      }
    }
    sent[next_++] = now;
    out.send(t);
    wake();
  }

  static void enable(Transaction& t) {
    t.set_byte_enable_ptr(t.byte_enable.data());
    t.set_byte_enable_length(t.get_data_length());
  }

  void retire(Cycle now) {
    auto& t = static_cast<Transaction&>(*out.take_response());
    const std::size_t i = t.access.tag;
    responded[i] = now;
    status[i] = t.get_response_status();
    access[i] = t.access;
    first_byte[i] = t.data[0];
    order.push_back(i);
    if (t.is_read() && t.is_response_ok() && carry_data && script[i].check) {
      for (unsigned at = 0; at < t.get_data_length(); ++at)
        if (!byte_enabled(t, at)) t.data[at] = expected_[i][at];
      for (unsigned at = 0; at < t.get_data_length(); at += kSectorBytes) {
        if (script[i].sectors != 0 && (script[i].sectors >> at / kSectorBytes & 1) == 0) continue;
        EXPECT_EQ(std::memcmp(&t.data[at], &expected_[i][at],
                              std::min(kSectorBytes, t.get_data_length() - at)),
                  0)
            << "load " << i << " of 0x" << std::hex << t.get_address() << std::dec << ", "
            << t.get_data_length() << " bytes: got " << int(t.data[at]) << ", expected "
            << int(expected_[i][at]) << " in byte " << at;
      }
    }
    t.release();
  }

  TransactionPool& pool_;
  unsigned width_;
  std::size_t next_ = 0;
  std::vector<std::array<std::uint8_t, kMaxLineBytes>> expected_;
};

class Memory : public sc_core::sc_module, public Clocked {
 public:
  Memory(sc_core::sc_module_name name, ClockDomain& domain)
      : sc_module(name), Clocked(domain), in("in", *this, 4) {
    in.on_debug([this](Payload& payload) {
      perform(payload);
      return payload.get_data_length();
    });
    in.on_blocking([this](Payload& payload, sc_core::sc_time&) {
      perform(payload);
      payload.set_response_status(tlm::TLM_OK_RESPONSE);
    });
  }

  struct Seen {
    Cycle cycle;
    Addr address;
    bool write;
    unsigned bytes;
    AccessKind kind;
  };

  ServicePort in;
  Cycle latency = 10;         ///< cycles from seeing a request to its response
  Cycle extra_latency = 0;    ///< random addition, 0..extra_latency
  unsigned busy_percent = 0;  ///< share of the cycles that take no request
  bool late = false;          ///< bytes move with the response, in any order, instead of on arrival
  bool carry_data = true;
  Cycle asleep_until = 0;      ///< takes no request before
  Addr fails_from = ~Addr(0);  ///< requests at or above are answered with an error
  std::uint64_t seed = 1;
  MemoryImage image;
  std::vector<Seen> seen;

  std::size_t reads() const { return count(false); }
  std::size_t writes() const { return count(true); }

 private:
  struct Waiting {
    Payload* payload;
    Cycle ready;
  };

  Cycle tick(Cycle now) override {
    in.begin_cycle();
    for (std::size_t i = 0; i < waiting_.size() && in.can_respond(); ++i) {
      if (waiting_[i].ready > now) continue;
      Payload& payload = *waiting_[i].payload;
      waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i));
      const bool fails = payload.get_address() >= fails_from;
      if (late && !fails) perform(payload);
      payload.set_response_status(fails ? tlm::TLM_ADDRESS_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE);
      in.respond(payload);
      break;
    }
    Random random(seed ^ now * 0x9e3779b9u);
    if (in.request() != nullptr && now >= asleep_until && !random.chance(busy_percent)) {
      Payload& payload = *in.take_request();
      seen.push_back({now, payload.get_address(), payload.is_write(), payload.get_data_length(),
                      kind_of(payload)});
      if (!late) perform(payload);
      waiting_.push_back({&payload, now + latency + random.below(extra_latency + 1)});
    }
    return in.queued() != 0 || !waiting_.empty() ? now + 1 : kNever;
  }

  void perform(Payload& payload) {
    if (!carry_data) return;
    std::array<std::uint8_t, kMaxLineBytes> bytes;
    image.read(payload.get_address(), payload.get_data_length(), bytes.data());
    if (payload.is_read()) {
      store_to_payload(payload, bytes.data());
    } else {
      load_from_payload(payload, bytes.data());
      image.write(payload.get_address(), payload.get_data_length(), bytes.data());
    }
  }

  std::size_t count(bool write) const {
    std::size_t n = 0;
    for (const Seen& s : seen) n += s.write == write;
    return n;
  }

  std::deque<Waiting> waiting_;
};

/// The bench is initiator, checker, cache, checker and memory, in one clock domain of 1 GHz.
template <class Cache>
class CacheBench {
 public:
  /// `make` builds the cache and `port` gives its port towards the initiator.
  template <class Make, class Port>
  CacheBench(const std::string& name, bool tick_all, Make&& make, Port&& port, unsigned width = 1) {
    resolution_once();
    domain = std::make_unique<ClockDomain>((name + "_clock").c_str(), 1'000'000'000, tick_all);
    initiator = std::make_unique<Initiator>((name + "_initiator").c_str(), *domain, pool, width);
    cache = make((name + "_cache").c_str(), *domain, pool);
    memory = std::make_unique<Memory>((name + "_memory").c_str(), *domain);
    above = std::make_unique<ProtocolChecker>((name + "_above").c_str());
    below = std::make_unique<ProtocolChecker>((name + "_below").c_str());
    initiator->out.socket.bind(above->target);
    above->initiator.bind(port(*cache).socket);
    cache->mem.socket.bind(below->target);
    below->initiator.bind(memory->in.socket);
    cache->register_stats(stats, 0);
    stats.begin_kernel("test");
  }

  /// Puts the same bytes into the memory and the reference.
  void fill(Addr begin, unsigned bytes, std::uint64_t seed = 7) {
    Random random(seed);
    for (Addr a = begin; a < begin + bytes; ++a) {
      const auto value = static_cast<std::uint8_t>(random.next() >> 20);
      memory->image.write(a, 1, &value);
      initiator->reference.write(a, 1, &value);
    }
  }

  /// Runs until every response is back, then checks that everything is idle and every law holds.
  void run(Cycle limit = 1'000'000) {
    for (Cycle c = 0; c < limit && !initiator->done(); c += 50) step(50);
    settle();
  }
  void step(Cycle cycles) {
    sc_core::sc_start(sc_core::sc_time::from_value(domain->time_of(cycles)));
    rethrow_tick_failure();
  }
  void settle() {
    ASSERT_TRUE(initiator->done()) << cache->describe();
    for (int i = 0; i < 100 && !cache->idle(); ++i) step(50);
    ASSERT_TRUE(cache->idle()) << cache->describe();
    EXPECT_EQ(pool.outstanding(), 0u);
    EXPECT_EQ(above->outstanding() + below->outstanding(), 0u);
    EXPECT_NO_THROW(stats.end_kernel());
  }

  TransactionPool pool;
  StatRegistry stats;
  std::unique_ptr<ClockDomain> domain;
  std::unique_ptr<Initiator> initiator;
  std::unique_ptr<Cache> cache;
  std::unique_ptr<Memory> memory;
  std::unique_ptr<ProtocolChecker> above, below;
};

/// Returns the cache with DL-MSHRs that walk a list of misses: a merge takes several cycles.
template <class Params>
Params with_merges_of_several_cycles(Params params) {
  params.mshr.kind = decltype(params.mshr.kind)::dl;
  params.mshr.slots = 8;
  params.mshr.tail_pointer = false;
  params.allocate = decltype(params.allocate)::on_fill;
  return params;
}

/// Hits wait while the other end takes only a fifth of the responses. The first request misses, or
/// finds the line of address 0 filled.
template <class Bench>
void check_hits_wait_for_the_link(Bench& b) {
  std::vector<Scripted> requests = {load(0)};
  for (unsigned i = 0; i < 200; ++i) requests.push_back(load(0, 100));
  b.script(requests);
  b.initiator->busy_percent = 80;
  b.run();
  EXPECT_GT(b.stall(cache::Stall::response_full).requests, 0u);
  EXPECT_EQ(b.cache->stats().hits, 200u);
}

/// Requests with idle times between them give the same with and without skipping of idle
/// cycles: counters move on acceptance alone, and the cycles of a blocked head come out the same
/// when every cycle is ticked. There are few MSHRs and a short miss queue. `writes`: percentage of
/// stores.
template <class Bench, class Params>
void check_skipping(Params params, unsigned writes) {
  params.mshr.entries = 2;
  params.miss_queue = 2;
  Bench skipping("a", params);
  Bench ticking("b", params, true);
  Random random(5);
  std::vector<Scripted> requests;
  Cycle at = 0;
  for (unsigned i = 0; i < 3000; ++i) {
    at += random.chance(5) ? random.below(500) : 0;
    const Addr address = random.below(24) * 128;
    requests.push_back(random.chance(writes) ? store(address, static_cast<std::uint8_t>(i), at)
                                             : load(address, at));
  }
  for (Bench* b : {&skipping, &ticking}) {
    b->memory->extra_latency = 60;
    b->memory->busy_percent = 30;
    b->initiator->busy_percent = 30;
    b->script(requests);
  }
  skipping.run();
  ticking.run();
  EXPECT_TRUE(stats_json(skipping.stats) == stats_json(ticking.stats));
  for (std::size_t i = 0; i < requests.size(); ++i)
    ASSERT_EQ(skipping.initiator->responded[i], ticking.initiator->responded[i]) << i;
}

/// The same with DL-MSHRs.
template <class Bench, class Params>
void check_skipping_with_dl(const Params& params, unsigned writes) {
  check_skipping<Bench>(with_merges_of_several_cycles(params), writes);
}

}  // namespace warpmem::testing_support
