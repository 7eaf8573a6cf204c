// SPDX-License-Identifier: Apache-2.0
// mma.sync: a warp multiplies two small matrices and adds a third (PTX ISA 7.0 section 9.7.13.4).
//
// D = A * B + C with A of 16 rows and B of 8 columns. Lane t + 4 g has of A the rows g and g + 8,
// of B the column g, of C and D the rows g and g + 8 in the columns 2 t and 2 t + 1. Products of
// halves are exact; they are added to C in double precision, in the order of the inner dimension,
// and the sum is rounded once, toward zero in single precision as tensor cores do
// (docs/decisions.md): in which order they add is not documented.
//
// Of 4 bits and of single bits there are also products of 8 rows (m8n8k32, m8n8k128; of bytes
// m8n8k16): lane t + 4 g has of A and B one register each, of C and D the row g. Single bits are
// multiplied by xor or and, and their sum is a number of ones.
//
// m8n8k4 of doubles: lane t + 4 g has of A the element (g, t), of B (t, g), of C and D the row g in
// the columns 2 t and 2 t + 1. A sum is a chain of fused multiply-adds, in the order of the inner
// dimension.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "program/ptx/half.hpp"
#include "program/ptx/ops.hpp"

namespace warpmem::program::ptx {
namespace {

constexpr unsigned kRows = 16, kColumns = 8, kMostInner = 256;
constexpr unsigned kGroup = 4;  // lanes that share a row of A

constexpr unsigned kIgnoredBits = 13;  // of a float taken as TF32, with 10 bits of mantissa

/// What an element of A or B is; Inst::option holds those of both, Inst::imm the inner dimension.
enum class Element : std::uint8_t {
  half,
  bfloat,
  tensor_float,
  signed_byte,
  unsigned_byte,
  signed_4,
  unsigned_4,
  bit
};
constexpr unsigned kElementBits = 3;  // of Inst::option, for one of the two
constexpr unsigned kElementMask = (1u << kElementBits) - 1;
constexpr unsigned kEightRows = 1u << 2 * kElementBits;  // in Inst::option: A has 8 rows, not 16
constexpr unsigned kBothBits = 2 * kEightRows;           // bits are multiplied by and, not xor

constexpr bool is_byte(Element e) {
  return e == Element::signed_byte || e == Element::unsigned_byte;
}
constexpr bool is_4(Element e) { return e == Element::signed_4 || e == Element::unsigned_4; }
constexpr bool is_integer(Element e) { return is_byte(e) || is_4(e) || e == Element::bit; }
Element element_of_a(const Inst& in) { return static_cast<Element>(in.option & kElementMask); }
Element element_of_b(const Inst& in) {
  return static_cast<Element>(in.option >> kElementBits & kElementMask);
}
unsigned inner_of(const Inst& in) { return static_cast<unsigned>(in.imm); }
bool has_eight_rows(const Inst& in) { return (in.option & kEightRows) != 0; }
/// Elements of a 32-bit register.
constexpr unsigned elements_in_register(Element e) {
  return e == Element::tensor_float ? 1 : is_byte(e) ? 4 : is_4(e) ? 8 : e == Element::bit ? 32 : 2;
}

/// Registers of A, B, and C or D.
struct Shape {
  unsigned a, b, c;
};
Shape shape_of(const Inst& in) {
  const unsigned b = inner_of(in) / (elements_in_register(element_of_a(in)) * kGroup);
  if (has_eight_rows(in)) return {b, b, 2};
  return {2 * b, b, in.type == Type::f16 ? 2u : 4u};
}

/// Element `k` of a register's bits.
double number_of(Element element, std::uint32_t bits, unsigned k) {
  const auto single = [](std::uint32_t of) {
    float v;
    std::memcpy(&v, &of, sizeof v);
    return v;
  };
  switch (element) {
    case Element::half:
      return half_to_float(static_cast<std::uint16_t>(bits >> 16 * k));
    case Element::bfloat:
      return single(bits >> 16 * k << 16);
    case Element::tensor_float:  // the lower bits of the mantissa are not looked at
      return single(bits & ~((1u << kIgnoredBits) - 1));
    case Element::signed_byte:
      return static_cast<std::int8_t>(bits >> 8 * k);
    case Element::unsigned_byte:
      return static_cast<std::uint8_t>(bits >> 8 * k);
    case Element::signed_4:
      return static_cast<std::int32_t>(bits << (28 - 4 * k)) >> 28;
    case Element::unsigned_4:
      return bits >> 4 * k & 15;
    case Element::bit:
      break;
  }
  return bits >> k & 1;
}

struct Operands {
  double a[kRows][kMostInner], b[kMostInner][kColumns];
};

void gather(Warp& w, const Inst& in, const Shape& shape, const Ref* refs, Operands& m) {
  const Element of_a = element_of_a(in), of_b = element_of_b(in);
  const unsigned in_register = elements_in_register(of_a);
  for (unsigned lane_index = 0; lane_index < kWarpLanes; ++lane_index) {
    const unsigned g = lane_index / kGroup, t = lane_index % kGroup;
    for (unsigned r = 0; r < shape.a; ++r) {
      const auto bits = lane<std::uint32_t>(w, refs[shape.c + r], lane_index);
      const bool eight = has_eight_rows(in);
      const unsigned row = g + (eight ? 0 : 8 * (r & 1));
      const unsigned first = (t + (eight ? r : r / 2) * kGroup) * in_register;
      for (unsigned k = 0; k < in_register; ++k) m.a[row][first + k] = number_of(of_a, bits, k);
    }
    for (unsigned r = 0; r < shape.b; ++r) {
      const auto bits = lane<std::uint32_t>(w, refs[shape.c + shape.a + r], lane_index);
      const unsigned first = (t + r * kGroup) * in_register;
      for (unsigned k = 0; k < in_register; ++k) m.b[first + k][g] = number_of(of_b, bits, k);
    }
  }
}

/// The exact sum of a row times a column and of C. Integers: at most 2^21 and 2^31, exact, too.
double sum_of(const Inst& in, const Operands& m, unsigned row, unsigned column, double c) {
  const unsigned inner = inner_of(in);
  if (element_of_a(in) == Element::bit && (in.option & kBothBits) == 0) {
    for (unsigned k = 0; k < inner; ++k) c += m.a[row][k] != m.b[k][column] ? 1 : 0;
    return c;
  }
  for (unsigned k = 0; k < inner; ++k) c += m.a[row][k] * m.b[k][column];
  return c;
}

std::uint32_t integer_result(double sum, bool saturate) {
  constexpr double kLeast = -2147483648.0, kMost = 2147483647.0;
  if (saturate) sum = std::min(std::max(sum, kLeast), kMost);
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(sum));
}

/// The sum in single precision, cut off.
float cut(double sum) {
  const auto nearest = static_cast<float>(sum);
  if (std::fabs(static_cast<double>(nearest)) <= std::fabs(sum)) return nearest;
  return std::nextafter(nearest, 0.0f);
}

/// Returns register `r` of D; `sum(k, c)` is the element in the lane's column k.
template <class Sum>
std::uint32_t result(const Inst& in, unsigned r, std::uint32_t c, Sum&& sum) {
  if (in.type == Type::s32)
    return integer_result(sum(r % 2, static_cast<std::int32_t>(c)), in.saturate);
  std::uint32_t d = 0;
  if (in.type == Type::f32) {
    float single;
    std::memcpy(&single, &c, sizeof single);
    single = cut(sum(r % 2, single));
    std::memcpy(&d, &single, sizeof d);
    return d;
  }
  for (unsigned k = 0; k < 2; ++k) {
    const auto half = static_cast<std::uint16_t>(c >> 16 * k);
    d |= std::uint32_t(half_from_double(sum(k, half_to_float(half)), Rounding::nearest)) << 16 * k;
  }
  return d;
}

/// Operands are in the table `aux`: D, A, B, C.
void multiply(Warp& w, const Inst& in) {
  if (w.lanes != kAllLanes)
    fault(w, in, static_cast<unsigned>(__builtin_ctz(w.lanes)),
          "not all lanes of the warp execute it");
  const Ref* const refs = w.cta->launch->program->matrix_operands[in.aux].data();
  const Shape shape = shape_of(in);
  const Ref* const c_refs = refs + shape.c + shape.a + shape.b;
  Operands m;
  gather(w, in, shape, refs, m);
  for (unsigned lane_index = 0; lane_index < kWarpLanes; ++lane_index) {
    const unsigned g = lane_index / kGroup, column = lane_index % kGroup * 2;
    std::array<std::uint32_t, 4> c{};  // read before D is written, which may lie in its registers
    for (unsigned r = 0; r < shape.c; ++r) c[r] = lane<std::uint32_t>(w, c_refs[r], lane_index);
    for (unsigned r = 0; r < shape.c; ++r) {
      const unsigned row = g + 8 * (in.type == Type::f16 ? r : r / 2);
      const auto sum = [&](unsigned k, double addend) {
        return sum_of(in, m, row, column + k, addend);
      };
      set_lane<std::uint32_t>(w, refs[r], lane_index, result(in, r, c[r], sum));
    }
  }
}

/// Operands are in the table `aux`: D, A, B, C.
void multiply_doubles(Warp& w, const Inst& in) {
  if (w.lanes != kAllLanes)
    fault(w, in, static_cast<unsigned>(__builtin_ctz(w.lanes)),
          "not all lanes of the warp execute it");
  const Ref* const refs = w.cta->launch->program->matrix_operands[in.aux].data();
  constexpr unsigned kSide = 8, kInner = kGroup;
  double a[kSide][kInner], b[kInner][kSide];
  for (unsigned i = 0; i < kWarpLanes; ++i) {
    a[i / kGroup][i % kGroup] = lane<double>(w, refs[2], i);
    b[i % kGroup][i / kGroup] = lane<double>(w, refs[3], i);
  }
  for (unsigned i = 0; i < kWarpLanes; ++i) {
    const unsigned row = i / kGroup;
    std::array<double, 2> sum = {lane<double>(w, refs[4], i), lane<double>(w, refs[5], i)};
    for (unsigned r = 0; r < sum.size(); ++r)
      for (unsigned k = 0; k < kInner; ++k)
        sum[r] = std::fma(a[row][k], b[k][i % kGroup * 2 + r], sum[r]);
    for (unsigned r = 0; r < sum.size(); ++r) set_lane<double>(w, refs[r], i, sum[r]);
  }
}

Element take_element(Lowering& x) {
  if (x.take("bf16")) return Element::bfloat;
  if (x.take("tf32")) return Element::tensor_float;
  if (x.take("b1")) return Element::bit;
  for (const std::string_view word : x.modifiers()) {  // that of A is the first one
    if (word != "s4" && word != "u4") continue;
    const bool is_signed = word == "s4";
    x.take(word);
    return is_signed ? Element::signed_4 : Element::unsigned_4;
  }
  switch (x.take_type()) {
    case Type::f16:
      return Element::half;
    case Type::s8:
      return Element::signed_byte;
    case Type::u8:
      return Element::unsigned_byte;
    default:
      x.unsupported();
  }
}

/// A matrix is a list of registers in braces.
unsigned take_matrix(Lowering& x, std::size_t operand, unsigned registers, unsigned slot,
                     bool is_def, Type type = Type::b32) {
  const Operand& o = x.operand(operand);
  if (o.kind != Operand::Kind::vector || o.elements.size() != registers)
    x.bad("operand " + std::to_string(operand) + " needs " + std::to_string(registers) +
          " registers in braces");
  for (const Operand& element : o.elements) {
    if (is_def)
      x.def(slot++, element, type);
    else
      x.use(slot++, element, type);
  }
  return slot;
}

void lower_doubles(Lowering& x) {
  if (!x.take("row") || !x.take("col")) x.unsupported();
  for (int i = 0; i < 4; ++i)
    if (x.take_type() != Type::f64) x.unsupported();
  x.want_operands(4);
  x.inst().aux = static_cast<std::uint32_t>(x.program().matrix_operands.size());
  x.program().matrix_operands.emplace_back();
  unsigned slot = take_matrix(x, 0, 2, kMatrixSlot, true, Type::f64);
  slot = take_matrix(x, 1, 1, slot, false, Type::f64);
  slot = take_matrix(x, 2, 1, slot, false, Type::f64);
  take_matrix(x, 3, 2, slot, false, Type::f64);
  x.set(multiply_doubles, OpClass::tensor);
}

/// Inner dimensions by their words, and whether A has 8 rows.
struct Named {
  const char* name;
  unsigned inner;
  bool eight_rows;
};
constexpr Named kShapes[] = {
    {"m16n8k4", 4, false},     {"m16n8k8", 8, false},   {"m16n8k16", 16, false},
    {"m16n8k32", 32, false},   {"m16n8k64", 64, false}, {"m16n8k128", 128, false},
    {"m16n8k256", 256, false}, {"m8n8k16", 16, true},   {"m8n8k32", 32, true},
    {"m8n8k128", 128, true},
};

/// Whether there is such a product, with sums of type `type`.
bool exists(const Named& shape, Element a, Element b, Type type, bool saturates) {
  const unsigned k = shape.inner;
  if (is_integer(a)) {
    if (type != Type::s32) return false;
    if (is_byte(a)) return is_byte(b) && (shape.eight_rows ? k == 16 : k == 16 || k == 32);
    if (is_4(a)) return is_4(b) && (shape.eight_rows ? k == 32 : k == 32 || k == 64);
    return b == a && !saturates && k >= 128;
  }
  if (a != b || saturates || shape.eight_rows) return false;
  if (a == Element::tensor_float) return type == Type::f32 && k <= 8;
  return (k == 8 || k == 16) && (type == Type::f32 || (type == Type::f16 && a == Element::half));
}

void lower_mma(Lowering& x) {
  Inst& in = x.inst();
  if (!x.take("sync") || !x.take("aligned")) x.unsupported();
  if (x.take("m8n8k4")) return lower_doubles(x);
  const Named* const named = std::find_if(std::begin(kShapes), std::end(kShapes),
                                          [&x](const Named& of) { return x.take(of.name); });
  if (named == std::end(kShapes) || !x.take("row") || !x.take("col")) x.unsupported();
  in.saturate = x.take("satfinite");
  in.type = x.take_type();
  const Element a = take_element(x), b = take_element(x);
  const Type c = x.take_type();
  if (c != in.type || !exists(*named, a, b, c, in.saturate)) x.unsupported();
  unsigned option = static_cast<unsigned>(a) | static_cast<unsigned>(b) << kElementBits;
  if (named->eight_rows) option |= kEightRows;
  if (a == Element::bit) {
    if (x.take("and"))
      option |= kBothBits;
    else if (!x.take("xor"))
      x.unsupported();
    if (!x.take("popc")) x.unsupported();
  }
  in.option = static_cast<std::uint8_t>(option);
  in.imm = named->inner;
  x.want_operands(4);
  const Shape shape = shape_of(in);
  in.aux = static_cast<std::uint32_t>(x.program().matrix_operands.size());
  x.program().matrix_operands.emplace_back();
  unsigned slot = take_matrix(x, 0, shape.c, kMatrixSlot, true);
  slot = take_matrix(x, 1, shape.a, slot, false);
  slot = take_matrix(x, 2, shape.b, slot, false);
  take_matrix(x, 3, shape.c, slot, false);
  x.set(multiply, OpClass::tensor);
}

}  // namespace

void add_matrix(LowerTable& t) { t["mma"] = lower_mma; }

}  // namespace warpmem::program::ptx
