// SPDX-License-Identifier: Apache-2.0
// Exchange among the lanes of a warp: vote match shfl activemask redux (PTX ISA 6.x sections 9.7.8
// and 9.7.12, 7.0 section 9.7.12.8). Only lanes that execute take part; the .sync forms keep to
// their member mask.
#include <algorithm>
#include <functional>

#include "program/ptx/ops.hpp"

namespace warpmem::program::ptx {
namespace {

// ---- vote
// ------------------------------------------------------------------------------------------

enum class Vote : std::uint8_t { all, any, uni, ballot };

/// Returns the member mask of a lane: ref[2], or everybody.
LaneMask members(Warp& w, const Inst& in, unsigned i) {
  return in.ref[2] == kNoRef ? w.lanes : lane<std::uint32_t>(w, in.ref[2], i) & w.lanes;
}

/// ref: 0 = d, 1 = predicate, 2 = member mask
void vote(Warp& w, const Inst& in) {
  const LaneMask p = predicate(w, in.ref[1]);
  LaneMask result = 0;
  each_lane(w, [&](unsigned i) {
    const LaneMask m = members(w, in, i);
    bool yes = false;
    switch (static_cast<Vote>(in.option)) {
      case Vote::all:
        yes = (p & m) == m;
        break;
      case Vote::any:
        yes = (p & m) != 0;
        break;
      case Vote::uni:
        yes = (p & m) == m || (p & m) == 0;
        break;
      case Vote::ballot:
        return set_lane<std::uint32_t>(w, in.ref[0], i, p & m);
    }
    if (yes) result |= LaneMask(1) << i;
  });
  if (static_cast<Vote>(in.option) != Vote::ballot) set_predicate(w, in.ref[0], result);
}

void lower_vote(Lowering& x) {
  const bool sync = x.take("sync");
  Vote how;
  if (x.take("all"))
    how = Vote::all;
  else if (x.take("any"))
    how = Vote::any;
  else if (x.take("uni"))
    how = Vote::uni;
  else if (x.take("ballot"))
    how = Vote::ballot;
  else
    x.unsupported();
  const Type result = how == Vote::ballot ? Type::b32 : Type::pred;
  if (x.take_type() != result) x.unsupported();
  x.want_operands(sync ? 3 : 2);
  x.def(0, x.operand(0), result);
  x.use(1, x.operand(1), Type::pred);
  if (sync) x.use(2, x.operand(2), Type::b32);
  x.inst().option = static_cast<std::uint8_t>(how);
  x.set(vote, OpClass::int_alu);
}

// ---- match
// -----------------------------------------------------------------------------------------

/// ref: 0 = d, 1 = a, 2 = member mask, 3 = p (all)
template <class T, bool all>
void match(Warp& w, const Inst& in) {
  LaneMask agree = 0;
  std::uint32_t result[kWarpLanes] = {};
  each_lane(w, [&](unsigned i) {
    const LaneMask m = members(w, in, i);
    const T mine = lane<T>(w, in.ref[1], i);
    LaneMask same = 0;
    for_lanes(m, [&](unsigned k) {
      if (lane<T>(w, in.ref[1], k) == mine) same |= LaneMask(1) << k;
    });
    result[i] = all && same != m ? 0 : same;
    if (same == m) agree |= LaneMask(1) << i;
  });
  each_lane(w, [&](unsigned i) {
    if (in.imm == 8)
      set_lane<std::uint64_t>(w, in.ref[0], i, result[i]);
    else
      set_lane<std::uint32_t>(w, in.ref[0], i, result[i]);
  });
  if (all && in.ref[3] != kNoRef) set_predicate(w, in.ref[3], agree);
}

void lower_match(Lowering& x) {
  const bool all = x.take("all");
  if ((!all && !x.take("any")) || !x.take("sync")) x.unsupported();
  const Type type = x.take_type();
  if (type != Type::b32 && type != Type::b64) x.unsupported();
  x.want_operands(3);
  Operand d = x.operand(0);
  if (all && !d.elements.empty()) x.def(3, d.elements[0], Type::pred);
  d.elements.clear();
  // clang 14 gives the mask of a 64-bit match.any a register of 64 bits.
  x.inst().imm = x.def_any(0, d, Type::b32) == RegClass::wide ? 8 : 4;
  if (x.inst().imm == 8 && type != Type::b64) x.bad("the destination is too wide");
  x.use(1, x.operand(1), type);
  x.use(2, x.operand(2), Type::b32);
  if (type == Type::b32)
    x.set(all ? match<std::uint32_t, true> : match<std::uint32_t, false>, OpClass::int_alu);
  else
    x.set(all ? match<std::uint64_t, true> : match<std::uint64_t, false>, OpClass::int_alu);
}

// ---- shfl
// ------------------------------------------------------------------------------------------

enum class Shuffle : std::uint8_t { up, down, bfly, idx };

/// ref: 0 = d, 1 = a, 2 = b, 3 = c, 4 = p
void shfl(Warp& w, const Inst& in) {
  std::uint32_t result[kWarpLanes] = {};
  LaneMask in_range = 0;
  each_lane(w, [&](unsigned i) {
    const auto b = static_cast<int>(lane<std::uint32_t>(w, in.ref[2], i) & 31);
    const std::uint32_t c = lane<std::uint32_t>(w, in.ref[3], i);
    const int clamp = static_cast<int>(c & 31), segment = static_cast<int>(c >> 8 & 31);
    const int self = static_cast<int>(i);
    const int max_lane = (self & segment) | (clamp & ~segment), min_lane = self & segment;
    int j = 0;
    bool valid = false;
    switch (static_cast<Shuffle>(in.option)) {
      case Shuffle::up:
        j = self - b;
        valid = j >= max_lane;
        break;
      case Shuffle::down:
        j = self + b;
        valid = j <= max_lane;
        break;
      case Shuffle::bfly:
        j = self ^ b;
        valid = j <= max_lane;
        break;
      case Shuffle::idx:
        j = min_lane | (b & ~segment);
        valid = j <= max_lane;
        break;
    }
    if (!valid) j = self;
    // Reading a lane that does not execute is undefined in PTX; it reads that lane's register.
    result[i] = lane<std::uint32_t>(w, in.ref[1], static_cast<unsigned>(j));
    if (valid) in_range |= LaneMask(1) << i;
  });
  each_lane(w, [&](unsigned i) { set_lane<std::uint32_t>(w, in.ref[0], i, result[i]); });
  if (in.ref[4] != kNoRef) set_predicate(w, in.ref[4], in_range);
}

void lower_shfl(Lowering& x) {
  const bool sync = x.take("sync");
  Shuffle how;
  if (x.take("up"))
    how = Shuffle::up;
  else if (x.take("down"))
    how = Shuffle::down;
  else if (x.take("bfly"))
    how = Shuffle::bfly;
  else if (x.take("idx"))
    how = Shuffle::idx;
  else
    x.unsupported();
  if (x.take_type() != Type::b32) x.unsupported();
  x.want_operands(sync ? 5 : 4);
  Operand d = x.operand(0);
  if (!d.elements.empty()) x.def(4, d.elements[0], Type::pred);
  d.elements.clear();
  x.def(0, d, Type::b32);
  x.use(1, x.operand(1), Type::b32);
  x.use(2, x.operand(2), Type::b32);
  x.use(3, x.operand(3), Type::b32);
  if (sync) x.use(5, x.operand(4), Type::b32);
  x.inst().option = static_cast<std::uint8_t>(how);
  x.set(shfl, OpClass::int_alu);
}

void lower_activemask(Lowering& x) {
  if (x.take_type() != Type::b32) x.unsupported();
  x.want_operands(1);
  x.def(0, x.operand(0), Type::b32);
  x.set(
      [](Warp& w, const Inst& in) {
        each_lane(w, [&](unsigned i) { set_lane<std::uint32_t>(w, in.ref[0], i, w.lanes); });
      },
      OpClass::int_alu);
}

/// ref: 0 = d, 2 = member mask, 4 = p. The first of the members is elected.
void elect(Warp& w, const Inst& in) {
  LaneMask elected = 0;
  each_lane(w, [&](unsigned i) {
    const auto mask = lane<std::uint32_t>(w, in.ref[2], i);
    const auto first = mask == 0 ? 0 : static_cast<unsigned>(__builtin_ctz(mask));
    if (first == i) elected |= LaneMask(1) << i;
    set_lane<std::uint32_t>(w, in.ref[0], i, first);
  });
  if (in.ref[4] != kNoRef) set_predicate(w, in.ref[4], elected);
}

void lower_elect(Lowering& x) {
  if (!x.take("sync")) x.unsupported();
  x.want_operands(2);
  Operand d = x.operand(0);
  if (!d.elements.empty()) x.def(4, d.elements[0], Type::pred);
  d.elements.clear();
  x.def(0, d, Type::b32);
  x.use(2, x.operand(1), Type::b32);
  x.set(elect, OpClass::int_alu);
}

// ---- redux
// -----------------------------------------------------------------------------------------

/// ref: 0 = d, 1 = a, 2 = member mask
template <class T, class Combine>
void redux(Warp& w, const Inst& in) {
  std::uint32_t result[kWarpLanes] = {};
  each_lane(w, [&](unsigned i) {
    T all = lane<T>(w, in.ref[1], i);
    for_lanes(members(w, in, i) & ~(LaneMask(1) << i),
              [&](unsigned k) { all = Combine()(all, lane<T>(w, in.ref[1], k)); });
    result[i] = static_cast<std::uint32_t>(all);
  });
  each_lane(w, [&](unsigned i) { set_lane<std::uint32_t>(w, in.ref[0], i, result[i]); });
}

struct Least {
  template <class T>
  T operator()(T a, T b) const {
    return std::min(a, b);
  }
};
struct Most {
  template <class T>
  T operator()(T a, T b) const {
    return std::max(a, b);
  }
};

void lower_redux(Lowering& x) {
  if (!x.take("sync")) x.unsupported();
  using Bits = std::uint32_t;
  const bool add = x.take("add"), least = !add && x.take("min");
  const bool most = !add && !least && x.take("max");
  Handler run = nullptr;
  if (add || least || most) {
    const Type type = x.take_type();
    if (type != Type::u32 && type != Type::s32) x.unsupported();
    if (add)  // wraps, whatever the sign
      run = redux<Bits, std::plus<Bits>>;
    else if (type == Type::u32)
      run = least ? redux<Bits, Least> : redux<Bits, Most>;
    else
      run = least ? redux<std::int32_t, Least> : redux<std::int32_t, Most>;
  } else {
    run = x.take("and")   ? redux<Bits, std::bit_and<Bits>>
          : x.take("or")  ? redux<Bits, std::bit_or<Bits>>
          : x.take("xor") ? redux<Bits, std::bit_xor<Bits>>
                          : nullptr;
    if (run == nullptr || x.take_type() != Type::b32) x.unsupported();
  }
  x.want_operands(3);
  x.def(0, x.operand(0), Type::b32);
  x.use(1, x.operand(1), Type::b32);
  x.use(2, x.operand(2), Type::b32);
  x.set(run, OpClass::int_alu);
}

}  // namespace

void add_warp(LowerTable& t) {
  t["vote"] = lower_vote;
  t["match"] = lower_match;
  t["shfl"] = lower_shfl;
  t["elect"] = lower_elect;
  t["activemask"] = lower_activemask;
  t["redux"] = lower_redux;
}

}  // namespace warpmem::program::ptx
