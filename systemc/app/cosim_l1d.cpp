// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>

#include "app/cosim_units.hpp"
#include "cosim/l1d_library.hpp"
#include "cosim/l1d_lockstep.hpp"

namespace warpmem::app {

namespace {

class MrpbDrainCosim final : public CosimUnit {
 public:
  std::string name() const override { return "mrpb_drain"; }
  void add_options(CLI::App& command) override {
    add_number(command, "--queues", size_.queues, "mrpb_drain: queues");
    add_number(command, "--queue-entries", size_.entries, "mrpb_drain: requests of a queue");
    command.add_option("--drain", policy_, "mrpb_drain: policy")
        ->check(CLI::IsMember(policies()))
        ->capture_default_str();
    command.add_flag("--no-flush", no_flush_, "mrpb_drain: a waiting request changes nothing");
  }
  CosimOutcome run(const cosim::LockstepOptions& common) const override {
    auto options = with_common<cosim::MrpbDrainLockstepOptions>(common, "mrpb_drain");
    l1d::MrpbDrainSize asked = size_;
    asked.policy = policies().at(policy_);
    asked.flush = !no_flush_;
    options.size = lockstep_size(common, asked, cosim::mrpb_drain_size);
    const l1d::MrpbDrainSize& s = options.size;
    std::string policy;
    for (const auto& [name, value] : policies())
      if (value == s.policy) policy = name;
    return cosim_outcome(
        "mrpb_drain",
        fmt::format("{} queues of {}, {}{}", s.queues, s.entries, policy, s.flush ? ", flush" : ""),
        {{"queues", s.queues}, {"entries", s.entries}, {"policy", policy}, {"flush", s.flush}},
        cosim::run_mrpb_drain_lockstep(options));
  }

 private:
  static const std::map<std::string, l1d::Drain>& policies() {
    using l1d::Drain;
    static const std::map<std::string, Drain> kPolicies = {
        {"fixed", Drain::fixed},
        {"round_robin", Drain::round_robin},
        {"longest", Drain::longest},
        {"greedy_fixed", Drain::greedy_fixed},
        {"greedy_round_robin", Drain::greedy_round_robin},
        {"greedy_longest", Drain::greedy_longest}};
    return kPolicies;
  }

  l1d::MrpbDrainSize size_;
  std::string policy_ = "fixed";
  bool no_flush_ = false;
};

class BuclCtrlCosim final : public CosimUnit {
 public:
  std::string name() const override { return "bucl_ctrl"; }
  void add_options(CLI::App& command) override {
    add_number(command, "--period", size_.period, "bucl_ctrl: cycles of a sampling period");
    add_number(command, "--hit-rate-limit", size_.hit_rate_limit, "bucl_ctrl: limit of L1DHR");
    add_number(command, "--input-limit", size_.input_limit, "bucl_ctrl: limit of UIB");
    add_number(command, "--tucd", size_.tucd, "bucl_ctrl: threshold at launch");
    add_number(command, "--least", size_.least, "bucl_ctrl: lower bound of the threshold");
    add_number(command, "--most", size_.most, "bucl_ctrl: upper bound of the threshold");
    command.add_flag("--profile", size_.profile, "bucl_ctrl: thresholds are profiled (BUCL-Prf)");
  }
  CosimOutcome run(const cosim::LockstepOptions& common) const override {
    auto options = with_common<cosim::BuclCtrlLockstepOptions>(common, "bucl_ctrl");
    options.size = lockstep_size(common, size_, cosim::bucl_ctrl_size);
    const l1d::BuclCtrlSize& s = options.size;
    return cosim_outcome(
        "bucl_ctrl",
        fmt::format("period {}, limits {} and {}, {}", s.period, s.hit_rate_limit, s.input_limit,
                    s.profile ? std::string("profile")
                              : fmt::format("threshold {} in {} to {}", s.tucd, s.least, s.most)),
        {{"period", s.period},
         {"hit_rate_limit", s.hit_rate_limit},
         {"input_limit", s.input_limit},
         {"tucd", s.tucd},
         {"least", s.least},
         {"most", s.most},
         {"profile", s.profile}},
        cosim::run_bucl_ctrl_lockstep(options));
  }

 private:
  l1d::BuclCtrlSize size_ = cosim::BuclCtrlLockstepOptions().size;
};

}  // namespace

std::unique_ptr<CosimUnit> mrpb_drain_cosim() { return std::make_unique<MrpbDrainCosim>(); }
std::unique_ptr<CosimUnit> bucl_ctrl_cosim() { return std::make_unique<BuclCtrlCosim>(); }

}  // namespace warpmem::app
