// SPDX-License-Identifier: Apache-2.0
// Runs of the whole MSHR files of rtl/ against mshr_bench_models.hpp: every output, every cycle.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <type_traits>

#include "base/random.hpp"
#include "cosim/hardware_unit.hpp"
#include "cosim/unit_library.hpp"
#include "cosim/vector_file.hpp"
#include "units/mshr_bench_models.hpp"

namespace warpmem::cosim {

/// The stimulus is random requests, also of blocks that drain, and returns, also of no block.
class MshrStimulus {
 public:
  MshrStimulus(const MshrSize& size, std::uint64_t seed) : size_(size), random_(seed) {}

  template <class Model>
  MshrIn next(std::uint64_t cycle, Model* model) {
    // The phases have few blocks (merges), many blocks (no entry), and slow and fast returns.
    const std::uint32_t blocks =
        cycle / 1000 % 2 == 0 ? size_.entries / 4 + 1 : size_.entries * 2 + 1;
    const unsigned returns = cycle / 3000 % 2 == 0 ? 2 : 60;
    MshrIn in;
    in.req_valid = random_.chance(85);
    in.req_slot = static_cast<std::uint32_t>(random_.next()) & mask(size_.slot_bits);
    in.rsp_ready = random_.chance(80);
    in.ret_valid = random_.chance(returns);
    const std::uint32_t addr = address(blocks);
    std::uint32_t returned = address(blocks);  // also blocks that nobody asked for
    const std::vector<std::uint32_t> held = model->addresses();
    if (!held.empty() && random_.chance(70)) returned = held[random_.below(held.size())];
    model->name(addr, returned, &in);
    return in;
  }

 private:
  static std::uint32_t mask(std::uint32_t bits) {
    return static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1);
  }
  /// An odd factor keeps different numbers different, and uses all bits.
  std::uint32_t address(std::uint32_t blocks) {
    return static_cast<std::uint32_t>(random_.below(blocks) * 2654435761u) & mask(size_.addr_bits);
  }

  MshrSize size_;
  Random random_;
};

/// Returns what a run was in, as far as its size allows.
CoverageReport mshr_coverage(const MshrFileCounts& counts, const MshrSize& size);
/// Returns the size for people: "8 sets of 4 entries of 8 slots".
std::string mshr_text(const MshrSize& size);

/// This is one of the files. A difference has the model's value as that of the class, and none of
/// SystemC. There are no directed vectors; `recorded`, `waves` and `code_coverage` have no effect.
template <class Unit>
class MshrUnit final : public DescribedUnit<Unit> {
 public:
  using Model = std::conditional_t<Unit::kAttacked.dl(), DlMshrModel, MshrFileModel>;

  std::string views(const LockstepOptions&) const override { return "plain model and rtl"; }
  bool records() const override { return false; }
  std::string text_of(const SizeValues& size) const override {
    return mshr_text(cosim::size_of<Unit>(size));
  }
  LockstepResult run(const SizeValues& values, const LockstepOptions& options) const override {
    const MshrSize size = cosim::size_of<Unit>(values);
    LibraryUnit<Unit> unit(View::rtl, size, options.places);
    std::optional<VectorFile<Unit>> vectors;
    if (!options.vectors.empty()) vectors.emplace(options.vectors, size);
    LockstepResult result(options.seed);
    MshrFileCounts counts;
    Model model(size);
    MshrStimulus stimulus(size, options.seed);
    const auto note = [&](const std::string& signal, const std::string& model_value,
                          const std::string& of_rtl) {
      if (!result.difference)
        result.difference = Difference{result.cycles, signal, model_value, "", of_rtl, ""};
    };
    const MshrExpect expect = [&](const char* signal, std::uint64_t wanted, std::uint64_t of_rtl) {
      if (wanted != of_rtl) note(signal, std::to_string(wanted), std::to_string(of_rtl));
    };
    for (; result.cycles < options.cycles && !result.difference; ++result.cycles) {
      const MshrIn in = stimulus.next(result.cycles, &model);
      const MshrOut out = unit.eval(in);
      model.check(in, out, expect);
      if (result.difference) break;
      if (vectors) vectors->add(in, out);
      model.edge(in, out, &counts);
      unit.commit(in);
      if (const std::string failure = unit.failure(); !failure.empty()) note(failure, "", "");
    }
    if (vectors && !result.difference) vectors->finish();
    result.coverage = mshr_coverage(counts, size);
    return result;
  }
};

}  // namespace warpmem::cosim
