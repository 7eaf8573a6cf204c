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
  void run(const cosim::LockstepOptions& common, bool asked, const CosimDone& done) const override {
    run_sizes<cosim::LawsScoreLockstepOptions>("laws_score", common, asked, size_,
                                               cosim::laws_score_sizes(), cosim::laws_score_size,
                                               done, run_one);
  }

 private:
  static CosimOutcome run_one(cosim::LawsScoreLockstepOptions options, const sm::LawsScoreSize& s) {
    options.size = s;
    return cosim_outcome("laws_score", cosim::text_of(s),
                         {{"score_bits", s.score_bits}, {"miss_limit", s.miss_limit}},
                         cosim::run_laws_score_lockstep(options));
  }

  sm::LawsScoreSize size_ = cosim::laws_score_sizes().front();
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
  void run(const cosim::LockstepOptions& common, bool asked, const CosimDone& done) const override {
    sm::ThrottleSize size = size_;
    size.by_divergence = !no_divergence_;
    run_sizes<cosim::ThrottleLockstepOptions>("throttle_unit", common, asked, size,
                                              cosim::throttle_sizes(), cosim::throttle_size, done,
                                              run_one);
  }

 private:
  static CosimOutcome run_one(cosim::ThrottleLockstepOptions options, const sm::ThrottleSize& s) {
    options.size = s;
    return cosim_outcome("throttle_unit", cosim::text_of(s),
                         {{"warps", s.warps},
                          {"divergence", s.divergence},
                          {"stable", s.stable},
                          {"hold", s.hold},
                          {"by_divergence", s.by_divergence}},
                         cosim::run_throttle_lockstep(options));
  }

  sm::ThrottleSize size_ = cosim::throttle_sizes().front();
  bool no_divergence_ = false;
};

}  // namespace

std::unique_ptr<CosimUnit> laws_score_cosim() { return std::make_unique<LawsScoreCosim>(); }
std::unique_ptr<CosimUnit> throttle_cosim() { return std::make_unique<ThrottleCosim>(); }

}  // namespace warpmem::app
