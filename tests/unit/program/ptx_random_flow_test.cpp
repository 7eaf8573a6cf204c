// SPDX-License-Identifier: Apache-2.0
// Random programs full of divergent control flow, run by the interpreter with 32 lanes together and
// by a scalar reference one lane at a time. A program is basic blocks with a test or a table at
// their end whose targets may be any block, so that loops have several exits and entries, returns
// stand anywhere, and functions call deeper ones (and themselves) from divergent code. A budget of
// steps for each lane ends them.
#include <random>

#include "unit/program/ptx_fixture.hpp"

namespace warpmem::program::ptx {
namespace {

struct Block {
  enum class End { jump, test, table, ret, call };
  std::uint32_t multiplier = 1, addend = 0;  ///< v = v * multiplier + addend
  End end = End::ret;
  unsigned bit = 0;               ///< test: of v
  std::vector<unsigned> targets;  ///< jump 1; test 2 (taken, else); table 4; call: where next
  unsigned callee = 0;
};
using Body = std::vector<Block>;

/// Function f calls f + 1 or, with a budget of its own, itself.
struct RandomProgram {
  std::vector<Body> functions;
};

RandomProgram make(std::mt19937& random, bool structured) {
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  RandomProgram p;
  const unsigned functions = 1 + below(3);
  for (unsigned f = 0; f < functions; ++f) {
    const unsigned blocks = 3 + below(10);
    Body body(blocks);
    for (unsigned b = 0; b < blocks; ++b) {
      Block& block = body[b];
      block.multiplier = 2 * below(1000) + 1;
      block.addend = static_cast<std::uint32_t>(random());
      block.bit = 16 + below(16);
      // Structured flow goes forward mostly, with back edges to an earlier block; any other goes
      // anywhere.
      const auto target = [&] {
        if (!structured) return below(blocks);
        if (b > 0 && below(4) == 0) return below(b);
        return std::min(blocks - 1, b + 1 + below(3));
      };
      const unsigned kind = b + 1 == blocks ? 9 : below(10);
      if (kind < 5) {
        block.end = Block::End::test;
        block.targets = {target(), target()};
      } else if (kind < 6) {
        block.end = Block::End::jump;
        block.targets = {target()};
      } else if (kind < 7) {
        block.end = Block::End::table;
        block.targets = {target(), target(), target(), target()};
      } else if (kind < 9) {
        block.end = Block::End::call;
        block.callee = std::min(functions - 1, f + below(2));
        block.targets = {target()};
      }
    }
    p.functions.push_back(std::move(body));
  }
  return p;
}

struct Lane {
  std::uint32_t value, budget, depth;
};
void reference(const RandomProgram& p, unsigned f, Lane& lane) {
  unsigned b = 0;
  for (;;) {
    if (lane.budget == 0) return;
    --lane.budget;
    const Block& block = p.functions[f][b];
    lane.value = lane.value * block.multiplier + block.addend;
    switch (block.end) {
      case Block::End::ret:
        return;
      case Block::End::jump:
        b = block.targets[0];
        break;
      case Block::End::test:
        b = block.targets[lane.value >> block.bit & 1 ? 0 : 1];
        break;
      case Block::End::table:
        b = block.targets[lane.value >> 20 & 3];
        break;
      case Block::End::call:
        if (lane.depth < 6) {
          ++lane.depth;
          reference(p, block.callee, lane);
          --lane.depth;
        }
        b = block.targets[0];
        break;
    }
  }
}

/// Function f takes and returns (value, budget, depth) in a structure.
std::string text_of(const RandomProgram& p) {
  std::string t = header();
  const auto prototype = [](std::size_t f) {
    return ".func (.param .align 4 .b8 out[12]) f" + std::to_string(f) +
           "(.param .align 4 .b8 in[12])";
  };
  for (std::size_t f = 0; f < p.functions.size(); ++f) t += prototype(f) + ";\n";
  for (std::size_t f = 0; f < p.functions.size(); ++f) {
    t += prototype(f) +
         " {\n.reg .pred %p, %q; .reg .b32 %v, %n, %d, %x;\n"
         "ld.param.u32 %v, [in]; ld.param.u32 %n, [in+4]; ld.param.u32 %d, [in+8];\n";
    const Body& body = p.functions[f];
    for (std::size_t b = 0; b < body.size(); ++b) {
      const Block& block = body[b];
      const auto label = [](unsigned target) { return "B" + std::to_string(target); };
      t += "B" + std::to_string(b) + ": setp.eq.u32 %p, %n, 0; @%p bra END;\n";
      t += "sub.u32 %n, %n, 1; mad.lo.u32 %v, %v, " + std::to_string(block.multiplier) + ", " +
           std::to_string(block.addend) + ";\n";
      switch (block.end) {
        case Block::End::ret:
          t += "st.param.u32 [out], %v; st.param.u32 [out+4], %n; ret;\n";
          break;
        case Block::End::jump:
          t += "bra " + label(block.targets[0]) + ";\n";
          break;
        case Block::End::test:
          t += "shr.u32 %x, %v, " + std::to_string(block.bit) +
               "; and.b32 %x, %x, 1; setp.ne.u32 %p, %x, 0; @%p bra " + label(block.targets[0]) +
               "; bra " + label(block.targets[1]) + ";\n";
          break;
        case Block::End::table:
          t += "T" + std::to_string(b) + ": .branchtargets " + label(block.targets[0]) + ", " +
               label(block.targets[1]) + ", " + label(block.targets[2]) + ", " +
               label(block.targets[3]) + "; bfe.u32 %x, %v, 20, 2; brx.idx %x, T" +
               std::to_string(b) + ";\n";
          break;
        case Block::End::call:
          t += "setp.ge.u32 %q, %d, 6; @%q bra " + label(block.targets[0]) +
               "; { .param .align 4 .b8 a[12]; .param .align 4 .b8 r[12]; st.param.u32 [a], %v; "
               "st.param.u32 [a+4], %n; add.u32 %x, %d, 1; st.param.u32 [a+8], %x; call (r), f" +
               std::to_string(block.callee) +
               ", (a); ld.param.u32 %v, [r]; ld.param.u32 %n, [r+4]; } bra " +
               label(block.targets[0]) + ";\n";
          break;
      }
    }
    t += "END: st.param.u32 [out], %v; st.param.u32 [out+4], %n; ret; }\n";
  }
  t += ".visible .entry k(.param .u64 p) { .reg .b32 %i, %v; .reg .b64 %rd<3>;\n"
       "mov.u32 %i, %tid.x; mul.lo.u32 %v, %i, 2654435761; .param .align 4 .b8 a[12]; "
       ".param .align 4 .b8 r[12]; st.param.u32 [a], %v; st.param.u32 [a+4], 60; "
       "st.param.u32 [a+8], 0; call (r), f0, (a); ld.param.u32 %v, [r]; ld.param.u64 %rd1, [p]; "
       "mul.wide.u32 %rd2, %i, 4; add.u64 %rd1, %rd1, %rd2; bar.sync 0; "
       "st.global.u32 [%rd1], %v; ret; }\n";
  return t;
}

void compare(unsigned seed, bool structured) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const RandomProgram p = make(random, structured);
  const std::string text = text_of(p);
  DeviceMemory memory(1 << 16);
  Module module(text, "random.ptx");
  module.bind(memory);
  constexpr unsigned kThreads = 64;
  const Addr out = memory.allocate(kThreads * 4);
  const auto grid =
      make_grid(module, "k", {1}, {kThreads}, 0, Arguments().add(out).bytes(), memory);
  run_functional(*grid, 0, 1, {1000000});
  for (unsigned i = 0; i < kThreads; ++i) {
    Lane lane{i * 2654435761u, 60, 0};
    reference(p, 0, lane);
    ASSERT_EQ(reinterpret_cast<const std::uint32_t*>(DeviceMemory::host(out))[i], lane.value)
        << "thread " << i << "\n"
        << text;
  }
}

TEST(PtxRandomFlow, StructuredProgramsAgreeLaneByLane) {
  for (unsigned seed = 1; seed <= 300 && !HasFatalFailure(); ++seed) compare(seed, true);
}
TEST(PtxRandomFlow, GotoProgramsAgreeLaneByLane) {
  for (unsigned seed = 1001; seed <= 1300 && !HasFatalFailure(); ++seed) compare(seed, false);
}

}  // namespace
}  // namespace warpmem::program::ptx
