// SPDX-License-Identifier: Apache-2.0
// A clock and payloads for miss handlers; time passes when the test says so.
#pragma once

#include <deque>
#include <exception>
#include <memory>

#include "base/clock_domain.hpp"
#include "base/transaction.hpp"
#include "cache/mha/registry.hpp"

namespace warpmem::mha {

inline constexpr Addr kLine = 128;  ///< bytes of a line

class MhaBench {
 public:
  /// Makes the handler of a cache of `sets` sets of `ways` lines of `sectors` sectors.
  explicit MhaBench(const MhaParams& params, const UnitFactories& units = {},
                    std::uint32_t sets = 16, std::uint32_t ways = 4,
                    Allocate allocate = Allocate::on_miss, std::uint32_t sectors = 1)
      : tags_(sets, ways, kLine, cache::IndexHash::linear),
        handler_(make_miss_handler(params, tags_, allocate, clock(), units, sectors)) {}

  MissHandler& operator*() { return *handler_; }
  MissHandler* operator->() { return handler_.get(); }

  /// Runs `body` in a cycle of its own.
  template <class Body>
  auto cycle(Body&& body) {
    handler_->begin_cycle(++now_);
    struct End {
      MissHandler& handler;
      // What a unit's failure ends is no cycle.
      ~End() noexcept(false) {
        if (std::uncaught_exceptions() == 0) handler.end_cycle();
      }
    } end{*handler_};
    return body();
  }
  void pass(unsigned cycles) {
    while (cycles-- > 0) cycle([] {});
  }
  /// Lets cycles pass of which the handler is not told.
  void skip(unsigned cycles) { now_ += cycles; }
  /// Makes a primary miss of the block in a cycle of its own; allocation() has the answer.
  Stall allocate(Addr block) {
    return cycle([&] { return allocate(block, payload()); });
  }
  /// Makes the same in the present cycle.
  Stall allocate(Addr block, Payload& request, const Room& room = {}) {
    allocation_ = handler_->allocate({block, block}, room, request);
    return allocation_.refusal;
  }
  const Allocation& allocation() const { return allocation_; }
  Stall merge(Addr block) {
    return cycle([&] { return handler_->merge(block, payload()); });
  }
  /// Makes a miss of the block, primary or secondary, in the same cycle.
  Stall miss(Addr block) {
    return handler_->find(block) == Match::none ? allocate(block) : merge(block);
  }
  /// Fills the block and drains it, a target a cycle; returns the number of targets.
  unsigned fill_and_drain(Addr block) {
    cycle([&] { handler_->fill(block); });
    unsigned targets = 0;
    while (handler_->target() != nullptr) {
      cycle([&] { handler_->pop_target(); });
      ++targets;
    }
    return targets;
  }
  void settle() {
    while (handler_->busy()) pass(1);
  }

  TagArray& tags() { return tags_; }

  Payload& payload() {
    payloads_.emplace_back();
    return payloads_.back();
  }
  Cycle now() const { return now_; }

 private:
  /// There is one for the process, since modules cannot be taken down again.
  static ClockDomain& clock() {
    static ClockDomain domain("clock", (set_simulation_resolution(), 1'000'000'000));
    return domain;
  }

  std::deque<Payload> payloads_;
  TagArray tags_;
  std::unique_ptr<MissHandler> handler_;
  Allocation allocation_;
  Cycle now_ = 0;
};

}  // namespace warpmem::mha
