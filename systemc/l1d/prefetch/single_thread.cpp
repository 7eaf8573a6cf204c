// SPDX-License-Identifier: Apache-2.0
#include "l1d/prefetch/single_thread.hpp"

namespace warpmem::l1d {

SingleThread::SingleThread(const PrefetchParams& params)
    : table_(params.entries, params.stride_bits),
      inter_pc_(params.inter_pc_entries),
      across_pcs_(params.kind != PrefetchKind::pcst),
      throttles_(params.kind == PrefetchKind::stpe),
      stride_bits_(params.stride_bits),
      address_bits_(params.address_bits) {}

void SingleThread::train(const Demand& demand) {
  if (demand.load && demand.thread_zero && !stopped()) table_.train(demand.pc, demand.address);
}

// ITPC is asked only when PCST predicts nothing (KI Fig 4.3b).
std::int64_t SingleThread::stride(const Demand& demand) {
  if (const std::int64_t stride = table_.prediction(demand.pc)) {
    ++from_pcst_;
    return stride;
  }
  const InterPc* const entry = across_pcs_ ? inter_pc_.use(demand.pc) : nullptr;
  const std::int64_t stride = entry == nullptr ? 0 : entry->pattern.prediction();
  from_itpc_ += stride != 0;
  return stride;
}

void SingleThread::cta_finished(bool tracked, std::uint64_t useful, std::uint64_t useless) {
  if (stopped()) return;
  if (tracked) {
    if (across_pcs_) scan();
    table_.next_block();
  }
  if (throttles_) throttle(useful, useless);
}

// Learns the strides from each PC with one access to the next such PC (KI Table 4.2c, Fig 4.3c).
void SingleThread::scan() {
  ++scans_;
  const StrideTable::Entry* from = nullptr;
  for (std::size_t i = 0; i < table_.size(); ++i) {
    const StrideTable::Entry& to = table_.at(i);
    if (to.accesses != 1) continue;
    if (from != nullptr) {
      const std::int64_t stride = stride_between(from->address, to.address, stride_bits_);
      if (InterPc* const known = inter_pc_.use(from->key)) {
        known->pattern.observe(stride);
      } else {
        inter_pc_.insert({from->key, {stride, StrideState::init}});
      }
    }
    from = &to;
  }
}

// Empties both tables after a block with more useless than useful prefetches (KI 4.2.3, Fig 4.3a).
void SingleThread::throttle(std::uint64_t useful, std::uint64_t useless) {
  if (useful >= useless) return;
  table_.clear();
  inter_pc_.clear();
  ++clears_;
  ++all_clears_;
  if (stopped()) ++stops_;
}

void SingleThread::begin_launch() {
  table_.clear();
  inter_pc_.clear();
  clears_ = 0;
}

std::uint64_t SingleThread::storage_bits() const {
  std::uint64_t bits = table_.bits(address_bits_, across_pcs_);
  if (across_pcs_) bits += inter_pc_.bits(kPcBits + stride_bits_ + 2);
  if (throttles_) bits += 2;  // a count of the clears, 0..3
  return bits;
}

void SingleThread::register_stats(StatGroup& g) {
  g.counter("prefetch.table.replaced", table_.replaced(), "entries",
            "entries of the stride table that gave way to another PC");
  g.counter("prefetch.predictions.pcst", from_pcst_, "requests",
            "loads whose stride the single-thread table predicted");
  if (across_pcs_) {
    g.counter("prefetch.predictions.itpc", from_itpc_, "requests",
              "loads whose stride to the next PC the inter-PC table predicted");
    g.counter("prefetch.scans", scans_, "blocks",
              "times that the tracked block ended and its accesses were scanned");
  }
  if (throttles_) {
    g.counter("prefetch.clears", all_clears_, "times",
              "times that a block ended with more useless than useful prefetches, which empties "
              "the tables");
    g.counter("prefetch.stops", stops_, "SM-launches",
              "times that an SM stopped prefetching for the launch");
  }
}

}  // namespace warpmem::l1d
