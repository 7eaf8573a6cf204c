// SPDX-License-Identifier: Apache-2.0
#include "cosim/code_coverage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <tuple>

#include "base/errors.hpp"
#include "base/text.hpp"
#include "base/text_file.hpp"

namespace warpmem::cosim {

namespace fs = std::filesystem;

namespace {

struct Exclusion {
  bool toggle;
  std::string file, what, reason;
};

/// `*` stands for any text.
bool matches(const char* pattern, const char* text) {
  for (; *pattern != 0; ++pattern, ++text) {
    if (*pattern == '*') {
      for (; *text != 0; ++text)
        if (matches(pattern + 1, text)) return true;
      return matches(pattern + 1, text);
    }
    if (*pattern != *text) return false;
  }
  return *text == 0;
}

std::vector<Exclusion> read_exclusions(const fs::path& file) {
  std::vector<Exclusion> list;
  std::ifstream in(file);
  std::uint32_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (trimmed(line).empty() || trimmed(line)[0] == '#') continue;
    const std::size_t colon = line.find(" : ");
    std::istringstream words(line.substr(0, colon));
    std::string kind;
    Exclusion e;
    words >> kind >> e.file;
    std::getline(words, e.what);
    e.what = std::string(trimmed(e.what));
    e.toggle = kind == "toggle";
    if (colon != std::string::npos) e.reason = trimmed(std::string_view(line).substr(colon + 3));
    if ((!e.toggle && kind != "line") || e.what.empty() || e.reason.empty())
      throw UserError(fmt::format("{}:{}: not of the form 'toggle|line FILE WHAT : REASON'",
                                  file.string(), number));
    list.push_back(e);
  }
  return list;
}

/// Returns the lines without indentation; none of a file that is no longer there.
std::vector<std::string> source_lines(const fs::path& file) {
  std::vector<std::string> lines;
  if (fs::exists(file)) lines = lines_of(read_text(file));
  for (std::string& line : lines) line = std::string(trimmed(line));
  return lines;
}

/// A line reads: C '\001KEY\002VALUE\001KEY\002VALUE...' COUNT
std::map<std::string, std::string> fields_of(const std::string& line) {
  std::map<std::string, std::string> fields;
  const std::size_t end = line.rfind('\'');
  std::size_t at = line.find('\001');
  while (at < end) {
    const std::size_t value = line.find('\002', at);
    std::size_t next = line.find('\001', at + 1);
    next = std::min(next, end);
    fields[line.substr(at + 1, value - at - 1)] = line.substr(value + 1, next - value - 1);
    at = next;
  }
  return fields;
}

/// Turns "TOP.dau.u_sets" into "u_sets".
std::string below_the_unit(const std::string& hierarchy) {
  const std::size_t top = hierarchy.find('.');
  const std::size_t unit = top == std::string::npos ? top : hierarchy.find('.', top + 1);
  return unit == std::string::npos ? "" : hierarchy.substr(unit + 1);
}

}  // namespace

CodeCoverage::CodeCoverage(const fs::path& data, const fs::path& rtl, std::uint64_t cycles)
    : cycles_(cycles) {
  std::map<fs::path, std::vector<Exclusion>> exclusions;  // exclusions by folder
  std::map<fs::path, std::vector<std::string>> sources;
  std::ifstream in(data);
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("C '", 0) != 0) continue;
    auto fields = fields_of(line);
    CodePoint point;
    point.toggle = fields["page"].rfind("v_toggle", 0) == 0;
    const fs::path file = fields["f"];
    const std::string below = file.lexically_relative(rtl).string();
    point.file = below.rfind("..", 0) == 0 ? file.string() : below;
    point.line = static_cast<std::uint32_t>(std::stoul(fields["l"]));
    point.scope = below_the_unit(fields["h"]);
    point.what = fields["o"];
    point.count = std::stoull(line.substr(line.rfind('\'') + 1));
    const fs::path folder = file.parent_path();
    if (exclusions.find(folder) == exclusions.end())
      exclusions[folder] = read_exclusions(folder / "coverage_exclusions.txt");
    if (sources.find(file) == sources.end()) sources[file] = source_lines(file);
    const std::vector<std::string>& source = sources[file];
    const std::string what = point.toggle                  ? point.what
                             : point.line <= source.size() ? source[point.line - 1]
                                                           : "";
    for (const Exclusion& e : exclusions[folder])
      if (e.toggle == point.toggle && matches(e.file.c_str(), file.filename().c_str()) &&
          matches(e.what.c_str(), what.c_str()))
        point.excluded = e.reason;
    points_.push_back(point);
  }
  std::sort(points_.begin(), points_.end(), [](const CodePoint& a, const CodePoint& b) {
    return std::tie(a.toggle, a.file, a.line, a.what) < std::tie(b.toggle, b.file, b.line, b.what);
  });
}

CodeCoverage::Sum CodeCoverage::sum(bool toggle) const {
  Sum sum;
  for (const CodePoint& point : points_) {
    if (point.toggle != toggle) continue;
    const bool excluded = point.count == 0 && !point.excluded.empty();
    sum.excluded += excluded;
    sum.points += !excluded;
    sum.covered += point.count != 0;
  }
  return sum;
}

std::map<std::string, double> CodeCoverage::transitions() const {
  std::map<std::string, double> list;
  if (cycles_ == 0) return list;
  for (const CodePoint& p : points_)
    if (p.toggle)
      list[p.scope.empty() ? p.what : p.scope + "." + p.what] +=
          static_cast<double>(p.count) / static_cast<double>(cycles_);
  return list;
}

std::vector<std::string> CodeCoverage::missing() const {
  std::vector<std::string> list;
  for (const CodePoint& p : points_)
    if (p.count == 0 && p.excluded.empty())
      list.push_back(
          fmt::format("{} {}:{} {}", p.toggle ? "toggle" : "line", p.file, p.line, p.what));
  return list;
}

std::string CodeCoverage::table() const {
  std::string text;
  for (const bool toggle : {false, true}) {
    const Sum s = sum(toggle);
    text +=
        fmt::format("{:<7} {:>6.2f} % of {} points{}\n", toggle ? "toggles" : "lines", s.percent(),
                    s.points, s.excluded == 0 ? "" : fmt::format(", {} excluded", s.excluded));
  }
  for (const std::string& point : missing()) text += fmt::format("  not covered: {}\n", point);
  return text;
}

}  // namespace warpmem::cosim
