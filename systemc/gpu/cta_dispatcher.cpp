// SPDX-License-Identifier: Apache-2.0
#include "gpu/cta_dispatcher.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/assert.hpp"

namespace warpmem::gpu {

CtaDispatcher::CtaDispatcher(ClockDomain& domain, std::vector<sm::Sm*> sms, const Limits& limits,
                             std::function<void()> all_done)
    : Clocked(domain),
      sms_(std::move(sms)),
      limits_(limits),
      all_done_(std::move(all_done)),
      gpcs_(static_cast<unsigned>(sms_.size()), limits.gpc_sms) {
  for (sm::Sm* sm : sms_) sm->set_listener(this);
}

void CtaDispatcher::begin(const std::vector<program::Grid*>& grids) {
  assert(finished());
  kernels_.clear();
  completed_ = total_ = 0;
  for (const program::Grid* grid : grids) {
    if (sms_.front()->occupancy(grid->traits()) == 0)
      throw UserError(sms_.front()->why_too_large(grid->traits()));
    const sm::Resources need = sms_.front()->needs_of(grid->traits());
    check_clusters(grid->traits(), gpcs_, sms_.front()->resources(), need);
    Kernel kernel{need, program::Clusters(grid->traits())};
    kernel.total = grid->ctas();
    if (kernel.total % kernel.clusters.ctas_each() != 0)
      throw UserError(fmt::format(
          "kernel {}: {} thread blocks are no whole clusters of {}; allowed: a multiple of {}",
          grid->traits().name, kernel.total, kernel.clusters.ctas_each(),
          kernel.clusters.ctas_each()));
    kernels_.push_back(kernel);
    total_ += kernel.total;
  }
  for (sm::Sm* sm : sms_) sm->begin_launch(grids);
  running_ = true;
  left_.assign(sms_.size(), sms_.front()->resources());
  turn_ = gpc_turn_ = 0;
  kernels_running_ = begun_ = launched_ = 0;
  first_ = domain().next_cycle();
  begin_kernels(first_);
  wake_at(first_ + limits_.launch_latency);
}

void CtaDispatcher::begin_kernels(Cycle now) {
  for (; begun_ != kernels_.size() && kernels_running_ < limits_.concurrent_kernels; ++begun_) {
    kernels_[begun_].begin = now;
    ++kernels_running_;
    ++kernels_launched_;
  }
}

bool CtaDispatcher::launching() const {
  return running_ && begun_ != launched_ &&
         domain().now() < kernels_[launched_].begin + limits_.launch_latency;
}

void CtaDispatcher::cta_finished(SmId sm, unsigned cta_slot, unsigned kernel) {
  if (listener_) listener_(sm, cta_slot);
  const Cycle visible = domain().next_cycle();
  finishes_.push_back({visible, sm.value, kernel});
  wake_at(visible);
}

// Takes note of the CTAs that finished before this cycle.
void CtaDispatcher::collect(Cycle now) {
  for (std::size_t i = 0; i < finishes_.size();) {
    const Finish finish = finishes_[i];
    if (finish.visible > now) {
      ++i;
      continue;
    }
    Kernel& kernel = kernels_[finish.kernel];
    left_[finish.sm] += kernel.need;
    if (++kernel.completed == kernel.total) {
      kernel.end = finish.visible;
      --kernels_running_;
    }
    if (++completed_ == total_) cycles_ += finish.visible - first_;
    finishes_[i] = finishes_.back();
    finishes_.pop_back();
  }
}

void CtaDispatcher::note_launched(Cycle now) {
  for (; launched_ != begun_; ++launched_) {
    const Cycle since = now - kernels_[launched_].begin;
    if (since < limits_.launch_latency) break;
    launch_cycles_ += since;
  }
}

CtaDispatcher::Kernel* CtaDispatcher::oldest_with_ctas() {
  for (unsigned k = 0; k < launched_; ++k)
    if (kernels_[k].has_more()) return &kernels_[k];
  return nullptr;
}

bool CtaDispatcher::may_go_on(Cycle now, unsigned ctas) {
  const unsigned most = limits_.ctas_a_cycle;
  if (most == 0) return true;
  if (dispatch_cycle_ < now) {
    dispatch_cycle_ = now;
    dispatched_ = 0;
  }
  dispatched_ += ctas;
  dispatch_cycle_ += dispatched_ / most;
  dispatched_ %= most;
  return dispatch_cycle_ == now;
}

// Offers one CTA to each SM with room for it, round-robin; returns whether more could go in the
// next cycle.
bool CtaDispatcher::dispatch(Cycle now) {
  const unsigned count = static_cast<unsigned>(sms_.size());
  const unsigned first = turn_;
  Kernel* kernel = oldest_with_ctas();
  if (kernel == nullptr) return false;
  if (now < dispatch_cycle_) return true;  // a cluster still takes its cycles
  bool room = false;
  if (kernel->clusters.ctas_each() > 1) return dispatch_clusters(*kernel, now);
  for (unsigned i = 0; i < count && kernel != nullptr; ++i) {
    if (kernel->clusters.ctas_each() > 1) return true;  // from the next cycle on
    const unsigned s = (first + i) % count;
    if (!left_[s].fits(kernel->need)) continue;
    left_[s] -= kernel->need;
    room |= left_[s].fits(kernel->need);
    sms_[s]->start_cta(static_cast<unsigned>(kernel - kernels_.data()), kernel->next++);
    turn_ = (s + 1) % count;
    if (!kernel->has_more()) {
      kernel = oldest_with_ctas();
      room = true;  // perhaps for that one
    }
    if (!may_go_on(now, 1)) return kernel != nullptr;
  }
  return room && kernel != nullptr;
}

// Offers a cluster to each GPC with room for all of it, round-robin; returns whether more could go
// in the next cycle.
bool CtaDispatcher::dispatch_clusters(Kernel& kernel, Cycle now) {
  const unsigned count = gpcs_.gpcs(), first = gpc_turn_;
  const unsigned each = kernel.clusters.ctas_each();
  bool went = false;
  for (unsigned i = 0; i < count && kernel.has_more(); ++i) {
    const unsigned gpc = (first + i) % count;
    const auto turn = static_cast<unsigned>(kernel.next % gpcs_.sms(gpc));
    const auto places = place_cluster(left_, gpcs_, gpc, turn, kernel.need, each);
    if (!places) continue;
    went = true;
    for (unsigned rank = 0; rank < each; ++rank)
      sms_[gpcs_.first(gpc) + places->port[rank]]->start_cta(
          static_cast<unsigned>(&kernel - kernels_.data()),
          kernel.clusters.cta(kernel.next / each, rank), *places);
    kernel.next += each;
    gpc_turn_ = (gpc + 1) % count;
    if (!may_go_on(now, each)) return true;
  }
  return went;
}

Cycle CtaDispatcher::tick(Cycle now) {
  if (!running_) return kNever;
  collect(now);
  begin_kernels(now);
  note_launched(now);
  if (dispatch(now)) return std::max(now + 1, dispatch_cycle_);
  if (completed_ == total_) {
    all_done_();
    return now + 1;
  }
  return launched_ == begun_ ? kNever : kernels_[launched_].begin + limits_.launch_latency;
}

std::vector<CtaDispatcher::Run> CtaDispatcher::runs() const {
  std::vector<Run> runs;
  for (const Kernel& kernel : kernels_)
    runs.push_back({kernel.begin - first_, kernel.end - first_});
  return runs;
}

}  // namespace warpmem::gpu
