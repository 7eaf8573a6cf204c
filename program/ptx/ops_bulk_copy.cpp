// SPDX-License-Identifier: Apache-2.0
// cp.async.bulk between global and shared memory, its groups and its prefetch (PTX ISA 8 section
// 9.7.8.25.4). Here an instruction says what is to be copied; the bytes move when the machine's
// engine moves them (sm/bulk_engine.hpp), or in functional runs when a warp waits.
#include <algorithm>

#include "program/ptx/access.hpp"
#include "program/ptx/ops.hpp"

namespace warpmem::program::ptx {
namespace {

/// Registers of 32 bits, beside AccessOption, whose kNarrowAddress is not used here.
enum BulkOption : std::uint8_t { kNarrowShared = 4, kNarrowMbarrier = 8 };

std::string hex(Addr address) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
  return text;
}

Addr lane_address(Warp& w, Ref ref, std::uint64_t offset, bool narrow, unsigned i) {
  if (narrow)
    return static_cast<std::uint32_t>(lane<std::uint32_t>(w, ref, i) +
                                      static_cast<std::uint32_t>(offset));
  return lane<std::uint64_t>(w, ref, i) + offset;
}

void check_alignment(const Warp& w, const Inst& in, unsigned i, const char* what, Addr address,
                     unsigned unit) {
  if (address % unit != 0)
    fault(w, in, i,
          std::string(what) + " " + hex(address) + " is not aligned to " + std::to_string(unit) +
              " bytes");
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

/// Returns the bytes that lane i copies, all of them in an allocation.
std::uint32_t global_range(Warp& w, const Inst& in, unsigned i) {
  CtaState& c = *w.cta;
  const std::uint32_t bytes = lane<std::uint32_t>(w, in.ref[3], i);
  if (bytes == 0 || bytes % kBulkBytes != 0)
    fault(w, in, i, "a bulk copy of " + std::to_string(bytes) + " bytes; allowed: multiples of 16");
  const Addr a = lane_address(w, in.ref[0], in.imm, false, i);
  c.address[i] = a;
  check_alignment(w, in, i, "global address", a, kBulkBytes);
  if (c.launch->memory->find(a, bytes) == nullptr) {
    w.lanes = LaneMask(1) << i;
    resolve_global_slowly(w, in, bytes);
  }
  return bytes;
}

void report(CtaState& c) {
  c.issue.space = Space::global;
  c.issue.address = c.address.data();
  c.issue.data = c.data.data();
  c.issue.operand = c.operand.data();
}

/// ref: 0 = global address, 1 = shared address, 2 = mbarrier (loads), 3 = bytes, 4 = offset of the
/// mbarrier; imm, aux: offsets of the first two.
void copy(Warp& w, const Inst& in) {
  CtaState& c = *w.cta;
  const bool load = in.ref[2] != kNoRef;
  for_lanes(w.lanes, [&](unsigned i) {
    const std::uint32_t bytes = global_range(w, in, i);
    std::uint32_t* const operand = c.operand.data() + i * kBulkOperands;
    const auto offset = static_cast<std::uint64_t>(static_cast<std::int32_t>(in.aux));
    operand[0] = shared_address(w, in, i, "shared address",
                                lane_address(w, in.ref[1], offset, in.option & kNarrowShared, i),
                                bytes, kBulkBytes);
    operand[1] = bytes;
    operand[2] = 0;
    if (!load) return;
    operand[2] = shared_address(w, in, i, "mbarrier at shared address",
                                lane_address(w, in.ref[2], lane<std::uint64_t>(w, in.ref[4], i),
                                             in.option & kNarrowMbarrier, i),
                                8, 8);
    std::uint64_t bits;
    std::memcpy(&bits, c.shared.data() + operand[2], sizeof bits);
    if (!Mbarrier(bits).valid)
      fault(
          w, in, i,
          "mbarrier at shared address " + hex(operand[2]) + ": no mbarrier was initialised there");
  });
  report(c);
}

/// ref: 0 = global address, 3 = bytes; imm: offset
void prefetch(Warp& w, const Inst& in) {
  CtaState& c = *w.cta;
  for_lanes(w.lanes, [&](unsigned i) {
    std::uint32_t* const operand = c.operand.data() + i * kBulkOperands;
    operand[0] = operand[2] = 0;
    operand[1] = global_range(w, in, i);
  });
  report(c);
}

/// Takes the hint of which lines L2 should keep, which does nothing, and its operand.
std::size_t take_hint(Lowering& x) {
  if (!x.take("L2::cache_hint")) return 0;
  x.use(5, x.operand(x.operands() - 1), Type::b64);
  return 1;
}

void describe(Lowering& x, MemOp mem, AsyncCopy part) {
  InstInfo& info = x.info();
  info.mem = mem;
  info.space = Space::global;
  info.bytes = kBulkBytes;
  info.async = part;
  info.volatile_access = true;
}

void lower_copy_of(Lowering& x) {
  Inst& in = x.inst();
  const bool load = !x.modifiers().empty() && x.modifiers()[0] != "global";
  if (x.take("multicast::cluster")) x.bad("copies to several CTAs (multicast) are not supported");
  if (load) {
    if (x.take("shared::cluster")) {
      if (x.take("shared::cta")) x.bad("copies to another CTA's shared memory are not supported");
    } else if (!x.take("shared::cta")) {
      x.unsupported();
    }
    if (!x.take("global") || !x.take("mbarrier::complete_tx::bytes")) x.unsupported();
  } else if (!x.take("global") || !x.take("shared::cta") || !x.take("bulk_group")) {
    x.unsupported();
  }
  x.want_operands((load ? 4 : 3) + take_hint(x));
  std::uint8_t narrow = 0;
  if (load) {
    lower_address(x, x.operand(3), Space::shared, 2);
    if (in.option & kNarrowAddress) narrow |= kNarrowMbarrier;
    in.option = 0;
    in.ref[4] = x.constant(in.imm, RegClass::wide);
  }
  lower_address(x, x.operand(load ? 0 : 1), Space::shared, 1);
  if (in.option & kNarrowAddress) narrow |= kNarrowShared;
  in.aux = static_cast<std::uint32_t>(in.imm);
  in.option = 0;
  lower_address(x, x.operand(load ? 1 : 0), Space::global);
  in.option = narrow;
  x.use(3, x.operand(2), Type::u32);
  describe(x, load ? MemOp::load : MemOp::store, AsyncCopy::bulk);
  x.set(copy, OpClass::memory);
}

void lower_prefetch_of(Lowering& x) {
  if (!x.take("L2") || !x.take("global")) x.unsupported();
  x.want_operands(2 + take_hint(x));
  lower_address(x, x.operand(0), Space::global);
  x.use(3, x.operand(1), Type::u32);
  describe(x, MemOp::load, AsyncCopy::bulk_prefetch);
  x.set(prefetch, OpClass::memory);
}

}  // namespace

void lower_bulk(Lowering& x) {
  if (x.take("tensor")) x.bad("copies of tensors (cp.async.bulk.tensor) are not supported");
  if (x.take("prefetch")) return lower_prefetch_of(x);
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
