// SPDX-License-Identifier: Apache-2.0
// The two ends of a link, each at a pace that depends on the cycle alone, with traces to compare.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <map>
#include <vector>

#include "base/tlm_ports.hpp"
#include "base/transaction.hpp"

namespace warpmem {

inline void run_for(Femtoseconds t) { sc_core::sc_start(sc_core::sc_time::from_value(t)); }
inline constexpr Femtoseconds kNs = 1'000'000;
inline constexpr std::uint64_t kGigahertz = 1'000'000'000;

/// true in `of` of 8 cycles, the same in every system that is compared.
inline bool chance(Cycle now, unsigned salt, unsigned of) {
  std::uint64_t x = now * 0x9e3779b97f4a7c15u + salt * 0xbf58476d1ce4e5b9u;
  x ^= x >> 29;
  x *= 0x94d049bb133111ebu;
  return (x >> 40) % 8 < of;
}

enum class Event { send, response, request, respond };
using Trace = std::vector<std::array<std::uint64_t, 3>>;  // cycle, event, address

struct Pace {
  unsigned send = 8;                     ///< eighths of the cycles in which the sender tries
  unsigned take = 8;                     ///< ... takes a response
  unsigned accept = 8;                   ///< ... in which the receiver takes a request
  unsigned respond = 8;                  ///< ... responds
  unsigned responses = 2, requests = 2;  ///< queue depths
};

class Sender : public sc_core::sc_module, public Clocked {
 public:
  Sender(sc_core::sc_module_name name, ClockDomain& d, const Pace& pace, unsigned count)
      : sc_module(name),
        Clocked(d),
        port("port", *this, pace.responses),
        pace_(pace),
        count_(count) {}
  RequestPort port;
  Trace trace;
  TransactionPool pool;
  std::vector<std::uint32_t> data;

 private:
  Cycle tick(Cycle now) override {
    port.begin_cycle();
    if (Payload* p = port.response(); p != nullptr && chance(now, 1, pace_.take)) {
      EXPECT_TRUE(p->is_response_ok());
      std::uint32_t word;
      std::memcpy(&word, p->get_data_ptr(), 4);
      data.push_back(word);
      port.take_response();
      trace.push_back({now, static_cast<std::uint64_t>(Event::response), p->get_address()});
      p->release();
    }
    if (sent_ < count_ && chance(now, 2, pace_.send) && port.can_send()) {
      Transaction& t = pool.get(tlm::TLM_WRITE_COMMAND, 128 * sent_, 4);
      std::memcpy(t.data.data(), &sent_, 4);
      ++sent_;
      trace.push_back({now, static_cast<std::uint64_t>(Event::send), t.get_address()});
      port.send(t);
    }
    // Blocked for ever without a wake-up: nothing is tried before one.
    const bool may_act = port.response() != nullptr || (sent_ < count_ && !blocked());
    return may_act ? now + 1 : kNever;
  }
  /// Waits for END_REQ, which wakes.
  bool blocked() const { return port.describe().find("END_REQ") != std::string::npos; }

  Pace pace_;
  unsigned count_;
  std::uint32_t sent_ = 0;
};

class Receiver : public sc_core::sc_module, public Clocked {
 public:
  Receiver(sc_core::sc_module_name name, ClockDomain& d, const Pace& pace)
      : sc_module(name), Clocked(d), port("port", *this, pace.requests), pace_(pace), held_(4) {
    port.on_debug([](Payload& p) { return p.get_data_length(); });
    port.on_blocking([](Payload& p, sc_core::sc_time& delay) {
      delay += sc_core::sc_time(7, sc_core::SC_NS);
      p.set_response_status(tlm::TLM_OK_RESPONSE);
    });
  }
  ServicePort port;
  Trace trace;
  std::map<Addr, std::uint32_t> memory;

 private:
  Cycle tick(Cycle now) override {
    port.begin_cycle();
    if (!held_.empty() && chance(now, 3, pace_.respond) && port.can_respond()) {
      Payload* p = held_.pop();
      p->set_response_status(tlm::TLM_OK_RESPONSE);
      trace.push_back({now, static_cast<std::uint64_t>(Event::respond), p->get_address()});
      port.respond(*p);
    }
    if (Payload* p = port.request();
        p != nullptr && !held_.full() && chance(now, 4, pace_.accept)) {
      port.take_request();
      if (p->is_write()) std::memcpy(&memory[p->get_address()], p->get_data_ptr(), 4);
      if (p->is_read()) std::memcpy(p->get_data_ptr(), &memory[p->get_address()], 4);
      trace.push_back({now, static_cast<std::uint64_t>(Event::request), p->get_address()});
      held_.push(p);
    }
    const bool may_respond =
        !held_.empty() && port.describe().find("END_RESP") == std::string::npos;
    const bool may_accept = port.request() != nullptr && !held_.full();
    return may_respond || may_accept ? now + 1 : kNever;
  }

  Pace pace_;
  Ring<Payload*> held_;
};

inline std::vector<Cycle> cycles_of(const Trace& trace, Event event) {
  std::vector<Cycle> cycles;
  for (const auto& line : trace)
    if (line[1] == static_cast<std::uint64_t>(event)) cycles.push_back(line[0]);
  return cycles;
}

}  // namespace warpmem
