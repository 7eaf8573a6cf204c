// SPDX-License-Identifier: Apache-2.0
// What a wmma instruction says in its words, and which lane holds which element.
//
// PTX leaves the places of the elements open (ISA 7.0 section 9.7.13.3); here they are what the two
// mma.sync of 16 x 8 x k want, of which a product is made, as in mma.h. With p elements of an
// operand in a register (of sums 2), lane 4 g + t has in element i the place (g + outer(i),
// t p + inner(i)), where `outer` counts rows of A and of sums and columns of B; in products with 8
// rows, which are computed as D^T = B^T A^T + C^T, columns of sums. PTX gives f16 operands eight
// registers whatever their size; those beyond what a lane has repeat the first ones.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace warpmem::program::ptx {

enum class FragmentUse : std::uint8_t { a, b, sums };

struct FragmentType {
  std::string_view name;
  unsigned bytes;
  unsigned inner;  ///< k of its products; 0: of sums alone
  bool sums;
};

struct FragmentShape {
  std::string_view name;
  unsigned m, inner;
};

/// What the words of a wmma instruction say.
struct FragmentForm {
  enum class Operation : std::uint8_t { load, store, multiply } operation = Operation::load;
  FragmentUse use = FragmentUse::sums;  ///< of a load or store
  bool rows = false;                    ///< its layout
  std::size_t space = 0;                ///< of kFragmentSpaces
  const FragmentShape* shape = nullptr;
  const FragmentType* type = nullptr;  ///< of a load or store, or of A and B
  const FragmentType* sums = nullptr;
  std::string_view product;  ///< the mma.sync
};

/// State spaces of loads and stores.
inline constexpr std::array<std::string_view, 4> kFragmentSpaces = {"", "global", "shared",
                                                                    "shared::cta"};
inline constexpr std::size_t kFirstSharedSpace = 2;

/// Returns false for an opcode that is none of those supported.
bool read_form(std::string_view opcode, FragmentForm& form);
/// True when elements that follow one another along `inner` do so in memory.
bool lies_together(const FragmentForm& form);
/// Elements from row to row, or column to column, of a matrix that is dense.
unsigned dense_stride(const FragmentForm& form);

/// Where the elements of a lane are.
struct FragmentLayout {
  FragmentLayout(FragmentUse use, const FragmentShape& shape, const FragmentType& type)
      : sums(use == FragmentUse::sums), side_by_side(shape.m == 16) {
    const unsigned columns = 256 / shape.m;
    left = (use == FragmentUse::a) == (shape.m != 8);
    in_register = 4 / type.bytes;
    together = sums ? 2 : in_register;
    elements = sums ? 8 : (use == FragmentUse::a ? shape.m : columns) * shape.inner / 32;
    each = left ? shape.inner / 2 : shape.inner / 4;
    // What a lane has of A and B, and of f16 at least eight.
    registers = elements / in_register;
    named = !sums && type.name == "f16" ? 8 : registers;
  }
  unsigned outer(unsigned i) const {
    if (sums) return 8 * (i / 2 % 2) + (side_by_side ? 0 : 16 * (i / 4));
    return left ? 8 * (i % each / together % 2) + 16 * (i / each) : 8 * (i / each);
  }
  unsigned inner(unsigned i) const {
    if (sums) return i % 2 + (side_by_side ? 8 * (i / 4) : 0);
    const unsigned group = i % each / together;
    return 4 * (left ? group / 2 : group) * together + i % together;
  }

  bool sums, side_by_side;
  bool left = false;         ///< an operand that is A of its mma.sync
  unsigned in_register = 0;  ///< elements
  unsigned together = 0;     ///< elements whose `inner`s follow one another
  unsigned elements = 0, each = 0;
  unsigned registers = 0, named = 0;
};

}  // namespace warpmem::program::ptx
