// SPDX-License-Identifier: Apache-2.0
#include "sweeps/stored_costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "app/places.hpp"
#include "base/errors.hpp"
#include "base/text_file.hpp"
#include "files/json_text.hpp"

namespace warpmem::sweeps {

namespace {

namespace fs = std::filesystem;

double positive_of(const nlohmann::json& row, const char* name) {
  const auto found = row.find(name);
  if (found == row.end() || !found->is_number() || found->get<double>() <= 0)
    throw UserError(fmt::format("{}: a number above 0 is needed", name));
  return found->get<double>();
}

std::string text_in(const nlohmann::json& row, const char* name) {
  const auto found = row.find(name);
  if (found == row.end() || !found->is_string())
    throw UserError(fmt::format("{}: a text is needed", name));
  return found->get<std::string>();
}

StoredCost read_cost(const nlohmann::json& row) {
  if (!row.is_object()) throw UserError("a map is needed");
  StoredCost cost{text_in(row, "workload"), text_in(row, "arguments"), positive_of(row, "seconds")};
  if (row.size() != 3) throw UserError("unknown entry; allowed: workload, arguments, seconds");
  return cost;
}

/// Three significant digits: another machine differs by more.
double three_digits(double value) { return std::stod(fmt::format("{:.3g}", value)); }

}  // namespace

fs::path stored_costs_file() { return app::places().experiments / "costs.json"; }

std::vector<StoredCost> read_stored_costs(const fs::path& file) {
  std::vector<StoredCost> costs;
  if (!fs::exists(file)) return costs;
  nlohmann::json rows;
  try {
    rows = parse_json(read_text(file));
  } catch (const nlohmann::json::exception& error) {
    throw UserError(fmt::format("{}: {}", file.string(), error.what()));
  }
  if (!rows.is_array()) throw UserError(file.string() + ": a list of rows is needed");
  std::set<std::pair<std::string, std::string>> seen;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    try {
      costs.push_back(read_cost(rows[i]));
      if (!seen.emplace(costs.back().workload, costs.back().arguments).second)
        throw UserError("the workload with these arguments is there twice");
    } catch (const UserError& error) {
      throw UserError(fmt::format("{}: row {}: {}", file.string(), i + 1, error.what()));
    }
  }
  return costs;
}

void write_stored_costs(const fs::path& file, std::vector<StoredCost> costs) {
  std::sort(costs.begin(), costs.end(), [](const StoredCost& a, const StoredCost& b) {
    return std::tie(a.workload, a.arguments) < std::tie(b.workload, b.arguments);
  });
  std::string out;
  for (const StoredCost& cost : costs) {
    const nlohmann::ordered_json row = {{"workload", cost.workload},
                                        {"arguments", cost.arguments},
                                        {"seconds", three_digits(cost.seconds)}};
    out += (out.empty() ? "[" : ",\n ") + compact_json(row);
  }
  write_text(file, (out.empty() ? "[" : out) + "]\n");
}

}  // namespace warpmem::sweeps
