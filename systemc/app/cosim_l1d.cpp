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
  void run(const cosim::LockstepOptions& common, bool asked, const CosimDone& done) const override {
    cache::MrpbDrainSize size = size_;
    size.policy = policies().at(policy_);
    size.flush = !no_flush_;
    run_sizes<cosim::MrpbDrainLockstepOptions>("mrpb_drain", common, asked, size,
                                               cosim::mrpb_drain_sizes(), cosim::mrpb_drain_size,
                                               done, run_one);
  }

 private:
  static CosimOutcome run_one(cosim::MrpbDrainLockstepOptions options,
                              const cache::MrpbDrainSize& s) {
    options.size = s;
    return cosim_outcome("mrpb_drain", cosim::text_of(s),
                         {{"queues", s.queues},
                          {"entries", s.entries},
                          {"policy", cosim::name_of(s.policy)},
                          {"flush", s.flush}},
                         cosim::run_mrpb_drain_lockstep(options));
  }
  static const std::map<std::string, cache::MrpbDrainPolicy>& policies() {
    static const std::map<std::string, cache::MrpbDrainPolicy> kPolicies = [] {
      std::map<std::string, cache::MrpbDrainPolicy> by_name;
      for (unsigned i = 0; i <= static_cast<unsigned>(cache::MrpbDrainPolicy::greedy_longest); ++i)
        by_name[cosim::name_of(static_cast<cache::MrpbDrainPolicy>(i))] =
            static_cast<cache::MrpbDrainPolicy>(i);
      return by_name;
    }();
    return kPolicies;
  }

  cache::MrpbDrainSize size_ = cosim::mrpb_drain_sizes().front();
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
  void run(const cosim::LockstepOptions& common, bool asked, const CosimDone& done) const override {
    run_sizes<cosim::BuclCtrlLockstepOptions>("bucl_ctrl", common, asked, size_,
                                              cosim::bucl_ctrl_sizes(), cosim::bucl_ctrl_size, done,
                                              run_one);
  }

 private:
  static CosimOutcome run_one(cosim::BuclCtrlLockstepOptions options, const l1d::BuclCtrlSize& s) {
    options.size = s;
    return cosim_outcome("bucl_ctrl", cosim::text_of(s),
                         {{"period", s.period},
                          {"hit_rate_limit", s.hit_rate_limit},
                          {"input_limit", s.input_limit},
                          {"tucd", s.tucd},
                          {"least", s.least},
                          {"most", s.most},
                          {"profile", s.profile}},
                         cosim::run_bucl_ctrl_lockstep(options));
  }

  l1d::BuclCtrlSize size_ = cosim::bucl_ctrl_sizes().front();
};

}  // namespace

std::unique_ptr<CosimUnit> mrpb_drain_cosim() { return std::make_unique<MrpbDrainCosim>(); }
std::unique_ptr<CosimUnit> bucl_ctrl_cosim() { return std::make_unique<BuclCtrlCosim>(); }

}  // namespace warpmem::app
