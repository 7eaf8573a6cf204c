// SPDX-License-Identifier: Apache-2.0
// CAP, the capacity-aware prefetcher (GU 4.3.1). It brings the aligned block around the fault whose
// size follows from the free memory and from the allocation's share of all that was requested (Eq
// 4.1). Presence is looked up once for each 64 KiB, at its first page (GU 4.3.1.3).
#pragma once

#include "base/errors.hpp"
#include "base/params.hpp"
#include "uvm/block.hpp"
#include "uvm/policy.hpp"

namespace warpmem::uvm {

/// Keys of the group uvm.cap.
struct CapParams {
  double factor = 1.1;                             ///< c of Eq 4.1
  std::uint64_t min_bytes = 64 << 10;              ///< smallest granularity
  std::uint64_t max_bytes = 1 << 20;               ///< largest granularity
  std::uint64_t oversubscribed_bytes = 512 << 10;  ///< granularity while memory is oversubscribed

  void describe(Schema& schema);
  void validate(Problems& problems, const char* group) const;
};

class CapPrefetcher : public Prefetcher {
 public:
  struct Stats {
    std::uint64_t faults = 0;
    std::uint64_t oversubscribed_faults = 0;  ///< faults with the fixed size
    std::uint64_t presence_checks = 0;        ///< look-ups, of 64 KiB each
    Histogram granularity{{64 << 10, 128 << 10, 256 << 10, 512 << 10, 1 << 20}};
  };

  /// `memory` must outlive the prefetcher.
  CapPrefetcher(const Residency& memory, unsigned page_shift, const CapParams& params)
      : memory_(memory), page_shift_(page_shift), params_(params) {}

  /// Returns the bytes to bring for a fault in the allocation, as memory is now.
  std::uint64_t granularity(const Allocation& allocation) const;
  void on_fault(const Allocation& allocation, PageNumber page,
                std::vector<PageNumber>& pages) override;
  void register_stats(StatGroup& group) override;
  const Stats& stats() const { return stats_; }

 private:
  std::uint64_t candidate(double bytes) const;

  const Residency& memory_;
  unsigned page_shift_;
  CapParams params_;
  Stats stats_;
};

}  // namespace warpmem::uvm
