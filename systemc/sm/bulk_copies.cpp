// SPDX-License-Identifier: Apache-2.0
// What an SM has to do with the copies of its bulk copy engine: who may issue, and who is told when
// one is complete.
#include <fmt/format.h>

#include "base/assert.hpp"
#include "sm/sm.hpp"

namespace warpmem::sm {

using program::Issue;

void Sm::issue_bulk(unsigned slot, const Issue& issue) {
  Warp& warp = warps_[slot];
  if (!bulk_)
    throw UserError(
        fmt::format("kernel {}: a bulk copy at pc 0x{:x} of line {}; this machine has "
                    "no engine for it (sm.bulk.enable)",
                    kernels_[ctas_[warp.cta_slot].kernel].grid->traits().name, issue.inst->pc,
                    issue.inst->line));
  Lsu::Origin origin = origin_of(slot, *issue.inst);
  const auto copies = static_cast<unsigned>(__builtin_popcount(issue.lanes));
  watchers_.tell(
      [&](SmWatch& watch) { watch.asked(*issue.inst, origin.actor.cta, issue.lanes, 0); });
  if (issue.inst->async == program::AsyncCopy::bulk && issue.inst->mem != program::MemOp::load) {
    for (unsigned i = 0; i < copies; ++i) {
      origin.copy_group = warp.bulk_stores.join();
      warp.bulk_reads.join();
    }
  }
  if (issue.space == program::Space::cluster) require_gpcs(slot, *issue.inst);
  warp.outstanding_memory += copies;
  warp.outstanding_bulk += copies;
  bulk_->accept(issue, origin, warp.cta->shared_memory(), ctas_[warp.cta_slot].team);
}

void Sm::bulk_read(const BulkEngine::Copy& copy) {
  warps_[copy.origin.slot].bulk_reads.arrived(copy.origin.copy_group);
  update_ready(copy.origin.slot);
}

void Sm::bulk_done(const BulkEngine::Copy& copy) {
  const unsigned slot = copy.origin.slot;
  Warp& warp = warps_[slot];
  if (BulkEngine::writes_global(copy)) warp.bulk_stores.arrived(copy.origin.copy_group);
  if (copy.kind == BulkEngine::Kind::load && copy.ranks == 0)
    phases_ended(warp.cta_slot, warp.cta->bulk_arrived(warp.in_cta, *copy.inst, copy.lane,
                                                       copy.mbarrier, copy.bytes));
  --warp.outstanding_memory;
  --warp.outstanding_bulk;
  update_ready(slot);
  retire_warp_if_done(slot);
}

// Sends the packets of a cycle, to other SMs and to L1D. Returns whether more could happen in the
// next cycle.
bool Sm::send(Cycle now) {
  if (!cluster_) return send_to_l1d(now);
  const bool blocks =
      bulk_ && bulk_->send_block(now, [this](const BulkEngine::Copy& copy) { bulk_done(copy); });
  const bool more = send_to_l1d(now);
  return cluster_->send() || blocks || more;
}

// Sends the requests of a cycle. The LSU and the engine take turns at the port: who could not send
// goes first the next time. Returns whether more could happen in the next cycle.
bool Sm::send_to_l1d(Cycle now) {
  if (!bulk_) return lsu_.send(now);
  const auto read = [this](const BulkEngine::Copy& copy) { bulk_read(copy); };
  const auto done = [this](const BulkEngine::Copy& copy) { bulk_done(copy); };
  bool more = false, sent = false;
  if (bulk_first_) {
    sent = bulk_->send(lsu_.port, now, read, done);
    more = lsu_.send(now);
  } else {
    more = lsu_.send(now);
    sent = bulk_->send(lsu_.port, now, read, done);
  }
  const std::uint64_t requests = lsu_.requests();
  const bool lsu_sent = requests != lsu_requests_;
  lsu_requests_ = requests;
  bulk_first_ = bulk_->wants_port() && !sent;
  return more || sent || (lsu_sent && bulk_first_);
}

void Sm::register_bulk_stats(StatGroup& g) {
  bulk_->register_stats(g);
  g.counter("stall.bulk", stats_.stall_bulk, "cycles",
            "active cycles without issue: the queue of the bulk copy engine is full");
  g.counter("mbarrier.phases", stats_.phases, "phases", "phases of mbarriers that have ended");
  g.counter("mbarrier.waits_failed", stats_.waits_failed, "instructions",
            "waits at mbarriers that were answered with false in some lane");
  g.counter("mbarrier.suspended", stats_.waits_suspended, "instructions",
            "waits at mbarriers that suspended their warp");
  g.counter("mbarrier.resumed", stats_.waits_resumed, "instructions",
            "suspended waits whose phase ended");
  g.counter("mbarrier.expired", stats_.waits_expired, "instructions",
            "suspended waits whose time was over");
  g.law("suspended waits end", [this] {
    return expect_equal("mbarrier.suspended", stats_.waits_suspended,
                        "mbarrier.resumed + mbarrier.expired",
                        stats_.waits_resumed + stats_.waits_expired);
  });
}

}  // namespace warpmem::sm
