// SPDX-License-Identifier: Apache-2.0
// The result documents that need no library: CSV and a table for the terminal.
#include <fmt/format.h>

#include <algorithm>

#include "base/stats_detail.hpp"

namespace warpmem::stats_detail {
namespace {

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

void append_csv_row(const Account& account, const std::string& name, const Row& row,
                    std::string& out) {
  out += csv_field(name);
  for (const Path& path : account.paths)
    for (std::size_t i = 0; i < path.entries().size(); ++i) {
      const std::uint64_t* cells = row.data() + path.base + path.offsets[i];
      const Entry& entry = path.entries()[i];
      if (entry.kind == Kind::counter || entry.kind == Kind::peak) {
        out += fmt::format(",{}", *cells);
      } else if (entry.kind == Kind::ratio) {
        out += fmt::format(",{}", quotient(cells[0], cells[1]));
      }
    }
  out += '\n';
}

/// Turns 1234567 into 1,234,567.
std::string grouped(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::ptrdiff_t i = static_cast<std::ptrdiff_t>(digits.size()) - 3; i > 0; i -= 3)
    digits.insert(static_cast<std::size_t>(i), ",");
  return digits;
}

struct Line {
  std::string_view name;
  std::string value;
  std::string unit;
};

Line line_of(const Entry& entry, const std::uint64_t* cells) {
  if (entry.kind == Kind::ratio)
    return {entry.name, fmt::format("{:.4f}", quotient(cells[0], cells[1])), ""};
  if (entry.kind == Kind::histogram) {
    const std::size_t bins = entry.histogram->counts().size();
    return {entry.name, fmt::format("{:.2f}", quotient(cells[bins + 1], cells[bins])),
            fmt::format("{} (mean of {})", entry.unit, grouped(cells[bins]))};
  }
  return {entry.name, grouped(*cells), std::string(entry.unit)};
}

}  // namespace

std::string to_csv(const Account& account) {
  std::string out = "kernel";
  for (const Path& path : account.paths)
    for (const Entry& entry : path.entries())
      if (entry.kind != Kind::histogram && entry.kind != Kind::series)
        out += "," + csv_field(full_name(path, entry));
  out += '\n';
  for (const KernelRow& kernel : account.kernels)
    append_csv_row(account, kernel.name, kernel.row, out);
  append_csv_row(account, "total", account.total, out);
  return out;
}

std::string to_table(const Account& account) {
  std::vector<std::vector<Line>> groups;
  std::size_t name_width = 0;
  std::size_t value_width = 0;
  for (const Path& path : account.paths) {
    groups.emplace_back();
    for (std::size_t i = 0; i < path.entries().size(); ++i) {
      const Entry& entry = path.entries()[i];
      if (entry.kind == Kind::series) continue;
      Line line = line_of(entry, account.total.data() + path.base + path.offsets[i]);
      name_width = std::max(name_width, line.name.size());
      value_width = std::max(value_width, line.value.size());
      groups.back().push_back(std::move(line));
    }
  }
  std::string out;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::size_t count = account.paths[g].instances.size();
    if (groups[g].empty()) continue;
    out += account.paths[g].name;
    out += count > 1 ? fmt::format(" ({} instances)\n", count) : "\n";
    for (const Line& line : groups[g]) {
      std::string text = fmt::format("  {:<{}}  {:>{}}  {}", line.name, name_width, line.value,
                                     value_width, line.unit);
      out += text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
    }
  }
  return out;
}

}  // namespace warpmem::stats_detail
