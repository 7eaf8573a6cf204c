// SPDX-License-Identifier: Apache-2.0
#include "base/clock_domain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "base/added_part.hpp"
#include "base/assert.hpp"
#include "base/clock_edges.hpp"
#include "base/edge_loop.hpp"
#include "base/errors.hpp"
#include "base/unit_failure.hpp"

namespace warpmem {

namespace {
std::exception_ptr tick_failure;
const Clocked* ticked = nullptr;  // the module ticked last

std::string name_of_ticked() {
  const auto* const module = dynamic_cast<const sc_core::sc_object*>(ticked);
  return module == nullptr ? "" : module->name();
}
Femtoseconds last_edge = 0;  // time of the edge processed last

// Times go to the kernel and come from it as bare numbers of femtoseconds.
void require_resolution() {
  const sc_core::sc_time resolution = sc_core::sc_get_time_resolution();
  if (resolution == sc_core::sc_time(1, sc_core::SC_FS)) return;
  throw UserError(
      fmt::format("the SystemC time resolution is {}; allowed: 1 fs, set by "
                  "warpmem::set_simulation_resolution() before anything uses a time",
                  resolution.to_string()));
}
}  // namespace

Femtoseconds detail::edge_in_progress = kNever;

Femtoseconds detail::time_between_edges() {
  return std::max<Femtoseconds>(last_edge, sc_core::sc_time_stamp().value());
}

void run_ahead_of_kernel() { EdgeLoop::instance().leave_out_kernel(); }

void pause_simulation() {
  EdgeLoop::instance().pause();
  sc_core::sc_pause();
}

void rethrow_tick_failure() {
  if (tick_failure) std::rethrow_exception(std::exchange(tick_failure, nullptr));
}

void set_simulation_resolution() { sc_core::sc_set_time_resolution(1, sc_core::SC_FS); }

ClockDomain::ClockDomain(sc_core::sc_module_name name, std::uint64_t hertz, bool tick_all)
    : sc_module(name),
      hertz_(hertz),
      period_(kFemtosecondsPerSecond / hertz),
      period_remainder_(kFemtosecondsPerSecond % hertz),
      tick_all_(tick_all),
      loop_(EdgeLoop::instance()) {
  require_resolution();
  move_to(0);
  loop_.add(*this);
  SC_METHOD(run);
  sensitive << edge_;
}

ClockDomain::~ClockDomain() { loop_.remove(*this); }

Femtoseconds ClockDomain::time_of(Cycle c) const { return time_of_edge(c, hertz_); }

Cycle ClockDomain::cycle_at(Femtoseconds t) const { return edge_at(t, hertz_); }

// Consecutive edges need no division: the remainder of c * S / f is carried along.
void ClockDomain::move_to(Cycle c) {
  if (c == now_ + 1) {
    remainder_ = next_remainder_;
    now_time_ = next_time_;
  } else {
    const auto product = detail::WideTime(c) * kFemtosecondsPerSecond;
    now_time_ = static_cast<Femtoseconds>(product / hertz_);
    remainder_ = static_cast<std::uint64_t>(product - detail::WideTime(now_time_) * hertz_);
  }
  now_ = c;
  next_remainder_ = remainder_ + period_remainder_;
  next_time_ = now_time_ + period_;
  if (next_remainder_ >= hertz_) {
    next_remainder_ -= hertz_;
    ++next_time_;
  }
}

void ClockDomain::attach(Clocked& module) {
  assert(!started_ && "modules attach before simulation starts");
  module.id_ = static_cast<unsigned>(modules_.size());
  modules_.push_back(&module);
}

void ClockDomain::start_of_simulation() {
  std::stable_sort(modules_.begin(), modules_.end(),
                   [](const Clocked* a, const Clocked* b) { return a->rank_ < b->rank_; });
  for (unsigned id = 0; id < modules_.size(); ++id) modules_[id]->id_ = id;
  words_ = (modules_.size() + 63) / 64;
  wheel_.assign(kWheelSlots * words_, 0);
}

void ClockDomain::wake_later(unsigned id, Cycle at) {
  if (wheel_.empty() || (tick_all_ && started_)) return;  // edge 0 ticks everyone
  assert(at > now_ && "a wake-up lies after the current edge");
  if (at - now_ < kWheelSlots) {
    put_in_wheel(id, at);
  } else {
    far_.emplace(at, id);
  }
  if (!ticking_) schedule(at);
}

Femtoseconds ClockDomain::time_ahead(Cycle cycles) const {
  constexpr Cycle kNear = Cycle(1) << 24;  // what period_remainder_ times it is fits into a word
  if (cycles >= kNear) return time_of(now_ + cycles);
  return now_time_ + cycles * period_ + (remainder_ + cycles * period_remainder_) / hertz_;
}

void ClockDomain::schedule(Cycle at) {
  if (at >= scheduled_) return;
  scheduled_ = at;
  due_ = at == now_ + 1 ? next_time_ : time_ahead(at - now_);
  loop_.scheduled(*this);
}

void ClockDomain::run() {
  if (tick_failure) return;
  const auto keep_failure = [this](std::exception_ptr failure) {
    detail::edge_in_progress = kNever;
    ticking_ = false;
    if (!tick_failure) tick_failure = std::move(failure);
    pause_simulation();
  };
  try {
    if (started_ && loop_.without_kernel()) {
      loop_.run();
    } else {
      run_edge();
    }
    detail::edge_in_progress = kNever;
  } catch (UnitFailure& failure) {
    failure.instance = name_of_ticked();
    keep_failure(std::current_exception());
  } catch (const std::exception&) {
    keep_failure(std::current_exception());
  } catch (...) {  // only a part from outside the tree throws such
    keep_failure(std::make_exception_ptr(
        SimulationError(name_of_ticked() + ": " + text_of_exception() + loaded_plugins())));
  }
}

void ClockDomain::run_edge() {
  if (!started_) {  // initialisation: edge 0 is the start of simulation, ticked by everyone
    started_ = true;
    tick_everything(0);
  } else {
    move_to(scheduled_);
    detail::edge_in_progress = last_edge = now_time_;
    scheduled_ = due_ = kNever;
    ticking_ = true;
    if (tick_all_) {
      tick_everything(now_);
    } else {
      tick_slot(now_);
    }
    ticking_ = false;
  }
  const Cycle next = tick_all_ ? now_ + 1 : next_work();
  if (next != kNever) schedule(next);
}

void ClockDomain::tick_everything(Cycle now) {
  for (unsigned id = 0; id < modules_.size(); ++id) {
    ticked = modules_[id];
    const Cycle next = modules_[id]->tick(now);
    if (!tick_all_ && next != kNever) wake(id, next);
  }
}

void ClockDomain::tick_slot(Cycle now) {
  while (!far_.empty() && far_.top().first - now < kWheelSlots) {
    put_in_wheel(far_.top().second, far_.top().first);
    far_.pop();
  }
  const unsigned slot = now % kWheelSlots;
  used_[slot / 64] &= ~(std::uint64_t(1) << (slot % 64));
  for (std::size_t w = 0; w < words_; ++w) {
    Clocked* const* const modules = modules_.data() + w * 64;
    std::uint64_t soon = 0;  // those that work on in the next cycle: most of them, mostly
    for (std::uint64_t bits = std::exchange(wheel_[slot * words_ + w], 0); bits != 0;
         bits &= bits - 1) {
      const auto place = static_cast<unsigned>(__builtin_ctzll(bits));
      Clocked* const module = modules[place];
      ticked = module;
      const Cycle next = module->tick(now);
      if (next == now + 1) {
        soon |= bits & -bits;
      } else if (next != kNever) {
        wake(static_cast<unsigned>(w * 64) + place, next);
      }
    }
    if (soon == 0) continue;
    const unsigned after = (now + 1) % kWheelSlots;
    wheel_[after * words_ + w] |= soon;
    used_[after / 64] |= std::uint64_t(1) << (after % 64);
  }
}

Cycle ClockDomain::next_work() const {
  for (unsigned ahead = 1; ahead < kWheelSlots;) {
    const unsigned slot = (now_ + ahead) % kWheelSlots;
    const std::uint64_t rest = used_[slot / 64] >> (slot % 64);
    if (rest != 0) {
      const unsigned found = ahead + __builtin_ctzll(rest);
      if (found < kWheelSlots) return now_ + found;
      break;
    }
    ahead += 64 - slot % 64;
  }
  return far_.empty() ? kNever : far_.top().first;
}

}  // namespace warpmem
