// SPDX-License-Identifier: Apache-2.0
#include "program/launch_queue.hpp"

#include <algorithm>
#include <utility>

namespace warpmem::program {

unsigned LaunchQueue::level(const StreamId& stream) const {
  if (stream.handle == nullptr) {
    unsigned highest = default_level_;
    for (const auto& [handle, reached] : reached_)
      if (reached.blocking) highest = std::max(highest, reached.level);
    return highest;
  }
  const auto found = reached_.find(stream.handle);
  const unsigned own = found == reached_.end() ? 0 : found->second.level;
  return stream.blocking ? std::max(own, default_level_) : own;
}

void LaunchQueue::raise(const StreamId& stream, unsigned level) {
  unsigned& reached =
      stream.handle == nullptr
          ? default_level_
          : reached_.try_emplace(stream.handle, Reached{0, stream.blocking}).first->second.level;
  reached = std::max(reached, level);
}

void LaunchQueue::add(const StreamId& stream, std::unique_ptr<Grid> grid) {
  const unsigned before = level(stream);
  if (before == groups_.size()) groups_.emplace_back();
  groups_[before].push_back(std::move(grid));
  raise(stream, before + 1);
}

void LaunchQueue::wait(const StreamId& stream, unsigned level) { raise(stream, level); }

std::vector<LaunchQueue::Group> LaunchQueue::take() {
  reached_.clear();
  default_level_ = 0;
  return std::exchange(groups_, {});
}

}  // namespace warpmem::program
