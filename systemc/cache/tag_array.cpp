// SPDX-License-Identifier: Apache-2.0
#include "cache/tag_array.hpp"

#include <algorithm>

#include "base/assert.hpp"

namespace warpmem::cache {

namespace {

/// From this number of ways on the host finds a line sooner in a table.
constexpr std::uint32_t kManyWays = 32;

constexpr bool power_of_two(std::uint32_t v) { return v != 0 && (v & (v - 1)) == 0; }

constexpr unsigned bits_for(std::uint32_t numbers) {
  unsigned bits = 0;
  while ((std::uint64_t{1} << bits) < numbers) ++bits;
  return bits;
}

}  // namespace

TagArray::TagArray(std::uint32_t sets, std::uint32_t ways, std::uint32_t line_bytes, IndexHash hash,
                   const ReplacementParams& replacement)
    : sets_(sets),
      power_of_two_(power_of_two(sets)),
      ways_(ways),
      used_ways_(ways),
      line_bytes_(line_bytes),
      line_bits_(static_cast<unsigned>(__builtin_ctz(line_bytes))),
      set_bits_(bits_for(sets)),
      hash_(hash),
      polynomial_(sets),
      replacement_(make_replacement(replacement, {sets, ways})),
      tags_(std::size_t(sets) * ways, kNoBlock),
      lines_(std::size_t(sets) * ways),
      invalid_(lines_.size(), true),
      evictable_(lines_.size(), false) {
  assert(sets >= 1 && power_of_two(line_bytes) && ways >= 1 && ways <= kMaxWays);
  if (ways >= kManyWays) line_of_block_.emplace();
}

std::uint32_t TagArray::set_of(Addr key) const {
  Addr index = key >> line_bits_;
  if (hash_ == IndexHash::xor5) {
    index ^= (index >> set_bits_) & 0x1f;
  } else if (hash_ == IndexHash::polynomial) {
    index = polynomial_(index);
  }
  if (power_of_two_) return static_cast<std::uint32_t>(index) & (sets_ - 1);
  return static_cast<std::uint32_t>(index % sets_);
}

LineId TagArray::search(Addr block, Addr key) const {
  static_assert(kNoLine == BlockMap::kAbsent);
  if (line_of_block_) return line_of_block_->find(block);
  const LineId first = set_of(key) * ways_;
  for (LineId line = first; line < first + used_ways_; ++line)
    if (tags_[line] == block) return line;
  return kNoLine;
}

LineId TagArray::choose(Addr key) const {
  const std::uint32_t set = set_of(key);
  const LineId first = set * ways_;
  WayMask candidates;
  for (unsigned way = 0; way < used_ways_; way += 64) {
    const unsigned count = std::min(used_ways_ - way, 64u);
    if (const std::uint64_t invalid = invalid_.from(first + way, count); invalid != 0)
      return first + way + static_cast<unsigned>(__builtin_ctzll(invalid));
    candidates.set_word(way / 64, evictable_.from(first + way, count));
  }
  return candidates.none() ? kNoLine : first + replacement_->victim(set, candidates);
}

void TagArray::reserve(LineId line, Addr block) {
  take(line, block);
  lines_[line] = {LineState::reserved, 1, 0, false};
  note_state(line);
}

void TagArray::install(LineId line, Addr block) {
  const bool reserved = lines_[line].state == LineState::reserved;
  if (!reserved) take(line, block);
  replacement_->filled(line);
  const unsigned others = reserved ? lines_[line].holds - 1u : 0;
  lines_[line] = {LineState::valid, static_cast<std::uint8_t>(others), 0, false};
  note_state(line);
}

void TagArray::take(LineId line, Addr block) {
  if (lines_[line].state == LineState::valid) replacement_->evicting(line);
  set_tag(line, block);
  replacement_->inserted(line);
}

void TagArray::set_tag(LineId line, Addr block) {
  if (line_of_block_) {
    if (tags_[line] != kNoBlock) line_of_block_->erase(tags_[line]);
    if (block != kNoBlock) line_of_block_->insert(block, line);
  }
  tags_[line] = block;
  found_ = {};
}

void TagArray::use_ways(std::uint32_t ways) {
  assert(ways >= 1 && ways <= ways_);
  assert(std::all_of(lines_.begin(), lines_.end(),
                     [](const Line& line) { return line.state == LineState::invalid; }));
  used_ways_ = ways;
  victim_ = {};
}

void TagArray::invalidate_all() {
  for (LineId line = 0; line < lines(); ++line)
    if (lines_[line].state != LineState::invalid) invalidate(line);
}

}  // namespace warpmem::cache
