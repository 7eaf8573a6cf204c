// SPDX-License-Identifier: Apache-2.0
// Cases of ldmatrix: rows at random places of shared memory, against the matrices that the host
// takes out of the same bytes.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <random>

#include "unit/program/ptx_conformance.hpp"

namespace warpmem::program::ptx {

namespace conformance {

inline constexpr unsigned kMatrixSide = 8;
/// Shared memory of the kernel, in elements of 16 bits, and the places in it that rows can have.
inline constexpr unsigned kTileElements = 1024, kRowPlaces = kTileElements / kMatrixSide;

/// Fills shared memory with `tile`, loads from the byte offsets of each lane, and returns each
/// lane's registers.
inline std::vector<std::uint32_t> run_ldmatrix(const std::string& spelling, unsigned matrices,
                                               bool generic, const std::vector<std::uint16_t>& tile,
                                               const std::vector<std::uint32_t>& offsets) {
  DeviceMemory memory(1 << 20);
  std::string list, stores;
  for (unsigned m = 0; m < matrices; ++m) {
    const std::string name = "%r" + std::to_string(m);
    list += (m == 0 ? "{" : ", ") + name;
    stores += "st.global.u32 [%rd3+" + std::to_string(4 * m) + "], " + name + ";\n";
  }
  const std::string address = generic ? "%rd6" : "%s";
  Module module(
      header() +
          ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c) {\n.reg .b32 %r<4>; .reg "
          ".b32 %t; .reg .b32 %s; .reg .b32 %v<4>; .reg .b64 %rd<9>;\n.shared .align 16 .b8 "
          "tile[2048];\n"
          "mov.u32 %t, %tid.x; ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, "
          "[c];\nmul.wide.u32 %rd4, %t, 64; add.u64 %rd1, %rd1, %rd4; mov.u32 %s, tile; shl.b32 "
          "%v0, %t, 6; add.u32 %s, %s, %v0;\n" +
          [] {
            std::string copies;
            for (unsigned at = 0; at < 64; at += 4)
              copies += "ld.global.u32 %v1, [%rd1+" + std::to_string(at) + "]; st.shared.u32 [%s+" +
                        std::to_string(at) + "], %v1;\n";
            return copies;
          }() +
          "bar.sync 0; mul.wide.u32 %rd4, %t, 4; add.u64 %rd2, %rd2, %rd4; ld.global.u32 %v2, "
          "[%rd2];\nmov.u32 %s, tile; add.u32 %s, %s, %v2; cvt.u64.u32 %rd5, %s; "
          "cvta.shared.u64 %rd6, %rd5;\n" +
          spelling + " " + list + "}, [" + address + "];\nmul.wide.u32 %rd4, %t, " +
          std::to_string(4 * matrices) + "; add.u64 %rd3, %rd3, %rd4;\n" + stores + "ret; }\n",
      "ldmatrix.ptx");
  module.bind(memory);
  const Addr bytes = memory.allocate(tile.size() * 2), rows = memory.allocate(offsets.size() * 4);
  const Addr to = memory.allocate(32 * matrices * 4);
  std::memcpy(DeviceMemory::host(bytes), tile.data(), tile.size() * 2);
  std::memcpy(DeviceMemory::host(rows), offsets.data(), offsets.size() * 4);
  run_functional(*make_grid(module, "k", {1}, {32}, 0,
                            Arguments().add(bytes).add(rows).add(to).bytes(), memory));
  std::vector<std::uint32_t> out(32 * matrices);
  std::memcpy(out.data(), DeviceMemory::host(to), out.size() * 4);
  return out;
}

inline void check_ldmatrix(const std::string& spelling, unsigned matrices, bool transposed,
                           bool generic) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    std::mt19937 random(seed);
    std::vector<std::uint16_t> tile(kTileElements);
    for (auto& v : tile) v = static_cast<std::uint16_t>(random());
    std::vector<unsigned> place(kRowPlaces);
    std::iota(place.begin(), place.end(), 0u);
    std::shuffle(place.begin(), place.end(), random);
    std::vector<std::uint32_t> offsets(32);
    for (unsigned lane = 0; lane < 32; ++lane)  // lanes without a row have an address beyond all
      offsets[lane] = lane < matrices * kMatrixSide ? place[lane] * 16 : 0x10000001u;

    const auto out = run_ldmatrix(spelling, matrices, generic, tile, offsets);
    for (unsigned m = 0; m < matrices; ++m) {
      std::array<std::array<std::uint16_t, kMatrixSide>, kMatrixSide> matrix;
      for (unsigned row = 0; row < kMatrixSide; ++row)
        for (unsigned column = 0; column < kMatrixSide; ++column)
          (transposed ? matrix[column][row] : matrix[row][column]) =
              tile[place[m * kMatrixSide + row] * kMatrixSide + column];
      // A warp holds a matrix row by row, two elements a register.
      for (unsigned lane = 0; lane < 32; ++lane) {
        const auto* const pair = &matrix[0][0] + 2 * lane;
        ASSERT_EQ(out[lane * matrices + m], pair[0] | std::uint32_t(pair[1]) << 16)
            << "seed " << seed << ", matrix " << m << ", lane " << lane;
      }
    }
  }
}

}  // namespace conformance

/// The shape stands in front of the number of matrices, or behind it and .trans.
inline Cases load_matrix_cases() {
  Cases cases;
  for (const unsigned matrices : {1u, 2u, 4u})
    for (const bool transposed : {false, true})
      for (const std::string space : {"", "shared.", "shared::cta."})
        for (const bool shape_first : {false, true}) {
          const std::string number =
              "x" + std::to_string(matrices) + (transposed ? ".trans." : ".");
          const std::string spelling = "ldmatrix.sync.aligned." +
                                       (shape_first ? "m8n8." + number : number + "m8n8.") + space +
                                       "b16";
          cases.push_back({spelling, [=] {
                             conformance::check_ldmatrix(spelling, matrices, transposed,
                                                         space.empty());
                           }});
        }
  return cases;
}

}  // namespace warpmem::program::ptx
