// SPDX-License-Identifier: Apache-2.0
// cp.async.bulk and cp.reduce.async.bulk between global and shared memory, their groups and the
// prefetch (PTX ISA 8 section 9.7.8.25.4). Here an instruction says what is to be copied; the bytes
// move when the machine's engine moves them (sm/bulk_engine.hpp), or in functional runs when a warp
// waits.
#include <algorithm>

#include "program/ptx/bulk_copy.hpp"
#include "program/ptx/cluster_access.hpp"

namespace warpmem::program::ptx {
namespace {

std::string hex(Addr address) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
  return text;
}

void check_alignment(const Warp& w, const Inst& in, unsigned i, const char* what, Addr address,
                     unsigned unit) {
  if (address % unit != 0)
    fault(w, in, i,
          std::string(what) + " " + hex(address) + " is not aligned to " + std::to_string(unit) +
              " bytes");
}

}  // namespace

Addr lane_address(Warp& w, Ref ref, std::uint64_t offset, bool narrow, unsigned i) {
  if (narrow)
    return static_cast<std::uint32_t>(lane<std::uint32_t>(w, ref, i) +
                                      static_cast<std::uint32_t>(offset));
  return lane<std::uint64_t>(w, ref, i) + offset;
}

std::uint32_t shared_address(Warp& w, const Inst& in, unsigned i, const char* what, Addr address,
                             std::uint64_t bytes, unsigned unit) {
  check_alignment(w, in, i, what, address, unit);
  const std::uint64_t size = w.cta->shared.size();
  if (address > size || bytes > size - address)
    fault(w, in, i,
          std::string(what) + " " + hex(address) + ", out of range: " + std::to_string(bytes) +
              " bytes there, and there are " + std::to_string(size));
  return static_cast<std::uint32_t>(address);
}

void report_copies(CtaState& c, bool to_cluster) {
  c.issue.space = Space::global;
  c.issue.address = c.address.data();
  c.issue.data = c.data.data();
  c.issue.operand = c.operand.data();
  if (to_cluster) c.issue.ranks = c.ranks.data();
}

namespace {

/// Returns the address of lane i's mbarrier in shared memory, which must be of that rank. ref: 2 =
/// mbarrier, 4 = offset.
std::uint32_t mbarrier_address(Warp& w, const Inst& in, unsigned i, unsigned rank) {
  const Addr a = lane_address(w, in.ref[2], lane<std::uint64_t>(w, in.ref[4], i),
                              in.option & kNarrowMbarrier, i);
  if (rank_of_address(w, a) != rank)
    fault(w, in, i, "the mbarrier is not in the CTA to which the bytes go");
  return shared_address(w, in, i, "mbarrier at shared address", cluster_offset(a), 8, 8);
}

void check_mbarrier(Warp& w, const Inst& in, unsigned i, const CtaState& c, std::uint32_t address) {
  std::uint64_t bits;
  std::memcpy(&bits, c.shared.data() + address, sizeof bits);
  if (!Mbarrier(bits).valid)
    fault(w, in, i,
          "mbarrier at shared address " + hex(address) + ": no mbarrier was initialised there");
}

/// Returns the CTAs to which a load of lane i goes, a bit for each rank; 0: to the CTA itself
/// alone. `rank`: that of its address; `mask`: the operand, or kNoRef.
std::uint16_t ranks_of(Warp& w, const Inst& in, unsigned i, unsigned rank, Ref mask) {
  const CtaState& c = *w.cta;
  const std::uint64_t ctas = c.launch->traits.cluster.count();
  std::uint32_t ranks = 1u << rank;
  if (mask != kNoRef) {
    ranks = lane<std::uint16_t>(w, mask, i);
    if (ranks == 0 || ranks >> ctas != 0)
      fault(w, in, i,
            "a copy to the CTAs " + hex(ranks) + " of a cluster of " + std::to_string(ctas));
  }
  for (unsigned r = 0; r < ctas; ++r)
    if (ranks >> r & 1) peer(w, in, i, r);
  return static_cast<std::uint16_t>(ranks == 1u << c.rank ? 0 : ranks);
}

}  // namespace

PeerPlace peer_place(Warp& w, const Inst& in, unsigned i, std::uint32_t bytes, unsigned unit) {
  const Addr to = lane_address(w, in.ref[0], in.imm, in.option & kNarrowTarget, i);
  const unsigned rank = rank_of_address(w, to);
  const CtaState& other = peer(w, in, i, rank);
  const std::uint32_t offset =
      shared_address(w, in, i, "shared address", cluster_offset(to), bytes, unit);
  const std::uint32_t mbarrier = mbarrier_address(w, in, i, rank);
  check_mbarrier(w, in, i, other, mbarrier);
  return {rank, cluster_address(rank, offset), mbarrier};
}

