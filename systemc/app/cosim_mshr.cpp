// SPDX-License-Identifier: Apache-2.0
// The MSHR files have no class and no SystemC view, so their RTL is compared with a plain model.
#include <fmt/format.h>

#include "app/cosim_units.hpp"
#include "cosim/mshr_lockstep.hpp"

namespace warpmem::app {

namespace {

/// Returns what a run was in, as far as its size allows.
std::vector<std::pair<std::string, std::uint64_t>> situations(const cosim::MshrLockstepResult& r,
                                                              const cosim::MshrFileSize& size) {
  const cosim::MshrFileCounts& c = r.counts;
  std::vector<std::pair<std::string, std::uint64_t>> list = {{"accepted", c.answers[0]},
                                                             {"refused, no entry", c.answers[1]},
                                                             {"refused, no slot", c.answers[2]},
                                                             {"refused, draining", c.answers[3]},
                                                             {"requests drained", c.drained}};
  if (size.entries() > 1) list.emplace_back("return as the drain before ends", c.back_to_back);
  if (size.unit != "dl_mshr") return list;
  if (size.sets > 1 && size.reserved < size.sets) list.emplace_back("sets linked", c.links);
  if (size.slots == 1) list.emplace_back("last request waits for a release", c.release_waits);
  return list;
}

class MshrCosim final : public CosimUnit {
 public:
  explicit MshrCosim(std::string unit) : unit_(std::move(unit)) {}
  std::string name() const override { return unit_; }
  std::string group() const override { return "mshr"; }
  void add_options(CLI::App&) override {}  // the sizes of the list
  std::string views() const override { return "plain model and rtl"; }
  void run(const cosim::LockstepOptions& common, bool, const CosimDone& done) const override {
    if (!common.recorded.empty() || !common.waves.empty())
      throw UserError(unit_ + ": neither --recorded nor --waves is there for an MSHR file");
    const auto& sizes = cosim::mshr_file_sizes(unit_);
    run_sizes<cosim::MshrLockstepOptions>(unit_.c_str(), common, false, sizes.front(), sizes, never,
                                          done, run_one);
  }

 private:
  static cosim::MshrFileSize never(const cosim::UnitParameters&) { return {}; }
  static CosimOutcome run_one(cosim::MshrLockstepOptions options, const cosim::MshrFileSize& size) {
    options.size = size;
    const cosim::MshrLockstepResult result = cosim::run_mshr_lockstep(options);
    CosimOutcome outcome;
    outcome.size = cosim::text_of(size);
    outcome.equal = !result.difference;
    nlohmann::ordered_json coverage, parameters;
    std::string table;
    for (const auto& [name, count] : situations(result, size)) {
      coverage["coverage"][name] = count;
      table += fmt::format("{:<52} {:>10}{}\n", name, count, count == 0 ? "  never" : "");
      if (count == 0) outcome.missing.push_back(name);
    }
    for (const auto& [name, value] : cosim::parameters_of(size)) parameters[name] = value;
    outcome.text = result.describe(table);
    outcome.json = cosim_json(size.unit.c_str(), parameters, result, coverage);
    return outcome;
  }

  std::string unit_;
};

}  // namespace

std::unique_ptr<CosimUnit> mshr_cosim(const std::string& unit) {
  return std::make_unique<MshrCosim>(unit);
}

}  // namespace warpmem::app
