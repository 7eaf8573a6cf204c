// SPDX-License-Identifier: Apache-2.0
#include "synth/measured_activity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "base/errors.hpp"
#include "base/text_file.hpp"
#include "files/json_text.hpp"

namespace warpmem::synth {

MeasuredActivity read_activity(const std::filesystem::path& file, const std::string& unit) {
  MeasuredActivity measured;
  if (file.empty()) return measured;
  const std::string name = file.string();
  try {
    const auto document = parse_json(read_text(file));
    const std::string other = document.at("unit");
    if (other != unit)
      throw UserError(fmt::format("{}: transitions of {}, not of {}", name, other, unit));
    document.at("parameters").get_to(measured.parameters);
    document.at("transitions_per_cycle").get_to(measured.transitions);
    measured.from = fmt::format("{}, {} cycles of {}", file.filename().string(),
                                document.at("cycles").get<std::uint64_t>(),
                                document.at("size").get<std::string>());
  } catch (const nlohmann::json::exception&) {
    throw UserError(name + ": not a file that `warpmem cosim --toggles` wrote");
  }
  for (const auto& [bit, transitions] : measured.transitions) {
    if (!(transitions >= 0))
      throw UserError(fmt::format("{}: {} changes {} times a cycle", name, bit, transitions));
  }
  return measured;
}

void check_size(const MeasuredActivity& measured, const std::filesystem::path& file,
                const ParameterValues& asked, const ParameterValues& defaults) {
  std::vector<std::string> wanted;
  for (const auto& [name, value] : measured.parameters) {
    const auto own = defaults.find(name);
    if (own == defaults.end()) continue;  // a unit of the user's may do without it
    const auto given = asked.find(name);
    const std::string& here = given == asked.end() ? own->second : given->second;
    if (plain_digits(here) != std::to_string(value))
      wanted.push_back(fmt::format("-p {}={}", name, value));
  }
  if (!wanted.empty())
    throw UserError(
        fmt::format("{}: transitions of another size of the unit; allowed with them: {}",
                    file.string(), fmt::join(wanted, " ")));
}

}  // namespace warpmem::synth
