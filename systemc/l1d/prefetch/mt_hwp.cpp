// SPDX-License-Identifier: Apache-2.0
#include "l1d/prefetch/mt_hwp.hpp"

namespace warpmem::l1d {

MtHwp::MtHwp(const PrefetchParams& params)
    : params_(params),
      per_warp_(params.warp_entries),
      global_(params.global_entries),
      inter_warp_(params.inter_warp_entries) {}

void MtHwp::train(const Demand& demand) {
  if (!demand.load || !demand.first_request || global_.find(demand.pc) != nullptr) return;
  train_warp(demand);
  train_between(demand);
}

void MtHwp::train_warp(const Demand& demand) {
  const std::uint64_t key = key_of(demand.pc, demand.warp);
  PerWarp* const entry = per_warp_.use(key);
  if (entry == nullptr) {
    per_warp_.insert({key, false, demand.address, 0});
    return;
  }
  const std::int64_t stride = stride_between(entry->last, demand.address, params_.stride_bits);
  entry->trained = stride == entry->stride && stride != 0;
  entry->stride = stride;
  entry->last = demand.address;
  if (entry->trained) promote(demand.pc, stride);
}

// A stride that enough warps have learned for a PC moves to the global table.
void MtHwp::promote(std::uint32_t pc, std::int64_t stride) {
  unsigned warps = 0;
  for (std::size_t i = 0; i < per_warp_.size(); ++i) {
    const PerWarp& e = per_warp_.at(i);
    warps += e.trained && e.stride == stride && e.key >> 16 == pc;
  }
  if (warps < params_.promotion) return;
  global_.insert({pc, stride});
  ++promotions_;
}

// Returns the distance in bytes for each warp, or 0 if it does not divide.
std::int64_t MtHwp::between_warps(std::uint16_t from, Addr at, std::uint16_t to, Addr then) const {
  const std::int64_t warps = std::int64_t(to) - from;
  const std::int64_t bytes = stride_between(at, then, params_.stride_bits);
  return warps != 0 && bytes % warps == 0 ? bytes / warps : 0;
}

void MtHwp::train_between(const Demand& demand) {
  InterWarp* const e = inter_warp_.use(demand.pc);
  if (e == nullptr) {
    InterWarp fresh;
    fresh.key = demand.pc;
    fresh.warp[0] = demand.warp;
    fresh.last[0] = demand.address;
    inter_warp_.insert(fresh);
    return;
  }
  if (e->warp[0] == demand.warp) {
    // The same warp comes again, so the accesses before this one are of another iteration.
    e->last[0] = demand.address;
    e->seen = 1;
    return;
  }
  const std::int64_t stride = between_warps(e->warp[0], e->last[0], demand.warp, demand.address);
  if (e->seen == 2) {
    e->trained =
        stride != 0 && stride == between_warps(e->warp[1], e->last[1], e->warp[0], e->last[0]);
    e->stride = stride;
  }
  e->warp[1] = e->warp[0];
  e->last[1] = e->last[0];
  e->warp[0] = demand.warp;
  e->last[0] = demand.address;
  e->seen = 2;
}

std::int64_t MtHwp::stride(const Demand& demand) {
  if (const Global* const g = global_.use(demand.pc)) {
    ++from_global_;
    return g->stride;
  }
  if (const InterWarp* const i = inter_warp_.find(demand.pc); i != nullptr && i->trained) {
    ++from_inter_warp_;
    return i->stride;
  }
  const PerWarp* const w = per_warp_.find(key_of(demand.pc, demand.warp));
  if (w == nullptr || !w->trained) return 0;
  ++from_per_warp_;
  return w->stride;
}

void MtHwp::begin_launch() {
  per_warp_.clear();
  global_.clear();
  inter_warp_.clear();
}

// Counts the fields of LLK10, which counts neither valid bits nor the order of uses: 93, 52 and 133
// bits an entry with addresses of 32 bits and strides of 20 bits.
std::uint64_t MtHwp::storage_bits() const {
  const std::uint64_t a = params_.address_bits;
  const std::uint64_t s = params_.stride_bits;
  return per_warp_.bits(kPcBits + kWarpBits + 1 + a + s) + global_.bits(kPcBits + s) +
         inter_warp_.bits(kPcBits + s + 1 + 2 * (kWarpBits + a));
}

void MtHwp::register_stats(StatGroup& g) {
  g.counter("prefetch.promotions", promotions_, "strides",
            "strides that moved to the global table");
  g.counter("prefetch.predictions.global", from_global_, "requests",
            "loads whose stride the global table predicted");
  g.counter("prefetch.predictions.inter_thread", from_inter_warp_, "requests",
            "loads whose stride to the next warp the inter-thread table predicted");
  g.counter("prefetch.predictions.per_warp", from_per_warp_, "requests",
            "loads whose stride the per-warp table predicted");
  g.counter("prefetch.table.replaced", per_warp_.replaced(), "entries",
            "entries of the per-warp table that gave way to another PC or warp");
}

}  // namespace warpmem::l1d
