// SPDX-License-Identifier: Apache-2.0
// Many-thread aware prefetching (LLK10: Lee et al., MICRO 2010) without its throttling; KI 4.4.2
// and 4.4.4 compare with it. It has three tables, which are asked in this order; the first one that
// predicts wins:
//
//   global        PC -> stride: one that `promotion` warps share, promoted from the per-warp table
//   inter-thread  PC -> stride from one warp to the next: the same between three accesses
//   per-warp      (PC, warp) -> stride: seen twice in a row
//
// A PC with a global stride does not train the other tables any more.
#pragma once

#include "l1d/prefetch/lru_table.hpp"
#include "l1d/prefetch/prefetcher.hpp"

namespace warpmem::l1d {

class MtHwp : public Prefetcher {
 public:
  explicit MtHwp(const PrefetchParams& params);

  void train(const Demand& demand) override;
  std::int64_t stride(const Demand& demand) override;
  void begin_launch() override;
  std::uint64_t storage_bits() const override;
  void register_stats(StatGroup& group) override;

 private:
  static constexpr unsigned kWarpBits = 8;

  struct PerWarp {
    std::uint64_t key = 0;  // PC and warp in one number
    bool trained = false;
    Addr last = 0;
    std::int64_t stride = 0;
  };
  struct Global {
    std::uint32_t key = 0;
    std::int64_t stride = 0;
  };
  /// The last two accesses, which different warps made.
  struct InterWarp {
    std::uint32_t key = 0;
    bool trained = false;
    std::int64_t stride = 0;
    std::uint16_t warp[2] = {};
    Addr last[2] = {};
    unsigned seen = 1;
  };
  static std::uint64_t key_of(std::uint32_t pc, std::uint16_t warp) {
    return std::uint64_t(pc) << 16 | warp;
  }
  std::int64_t between_warps(std::uint16_t from, Addr at, std::uint16_t to, Addr then) const;
  void train_warp(const Demand& demand);
  void train_between(const Demand& demand);
  void promote(std::uint32_t pc, std::int64_t stride);

  PrefetchParams params_;
  LruTable<PerWarp> per_warp_;
  LruTable<Global> global_;
  LruTable<InterWarp> inter_warp_;
  std::uint64_t promotions_ = 0;
  std::uint64_t from_global_ = 0;
  std::uint64_t from_inter_warp_ = 0;
  std::uint64_t from_per_warp_ = 0;
};

}  // namespace warpmem::l1d
