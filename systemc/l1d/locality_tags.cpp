// SPDX-License-Identifier: Apache-2.0
#include "l1d/locality_tags.hpp"

#include <algorithm>
#include <numeric>

#include "base/assert.hpp"

namespace warpmem::l1d {

LocalityTags::LocalityTags(std::uint32_t lines, std::uint32_t entries, unsigned warps,
                           unsigned victim_tags)
    : line_warp_(lines, 0),
      entries_(entries),
      entries_of_warp_(warps, 0),
      victim_tags_(victim_tags),
      victims_(std::size_t(warps) * victim_tags, ~Addr(0)),
      next_victim_(warps, 0),
      evicted_(std::size_t(1) << kEvictedBits) {
  for (unsigned e = 0; e < entries; ++e) entries_[e].next_free = e + 1;
}

LocalityEvent LocalityTags::event(Locality kind, const Access& access) {
  ++classes_[static_cast<std::size_t>(kind)];
  LocalityEvent event;
  event.kind = kind;
  event.warp = static_cast<std::uint8_t>(access.warp);
  event.loading_warps = static_cast<std::uint8_t>(loading_warps_);
  return event;
}

LocalityEvent LocalityTags::hit(cache::LineId line, const Access& access) {
  return event(line_warp_[line] == access.warp ? Locality::intra : Locality::inter, access);
}

LocalityEvent LocalityTags::secondary_miss(Addr unit, const Access& access) {
  const std::uint32_t entry = pending_.find(unit);
  assert(entry != cache::BlockMap::kAbsent);
  return event(entries_[entry].warp == access.warp ? Locality::intra_m : Locality::inter_m, access);
}

void LocalityTags::open(Addr unit, std::uint8_t warp, bool prefetch) {
  const unsigned entry = free_entry_;
  free_entry_ = entries_[entry].next_free;
  entries_[entry].warp = warp;
  entries_[entry].prefetch = prefetch;
  pending_.insert(unit, entry);
}

void LocalityTags::prefetch(Addr unit, const Access& cause) {
  open(unit, static_cast<std::uint8_t>(cause.warp), true);
}

void LocalityTags::look_up(Addr block, const Access& access) {
  found_ = contention(block, access);
  found_victim_tag_ = take_victim_tag(static_cast<std::uint8_t>(access.warp), block);
}

LocalityEvent LocalityTags::primary_miss(Addr unit, const Access& access, bool mshr_full) {
  open(unit, static_cast<std::uint8_t>(access.warp), false);
  if (entries_of_warp_[access.warp]++ == 0) ++loading_warps_;
  ++contention_[static_cast<std::size_t>(found_)];

  LocalityEvent miss = event(Locality::miss, access);
  miss.mshr_full = mshr_full;
  miss.lost = found_victim_tag_;
  if (miss.lost) ++lost_;
  return miss;
}

void LocalityTags::installed(cache::LineId line, Addr unit) {
  line_warp_[line] = entries_[pending_.find(unit)].warp;
}

void LocalityTags::completed(Addr unit) {
  const std::uint32_t entry = pending_.find(unit);
  assert(entry != cache::BlockMap::kAbsent);
  if (!entries_[entry].prefetch && --entries_of_warp_[entries_[entry].warp] == 0) --loading_warps_;
  entries_[entry].next_free = free_entry_;
  free_entry_ = entry;
  pending_.erase(unit);
}

void LocalityTags::evicted(cache::LineId line, Addr block, const Access& evictor) {
  evictor_of(block) = {block, evictor.cta, evictor.warp};
  if (victim_tags_ == 0) return;
  const std::uint8_t owner = line_warp_[line];
  unsigned& next = next_victim_[owner];
  victims_[std::size_t(owner) * victim_tags_ + next] = block;
  next = next + 1 == victim_tags_ ? 0 : next + 1;
}

LocalityTags::Contention LocalityTags::contention(Addr block, const Access& access) const {
  const Victim& victim = const_cast<LocalityTags*>(this)->evictor_of(block);
  if (victim.block != block) return Contention::none;
  if (victim.cta != access.cta) return Contention::cross_block;
  return victim.warp == access.warp ? Contention::intra_warp : Contention::cross_warp;
}

bool LocalityTags::take_victim_tag(std::uint8_t warp, Addr block) {
  const auto first = victims_.begin() + std::ptrdiff_t(warp) * victim_tags_;
  const auto found = std::find(first, first + victim_tags_, block);
  if (found == first + victim_tags_) return false;
  *found = ~Addr(0);
  return true;
}

void LocalityTags::forget() {
  std::fill(victims_.begin(), victims_.end(), ~Addr(0));
  std::fill(evicted_.begin(), evicted_.end(), Victim{});
}

std::uint64_t LocalityTags::accesses() const {
  return std::accumulate(classes_.begin(), classes_.end(), std::uint64_t(0));
}

void LocalityTags::register_stats(StatGroup& g) {
  static constexpr std::array<std::array<const char*, 2>, kLocalities> kClasses = {{
      {"class.miss", "primary misses"},
      {"class.intra", "hits on lines that the same warp brought"},
      {"class.inter", "hits on lines that another warp brought"},
      {"class.intra_m", "secondary misses on outstanding misses of the same warp"},
      {"class.inter_m", "secondary misses on outstanding misses of another warp"},
  }};
  for (std::size_t i = 0; i < kLocalities; ++i)
    g.counter(kClasses[i][0], classes_[i], "requests", kClasses[i][1]);
  const auto contention = [&](const char* name, Contention kind, const char* doc) {
    g.counter(name, contention_[static_cast<std::size_t>(kind)], "requests", doc);
  };
  contention("contention.none", Contention::none,
             "primary misses on blocks that no miss had evicted lately");
  contention("contention.intra_warp", Contention::intra_warp,
             "primary misses on blocks that the same warp had evicted");
  contention("contention.cross_warp", Contention::cross_warp,
             "primary misses on blocks that another warp of the thread block had evicted");
  contention("contention.cross_block", Contention::cross_block,
             "primary misses on blocks that another thread block had evicted");
  g.counter("lost_locality", lost_, "requests",
            "primary misses on blocks among the victim tags of their warp (with ccws)");
}

}  // namespace warpmem::l1d
