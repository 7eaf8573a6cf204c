// SPDX-License-Identifier: Apache-2.0
// A whole MSHR file as hardware (units/mshr_ports.hpp): what stands beside a miss handler when the
// key mshr.file asks for a view other than the class (checked_handler.hpp).
#pragma once

#include <cstdint>

#include "units/mshr_ports.hpp"

namespace warpmem::mha {

using units::MshrFail;
using units::MshrIn;
using units::MshrOut;
using units::MshrSize;

class MshrFile {
 public:
  virtual ~MshrFile() = default;
  /// Returns the name of the unit, "dl_mshr".
  virtual const char* name() const = 0;
  virtual MshrOut eval(const MshrIn& in) const = 0;
  virtual void commit(const MshrIn& in) = 0;
};

/// These are the clock edges that the files of a machine have got.
struct FileEdges {
  std::uint64_t all = 0;
  std::uint64_t second = 0;  ///< of these: further ones in a cycle of the cache
  /// Refused requests that a pipelined file is not shown, for another one followed in the cycle.
  std::uint64_t not_shown = 0;
};

}  // namespace warpmem::mha
