// SPDX-License-Identifier: Apache-2.0
// Lines that come again are recognised as bytes. Whatever they say must mean what it means word by
// word: a mask of more than 8 digits is never recognised, so that each trace can be read both ways.
#include "program/trace/repeated_line.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <vector>

#include "base/errors.hpp"
#include "program/trace/accelsim_kernel.hpp"
#include "support/scratch_folder.hpp"

namespace warpmem::program::trace {
namespace {

constexpr LaneMask kAll = 0xffffffff;

struct Line {
  std::string pc = "0000";
  LaneMask lanes = kAll;
  std::string rest;  ///< behind the mask
};

/// Returns the trace of one CTA whose warps all have those lines and EXIT.
std::string trace_of(const std::vector<std::vector<Line>>& warps, bool recognisable) {
  std::string text = fmt::format(
      "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = ({},1,1)\n-shmem = 0\n-nregs = 16\n"
      "-binary version = 80\n-shmem base_addr = 0x7f3c00000000\n"
      "-local mem base_addr = 0x7f3e00000000\n-accelsim tracer version = 4\n"
      "-enable lineinfo = 0\n#traces\n#BEGIN_TB\nthread block = 0,0,0\n",
      32 * warps.size());
  for (std::size_t w = 0; w < warps.size(); ++w) {
    text += fmt::format("warp = {}\ninsts = {}\n", w, warps[w].size() + 1);
    const auto put = [&](const Line& line) {
      text +=
          fmt::format("{} {}{:08x} {}\n", line.pc, recognisable ? "" : "0x", line.lanes, line.rest);
    };
    for (const Line& line : warps[w]) put(line);
    put({"ff00", kAll, "0 EXIT 0 0 0"});
  }
  return text + "#END_TB\n";
}

/// Returns all that a reader says of a trace, or its error.
std::string meaning_of(const std::string& text) {
  const test::ScratchFolder folder;
  const std::string file = folder / "k.traceg";
  std::ofstream(file, std::ios::binary) << text;
  std::string out;
  Notes notes;
  try {
    AccelsimKernel kernel(file, notes);
    CtaTrace cta;
    while (kernel.next_cta(cta)) {
      for (const WarpTrace& warp : cta.warps) {
        for (const Step& s : warp.steps)
          out += fmt::format("{} {} {:08x} {} {} {}\n", s.inst, kernel.mnemonic(s.inst), s.lanes,
                             s.first_address, static_cast<int>(s.space), s.exited);
        for (const Addr a : warp.addresses) out += fmt::format("{:x} ", a);
      }
    }
    for (const std::uint64_t n : kernel.read_by_class()) out += fmt::format("{} ", n);
  } catch (const UserError& e) {
    out = std::string(e.what()).substr(file.size());
  }
  for (std::string note : notes.list()) {
    if (const std::size_t at = note.find(file); at != std::string::npos)
      note.erase(at, file.size());
    out += "\n" + note;
  }
  return out;
}

/// Draws the operands of an access: a form, addresses and perhaps an immediate.
std::string operands(std::mt19937& random, LaneMask lanes) {
  // Draws one of the usual texts, and rarely one of those that not all instructions allow.
  const auto draw = [&](std::initializer_list<const char*> usual,
                        std::initializer_list<const char*> rare) {
    const auto& from = random() % 200 == 0 ? rare : usual;
    return std::string(" ") + from.begin()[random() % from.size()];
  };
  const auto base = [&] {
    return draw({"0x7f3c00000040", "0x7f3c0000ff04", "0x20000", "0x8", "0x0"},
                {"0x7f4000000000", "0x7f3e00ffff00", "0x1fffffffffff0", "0xFFFFFFFFFFFC"});
  };
  const auto step = [&] { return draw({"4", "0", "8", "128"}, {"-4", "17", "-281474976710656"}); };
  const auto n = static_cast<unsigned>(__builtin_popcount(lanes));
  const unsigned mode = random() % 3;
  std::string text = fmt::format(" {}", mode);
  if (mode == 0)
    for (unsigned i = 0; i < n; ++i) text += base();
  if (mode == 1) text += base() + step();
  if (mode == 2) {
    text += base();
    for (unsigned i = 1; i < n; ++i) text += step();
  }
  return random() % 4 == 0 ? text
                           : text + draw({"0", "-1", "12"}, {"0x10", "18446744073709551615"});
}

TEST(RepeatedLine, MeansWhatItsWordsMean) {
  static const char* const kInstructions[] = {
      "1 R2 LDG.E 1 R0 4",  "0 STG.E.64 2 R0 R2 8", "1 R2 LD.E 1 R0 4",   "1 R2 LDS 1 R0 4",
      "1 R2 LDL.U8 1 R0 1", "1 R2 IADD3 1 R0 0",    "0 BAR.SYNC 0 0",     "0 NOSUCH 0 0",
      "1 R2 LDC 1 R0 4",    "0 LDGSTS.E 2 R0 R2 4", "1 R4 FADD 2 R0 R2 0"};
  std::mt19937 random(1);
  unsigned read = 0;
  for (unsigned trial = 0; trial < 200; ++trial) {
    std::vector<std::vector<Line>> warps(3);
    for (unsigned i = 0; i < 6; ++i) {
      const std::string instruction = kInstructions[random() % std::size(kInstructions)];
      for (auto& warp : warps) {
        Line line{fmt::format("{:04x}", 16 * i), kAll, instruction};
        if (random() % 4 == 0) line.lanes = static_cast<LaneMask>(random());
        if (instruction.back() != '0')
          line.rest += operands(random, line.lanes);
        else if (random() % 2 != 0)
          line.rest += " 0";
        warp.push_back(line);
      }
    }
    const std::string meaning = meaning_of(trace_of(warps, true));
    EXPECT_EQ(meaning, meaning_of(trace_of(warps, false))) << trace_of(warps, true);
    read += meaning[0] != ':' ? 1 : 0;
  }
  EXPECT_GT(read, 20u);  // not only errors have been compared
}

TEST(RepeatedLine, DamagedLinesAreToldAsTheirWordsAre) {
  const std::string good = "1 R2 LDG.E 1 R0 4 1 0x7f4000000000 4 0";
  std::mt19937 random(2);
  unsigned errors = 0;
  for (unsigned trial = 0; trial < 300; ++trial) {
    std::string bad = good;
    for (unsigned changes = 1 + random() % 2; changes != 0; --changes) {
      const std::size_t at = random() % bad.size();
      const char put = "0129afx -+g.\tR"[random() % 14];
      if (random() % 3 == 0)
        bad.erase(at, 1);
      else if (random() % 2 == 0)
        bad.insert(at, 1, put);
      else
        bad[at] = put;
    }
    const std::vector<std::vector<Line>> warps = {{{"0000", kAll, good}, {"0010", kAll, good}},
                                                  {{"0000", kAll, good}, {"0010", kAll, bad}}};
    const std::string meaning = meaning_of(trace_of(warps, true));
    EXPECT_EQ(meaning, meaning_of(trace_of(warps, false))) << bad;
    errors += meaning[0] == ':' ? 1 : 0;
  }
  EXPECT_GT(errors, 100u);
}

TEST(RepeatedLine, LanesThatMayNotExecuteAreToldTheSecondTime) {
  const Line load{"0000", kAll, "1 R2 LDG.E 1 R0 4 1 0x7f4000000000 4 0"};
  const Line some_exit{"0010", 15, "0 EXIT 0 0 0"};
  Line rest = load;
  rest.lanes = ~LaneMask(15);
  std::string text = trace_of({{load, some_exit, rest}, {load, some_exit, load}}, true);
  text.replace(text.find("ff00 ffffffff"), 13, "ff00 fffffff0");
  EXPECT_EQ(meaning_of(text),
            ":24: thread block 0,0,0, warp 1: mask ffffffff has lanes that have executed EXIT; "
            "allowed: lanes of fffffff0");
  std::string more = trace_of({{load, load, load}}, true);
  more.replace(more.find("insts = 4"), 9, "insts = 2");
  EXPECT_EQ(meaning_of(more),
            ":18: thread block 0,0,0, warp 0: more instructions than `insts = 2`");
}

TEST(RepeatedLine, IsFoundAcrossTheBlocksOfTheFile) {
  // The lines are several times longer than what is read of the file at once.
  std::vector<Line> lines(2000, {"0000", kAll, "1 R2 LDG.E 1 R0 4 0"});
  for (std::size_t i = 0; i < lines.size(); ++i)
    for (unsigned lane = 0; lane < 32; ++lane)
      lines[i].rest += fmt::format(" 0x{:x}", 0x7f4000000000 + 4096 * i + 4 * lane);
  EXPECT_EQ(meaning_of(trace_of({lines}, true)), meaning_of(trace_of({lines}, false)));
}

TEST(RepeatedLine, MatchesWithAnyMaskOfEightDigits) {
  RepeatedLine line;
  LaneMask lanes = 0;
  EXPECT_FALSE(line.matches("0010 ffffffff 1 R2 X\n", lanes));  // nothing is known yet
  Step step;
  step.inst = 7;
  line.remember("0010 ffffffff 1 R2 LDG 1 R0 4 1 0x10 4 0", 5, 29, step);
  EXPECT_EQ(line.length(), 29u);
  EXPECT_EQ(line.step().inst, 7u);
  EXPECT_TRUE(line.matches("0010 0000000A 1 R2 LDG 1 R0 4 0 0x20\n", lanes));
  EXPECT_EQ(lanes, 10u);
  for (const char* text :
       {"0010 0000000a 1 R2 LDG 1 R0 4", "0010 0000000g 1 R2 LDG 1 R0 4 1\n",
        "0020 0000000a 1 R2 LDG 1 R0 4 1\n", "0010 0000000a 1 R3 LDG 1 R0 4 1\n"})
    EXPECT_FALSE(line.matches(text, lanes)) << text;
}

TEST(RepeatedLine, ScansTheFormsThatTracersWrite) {
  Addr address[32] = {};
  const auto scanned = [&](const std::string& text, LaneMask lanes) {
    const char* at = text.c_str();
    return scan_addresses(at, lanes, address) && *at == '\n';
  };
  EXPECT_TRUE(scanned(" 0 0x10 0xABCDEF012345\n", 5));
  EXPECT_EQ(address[1], 0xabcdef012345u);
  EXPECT_TRUE(scanned(" 1 0x100 -4 7\n", 7));
  EXPECT_EQ(address[2], 0xf8u);
  EXPECT_TRUE(scanned(" 2 0x100 16 -32 0\n", 7));
  EXPECT_EQ(address[2], 0xf0u);
  for (const char* text :
       {"\n", " \n", " 3 0x10\n", " 0 0x10\n", " 0 10 0x20 0x30\n", " 0  0x10 0x20 0x30\n",
        " 0 0x1ffffffffffff0 0x20 0x30\n", " 1 0x10\n", " 1 0x10 x\n", " 2 0x10 4\n",
        " 1 0x10 4 \n", " 1 0x10 4 0 0\n", " 1 0x10 1234567890123456789\n", " 0 0x 0x20 0x30\n"})
    EXPECT_FALSE(scanned(text, 7)) << text;
  EXPECT_FALSE(scanned(" 1 0x100 4\n", 5));  // lanes that do not adjoin
}

}  // namespace
}  // namespace warpmem::program::trace
