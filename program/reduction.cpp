// SPDX-License-Identifier: Apache-2.0
#include "program/reduction.hpp"

#include <cmath>
#include <cstring>

#include "program/ptx/combine.hpp"
#include "program/ptx/half.hpp"

namespace warpmem::program {
namespace {

constexpr std::uint16_t kNanHalf = 0x7fff;  // of binary16 and of bfloat16

/// Combines element by element: next(old, value).
template <class T, class Next>
void each_element(std::uint8_t* to, const std::uint8_t* from, std::uint32_t bytes, Next&& next) {
  for (std::uint32_t at = 0; at < bytes; at += sizeof(T)) {
    T old, value;
    std::memcpy(&old, to + at, sizeof old);
    std::memcpy(&value, from + at, sizeof value);
    const T now = next(old, value);
    std::memcpy(to + at, &now, sizeof now);
  }
}

template <class T>
void combine_all(AtomicOp op, std::uint8_t* to, const std::uint8_t* from, std::uint32_t bytes) {
  // A float is added in global memory alone, which flushes subnormals.
  each_element<T>(to, from, bytes, [op](T old, T value) {
    return ptx::combine<T>(op, old, value, T(0), std::is_same_v<T, float>);
  });
}

// A number goes before NaN, and -0 lies below +0.
template <class ToFloat>
std::uint16_t least_or_most(AtomicOp op, std::uint16_t a, std::uint16_t b, ToFloat&& to_float) {
  const float x = to_float(a), y = to_float(b);
  if (std::isnan(x)) return std::isnan(y) ? kNanHalf : b;
  if (std::isnan(y)) return a;
  const bool a_below = x < y || (x == y && std::signbit(x));
  return a_below == (op == AtomicOp::min) ? a : b;
}

}  // namespace

unsigned Reduction::bytes() const {
  switch (element) {
    case Element::f16:
    case Element::bf16:
      return 2;
    case Element::u32:
    case Element::s32:
    case Element::f32:
      return 4;
    default:
      return 8;
  }
}

bool Reduction::exists() const {
  const bool half = element == Element::f16 || element == Element::bf16;
  const bool floating = half || element == Element::f32 || element == Element::f64;
  switch (op) {
    case AtomicOp::add:
      return element != Element::s64;
    case AtomicOp::min:
    case AtomicOp::max:
      return half || !floating;
    case AtomicOp::inc:
    case AtomicOp::dec:
      return element == Element::u32;
    case AtomicOp::and_:
    case AtomicOp::or_:
    case AtomicOp::xor_:
      return element == Element::u32 || element == Element::u64;
    default:
      return false;
  }
}

bool Reduction::is_code(std::uint8_t code) {
  return code != 0 && of(code).op <= AtomicOp::xor_ && of(code).exists();
}

void Reduction::apply(std::uint8_t* to, const std::uint8_t* from, std::uint32_t bytes) const {
  switch (element) {
    case Element::u32:
      return combine_all<std::uint32_t>(op, to, from, bytes);
    case Element::s32:
      return combine_all<std::int32_t>(op, to, from, bytes);
    case Element::u64:
      return combine_all<std::uint64_t>(op, to, from, bytes);
    case Element::s64:
      return combine_all<std::int64_t>(op, to, from, bytes);
    case Element::f32:
      return combine_all<float>(op, to, from, bytes);
    case Element::f64:
      return combine_all<double>(op, to, from, bytes);
    case Element::f16:
      return each_element<std::uint16_t>(to, from, bytes, [this](auto a, auto b) {
        return op == AtomicOp::add ? ptx::add_half(a, b)
                                   : least_or_most(op, a, b, ptx::half_to_float);
      });
    case Element::bf16:
      return each_element<std::uint16_t>(to, from, bytes, [this](auto a, auto b) {
        return op == AtomicOp::add ? ptx::add_bfloat(a, b)
                                   : least_or_most(op, a, b, ptx::bfloat_to_float);
      });
  }
}

void write_or_reduce(std::uint8_t code, std::uint8_t* to, const std::uint8_t* from,
                     std::uint32_t bytes) {
  if (code == 0)
    std::memmove(to, from, bytes);  // a CTA may copy to itself
  else
    Reduction::of(code).apply(to, from, bytes);
}

}  // namespace warpmem::program
