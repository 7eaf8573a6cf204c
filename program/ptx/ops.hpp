// SPDX-License-Identifier: Apache-2.0
// What the ops_*.cpp files share: choosing a handler by type, and opcodes whose integer and float
// forms are lowered in different files.
#pragma once

#include "program/ptx/lower.hpp"
#include "program/reduction.hpp"

namespace warpmem::program::ptx {

/// Map<Op, T, T...> with `arity` sources of T.
template <class Op, class T, unsigned arity>
Handler map_handler() {
  if constexpr (arity == 1)
    return vector_handler<Map<Op, T, T>>();
  else if constexpr (arity == 2)
    return vector_handler<Map<Op, T, T, T>>();
  else
    return vector_handler<Map<Op, T, T, T, T>>();
}

/// Returns the handler of Op<T> for an integer type of 16, 32 or 64 bits.
template <template <class> class Op, unsigned arity>
Handler integer_handler(const Lowering& x, Type type) {
  switch (type) {
    case Type::u16:
      return map_handler<Op<std::uint16_t>, std::uint16_t, arity>();
    case Type::s16:
      return map_handler<Op<std::int16_t>, std::int16_t, arity>();
    case Type::u32:
      return map_handler<Op<std::uint32_t>, std::uint32_t, arity>();
    case Type::s32:
      return map_handler<Op<std::int32_t>, std::int32_t, arity>();
    case Type::u64:
      return map_handler<Op<std::uint64_t>, std::uint64_t, arity>();
    case Type::s64:
      return map_handler<Op<std::int64_t>, std::int64_t, arity>();
    default:
      x.unsupported();
  }
}

/// Returns the handler of Op<T> for an untyped 16, 32 or 64 bits.
template <template <class> class Op, unsigned arity>
Handler bits_handler(const Lowering& x, Type type) {
  switch (type) {
    case Type::b16:
      return map_handler<Op<std::uint16_t>, std::uint16_t, arity>();
    case Type::b32:
      return map_handler<Op<std::uint32_t>, std::uint32_t, arity>();
    case Type::b64:
      return map_handler<Op<std::uint64_t>, std::uint64_t, arity>();
    default:
      x.unsupported();
  }
}

// These stand in ops_float.cpp.
void lower_float_add(Lowering& x, Type type, bool subtract);
void lower_float_mul(Lowering& x, Type type);
void lower_float_fma(Lowering& x, Type type);
void lower_float_div(Lowering& x, Type type);
void lower_float_min_max(Lowering& x, Type type, bool maximum);
void lower_float_sign(Lowering& x, Type type, bool absolute);

// These are in ops_half.cpp.
inline bool is_half(Type t) { return t == Type::f16 || t == Type::f16x2; }
/// Half precision or bfloat16, one or two.
inline bool is_narrow(Type t) { return is_half(t) || is_bfloat(t); }
inline bool is_pair(Type t) { return t == Type::f16x2 || t == Type::bf16x2; }
/// As Lowering::take_type, of types that may be .bf16 or .bf16x2.
Type take_type_or_bfloat(Lowering& x);
std::uint16_t add_half(std::uint16_t a, std::uint16_t b);
std::uint16_t add_bfloat(std::uint16_t a, std::uint16_t b);
/// 0 add, 1 sub, 2 mul, 3 fma.
void lower_half_arithmetic(Lowering& x, Type type, unsigned operation);
void lower_half_min_max(Lowering& x, Type type, bool maximum);
void lower_half_sign(Lowering& x, Type type, bool absolute);
/// Inst::option and the destinations are set.
void lower_half_compare(Lowering& x, unsigned compare, bool ftz, Type result, Type type);

// These are in ops_wide_integer.cpp.
void lower_mul_upper(Lowering& x, Type type);
void lower_mad_upper(Lowering& x, Type type);
void lower_carry_add(Lowering& x, Type type, bool subtract, bool carry_in, bool carry_out);
void lower_carry_mad(Lowering& x, Type type, bool carry_in, bool carry_out);

// ops_memory.cpp
/// Removes the state space; generic when there is none.
Space take_access_space(Lowering& x);
/// Removes .cta, .cluster, .gpu or .sys; false when there is none.
bool take_scope(Lowering& x);
/// The operand in brackets goes to `slot` and Inst::imm.
void lower_address(Lowering& x, const Operand& o, Space space, unsigned slot = 0);

// ops_atomic.cpp
/// Takes the operation and the type of cp.reduce.async.bulk and red.async; `shared`: those that
/// there are in shared memory.
Reduction take_reduction(Lowering& x, bool shared);
/// Takes the operation of cp.reduce.async.bulk.tensor; the element stands for those that there are.
Reduction take_tile_reduction(Lowering& x);

// ops_element_atomic.cpp
/// Is an atomic one that lower_element_atomic() does?
bool has_elements(const Lowering& x, AtomicOp op);
/// The space and the operation have been taken.
void lower_element_atomic(Lowering& x, AtomicOp op, Space space, bool returns);

/// st.async and red.async, in ops_async_write.cpp; the word has been taken.
void lower_async_store(Lowering& x);
void lower_async_reduction(Lowering& x);
/// barrier.cluster, in ops_cluster.cpp; the word has been taken.
void lower_cluster_barrier(Lowering& x);
/// cp.async.bulk and cp.reduce.async.bulk, in ops_bulk_copy.cpp.
void lower_bulk(Lowering& x);
void lower_bulk_reduction(Lowering& x);
/// cp.async.mbarrier.arrive, in ops_mbarrier.cpp.
void lower_copies_arrive(Lowering& x);

/// f(lane) for the lanes that execute; for operations that are not worth vector code.
template <class F>
void each_lane(Warp& w, F&& f) {
  for_lanes(w.lanes, f);
}

}  // namespace warpmem::program::ptx
