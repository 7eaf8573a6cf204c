// SPDX-License-Identifier: Apache-2.0
// ldmatrix: a warp loads one, two or four matrices of 8 x 8 elements of 16 bits from shared memory,
// spread over its lanes as mma.sync takes them (PTX ISA 7.8 section 9.7.13.4.15).
//
// Lane 8 m + i has the address of row i of matrix m, 16 bytes; other lanes' addresses do not count.
// To the machine it is a load of 16 bytes by those lanes, which is what the banks see: a matrix
// whose rows lie in different banks takes one pass. Lane 4 g + t gets of matrix m, in its register
// m, the elements 2 t and 2 t + 1 of row g, or with .trans of column g.
#include <cstring>

#include "program/ptx/access.hpp"
#include "program/ptx/ops.hpp"

namespace warpmem::program::ptx {
namespace {

constexpr unsigned kRows = 8, kRowBytes = 16, kGroup = 4;  // kGroup: lanes that share a row

/// Beside kNarrowAddress in Inst::option.
enum MatrixOption : std::uint8_t {
  kTransposed = 4,
  kGeneric = 8,  ///< the addresses are generic; they must lie in shared memory
};
static_assert(kRowBytes <= Issue::kLaneBytes);

/// ref: 0 = row's address, 1.. = destinations; count: matrices.
void load_matrices(Warp& w, const Inst& in) {
  if (w.lanes != kAllLanes)
    fault(w, in, static_cast<unsigned>(__builtin_ctz(w.lanes)),
          "not all lanes of the warp execute it");
  CtaState& c = *w.cta;
  const LaneMask with_rows = kAllLanes >> (kWarpLanes - kRows * in.count);
  lane_addresses(w, in);
  if (in.option & kGeneric)
    for (Addr& a : c.address) a -= kSharedWindow;
  w.lanes = with_rows;
  place_shared(w, in, kRowBytes);
  w.lanes = kAllLanes;
  for_lanes(with_rows, [&](unsigned i) {
    std::memcpy(c.data.data() + i * Issue::kLaneBytes, c.place[i], kRowBytes);
  });
  const auto element = [&](unsigned matrix, unsigned row, unsigned column) {
    std::uint16_t bits;
    std::memcpy(&bits, &c.data[(kRows * matrix + row) * Issue::kLaneBytes + 2 * column], 2);
    return std::uint32_t(bits);
  };
  for (unsigned m = 0; m < in.count; ++m)
    for (unsigned i = 0; i < kWarpLanes; ++i) {
      const unsigned g = i / kGroup, first = i % kGroup * 2;
      set_lane<std::uint32_t>(w, in.ref[1 + m], i,
                              in.option & kTransposed
                                  ? element(m, first, g) | element(m, first + 1, g) << 16
                                  : element(m, g, first) | element(m, g, first + 1) << 16);
    }
  c.issue.lanes &= with_rows;
  c.issue.space = Space::shared;
  c.issue.address = c.address.data();
  c.issue.data = c.data.data();
}

unsigned take_matrices(Lowering& x) {
  return x.take("x1") ? 1 : x.take("x2") ? 2 : x.take("x4") ? 4 : 0;
}

/// Compilers take the shape in front of the number, as the manual has it, and behind it.
void lower_ldmatrix(Lowering& x) {
  Inst& in = x.inst();
  if (!x.take("sync") || !x.take("aligned")) x.unsupported();
  const bool shape_first = x.take("m8n8");
  const unsigned matrices = take_matrices(x);
  const bool transposed = x.take("trans");
  if (matrices == 0 || (!shape_first && !x.take("m8n8"))) x.unsupported();
  const bool generic = !x.take("shared") && !x.take("shared::cta");
  if (x.take_type() != Type::b16) x.unsupported();
  x.want_operands(2);
  lower_address(x, x.operand(1), generic ? Space::generic : Space::shared);
  if (in.option & kFrameLocal) x.bad("the matrices must be in shared memory");
  in.count = static_cast<std::uint8_t>(matrices);
  if (transposed) in.option |= kTransposed;
  if (generic) in.option |= kGeneric;

  const Operand& value = x.operand(0);
  const bool braces = value.kind == Operand::Kind::vector;
  if (braces ? value.elements.size() != matrices : matrices != 1)
    x.bad("operand 0 needs " + std::to_string(matrices) + " registers in braces");
  for (unsigned m = 0; m < matrices; ++m)
    x.def(1 + m, braces ? value.elements[m] : value, Type::b32);
  x.info().mem = MemOp::load;
  x.info().space = Space::shared;
  x.info().bytes = kRowBytes;
  x.set(load_matrices, OpClass::memory);
}

}  // namespace

void add_load_matrix(LowerTable& t) { t["ldmatrix"] = lower_ldmatrix; }

}  // namespace warpmem::program::ptx
