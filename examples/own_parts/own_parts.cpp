// SPDX-License-Identifier: Apache-2.0
// A plugin with a part of every sort: most recently used replacement, a miss handler with half the
// entries that the configuration says, a front end that lets requests through in order, the
// youngest warp first, and FCFS for DRAM once more.
#include <algorithm>
#include <memory>
#include <vector>

#include "cache/frontend/fifo.hpp"
#include "cache/mha/conventional.hpp"
#include "dram/fcfs.hpp"
#include "gpu/parts.hpp"

namespace {

class MostRecentlyUsed : public warpmem::cache::Replacement {
 public:
  explicit MostRecentlyUsed(const warpmem::cache::CacheShape& shape)
      : ways_(shape.ways), used_(std::size_t(shape.sets) * shape.ways) {}
  void touched(warpmem::cache::LineId line) override { used_[line] = ++clock_; }
  void inserted(warpmem::cache::LineId line) override { used_[line] = ++clock_; }
  unsigned victim(std::uint32_t set, const warpmem::cache::WayMask& candidates) const override {
    unsigned newest = candidates.first();
    candidates.for_each([&](unsigned way) {
      if (used_[set * ways_ + way] > used_[set * ways_ + newest]) newest = way;
    });
    return newest;
  }

 private:
  std::uint32_t ways_;
  std::uint64_t clock_ = 0;
  std::vector<std::uint64_t> used_;
};

class YoungestFirst : public warpmem::sm::Scheduler {
 public:
  void started(unsigned slot) override { by_age_.push_back(slot); }
  void finished(unsigned slot) override {
    by_age_.erase(std::find(by_age_.begin(), by_age_.end(), slot));
  }
  unsigned pick(warpmem::sm::WarpMask ready) override {
    return *std::find_if(by_age_.rbegin(), by_age_.rend(),
                         [&](unsigned slot) { return ready >> slot & 1; });
  }
  void issued(unsigned, bool) override {}

 private:
  std::vector<unsigned> by_age_;
};

}  // namespace

WARPMEM_PLUGIN(parts) {
  using namespace warpmem;
  parts.replacements.add("mru", [](const cache::CacheShape& shape) {
    return std::make_unique<MostRecentlyUsed>(shape);
  });
  parts.miss_handlers.add("half", [](const mha::MhaParams& params, const cache::TagArray& tags,
                                     cache::Allocate allocate, const ClockDomain& clock) {
    mha::MhaParams half = params;
    half.entries = std::max(params.entries / 2, 1u);
    return std::make_unique<mha::Conventional>(half, tags, allocate, clock);
  });
  parts.frontends.add(
      "in_order", [](const cache::FrontendParams&, const cache::FrontendSite& site) {
        return std::make_unique<cache::Fifo>(site.in, site.line_bytes, site.arrival);
      });
  parts.schedulers.add("youngest", [](const sm::SmParams&, const sm::WarpObserver&) {
    return std::make_unique<YoungestFirst>();
  });
  parts.dram_schedulers.add("fcfs_again", [] { return std::make_unique<dram::Fcfs>(); });
}
