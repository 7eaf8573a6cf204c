// SPDX-License-Identifier: Apache-2.0
// mov (registers, numbers, addresses, special registers, packing), cvta, isspacep (PTX ISA 6.x
// section 9.7.8).
#include "program/ptx/cluster_access.hpp"
#include "program/ptx/module.hpp"
#include "program/ptx/ops.hpp"
#include "program/ptx/special.hpp"

namespace warpmem::program::ptx {
namespace {

template <class T>
struct Same {
  static T apply(T a) { return a; }
};

Handler copy_handler(RegClass c) {
  return c == RegClass::wide ? map_handler<Same<std::uint64_t>, std::uint64_t, 1>()
                             : map_handler<Same<std::uint32_t>, std::uint32_t, 1>();
}

std::uint64_t clock_of(const Warp& w) {
  return w.cta->view.clock != nullptr ? *w.cta->view.clock : 0;
}

/// A register that tells of the cluster.
std::uint64_t cluster_value(const CtaState& c, Special s) {
  const Dim3 shape = c.launch->traits.cluster, count = c.launch->clusters.count();
  switch (s) {
    case Special::clusterid_x:
      return c.ctaid.x / shape.x;
    case Special::clusterid_y:
      return c.ctaid.y / shape.y;
    case Special::clusterid_z:
      return c.ctaid.z / shape.z;
    case Special::nclusterid_x:
      return count.x;
    case Special::nclusterid_y:
      return count.y;
    case Special::nclusterid_z:
      return count.z;
    case Special::cluster_ctaid_x:
      return c.ctaid.x % shape.x;
    case Special::cluster_ctaid_y:
      return c.ctaid.y % shape.y;
    case Special::cluster_ctaid_z:
      return c.ctaid.z % shape.z;
    case Special::cluster_nctaid_x:
      return shape.x;
    case Special::cluster_nctaid_y:
      return shape.y;
    case Special::cluster_nctaid_z:
      return shape.z;
    case Special::cluster_ctarank:
      return c.rank;
    case Special::cluster_nctarank:
      return shape.count();
    default:
      return 0;
  }
}

std::uint64_t special_value(const Warp& w, Special s, unsigned lane) {
  const CtaState& c = *w.cta;
  const KernelTraits& t = c.launch->traits;
  const std::uint32_t bit = 1u << lane;
  switch (s) {
    case Special::none:
    case Special::zero:
      return 0;
    case Special::tid_x:
      return w.tid[0][lane];
    case Special::tid_y:
      return w.tid[1][lane];
    case Special::tid_z:
      return w.tid[2][lane];
    case Special::ntid_x:
      return t.block.x;
    case Special::ntid_y:
      return t.block.y;
    case Special::ntid_z:
      return t.block.z;
    case Special::ctaid_x:
      return c.ctaid.x;
    case Special::ctaid_y:
      return c.ctaid.y;
    case Special::ctaid_z:
      return c.ctaid.z;
    case Special::nctaid_x:
      return t.grid.x;
    case Special::nctaid_y:
      return t.grid.y;
    case Special::nctaid_z:
      return t.grid.z;
    case Special::laneid:
      return lane;
    case Special::warpid:
      return w.index;
    case Special::nwarpid:
      return t.warps_per_cta;
    case Special::smid:
      return c.view.sm;
    case Special::nsmid:
      return c.view.sm_count;
    case Special::gridid:
      return 0;
    case Special::lanemask_eq:
      return bit;
    case Special::lanemask_lt:
      return bit - 1;
    case Special::lanemask_le:
      return bit | (bit - 1);
    case Special::lanemask_gt:
      return ~(bit | (bit - 1));
    case Special::lanemask_ge:
      return ~(bit - 1);
    case Special::clock:
    case Special::globaltimer_lo:
      return clock_of(w) & 0xffffffff;
    case Special::clock_hi:
    case Special::globaltimer_hi:
      return clock_of(w) >> 32;
    case Special::clock64:
    case Special::globaltimer:
      return clock_of(w);
    case Special::total_smem_size:
      return t.shared_bytes;
    case Special::dynamic_smem_size:
      return c.launch->dynamic_shared_bytes;
    case Special::grid_barrier_lo:
      return c.launch->grid_barrier & 0xffffffff;
    case Special::grid_barrier_hi:
      return c.launch->grid_barrier >> 32;
    case Special::heap_lo:
      return c.launch->heap & 0xffffffff;
    case Special::heap_hi:
      return c.launch->heap >> 32;
    default:
      return cluster_value(c, s);
  }
  return 0;
}

bool differs_by_lane(Special s) {
  switch (s) {
    case Special::tid_x:
    case Special::tid_y:
    case Special::tid_z:
    case Special::laneid:
    case Special::lanemask_eq:
    case Special::lanemask_lt:
    case Special::lanemask_le:
    case Special::lanemask_gt:
    case Special::lanemask_ge:
      return true;
    default:
      return false;
  }
}

bool reads_clock(Special s) {
  switch (s) {
    case Special::clock:
    case Special::clock_hi:
    case Special::clock64:
    case Special::globaltimer:
    case Special::globaltimer_lo:
    case Special::globaltimer_hi:
      return true;
    default:
      return false;
  }
}

template <class S>
void move_special(Warp& w, const Inst& in) {
  const auto s = static_cast<Special>(in.option);
  if (!differs_by_lane(s)) {
    const auto value = static_cast<S>(special_value(w, s, 0));
    each_lane(w, [&](unsigned i) { set_lane<S>(w, in.ref[0], i, value); });
    return;
  }
  each_lane(
      w, [&](unsigned i) { set_lane<S>(w, in.ref[0], i, static_cast<S>(special_value(w, s, i))); });
}

/// Gives the address of a local variable of a function, whose place depends on who called.
template <class S>
void move_local_address(Warp& w, const Inst& in) {
  const auto address = static_cast<S>(w.frame().local_base + in.imm);
  each_lane(w, [&](unsigned i) { set_lane<S>(w, in.ref[0], i, address); });
}

/// Does d = {a, b, ...}: ref[1..count] are the elements, in.type is the type of one of them.
template <class D, class E>
void pack(Warp& w, const Inst& in) {
  each_lane(w, [&](unsigned i) {
    D r = 0;
    for (unsigned k = 0; k < in.count; ++k)
      r = static_cast<D>(r | static_cast<D>(lane<E>(w, in.ref[1 + k], i)) << (8 * sizeof(E) * k));
    set_lane<D>(w, in.ref[0], i, r);
  });
}
/// Does {a, b, ...} = s: ref[0] is the source, ref[1..count] are the elements.
template <class D, class E>
void unpack(Warp& w, const Inst& in) {
  each_lane(w, [&](unsigned i) {
    const D s = lane<D>(w, in.ref[0], i);
    for (unsigned k = 0; k < in.count; ++k)
      set_lane<E>(w, in.ref[1 + k], i, static_cast<E>(s >> (8 * sizeof(E) * k)));
  });
}

void lower_vector_move(Lowering& x, Type type, bool packing) {
  const Operand& vector = x.operand(packing ? 1 : 0);
  const Operand& scalar = x.operand(packing ? 0 : 1);
  const auto count = vector.elements.size();
  if ((count != 2 && count != 4) || !is_integer(type) || size_bytes(type) % count != 0)
    x.unsupported();
  const unsigned element_bytes = size_bytes(type) / static_cast<unsigned>(count);
  const Type element = element_bytes == 1 ? Type::b8 : element_bytes == 2 ? Type::b16 : Type::b32;
  x.inst().count = static_cast<std::uint8_t>(count);
  if (packing)
    x.def(0, scalar, type);
  else
    x.use(0, scalar, type);
  for (unsigned k = 0; k < count; ++k) {
    if (packing)
      x.use(1 + k, vector.elements[k], element);
    else
      x.def(1 + k, vector.elements[k], element);
  }
  Handler h = nullptr;
  if (element_bytes == 1)
    h = packing ? pack<std::uint32_t, std::uint8_t> : unpack<std::uint32_t, std::uint8_t>;
  else if (size_bytes(type) == 4)
    h = packing ? pack<std::uint32_t, std::uint16_t> : unpack<std::uint32_t, std::uint16_t>;
  else if (element_bytes == 4)
    h = packing ? pack<std::uint64_t, std::uint32_t> : unpack<std::uint64_t, std::uint32_t>;
  else
    h = packing ? pack<std::uint64_t, std::uint16_t> : unpack<std::uint64_t, std::uint16_t>;
  x.set(h, OpClass::int_alu);
}

bool is_function_local(const Lowering& x, const Operand& o) {
  return o.kind == Operand::Kind::variable && !x.function().entry &&
         x.function().variables[o.index].space == Space::local;
}

void lower_mov(Lowering& x) {
  const Type type = x.take_type();
  x.want_operands(2);
  const Operand& to = x.operand(0);
  const Operand& from = x.operand(1);
  if (from.kind == Operand::Kind::vector) return lower_vector_move(x, type, true);
  if (to.kind == Operand::Kind::vector) return lower_vector_move(x, type, false);
  if (type == Type::pred) {
    x.def(0, to, type);
    if (from.kind == Operand::Kind::special) {
      if (parse_special(from.text) != Special::is_explicit_cluster) x.unsupported();
      return x.set(
          [](Warp& w, const Inst& in) {
            set_predicate(w, in.ref[0], w.cta->launch->explicit_cluster ? w.lanes : 0);
          },
          OpClass::int_alu);
    }
    x.use(1, from, type);
    return x.set(
        [](Warp& w, const Inst& in) { set_predicate(w, in.ref[0], predicate(w, in.ref[1])); },
        OpClass::int_alu);
  }
  if (size_bytes(type) < 2) x.unsupported();
  x.def(0, to, type);
  const bool wide = reg_class(type) == RegClass::wide;
  if (from.kind == Operand::Kind::special) {
    if (parse_special(from.text) == Special::is_explicit_cluster) x.unsupported();
    const Special special = parse_special(from.text);
    x.inst().option = static_cast<std::uint8_t>(special);
    if (reads_clock(special)) x.set_reads_clock();
    return x.set(wide ? move_special<std::uint64_t> : move_special<std::uint32_t>,
                 OpClass::int_alu);
  }
  if (is_function_local(x, from)) {
    x.inst().imm = x.variable_offset(from.index) + from.offset;
    return x.set(wide ? move_local_address<std::uint64_t> : move_local_address<std::uint32_t>,
                 OpClass::int_alu);
  }
  x.use(1, from, type);
  x.set(copy_handler(reg_class(type)), OpClass::int_alu);
}

// ---- generic addresses
// -----------------------------------------------------------------------------

Space take_space(Lowering& x) {
  if (x.take("global")) return Space::global;
  if (x.take("shared") || x.take("shared::cta")) return Space::shared;
  if (x.take("shared::cluster")) return Space::cluster;
  if (x.take("local")) return Space::local;
  if (x.take("const")) return Space::constant;
  x.unsupported();
}
Addr window_of(Space s) {
  return s == Space::shared || s == Space::cluster ? kSharedWindow
         : s == Space::local                       ? kLocalWindow
                                                   : 0;
}

/// imm is the window; device addresses are generic as they are.
template <class S, bool to_space>
void convert_address(Warp& w, const Inst& in) {
  const std::uint64_t keep = in.imm != 0 ? kWindowBytes - 1 : ~std::uint64_t(0);
  each_lane(w, [&](unsigned i) {
    const std::uint64_t a = lane<S>(w, in.ref[1], i);
    set_lane<S>(w, in.ref[0], i, static_cast<S>(to_space ? a & keep : in.imm | (a & keep)));
  });
}

void lower_cvta(Lowering& x) {
  const bool to_space = x.take("to");
  const Space space = take_space(x);
  const Type type = x.take_type();
  if (type != Type::u64) x.unsupported();
  x.want_operands(2);
  x.def(0, x.operand(0), type);
  const Operand& from = x.operand(1);
  x.inst().imm = window_of(space);
  if (is_function_local(x, from)) {
    x.inst().imm |= x.variable_offset(from.index) + from.offset;
    return x.set(move_local_address<std::uint64_t>, OpClass::int_alu);
  }
  x.use(1, from, type);
  if (x.inst().imm == 0) return x.set(copy_handler(RegClass::wide), OpClass::int_alu);
  x.set(to_space ? convert_address<std::uint64_t, true> : convert_address<std::uint64_t, false>,
        OpClass::int_alu);
}

/// option is the space. Constants lie in device memory, so a generic address never is .const.
void is_space(Warp& w, const Inst& in) {
  LaneMask r = 0;
  each_lane(w, [&](unsigned i) {
    const Addr a = lane<std::uint64_t>(w, in.ref[1], i), window = a / kWindowBytes * kWindowBytes;
    bool yes = false;
    switch (static_cast<Space>(in.option)) {
      case Space::cluster:
        yes = window == kSharedWindow;
        break;
      case Space::shared:
        yes = window == kSharedWindow && is_own_shared(w, a % kWindowBytes);
        break;
      case Space::local:
        yes = window == kLocalWindow;
        break;
      case Space::global:
        yes = window != kSharedWindow && window != kLocalWindow;
        break;
      default:
        break;
    }
    if (yes) r |= LaneMask(1) << i;
  });
  set_predicate(w, in.ref[0], r);
}
void lower_isspacep(Lowering& x) {
  x.inst().option = static_cast<std::uint8_t>(take_space(x));
  x.def_use(Type::pred, {Type::u64});
  x.set(is_space, OpClass::int_alu);
}

}  // namespace

void add_move(LowerTable& t) {
  t["mov"] = lower_mov;
  t["cvta"] = lower_cvta;
  t["isspacep"] = lower_isspacep;
}

}  // namespace warpmem::program::ptx
