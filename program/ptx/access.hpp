// SPDX-License-Identifier: Apache-2.0
// From lane addresses to host pointers, with every check a memory access needs. Fills
// CtaState::address (what the machine sees) and CtaState::place (where the bytes are; lanes that do
// not execute point at a dummy, so that the copy loops need no mask).
#pragma once

#include <cstdint>

#include "program/ptx/lanes.hpp"
#include "program/ptx/module.hpp"

namespace warpmem::program::ptx {

/// These are Inst::option of a memory instruction.
enum AccessOption : std::uint8_t {
  kNarrowAddress = 1,  ///< the address register has 32 bits
  kFrameLocal = 2,     ///< imm counts from the frame's local variables
};

/// Returns the allocation that holds `bytes` at the lane's address, or nullptr.
const DeviceMemory::Allocation* allocation_of(const Warp& w, unsigned lane, unsigned bytes);
/// The same for a bulk copy. Throws UserError when it is memory that these do not reach.
const DeviceMemory::Allocation* allocation_in_bulk(const Warp& w, const Inst& in, unsigned lane,
                                                   unsigned bytes);
/// Does what place_global() does where lanes are outside the cached allocation: finds theirs,
/// forgives or reports the error.
void place_global_slowly(Warp& w, const Inst& in, unsigned bytes);
/// Reports that `lane` accesses `bytes` outside every allocation.
[[noreturn]] void fault_outside(Warp& w, const Inst& in, unsigned lane, unsigned bytes);
/// Reports the first lane of `bad`.
[[noreturn]] void fault_window(Warp& w, const Inst& in, LaneMask bad, unsigned bytes, Space space,
                               std::uint64_t size);
/// Splits a generic access: leaves in Warp::lanes those that share the first lane's space, the rest
/// in Warp::replay, and rebases CtaState::address. Returns the space.
Space split_generic(Warp& w);
void resolve_parameters(Warp& w, const Inst& in, unsigned bytes);
/// Places accesses to the shared memory of other CTAs of the cluster (cluster_access.cpp).
void place_cluster(Warp& w, const Inst& in, unsigned bytes);

/// The addresses become the register `base`, of 32 bits where it is `narrow`, and `offset`.
[[gnu::always_inline]] inline void lane_addresses(Warp& w, Ref base, std::uint64_t offset,
                                                  bool narrow) {
  Addr* const address = w.cta->address.data();
  if (narrow) {
    const auto* const lanes = lanes_of<std::uint32_t>(w, base);
    for (unsigned i = 0; i < kWarpLanes; ++i)
      address[i] = static_cast<std::uint32_t>(lanes[i] + offset);
    return;
  }
  const auto* const lanes = lanes_of<std::uint64_t>(w, base);
#pragma GCC ivdep
  for (unsigned i = 0; i < kWarpLanes; ++i) address[i] = lanes[i] + offset;
}
[[gnu::always_inline]] inline void lane_addresses(Warp& w, const Inst& in) {
  const bool narrow = in.option & kNarrowAddress;
  const bool framed = !narrow && in.option & kFrameLocal;
  lane_addresses(w, in.ref[0], framed ? in.imm + w.frame().local_base : in.imm, narrow);
}

/// Lanes whose `bytes` at begin + [0, size) do not fit or are not aligned.
[[gnu::always_inline]] inline LaneMask misplaced(const Addr* address, Addr begin,
                                                 std::uint64_t size, unsigned bytes) {
  if (size < bytes) return ~LaneMask(0);
  const std::uint64_t last = size - bytes, unaligned = bytes - 1;
  std::uint64_t bad = 0;
  for (unsigned i = 0; i < kWarpLanes; ++i)
    bad |= (address[i] - begin > last) | ((address[i] & unaligned) != 0)
               ? kLaneBits<std::uint64_t>.bit[i]
               : std::uint64_t(0);
  return static_cast<LaneMask>(bad);
}

[[gnu::always_inline]] inline void place_linear(Warp& w, std::uint8_t* base) {
  CtaState& c = *w.cta;
  const auto from = reinterpret_cast<std::uintptr_t>(base);
  const auto dummy = reinterpret_cast<std::uintptr_t>(c.dummy.data());
  const std::uint64_t lanes = w.lanes;
  const Addr* const address = c.address.data();
  using Pointer = std::uint64_t __attribute__((may_alias));
  auto* const out = reinterpret_cast<Pointer*>(c.place.data());
#pragma GCC ivdep
  for (unsigned i = 0; i < kWarpLanes; ++i)
    out[i] = (lanes & kLaneBits<std::uint64_t>.bit[i]) ? from + address[i] : dummy;
}

[[gnu::always_inline]] inline void place_global(Warp& w, const Inst& in, unsigned bytes) {
  const CachedRange& range = w.cta->launch->ranges[w.top.pc];
  if (misplaced(w.cta->address.data(), range.begin, range.bytes, bytes) & w.lanes)
    place_global_slowly(w, in, bytes);
  else
    place_linear(w, nullptr);  // device addresses are host addresses
}
[[gnu::always_inline]] inline void place_shared(Warp& w, const Inst& in, unsigned bytes) {
  auto& shared = w.cta->shared;
  const LaneMask bad = misplaced(w.cta->address.data(), 0, shared.size(), bytes) & w.lanes;
  if (bad != 0) fault_window(w, in, bad, bytes, Space::shared, shared.size());
  place_linear(w, shared.data());
}
inline void place_local(Warp& w, const Inst& in, unsigned bytes) {
  CtaState& c = *w.cta;
  const Frame& frame = w.frame();
  const std::uint64_t size =
      frame.local_base + c.launch->program->functions[frame.function].local_bytes;
  const LaneMask bad = misplaced(c.address.data(), 0, size, bytes) & w.lanes;
  if (bad != 0) fault_window(w, in, bad, bytes, Space::local, size);
  for (unsigned i = 0; i < kWarpLanes; ++i)
    c.place[i] = w.lanes >> i & 1 ? w.local.at(c.address[i], i) : c.dummy.data();
}

struct GlobalAccess {
  [[gnu::always_inline]] static inline Space resolve(Warp& w, const Inst& in, unsigned bytes) {
    lane_addresses(w, in);
    place_global(w, in, bytes);
    return Space::global;
  }
};
struct ConstantAccess {
  [[gnu::always_inline]] static inline Space resolve(Warp& w, const Inst& in, unsigned bytes) {
    GlobalAccess::resolve(w, in, bytes);
    return Space::constant;
  }
};
struct SharedAccess {
  [[gnu::always_inline]] static inline Space resolve(Warp& w, const Inst& in, unsigned bytes) {
    lane_addresses(w, in);
    place_shared(w, in, bytes);
    return Space::shared;
  }
};
struct LocalAccess {
  [[gnu::always_inline]] static inline Space resolve(Warp& w, const Inst& in, unsigned bytes) {
    lane_addresses(w, in);
    place_local(w, in, bytes);
    return Space::local;
  }
};
struct ParameterAccess {
  [[gnu::always_inline]] static inline Space resolve(Warp& w, const Inst& in, unsigned bytes) {
    lane_addresses(w, in);
    resolve_parameters(w, in, bytes);
    return Space::param;
  }
};
struct GenericAccess {
  [[gnu::always_inline]] static inline Space resolve(Warp& w, const Inst& in, unsigned bytes) {
    lane_addresses(w, in);
    // It is nearly always device memory; a lane of another space misses the cached allocation.
    const CachedRange& range = w.cta->launch->ranges[w.top.pc];
    if ((misplaced(w.cta->address.data(), range.begin, range.bytes, bytes) & w.lanes) == 0) {
      place_linear(w, nullptr);
      return Space::global;
    }
    const Space space = split_generic(w);
    if (space == Space::shared)
      place_shared(w, in, bytes);
    else if (space == Space::cluster)
      place_cluster(w, in, bytes);
    else if (space == Space::local)
      place_local(w, in, bytes);
    else
      place_global(w, in, bytes);
    return space;
  }
};

}  // namespace warpmem::program::ptx
