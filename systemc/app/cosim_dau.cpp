// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "app/cosim_units.hpp"
#include "cosim/dau_lockstep.hpp"

namespace warpmem::app {

namespace {

class DauCosim final : public CosimUnit {
 public:
  std::string name() const override { return "dau"; }
  void add_options(CLI::App& command) override {
    add_number(command, "--sets", size_.sets, "dau: slot sets");
    add_number(command, "--slots", size_.slots, "dau: slots of a set");
    add_number(command, "--reserved", size_.reserved, "dau: sets that are heads only");
  }
  CosimOutcome run(const cosim::LockstepOptions& common) const override {
    auto options = with_common<cosim::DauLockstepOptions>(common, "dau");
    options.size = size_;
    const cosim::DauLockstepResult result = cosim::run_dau_lockstep(options);
    nlohmann::ordered_json coverage;
    for (unsigned s = 0; s < mha::kDauStates; ++s)
      coverage["states"][fmt::format("S{}", s)] =
          result.coverage.entered(static_cast<mha::DauState>(s));
    for (const auto& [name, count] : result.coverage.transitions())
      coverage["transitions"][name] = count;
    const nlohmann::ordered_json parameters = {
        {"sets", size_.sets}, {"slots", size_.slots}, {"reserved", size_.reserved}};
    return {
        fmt::format("{} sets of {} slots, {} reserved", size_.sets, size_.slots, size_.reserved),
        result.describe(),
        cosim_json("dau", parameters, result, coverage),
        !result.difference,
        result.coverage.missing(),
        result.code};
  }

 private:
  mha::DauSize size_;
};

}  // namespace

std::unique_ptr<CosimUnit> dau_cosim() { return std::make_unique<DauCosim>(); }

}  // namespace warpmem::app
