// SPDX-License-Identifier: Apache-2.0
// The result documents: JSON, CSV and a table for the terminal.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/stats_detail.hpp"

namespace warpmem::stats_detail {
namespace {

using Json = nlohmann::ordered_json;

double quotient(std::uint64_t numerator, std::uint64_t denominator) {
  return denominator == 0 ? 0.0 : static_cast<double>(numerator) / static_cast<double>(denominator);
}

std::string full_name(const Path& path, const Entry& entry) { return path.name + "." + entry.name; }

// ---- JSON --------------------------------------------------------------------------------------

Json units(const Account& account) {
  Json result = Json::object();
  for (const Path& path : account.paths)
    for (const Entry& entry : path.entries())
      result[full_name(path, entry)] = {
          {"kind", kind_name(entry.kind)}, {"unit", entry.unit}, {"doc", entry.doc}};
  return result;
}

/// Puts one entry's cells under `key` in `stats` or `histograms`.
void put(const Entry& entry, const std::string& key, const std::uint64_t* cells, Json& stats,
         Json& histograms) {
  switch (entry.kind) {
    case Kind::counter:
    case Kind::peak:
      stats[key] = *cells;
      break;
    case Kind::ratio:
      stats[key] = quotient(cells[0], cells[1]);
      break;
    case Kind::histogram: {
      const std::size_t bins = entry.histogram->counts().size();
      histograms[key] = {{"bounds", entry.histogram->bounds()},
                         {"counts", std::vector<std::uint64_t>(cells, cells + bins)},
                         {"samples", cells[bins]},
                         {"sum", cells[bins + 1]}};
      break;
    }
    case Kind::series:
      break;
  }
}

Json row_of(const Account& account, const Row& row) {
  Json stats = Json::object();
  Json histograms = Json::object();
  for (const Path& path : account.paths)
    for (std::size_t i = 0; i < path.entries().size(); ++i)
      put(path.entries()[i], full_name(path, path.entries()[i]),
          row.data() + path.base + path.offsets[i], stats, histograms);
  Json result = Json::object();
  result["stats"] = std::move(stats);
  result["histograms"] = std::move(histograms);
  return result;
}

/// Intervals double, so those of instances differ by powers of two. Everything is expressed in the
/// longest one.
Json combined_series(const std::vector<const TimeSeries*>& instances, const std::string& clock) {
  Cycle interval = 0;
  for (const TimeSeries* series : instances) interval = std::max(interval, series->interval());
  std::vector<double> points;
  for (const TimeSeries* series : instances) {
    const std::size_t merge = interval / series->interval();
    for (std::size_t i = 0; i < series->points().size(); ++i) {
      if (i / merge >= points.size()) points.resize(i / merge + 1, 0.0);
      points[i / merge] += series->points()[i];
    }
  }
  Json result = Json::object();
  result["interval"] = interval;
  if (!clock.empty()) result["clock"] = clock;
  result["points"] = points;
  return result;
}

Json all_series(const Account& account) {
  Json result = Json::object();
  for (const Path& path : account.paths)
    for (std::size_t i = 0; i < path.entries().size(); ++i) {
      const Entry& entry = path.entries()[i];
      if (entry.kind != Kind::series) continue;
      std::vector<const TimeSeries*> instances;
      for (const Entries* instance : path.instances)
        instances.push_back(instance->entries[i].series);
      result[full_name(path, entry)] = combined_series(instances, entry.clock);
    }
  return result;
}

Json instances_of(const Account& account) {
  Json result = Json::object();
  for (const Path& path : account.paths) {
    Json list = Json::array();
    for (std::size_t n = 0; n < path.instances.size(); ++n) {
      Json stats = Json::object();
      Json histograms = Json::object();
      Json series = Json::object();
      const std::vector<Entry>& entries = path.instances[n]->entries;
      for (std::size_t i = 0; i < entries.size(); ++i) {
        const std::size_t at = path.instance_base + n * path.cells + path.offsets[i];
        put(entries[i], entries[i].name, account.instance_total.data() + at, stats, histograms);
        if (entries[i].kind == Kind::series)
          series[entries[i].name] = combined_series({entries[i].series}, entries[i].clock);
      }
      Json one = Json::object();
      one["index"] = path.instances[n]->index;
      one["stats"] = std::move(stats);
      if (!histograms.empty()) one["histograms"] = std::move(histograms);
      if (!series.empty()) one["series"] = std::move(series);
      list.push_back(std::move(one));
    }
    result[path.name] = std::move(list);
  }
  return result;
}

// ---- CSV and table -----------------------------------------------------------------------------

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
  std::string name;
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
  return {entry.name, grouped(*cells), entry.unit};
}

}  // namespace

std::string to_json(const Account& account, bool per_instance) {
  Json document = Json::object();
  document["units"] = units(account);
  Json kernels = Json::array();
  for (const KernelRow& kernel : account.kernels) {
    Json one = Json::object();
    one["name"] = kernel.name;
    one["launch"] = kernel.launch;
    one.update(row_of(account, kernel.row));
    kernels.push_back(std::move(one));
  }
  document["kernels"] = std::move(kernels);
  document["total"] = row_of(account, account.total);
  document["total"]["series"] = all_series(account);
  if (per_instance) document["instances"] = instances_of(account);
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

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
