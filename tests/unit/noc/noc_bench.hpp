// SPDX-License-Identifier: Apache-2.0
// A crossbar between scripted initiators and simple targets, all of them in clock domains of
// choice.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "base/protocol_checker.hpp"
#include "base/random.hpp"
#include "base/stats.hpp"
#include "base/transaction.hpp"
#include "noc/crossbar.hpp"

namespace warpmem::noc {

struct Scripted {
  Cycle at = 0;  ///< earliest cycle of BEGIN_REQ
  Addr address = 0;
  bool write = false;
  std::uint64_t ports = 0;  ///< outputs to which it goes, a bit each; 0: that of its address
  bool atomic = false;      ///< a write that is an atomic ...
  bool reduction = false;   ///< ... that returns nothing
};

class Initiator : public sc_core::sc_module, public Clocked {
 public:
  Initiator(sc_core::sc_module_name name, ClockDomain& domain)
      : sc_module(name), Clocked(domain), out("out", *this, 2) {}

  RequestPort out;
  std::vector<Scripted> script;
  std::vector<Cycle> sent;
  std::vector<Cycle> responded;  ///< cycles by script index
  std::vector<std::size_t> order;
  Cycle take_responses_from = 0;

  bool done() const { return order.size() == script.size(); }
  std::size_t outstanding() const { return pool_.outstanding(); }

 private:
  Cycle tick(Cycle now) override {
    out.begin_cycle();
    if (out.response() != nullptr && now >= take_responses_from) {
      auto& t = static_cast<Transaction&>(*out.take_response());
      EXPECT_TRUE(t.is_response_ok());
      responded.resize(script.size());
      responded[t.access.tag] = now;
      order.push_back(t.access.tag);
      t.release();
      wake();
    }
    if (next_ < script.size() && script[next_].at <= now && out.can_send()) {
      const Scripted& s = script[next_];
      Transaction& t =
          pool_.get(s.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, s.address, 128);
      t.access.peer.ports = s.ports;
      if (s.atomic) t.access.kind = AccessKind::atomic;
      t.access.reduction = s.reduction;
      t.data.fill(static_cast<unsigned char>(next_));
      t.access.tag = static_cast<std::uint32_t>(next_++);
      sent.push_back(now);
      out.send(t);
      wake();
    }
    if (now < take_responses_from) return now + 1;
    return next_ < script.size() && script[next_].at > now ? script[next_].at : kNever;
  }

  TransactionPool pool_;
  std::size_t next_ = 0;
};

/// Answers each request `latency` cycles after it saw it; sleeps (takes nothing) until `start`.
class Target : public sc_core::sc_module, public Clocked {
 public:
  Target(sc_core::sc_module_name name, ClockDomain& domain)
      : sc_module(name), Clocked(domain), in("in", *this, 2) {
    in.on_debug([this](Payload& p) {
      debug_accesses.push_back({p.get_address(), p.get_data_length()});
      p.set_response_status(tlm::TLM_OK_RESPONSE);
      return p.get_data_length();
    });
  }

  ServicePort in;
  Cycle latency = 1;
  Cycle start = 0;
  std::vector<Cycle> seen;
  std::vector<const Payload*> payloads;
  std::vector<Addr> addresses;
  std::vector<unsigned> first_bytes;
  std::vector<std::pair<Addr, unsigned>> debug_accesses;

