// SPDX-License-Identifier: Apache-2.0
// What ops_bulk_copy.cpp, ops_tensor_copy.cpp and ops_async_write.cpp share: the places in shared
// memory that an asynchronous copy names, and its operands.
#pragma once

#include "program/ptx/ops.hpp"

namespace warpmem::program::ptx {

/// Registers of 32 bits, beside AccessOption, whose kNarrowAddress is not used here, and whether
/// there is an operand that names CTAs.
enum BulkOption : std::uint8_t {
  kNarrowShared = 4,
  kNarrowMbarrier = 8,
  kNarrowTarget = 16,
  kMulticast = 32
};

/// Returns the address that lane i has in a register, of 32 bits if it is `narrow`, and an offset.
Addr lane_address(Warp& w, Ref ref, std::uint64_t offset, bool narrow, unsigned i);
/// Returns the address of `bytes` in the CTA's shared memory. Faults when they are not there, or
/// not aligned to `unit`; `what` names the address.
std::uint32_t shared_address(Warp& w, const Inst& in, unsigned i, const char* what, Addr address,
                             std::uint64_t bytes, unsigned unit);
/// Returns where in shared memory lane i's bytes go, a multiple of `unit` in a CTA of the cluster,
/// and its mbarrier there. ref: 0 = address, 2 = mbarrier, 4 = offset of the mbarrier; imm: offset
/// of the address.
struct PeerPlace {
  unsigned rank;
  Addr address;  ///< in the cluster
  std::uint32_t mbarrier;
};
PeerPlace peer_place(Warp& w, const Inst& in, unsigned i, std::uint32_t bytes, unsigned unit);
/// Sets what a load says of where it goes: the rank of the CTA of `shared`, an address of
/// shared::cluster, decides which mbarrier it may tell. ref: 2 = mbarrier, 4 = its offset, 5 = CTAs
/// (multicast).
void set_target(Warp& w, const Inst& in, unsigned i, Addr shared);
/// Puts the lanes' addresses, data and operands into the Issue.
void report_copies(CtaState& c, bool to_cluster);

/// Takes the hint of which lines L2 should keep, which does nothing, and its operand. Beside the
/// operand of a multicast nobody waits for its register.
std::size_t take_hint(Lowering& x, bool multicast = false);
void describe_copy(Lowering& x, MemOp mem, AsyncCopy part);
/// The operand [mbarrier] goes to refs 2 and 4. Returns kNarrowMbarrier if its register has 32
/// bits.
std::uint8_t lower_mbarrier_operand(Lowering& x, const Operand& o);
/// Does lower_address() of a shared address, and returns `option` if its register has 32 bits.
std::uint8_t lower_shared(Lowering& x, const Operand& o, unsigned slot, std::uint8_t option);

/// cp.async.bulk.tensor or, if it `reduces`, cp.reduce.async.bulk.tensor, and
/// cp.async.bulk.prefetch.tensor (ops_tensor_copy.cpp).
void lower_tensor_copy(Lowering& x, bool reduces);
void lower_tensor_prefetch(Lowering& x);

}  // namespace warpmem::program::ptx
