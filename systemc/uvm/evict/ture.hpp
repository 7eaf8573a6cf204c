// SPDX-License-Identifier: Apache-2.0
// TURE, the eviction that reflects true usage (GU 4.3.2). A page gets its allocation's lease, the
// number of uses that it is expected to see (LeaseSampler). Each use takes one off. A page whose
// lease has expired goes to the coalescing table and leaves from there:
//
//   table full     the expired pages of the entry updated least recently leave, although nobody
//                  asks for room
//   memory short   four blocks leave at a time, whole, expired or not: those of the table, the one
//                  updated least recently first, then the least recently used of all
//   recall         a page in the table is used: its entry ends, and the entry's pages get half of
//                  the lease, rounded down, at least 1
//
// A page that came before its allocation's lease was known gets it at its first use after that.
#pragma once

#include "uvm/block_lru.hpp"
#include "uvm/evict/coalescing_table.hpp"
#include "uvm/evict/lease_sampler.hpp"
#include "uvm/evict/ture_params.hpp"
#include "uvm/policy.hpp"

namespace warpmem::uvm {

class TureEvictor : public Evictor {
 public:
  struct Stats {
    std::uint64_t arrived = 0;
    std::uint64_t expired = 0;    ///< pages whose lease expired
    std::uint64_t coalesced = 0;  ///< expired pages that joined an entry
    std::uint64_t recalls = 0;    ///< entries that were recalled
    std::uint64_t recalled_pages = 0;
    std::uint64_t postponed = 0;        ///< last uses that found the table full; the next one tries
    std::uint64_t full = 0;             ///< times that the table became full
    std::uint64_t full_pages = 0;       ///< pages that left because the table was full
    std::uint64_t short_blocks = 0;     ///< blocks of the table that left because memory was short
    std::uint64_t lru_blocks = 0;       ///< other blocks that left because memory was short
    std::uint64_t short_pages = 0;      ///< pages that left with these blocks
    std::uint64_t unexpired_pages = 0;  ///< such pages whose lease had not expired
    std::uint64_t left = 0;             ///< pages that left for another reason
    std::uint64_t resident = 0;
    std::uint64_t table_peak = 0;
  };

  /// `memory` must outlive the evictor.
  TureEvictor(const Residency& memory, unsigned page_shift, const TureParams& params);

  void allocated(const Allocation& allocation) override;
  void freed(const Allocation& allocation) override;
  void arrived(const Allocation& allocation, PageNumber page, Cycle now) override;
  void touched(const Allocation& allocation, PageNumber page, Cycle now) override;
  void left(const Allocation& allocation, PageNumber page) override;
  void choose(std::uint64_t pages, Cycle now, std::vector<PageNumber>& victims) override;
  bool has_expired() const override { return table_.full(); }
  void choose_expired(Cycle now, std::vector<PageNumber>& victims) override;
  void begin_launch() override { stats_.table_peak = table_.used(); }

  void register_stats(StatGroup& group) override;
  std::string storage() const override;

  const Stats& stats() const { return stats_; }
  const LeaseSampler& sampler() const { return sampler_; }
  const CoalescingTable& table() const { return table_; }
  /// Number of uses left to a resident page; 0: expired; lease_bits ones: it has no lease yet.
  std::uint32_t remaining(const Allocation& allocation, PageNumber page) const {
    return leases_[allocation.index][page - allocation.first];
  }

 private:
  static constexpr std::uint32_t kAbsent = ~0u;

  std::uint32_t& lease(const Allocation& allocation, PageNumber page) {
    return leases_[allocation.index][page - allocation.first];
  }
  bool may_leave(const Allocation& allocation, PageNumber page) const {
    return remaining(allocation, page) != kAbsent && memory_.evictable(page);
  }
  void expire(const Allocation& allocation, PageNumber page);
  void recall(const Allocation& allocation, PageNumber page);
  void remove(const Allocation& allocation, PageNumber page);
  bool evict_block(const Allocation& allocation, PageSpan span, std::vector<PageNumber>& victims);
  bool evict_from_table(std::vector<PageNumber>& victims);
  bool evict_from_list(std::vector<PageNumber>& victims);

  const Residency& memory_;
  unsigned page_shift_;
  unsigned shift_;  // binary logarithm of the pages of a block
  TureParams params_;
  std::uint32_t no_lease_;
  LeaseSampler sampler_;
  CoalescingTable table_;
  BlockLru lru_;
  std::vector<std::vector<std::uint32_t>> leases_;  // leases, by allocation and page
  Stats stats_;
};

}  // namespace warpmem::uvm
