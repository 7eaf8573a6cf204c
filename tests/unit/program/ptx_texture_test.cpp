// SPDX-License-Identifier: Apache-2.0
// `tex` and `txq` against a plain model of a texture: every geometry, element format, address mode
// and filter, at positions inside, between and outside the texels.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <tuple>

#include "program/cuda/include/texture_types.h"
#include "unit/program/ptx_conformance_texture.hpp"
#include "unit/program/ptx_fixture.hpp"

namespace warpmem::program::ptx {
namespace {

constexpr int kWidth = 5, kHeight = 4, kDepth = 3;

struct Format {
  int kind, bits, channels;
  bool normalized = false;  ///< integers are read as floats
};

/// This is a texture of kWidth x kHeight x kDepth random texels, in device memory and in plain
/// terms.
struct Texture {
  Texture(DeviceMemory& memory, const Format& format, int address, bool linear, bool unit)
      : f(format), mode(address), filtered(linear), unit_coordinates(unit) {
    const int bytes = f.bits * f.channels / 8, pitch = 128;
    warpmem_texture t{};
    t.mark = WARPMEM_TEXTURE_MARK;
    const Addr data = memory.allocate(pitch * kHeight * kDepth);
    t.data = reinterpret_cast<const unsigned char*>(data);
    t.pitch = pitch;
    t.slice = pitch * kHeight;
    t.width = kWidth;
    t.height = kHeight;
    t.depth = kDepth;
    for (int& a : t.address) a = address;
    t.filter = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    t.normalized = unit;
    t.normalized_bits = !f.normalized                           ? 0
                        : f.kind == cudaChannelFormatKindSigned ? -f.bits
                                                                : f.bits;
    t.channels = f.channels;
    t.bits = f.bits;
    t.kind = f.kind;
    object = memory.allocate(sizeof t);
    std::memcpy(DeviceMemory::host(object), &t, sizeof t);
    unsigned state = 12345;
    for (int z = 0; z < kDepth; ++z)
      for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x)
          for (int c = 0; c < f.channels; ++c) {
            state = state * 1664525 + 1013904223;
            const std::uint32_t word = make_element(state);
            std::memcpy(
                DeviceMemory::host(data) + z * t.slice + y * t.pitch + x * bytes + c * f.bits / 8,
                &word, static_cast<std::size_t>(f.bits / 8));
            texel[z][y][x][c] = word;
          }
  }

  bool floats() const { return f.kind == cudaChannelFormatKindFloat || f.normalized; }

  /// Returns component `c` at integer texel coordinates, as a number.
  double at(int x, int y, int z, int c) const {
    if (c >= f.channels || !place(x, kWidth) || !place(y, kHeight) || !place(z, kDepth)) return 0;
    const std::uint32_t word = texel[z][y][x][c];
    const bool is_signed = f.kind == cudaChannelFormatKindSigned;
    if (f.kind == cudaChannelFormatKindFloat) {
      if (f.bits == 16) return half(word);
      return unraw<float>(word);
    }
    const double value =
        is_signed ? double(std::int32_t(word << (32 - f.bits)) >> (32 - f.bits)) : double(word);
    if (!f.normalized) return value;
    const double most = std::pow(2.0, is_signed ? f.bits - 1 : f.bits) - 1;
    return std::fmax(value / most, -1.0);
  }

  /// Returns a sample at a position, where z is a layer or a position.
  double sample(const double (&position)[3], unsigned dimensions, bool layered, int c) const {
    const int size[3] = {kWidth, kHeight, kDepth};
    double p[3] = {0, 0, 0};
    const int layer = layered ? int(position[2]) : 0;
    for (unsigned d = 0; d < dimensions; ++d)
      p[d] = unit_coordinates ? float(float(position[d]) * float(size[d])) : position[d];
    const auto texel_at = [&](int x, int y, int z) {
      return at(x, dimensions > 1 ? y : 0, dimensions > 2 ? z : layer, c);
    };
    if (!filtered || !floats())
      return filtered
                 ? texel_at(low(p[0]), low(p[1]), low(p[2]))
                 : texel_at(int(std::floor(p[0])), int(std::floor(p[1])), int(std::floor(p[2])));
    double sum = 0;
    for (unsigned corner = 0; corner < 1u << dimensions; ++corner) {
      double weight = 1;
      int i[3] = {0, 0, 0};
      for (unsigned d = 0; d < dimensions; ++d) {
        const double w = std::nearbyint((p[d] - 0.5 - low(p[d])) * 256) / 256;  // 8 bits (CUDA J.2)
        weight *= corner >> d & 1 ? w : 1 - w;
        i[d] = low(p[d]) + int(corner >> d & 1);
      }
      sum += weight * texel_at(i[0], i[1], i[2]);
    }
    return sum;
  }

