// SPDX-License-Identifier: Apache-2.0
// atom and red (PTX ISA 6.x sections 9.7.12.3-4): lanes execute in ascending order.
#include <algorithm>

#include "program/ptx/cluster_access.hpp"
#include "program/ptx/float_math.hpp"
#include "program/ptx/ops.hpp"

namespace warpmem::program::ptx {
namespace {

enum class AtomicOp : std::uint8_t { add, min, max, inc, dec, exch, cas, and_, or_, xor_, add_f16 };

constexpr std::pair<std::string_view, AtomicOp> kOps[] = {
    {"add", AtomicOp::add},  {"min", AtomicOp::min},  {"max", AtomicOp::max},
    {"inc", AtomicOp::inc},  {"dec", AtomicOp::dec},  {"exch", AtomicOp::exch},
    {"cas", AtomicOp::cas},  {"and", AtomicOp::and_}, {"or", AtomicOp::or_},
    {"xor", AtomicOp::xor_},
};

std::uint32_t add_halves(std::uint32_t a, std::uint32_t b) {
  const auto low = add_half(static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b));
  const auto high =
      add_half(static_cast<std::uint16_t>(a >> 16), static_cast<std::uint16_t>(b >> 16));
  return std::uint32_t(high) << 16 | low;
}

template <class T>
T combine(AtomicOp op, T old, T b, T c, bool flush_single) {
  if constexpr (std::is_floating_point_v<T>) {
    // Single precision in global memory flushes subnormals; in shared memory it does not.
    if (flush_single) return canonical(flush(flush(old) + flush(b)));
    return canonical(old + b);
  } else {
    using U = std::make_unsigned_t<T>;
    switch (op) {
      case AtomicOp::add:
        return static_cast<T>(static_cast<U>(old) + static_cast<U>(b));
      case AtomicOp::min:
        return std::min(old, b);
      case AtomicOp::max:
        return std::max(old, b);
      case AtomicOp::inc:
        return old >= b ? T(0) : static_cast<T>(old + 1);
      case AtomicOp::dec:
        return old == 0 || old > b ? b : static_cast<T>(old - 1);
      case AtomicOp::exch:
        return b;
      case AtomicOp::cas:
        return old == b ? c : old;
      case AtomicOp::and_:
        return static_cast<T>(old & b);
      case AtomicOp::or_:
        return static_cast<T>(old | b);
      case AtomicOp::xor_:
        return static_cast<T>(old ^ b);
      case AtomicOp::add_f16:
        return static_cast<T>(
            add_halves(static_cast<std::uint32_t>(old), static_cast<std::uint32_t>(b)));
    }
    return old;
  }
}

/// ref: 0 = address, 1 = b, 2 = c (cas), 3 = d (atom)
template <class T, class Access>
void atomic(Warp& w, const Inst& in) {
  CtaState& c = *w.cta;
  c.issue.space = Access::resolve(w, in, sizeof(T));
  c.issue.address = c.address.data();
  c.issue.data = c.data.data();
  if (c.issue.space == Space::local)
    fault(w, in, static_cast<unsigned>(__builtin_ctz(w.lanes)), "atomic on local memory");
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

template <bool returns>
void lower_atomic(Lowering& x) {
  Inst& in = x.inst();
  InstInfo& info = x.info();
  const Space space = take_access_space(x);
  if (!x.take("relaxed") && !x.take("acquire") && !x.take("release")) x.take("acq_rel");
  take_scope(x);
  const auto* found = std::find_if(std::begin(kOps), std::end(kOps),
                                   [&](const auto& o) { return x.take(o.first); });
  if (found == std::end(kOps)) x.unsupported();
  AtomicOp op = found->second;
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

void add_atomic(LowerTable& t) {
  t["atom"] = lower_atomic<true>;
  t["red"] = lower_atomic<false>;
}

}  // namespace warpmem::program::ptx
