// SPDX-License-Identifier: Apache-2.0
// Drain selector of MRPB (MR 3.3) as L1D uses it: one of the unit's views. The rules are those of
// units/mrpb_drain/mrpb_drain_core.hpp. A cycle without inputs changes nothing and may be left out.
#pragma once

#include <cstdint>
#include <vector>

#include "units/mrpb_drain/mrpb_drain_unit.hpp"

namespace warpmem::cache {

using units::MrpbDrainPolicy;
using units::MrpbDrainSize;

class MrpbDrain {
 public:
  virtual ~MrpbDrain() = default;
  virtual units::MrpbDrainOut eval(const units::MrpbDrainIn& in) const = 0;
  /// The clock edge at the end of a cycle with these inputs.
  virtual void commit(const units::MrpbDrainIn& in) = 0;
};

class FastMrpbDrain : public MrpbDrain {
 public:
  explicit FastMrpbDrain(const MrpbDrainSize& size);

  units::MrpbDrainOut eval(const units::MrpbDrainIn& in) const override;
  void commit(const units::MrpbDrainIn& in) override;

 private:
  static constexpr unsigned kNone = ~0u;

  bool full(unsigned queue) const { return size_.entries != 0 && lengths_[queue] == size_.entries; }
  bool forced(const units::MrpbDrainIn& in, std::uint64_t may) const;
  unsigned by_policy(std::uint64_t may) const;
  unsigned longest(std::uint64_t may) const;

  MrpbDrainSize size_;
  std::vector<std::uint32_t> lengths_;
  std::uint64_t held_ = 0;   // queues with requests
  unsigned last_;            // queue that was drained last
  unsigned greedy_ = kNone;  // the same until that queue is empty
};

}  // namespace warpmem::cache
