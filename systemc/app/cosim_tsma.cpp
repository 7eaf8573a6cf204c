// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "app/cosim_units.hpp"
#include "cosim/tsma_lockstep.hpp"

namespace warpmem::app {

namespace {

class IndexGenCosim final : public CosimUnit {
 public:
  std::string name() const override { return "tsma_index_gen"; }
  void add_options(CLI::App& command) override {
    add_number(command, "--entries", entries_, "tsma_index_gen: entries of the array");
  }
  CosimOutcome run(const cosim::LockstepOptions& common) const override {
    auto options = with_common<cosim::IndexGenLockstepOptions>(common, "tsma_index_gen");
    options.entries = lockstep_size<std::uint32_t>(
        common, entries_, [](const auto& p) { return cosim::parameter(p, "ENTRIES"); });
    return cosim_outcome("tsma_index_gen", fmt::format("{} entries", options.entries),
                         {{"entries", options.entries}}, cosim::run_index_gen_lockstep(options));
  }

 private:
  std::uint32_t entries_ = cosim::IndexGenLockstepOptions().entries;
};

class SteerCosim final : public CosimUnit {
 public:
  std::string name() const override { return "htsma_steer"; }
  void add_options(CLI::App& command) override {
    add_number(command, "--ways", ways_, "htsma_steer: lines of a cache set");
  }
  CosimOutcome run(const cosim::LockstepOptions& common) const override {
    auto options = with_common<cosim::SteerLockstepOptions>(common, "htsma_steer");
    options.ways = lockstep_size<std::uint32_t>(
        common, ways_, [](const auto& p) { return cosim::parameter(p, "WAYS"); });
    return cosim_outcome("htsma_steer", fmt::format("{} ways", options.ways),
                         {{"ways", options.ways}}, cosim::run_steer_lockstep(options));
  }

 private:
  std::uint32_t ways_ = cosim::SteerLockstepOptions().ways;
};

}  // namespace

std::unique_ptr<CosimUnit> index_gen_cosim() { return std::make_unique<IndexGenCosim>(); }
std::unique_ptr<CosimUnit> steer_cosim() { return std::make_unique<SteerCosim>(); }

}  // namespace warpmem::app
