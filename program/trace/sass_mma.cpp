// SPDX-License-Identifier: Apache-2.0
#include "program/trace/sass_mma.hpp"

#include <algorithm>
#include <string>

#include "program/trace/sass_opcodes.hpp"

namespace warpmem::program::trace {

namespace {

struct Shape {
  unsigned m = 0, n = 8, k = 0;
};

// The digits of m, n and k follow one another: 16816, 884, 168128. All shapes have n = 8.
Shape shape_of(std::string_view mnemonic) {
  for (const unsigned m : {8u, 16u})
    for (const unsigned k : {4u, 8u, 16u, 32u, 64u, 128u, 256u})
      if (has_component(mnemonic, std::to_string(m) + "8" + std::to_string(k))) return {m, 8, k};
  return {};
}

unsigned bits_of_factor(std::string_view mnemonic, std::string_view name) {
  if (name == "DMMA") return 64;
  if (name == "BMMA") return 1;
  if (name == "QMMA") return 8;
  if (name == "IMMA") return has_component(mnemonic, "S4") || has_component(mnemonic, "U4") ? 4 : 8;
  return has_component(mnemonic, "TF32") ? 32 : 16;
}

unsigned bits_of_sum(std::string_view mnemonic, std::string_view name) {
  if (name == "DMMA") return 64;
  return name == "HMMA" && !has_component(mnemonic, "F32") ? 16 : 32;
}

}  // namespace

MmaRegisters mma_registers(std::string_view mnemonic) {
  const std::string_view name = mnemonic.substr(0, mnemonic.find('.'));
  const Shape shape = shape_of(mnemonic);
  if (shape.m == 0) return {};
  if (name == "HMMA" && shape.k == 4 && shape.m == 8) return {2, 2, 2};
  const auto registers = [](unsigned elements, unsigned bits) {
    return std::max(1u, elements * bits / (32 * 32));
  };
  // Of a sparse A half the elements are there.
  const unsigned dense = has_component(mnemonic, "SP") ? 2 : 1;
  const unsigned factor = bits_of_factor(mnemonic, name);
  return {registers(shape.m * shape.k / dense, factor), registers(shape.k * shape.n, factor),
          registers(shape.m * shape.n, bits_of_sum(mnemonic, name))};
}

}  // namespace warpmem::program::trace
