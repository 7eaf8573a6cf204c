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
  void run(const cosim::LockstepOptions& common, bool asked, const CosimDone& done) const override {
    run_sizes<cosim::IndexGenLockstepOptions>(
        "tsma_index_gen", common, asked, entries_, cosim::index_gen_sizes(),
        +[](const cosim::UnitParameters& p) { return cosim::parameter(p, "ENTRIES"); }, done,
        run_one);
  }

 private:
  static CosimOutcome run_one(cosim::IndexGenLockstepOptions options, std::uint32_t entries) {
    options.entries = entries;
    return cosim_outcome("tsma_index_gen", cosim::entries_text(entries), {{"entries", entries}},
                         cosim::run_index_gen_lockstep(options));
  }

  std::uint32_t entries_ = cosim::index_gen_sizes().front();
};

class SteerCosim final : public CosimUnit {
 public:
  std::string name() const override { return "htsma_steer"; }
  void add_options(CLI::App& command) override {
    add_number(command, "--ways", ways_, "htsma_steer: lines of a cache set");
  }
  void run(const cosim::LockstepOptions& common, bool asked, const CosimDone& done) const override {
    run_sizes<cosim::SteerLockstepOptions>(
        "htsma_steer", common, asked, ways_, cosim::steer_sizes(),
        +[](const cosim::UnitParameters& p) { return cosim::parameter(p, "WAYS"); }, done, run_one);
  }

 private:
  static CosimOutcome run_one(cosim::SteerLockstepOptions options, std::uint32_t ways) {
    options.ways = ways;
    return cosim_outcome("htsma_steer", cosim::ways_text(ways), {{"ways", ways}},
                         cosim::run_steer_lockstep(options));
  }

  std::uint32_t ways_ = cosim::steer_sizes().front();
};

}  // namespace

std::unique_ptr<CosimUnit> index_gen_cosim() { return std::make_unique<IndexGenCosim>(); }
std::unique_ptr<CosimUnit> steer_cosim() { return std::make_unique<SteerCosim>(); }

}  // namespace warpmem::app
