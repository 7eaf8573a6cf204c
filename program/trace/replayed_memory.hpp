// SPDX-License-Identifier: Apache-2.0
// The memory that a recorded program had, as a machine is told of it again. What no run can have
// asked of this machine is refused, since the machine believes what it is told.
#pragma once

#include <map>

#include "program/device.hpp"
#include "program/trace/trace.hpp"

namespace warpmem::program::trace {

class ReplayedMemory {
 public:
  explicit ReplayedMemory(Device& device) : device_(device) {}

  /// Does what a command that is no launch says. Throws UserError with its place.
  void apply(const Command& command);
  /// Returns whether some of the memory was managed, freed or not.
  bool any_managed() const { return any_managed_; }

 private:
  struct Range {
    std::uint64_t bytes = 0;
    std::uint64_t region = 0;  ///< bytes that no other may have, either
    bool managed = false;
  };

  void allocate(const Command& command);
  void release(const Command& command);
  void check_copy(const Command& command) const;
  void check_prefetch(const Command& command) const;

  Device& device_;
  std::map<Addr, Range> ranges_;  // by address; they do not overlap
  std::uint64_t managed_bytes_ = 0;
  bool any_managed_ = false;
};

}  // namespace warpmem::program::trace
