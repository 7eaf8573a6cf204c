// SPDX-License-Identifier: Apache-2.0
#include "app/functional_run.hpp"

#include "base/text_file.hpp"
#include "files/json_text.hpp"
#include "program/kernel_fault.hpp"

namespace warpmem::app {

namespace {

nlohmann::ordered_json counts(const program::FunctionalResult& executed) {
  return {{"gpu.warp_inst", executed.warp_instructions},
          {"gpu.thread_inst", executed.thread_instructions}};
}

}  // namespace

std::string functional_json(const program::FunctionalDevice& device) {
  nlohmann::ordered_json document;
  document["mode"] = "functional";
  document["kernels"] = nlohmann::ordered_json::array();
  program::FunctionalResult total;
  for (const auto& launch : device.launches()) {
    document["kernels"].push_back({{"name", launch.kernel},
                                   {"launch", document["kernels"].size() + 1},
                                   {"stats", counts(launch.executed)}});
    total.warp_instructions += launch.executed.warp_instructions;
    total.thread_instructions += launch.executed.thread_instructions;
  }
  document["total"]["stats"] = counts(total);
  return json_text(document);
}

void FunctionalRun::launch(program::Grid& grid) {
  try {
    FunctionalDevice::launch(grid);
  } catch (const program::KernelFault&) {
    finish();
    throw;
  }
}

void FunctionalRun::finish() {
  if (!file_.empty()) write_text(file_, functional_json(*this));
}

}  // namespace warpmem::app
