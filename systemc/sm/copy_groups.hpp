// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies of one warp (cp.async, LDGSTS). They join the open group; closing it starts
// the next one; a wait holds the warp until at most n of the closed groups are outstanding. The
// groups complete in order, as the programming model has it: a group counts as outstanding while an
// older one is.
#pragma once

#include <array>
#include <cstdint>

#include "base/assert.hpp"
#include "program/program.hpp"

namespace warpmem::sm {

class CopyGroups {
 public:
  /// The most groups that can be outstanding, the open one included. Closing one more waits.
  static constexpr unsigned kGroups = 8;

  /// Returns whether the warp may issue `inst` as far as its copies are concerned.
  bool allows(const program::InstInfo& inst) const {
    if (inst.async == program::AsyncCopy::none) return true;
    if (inst.async == program::AsyncCopy::wait) return closed_ <= inst.async_groups;
    if (inst.async == program::AsyncCopy::wait_all) return closed_ == 0 && outstanding_[open_] == 0;
    return inst.async != program::AsyncCopy::close || can_close();
  }
  /// Takes note that `inst`, which is allowed, issues. `executes` tells whether it does so in some
  /// lane. Returns the open group, for arrived().
  std::uint8_t issue(const program::InstInfo& inst, bool executes) {
    const std::uint8_t group = open_;
    if (inst.async == program::AsyncCopy::none || !executes) return group;
    if (inst.async == program::AsyncCopy::copy) join();
    if (inst.async == program::AsyncCopy::close) close();
    return group;
  }

  /// One copy more belongs to the open group, which is returned.
  std::uint8_t join() {
    ++outstanding_[open_];
    return open_;
  }
  bool can_close() const { return closed_ + 1u < kGroups; }
  /// Precondition: can_close().
  void close() {
    open_ = static_cast<std::uint8_t>((open_ + 1) % kGroups);
    ++closed_;
    drop_complete();
  }
  /// Closed groups that are not complete.
  unsigned closed() const { return closed_; }
  /// A copy of `group` has its data.
  void arrived(std::uint8_t group) {
    assert(outstanding_[group] != 0);
    --outstanding_[group];
    drop_complete();
  }

 private:
  void drop_complete() {
    while (closed_ != 0 && outstanding_[(open_ + kGroups - closed_) % kGroups] == 0) --closed_;
  }

  std::array<std::uint16_t, kGroups> outstanding_{};
  std::uint8_t open_ = 0;
  std::uint8_t closed_ = 0;  // closed groups that are not complete
};

}  // namespace warpmem::sm
