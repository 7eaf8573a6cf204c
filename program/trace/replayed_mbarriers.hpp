// SPDX-License-Identifier: Apache-2.0
// The mbarriers of a CTA that is replayed: a trace has no shared memory for them to lie in. A wait
// that was answered with true holds its warp until the phase has ended here as well; one that was
// answered with false is no more than its instruction.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "program/async.hpp"
#include "program/program.hpp"

namespace warpmem::program::trace {

class ReplayedMbarriers {
 public:
  ReplayedMbarriers(std::string kernel, std::size_t warps)
      : kernel_(std::move(kernel)), warps_(warps) {}

  /// Does what `issue`, complete but for this, says; its lanes' numbers are at `operand`. Returns
  /// false, having changed nothing but `issue`, where the warp is to be suspended. Throws UserError
  /// for what no program can have done.
  bool execute(unsigned warp, const Addr* operand, Issue& issue);
  unsigned copies_arrived(unsigned warp);
  unsigned bulk_arrived(std::uint32_t address, std::uint32_t bytes) {
    return apply(address, MbarrierOp::complete_tx, bytes);
  }
  /// An operation that another CTA of the cluster asked for.
  unsigned peer(std::uint32_t address, MbarrierOp op, std::uint32_t number) {
    return apply(address, op, number);
  }
  std::string waits_for(unsigned warp) const;

 private:
  struct WarpState {
    std::vector<std::vector<std::uint32_t>> arrivals;  ///< cp.async.mbarrier.arrive, oldest first
    bool waits = false;
    std::uint32_t address = 0;
    bool parity = false;
  };

  Mbarrier object(std::uint32_t address) const;
  unsigned apply(std::uint32_t address, MbarrierOp op, std::uint32_t number);
  bool wait(WarpState& state, const Addr* operand, Issue& issue) const;

  std::string kernel_;
  std::vector<WarpState> warps_;
  std::unordered_map<std::uint32_t, std::uint64_t> objects_;
};

}  // namespace warpmem::program::trace
