// SPDX-License-Identifier: Apache-2.0
#include "mutation/judge.hpp"

#include <fmt/format.h>

#include <regex>

#include "base/text_file.hpp"

namespace warpmem::mutation {

namespace {

/// Cycles in which a property can be violated; the longest chain of the small units is far shorter.
constexpr unsigned kPropertyCycles = 30;

/// To an and-inverter graph. Registers start with any value, as in hardware.
constexpr const char* kToAig =
    "setundef -undriven -anyseq\nopt -fast\ntechmap\ndffunmap\nabc -g AND -fast\nopt_clean\n"
    "write_aiger -I -B -zinit ";

/// Before the first clock edge, which is one of reset, nothing is promised.
constexpr const char* kAfterReset =
    "(* techmap_celltype = \"$assert\" *)\n"
    "module assert_after_reset (input A, input EN);\n"
    "  wire first;\n"
    "  \\$initstate first_cycle (.Y(first));\n"
    "  \\$assert _TECHMAP_REPLACE_ (.A(A), .EN(EN && !first));\n"
    "endmodule\n";

/// Length of the run that the engine has found; 0: none.
unsigned violated_after(const std::string& log) {
  static const std::regex kAsserted(R"(was asserted in frame\s+(\d+))");
  std::smatch match;
  if (!std::regex_search(log, match, kAsserted)) return 0;
  return static_cast<unsigned>(std::stoul(match[1])) + 1;
}

}  // namespace

unsigned refuted_within(const Mutants& mutants, const Mutant& mutant, unsigned cycles,
                        unsigned timeout_s) {
  if (!mutants.has_properties()) return 0;
  const std::string name = fmt::format("properties{}", mutant.number);
  mutants.yosys(name, fmt::format("read_rtlil design.il\nmutate{}\ndelete -port o:*\n"
                                  "delete t:$cover\nopt_clean\n{}{}.aig\n",
                                  mutant.arguments, kToAig, name));
  return violated_after(mutants.tool(
      name + ".bmc",
      {"yosys-abc", "-c",
       fmt::format("read_aiger {}.aig; fold; bmc3 -F {} -T {}", name, cycles, timeout_s)},
      timeout_s));
}

Opinion judge(const Mutants& mutants, const Mutant& mutant, unsigned timeout_s) {
  const std::string name = fmt::format("miter{}", mutant.number);
  write_text(mutants.work() / (name + ".v"), kAfterReset);
  const std::string unit = mutants.unit();
  std::string in_gate = mutant.arguments;
  const std::string module = "-module " + unit;
  in_gate.replace(in_gate.find(module), module.size(), "-module gate");
  mutants.yosys(name, fmt::format("read_rtlil design.il\ndelete t:$assert t:$cover\ncopy {0} gold\n"
                                  "copy {0} gate\ndelete {0}\nmutate{1}\n"
                                  "miter -equiv -make_assert -flatten gold gate miter\n"
                                  "hierarchy -top miter\ndelete gold gate\n"
                                  "techmap -max_iter 1 -map {2}.v t:$assert\ndelete -port o:*\n"
                                  "opt -full\n{3}{2}.aig\n",
                                  unit, in_gate, name, kToAig));
  // First the near differences; then both sides merged where they are alike; then any depth.
  const std::string log = mutants.tool(
      name + ".pdr",
      {"yosys-abc", "-c",
       fmt::format("read_aiger {}.aig; fold; bmc3 -F 20 -T 10; scorr; pdr -T {}", name, timeout_s)},
      timeout_s + 20);
  Opinion opinion;
  opinion.cycles = violated_after(log);
  if (opinion.cycles == 0) {
    // PDR has nothing left to do when `scorr` has merged all, or when the search saw every state.
    for (const char* proof : {"Property proved", "already solved", "reachable states are visited"})
      if (log.find(proof) != std::string::npos) opinion.judgement = Judgement::kEquivalent;
    return opinion;
  }
  const unsigned refuted = refuted_within(mutants, mutant, kPropertyCycles, timeout_s);
  opinion.judgement = refuted == 0 ? Judgement::kDifferent : Judgement::kRefuted;
  if (refuted != 0) opinion.cycles = refuted;
  return opinion;
}

}  // namespace warpmem::mutation
