// SPDX-License-Identifier: Apache-2.0
#include "l1d/prefetch/prefetch_unit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/assert.hpp"

namespace warpmem::l1d {

PrefetchUnit::PrefetchUnit(const PrefetchParams& params, const cache::TagArray& tags, Range range)
    : params_(params),
      tags_(tags),
      range_(range),
      prefetcher_(make_prefetcher(params)),
      wanted_(params.queue),
      unused_(tags.lines(), false),
      victims_(std::size_t(1) << kVictimBits, kNoBlock) {}

// Training comes first, since the entry predicts from the present access on (KI Fig 4.2).
void PrefetchUnit::accepted(const Payload& payload, bool looked_up) {
  const Demand demand = demand_of(payload);
  prefetcher_->train(demand);
  if (!looked_up) return;
  const std::int64_t stride = prefetcher_->stride(demand);
  if (stride == 0) return;
  for (unsigned i = 0; i < params_.degree; ++i) {
    const std::int64_t ahead = stride * std::int64_t(params_.distance + i);
    want(demand.address + static_cast<Addr>(ahead), payload);
  }
}

void PrefetchUnit::want(Addr address, const Payload& cause) {
  const Addr block = tags_.block_of(address);
  ++all_wanted_;
  if (block == tags_.block_of(cause.get_address())) return count_drop(PrefetchDrop::same_line);
  if (range_.holds(cause.get_address()) && !range_.holds(block))
    return count_drop(PrefetchDrop::out_of_range);
  for (std::size_t i = 0; i < wanted_.size(); ++i)
    if (wanted_.at(i).block == block) return count_drop(PrefetchDrop::queued);
  if (wanted_.full()) return count_drop(PrefetchDrop::queue_full);
  wanted_.push({block, access_of(cause)});
}

void PrefetchUnit::arrived(cache::LineId line) {
  assert(!unused_[line]);
  unused_[line] = true;
  ++unused_lines_;
  --outstanding_;
}

void PrefetchUnit::gone(cache::LineId line, Addr block, bool evicted) {
  if (!unused_[line]) return;
  unused_[line] = false;
  --unused_lines_;
  ++useless_;
  if (evicted) victim_of(block) = block;
}

// Late prefetches count as good, since they were asked for (the accuracy of KI 4.2.3).
void PrefetchUnit::cta_finished(bool tracked) {
  const std::uint64_t good = useful_ + late_;
  prefetcher_->cta_finished(tracked, good - good_before_, useless_ - useless_before_);
  good_before_ = good;
  useless_before_ = useless_;
}

void PrefetchUnit::end_launch() {
  assert(wanted_.empty() && outstanding_ == 0);
  useless_ += unused_lines_;
  unused_lines_ = 0;
  std::fill(unused_.begin(), unused_.end(), false);
  std::fill(victims_.begin(), victims_.end(), kNoBlock);
}

void PrefetchUnit::begin_launch() {
  end_launch();
  prefetcher_->begin_launch();
  good_before_ = useful_ + late_;
  useless_before_ = useless_;
}

std::string PrefetchUnit::describe() const {
  return fmt::format("prefetch: {}/{} wait, {} outstanding, {} lines unused", wanted_.size(),
                     wanted_.capacity(), outstanding_, unused_lines_);
}

void PrefetchUnit::register_stats(StatGroup& g) {
  struct Reason {
    const char* name;
    const char* doc;
  };
  static constexpr std::array<Reason, static_cast<std::size_t>(PrefetchDrop::count)> kReasons = {{
      {"same_line", "in the line of the request that caused them"},
      {"queued", "already in the queue"},
      {"queue_full", "the queue was full"},
      {"out_of_range", "outside device memory"},
      {"present", "the line was in the cache"},
      {"outstanding", "merged with an outstanding miss"},
      {"mshr_full", "no MSHR entry but the spared ones"},
      {"no_line", "every line of the set was reserved"},
      {"miss_queue_full", "no room towards the crossbar"},
  }};
  g.counter("prefetch.wanted", all_wanted_, "requests", "prefetches that the prefetcher asked for");
  g.counter("prefetch.issued", issued_, "requests", "prefetches that were sent to L2");
  for (std::size_t i = 0; i < kReasons.size(); ++i)
    g.counter(std::string("prefetch.dropped.") + kReasons[i].name, dropped_[i], "requests",
              std::string("prefetches that were not made: ") + kReasons[i].doc);
  g.counter("prefetch.useful", useful_, "lines", "prefetched lines that a demand access hit");
  g.counter("prefetch.late", late_, "lines", "prefetches that a demand miss found outstanding");
  g.counter(
      "prefetch.useless", useless_, "lines",
      "prefetched lines that left, or were left at the end of a launch, without a demand access");
  g.counter("prefetch.dropped_fills", dropped_fills_, "lines",
            "useless prefetches whose line was not kept: written meanwhile, or no line to replace");
  g.counter("prefetch.early_evicted", early_evicted_, "lines",
            "useless prefetches whose evicted line a demand access missed afterwards");
  g.ratio("prefetch.accuracy", useful_, issued_, "useful / issued");
  g.peak("prefetch.storage_bits", storage_bits_, "bits",
         "storage of one SM's prefetcher: tables, queue, and a bit for each line");
  g.before_snapshot([this] {
    storage_bits_ = prefetcher_->storage_bits() +
                    params_.queue * std::uint64_t(params_.address_bits) + tags_.lines();
  });
  prefetcher_->register_stats(g);

  g.law("prefetches by outcome of the request", [this] {
    std::uint64_t dropped = 0;
    for (const std::uint64_t n : dropped_) dropped += n;
    return expect_equal("prefetch.wanted", all_wanted_, "issued + dropped", issued_ + dropped);
  });
  g.law("prefetches by use", [this] {
    return expect_equal("prefetch.issued", issued_, "useful + late + useless + unused lines",
                        useful_ + late_ + useless_ + unused_lines_ + outstanding_);
  });
  g.law("early-evicted prefetches are useless", [this] {
    return early_evicted_ <= useless_
               ? std::string()
               : fmt::format("early_evicted {} > useless {}", early_evicted_, useless_);
  });
}

}  // namespace warpmem::l1d
