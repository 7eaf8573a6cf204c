// SPDX-License-Identifier: Apache-2.0
#include "cache/tag_array.hpp"

#include "base/assert.hpp"

namespace warpmem::cache {

namespace {

constexpr bool power_of_two(std::uint32_t v) { return v != 0 && (v & (v - 1)) == 0; }

}  // namespace

TagArray::TagArray(std::uint32_t sets, std::uint32_t ways, std::uint32_t line_bytes, IndexHash hash,
                   const ReplacementParams& replacement)
    : sets_(sets),
      ways_(ways),
      line_bytes_(line_bytes),
      line_bits_(static_cast<unsigned>(__builtin_ctz(line_bytes))),
      set_bits_(static_cast<unsigned>(__builtin_ctz(sets))),
      hash_(hash),
      replacement_(make_replacement(replacement, {sets, ways})),
      tags_(std::size_t(sets) * ways, kNoBlock),
      lines_(std::size_t(sets) * ways) {
  assert(power_of_two(sets) && power_of_two(line_bytes) && ways >= 1 && ways <= 64);
}

std::uint32_t TagArray::set_of(Addr key) const {
  const Addr index = key >> line_bits_;
  Addr set = index;
  if (hash_ == IndexHash::xor5) set ^= (index >> set_bits_) & 0x1f;
  return static_cast<std::uint32_t>(set) & (sets_ - 1);
}

LineId TagArray::find(Addr block, Addr key) const {
  const LineId first = set_of(key) * ways_;
  for (LineId line = first; line < first + ways_; ++line)
    if (tags_[line] == block) return line;
  return kNoLine;
}

LineId TagArray::victim(Addr key) const {
  const std::uint32_t set = set_of(key);
  const LineId first = set * ways_;
  WayMask candidates = 0;
  for (unsigned way = 0; way < ways_; ++way) {
    const LineState state = lines_[first + way].state;
    if (state == LineState::invalid) return first + way;
    if (state == LineState::valid) candidates |= WayMask{1} << way;
  }
  return candidates == 0 ? kNoLine : first + replacement_->victim(set, candidates);
}

void TagArray::reserve(LineId line, Addr block) {
  take(line, block);
  lines_[line] = {LineState::reserved, false, false};
}

void TagArray::install(LineId line, Addr block) {
  if (lines_[line].state != LineState::reserved) take(line, block);
  replacement_->filled(line);
  lines_[line] = {LineState::valid, false, false};
}

void TagArray::take(LineId line, Addr block) {
  if (lines_[line].state == LineState::valid) replacement_->evicting(line);
  tags_[line] = block;
  replacement_->inserted(line);
}

void TagArray::invalidate_all() {
  for (LineId line = 0; line < lines(); ++line) invalidate(line);
}

}  // namespace warpmem::cache
