// SPDX-License-Identifier: Apache-2.0
// Accel-Sim traces: the format's rules, one by one, on a small trace and on a real one.
#include <gtest/gtest.h>
#include <lzma.h>

#include <cctype>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "accelsim_text.hpp"
#include "base/errors.hpp"
#include "program/functional.hpp"
#include "program/trace/accelsim_kernel.hpp"
#include "program/trace/replay.hpp"
#include "program/trace/trace_grid.hpp"

namespace warpmem::program::trace {
namespace {

namespace fs = std::filesystem;
using test::block;
using test::error_of;
using test::Folder;
using test::header;
using test::kExit;
using test::read;
using test::with;

const std::string kStep0 = "0000 ffffffff 1 R0 S2R 0 0 0\n";
const std::string kStep1 = "0010 ffffffff 1 R2 LDG.E.SYS 1 R0 4 1 0x7f4000000000 4 0\n";
const std::string kStep2 =
    "0020 ffffffff 0 STG.E.64.SYS 2 R0 R2 8 2 0x7f4000100000 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 264 8 8 "
    "8 8 "
    "8 8 8 8 8 8 8 8 8 8 8 0\n";
const std::string kMinimal = header() + block(kStep0 + kStep1 + kStep2 + kExit, 4);

std::string xz(const std::string& text) {
  std::string out(text.size() + 1024, '\0');
  std::size_t size = 0;
  EXPECT_EQ(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, nullptr,
                                    reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                                    reinterpret_cast<std::uint8_t*>(out.data()), &size, out.size()),
            LZMA_OK);
  out.resize(size);
  return out;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(TraceAccelsim, MinimalExample) {
  const auto r = read(kMinimal);
  ASSERT_EQ(r->ctas.size(), 1u);
  ASSERT_EQ(r->warp().steps.size(), 4u);
  EXPECT_EQ(r->inst(1).space, Space::global);
  EXPECT_EQ(r->inst(1).bytes, 4u);
  EXPECT_EQ(r->inst(2).mem, MemOp::store);
  EXPECT_EQ(r->inst(2).bytes, 8u);
  const auto& a = r->warp().addresses;
  ASSERT_EQ(a.size(), 64u);
  EXPECT_EQ(a[31], 0x7f400000007cu);
  EXPECT_EQ(a[32 + 15], 0x7f4000100078u);
  EXPECT_EQ(a[32 + 16], 0x7f4000100180u);
  EXPECT_TRUE(r->warp().steps[3].exited);
  EXPECT_TRUE(r->notes.list().empty());
}

TEST(TraceAccelsim, XzEqualsPlainAndLastNewlineMayLack) {
  EXPECT_EQ(read(xz(kMinimal))->warp().addresses, read(kMinimal)->warp().addresses);
  std::string text = kMinimal;
  text.pop_back();
  EXPECT_EQ(read(text)->ctas.size(), 1u);
}

TEST(TraceAccelsim, AddressForms) {
  const auto list = read(with("0000 00000005 1 R2 LDG.E 1 R0 4 0 0x1000 0x2000"));
  EXPECT_EQ(list->warp().addresses, (std::vector<Addr>{0x1000, 0x2000}));
  const auto stride = read(with("0000 00000006 1 R2 LDG.E 1 R0 4 1 0x1000 -16 7"));
  EXPECT_EQ(stride->warp().addresses, (std::vector<Addr>{0x1000, 0xff0}));
  const auto delta = read(with("0000 00000015 1 R2 LDG.E 1 R0 4 2 0x1000 8 -4"));
  EXPECT_EQ(delta->warp().addresses, (std::vector<Addr>{0x1000, 0x1008, 0x1004}));
  const auto off = read(with("0000 00000000 1 R2 LDG.E 1 R0 4 1 0x0 0 0"));
  EXPECT_TRUE(off->warp().addresses.empty());
  const auto zero = read(with("0000 00000003 1 R2 LDG.E 1 R0 4 0 0x0 0x2000"));
  EXPECT_EQ(zero->warp().steps[0].lanes, 2u);
  EXPECT_EQ(zero->warp().addresses, std::vector<Addr>{0x2000});
}

TEST(TraceAccelsim, Errors) {
  const struct {
    std::string text, expected;
  } kCases[] = {
      {replaced(kMinimal, "insts = 4", "insts = 5"), ":28: thread block 0,0,0, warp 0: 4 instruct"},
      {replaced(kMinimal, "insts = 4", "insts = 3"), ":26: thread block 0,0,0, warp 0: more"},
      {replaced(kMinimal, "insts = 4", "insts = x"), ":22: `insts = x`; allowed"},
      {replaced(kMinimal, "-nregs = 16\n", ""), ":14: the header ends without `-nregs`"},
      {replaced(kMinimal, "-grid dim = (1,1,1)", "-grid dim = (1,0,1)"), ":3: grid dim is"},
      {replaced(kMinimal, "-block dim = (32,1,1)", "-block dim = (32,33,1)"), ":4: block dim is"},
      {replaced(kMinimal, "warp = 0", "warp = 1"), "N from 0 to 0 in a block of 32"},
      {replaced(kMinimal, "\n#END_TB", "warp = 0\n#END_TB"), "warp 0 for the second time"},
      {replaced(kMinimal, "(1,1,1)", "(2,1,1)"), "the file ends after 1 thread blocks"},
      {kMinimal + block(kExit, 1), "thread block 2 of the file"},
      {header("70", "(2,1,1)") + block(kExit, 1) + block(kExit, 1), "0,0,0 for the second time"},
      {header() + block(kExit, 1, "1,0,0"), "within grid (1,1,1)"},
      {header("70", "(1,1,1)", "(64,1,1)") + block(kExit, 1), "has no warp 1"},
      {header("70", "(1,1,1)", "(16,1,1)") + block(kExit, 1), "lanes outside the block"},
      {replaced(kMinimal, "0000 ffffffff", "0000 fffffffg"), ":23: `fffffffg` as mask"},
      {replaced(kMinimal, "0000 ffffffff", "0000 1ffffffff"), "as mask"},
      {replaced(kMinimal, "0000 ffff", "100000000 ffff"), "as PC"},
      {replaced(kMinimal, "LDG.E.SYS 1 R0", "LDG.E.SYS 1 R256"), "allowed: R0 to R255"},
      {replaced(kMinimal, "LDG.E.SYS 1 R0", "LDG.E.SYS 13 R0"), "allowed: 0 to 12"},
      {replaced(kMinimal, "4 1 0x7f", "4 3 0x7f"), "as form of the addresses"},
      {with("0000 00000003 1 R2 LDG.E 1 R0 4 0 0x1000"), "ends before the addresses of 2 lanes"},
      {with("0000 00000003 1 R2 LDG.E 1 R0 4 2 0x1000"), "ends before the deltas"},
      {with("0000 00000001 1 R2 LDG.E 1 R0 4 0 0x1000 0x2000 5"), "one immediate after"},
      {with("0000 00000005 1 R2 LDG.E 1 R0 4 1 0x1000 4"), "adjoining lanes"},
      {with("0000 00000001 1 R2 LDG.E 1 R0 4 0 0x10000000000000000"), "as address"},
      {with("0000 00000001 1 R2 LDG.E 1 R0 0"), "with mem_width 0"},
      {header() + block(kExit + kStep0, 2), "after EXIT has retired all lanes"},
      {header() + block("0 0000ffff 0 EXIT 0 0 0\n" + kStep0, 2), "that have executed EXIT"},
      {header() + block(kStep0, 1), "ends with lanes ffffffff that have not executed EXIT"},
      {kMinimal.substr(0, kMinimal.size() - 8), "(truncated)"},
      {kMinimal.substr(0, kMinimal.find("-cuda")), "the file ends in the header"},
      {replaced(kMinimal, "#END_TB", "#BEGIN_TB"), "#BEGIN_TB within"},
      {header("70", "(1,1,1)", "(32,1,1)", "2") + block(kExit, 1), "four decimal numbers"},
      {"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "pointer of Git LFS"},
      {"\x1f\x8b\x08...", ":1: compressed by gzip; allowed: text, or text in xz"},
      {"\x28\xb5\x2f\xfd...", "compressed by zstd"},
  };
  for (const auto& c : kCases)
    EXPECT_NE(error_of(c.text).find(c.expected), std::string::npos)
        << c.expected << "\n  got " << error_of(c.text);
  const std::string packed = xz(kMinimal);
  EXPECT_NE(error_of("").find("k.traceg: empty"), std::string::npos) << error_of("");
  EXPECT_NE(error_of(packed.substr(0, packed.size() - 20)).find("k.traceg:"), std::string::npos);
}

TEST(TraceAccelsim, OldTracersPrefixTheirLines) {
  const auto r = read(header("70", "(1,1,1)", "(32,1,1)", "2") + block("0 0 0 0 " + kExit, 1));
  EXPECT_EQ(r->warp().steps.size(), 1u);
}

TEST(TraceAccelsim, LineNumbers) {
  const auto r = read(replaced(header() + block("77 " + kExit, 1), "lineinfo = 0", "lineinfo = 1"));
  EXPECT_EQ(r->inst().source_line, 77u);
}

TEST(TraceAccelsim, SpacesAndOffsets) {
  const struct {
    const char* step;
    Space space;
    Addr address;
  } kCases[] = {
      {"0 1 1 R0 LD.E 1 R2 4 0 0x7f3c00000010", Space::shared, 0x10},
      {"0 1 1 R0 LD.E 1 R2 4 0 0x7f3e00000010", Space::local, 0x10},
      {"0 1 1 R0 LD.E 1 R2 4 0 0x7f4000000010", Space::global, 0x7f4000000010},
      {"0 1 1 R0 LDS 1 R2 4 0 0x20", Space::shared, 0x20},
      {"0 1 0 STS 2 R2 R3 4 0 0x7f3c00000020", Space::shared, 0x20},
      {"0 1 1 R0 LDL 1 R1 4 0 0x7f3e00fffdc0", Space::local, 0x3dc0},
  };
  for (const auto& c : kCases) {
    const auto r = read(with(c.step));
    EXPECT_EQ(r->warp().steps[0].space, c.space) << c.step;
    EXPECT_EQ(r->warp().addresses, std::vector<Addr>{c.address}) << c.step;
  }
}

TEST(TraceAccelsim, WidthsAndRegisters) {
  const struct {
    const char* step;
    unsigned bytes;
  } kCases[] = {
      {"0 1 1 R0 LDG.E.U8 1 R2 1 0 0x10", 1},
      {"0 1 1 R0 LDG.E.S8.SYS 1 R2 1 0 0x10", 1},
      {"0 1 1 R0 LDG.E.S16 1 R2 2 0 0x10", 2},
      {"0 1 1 R0 LDG.E.64 1 R2 8 0 0x10", 8},
      {"0 1 1 R0 LDG.E.128 1 R2 16 0 0x10", 16},
      {"0 1 0 RED.E.ADD.F16x2 2 R2 R3 4 0 0x10", 4},
      {"0 1 0 RED.E.ADD.F64.RN 2 R2 R3 8 0 0x10", 8},
      {"0 1 1 R0 LDSM.16.M88.4 1 R2 16 0 0x10", 16},
      {"0 1 1 R0 LDG.E 1 R2 2 0 0x10", 2},
      {"0 1 1 R0 LDG.E 1 R2 7 0 0x10", 4},
  };
  for (const auto& c : kCases) EXPECT_EQ(read(with(c.step))->inst().bytes, c.bytes) << c.step;
  const auto wide = read(with("0 1 1 R4 LDG.E.128 2 R2 R255 16 0 0x10"));
  EXPECT_EQ(wide->inst().destinations.size(), 4u);
  EXPECT_EQ(wide->inst().destinations[3], 7u);
  EXPECT_EQ(wide->inst().sources.size(), 1u);  // RZ is no dependence
  EXPECT_EQ(read(with("0 1 1 R4 LDSM.16.MT88.4 1 R2 16 0 0x10"))->inst().destinations.size(), 4u);
  EXPECT_EQ(read(with("0 1 1 R4 LDSM.16.M88 1 R2 16 0 0x10"))->inst().destinations.size(), 1u);
  EXPECT_TRUE(read(with("0 1 1 R0 LDG.E.STRONG.GPU 1 R2 4 0 0x10"))->inst().volatile_access);
}

TEST(TraceAccelsim, AsynchronousCopies) {
  const auto r = read(header("80") + block("0 1 0 LDGSTS.E.BYPASS.128 2 R1 R2 16 0 0x1000\n"
                                           "10 1 0 LDGDEPBAR 0 0 0\n20 1 0 DEPBAR.LE 0 0 1\n"
                                           "20 1 0 DEPBAR.LE 0 0 0\n" +
                                               kExit,
                                           5));
  EXPECT_EQ(r->inst(0).async, AsyncCopy::copy);
  EXPECT_EQ(r->inst(0).destinations.size(), 0u);
  EXPECT_EQ(r->inst(1).async, AsyncCopy::close);
  EXPECT_EQ(r->inst(2).async_groups, 1u);
  EXPECT_EQ(r->inst(3).async_groups, 0u);
}

TEST(TraceAccelsim, UnknownAndForeignOpcodesAreNoted) {
  const auto r = read(header("70") + block("0 1 0 FROB.X 0 0 0\n0 1 0 FROB.X 0 0 0\n"
                                           "10 1 1 R1 XMAD 1 R2 0\n" +
                                               kExit,
                                           4));
  ASSERT_EQ(r->notes.list().size(), 2u);
  EXPECT_NE(r->notes.list()[0].find("opcode FROB is unknown (sm_70"), std::string::npos);
  EXPECT_NE(r->notes.list()[0].find("(2 warp instructions)"), std::string::npos);
  EXPECT_NE(r->notes.list()[1].find("XMAD does not belong to sm_70"), std::string::npos);
}

class CountingDevice : public Device {
 public:
  const DeviceProperties& properties() const override { return properties_; }
  void launch(Grid& grid) override { instructions += run_functional(grid).warp_instructions; }
  void host_wrote(Addr, std::uint64_t bytes) override { written += bytes; }
  double seconds() const override { return 0; }
  void finish() override {}
  std::uint64_t instructions = 0, written = 0;

 private:
  DeviceProperties properties_;
};

TEST(TraceAccelsim, AListWithoutAKernelIsCutShort) {
  const Folder folder;
  for (const char* text : {"", "MemcpyHtoD,0x00007f6233c00000,512\n"}) {
    const auto reader = open_trace(folder.write("kernelslist.g", text));
    CountingDevice device;
    try {
      replay(*reader, device);
      ADD_FAILURE() << text;
    } catch (const UserError& error) {
      EXPECT_NE(std::string(error.what()).find("kernelslist.g: no kernel is named"),
                std::string::npos)
          << error.what();
    }
  }
}

TEST(TraceAccelsim, ListOfCommands) {
  const Folder folder;
  folder.write("kernel-1.traceg", kMinimal);
  folder.write("kernel-2.traceg.xz", xz(kMinimal));
  folder.write("kernelslist.g",
               "MemcpyHtoD,0x00007f6233c00000,512\n\nMemcpyDtoH,0x10,4\nkernel-1.traceg.xz\n"
               "kernel-2.traceg");
  EXPECT_TRUE(is_trace(folder.path().string()));
  std::vector<std::string> names;
  for (const auto& file : files_of_trace(folder.path().string()))
    names.push_back(file.lexically_relative(folder.path()).string());
  EXPECT_EQ(names,
            (std::vector<std::string>{"kernelslist.g", "kernel-1.traceg.xz", "kernel-1.traceg",
                                      "kernel-2.traceg", "kernel-2.traceg.xz"}));
  const auto reader = open_trace(folder.path().string());
  CountingDevice device;
  const ReplayResult result = replay(*reader, device);
  EXPECT_EQ(result.launches, 2u);
  EXPECT_EQ(result.warp_instructions, 8u);
  EXPECT_EQ(device.instructions, 8u);
  EXPECT_EQ(device.written, 512u);
  ASSERT_EQ(reader->notes().size(), 1u);
  for (const char* bad :
       {"MemcpyHtoD,0x10", "MemcpyHtoD,xyz,4", "MemcpyHtoD,0x1,-4", "kernel-9.traceg", "?!"}) {
    const auto broken = open_trace(folder.write("bad.g", std::string("\n") + bad));
    Command command;
    try {
      broken->next(command);
      ADD_FAILURE() << bad;
    } catch (const UserError& e) {
      EXPECT_NE(std::string(e.what()).find("bad.g:2: `"), std::string::npos) << e.what();
    }
  }
}

TEST(TraceAccelsim, CtasMayStartOutOfOrderAndFewAreHeld) {
  std::string text = header("70", "(64,1,1)");
  for (unsigned i = 0; i < 64; ++i) text += block(kExit, 1, std::to_string(i) + ",0,0");
  const Folder folder;
  Notes notes;
  AccelsimKernel kernel(folder.write("k.traceg", text), notes);
  TraceGrid grid(kernel);
  for (std::uint64_t i = 0; i < 64; i += 4) {
    for (const std::uint64_t j : {i + 3, i, i + 2, i + 1}) {
      auto cta = grid.start_cta(j, {});
      EXPECT_LE(grid.held(), 3u);
      cta->execute(0);
      EXPECT_EQ(cta->next(0), nullptr);
    }
  }
  grid.check_complete();
  EXPECT_EQ(kernel.inst_count(), 1u);  // static instructions do not grow with CTAs
}

// Returns the peak of the process's resident memory, in kilobytes.
std::uint64_t peak_kilobytes() {
  std::ifstream in("/proc/self/status");
  for (std::string line; std::getline(in, line);)
    if (line.rfind("VmHWM:", 0) == 0) return std::stoull(line.substr(6));
  return 0;
}

TEST(TraceAccelsim, TwentyTimesTheCtasTakeNoMoreMemory) {
  const Folder folder;
  const auto generate = [&](unsigned ctas) {
    const std::string file = folder / "big.traceg";
    std::ofstream out(file, std::ios::binary);
    out << header("70", "(" + std::to_string(ctas) + ",1,1)");
    std::string steps;
    for (unsigned i = 0; i < 100; ++i) steps += kStep1 + kStep0;
    for (unsigned i = 0; i < ctas; ++i)
      out << block(steps + kExit, 201, std::to_string(i) + ",0,0");
    return file;
  };
  const auto run = [&](unsigned ctas) {
    const std::string file = generate(ctas);
    Notes notes;
    AccelsimKernel kernel(file, notes);
    TraceGrid grid(kernel);
    const auto begin = std::chrono::steady_clock::now();
    run_functional(grid);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    grid.check_complete();
    RecordProperty("lines_a_second", std::to_string(ctas * 201 / seconds.count()));
  };
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the address sanitizer keeps what is freed";
#endif
  run(250);
  const std::uint64_t before = peak_kilobytes();
  run(5000);
  EXPECT_LE(peak_kilobytes(), before + 1024);
}

TEST(TraceAccelsim, LostInstructionsAreASimulationError) {
  const Folder folder;
  Notes notes;
  AccelsimKernel kernel(folder.write("k.traceg", kMinimal), notes);
  TraceGrid grid(kernel);
  grid.start_cta(0, {})->execute(0);
  EXPECT_THROW(grid.check_complete(), SimulationError);
}

// Counts the opcodes of a trace by looking at words only, with no idea of the format.
std::map<std::string, std::uint64_t> words_that_are_opcodes(const fs::path& file) {
  std::map<std::string, std::uint64_t> count;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string pc, mask, word;
    if (!(words >> pc >> mask) || mask.size() != 8) continue;
    while (words >> word) {
      const bool is_register =
          word.size() > 1 && word[0] == 'R' && std::isdigit(static_cast<unsigned char>(word[1]));
      if (std::isupper(static_cast<unsigned char>(word[0])) == 0 || is_register) continue;
      ++count[word];
      break;
    }
  }
  return count;
}

TEST(TraceAccelsim, RealTraceOfRodiniaBackprop) {
  const fs::path folder =
      fs::path(__FILE__).parent_path() / "../../../../shared/data/traces/rodinia-backprop-h100";
  if (!fs::exists(folder)) GTEST_SKIP() << "no " << folder.string();
  unsigned files = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".traceg") continue;
    ++files;
    Notes notes;
    AccelsimKernel kernel(entry.path().string(), notes);
    std::map<std::string, std::uint64_t> count;
    CtaTrace cta;
    std::array<std::uint64_t, kOpClasses> by_class{};
    while (kernel.next_cta(cta))
      for (const WarpTrace& warp : cta.warps)
        for (const Step& step : warp.steps) {
          ++count[kernel.mnemonic(step.inst)];
          ++by_class[static_cast<std::size_t>(kernel.inst(step.inst).op_class)];
        }
    EXPECT_EQ(count, words_that_are_opcodes(entry.path()));
    EXPECT_EQ(by_class, kernel.read_by_class());
    EXPECT_TRUE(notes.list().empty()) << notes.list().front();
  }
  EXPECT_EQ(files, 5u);
  const auto reader = open_trace(folder.string());
  CountingDevice device;
  EXPECT_EQ(replay(*reader, device).launches, 5u);
  EXPECT_EQ(device.written, 512u + 2 * 16384u + 2 * 2048u);
}

}  // namespace
}  // namespace warpmem::program::trace
