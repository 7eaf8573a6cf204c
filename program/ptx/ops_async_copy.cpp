// SPDX-License-Identifier: Apache-2.0
// cp.async from global to shared memory and the groups that it is waited for by (PTX ISA 8
// sections 9.7.8.22.3-9.7.8.22.6). The bytes are in shared memory at once; that a thread must wait
// before it reads them is a matter of the machine (sm/copy_groups.hpp).
#include <algorithm>
#include <array>
#include <cstring>

#include "program/ptx/access.hpp"
#include "program/ptx/ops.hpp"

namespace warpmem::program::ptx {
namespace {

/// What says how many bytes come from global memory; those after them are zero. Beside
/// kNarrowAddress in Inst::option.
enum CopyOption : std::uint8_t {
  kNarrowDestination = 4,  ///< the register of the shared address has 32 bits
  kSourceSize = 8,         ///< ref 2 has the number
  kIgnoreSource = 16,      ///< ref 2 is a predicate: none where it is true
};

/// Returns how many of the lane's bytes come from global memory.
unsigned source_bytes(Warp& w, const Inst& in, unsigned i) {
  const unsigned bytes = in.count;
  if (in.option & kIgnoreSource) return predicate(w, in.ref[2]) >> i & 1 ? 0 : bytes;
  if (!(in.option & kSourceSize)) return bytes;
  const std::uint32_t size = lane<std::uint32_t>(w, in.ref[2], i);
  if (size > bytes)
    fault(w, in, i,
          "the source has " + std::to_string(size) + " bytes, more than the " +
              std::to_string(bytes) + " that are copied");
  return size;
}

/// ref: 0 = global address, 1 = shared address, 2 = what is read; imm and aux: their offsets;
/// count: bytes of a lane.
void copy(Warp& w, const Inst& in) {
  CtaState& c = *w.cta;
  const unsigned bytes = in.count;
  const LaneMask all = w.lanes;
  std::array<unsigned, kWarpLanes> size{};
  LaneMask whole = 0, read = 0;
  for_lanes(all, [&](unsigned i) {
    size[i] = source_bytes(w, in, i);
    whole |= LaneMask(size[i] == bytes) << i;
    read |= LaneMask(size[i] != 0) << i;
  });

  const auto offset = static_cast<std::uint64_t>(static_cast<std::int32_t>(in.aux));
  lane_addresses(w, in.ref[1], offset, in.option & kNarrowDestination);
  place_shared(w, in, bytes);
  const std::array<std::uint8_t*, kWarpLanes> to = c.place;

  w.lanes = whole;
  GlobalAccess::resolve(w, in, bytes);
  for_lanes(read & ~whole, [&](unsigned i) {
    // Its last bytes may lie beyond the allocation, but within the unit that allocations are made
    // of.
    const Addr a = c.address[i];
    w.lanes = LaneMask(1) << i;
    c.place[i] = DeviceMemory::host(a);
    const auto* const allocation = allocation_of(w, i, size[i]);
    if (a % bytes != 0 || allocation == nullptr) {
      std::array<std::uint8_t*, kWarpLanes> others = c.place;
      place_global_slowly(w, in, bytes);
      others[i] = c.place[i];
      c.place = others;
    } else {
      c.address[i] += allocation->machine - allocation->begin;
    }
  });
  for_lanes(all, [&](unsigned i) {
    std::uint8_t* const data = c.data.data() + i * Issue::kLaneBytes;
    if (size[i] != 0) std::memcpy(data, c.place[i], bytes);
    std::memcpy(to[i], data, size[i]);
    std::memset(to[i] + size[i], 0, bytes - size[i]);
  });
  w.lanes = all;
  c.issue.lanes &= read;  // without those that are forgiven
  c.issue.space = Space::global;
  c.issue.address = c.address.data();
  c.issue.data = c.data.data();
}

void lower_copy(Lowering& x) {
  Inst& in = x.inst();
  const bool past_l1d = x.take("cg");
  if (!past_l1d && !x.take("ca")) x.unsupported();
  if (!x.take("shared") && !x.take("shared::cta")) x.unsupported();
  if (!x.take("global")) x.unsupported();
  // How much L2 should fetch is a hint, and so is a policy behind the operands.
  const std::size_t policy = x.take("L2::cache_hint") ? 1 : 0;
  if (!x.take("L2::64B") && !x.take("L2::128B")) x.take("L2::256B");
  if (x.operands() != 4 + policy) x.want_operands(3 + policy);
  if (policy != 0) x.use(5, x.operand(x.operands() - 1), Type::b64);

  lower_address(x, x.operand(0), Space::shared, 1);
  in.aux = static_cast<std::uint32_t>(in.imm);
  in.option = in.option & kNarrowAddress ? kNarrowDestination : 0;
  lower_address(x, x.operand(1), Space::global);

  const Operand& size = x.operand(2);
  const bool fits = size.kind == Operand::Kind::integer &&
                    (size.bits == 16 || (!past_l1d && (size.bits == 4 || size.bits == 8)));
  if (!fits) x.bad(past_l1d ? "copies 16 bytes" : "copies 4, 8 or 16 bytes");
  in.count = static_cast<std::uint8_t>(size.bits);
  if (x.operands() == 4 + policy) {
    const Operand& source = x.operand(3);
    const bool is_predicate = source.kind == Operand::Kind::reg &&
                              x.function().registers[source.index].type == Type::pred;
    in.option |= is_predicate ? kIgnoreSource : kSourceSize;
    x.use(2, source, is_predicate ? Type::pred : Type::u32);
  }
  x.info().mem = MemOp::load;
  x.info().space = Space::global;
  x.info().bytes = in.count;
  x.info().async = AsyncCopy::copy;
  x.info().volatile_access = past_l1d;
  x.set(copy, OpClass::memory);
}

void lower_cp(Lowering& x) {
  const bool reduces = x.take("reduce");
  if (!x.take("async")) x.unsupported();
  if (x.take("bulk")) return reduces ? lower_bulk_reduction(x) : lower_bulk(x);
  if (reduces) x.unsupported();
  if (x.take("commit_group")) {
    x.want_operands(0);
    x.info().async = AsyncCopy::close;
  } else if (x.take("wait_group")) {
    x.want_operands(1);
    const Operand& groups = x.operand(0);
    if (groups.kind != Operand::Kind::integer) x.bad("needs the number of groups as a constant");
    x.info().async = AsyncCopy::wait;
    // So many groups are never outstanding.
    x.info().async_groups = static_cast<std::uint8_t>(std::min<std::uint64_t>(groups.bits, 255));
  } else if (x.take("wait_all")) {
    x.want_operands(0);
    x.info().async = AsyncCopy::wait_all;
  } else if (x.take("mbarrier")) {
    if (!x.take("arrive")) x.unsupported();
    return lower_copies_arrive(x);
  } else {
    return lower_copy(x);
  }
  x.set([](Warp&, const Inst&) {}, OpClass::int_alu);
}

}  // namespace

void add_async_copy(LowerTable& t) { t["cp"] = lower_cp; }

}  // namespace warpmem::program::ptx
