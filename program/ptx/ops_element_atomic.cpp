// SPDX-License-Identifier: Apache-2.0
// atom and red of bfloat16, of half precision but .add alone, and of several elements side by side
// (PTX ISA 8 sections 9.7.13.5-6): each element is combined by itself, a lane's all at once.
#include <array>
#include <cstring>

#include "program/ptx/cluster_access.hpp"
#include "program/ptx/ops.hpp"

namespace warpmem::program::ptx {
namespace {

constexpr unsigned kValueSlot = kMatrixSlot, kBeforeSlot = kMatrixSlot + 4;

Element element_in(Type type) {
  return type == Type::f32 ? Element::f32 : is_bfloat(type) ? Element::bf16 : Element::f16;
}

/// ref: 0 = address; matrix_operands: 0.. = values, 4.. = what was there before; count: of both.
template <AtomicOp op, class Access, bool returns>
void combine_elements(Warp& w, const Inst& in) {
  CtaState& c = *w.cta;
  const Ref* const refs = c.launch->program->matrix_operands[in.aux].data();
  const unsigned each = size_bytes(in.type), bytes = each * in.count;
  const Reduction reduction{op, element_in(in.type)};
  c.issue.space = Access::resolve(w, in, bytes);
  c.issue.address = c.address.data();
  c.issue.data = c.data.data();
  const bool misses = in.count > 1 && c.issue.space != Space::global;
  if (misses || c.issue.space == Space::local)
    fault(w, in, static_cast<unsigned>(__builtin_ctz(w.lanes)),
          misses ? "atomic of several elements outside global memory" : "atomic on local memory");
  for_lanes(w.lanes, [&](unsigned i) {
    std::array<std::uint8_t, Issue::kLaneBytes> value{}, before{};
    for (unsigned k = 0; k < in.count; ++k) {
      const auto part = lane<std::uint32_t>(w, refs[k], i);
      std::memcpy(value.data() + k * each, &part, each);
    }
    std::memcpy(before.data(), c.place[i], bytes);
    reduction.apply(c.place[i], value.data(), bytes);
    if (!returns) return;
    for (unsigned k = 0; k < in.count; ++k) {
      std::uint32_t part = 0;
      std::memcpy(&part, before.data() + k * each, each);
      set_lane(w, refs[kBeforeSlot - kValueSlot + k], i, part);
    }
  });
  // Every lane reports what all lanes together left at its address.
  for_lanes(w.lanes, [&](unsigned i) {
    std::memcpy(c.data.data() + i * Issue::kLaneBytes, c.place[i], bytes);
  });
}

template <AtomicOp op, bool returns>
Handler in_space(const Lowering& x, Space space) {
  switch (space) {
    case Space::global:
      return combine_elements<op, GlobalAccess, returns>;
    case Space::shared:
      return combine_elements<op, SharedAccess, returns>;
    case Space::generic:
      return combine_elements<op, GenericAccess, returns>;
    default:
      x.unsupported();
  }
}
template <bool returns>
Handler handler(const Lowering& x, AtomicOp op, Space space) {
  switch (op) {
    case AtomicOp::add:
      return in_space<AtomicOp::add, returns>(x, space);
    case AtomicOp::min:
      return in_space<AtomicOp::min, returns>(x, space);
    case AtomicOp::max:
      return in_space<AtomicOp::max, returns>(x, space);
    default:
      x.unsupported();
  }
}

}  // namespace

bool has_elements(const Lowering& x, AtomicOp op) {
  for (const std::string_view word : x.modifiers()) {
    if (word == "v2" || word == "v4" || word == "bf16" || word == "bf16x2") return true;
    if (op != AtomicOp::add && (word == "f16" || word == "f16x2")) return true;
  }
  return false;
}

void lower_element_atomic(Lowering& x, AtomicOp op, Space space, bool returns) {
  Inst& in = x.inst();
  InstInfo& info = x.info();
  in.count = x.take("v2") ? 2 : x.take("v4") ? 4 : 1;
  const bool exact = x.take("noftz");
  in.type = take_type_or_bfloat(x);
  const bool several = in.count > 1;
  if (exact != is_narrow(in.type)) x.unsupported();
  if (!is_narrow(in.type) && (in.type != Type::f32 || op != AtomicOp::add)) x.unsupported();
  if (several && space == Space::shared) x.unsupported();
  in.aux = static_cast<std::uint32_t>(x.program().matrix_operands.size());
  x.program().matrix_operands.emplace_back();
  const std::size_t first = returns ? 1 : 0;
  x.want_operands(first + 2);
  const auto part = [&](std::size_t operand, unsigned k) -> const Operand& {
    const Operand& o = x.operand(operand);
    if (!several) return o;
    if (o.kind != Operand::Kind::vector || o.elements.size() != in.count)
      x.bad("operand " + std::to_string(operand) + " needs " + std::to_string(in.count) +
            " registers in braces");
    return o.elements[k];
  };
  for (unsigned k = 0; k < in.count; ++k) {
    if (returns) x.def(kBeforeSlot + k, part(0, k), in.type);
    x.use(kValueSlot + k, part(first + 1, k), in.type);
  }
  lower_address(x, x.operand(first), space);
  info.mem = returns ? MemOp::atomic : MemOp::reduction;
  info.space = space;
  info.bytes = static_cast<std::uint8_t>(size_bytes(in.type) * in.count);
  x.set(returns ? handler<true>(x, op, space) : handler<false>(x, op, space), OpClass::memory);
}

}  // namespace warpmem::program::ptx
