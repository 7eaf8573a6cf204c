// SPDX-License-Identifier: Apache-2.0
// `tex.cube` and `tex.acube`: directions are made from a face and a place on it, whose texels the
// host blends.
#include <cmath>

#include "program/cuda/include/texture_types.h"
#include "unit/program/ptx_conformance_texture.hpp"
#include "unit/program/ptx_fixture.hpp"

namespace warpmem::program::ptx {
namespace {

constexpr int kSide = 4, kLayers = 3, kFaces = 6;

struct Face {
  int normal[3], right[3], down[3];
};
/// As the CUDA C++ Programming Guide has them: +x, -x, +y, -y, +z, -z.
constexpr Face kDirections[kFaces] = {
    {{1, 0, 0}, {0, 0, -1}, {0, -1, 0}}, {{-1, 0, 0}, {0, 0, 1}, {0, -1, 0}},
    {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}},   {{0, -1, 0}, {1, 0, 0}, {0, 0, -1}},
    {{0, 0, 1}, {1, 0, 0}, {0, -1, 0}},  {{0, 0, -1}, {-1, 0, 0}, {0, -1, 0}}};

struct Fetch {
  std::uint32_t layer;
  float x, y, z;
};

class PtxCubeTexture : public testing::TestWithParam<std::tuple<const char*, bool>> {
 protected:
  /// Writes texels and their descriptor; returns its address.
  Addr make(int kind, int bits, bool filtered) {
    warpmem_texture t{};
    t.mark = WARPMEM_TEXTURE_MARK;
    t.pitch = kSide * sizeof(std::uint32_t);
    t.slice = t.pitch * kSide;
    t.width = t.height = kSide;
    t.depth = kFaces * kLayers;
    const Addr data = memory.allocate(t.slice * static_cast<unsigned>(t.depth));
    t.data = reinterpret_cast<const unsigned char*>(data);
    for (int& a : t.address) a = cudaAddressModeClamp;
    t.filter = filtered ? cudaFilterModeLinear : cudaFilterModePoint;
    t.channels = 1;
    t.bits = bits;
    t.kind = kind;
    for (int i = 0; i < kSide * kSide * t.depth; ++i) {
      texel[i] = (i * 37 + i / 11) % 256;
      const auto word = kind == cudaChannelFormatKindFloat
                            ? static_cast<std::uint32_t>(raw(static_cast<float>(texel[i])))
                            : static_cast<std::uint32_t>(texel[i]);
      std::memcpy(DeviceMemory::host(data) + i * sizeof word, &word, sizeof word);
    }
    const Addr object = memory.allocate(sizeof t);
    std::memcpy(DeviceMemory::host(object), &t, sizeof t);
    return object;
  }
  int at(int slice, int x, int y) const {
    x = std::min(std::max(x, 0), kSide - 1);
    y = std::min(std::max(y, 0), kSide - 1);
    return texel[(slice * kSide + y) * kSide + x];
  }

  std::vector<std::uint32_t> run(const std::string& opcode, bool layered, Addr object,
                                 const std::vector<Fetch>& fetches) {
    Module module(header() +
                      ".visible .entry k(.param .u64 pt, .param .u64 pf, .param .u64 pd) {\n.reg "
                      ".b32 %g, %l, %d<4>; .reg .f32 %x, %y, %z; .reg .b64 %t, %f, %o, %w;\n"
                      "mov.u32 %g, %ctaid.x; ld.param.u64 %t, [pt]; ld.param.u64 %f, [pf]; "
                      "ld.param.u64 %w, [pd]; mul.wide.u32 %o, %g, 16; add.u64 %f, %f, %o; add.u64 "
                      "%w, %w, %o;\nld.global.u32 %l, [%f]; ld.global.f32 %x, [%f+4]; "
                      "ld.global.f32 %y, [%f+8]; ld.global.f32 %z, [%f+12];\n" +
                      opcode + " {%d0, %d1, %d2, %d3}, [%t, " +
                      (layered ? "{%l, %x, %y, %z}" : "{%x, %y, %z, %z}") +
                      (opcode.find("level") != std::string::npos ? "], %x" : "]") +
                      ";\nst.global.v4.b32 [%w], {%d0, %d1, %d2, %d3}; ret; }\n",
                  "cube.ptx");
    module.bind(memory);
    const Addr from = memory.allocate(fetches.size() * sizeof(Fetch));
    const Addr to = memory.allocate(fetches.size() * 16);
    std::memcpy(DeviceMemory::host(from), fetches.data(), fetches.size() * sizeof(Fetch));
    run_functional(*make_grid(module, "k", {static_cast<unsigned>(fetches.size())}, {1}, 0,
                              Arguments().add(object).add(from).add(to).bytes(), memory));
    std::vector<std::uint32_t> words(fetches.size() * 4);
    std::memcpy(words.data(), DeviceMemory::host(to), words.size() * 4);
    return words;
  }

