// SPDX-License-Identifier: Apache-2.0
// `suld.b`, `sust.b` and `suq` against plain memory: every geometry, size and boundary mode, at
// places inside and outside.
#include <algorithm>
#include <array>

#include "program/cuda/include/texture_types.h"
#include "unit/program/ptx_conformance_texture.hpp"
#include "unit/program/ptx_fixture.hpp"

namespace warpmem::program::ptx {
namespace {

constexpr int kRow = 64, kRows = 3, kSlices = 2, kPitch = 128;  // kRow: bytes
constexpr int kSize = kPitch * kRows * kSlices;

struct Place {
  int x, y, z;  ///< x in bytes
};

class PtxSurface : public testing::Test {
 protected:
  PtxSurface() {
    warpmem_texture t{};
    t.mark = WARPMEM_TEXTURE_MARK;
    data_ = memory_.allocate(kSize);
    t.data = reinterpret_cast<const unsigned char*>(data_);
    t.pitch = kPitch;
    t.slice = kPitch * kRows;
    t.width = kRow;
    t.height = kRows;
    t.depth = kSlices;
    t.channels = 2;
    t.bits = 16;
    object_ = memory_.allocate(sizeof t);
    std::memcpy(DeviceMemory::host(object_), &t, sizeof t);
    for (int i = 0; i < kSize; ++i)
      DeviceMemory::host(data_)[i] = image_[static_cast<std::size_t>(i)] =
          static_cast<std::uint8_t>(7 * i + i / 61);
  }

  /// Runs `instruction` with the handle %t, coordinates %x, %y, %z and a value or a result %v0 to
  /// %v3 of `bytes` each, whose 16 bytes are returned.
  std::array<std::uint8_t, 16> run(const std::string& instruction, const SurfaceForm& form,
                                   const Place& at, const std::array<std::uint8_t, 16>& value) {
    const std::string type = ".b" + std::to_string(8 * form.bytes);
    const std::string reg = form.bytes == 1 ? ".b16" : type;
    std::string load, store;
    for (unsigned i = 0; i < form.parts; ++i) {
      const std::string place = "[%a+" + std::to_string(i * form.bytes) + "]";
      load += "ld.global" + type + " %v" + std::to_string(i) + ", " + place + ";\n";
      store += "st.global" + type + " " + place + ", %v" + std::to_string(i) + ";\n";
    }
    Module module(header() +
                      ".global .surfref reference;\n.visible .entry k(.param .u64 pt, .param .u64 "
                      "pv, .param .s32 px, .param .s32 py, .param .s32 pz) {\n.reg .b64 %t, %a; "
                      ".reg .b32 %x, %y, %z; .reg " +
                      reg +
                      " %v<4>;\nld.param.u64 %t, [pt]; st.global.u64 [reference], %t; "
                      "ld.param.u64 %a, [pv]; ld.param.s32 %x, [px]; ld.param.s32 %y, [py]; "
                      "ld.param.s32 %z, [pz];\n" +
                      load + instruction + ";\n" + store + "ret; }\n",
                  "surface.ptx");
    module.bind(memory_);
    const Addr cell = memory_.allocate(16);
    std::memcpy(DeviceMemory::host(cell), value.data(), 16);
    run_functional(*make_grid(
        module, "k", {1}, {1}, 0,
        Arguments().add(object_).add(cell).add(at.x).add(at.y).add(at.z).bytes(), memory_));
    std::array<std::uint8_t, 16> result;
    std::memcpy(result.data(), DeviceMemory::host(cell), 16);
    memory_.release(cell);
    return result;
  }
  static std::string instruction(const SurfaceForm& form, const std::string& handle = "%t") {
    static const std::pair<const char*, const char*> kCoordinates[] = {{"1d", "{%x}"},
                                                                       {"2d", "{%x, %y}"},
                                                                       {"3d", "{%x, %y, %z, %z}"},
                                                                       {"a1d", "{%z, %x}"},
                                                                       {"a2d", "{%z, %x, %y, %y}"}};
    std::string place;
    for (const auto& [name, coordinates] : kCoordinates)
      if (form.geometry == name) place = "[" + handle + ", " + coordinates + "]";
    std::string value = "{%v0";
    for (unsigned i = 1; i < form.parts; ++i) value += ", %v" + std::to_string(i);
    value += "}";
    return form.spelling() + " " + (form.load ? value + ", " + place : place + ", " + value);
  }
  /// Returns where in the image an access lies; -1: nowhere.
  static int offset(const SurfaceForm& form, Place at) {
    if (form.geometry == "1d" || form.geometry == "a1d") at.y = 0;
    if (form.geometry == "1d" || form.geometry == "2d") at.z = 0;
    const int last[3] = {kRow - static_cast<int>(form.parts * form.bytes), kRows - 1, kSlices - 1};
    int* const side[3] = {&at.x, &at.y, &at.z};
    for (int i = 0; i < 3; ++i) {
      if (*side[i] >= 0 && *side[i] <= last[i]) continue;
      if (form.mode != "clamp") return -1;
      *side[i] = std::clamp(*side[i], 0, last[i]);
    }
    return at.z * kPitch * kRows + at.y * kPitch + at.x;
  }