  Format f;
  int mode;
  bool filtered, unit_coordinates;
  Addr object = 0;
  std::uint32_t texel[kDepth][kHeight][kWidth][4] = {};

 private:
  static int low(double p) { return int(std::floor(p - 0.5)); }
  static double half(std::uint32_t h) {
    const int exponent = int(h >> 10 & 31);
    const double fraction = (h & 1023) / 1024.0;
    const double value =
        exponent == 0 ? std::ldexp(fraction, -14) : std::ldexp(1 + fraction, exponent - 15);
    return h >> 15 ? -value : value;
  }
  std::uint32_t make_element(unsigned random) const {
    if (f.kind != cudaChannelFormatKindFloat)
      return f.bits == 32 ? random : random >> 8 & ((1u << f.bits) - 1);
    if (f.bits == 16) return (random >> 16 & 0x83ff) | (10 + (random >> 8 & 7)) << 10;
    return std::uint32_t(raw(float(int(random >> 8 & 0xffff) - 32768) / 64));
  }
  bool place(int& i, int size) const {
    if (i >= 0 && i < size) return true;
    const int period = mode == cudaAddressModeMirror ? 2 * size : size;
    const int wrapped = ((i % period) + period) % period;
    switch (mode) {
      case cudaAddressModeWrap:
        i = wrapped;
        return true;
      case cudaAddressModeMirror:
        i = wrapped < size ? wrapped : 2 * size - 1 - wrapped;
        return true;
      case cudaAddressModeClamp:
        i = i < 0 ? 0 : size - 1;
        return true;
      default:
        return false;
    }
  }
};

struct Position {
  float x, y, z;
};
std::vector<Position> positions(bool integers) {
  std::vector<Position> result;
  for (const float x : {-7.0f, -1.0f, -0.25f, 0.0f, 0.5f, 1.75f, 2.0f, 4.99f, 5.0f, 6.3f, 11.0f})
    for (const float y : {-1.5f, 0.0f, 0.5f, 2.3f, 3.9f, 8.25f})
      for (const float z : {0.0f, 1.0f, 2.0f})
        result.push_back(integers ? Position{std::floor(x), std::floor(y), z} : Position{x, y, z});
  return result;
}

/// Four words a thread of `instruction`, which may use the handle %t, %x, %y, %z (floats), %i, %j,
/// %l (integers) and writes %d0 to %d3.
std::vector<std::uint32_t> run(DeviceMemory& memory, const std::string& instruction, Addr handle,
                               const std::vector<Position>& at, bool normalise) {
  const std::string text =
      header() +
      ".global .texref reference;\n"
      ".visible .entry k(.param .u64 pt, .param .u64 pp, .param .u64 pd, .param .u32 n)\n{\n"
      ".reg .pred %p; .reg .b32 %n, %g, %i, %j, %l, %d<4>; .reg .f32 %x, %y, %z;\n"
      ".reg .b64 %t, %a, %o, %u;\n"
      "mov.u32 %g, %tid.x; ld.param.u32 %n, [n]; setp.ge.u32 %p, %g, %n; @%p ret;\n"
      "ld.param.u64 %t, [pt]; st.global.u64 [reference], %t;\n"
      "ld.param.u64 %a, [pp]; mul.wide.u32 %o, %g, 12; add.u64 %a, %a, %o;\n"
      "ld.global.f32 %x, [%a]; ld.global.f32 %y, [%a+4]; ld.global.f32 %z, [%a+8];\n"
      "cvt.rmi.s32.f32 %i, %x; cvt.rmi.s32.f32 %j, %y; cvt.rmi.s32.f32 %l, %z;\n" +
      (normalise ? std::string("mul.f32 %x, %x, 0f3E4CCCCD; mul.f32 %y, %y, 0f3E800000; "
                               "mul.f32 %z, %z, 0f3EAAAAAB;\n")
                 : "") +
      "mov.u64 %u, reference;\n" + instruction +
      "\nld.param.u64 %a, [pd]; mul.wide.u32 %o, %g, 16; add.u64 %a, %a, %o;\n"
      "st.global.v4.b32 [%a], {%d0, %d1, %d2, %d3};\nret;\n}\n";
  Module module(text, "test.ptx");
  module.bind(memory);
  const Addr in = memory.allocate(at.size() * sizeof(Position));
  const Addr out = memory.allocate(at.size() * 16);
  std::memcpy(DeviceMemory::host(in), at.data(), at.size() * sizeof(Position));
  run_functional(*make_grid(
      module, "k", {1}, {256}, 0,
      Arguments().add(handle).add(in).add(out).add(static_cast<std::uint32_t>(at.size())).bytes(),
      memory));
  std::vector<std::uint32_t> words(at.size() * 4);
  std::memcpy(words.data(), DeviceMemory::host(out), words.size() * 4);
  return words;
}

struct Geometry {
  const char* name;
  unsigned dimensions;
  bool layered;
  const char* by_position;
  const char* by_index;
};
constexpr Geometry kGeometries[] = {
    {"1d", 1, false, "{%x}", "{%i}"},
    {"2d", 2, false, "{%x, %y}", "{%i, %j}"},
    {"3d", 3, false, "{%x, %y, %z, %z}", "{%i, %j, %l, %l}"},
    {"a1d", 1, true, "{%l, %x}", "{%l, %i}"},
    {"a2d", 2, true, "{%l, %x, %y, %y}", "{%l, %i, %j, %j}"},
};

void expect_words(const Texture& t, const std::vector<std::uint32_t>& words,
                  const std::vector<Position>& at, const Geometry& g, bool by_index,
                  bool zero_outside) {
  const float scale[3] = {unraw<float>(0x3E4CCCCD), 0.25f, unraw<float>(0x3EAAAAAB)};
  Texture exact = t;
  if (by_index) exact.filtered = exact.unit_coordinates = false;
  for (std::size_t i = 0; i < at.size(); ++i)
    for (int c = 0; c < 4; ++c) {
      double p[3] = {at[i].x, at[i].y, at[i].z};
      const unsigned scaled = exact.unit_coordinates ? g.dimensions : 0;
      for (unsigned d = 0; d < scaled; ++d) p[d] = float(p[d]) * scale[d];
      double want = exact.sample(p, g.dimensions, g.layered, c);
      if (zero_outside && (p[0] < 0 || p[0] >= kWidth)) want = 0;
      const std::uint32_t got = words[4 * i + static_cast<std::size_t>(c)];
      const std::string where = std::string(g.name) + " x " + std::to_string(at[i].x) + " y " +
                                std::to_string(at[i].y) + " z " + std::to_string(at[i].z) +
                                " component " + std::to_string(c);
      if (!t.floats()) {
        ASSERT_EQ(got, t.f.kind == cudaChannelFormatKindSigned
                           ? static_cast<std::uint32_t>(static_cast<std::int32_t>(want))
                           : static_cast<std::uint32_t>(want))
            << where;
      } else {
        ASSERT_NEAR(unraw<float>(got), want, 1e-4 * (1 + std::abs(want))) << where;
      }
    }
}

constexpr Format kFormats[] = {
    {cudaChannelFormatKindUnsigned, 8, 1},        {cudaChannelFormatKindSigned, 8, 2},
    {cudaChannelFormatKindUnsigned, 16, 4},       {cudaChannelFormatKindSigned, 16, 1},
    {cudaChannelFormatKindSigned, 32, 1},         {cudaChannelFormatKindUnsigned, 32, 4},
    {cudaChannelFormatKindFloat, 32, 1},          {cudaChannelFormatKindFloat, 32, 2},
    {cudaChannelFormatKindFloat, 32, 4},          {cudaChannelFormatKindFloat, 16, 4},
    {cudaChannelFormatKindUnsigned, 8, 4, true},  {cudaChannelFormatKindSigned, 8, 1, true},
    {cudaChannelFormatKindUnsigned, 16, 2, true}, {cudaChannelFormatKindSigned, 16, 4, true},
};

const char* type_of(const Format& f) {
  if (f.kind == cudaChannelFormatKindFloat || f.normalized) return "f32";
  return f.kind == cudaChannelFormatKindSigned ? "s32" : "u32";
}

class PtxTexture : public testing::TestWithParam<std::tuple<int, bool, bool>> {};

TEST_P(PtxTexture, ByPosition) {
  const auto [mode, linear, unit] = GetParam();
  const std::vector<Position> at = positions(false);
  for (const Format& format : kFormats)
    for (const Geometry& g : kGeometries) {
      DeviceMemory memory(1 << 22);
      const Texture t(memory, format, mode, linear, unit);
      const std::string opcode = texture_spelling(g.name, type_of(t.f), false);
      SCOPED_TRACE(opcode);
      expect_words(t,
                   run(memory, opcode + " {%d0, %d1, %d2, %d3}, [%t, " + g.by_position + "];",
                       t.object, at, unit),
                   at, g, false, false);
    }
}

std::string name_of_modes(const testing::TestParamInfo<PtxTexture::ParamType>& modes) {
  static const char* const kModes[] = {"wrap", "clamp", "mirror", "border"};
  const auto [mode, linear, unit] = modes.param;
  return std::string(kModes[mode]) + (linear ? "_linear" : "_point") +
         (unit ? "_normalised" : "_texels");
}

INSTANTIATE_TEST_SUITE_P(Modes, PtxTexture,
                         testing::Combine(testing::Range(0, 4), testing::Bool(), testing::Bool()),
                         name_of_modes);

// A texture of an array has one level, which is read whatever level or gradients are asked for.
TEST(PtxTextureForms, LevelsOfTexturesThatHaveOne) {
  const std::vector<Position> at = positions(false);
  std::set<std::string> ran;
  for (const Format& format : kFormats)
    for (const Geometry& g : kGeometries)
      for (const std::string way : {"level.", "grad."}) {
        if (way == "grad." && g.layered) continue;
        DeviceMemory memory(1 << 22);
        const Texture t(memory, format, cudaAddressModeWrap, true, true);
        const std::string opcode = texture_spelling(way + g.name, type_of(t.f), false);
        const std::string gradient = g.dimensions == 1 ? "%x" : "{%x, %y, %z, %z}";
        const std::string further = way == "level." ? "%x" : gradient + ", " + gradient;
        SCOPED_TRACE(opcode);
        ran.insert(opcode);
        expect_words(
            t,
            run(memory,
                opcode + " {%d0, %d1, %d2, %d3}, [%t, " + g.by_position + "], " + further + ";",
                t.object, at, true),
            at, g, false, false);
      }
  EXPECT_EQ(ran, level_spellings());
}

TEST(PtxTextureForms, Gathers) {
  const std::vector<Position> at = positions(false);
  std::set<std::string> ran;
  for (const Format& format : kFormats)
    for (int c = 0; c < 4; ++c) {
      DeviceMemory memory(1 << 22);
      const Texture t(memory, format, cudaAddressModeBorder, true, false);
      const std::string opcode =
          std::string("tld4.") + "rgba"[c] + ".2d.v4." + type_of(t.f) + ".f32";
      ran.insert(opcode);
      const auto words =
          run(memory, opcode + " {%d0, %d1, %d2, %d3}, [%t, {%x, %y}];", t.object, at, false);
      for (std::size_t i = 0; i < at.size(); ++i) {
        const int x = int(std::floor(at[i].x - 0.5)), y = int(std::floor(at[i].y - 0.5));
        const int corner[4][2] = {{x, y + 1}, {x + 1, y + 1}, {x + 1, y}, {x, y}};
        for (std::size_t k = 0; k < 4; ++k) {
          const double want = t.at(corner[k][0], corner[k][1], 0, c);
          const std::uint32_t got = words[4 * i + k];
          if (t.floats())
            ASSERT_NEAR(unraw<float>(got), want, 1e-4 * (1 + std::abs(want))) << opcode;
          else
            ASSERT_EQ(got, static_cast<std::uint32_t>(static_cast<std::int64_t>(want))) << opcode;
        }
      }
    }
  EXPECT_EQ(ran, gather_spellings());
}

TEST(PtxTextureForms, ByIndex) {
  const std::vector<Position> at = positions(true);
  for (const Format& format : kFormats)
    for (const Geometry& g : kGeometries) {
      DeviceMemory memory(1 << 22);
      const Texture t(memory, format, cudaAddressModeClamp, false, false);
      const std::string opcode = texture_spelling(g.name, type_of(t.f), true);
      SCOPED_TRACE(opcode);
      // A line reads zero outside, as tex1Dfetch does.
      expect_words(t,
                   run(memory, opcode + " {%d0, %d1, %d2, %d3}, [%t, " + g.by_index + "];",
                       t.object, at, false),
                   at, g, true, std::string(g.name) == "1d");
    }
}

TEST(PtxTextureForms, ReferencesAndTheirAddresses) {
  const std::vector<Position> at = positions(true);
  for (const char* const operand : {"reference", "%u", "%t"}) {
    DeviceMemory memory(1 << 22);
    const Texture t(memory, kFormats[6], cudaAddressModeClamp, false, false);
    SCOPED_TRACE(operand);
    expect_words(
        t,
        run(memory,
            std::string("tex.2d.v4.f32.s32 {%d0, %d1, %d2, %d3}, [") + operand + ", {%i, %j}];",
            t.object, at, false),
        at, kGeometries[1], true, false);
  }
}

TEST(PtxTextureForms, GuardsSinksAndScalarCoordinates) {
  DeviceMemory memory(1 << 22);
  const Texture t(memory, kFormats[6], cudaAddressModeClamp, false, false);
  const std::vector<Position> at = positions(true);
  const auto words =
      run(memory,
          "mov.b32 %d0, 7; mov.b32 %d1, 8; mov.b32 %d2, 9; mov.b32 %d3, 10;\n"
          "setp.ge.s32 %p, %i, 2;\n@%p tex.1d.v4.f32.s32 {%d0, _, _, %d3}, [%t, %i];",
          t.object, at, false);
  for (std::size_t i = 0; i < at.size(); ++i) {
    const bool fetched = at[i].x >= 2;
    const bool inside = at[i].x < kWidth;
    const std::uint32_t value = inside ? t.texel[0][0][int(std::max(at[i].x, 0.0f))][0] : 0;
    EXPECT_EQ(words[4 * i], fetched ? value : 7);
    EXPECT_EQ(words[4 * i + 1], 8u);
    EXPECT_EQ(words[4 * i + 3], fetched ? 0u : 10u);
  }
}

TEST(PtxTextureForms, EverySpellingIsRun) {
  std::set<std::string> run = {"txq.width.b32", "txq.height.b32", "txq.depth.b32"};  // Queries
  for (const Format& format : kFormats)
    for (const Geometry& g : kGeometries)
      for (const bool by_index : {false, true})
        run.insert(texture_spelling(g.name, type_of(format), by_index));
  EXPECT_EQ(run, texture_spellings());
}

TEST(PtxTextureForms, Queries) {
  DeviceMemory memory(1 << 22);
  const Texture t(memory, kFormats[0], cudaAddressModeClamp, false, false);
  const auto words = run(memory,
                         "txq.width.b32 %d0, [%t]; txq.height.b32 %d1, [reference]; "
                         "txq.depth.b32 %d2, [%u]; mov.b32 %d3, 0;",
                         t.object, {{0, 0, 0}}, false);
  EXPECT_EQ(words, (std::vector<std::uint32_t>{kWidth, kHeight, kDepth, 0}));
}

/// Returns the addresses of the global loads that one thread's `instruction` makes, sorted.
std::vector<Addr> loads_of(const std::string& instruction, const Texture& t, DeviceMemory& memory) {
  Module module(header() +
                    ".global .texref reference;\n.visible .entry k(.param .u64 pt) { .reg .b64 %t; "
                    ".reg .b32 %i; .reg .f32 %x, %y, %d<4>;\nld.param.u64 %t, [pt]; "
                    "st.global.u64 [reference], %t; mov.u32 %i, 3; mov.f32 %x, 0f40200000; "
                    "mov.f32 %y, 0f3FC00000;\n" +
                    instruction + ";\nret; }",
                "test.ptx");
  module.bind(memory);
  const auto grid = make_grid(module, "k", {1}, {1}, 0, Arguments().add(t.object).bytes(), memory);
  const SmView view;
  const auto cta = grid->start_cta(0, view);
  std::vector<Addr> addresses;
  while (cta->next(0) != nullptr) {
    const Issue& issue = cta->execute(0);
    if (issue.inst->mem == MemOp::load && issue.space == Space::global && issue.lanes != 0)
      addresses.push_back(issue.address[0]);
  }
  std::sort(addresses.begin(), addresses.end());
  return addresses;
}

TEST(PtxTextureForms, TexelsAloneAreGlobalLoads) {
  DeviceMemory memory(1 << 22);
  const Texture point(memory, kFormats[8], cudaAddressModeClamp, false, false);
  const Texture linear(memory, kFormats[8], cudaAddressModeClamp, true, false);
  const auto at = [&](const Texture& t, unsigned x, unsigned y) {
    Addr data = 0;
    std::memcpy(&data, DeviceMemory::host(t.object) + offsetof(warpmem_texture, data), sizeof data);
    return data + 128 * y + 16 * x;
  };
  for (const std::string texture : {"%t", "reference"}) {
    const std::string to = " {%d0, %d1, %d2, %d3}, [" + texture + ", ";
    EXPECT_EQ(loads_of("tex.1d.v4.f32.s32" + to + "{%i}]", point, memory),
              (std::vector<Addr>{at(point, 3, 0)}));
    EXPECT_EQ(loads_of("tex.2d.v4.f32.f32" + to + "{%x, %y}]", point, memory),
              (std::vector<Addr>{at(point, 2, 1)}));
    // (2.5, 1.5) is the centre of a texel: it has all the weight, the others are read all the same.
    EXPECT_EQ(loads_of("tex.2d.v4.f32.f32" + to + "{%x, %y}]", linear, memory),
              (std::vector<Addr>{at(linear, 2, 1), at(linear, 3, 1), at(linear, 2, 2),
                                 at(linear, 3, 2)}));
  }
  EXPECT_EQ(loads_of("txq.width.b32 %i, [%t]", point, memory), std::vector<Addr>{});
}

TEST(PtxTextureForms, LayersOutsideAreTheFirstOrTheLast) {
  const std::vector<Position> at = {{1, 2, -1}, {1, 2, -1e9f}, {1, 2, 3}, {1, 2, 1e9f}};
  for (const int mode :
       {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder})
    for (const char* const instruction : {"tex.a2d.v4.f32.s32 {%d0, %d1, %d2, %d3}, [%t, {%l, %i, "
                                          "%j, %j}];",
                                          "tex.a2d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%t, {%l, %x, "
                                          "%y, %y}];"}) {
      DeviceMemory memory(1 << 22);
      const Texture t(memory, kFormats[6], mode, false, false);
      const auto words = run(memory, instruction, t.object, at, false);
      for (std::size_t i = 0; i < at.size(); ++i)
        EXPECT_EQ(words[4 * i], t.texel[at[i].z < 0 ? 0 : kDepth - 1][2][1][0])
            << instruction << " mode " << mode << " layer " << at[i].z;
    }
}

}  // namespace
}  // namespace warpmem::program::ptx
