// SPDX-License-Identifier: Apache-2.0
// The sizes of a lockstep run that is not told one: the size that the shipped configurations use
// most, then the corners. A fault in a design of parameters often shows at some sizes alone: a
// priority encoder that ends at bit 63, a number cut to six bits, a counter that is kept with four
// slots. So the corners are both ends of each parameter, sizes that are no powers of two, sizes
// around 32 and 64, and the other sizes of configs/.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cosim/cart_lockstep.hpp"
#include "cosim/dau_lockstep.hpp"
#include "cosim/l1d_lockstep.hpp"
#include "cosim/laws_lockstep.hpp"
#include "cosim/lockstep.hpp"
#include "cosim/mshr_lockstep.hpp"
#include "cosim/tsma_lockstep.hpp"

namespace warpmem::cosim {

/// So many cycles of random stimulus, at most, are run at a corner; the directed vectors come on
/// top.
inline constexpr std::uint64_t kCornerCycles = 50'000;

/// Each returns the sizes of a unit. The usual size comes first; it is also the default of the
/// unit's options.
const std::vector<mha::DauSize>& dau_sizes();
/// This is the place in dau_sizes() at which lines and toggles of the RTL are counted, for a set
/// that is only ever a head has bits that never change.
inline constexpr std::size_t kDauCounted = 1;
const std::vector<std::uint32_t>& index_gen_sizes();  ///< entries
const std::vector<std::uint32_t>& steer_sizes();      ///< ways
const std::vector<sm::LawsScoreSize>& laws_score_sizes();
const std::vector<sm::ThrottleSize>& throttle_sizes();
const std::vector<CartBranchSize>& cart_branch_sizes();
const std::vector<cache::MrpbDrainSize>& mrpb_drain_sizes();
const std::vector<l1d::BuclCtrlSize>& bucl_ctrl_sizes();
/// Returns the sizes of one of the MSHR files. Throws UserError for another name.
const std::vector<MshrFileSize>& mshr_file_sizes(const std::string& unit);

/// Returns the size for people: "128 sets of 2 slots, 64 reserved".
std::string text_of(const mha::DauSize& size);
std::string entries_text(std::uint32_t entries);
std::string ways_text(std::uint32_t ways);
std::string text_of(const sm::LawsScoreSize& size);
std::string text_of(const sm::ThrottleSize& size);
std::string text_of(const CartBranchSize& size);
std::string text_of(const cache::MrpbDrainSize& size);
std::string text_of(const l1d::BuclCtrlSize& size);
std::string text_of(const MshrFileSize& size);
const char* name_of(cache::MrpbDrainPolicy policy);

/// This is a lockstep run whose size is chosen; `options` has everything else.
struct SizedLockstep {
  std::string size;  ///< text_of
  std::function<LockstepResult(const LockstepOptions& options)> run;
};
/// Returns all sizes of a unit, in order. Throws UserError for an unknown unit.
std::vector<SizedLockstep> sized_lockstep(const std::string& unit);

}  // namespace warpmem::cosim
