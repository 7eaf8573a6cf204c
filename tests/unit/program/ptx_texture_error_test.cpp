// SPDX-License-Identifier: Apache-2.0
// Texture instructions that are refused, and faults of those that are not.
#include "unit/program/ptx_fixture.hpp"

namespace warpmem::program::ptx {
namespace {

TEST(PtxTextureErrors, OtherFormsAreNamedAtTheLaunch) {
  for (const char* const instruction :
       {"tex.cube.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%t, {%f0, %f0, %f0, %f0}]",
        "tex.level.2d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%t, {%f0, %f0}], %f0",
        "tld4.r.a2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%t, {%f0, %f0, %f0}]",
        "suld.b.1d.v4.b64.trap {%f0}, [%t, {%f0}]", "sust.p.1d.b32.trap [%t, {%f0}], {%f0}",
        "sured.b.add.1d.u32.trap [%t, {%f0}], %f0", "txq.num_samples.b32 %f0, [%t]"}) {
    const std::string error = error_of([&] {
      DeviceMemory memory(1 << 20);
      Module module(header() + ".visible .entry k() { .reg .b64 %t; .reg .f32 %f<4>;\n" +
                        instruction + ";\nret; }",
                    "bad.ptx");
      module.bind(memory);
      make_grid(module, "k", {1}, {32}, 0, {}, memory);
    });
    const std::string opcode =
        std::string(instruction).substr(0, std::string(instruction).find(' '));
    EXPECT_EQ(error, "kernel k, bad.ptx:5: unsupported instruction `" + opcode + "`");
  }
}

TEST(PtxTextureErrors, WrongOperandsSayWhatIsWrong) {
  const std::string d = " {%f0, %f1, %f2, %f3}, ";
  const std::pair<std::string, std::string> cases[] = {
      {"tex.2d.v4.f32.f32" + d + "[t, s, {%f0, %f0}]",
       "a sampler apart from the texture (.texmode_independent) is not supported; in unified mode "
       "a texture brings its own"},
      {"tex.2d.v4.f32.f32" + d + "[%t, %t, {%f0, %f0}]",
       "a sampler apart from the texture (.texmode_independent) is not supported; in unified mode "
       "a texture brings its own"},
      {"tex.2d.v4.f32.f32" + d + "[%t, {%f0, %f0}], {%i, %i}",
       "coordinate offsets and depth comparisons are not supported"},
      {"tex.2d.v4.f32.f32" + d + "[%t, {%f0}]", "there are too few coordinates"},
      {"tex.2d.v4.f32.f32" + d + "[%t]", "the coordinates are missing"},
      {"tex.1d.v4.f32.s32" + d + "[%t, {%t}]",
       "a coordinate must be a register of 32 bits or a number"},
      {"tex.1d.v4.f32.s32" + d + "[p, {%i}]",
       "a texture that is a parameter must be loaded into a register first"},
      {"tex.1d.v4.f32.s32" + d + "[nowhere, {%i}]",
       "the texture must be a .texref variable or a register"},
      {"tex.1d.v4.f32.s32" + d + "[%i, {%i}]", "the register of a texture must have 64 bits"},
      {"tex.1d.v4.f32.s32" + d + "[%t+8, {%i}]", "a texture has no offset"},
      {"tex.1d.v4.f32.s32 {%t, %f1, %f2, %f3}, [%t, {%i}]",
       "a destination must be a register of 32 bits"},
      {"tex.1d.v4.f32.s32 %f0, [%t, {%i}]", "the destination has the wrong size"},
      {"tex.level.2d.v4.f32.f32" + d + "[%t, {%f0, %f0}]",
       "the level or the gradients are missing"},
      {"tex.grad.2d.v4.f32.f32" + d + "[%t, {%f0, %f0}], %f0, {%f0, %f0}",
       "a gradient has too few numbers"},
      {"tex.level.2d.v4.f32.f32" + d + "[%t, {%f0, %f0}], %t",
       "a level or gradient must be of registers of 32 bits or numbers"},
      {"suld.b.2d.v2.b32.trap %f0, [%t, {%i, %i}]", "the value has the wrong size"},
      {"suld.b.2d.b64.trap %f0, [%t, {%i, %i}]",
       "a part of the value must be a register that is wide enough"},
      {"suld.b.2d.b32.trap %f0, [%t, {%i}]", "there are too few coordinates"},
      {"sust.b.2d.b32.trap %f0, [%t, {%i, %i}]",
       "the operands must be [surface, coordinates] and the source"},
      {"txq.width.b32 %i, [%t, %t]",
       "a sampler apart from the texture (.texmode_independent) is not supported; in unified mode "
       "a texture brings its own"},
  };
  for (const auto& [instruction, wrong] : cases) {
    const std::string error = error_of([&text = instruction] {
      DeviceMemory memory(1 << 20);
      Module module(header() +
                        ".global .texref t;\n.global .samplerref s;\n.visible .entry k(.param .u64 "
                        "p) { .reg .b64 %t; .reg .b32 %i; .reg .f32 %f<4>;\n" +
                        text + ";\nret; }",
                    "bad.ptx");
      module.bind(memory);
      make_grid(module, "k", {1}, {32}, 0, Arguments().add(std::uint64_t(0)).bytes(), memory);
    });
    const std::string opcode = instruction.substr(0, instruction.find(' '));
    EXPECT_EQ(error, "kernel k, bad.ptx:7: `" + opcode + "`: " + wrong);
  }
}

TEST(PtxTextureErrors, AFaultNamesTheInstructionThatFetches) {
  for (const char* const texture : {"unbound", "%null"}) {
    DeviceMemory memory(1 << 22);
    // The first instruction, which no lane executes, shares the library's functions.
    Module module(header() +
                      ".global .texref unbound;\n.file 1 \"own.cu\"\n"
                      ".visible .entry k() { .reg .pred %p; .reg .b64 %null; .reg .b32 %i; .reg "
                      ".f32 %f<4>;\nmov.u32 %i, 0; mov.u64 %null, 0; setp.ne.u32 %p, %i, 0;\n"
                      ".loc 1 20 1\n@%p tex.2d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [unbound, {%i, "
                      "%i}];\n.loc 1 30 1\ntex.2d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [" +
                      texture + ", {%i, %i}];\nret; }",
                  "own.ptx");
    module.bind(memory);
    const auto grid = make_grid(module, "k", {1}, {32}, 0, {}, memory);
    const std::string error = error_of([&] { run_functional(*grid); });
    EXPECT_NE(error.find("own.cu:30 (PTX line 11): `tex.2d.v4.f32.s32`, CTA (0,0,0) thread "
                         "(0,0,0): load of "),
              std::string::npos)
        << error;
    EXPECT_NE(error.find("; is the texture bound?"), std::string::npos) << error;
  }
}

}  // namespace
}  // namespace warpmem::program::ptx
