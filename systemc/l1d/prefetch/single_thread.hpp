// SPDX-License-Identifier: Apache-2.0
// Prefetching by the strides of a single thread (KI 4.2). PCST learns them within the block from
// one thread's loads, and every warp uses them. ITPC looks at PCST's table when the tracked block
// ends: for programs without loops it learns the stride from each PC that was executed once to the
// next such PC. STPE is both, with throttling when blocks end.
//
// Only the end of the tracked block leads to a scan: before that PCST's table is not complete, and
// a second scan of the same accesses would confirm strides that nothing has repeated.
#pragma once

#include "l1d/prefetch/stride_table.hpp"

namespace warpmem::l1d {

class SingleThread : public Prefetcher {
 public:
  /// An entry of the inter-PC stride table (KI Table 4.2b).
  struct InterPc {
    std::uint32_t key = 0;  ///< PC
    StridePattern pattern;
  };
  /// So many blocks may end with more useless than useful prefetches; the next one stops
  /// prefetching for the launch.
  static constexpr unsigned kClearsAllowed = 2;

  /// `params.kind` is pcst, itpc or stpe.
  explicit SingleThread(const PrefetchParams& params);

  void train(const Demand& demand) override;
  std::int64_t stride(const Demand& demand) override;
  void cta_finished(bool tracked, std::uint64_t useful, std::uint64_t useless) override;
  void begin_launch() override;
  std::uint64_t storage_bits() const override;
  void register_stats(StatGroup& group) override;

  const StrideTable& table() const { return table_; }
  const LruTable<InterPc>& inter_pc() const { return inter_pc_; }
  /// Returns whether throttling has stopped prefetching.
  bool stopped() const { return clears_ > kClearsAllowed; }

 private:
  void scan();
  void throttle(std::uint64_t useful, std::uint64_t useless);

  StrideTable table_;
  LruTable<InterPc> inter_pc_;
  bool across_pcs_;
  bool throttles_;
  unsigned stride_bits_;
  unsigned address_bits_;
  unsigned clears_ = 0;
  std::uint64_t scans_ = 0;
  std::uint64_t all_clears_ = 0;
  std::uint64_t stops_ = 0;
  std::uint64_t from_pcst_ = 0;
  std::uint64_t from_itpc_ = 0;
};

}  // namespace warpmem::l1d
