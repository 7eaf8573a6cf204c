// SPDX-License-Identifier: Apache-2.0
#include "sweeps/watched.hpp"

#include <fmt/format.h>

#include <charconv>
#include <set>

#include "base/nearest.hpp"

namespace warpmem::sweeps {

std::vector<std::string> Watched::lines() const {
  std::vector<std::string> lines;
  if (series) lines.push_back(fmt::format("interval={}", interval));
  if (per_pc) lines.emplace_back("per_pc=1");
  if (series) lines.emplace_back("series=1");
  return lines;
}

std::vector<std::string> Watched::options() const {
  std::vector<std::string> words;
  if (per_pc) words.emplace_back("--per-pc");
  if (series) words.insert(words.end(), {"--series", "--interval", std::to_string(interval)});
  return words;
}

Watched read_watched(const YamlMember& entry,
                     const std::function<void(unsigned line, const std::string& what)>& fail) {
  Watched watched;
  if (entry.value.kind != YamlNode::Kind::map) {
    fail(entry.line, "observe: a map is needed, e.g. {per_pc: true, series: true, interval: 1000}");
    return watched;
  }
  std::set<std::string> seen;
  unsigned line_of_interval = 0;
  for (const YamlMember& m : entry.value.members) {
    const std::string text = m.value.kind == YamlNode::Kind::scalar ? m.value.text : "";
    const auto flag = [&](bool& value) {
      if (text == "true" || text == "false")
        value = text == "true";
      else
        fail(m.line, fmt::format("observe: {}: true or false is needed", m.key));
    };
    if (!seen.insert(m.key).second) {
      fail(m.line, fmt::format("observe: {}: given twice", m.key));
    } else if (m.key == "per_pc") {
      flag(watched.per_pc);
    } else if (m.key == "series") {
      flag(watched.series);
    } else if (m.key == "interval") {
      line_of_interval = m.line;
      const char* const end = text.data() + text.size();
      const auto read = std::from_chars(text.data(), end, watched.interval);
      if (read.ec != std::errc() || read.ptr != end || watched.interval == 0)
        fail(m.line, fmt::format("observe: interval: {}: a number of SM cycles above 0 is needed",
                                 text.empty() ? "not a number" : text));
    } else {
      const std::vector<std::string> allowed = {"per_pc", "series", "interval"};
      fail(m.line, fmt::format("observe: unknown entry {}; allowed: {}{}", m.key,
                               fmt::join(allowed, ", "), did_you_mean(m.key, allowed)));
    }
  }
  if (line_of_interval != 0 && !watched.series)
    fail(line_of_interval, "observe: interval is that of series, which is not asked for");
  return watched;
}

}  // namespace warpmem::sweeps