void set_target(Warp& w, const Inst& in, unsigned i, Addr shared) {
  CtaState& c = *w.cta;
  const unsigned rank = rank_of_address(w, shared);
  const std::uint32_t mbarrier = mbarrier_address(w, in, i, rank);
  c.operand[i * kBulkOperands + 2] = mbarrier;
  c.ranks[i] = ranks_of(w, in, i, rank, in.option & kMulticast ? in.ref[5] : kNoRef);
  if (c.ranks[i] == 0) check_mbarrier(w, in, i, c, mbarrier);
}

std::size_t take_hint(Lowering& x, bool multicast) {
  if (!x.take("L2::cache_hint")) return 0;
  if (!multicast) x.use(5, x.operand(x.operands() - 1), Type::b64);
  return 1;
}

void describe_copy(Lowering& x, MemOp mem, AsyncCopy part) {
  InstInfo& info = x.info();
  info.mem = mem;
  info.space = Space::global;
  info.bytes = kBulkBytes;
  info.async = part;
  info.volatile_access = true;
}

std::uint8_t lower_mbarrier_operand(Lowering& x, const Operand& o) {
  const std::uint8_t narrow = lower_shared(x, o, 2, kNarrowMbarrier);
  x.inst().ref[4] = x.constant(x.inst().imm, RegClass::wide);
  return narrow;
}

std::uint8_t lower_shared(Lowering& x, const Operand& o, unsigned slot, std::uint8_t option) {
  x.inst().option = 0;
  lower_address(x, o, Space::shared, slot);
  return x.inst().option & kNarrowAddress ? option : 0;
}

namespace {

std::uint32_t copied_bytes(Warp& w, const Inst& in, unsigned i) {
  const std::uint32_t bytes = lane<std::uint32_t>(w, in.ref[3], i);
  if (bytes == 0 || bytes % kBulkBytes != 0)
    fault(w, in, i, "a bulk copy of " + std::to_string(bytes) + " bytes; allowed: multiples of 16");
  return bytes;
}

/// Returns the bytes that lane i copies, all of them in an allocation.
std::uint32_t global_range(Warp& w, const Inst& in, unsigned i) {
  CtaState& c = *w.cta;
  const std::uint32_t bytes = copied_bytes(w, in, i);
  const Addr a = lane_address(w, in.ref[0], in.imm, false, i);
  c.address[i] = a;
  check_alignment(w, in, i, "global address", a, kBulkBytes);
  if (allocation_in_bulk(w, in, i, bytes) == nullptr) fault_outside(w, in, i, bytes);
  return bytes;
}

/// ref: 0 = global address, 1 = shared address, 2 = mbarrier (loads), 3 = bytes, 4 = offset of the
/// mbarrier, 5 = CTAs (multicast); imm, aux: offsets of the first two.
void copy(Warp& w, const Inst& in) {
  CtaState& c = *w.cta;
  const bool load = in.ref[2] != kNoRef;
  for_lanes(w.lanes, [&](unsigned i) {
    const std::uint32_t bytes = global_range(w, in, i);
    std::uint32_t* const operand = c.operand.data() + i * kBulkOperands;
    const auto offset = static_cast<std::uint64_t>(static_cast<std::int32_t>(in.aux));
    const Addr a = lane_address(w, in.ref[1], offset, in.option & kNarrowShared, i);
    operand[0] =
        shared_address(w, in, i, "shared address", load ? cluster_offset(a) : a, bytes, kBulkBytes);
    operand[1] = bytes;
    operand[2] = 0;
    if (load) set_target(w, in, i, a);
  });
  report_copies(c, load && c.launch->traits.clustered());
}

/// ref: 0 = address in the cluster, 1 = shared address, 2 = mbarrier, 3 = bytes, 4 = offset of the
/// mbarrier; imm, aux: offsets of the first two.
void copy_to_peer(Warp& w, const Inst& in) {
  CtaState& c = *w.cta;
  for_lanes(w.lanes, [&](unsigned i) {
    std::uint32_t* const operand = c.operand.data() + i * kBulkOperands;
    const std::uint32_t bytes = copied_bytes(w, in, i);
    const auto offset = static_cast<std::uint64_t>(static_cast<std::int32_t>(in.aux));
    operand[0] = shared_address(w, in, i, "shared address",
                                lane_address(w, in.ref[1], offset, in.option & kNarrowShared, i),
                                bytes, kBulkBytes);
    operand[1] = bytes;
    const PeerPlace place = peer_place(w, in, i, bytes, kBulkBytes);
    c.address[i] = place.address;
    operand[2] = place.mbarrier;
    c.ranks[i] = static_cast<std::uint16_t>(1u << place.rank);
  });
  report_copies(c, true);
  c.issue.space = Space::cluster;
}

/// ref: 0 = global address, 3 = bytes; imm: offset
void prefetch(Warp& w, const Inst& in) {
  CtaState& c = *w.cta;
  for_lanes(w.lanes, [&](unsigned i) {
    std::uint32_t* const operand = c.operand.data() + i * kBulkOperands;
    operand[0] = operand[2] = 0;
    operand[1] = global_range(w, in, i);
  });
  report_copies(c, false);
}

/// The operands that loads and copies between CTAs share: the shared address, the bytes and the
/// mbarrier. Returns the registers of 32 bits.
std::uint8_t lower_parts(Lowering& x, const Operand& shared, const Operand* mbarrier) {
  Inst& in = x.inst();
  std::uint8_t narrow = 0;
  if (mbarrier != nullptr) narrow |= lower_mbarrier_operand(x, *mbarrier);
  narrow |= lower_shared(x, shared, 1, kNarrowShared);
  in.aux = static_cast<std::uint32_t>(in.imm);
  in.option = 0;
  x.use(3, x.operand(2), Type::u32);
  return narrow;
}

/// `reduces`: the operation has yet to be taken.
void lower_copy_to_peer(Lowering& x, bool reduces) {
  if (!x.take("mbarrier::complete_tx::bytes")) x.unsupported();
  const std::uint8_t reduction = reduces ? take_reduction(x, true).code() : std::uint8_t(0);
  x.want_operands(4);
  std::uint8_t narrow = lower_parts(x, x.operand(1), &x.operand(3));
  narrow |= lower_shared(x, x.operand(0), 0, kNarrowTarget);
  x.inst().option = narrow;
  describe_copy(x, reduces ? MemOp::reduction : MemOp::store, AsyncCopy::bulk_peer);
  x.info().async_groups = reduction;
  x.info().space = Space::cluster;
  x.set(copy_to_peer, OpClass::memory);
}

void lower_copy_of(Lowering& x) {
  const bool load = !x.modifiers().empty() && x.modifiers()[0] != "global";
  bool multicast = false;
  if (load) {
    const bool cluster = x.take("shared::cluster");
    if (cluster && x.take("shared::cta")) return lower_copy_to_peer(x, false);
    if (!cluster && !x.take("shared::cta")) x.unsupported();
    if (!x.take("global") || !x.take("mbarrier::complete_tx::bytes")) x.unsupported();
    multicast = cluster && x.take("multicast::cluster");
  } else if (!x.take("global") || !x.take("shared::cta") || !x.take("bulk_group")) {
    x.unsupported();
  }
  const std::size_t operands = (load ? 4 : 3) + (multicast ? 1 : 0);
  x.want_operands(operands + take_hint(x, multicast));
  std::uint8_t option = lower_parts(x, x.operand(load ? 0 : 1), load ? &x.operand(3) : nullptr);
  if (multicast) {
    x.use(5, x.operand(4), Type::u16);
    option |= kMulticast;
  }
  lower_address(x, x.operand(load ? 1 : 0), Space::global);
  x.inst().option = option;
  describe_copy(x, load ? MemOp::load : MemOp::store, AsyncCopy::bulk);
  x.set(copy, OpClass::memory);
}

void lower_prefetch_of(Lowering& x) {
  if (!x.take("L2") || !x.take("global")) x.unsupported();
  x.want_operands(2 + take_hint(x));
  lower_address(x, x.operand(0), Space::global);
  x.use(3, x.operand(1), Type::u32);
  describe_copy(x, MemOp::load, AsyncCopy::bulk_prefetch);
  x.set(prefetch, OpClass::memory);
}

}  // namespace

