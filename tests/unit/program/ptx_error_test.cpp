// SPDX-License-Identifier: Apache-2.0
// What users are told about bad PTX and bad launches, and that no text crashes the reader.
#include <random>

#include "unit/program/clang_ptx.hpp"
#include "unit/program/ptx_fixture.hpp"

namespace warpmem::program::ptx {
namespace {

std::string load_error(const std::string& body) {
  return error_of([&] { Module module(header() + body, "bad.ptx"); });
}
bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(PtxError, SyntaxNamesFileAndLine) {
  EXPECT_EQ(load_error(".visible .entry k() {\nfoo %r1;\n}"),
            "bad.ptx:5: `%r1` is neither declared nor a special register");
  EXPECT_TRUE(contains(load_error(".visible .entry k() {\n add.s32\n}"),
                       "bad.ptx:6: expected a number, found `}`"));
  EXPECT_TRUE(
      contains(load_error(".visible .entry k() {\n"), "expected `}`, found the end of the file"));
  EXPECT_TRUE(
      contains(load_error(".global .u32 x = ;"), "bad.ptx:4: expected a number, found `;`"));
  EXPECT_TRUE(contains(load_error(".global .u77 x;"), "expected a type"));
  EXPECT_TRUE(contains(load_error(".global .f64 x = 1.0e999;"), "bad.ptx:4: number does not fit"));
  EXPECT_TRUE(contains(load_error(".global .f64 x = 1.0e;"), "bad.ptx:4: malformed number"));
  EXPECT_EQ(load_error(".global .f64 x[3] = {1., 1.5E-3, 2e+4};"), "");
  EXPECT_TRUE(
      contains(load_error(".global .u32 x[2] = {1,2,3};"), "too many initial values for `x`"));
  EXPECT_TRUE(contains(load_error(".global .align 3 .u32 x;"), "power of two"));
  EXPECT_TRUE(contains(load_error(".global .b8 x[99999999999999];"), "too large"));
  EXPECT_TRUE(contains(load_error(".visible .entry k() { A: ret;\n A: ret; }"),
                       "bad.ptx:5: label `A` is defined twice"));
  EXPECT_TRUE(contains(load_error(".visible .entry k() { .reg .b32 %r<4>; mov.u32 %r4, 0; }"),
                       "`%r4` is neither declared"));
  EXPECT_TRUE(contains(load_error(".visible .entry k() { .reg .b32 %r<4>; @%r1 ret; }"),
                       "not a predicate"));
  EXPECT_TRUE(contains(load_error("\x7f\x45LF"), "not PTX text"));
  EXPECT_TRUE(contains(load_error("/* open"), "comment without an end"));
  EXPECT_TRUE(contains(
      error_of([] { Module m(".version 6.0\n.target sm_60\n.address_size 32\n", "old.ptx"); }),
      "old.ptx:3: only 64-bit"));
  EXPECT_EQ(load_error(""), "");
}

/// Returns the error of launching kernel k with one warp.
std::string launch_error(const std::string& text, Dim3 grid = {1}, Dim3 block = {32},
                         std::size_t parameter_bytes = 0, std::uint64_t shared = 0) {
  return error_of([&] {
    DeviceMemory memory(1 << 20);
    Module module(header() + text, "bad.ptx");
    module.bind(memory);
    run_functional(*make_grid(module, "k", grid, block, shared,
                              std::vector<std::uint8_t>(parameter_bytes), memory));
  });
}
std::string body_error(const std::string& body) {
  return launch_error(
      ".visible .entry k() { .reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; "
      ".reg .f32 %f<9>;\n" +
      body + "\nret; }");
}

TEST(PtxError, UnsupportedInstructionsAreNamedWhenTheirKernelIsLaunched) {
  const std::string text =
      ".visible .entry other() { .reg .f32 %f<9>; .reg .b32 %r<9>;\n tex.2d.v4.f32.s32 "
      "{%f1,%f2,%f3,%f4}, [x, {%r1,%r2}]; ret; }\n.visible .entry k() { ret; }";
  EXPECT_EQ(launch_error(text), "");
  EXPECT_EQ(body_error("wmma.load.a.sync %r1;"),
            "kernel k, bad.ptx:5: unsupported instruction `wmma.load.a.sync`");
  EXPECT_EQ(body_error("add.s32.banana %r1, %r2, %r3;"),
            "kernel k, bad.ptx:5: unsupported instruction `add.s32.banana`");
  for (const char* bad :
       {"add.f32x2 %r1, %r1, %r1;", "cvt.s32.f32 %r1, %f1;", "cvt.rn.s32.s16 %r1, %h1;",
        "mul.s32 %r1, %r1, %r1;", "setp.ltu.s32 %p1, %r1, %r1;",
        "atom.global.add.b32 %r1, [%rd1], %r1;", "atom.global.inc.s32 %r1, [%rd1], %r1;",
        "sin.f32 %f1, %f1;", "st.const.u32 [%rd1], %r1;",
        "ld.global.v4.u64 {%rd1,%rd2,%rd3,%rd4}, [%rd5];", "min.u8 %h1, %h1, %h1;",
        "add.sat.u32 %r1, %r1, %r1;", "shl.s32.ftz %r1, %r1, %r1;", "rcp.f32 %f1, %f1;"})
    EXPECT_TRUE(contains(body_error(bad), "unsupported instruction `"))
        << bad << " -> " << body_error(bad);
}

TEST(PtxError, MalformedInstructions) {
  EXPECT_TRUE(contains(body_error("add.s32 %r1, %r2;"), "has 2 operands, not 3"));
  EXPECT_TRUE(contains(body_error("add.s32 %rd1, %r2, %r3;"), "register %rd1 has the wrong size"));
  EXPECT_TRUE(contains(body_error("add.s32 %r1, %f2, %rd3;"), "register %rd3 has the wrong size"));
  EXPECT_TRUE(contains(body_error("add.s32 5, %r2, %r3;"), "destination must be a register"));
  EXPECT_TRUE(contains(body_error("bra NOWHERE;"), "label `NOWHERE` is not defined"));
  EXPECT_TRUE(contains(body_error("call nothing, proto;"), "malformed call"));
  EXPECT_TRUE(contains(body_error("mov.u64 %rd1, k;"), "kernels are launched by the host"));
  EXPECT_TRUE(contains(body_error("call nothing;"), "function `nothing` is not declared"));
  EXPECT_TRUE(contains(body_error("mov.u64 %rd1, nothing;"), "`nothing` is not defined"));
  EXPECT_TRUE(contains(body_error("bar.arrive 0;"), "needs a number of threads"));
  EXPECT_TRUE(contains(body_error("bar.sync 0, 40;"), "must be a multiple of 32"));
  EXPECT_TRUE(contains(body_error("bar.sync 99;"), "0 to 15"));
  EXPECT_TRUE(contains(body_error("ld.global.v2.u32 {%r1,%r2,%r3}, [%rd1];"), "needs 2 elements"));
  EXPECT_TRUE(contains(body_error("add.u32 %r1, %tid.x, 1;"), "%tid.x can only be read by mov"));
  EXPECT_TRUE(contains(launch_error(".extern .func other(.param .b64 n);\n.visible .entry k() { { "
                                    ".param .b64 p; call other, (p); } ret; }"),
                       "`other` has no body"));
  EXPECT_TRUE(contains(launch_error(".extern .global .u32 far;\n.visible .entry k() { .reg .b64 "
                                    "%rd<2>; mov.u64 %rd1, far; ret; }"),
                       "declared but not defined"));
  EXPECT_TRUE(contains(launch_error(".extern .global .u32 far;\n.global .u64 p = "
                                    "generic(far);\n.visible .entry k() { ret; }"),
                       "bad.ptx:5: the initial value of `p`"));
}

TEST(PtxError, FaultsNameTheLineOfTheSourceWhereThePtxHasIt) {
  const auto error = [](const std::string& trap) {
    return launch_error(
        ".visible .entry k() {\n.loc 1 0 0\n.loc 1 12 3\nnanosleep.u32 0;\n.loc 2 88 1\n" + trap +
        "\nret; }\n.file 1 \"/home/me/app.cu\"\n.file 2 \"/<warpmem>/warpmem/atomics.h\"\n"
        ".file 7 \"helper.cuh\", 0, 0\n");
  };
  EXPECT_TRUE(contains(error("trap;"), "app.cu:12 (PTX line 9): `trap`")) << error("trap;");
  EXPECT_TRUE(contains(error(".loc 7 4 1, function_name x, inlined_at 1 2 3\ntrap;"),
                       "helper.cuh:4 (PTX line 10)"));
  EXPECT_TRUE(contains(launch_error(".visible .entry k() {\n.loc 2 88 1\ntrap;\n.loc 1 14 1\nret; "
                                    "}\n.file 1 \"/home/me/app.cu\"\n"
                                    ".file 2 \"/<warpmem>/warpmem/atomics.h\"\n"),
                       "app.cu:14 (PTX line 6): `trap`"));
  EXPECT_TRUE(contains(body_error("trap;"), "bad.ptx:5: `trap`"));
  EXPECT_TRUE(contains(launch_error(".visible .entry k() {\n.loc 1 3 0\ntrap;\nret; }\n"
                                    ".file 1 \"/a \\\"b\\\"\\\\x\\n\\377.cu\"\n"),
                       "a \"b\"\\x5cx\\x0a\\xff.cu:3 (PTX line"));
}

TEST(PtxError, Launches) {
  const std::string text =
      ".visible .entry k(.param .u32 a, .param .u64 b) .maxntid 64, 2, 1 { ret; }";
  EXPECT_EQ(launch_error(text, {1}, {128}, 16), "");
  EXPECT_EQ(launch_error(text, {1}, {32}, 12),
            "kernel k: the launch passes 12 bytes of parameters, the kernel takes 16");
  EXPECT_TRUE(contains(launch_error(text, {1, 0, 1}, {32}, 16), "has a dimension of 0"));
  EXPECT_TRUE(contains(launch_error(text, {1}, {129}, 16), "at most 128"));
  EXPECT_TRUE(
      contains(launch_error(".visible .entry k() { ret; }", {1}, {33, 32}), "at most 1024"));
  EXPECT_TRUE(contains(launch_error(".visible .entry k() { ret; }", {1}, {32}, 0, 1ULL << 40),
                       "shared memory"));
  EXPECT_TRUE(contains(launch_error(".visible .entry j() { ret; }"), "there is no kernel `k`"));
  EXPECT_TRUE(contains(error_of([] {
                         DeviceMemory memory(1 << 20);
                         Module module(header() + ".visible .entry k() { ret; }", "x.ptx");
                         make_grid(module, "k", {1}, {32}, 0, {}, memory);
                       }),
                       "not bound"));
  EXPECT_TRUE(contains(error_of([] {
                         DeviceMemory memory(1 << 10);
                         Module module(header() + ".global .b8 big[4096];", "x.ptx");
                         module.bind(memory);
                       }),
                       "x.ptx:4: no room for `big`"));
}

// ---- robustness
// --------------------------------------------------------------------------------------

/// Loads, binds, decodes and briefly runs whatever the text is; anything but UserError escapes.
void feed(const std::string& text, DeviceMemory& memory) {
  try {
    Module module(text, "fuzz.ptx");
    module.bind(memory);
    for (const auto& entry : module.entries()) {
      try {
        const auto grid = make_grid(module, entry.name, {1}, {33}, 64,
                                    std::vector<std::uint8_t>(entry.parameter_bytes), memory);
        run_functional(*grid, 0, 1, {300});
      } catch (const UserError&) {
      }
    }
  } catch (const UserError&) {
  }
  while (!memory.allocations().empty()) memory.release(memory.allocations().begin()->first);
}

std::string corpus() {
  return header() +
         ".global .align 8 .u64 table[2] = {generic(other), generic(other)+4};\n.global .u32 "
         "other[3] = {1, 2, 3};\n.const .f32 c = 0f3F800000;\n"
         ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n"
         ".func (.param .b32 r) twice(.param .align 4 .b8 s[12], .param .b32 n) {\n.local .align 8 "
         ".b8 depot[24]; .reg .b32 %r<9>; .reg .b64 %rd<5>; .reg .pred %p<2>;\n"
         "mov.u64 %rd1, depot; ld.param.u32 %r1, [s+4]; ld.param.u32 %r2, [n]; setp.eq.s32 %p1, "
         "%r2, 0; @%p1 bra DONE;\n"
         "st.local.u32 [%rd1+4], %r1; add.s32 %r2, %r2, -1;\n{ .param .align 4 .b8 a[12]; .param "
         ".b32 b; .param .b32 o; st.param.b32 [a+4], %r1; st.param.b32 [b], %r2; call.uni (o), "
         "twice, (a, b); ld.param.b32 %r3, [o]; }\n"
         "DONE: st.param.b32 [r], %r1; ret; }\n"
         ".visible .entry k(.param .u64 p, .param .u32 n)\n.maxntid 64, 1, 1\n{\n.shared .align 4 "
         ".b8 tile[128]; .reg .pred %p<5>; .reg .b16 %h<9>; .reg .b32 %r<20>; .reg .b64 %rd<20>; "
         ".reg .f32 %f<9>; .reg .f64 %fd<9>;\n"
         "ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; mov.u64 %rd3, "
         "tile; add.s64 %rd4, %rd3, %rd2;\n"
         "LOOP: setp.lt.and.s32 %p1|%p2, %r2, 10, !%p3; @!%p1 bra OUT; st.shared.u32 [%rd4], %r1; "
         "bar.sync 0; ld.shared.v2.u32 {%r3, %r4}, [tile+8];\n"
         "cvt.rn.f32.s32 %f1, %r3; fma.rn.f32 %f2, %f1, 0f40000000, %f1; cvt.rzi.s32.f32 %r5, %f2; "
         "add.s32 %r2, %r2, 1; bra.uni LOOP;\n"
         "OUT: atom.global.add.u32 %r6, [other], 1; ld.global.u64 %rd5, [table+8]; ld.u32 %r7, "
         "[%rd5]; shfl.sync.bfly.b32 %r8|%p4, %r7, 1, 31, -1; vote.ballot.b32 %r9, %p4;\n"
         "{ .param .align 4 .b8 a[12]; .param .b32 b; .param .b32 o; st.param.b32 [a+4], %r7; "
         "st.param.b32 [b], 3; call.uni (o), twice, (a, b); ld.param.b32 %r10, [o]; }\n"
         "T: .branchtargets A, B; and.b32 %r11, %r1, 1; brx.idx %r11, T; A: bfe.u32 %r12, %r1, 3, "
         "4; B: prmt.b32 %r13, %r1, %r2, 0x3210; div.rn.f64 %fd1, %fd2, 0d4008000000000000;\n"
         "mov.b64 %rd6, {%r1, %r2}; isspacep.shared %p1, %rd6; cvta.to.global.u64 %rd7, %rd6; @%p1 "
         "exit; bar.red.popc.u32 %r14, 0, %p1; ret;\n}\n";
}

TEST(PtxRobustness, TruncatedTextIsAnErrorNotACrash) {
  DeviceMemory memory(1 << 20);
  const std::string text = corpus();
  EXPECT_EQ(error_of([&] {
              Module module(text, "corpus.ptx");
              module.bind(memory);
              run_functional(
                  *make_grid(module, "k", {1}, {32}, 0, std::vector<std::uint8_t>(12), memory));
            }),
            "");
  for (std::size_t n = 0; n < text.size(); ++n) feed(text.substr(0, n), memory);
}

TEST(PtxRobustness, MutatedTextIsAnErrorNotACrash) {
  DeviceMemory memory(1 << 20);
  const std::string text = corpus();
  const char* const tokens[] = {"%r1",
                                "%rd1",
                                "%p1",
                                "%f1",
                                ".b64",
                                ".u8",
                                ".pred",
                                "0",
                                "-1",
                                "99999999999999999999",
                                "0f3F800000",
                                "[",
                                "]",
                                "{",
                                "}",
                                "(",
                                ")",
                                ";",
                                ",",
                                "@",
                                "!",
                                "|",
                                "+",
                                "-",
                                ":",
                                "ret",
                                "call",
                                "bra",
                                "LOOP",
                                "other",
                                "tile",
                                "twice",
                                ".param",
                                ".local",
                                ".shared",
                                ".v4",
                                ".global",
                                "0x7fffffffffffffff",
                                "<4000000000>",
                                "[4294967295]",
                                "ld.param.u32",
                                "atom.cas.b64",
                                "%tid.x",
                                "_",
                                "\"",
                                "/*",
                                "\n"};
  std::mt19937 random(2024);
  for (unsigned round = 0; round < 30000; ++round) {
    std::string s = text;
    const unsigned edits = 1 + random() % 4;
    for (unsigned e = 0; e < edits; ++e) {
      const std::size_t at = random() % s.size();
      switch (random() % 5) {
        case 0:
          s[at] = static_cast<char>(random());
          break;
        case 1:
          s.erase(at, 1 + random() % 8);
          break;
        case 2:
          s.insert(at, tokens[random() % std::size(tokens)]);
          break;
        case 3:
          s.insert(at, s.substr(random() % s.size(), random() % 60));
          break;
        default: {
          // Replaces the word at `at` by another word of the text or a token.
          std::size_t end = at;
          while (end < s.size() && std::isalnum(static_cast<unsigned char>(s[end]))) ++end;
          s.replace(at, end - at, tokens[random() % std::size(tokens)]);
        }
      }
      if (s.empty()) s = ";";
    }
    feed(s, memory);
  }
}

}  // namespace
}  // namespace warpmem::program::ptx
