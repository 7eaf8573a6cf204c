// SPDX-License-Identifier: Apache-2.0
#include "app/named.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/catalogue.hpp"
#include "app/places.hpp"
#include "base/errors.hpp"
#include "base/nearest.hpp"
#include "base/text.hpp"

namespace warpmem::app {

namespace fs = std::filesystem;

std::vector<std::string> machine_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(places().configs))
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string machine_file(const std::string& given) {
  const fs::path path(given);
  if (given.empty() || fs::exists(path) || path.has_parent_path() || path.has_extension())
    return given;
  const std::vector<std::string> names = machine_names();
  if (std::find(names.begin(), names.end(), given) != names.end())
    return (places().configs / (given + ".yaml")).string();
  throw UserError(shown(given) + ": no such file, and no machine of `warpmem list configs`" +
                  did_you_mean(given, names));
}

NamedProgram workload(const std::string& name, const std::string& size) {
  const std::string catalogue = places().workloads / "catalogue.yaml";
  const std::optional<Workload> found = read_workload(catalogue, name);
  if (!found) {
    std::vector<std::string> names;
    for (const Workload& w : read_catalogue(catalogue)) names.push_back(w.name);
    throw UserError(shown(name) +
                    ": no such file; give a .cu file, a program, a trace, or a workload of "
                    "`warpmem list workloads`" +
                    did_you_mean(name, names));
  }
  return {(places().workloads / found->file).string(),
          words_of(arguments(*found, size.empty() ? "small" : size))};
}

}  // namespace warpmem::app