  DeviceMemory memory{std::uint64_t(1) << 22};
  int texel[kSide * kSide * kFaces * kLayers] = {};
};

TEST_P(PtxCubeTexture, EveryFaceAndPlace) {
  const auto [type, layered] = GetParam();
  const bool floats = std::string(type) == "f32";
  const int kind = floats                       ? cudaChannelFormatKindFloat
                   : std::string(type) == "s32" ? cudaChannelFormatKindSigned
                                                : cudaChannelFormatKindUnsigned;
  const std::string geometry = layered ? "acube" : "cube";
  const std::string opcode = texture_spelling(geometry, type, false),
                    of_level = texture_spelling("level." + geometry, type, false);
  ASSERT_EQ(cube_spellings().count(opcode) + cube_spellings().count(of_level), 2u);
  for (const bool filtered : {false, true}) {
    if (filtered && !floats) continue;
    const Addr object = make(kind, 32, filtered);
    std::vector<Fetch> fetches;
    std::vector<double> expected;
    for (unsigned layer = 0; layer < (layered ? kLayers + 1u : 1u); ++layer)
      for (int face = 0; face < kFaces; ++face)
        for (int right = -62; right <= 62; right += 4)
          for (int down = -61; down <= 61; down += 9) {
            // Powers of two and their sixty-fourths: the quotients are exact.
            const float far = face % 2 == 0 ? 0.5f : 8.0f;
            const float s = static_cast<float>(right) / 64, t = static_cast<float>(down) / 64;
            float d[3];
            for (int axis = 0; axis < 3; ++axis) {
              const Face& f = kDirections[face];
              d[axis] = far * (static_cast<float>(f.normal[axis]) +
                               s * static_cast<float>(f.right[axis]) +
                               t * static_cast<float>(f.down[axis]));
            }
            fetches.push_back({layer, d[0], d[1], d[2]});
            const int slice = static_cast<int>(std::min(layer, kLayers - 1u)) * kFaces + face;
            const double x = (s + 1.0) / 2 * kSide, y = (t + 1.0) / 2 * kSide;
            if (!filtered) {
              expected.push_back(at(slice, int(x), int(y)));
              continue;
            }
            const int i = int(std::floor(x - 0.5)), j = int(std::floor(y - 0.5));
            const double wx = std::nearbyint((x - 0.5 - i) * 256) / 256,
                         wy = std::nearbyint((y - 0.5 - j) * 256) / 256;
            expected.push_back((at(slice, i, j) * (1 - wx) + at(slice, i + 1, j) * wx) * (1 - wy) +
                               (at(slice, i, j + 1) * (1 - wx) + at(slice, i + 1, j + 1) * wx) *
                                   wy);
          }
    const auto words = run(opcode, layered, object, fetches);
    EXPECT_EQ(run(of_level, layered, object, fetches), words) << "it has one level";
    for (std::size_t i = 0; i < fetches.size(); ++i) {
      const double got = floats ? double(unraw<float>(words[4 * i])) : double(words[4 * i]);
      ASSERT_NEAR(got, expected[i], filtered ? 1e-3 : 0)
          << "layer " << fetches[i].layer << ", " << fetches[i].x << " " << fetches[i].y << " "
          << fetches[i].z;
      ASSERT_EQ(words[4 * i + 1], 0u);  // there is one component
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, PtxCubeTexture,
                         testing::Combine(testing::Values("f32", "s32", "u32"), testing::Bool()),
                         [](const auto& types) {
                           return std::string(std::get<0>(types.param)) +
                                  (std::get<1>(types.param) ? "_layered" : "");
                         });

}  // namespace
}  // namespace warpmem::program::ptx
