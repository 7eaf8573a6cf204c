// SPDX-License-Identifier: Apache-2.0
#include "program/address_space.hpp"

#include <iterator>

namespace warpmem::program {

Addr AddressSpace::place(std::uint64_t need, std::uint64_t alignment) {
  for (auto hole = holes_.begin(); hole != holes_.end(); ++hole) {
    const auto [first, length] = *hole;
    const Addr begin = (first + alignment - 1) / alignment * alignment;
    if (begin - first > length || length - (begin - first) < need) continue;
    holes_.erase(hole);
    if (begin != first) holes_.emplace(first, begin - first);
    const Addr end = begin + need;
    if (end != first + length) holes_.emplace(end, first + length - end);
    return begin;
  }
  const Addr begin = (next_ + alignment - 1) / alignment * alignment;
  if (begin > end_ || need > end_ - begin) return 0;
  if (begin != next_) holes_.emplace(next_, begin - next_);
  next_ = begin + need;
  return begin;
}

void AddressSpace::give_back(Addr begin, std::uint64_t length) {
  auto after = holes_.lower_bound(begin);
  if (after != holes_.end() && after->first == begin + length) {
    length += after->second;
    after = holes_.erase(after);
  }
  if (after != holes_.begin()) {
    const auto before = std::prev(after);
    if (before->first + before->second == begin) {
      begin = before->first;
      length += before->second;
      holes_.erase(before);
    }
  }
  if (begin + length == next_)
    next_ = begin;
  else
    holes_.emplace(begin, length);
}

}  // namespace warpmem::program
