// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "app/cosim_units.hpp"
#include "cosim/dau_library.hpp"
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
  void run(const cosim::LockstepOptions& common, bool asked, const CosimDone& done) const override {
    run_sizes<cosim::DauLockstepOptions>("dau", common, asked, size_, cosim::dau_sizes(),
                                         cosim::dau_size, done, run_one, cosim::kDauCounted);
  }

 private:
  static CosimOutcome run_one(cosim::DauLockstepOptions options, const mha::DauSize& s) {
    options.size = s;
    const cosim::DauLockstepResult result = cosim::run_dau_lockstep(options);
    nlohmann::ordered_json coverage;
    for (unsigned i = 0; i < mha::kDauStates; ++i)
      coverage["states"][fmt::format("S{}", i)] =
          result.coverage.entered(static_cast<mha::DauState>(i));
    for (const auto& [name, count] : result.coverage.transitions())
      coverage["transitions"][name] = count;
    const nlohmann::ordered_json parameters = {
        {"sets", s.sets}, {"slots", s.slots}, {"reserved", s.reserved}};
    return {cosim::text_of(s),
            result.describe(),
            cosim_json("dau", parameters, result, coverage),
            !result.difference,
            result.coverage.missing(),
            result.code,
            false};
  }

  mha::DauSize size_ = cosim::dau_sizes().front();
};

}  // namespace

std::unique_ptr<CosimUnit> dau_cosim() { return std::make_unique<DauCosim>(); }

}  // namespace warpmem::app