 private:
  Cycle tick(Cycle now) override {
    in.begin_cycle();
    if (now < start) return start;
    if (!waiting_.empty() && waiting_.front().second <= now && in.can_respond()) {
      Payload& p = *waiting_.front().first;
      waiting_.pop_front();
      p.set_response_status(tlm::TLM_OK_RESPONSE);
      in.respond(p);
      wake();
    }
    if (in.request() != nullptr) {
      seen.push_back(now);
      addresses.push_back(in.request()->get_address());
      payloads.push_back(in.request());
      first_bytes.push_back(in.request()->get_data_ptr()[0]);
      waiting_.emplace_back(in.take_request(), now + latency);
    }
    return !waiting_.empty() && waiting_.front().second > now ? waiting_.front().second : kNever;
  }
  std::deque<std::pair<Payload*, Cycle>> waiting_;
};

inline AddressMapParams partitions(unsigned count) {
  AddressMapParams params;
  params.partitions = count;
  return params;
}
/// Returns line `line` of partition `p` (two lines of 128 B in each 256 B chunk).
inline Addr line(unsigned p, unsigned count, unsigned index) {
  return (Addr(index / 2) * count + p) * 256 + index % 2 * 128;
}

class NocBench {
 public:
  struct Setup {
    unsigned inputs = 1;
    unsigned outputs = 1;
    Crossbar::Params params = {};
    bool tick_all = false;
    bool copies = false;    ///< packets may go to several outputs
    bool reversed = false;  ///< construct targets, crossbar and initiators in the opposite order
    std::uint64_t initiator_hz = 700'000'000;
    std::uint64_t target_hz = 700'000'000;
  };
  NocBench(const std::string& name, const Setup& setup) : map(partitions(setup.outputs)) {
    static const bool once = (set_simulation_resolution(), true);
    (void)once;
    clock = std::make_unique<ClockDomain>((name + "_clock").c_str(), setup.params.clock_hz,
                                          setup.tick_all);
    sm_clock = other_clock(name + "_sm_clock", setup, setup.initiator_hz);
    l2_clock = other_clock(name + "_l2_clock", setup, setup.target_hz);
    if (setup.reversed) {
      make_targets(name, setup);
      make_crossbar(name, setup);
      make_initiators(name, setup);
    } else {
      make_initiators(name, setup);
      make_crossbar(name, setup);
      make_targets(name, setup);
    }
    crossbar->register_stats(registry);
    registry.begin_kernel("run");
    for (unsigned i = 0; i < setup.inputs; ++i)
      connect(name + "_in" + std::to_string(i), initiators[i]->out.socket,
              crossbar->input(i).socket);
    for (unsigned p = 0; p < setup.outputs; ++p)
      connect(name + "_out" + std::to_string(p), crossbar->output(p).socket, targets[p]->in.socket);
  }
  void run(Cycle limit = 1'000'000) {
    const sc_core::sc_time step = sc_core::sc_time::from_value(clock->time_of(100));
    for (Cycle c = 0; c < limit && !done(); c += 100) sc_core::sc_start(step);
    rethrow_tick_failure();
    ASSERT_TRUE(done()) << crossbar->describe();
    sc_core::sc_start(sc_core::sc_time::from_value(clock->time_of(10)));
    EXPECT_TRUE(crossbar->idle()) << crossbar->describe();
    for (const auto& i : initiators) EXPECT_EQ(i->outstanding(), 0u);
    EXPECT_EQ(copies.outstanding(), 0u);
    for (const auto& p : protocol) EXPECT_EQ(p->outstanding(), 0u);
    registry.end_kernel();  // throws when a law does not hold
  }
  bool done() const {
    for (const auto& i : initiators)
      if (!i->done()) return false;
    return true;
  }

  TransactionPool copies;  ///< what the crossbar makes
  AddressMap map;
  StatRegistry registry;
  std::unique_ptr<ClockDomain> clock;
  std::unique_ptr<ClockDomain> sm_clock;
  std::unique_ptr<ClockDomain> l2_clock;
  std::unique_ptr<Crossbar> crossbar;
  std::vector<std::unique_ptr<Initiator>> initiators;
  std::vector<std::unique_ptr<Target>> targets;
  std::vector<std::unique_ptr<ProtocolChecker>> protocol;  ///< one on every link

 private:
  template <class From, class To>
  void connect(const std::string& name, From& from, To& to) {
    protocol.push_back(std::make_unique<ProtocolChecker>((name + "_protocol").c_str()));
    from.bind(protocol.back()->target);
    protocol.back()->initiator.bind(to);
  }
  /// nullptr when the crossbar's own clock serves.
  std::unique_ptr<ClockDomain> other_clock(const std::string& name, const Setup& setup,
                                           std::uint64_t hertz) {
    if (hertz == setup.params.clock_hz) return nullptr;
    return std::make_unique<ClockDomain>(name.c_str(), hertz, setup.tick_all);
  }
  void make_crossbar(const std::string& name, const Setup& setup) {
    crossbar = std::make_unique<Crossbar>((name + "_crossbar").c_str(), *clock, setup.params, map,
                                          setup.inputs);
    if (setup.copies) crossbar->enable_copies(copies);
  }
  void make_initiators(const std::string& name, const Setup& setup) {
    for (unsigned i = 0; i < setup.inputs; ++i)
      initiators.push_back(std::make_unique<Initiator>(
          (name + "_initiator" + std::to_string(i)).c_str(), sm_clock ? *sm_clock : *clock));
  }
  void make_targets(const std::string& name, const Setup& setup) {
    for (unsigned p = 0; p < setup.outputs; ++p)
      targets.push_back(std::make_unique<Target>((name + "_target" + std::to_string(p)).c_str(),
                                                 l2_clock ? *l2_clock : *clock));
  }
};

}  // namespace warpmem::noc
