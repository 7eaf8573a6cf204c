// SPDX-License-Identifier: Apache-2.0
#include "base/edge_loop.hpp"

#include <algorithm>
#include <utility>

#include "base/after_ticks.hpp"

namespace warpmem {

namespace {
/// Says that the loop runs, also to those who leave it by an exception.
class Running {
 public:
  explicit Running(bool& flag) : flag_(flag) { flag_ = true; }
  ~Running() { flag_ = false; }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  bool& flag_;
};
}  // namespace

EdgeLoop& EdgeLoop::instance() {
  static EdgeLoop loop;
  return loop;
}

void EdgeLoop::remove(ClockDomain& domain) {
  domains_.erase(std::remove(domains_.begin(), domains_.end(), &domain), domains_.end());
}

Femtoseconds EdgeLoop::next() const {
  Femtoseconds first = kNever;
  for (const ClockDomain* domain : domains_) first = std::min(first, domain->due_);
  return first;
}

// The kernel's time may have stayed behind that of the last edge. The loop has one event, that of
// the first domain, of which the kernel keeps the earliest notification.
void EdgeLoop::notify(ClockDomain& domain, Femtoseconds time) {
  domain.edge_.notify(sc_core::sc_time::from_value(time - sc_core::sc_time_stamp().value()));
}

void EdgeLoop::tell_kernel(ClockDomain& domain) {
  notify(without_kernel_ ? *domains_.front() : domain, domain.due_);
}

void EdgeLoop::after_ticks(AfterTicks& call) {
  (call.looks() ? looks_ : changes_).push_back(&call);
}

void EdgeLoop::run() {
  {
    const Running running(running_);
    paused_ = false;
    for (Femtoseconds now = next(); now != kNever && !paused_; now = next()) {
      for (ClockDomain* domain : domains_)
        if (domain->due_ == now) domain->run_edge();
      if (!changes_.empty() || !looks_.empty()) call_back();
    }
  }
  for (auto* calls : {&changes_, &looks_})
    for (AfterTicks* call : std::exchange(*calls, {})) call->ask_kernel();
  if (const Femtoseconds time = next(); time != kNever) notify(*domains_.front(), time);
}

void EdgeLoop::call_back() {
  while (!paused_ && (!changes_.empty() || !looks_.empty()))
    for (AfterTicks* call : std::exchange(changes_.empty() ? looks_ : changes_, {})) call->run();
}

}  // namespace warpmem
