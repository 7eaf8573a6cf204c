// SPDX-License-Identifier: Apache-2.0
// The parameters of a configuration file, ready to build from.
#pragma once

#include <string>
#include <vector>

#include "base/config.hpp"

namespace warpmem {

/// `Params` has describe(Schema&), validate(Problems&) and derive(). `file` may be empty: defaults;
/// "key=value" assignments come after it. Throws UserError with every problem. `notes`, if given,
/// gets a sentence for each key of the file that has no effect.
template <class Params>
Params read_params_of(const std::string& file, const std::vector<std::string>& assignments,
                      std::vector<std::string>* notes) {
  Params params;
  Schema schema;
  params.describe(schema);
  Config config(schema);
  if (!file.empty()) config.load_file(file);
  for (const std::string& assignment : assignments) config.set(assignment);
  config.finish([&params](Problems& problems) { params.validate(problems); });
  if (notes != nullptr) *notes = config.notes();
  params.derive();
  return params;
}

}  // namespace warpmem