  DeviceMemory memory_{1 << 20};
  Addr data_ = 0, object_ = 0;
  std::array<std::uint8_t, kSize> image_{};
};

TEST_F(PtxSurface, EveryFormReadsAndWritesItsBytes) {
  std::array<std::uint8_t, 16> value;
  for (std::size_t i = 0; i < value.size(); ++i) value[i] = static_cast<std::uint8_t>(0xa0 + i);
  for (const SurfaceForm& form : surface_forms())
    for (const Place& at :
         {Place{0, 0, 0}, Place{16, 2, 1}, Place{48, 1, 1}, Place{-16, 1, 0}, Place{64, 2, 1},
          Place{32, -1, 0}, Place{32, 3, 1}, Place{16, 1, -5}, Place{16, 1, 2}}) {
      const int place = offset(form, at);
      if (place < 0 && form.mode == "trap") continue;
      SCOPED_TRACE(form.spelling() + " at " + std::to_string(at.x) + " " + std::to_string(at.y) +
                   " " + std::to_string(at.z));
      const std::size_t bytes = form.parts * form.bytes;
      std::array<std::uint8_t, 16> want = value;
      if (form.load) {
        for (std::size_t i = 0; i < bytes; ++i)
          want[i] = place < 0 ? std::uint8_t{0} : image_[static_cast<std::size_t>(place) + i];
      } else if (place >= 0) {
        std::copy_n(value.begin(), bytes, image_.begin() + place);
      }
      ASSERT_EQ(run(instruction(form), form, at, value), want);
      ASSERT_EQ(std::memcmp(image_.data(), DeviceMemory::host(data_), kSize), 0);
      for (std::uint8_t& v : value) v = static_cast<std::uint8_t>(5 * v + 1);
    }
}

TEST_F(PtxSurface, OutsideTraps) {
  for (const bool load : {true, false}) {
    const SurfaceForm form{load, "2d", "", 1, 4, "trap"};
    const std::string error = error_of([&] { run(instruction(form), form, {kRow, 0, 0}, {}); });
    EXPECT_NE(error.find("surface.ptx:"), std::string::npos) << error;
    EXPECT_NE(error.find("`" + form.spelling() + "`"), std::string::npos) << error;
  }
}

TEST_F(PtxSurface, References) {
  const SurfaceForm form{true, "2d", "", 2, 4, "zero"};
  const auto got = run(instruction(form, "reference"), form, {8, 1, 0}, {});
  EXPECT_EQ(std::memcmp(got.data(), image_.data() + kPitch + 8, 8), 0);
}

TEST_F(PtxSurface, SizesAreOfElements) {
  const SurfaceForm form{true, "1d", "", 3, 4, "zero"};
  const auto got =
      run("suq.width.b32 %v0, [%t]; suq.height.b32 %v1, [%t]; suq.depth.b32 %v2, [reference]", form,
          {}, {});
  std::uint32_t sizes[3];
  std::memcpy(sizes, got.data(), sizeof sizes);
  EXPECT_EQ(sizes[0], kRow / 4u);  // two channels of 16 bits
  EXPECT_EQ(sizes[1], unsigned{kRows});
  EXPECT_EQ(sizes[2], unsigned{kSlices});
}

}  // namespace
}  // namespace warpmem::program::ptx
