// SPDX-License-Identifier: Apache-2.0
// ld and st in every space, scalar and vector (PTX ISA 6.x sections 9.7.8.8-9.7.8.11), prefetches.
#include "program/ptx/cluster_access.hpp"
#include "program/ptx/ops.hpp"

namespace warpmem::program::ptx {
namespace {

/// Bytes a lane moves.
[[gnu::always_inline]] inline unsigned access_bytes(const Inst& in) {
  return size_bytes(in.type) * in.count;
}

template <unsigned bytes>
[[gnu::always_inline]] inline void gather(CtaState& c) {
  std::uint8_t* const data = c.data.data();
  const std::uint8_t* const* const place = c.place.data();
  for (unsigned i = 0; i < kWarpLanes; ++i)
    std::memcpy(data + i * Issue::kLaneBytes, place[i], bytes);
}
template <unsigned bytes>
[[gnu::always_inline]] inline void scatter(CtaState& c) {
  const std::uint8_t* const data = c.data.data();
  std::uint8_t* const* const place = c.place.data();
  for (unsigned i = 0; i < kWarpLanes; ++i)
    std::memcpy(place[i], data + i * Issue::kLaneBytes, bytes);
}

/// Elements `k` of the lanes, as E, extended into registers of S.
template <class E, class S>
[[gnu::always_inline]] inline void to_registers(Warp& w, Ref r, unsigned k) {
  S* const d = lanes_of<S>(w, r);
  const std::uint8_t* const data = w.cta->data.data() + k * sizeof(E);
  const S lanes = w.lanes;
  for (unsigned i = 0; i < kWarpLanes; ++i) {
    E e;
    std::memcpy(&e, data + i * Issue::kLaneBytes, sizeof e);
    d[i] = (lanes & kLaneBits<S>.bit[i]) ? static_cast<S>(e) : d[i];
  }
}
template <class E, class S>
[[gnu::always_inline]] inline void from_registers(Warp& w, Ref r, unsigned k) {
  const S* const s = lanes_of<S>(w, r);
  std::uint8_t* const data = w.cta->data.data() + k * sizeof(E);
  for (unsigned i = 0; i < kWarpLanes; ++i) {
    const E e = static_cast<E>(s[i]);
    std::memcpy(data + i * Issue::kLaneBytes, &e, sizeof e);
  }
}

/// What a load does once its lanes have places.
struct LoadPlaced {
  [[gnu::always_inline]] static inline void run(Warp& w, const Inst& in) {
    CtaState& c = *w.cta;
    if (in.count == 1 && in.aux == 4 && size_bytes(in.type) == 4 && w.lanes == ~LaneMask(0))
      return load_words(w, in.ref[1]);
    switch (access_bytes(in)) {
      case 1:
        gather<1>(c);
        break;
      case 2:
        gather<2>(c);
        break;
      case 4:
        gather<4>(c);
        break;
      case 8:
        gather<8>(c);
        break;
      default:
        gather<16>(c);
        break;
    }
    for (unsigned k = 0; k < in.count; ++k) deliver(w, in, k);
  }

 private:
  // Most loads are of a word in every lane. It goes to the register at once: reading as a vector
  // what has just been written lane by lane would make the host wait.
  [[gnu::always_inline]] static inline void load_words(Warp& w, Ref r) {
    auto* const d = lanes_of<std::uint32_t>(w, r);
    std::uint8_t* const data = w.cta->data.data();
    const std::uint8_t* const* const place = w.cta->place.data();
    for (unsigned i = 0; i < kWarpLanes; ++i) {
      std::uint32_t word;
      std::memcpy(&word, place[i], sizeof word);
      std::memcpy(data + i * Issue::kLaneBytes, &word, sizeof word);
      d[i] = word;
    }
  }
  [[gnu::always_inline]] static inline void deliver(Warp& w, const Inst& in, unsigned k) {
    const Ref r = in.ref[1 + k];
    if (in.aux == 4) {
      switch (in.type) {
        case Type::u8:
        case Type::b8:
          return to_registers<std::uint8_t, std::uint32_t>(w, r, k);
        case Type::s8:
          return to_registers<std::int8_t, std::uint32_t>(w, r, k);
        case Type::u16:
        case Type::b16:
        case Type::f16:
          return to_registers<std::uint16_t, std::uint32_t>(w, r, k);
        case Type::s16:
          return to_registers<std::int16_t, std::uint32_t>(w, r, k);
        default:
          return to_registers<std::uint32_t, std::uint32_t>(w, r, k);
      }
    }
    switch (in.type) {
      case Type::u8:
      case Type::b8:
        return to_registers<std::uint8_t, std::uint64_t>(w, r, k);
      case Type::s8:
        return to_registers<std::int8_t, std::uint64_t>(w, r, k);
      case Type::u16:
      case Type::b16:
      case Type::f16:
        return to_registers<std::uint16_t, std::uint64_t>(w, r, k);
      case Type::s16:
        return to_registers<std::int16_t, std::uint64_t>(w, r, k);
      case Type::u32:
      case Type::b32:
      case Type::f32:
        return to_registers<std::uint32_t, std::uint64_t>(w, r, k);
      case Type::s32:
        return to_registers<std::int32_t, std::uint64_t>(w, r, k);
      default:
        return to_registers<std::uint64_t, std::uint64_t>(w, r, k);
    }
  }
};

struct StorePlaced {
  [[gnu::always_inline]] static inline void run(Warp& w, const Inst& in) {
    CtaState& c = *w.cta;
    for (unsigned k = 0; k < in.count; ++k) collect(w, in, k);
    switch (access_bytes(in)) {
      case 1:
        scatter<1>(c);
        break;
      case 2:
        scatter<2>(c);
        break;
      case 4:
        scatter<4>(c);
        break;
      case 8:
        scatter<8>(c);
        break;
      default:
        scatter<16>(c);
        break;
    }
  }

