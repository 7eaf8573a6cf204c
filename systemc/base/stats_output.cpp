// SPDX-License-Identifier: Apache-2.0
// The result documents: JSON, CSV and a table for the terminal.
#include <fmt/format.h>

#include <algorithm>

#include "base/json_writer.hpp"
#include "base/stats_detail.hpp"

namespace warpmem::stats_detail {
namespace {

double quotient(std::uint64_t numerator, std::uint64_t denominator) {
  return denominator == 0 ? 0.0 : static_cast<double>(numerator) / static_cast<double>(denominator);
}

std::string full_name(const Path& path, const Entry& entry) { return path.name + "." + entry.name; }

// ---- JSON --------------------------------------------------------------------------------------

void write_units(const Account& account, JsonWriter& json) {
  json.key("units").begin_object();
  for (const Path& path : account.paths)
    for (const Entry& entry : path.entries()) {
      json.key(full_name(path, entry)).begin_object();
      json.key("kind").value(kind_name(entry.kind));
      json.key("unit").value(entry.unit);
      json.key("doc").value(entry.doc);
      json.end();
    }
  json.end();
}

/// A counter, peak or ratio.
void write_scalar(const Entry& entry, const std::string& key, const std::uint64_t* cells,
                  JsonWriter& json) {
  if (entry.kind == Kind::counter || entry.kind == Kind::peak)
    json.key(key).value(*cells);
  else if (entry.kind == Kind::ratio)
    json.key(key).value(quotient(cells[0], cells[1]));
}

void write_histogram(const Entry& entry, const std::string& key, const std::uint64_t* cells,
                     JsonWriter& json) {
  if (entry.kind != Kind::histogram) return;
  const std::size_t bins = entry.histogram->counts().size();
  json.key(key).begin_object();
  json.key("bounds").value(entry.histogram->bounds());
  json.key("counts").value(std::vector<std::uint64_t>(cells, cells + bins));
  json.key("samples").value(cells[bins]);
  json.key("sum").value(cells[bins + 1]);
  json.end();
}

/// The members `stats` and `histograms` of an object.
void write_row(const Account& account, const Row& row, JsonWriter& json) {
  for (const auto& [member, write] :
       {std::pair{"stats", write_scalar}, std::pair{"histograms", write_histogram}}) {
    json.key(member).begin_object();
    for (const Path& path : account.paths)
      for (std::size_t i = 0; i < path.entries().size(); ++i) {
        const Entry& entry = path.entries()[i];
        write(entry, full_name(path, entry), row.data() + path.base + path.offsets[i], json);
      }
    json.end();
  }
}

/// Intervals double, so those of instances differ by powers of two: everything is expressed in the
/// longest.
void write_series(const std::vector<const TimeSeries*>& instances, const std::string& clock,
                  JsonWriter& json) {
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
  json.begin_object();
  json.key("interval").value(interval);
  if (!clock.empty()) json.key("clock").value(clock);
  json.key("points").value(points);
  json.end();
}

void write_all_series(const Account& account, JsonWriter& json) {
  json.key("series").begin_object();
  for (const Path& path : account.paths)
    for (std::size_t i = 0; i < path.entries().size(); ++i) {
      const Entry& entry = path.entries()[i];
      if (entry.kind != Kind::series) continue;
      std::vector<const TimeSeries*> instances;
      for (const Entries* instance : path.instances)
        instances.push_back(instance->entries[i].series);
      json.key(full_name(path, entry));
      write_series(instances, entry.clock, json);
    }
  json.end();
}

bool has(const Entries& entries, Kind kind) {
  return std::any_of(entries.entries.begin(), entries.entries.end(),
                     [kind](const Entry& entry) { return entry.kind == kind; });
}

void write_instance(const Account& account, const Path& path, std::size_t n, JsonWriter& json) {
  const Entries& instance = *path.instances[n];
  const auto each = [&](auto&& write) {
    for (std::size_t i = 0; i < instance.entries.size(); ++i) {
      const std::size_t at = path.instance_base + n * path.cells + path.offsets[i];
      const Entry& entry = instance.entries[i];
      write(entry, entry.name, account.instance_total.data() + at, json);
    }
  };
  json.begin_object();
  json.key("index").value(std::uint64_t(instance.index));
  json.key("stats").begin_object();
  each(write_scalar);
  json.end();
  if (has(instance, Kind::histogram)) {
    json.key("histograms").begin_object();
    each(write_histogram);
    json.end();
  }
  if (has(instance, Kind::series)) {
    json.key("series").begin_object();
    for (const Entry& entry : instance.entries) {
      if (entry.kind != Kind::series) continue;
      json.key(entry.name);
      write_series({entry.series}, entry.clock, json);
    }
    json.end();
  }
  json.end();
}

void write_instances(const Account& account, JsonWriter& json) {
  json.key("instances").begin_object();
  for (const Path& path : account.paths) {
    json.key(path.name).begin_array();
    for (std::size_t n = 0; n < path.instances.size(); ++n) write_instance(account, path, n, json);
    json.end();
  }
  json.end();
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
  JsonWriter json;
  json.begin_object();
  write_units(account, json);
  json.key("kernels").begin_array();
  for (const KernelRow& kernel : account.kernels) {
    json.begin_object();
    json.key("name").value(kernel.name);
    json.key("launch").value(kernel.launch);
    write_row(account, kernel.row, json);
    json.end();
  }
  json.end();
  json.key("total").begin_object();
  write_row(account, account.total, json);
  write_all_series(account, json);
  json.end();
  if (per_instance) write_instances(account, json);
  json.end();
  return std::move(json).text();
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
