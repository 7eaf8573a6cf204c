// SPDX-License-Identifier: Apache-2.0
#include "mutation/judge.hpp"

#include <fmt/format.h>

#include "base/text_file.hpp"
#include "files/pattern.hpp"
#include "synth/abc.hpp"

namespace warpmem::mutation {

namespace {

/// A property can be violated within so many cycles; the longest chain of the small units is far
/// shorter.
constexpr unsigned kPropertyCycles = 30;
/// This is the time for what is easy to prove.
constexpr unsigned kQuickS = 5;

/// The script turns the unit into an and-inverter graph. Registers start with any value, as in
/// hardware.
constexpr const char* kToAig =
    "setundef -undriven -anyseq\nopt -fast\ntechmap\ndffunmap\nabc -g AND -fast\nopt_clean\n"
    "write_aiger -I -B -zinit ";

/// Nothing is promised before the first clock edge, which is one of reset.
constexpr const char* kAfterReset =
    "(* techmap_celltype = \"$assert\" *)\n"
    "module assert_after_reset (input A, input EN);\n"
    "  wire first;\n"
    "  \\$initstate first_cycle (.Y(first));\n"
    "  \\$assert _TECHMAP_REPLACE_ (.A(A), .EN(EN && !first));\n"
    "endmodule\n";

/// Returns the length of the run that the engine has found; 0: none.
unsigned violated_after(const std::string& log) {
  static const Pattern kAsserted(R"(was asserted in frame\s+(\d+))");
  const auto match = kAsserted.first_in(log);
  if (match.empty()) return 0;
  return static_cast<unsigned>(std::stoul(match[1])) + 1;
}

/// PDR has nothing left to do when `scorr` has merged all, or when the search saw every state.
bool proves(const std::string& log) {
  for (const char* proof : {"Property proved", "already solved", "reachable states are visited"})
    if (log.find(proof) != std::string::npos) return true;
  return false;
}

}  // namespace

unsigned refuted_within(const Mutants& mutants, const Mutant& mutant, unsigned cycles,
                        unsigned timeout_s) {
  if (!mutants.has_properties()) return 0;
  const std::string name = fmt::format("properties{}", mutant.number);
  mutants.yosys(name, fmt::format("read_rtlil design.il\nmutate{}\ndelete -port o:*\n"
                                  "delete t:$cover\nopt_clean\n{}{}.aig\n",
                                  mutant.arguments, kToAig, name));
  return violated_after(synth::run_abc(
      mutants.work(), name + ".bmc",
      fmt::format("read_aiger {}.aig; fold; bmc3 -F {} -T {}", name, cycles, timeout_s),
      timeout_s));
}

namespace {

/// Writes the right unit and the faulty one side by side, with equal outputs as the property to
/// prove. What may be assumed of the inputs is what the right unit assumes. With `lemmas` its
/// properties are there, too, which help a proof.
void write_miter(const Mutants& mutants, const Mutant& mutant, const std::string& name,
                 bool lemmas) {
  write_text(mutants.work() / (name + ".v"), kAfterReset);
  write_text(mutants.work() / (name + ".seen.v"),
             mutants.observer("gold") + mutants.observer("gate"));
  const std::string& unit = mutants.unit();
  std::string in_gate = mutant.arguments;
  const std::string module = "-module " + unit;
  in_gate.replace(in_gate.find(module), module.size(), "-module gate");
  mutants.yosys(name,
                fmt::format("read_rtlil design.il\ndelete t:$cover\ncopy {0} gold\ncopy {0} gate\n"
                            "delete {0}\ndelete {4}/t:$assert gate/t:$assume\nmutate{1}\n"
                            "read_verilog {2}.seen.v\n"
                            "miter -equiv -make_assert -flatten seen_gold seen_gate miter\n"
                            "hierarchy -top miter\nflatten\n"
                            "techmap -max_iter 1 -map {2}.v t:$assert\ndelete -port o:*\n"
                            "opt -full\n{3}{2}.aig\n",
                            unit, in_gate, name, kToAig, lemmas ? "gate" : "*"));
}

}  // namespace

// Most faults that are left are equivalent, and PDR sees that at once. If it does not, the near
// differences come first, since their length is wanted; then any depth, with and without the unit's
// properties. Both sides are merged first where they are alike.
Opinion judge(const Mutants& mutants, const Mutant& mutant, unsigned timeout_s) {
  const std::string name = fmt::format("miter{}", mutant.number);
  const auto engines = [&](const std::string& miter, const char* step, const std::string& commands,
                           unsigned limit_s) {
    return synth::run_abc(mutants.work(), miter + step,
                          fmt::format("read_aiger {}.aig; fold; {}", miter, commands), limit_s);
  };
  write_miter(mutants, mutant, name, false);
  Opinion opinion;
  if (proves(engines(name, ".quick", fmt::format("scorr; pdr -T {}", kQuickS), 2 * kQuickS))) {
    opinion.judgement = Judgement::kEquivalent;
    return opinion;
  }
  const std::string near = engines(name, ".bmc", "bmc3 -F 20 -T 10", 20);
  opinion.cycles = violated_after(near);
  if (opinion.cycles == 0) {
    const std::string jointly = name + "lemmas";
    write_miter(mutants, mutant, jointly, true);
    const std::string any = fmt::format("scorr; pdr -T {}", timeout_s);
    if (proves(engines(jointly, ".pdr", "orpos; " + any, timeout_s + 20)) ||
        proves(engines(name, ".pdr", any, timeout_s + 20)))
      opinion.judgement = Judgement::kEquivalent;
    return opinion;
  }
  const unsigned refuted = refuted_within(mutants, mutant, kPropertyCycles, timeout_s);
  opinion.judgement = refuted == 0 ? Judgement::kDifferent : Judgement::kRefuted;
  if (refuted != 0) opinion.cycles = refuted;
  return opinion;
}

}  // namespace warpmem::mutation