 private:
  [[gnu::always_inline]] static inline void collect(Warp& w, const Inst& in, unsigned k) {
    // A register wider than the type gives its low bytes. aux bits: 1 << k of the wide registers.
    const Ref r = in.ref[1 + k];
    const bool wide = in.aux >> k & 1;
    switch (size_bytes(in.type)) {
      case 1:
        return wide ? from_registers<std::uint8_t, std::uint64_t>(w, r, k)
                    : from_registers<std::uint8_t, std::uint32_t>(w, r, k);
      case 2:
        return wide ? from_registers<std::uint16_t, std::uint64_t>(w, r, k)
                    : from_registers<std::uint16_t, std::uint32_t>(w, r, k);
      case 4:
        return wide ? from_registers<std::uint32_t, std::uint64_t>(w, r, k)
                    : from_registers<std::uint32_t, std::uint32_t>(w, r, k);
      default:
        return from_registers<std::uint64_t, std::uint64_t>(w, r, k);
    }
  }
};

// The loops over the bytes are the same in every space, so they are compiled apart from the places.
const Handler load_placed = vector_handler<LoadPlaced>();
const Handler store_placed = vector_handler<StorePlaced>();

template <class Access>
[[gnu::always_inline]] inline void resolve(Warp& w, const Inst& in) {
  CtaState& c = *w.cta;
  c.issue.space = Access::resolve(w, in, access_bytes(in));
  c.issue.address = c.address.data();
  c.issue.data = c.data.data();
}
/// ref: 0 = address, 1.. = registers; aux: bytes of a register lane.
template <class Access>
struct Load {
  [[gnu::always_inline]] static inline void run(Warp& w, const Inst& in) {
    resolve<Access>(w, in);
    load_placed(w, in);
  }
};
template <class Access>
struct Store {
  [[gnu::always_inline]] static inline void run(Warp& w, const Inst& in) {
    resolve<Access>(w, in);
    store_placed(w, in);
  }
};

template <template <class> class Body>
Handler space_handler(Space space) {
  switch (space) {
    case Space::global:
      return vector_handler<Body<GlobalAccess>>();
    case Space::constant:
      return vector_handler<Body<ConstantAccess>>();
    case Space::shared:
      return vector_handler<Body<SharedAccess>>();
    case Space::local:
      return vector_handler<Body<LocalAccess>>();
    case Space::param:
      return vector_handler<Body<ParameterAccess>>();
    case Space::cluster:
      return vector_handler<Body<ClusterAccess>>();
    default:
      return vector_handler<Body<GenericAccess>>();
  }
}

}  // namespace

Space take_access_space(Lowering& x) {
  if (x.take("global")) return Space::global;
  if (x.take("shared") || x.take("shared::cta")) return Space::shared;
  if (x.take("shared::cluster")) return Space::cluster;
  if (x.take("local")) return Space::local;
  if (x.take("const")) return Space::constant;
  if (x.take("param")) return Space::param;
  return Space::generic;
}

bool take_scope(Lowering& x) {
  return x.take("cta") || x.take("cluster") || x.take("gpu") || x.take("sys");
}

void lower_address(Lowering& x, const Operand& o, Space space, unsigned slot) {
  if (o.kind != Operand::Kind::address) x.bad("the address must be in brackets");
  if (o.elements.size() != 1) x.unsupported();
  Inst& in = x.inst();
  const Operand& base = o.elements[0];
  in.imm = o.offset;
  if (base.kind == Operand::Kind::reg) {
    const bool windowed = space == Space::shared || space == Space::cluster ||
                          space == Space::local || space == Space::param;
    if (reg_class(x.function().registers[base.index].type) == RegClass::word && windowed) {
      in.option |= kNarrowAddress;
      return x.use(slot, base, Type::u32);
    }
    return x.use(slot, base, Type::u64);
  }
  in.ref[slot] = x.constant(0, RegClass::wide);
  if (base.kind == Operand::Kind::integer) {
    in.imm += base.bits;
  } else if (base.kind == Operand::Kind::variable &&
             x.function().variables[base.index].space == Space::local) {
    in.imm += x.variable_offset(base.index) + base.offset;
    in.option |= kFrameLocal;  // the kernel's frame begins at 0
    if (space == Space::generic) {
      in.imm += kLocalWindow;
    } else if (space != Space::local) {
      x.bad("`" + std::string(base.text) + "` is a local variable");
    }
  } else {
    in.imm += x.address_of(base);
    if (base.kind == Operand::Kind::module_variable && space == Space::generic &&
        x.module().ast.variables[base.index].space == Space::shared)
      in.imm += kSharedWindow;
  }
}

namespace {

/// Arguments and results of calls: registers on the hardware, so no memory access is reported.
bool is_call_parameter(const Lowering& x, const Operand& address) {
  if (!x.function().entry) return true;
  const Operand& base = address.elements[0];
  return base.kind == Operand::Kind::variable && x.variable_offset(base.index) >= kFrameParameters;
}

/// The order is weak, volatile, or an order with its scope; what others may change meanwhile
/// bypasses L1D.
void take_order(Lowering& x, bool is_load) {
  if (x.take("weak")) return;
  if (x.take("volatile")) {
    x.info().volatile_access = true;
  } else if (x.take("relaxed") || x.take(is_load ? "acquire" : "release")) {
    if (!take_scope(x)) x.unsupported();
    x.info().volatile_access = true;
  }
}

constexpr unsigned kPolicySlot = 5;  // behind address and value

/// What caches should keep and how much L2 should fetch are hints, but for one: what L1D is not to
/// allocate goes past it. Returns whether a policy follows the operands, which is a hint, too.
bool take_hints(Lowering& x, bool is_load) {
  if (x.take("L1::no_allocate")) {
    x.info().volatile_access = true;
  } else {
    for (const char* keeps : {"normal", "unchanged", "first", "last"})
      if (x.take(std::string("L1::evict_") + keeps)) break;
  }
  if (is_load)
    for (const char* fetches : {"L2::64B", "L2::128B", "L2::256B"})
      if (x.take(fetches)) break;
  return x.take("L2::cache_hint");
}

template <bool is_load, bool uniform = false>
void lower_access(Lowering& x) {
  if (!is_load && x.take("async")) return lower_async_store(x);
  Inst& in = x.inst();
  InstInfo& info = x.info();
  const Space space = take_access_space(x);
  if (uniform) {  // ldu has the space alone
    if (space != Space::global && space != Space::generic) x.unsupported();
  } else {
    take_order(x, is_load);
  }
  if (!uniform && x.take("nc") && (!is_load || space != Space::global)) x.unsupported();
  if (!uniform && (x.take("cg") || x.take(is_load ? "cv" : "wt")))
    info.volatile_access = true;
  else if (!uniform && !x.take("cs") && !x.take(is_load ? "ca" : "wb") && is_load)
    x.take("lu");
  const bool hinted = !uniform && (space == Space::global || space == Space::generic);
  const bool policy = hinted && take_hints(x, is_load);
  in.count = x.take("v2") ? 2 : x.take("v4") ? 4 : 1;
  in.type = x.take_type();
  if (size_bytes(in.type) == 0 || in.type == Type::f16x2) x.unsupported();
  if (access_bytes(in) > Issue::kLaneBytes) x.unsupported();
  if (!is_load && space == Space::constant) x.unsupported();
  x.want_operands(policy ? 3 : 2);
  if (policy) x.use(kPolicySlot, x.operand(2), Type::b64);
  const Operand& address = x.operand(is_load ? 1 : 0);
  const Operand& value = x.operand(is_load ? 0 : 1);
  lower_address(x, address, space);

  const bool braces = value.kind == Operand::Kind::vector;
  if (in.count > 1 && (!braces || value.elements.size() != in.count))
    x.bad("the vector needs " + std::to_string(in.count) + " elements");
  if (in.count == 1 && braces && value.elements.size() != 1) x.bad("one register, not a vector");
  in.aux = is_load ? 4 : 0;
  for (unsigned k = 0; k < in.count; ++k) {
    const Operand& element = braces ? value.elements[k] : value;
    if (is_load) {
      const unsigned lane_bytes = x.def_any(1 + k, element, in.type) == RegClass::wide ? 8 : 4;
      if (k > 0 && lane_bytes != in.aux) x.bad("the vector mixes register sizes");
      in.aux = lane_bytes;
    } else if (x.use_any(1 + k, element, in.type) == RegClass::wide) {
      in.aux |= 1u << k;
    }
  }
  if (space == Space::param && is_call_parameter(x, address)) {
    return x.set(is_load ? space_handler<Load>(space) : space_handler<Store>(space),
                 OpClass::int_alu);
  }
  if (space == Space::param && !is_load) x.bad("a kernel cannot write its parameters");
  info.mem = is_load ? MemOp::load : MemOp::store;
  info.space = space;
  info.bytes = static_cast<std::uint8_t>(access_bytes(in));
  x.set(is_load ? space_handler<Load>(space) : space_handler<Store>(space), OpClass::memory);
}

template <bool uniform>
void lower_prefetch(Lowering& x) {
  if (!uniform && x.take("param")) {
    if (!x.take("tensormap")) x.unsupported();
  } else if (uniform || !x.take("tensormap")) {
    const bool global = !uniform && x.take("global");
    if (!uniform && !global) x.take("local");
    const bool known = x.take("L1") || (!uniform && x.take("L2")) ||
                       (global && (x.take("L2::evict_last") || x.take("L2::evict_normal")));
    if (!known) x.unsupported();
  }
  x.want_operands(1);
  lower_address(x, x.operand(0), Space::generic);
  // This is a hint: the address may even be invalid.
  x.set([](Warp&, const Inst&) {}, OpClass::int_alu);
}

/// applypriority and discard: what a cache does with a line of 128 bytes, and so a hint.
void lower_line_hint(Lowering& x, std::string_view what) {
  x.take("global");
  if (!x.take(what)) x.unsupported();
  x.want_operands(2);
  lower_address(x, x.operand(0), Space::global);
  if (x.number(x.operand(1), Type::u32) != 128) x.bad("the size is 128");
  x.set([](Warp&, const Inst&) {}, OpClass::int_alu);
}
void lower_apply_priority(Lowering& x) { lower_line_hint(x, "L2::evict_normal"); }
/// The line may lose what was written to it; here it keeps it.
void lower_discard(Lowering& x) { lower_line_hint(x, "L2"); }

/// A policy says what caches should keep. All of them are alike here, and zero.
void lower_policy(Lowering& x) {
  if (x.take("cvt")) {
    if (!x.take("L2")) x.unsupported();
    x.want_operands(2);
    x.use(1, x.operand(1), Type::b64);
  } else {
    const bool range = x.take("range");
    if (!range && !x.take("fractional")) x.unsupported();
    if (range) x.take("global");
    const bool known = x.take("L2::evict_last") || x.take("L2::evict_normal") ||
                       x.take("L2::evict_first") || x.take("L2::evict_unchanged");
    if (!known) x.unsupported();
    if (!x.take("L2::evict_first")) x.take("L2::evict_unchanged");
    if (range) {
      x.want_operands(4);
      lower_address(x, x.operand(1), Space::global, 1);
      x.use(2, x.operand(2), Type::u32);
      x.use(3, x.operand(3), Type::u32);
    } else if (x.operands() != 1) {
      x.want_operands(2);
      x.use(1, x.operand(1), Type::f32);
    }
  }
  if (x.take_type() != Type::b64) x.unsupported();
  x.def(0, x.operand(0), Type::b64);
  x.set(
      [](Warp& w, const Inst& in) {
        each_lane(w, [&](unsigned i) { set_lane<std::uint64_t>(w, in.ref[0], i, 0); });
      },
      OpClass::int_alu);
}

}  // namespace

void add_memory(LowerTable& t) {
  t["applypriority"] = lower_apply_priority;
  t["createpolicy"] = lower_policy;
  t["discard"] = lower_discard;
  t["ld"] = lower_access<true>;
  t["ldu"] = lower_access<true, true>;
  t["st"] = lower_access<false>;
  t["prefetch"] = lower_prefetch<false>;
  t["prefetchu"] = lower_prefetch<true>;
}

}  // namespace warpmem::program::ptx
