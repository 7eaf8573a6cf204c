// SPDX-License-Identifier: Apache-2.0
// The DAU as a C++ class for the simulator: work a cycle does not grow with the number of sets.
#pragma once

#include <vector>

#include "mha/dl/dau.hpp"

namespace warpmem::mha {

class FastDau : public Dau {
 public:
  /// 1 <= sets, 1 <= slots, reserved <= sets; sets 0..reserved-1 are never attached.
  FastDau(unsigned sets, unsigned slots, unsigned reserved);

  DauOut eval(const DauIn& in) const override;
  void commit(const DauIn& in) override;
  unsigned sets() const override { return static_cast<unsigned>(set_.size()); }
  DauSet inspect(unsigned set) const override;

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t(0);
  using Bits = std::vector<std::uint64_t>;
  struct Set {
    DauState state = DauState::s0;
    std::uint32_t used = 0;
    std::uint32_t next = 0;
    std::uint32_t previous = kNone;  // set that links to this one
    std::uint32_t tail = 0;
  };

  bool active_head(std::uint32_t set) const;
  bool accepts_ret(const DauIn& in) const;
  std::uint32_t lowest_free(unsigned from) const;
  void take(std::uint32_t set, bool head);
  void forget_refusals();
  void release_step();
  void start_release(std::uint32_t head);

  unsigned slots_;
  unsigned reserved_;
  std::vector<Set> set_;
  Bits free_;
  Bits refused_;  // sets in S4 or S9
  unsigned refused_count_ = 0;
  std::uint32_t n_free_;
  std::uint32_t n_linkable_;
  std::uint32_t releasing_ = kNone;  // the set of the releasing chain that goes next
};

}  // namespace warpmem::mha
