// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "app/cosim_units.hpp"
#include "cosim/laws_library.hpp"
#include "cosim/laws_lockstep.hpp"

namespace warpmem::app {

namespace {

class LawsScoreCosim final : public CosimUnit {
 public:
  std::string name() const override { return "laws_score"; }
  std::string group() const override { return "laws"; }
  void add_options(CLI::App& command) override {
    add_number(command, "--score-bits", size_.score_bits, "laws_score: bits of the score");
    add_number(command, "--miss-limit", size_.miss_limit, "laws_score: where the miss count stops");
  }
  CosimOutcome run(const cosim::LockstepOptions& common) const override {
    auto options = with_common<cosim::LawsScoreLockstepOptions>(common, "laws_score");
    options.size = lockstep_size(common, size_, cosim::laws_score_size);
    const sm::LawsScoreSize& s = options.size;
    return cosim_outcome("laws_score",
                         fmt::format("{} bits, miss limit {}", s.score_bits, s.miss_limit),
                         {{"score_bits", s.score_bits}, {"miss_limit", s.miss_limit}},
                         cosim::run_laws_score_lockstep(options));
  }

 private:
  sm::LawsScoreSize size_;
};

class ThrottleCosim final : public CosimUnit {
 public:
  std::string name() const override { return "throttle_unit"; }
  std::string group() const override { return "laws"; }
  void add_options(CLI::App& command) override {
    add_number(command, "--warps", size_.warps, "throttle_unit: warps of the SM");
    add_number(command, "--divergence", size_.divergence, "throttle_unit: divergence factor");
    add_number(command, "--stable", size_.stable, "throttle_unit: decisions until the mean counts");
    add_number(command, "--hold", size_.hold, "throttle_unit: cycles that a decision stands");
    command.add_flag("--no-divergence", no_divergence_,
                     "throttle_unit: memory divergence does not throttle");
  }
  CosimOutcome run(const cosim::LockstepOptions& common) const override {
    auto options = with_common<cosim::ThrottleLockstepOptions>(common, "throttle_unit");
    sm::ThrottleSize asked = size_;
    asked.by_divergence = !no_divergence_;
    options.size = lockstep_size(common, asked, cosim::throttle_size);
    const sm::ThrottleSize& s = options.size;
    return cosim_outcome(
        "throttle_unit",
        fmt::format("{} warps, divergence {}, stable {}, hold {}", s.warps,
                    s.by_divergence ? fmt::format("{}", s.divergence) : "off", s.stable, s.hold),
        {{"warps", s.warps},
         {"divergence", s.divergence},
         {"stable", s.stable},
         {"hold", s.hold},
         {"by_divergence", s.by_divergence}},
        cosim::run_throttle_lockstep(options));
  }

 private:
  sm::ThrottleSize size_ = cosim::ThrottleLockstepOptions().size;
  bool no_divergence_ = false;
};

}  // namespace

std::unique_ptr<CosimUnit> laws_score_cosim() { return std::make_unique<LawsScoreCosim>(); }
std::unique_ptr<CosimUnit> throttle_cosim() { return std::make_unique<ThrottleCosim>(); }

}  // namespace warpmem::app
