// SPDX-License-Identifier: Apache-2.0
// Kernels that the program has launched and not waited for, on devices that run several at a time.
//
// A kernel follows what came before it in its stream, in streams whose events its stream waits for,
// and, by the rules of the legacy default stream, what that one or all others had before. Its level
// is one more than the highest of those. Kernels of one level do not depend on each other: they are
// a group, and groups run in the order of their levels.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "program/program.hpp"

namespace warpmem::program {

/// A stream, and how it stands to the legacy default stream.
struct StreamId {
  const void* handle = nullptr;  ///< nullptr: the legacy default stream
  bool blocking = true;          ///< that one waits for it, and it for that one
};

class LaunchQueue {
 public:
  using Group = std::vector<std::unique_ptr<Grid>>;

  bool empty() const { return groups_.empty(); }
  /// Returns the number of groups after which everything that the stream has been given is done.
  unsigned level(const StreamId& stream) const;
  void add(const StreamId& stream, std::unique_ptr<Grid> grid);
  /// What the stream is given from now on follows the first `level` groups.
  void wait(const StreamId& stream, unsigned level);
  /// Returns the groups in order, and forgets them and all levels.
  std::vector<Group> take();

 private:
  struct Reached {
    unsigned level = 0;
    bool blocking = true;
  };
  void raise(const StreamId& stream, unsigned level);

  std::vector<Group> groups_;
  std::map<const void*, Reached> reached_;  // without the default stream
  unsigned default_level_ = 0;
};

}  // namespace warpmem::program