void lower_bulk_reduction(Lowering& x) {
  if (x.take("tensor")) return lower_tensor_copy(x, true);
  if (x.take("shared::cluster")) {
    if (!x.take("shared::cta")) x.unsupported();
    return lower_copy_to_peer(x, true);
  }
  if (!x.take("global") || !x.take("shared::cta") || !x.take("bulk_group")) x.unsupported();
  const std::uint8_t reduction = take_reduction(x, false).code();
  x.want_operands(3 + take_hint(x));
  const std::uint8_t option = lower_parts(x, x.operand(1), nullptr);
  lower_address(x, x.operand(0), Space::global);
  x.inst().option = option;
  describe_copy(x, MemOp::reduction, AsyncCopy::bulk);
  x.info().async_groups = reduction;
  x.set(copy, OpClass::memory);
}

void lower_bulk(Lowering& x) {
  if (x.take("prefetch")) return x.take("tensor") ? lower_tensor_prefetch(x) : lower_prefetch_of(x);
  if (x.take("tensor")) return lower_tensor_copy(x, false);
  if (x.take("commit_group")) {
    x.want_operands(0);
    x.info().async = AsyncCopy::bulk_close;
  } else if (x.take("wait_group")) {
    x.info().async = x.take("read") ? AsyncCopy::bulk_wait_read : AsyncCopy::bulk_wait;
    x.want_operands(1);
    const Operand& groups = x.operand(0);
    if (groups.kind != Operand::Kind::integer) x.bad("needs the number of groups as a constant");
    x.info().async_groups = static_cast<std::uint8_t>(std::min<std::uint64_t>(groups.bits, 255));
  } else {
    return lower_copy_of(x);
  }
  x.set([](Warp&, const Inst&) {}, OpClass::int_alu);
}

}  // namespace warpmem::program::ptx
