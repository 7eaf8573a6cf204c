// SPDX-License-Identifier: Apache-2.0
// Conventional stride prefetching by PC (CB95; KI 4.1.1): every memory instruction of every warp
// trains one table, so warps that take turns disturb each other (KI 4.1.2). Stores train it but
// prefetch nothing, since L1D does not allocate for them.
#pragma once

#include "l1d/prefetch/stride_table.hpp"

namespace warpmem::l1d {

class PcStride : public Prefetcher {
 public:
  explicit PcStride(const PrefetchParams& params)
      : table_(params.entries, params.stride_bits), address_bits_(params.address_bits) {}

  void train(const Demand& demand) override {
    if (demand.first_request) table_.train(demand.pc, demand.address);
  }
  std::int64_t stride(const Demand& demand) override { return table_.prediction(demand.pc); }
  void begin_launch() override { table_.clear(); }
  std::uint64_t storage_bits() const override { return table_.bits(address_bits_, false); }
  void register_stats(StatGroup& group) override {
    group.counter("prefetch.table.replaced", table_.replaced(), "entries",
                  "entries of the stride table that gave way to another PC");
  }
  const StrideTable& table() const { return table_; }

 private:
  StrideTable table_;
  unsigned address_bits_;
};

}  // namespace warpmem::l1d
