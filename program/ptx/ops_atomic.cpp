// SPDX-License-Identifier: Apache-2.0
// atom and red (PTX ISA 6.x sections 9.7.12.3-4): lanes execute in ascending order.
#include <algorithm>

#include "program/ptx/cluster_access.hpp"
#include "program/ptx/combine.hpp"
#include "program/ptx/ops.hpp"

namespace warpmem::program::ptx {
namespace {

constexpr std::pair<std::string_view, AtomicOp> kOps[] = {
    {"add", AtomicOp::add},  {"min", AtomicOp::min},  {"max", AtomicOp::max},
    {"inc", AtomicOp::inc},  {"dec", AtomicOp::dec},  {"exch", AtomicOp::exch},
    {"cas", AtomicOp::cas},  {"and", AtomicOp::and_}, {"or", AtomicOp::or_},
    {"xor", AtomicOp::xor_},
};

template <class Access>
[[gnu::noinline]] void resolve(Warp& w, const Inst& in, unsigned bytes) {
  CtaState& c = *w.cta;
  c.issue.space = Access::resolve(w, in, bytes);
  c.issue.address = c.address.data();
  c.issue.data = c.data.data();
  if (c.issue.space == Space::local)
    fault(w, in, static_cast<unsigned>(__builtin_ctz(w.lanes)), "atomic on local memory");
}
/// Changes what the lanes have places for.
template <class T>
[[gnu::noinline]] void execute(Warp& w, const Inst& in) {
  CtaState& c = *w.cta;
  const auto op = static_cast<AtomicOp>(in.aux);
  const bool flush_single = std::is_same_v<T, float> && c.issue.space == Space::global;
  T before[kWarpLanes];
  for_lanes(w.lanes, [&](unsigned i) {
    T old;
    std::memcpy(&old, c.place[i], sizeof old);
    const T b = lane<T>(w, in.ref[1], i);
    const T third = op == AtomicOp::cas ? lane<T>(w, in.ref[2], i) : T(0);
    const T now = combine(op, old, b, third, flush_single);
    std::memcpy(c.place[i], &now, sizeof now);
    before[i] = old;
  });
  // Every lane reports what all lanes together left at its address.
  for_lanes(w.lanes, [&](unsigned i) {
    std::memcpy(c.data.data() + i * Issue::kLaneBytes, c.place[i], sizeof(T));
    if (in.ref[3] != kNoRef) set_lane<T>(w, in.ref[3], i, before[i]);
  });
}
/// ref: 0 = address, 1 = b, 2 = c (cas), 3 = d (atom)
template <class T, class Access>
void atomic(Warp& w, const Inst& in) {
  resolve<Access>(w, in, sizeof(T));
  execute<T>(w, in);
}

template <class T>
Handler in_space(const Lowering& x, Space space) {
  switch (space) {
    case Space::global:
      return atomic<T, GlobalAccess>;
    case Space::shared:
      return atomic<T, SharedAccess>;
    case Space::cluster:
      return atomic<T, ClusterAccess>;
    case Space::generic:
      return atomic<T, GenericAccess>;
    default:
      x.unsupported();
  }
}

/// This is PTX's table of operations and types.
bool allowed(AtomicOp op, Type type) {
  switch (op) {
    case AtomicOp::add:
      return type == Type::u32 || type == Type::s32 || type == Type::u64 || type == Type::s64 ||
             type == Type::f32 || type == Type::f64;  // .s64 wraps as .u64 does
    case AtomicOp::add_f16:
      return is_half(type);
    case AtomicOp::min:
    case AtomicOp::max:
      return type == Type::u32 || type == Type::s32 || type == Type::u64 || type == Type::s64;
    case AtomicOp::inc:
    case AtomicOp::dec:
      return type == Type::u32;
    case AtomicOp::cas:
      return type == Type::b16 || type == Type::b32 || type == Type::b64;
    default:
      return type == Type::b32 || type == Type::b64;
  }
}

AtomicOp take_atomic_op(Lowering& x) {
  const auto* found = std::find_if(std::begin(kOps), std::end(kOps),
                                   [&](const auto& o) { return x.take(o.first); });
  if (found == std::end(kOps)) x.unsupported();
  return found->second;
}

Element element_of(const Lowering& x, Type type) {
  switch (type) {
    case Type::u32:
    case Type::b32:
      return Element::u32;
    case Type::s32:
      return Element::s32;
    case Type::u64:
    case Type::b64:
      return Element::u64;
    case Type::s64:
      return Element::s64;
    case Type::f16:
      return Element::f16;
    case Type::f32:
      return Element::f32;
    case Type::f64:
      return Element::f64;
    default:
      x.unsupported();
  }
}

template <bool returns>
void lower_atomic(Lowering& x) {
  if (!returns && x.take("async")) return lower_async_reduction(x);
  Inst& in = x.inst();
  InstInfo& info = x.info();
  const Space space = take_access_space(x);
  if (!x.take("relaxed") && !x.take("acquire") && !x.take("release")) x.take("acq_rel");
  take_scope(x);
  AtomicOp op = take_atomic_op(x);
  if (has_elements(x, op)) return lower_element_atomic(x, op, space, returns);
  in.type = x.take_type();
  if (op == AtomicOp::add && is_half(in.type)) {
    if (!x.take("noftz")) x.unsupported();
    op = AtomicOp::add_f16;
  }
  if (!allowed(op, in.type) || size_bytes(in.type) < 2) x.unsupported();
  in.aux = static_cast<std::uint32_t>(op);
  const bool compare = op == AtomicOp::cas;
  if (!returns && (compare || op == AtomicOp::exch)) x.unsupported();
  const std::size_t first = returns ? 1 : 0;
  x.want_operands(first + 2 + (compare ? 1 : 0));
  if (returns) x.def(3, x.operand(0), in.type);
  lower_address(x, x.operand(first), space);
  x.use(1, x.operand(first + 1), in.type);
  if (compare) x.use(2, x.operand(first + 2), in.type);

  Handler h = nullptr;
  switch (in.type) {
    case Type::b16:
    case Type::f16:
      h = in_space<std::uint16_t>(x, space);
      break;
    case Type::u32:
    case Type::b32:
    case Type::f16x2:
      h = in_space<std::uint32_t>(x, space);
      break;
    case Type::s32:
      h = in_space<std::int32_t>(x, space);
      break;
    case Type::u64:
    case Type::b64:
      h = in_space<std::uint64_t>(x, space);
      break;
    case Type::s64:
      h = in_space<std::int64_t>(x, space);
      break;
    case Type::f32:
      h = in_space<float>(x, space);
      break;
    case Type::f64:
      h = in_space<double>(x, space);
      break;
    default:
      x.unsupported();
  }
  info.mem = returns ? MemOp::atomic : MemOp::reduction;
  info.space = space;
  info.bytes = static_cast<std::uint8_t>(size_bytes(in.type));
  x.set(h, OpClass::memory);
}

}  // namespace

Reduction take_reduction(Lowering& x, bool shared) {
  const auto refuse = [&x, shared] {
    x.bad(shared
              ? "this reduction is not supported; allowed in shared memory: add of u32, s32 and "
                "u64, min and max of u32 and s32, inc and dec of u32, and, or and xor of b32"
              : "this reduction is not supported; allowed in global memory: add of u32, s32, "
                "u64, f32 and f64, add.noftz of f16 and bf16, min and max of u32, s32, u64, s64, "
                "f16 and bf16, inc and dec of u32, and, or and xor of b32 and b64");
  };
  const AtomicOp op = take_atomic_op(x);
  const bool exact = x.take("noftz");
  if (x.take("bf16")) {
    const Reduction reduction{op, Element::bf16};
    if (shared || exact != (op == AtomicOp::add) || !reduction.exists()) refuse();
    return reduction;
  }
  const Type type = x.take_type();
  const Reduction reduction{op, element_of(x, type)};
  const bool half = type == Type::f16;
  if (!reduction.exists() || exact != (half && op == AtomicOp::add)) refuse();
  if (!half && !allowed(op, type)) refuse();
  const bool wide = size_bytes(type) == 8 && op != AtomicOp::add;
  if (shared && (wide || half || type == Type::f32 || type == Type::f64)) refuse();
  return reduction;
}

Reduction take_tile_reduction(Lowering& x) {
  const Reduction reduction{take_atomic_op(x), Element::u32};  // which all operations take
  if (!reduction.exists())
    x.bad(
        "this reduction is not supported; allowed of tiles: add, min, max, inc, dec, and, or and "
        "xor");
  return reduction;
}

void add_atomic(LowerTable& t) {
  t["atom"] = lower_atomic<true>;
  t["red"] = lower_atomic<false>;
}

}  // namespace warpmem::program::ptx
