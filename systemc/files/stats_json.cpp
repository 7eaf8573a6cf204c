// SPDX-License-Identifier: Apache-2.0
#include "files/stats_json.hpp"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/stats_detail.hpp"
#include "files/json_text.hpp"

namespace warpmem {

namespace stats_detail {
namespace {

using Json = nlohmann::ordered_json;

/// An object with room for `members`, so that none of them is copied when it grows.
Json object_of(std::size_t members) {
  Json result = Json::object();
  result.get_ref<Json::object_t&>().reserve(members);
  return result;
}

/// Adds a member whose key `object` does not have yet, which spares looking for it.
void add(Json& object, std::string key, Json value) {
  object.get_ref<Json::object_t&>().emplace_back(std::move(key), std::move(value));
}

std::size_t entries_of(const Account& account) {
  std::size_t count = 0;
  for (const Path& path : account.paths) count += path.entries().size();
  return count;
}

Json units(const Account& account) {
  Json result = object_of(entries_of(account));
  for (const Path& path : account.paths)
    for (const Entry& entry : path.entries()) {
      Json unit = object_of(3);
      add(unit, "kind", kind_name(entry.kind));
      add(unit, "unit", entry.unit);
      add(unit, "doc", entry.doc);
      add(result, full_name(path, entry), std::move(unit));
    }
  return result;
}

/// Puts one entry's cells under `key` in `stats` or `histograms`.
void put(const Entry& entry, const std::string& key, const std::uint64_t* cells, Json& stats,
         Json& histograms) {
  switch (entry.kind) {
    case Kind::counter:
    case Kind::peak:
      add(stats, key, *cells);
      break;
    case Kind::ratio:
      add(stats, key, quotient(cells[0], cells[1]));
      break;
    case Kind::histogram: {
      const std::size_t bins = entry.histogram->counts().size();
      Json histogram = object_of(4);
      add(histogram, "bounds", entry.histogram->bounds());
      add(histogram, "counts", std::vector<std::uint64_t>(cells, cells + bins));
      add(histogram, "samples", cells[bins]);
      add(histogram, "sum", cells[bins + 1]);
      add(histograms, key, std::move(histogram));
      break;
    }
    case Kind::series:
      break;
  }
}

Json row_of(const Account& account, const Row& row) {
  Json stats = object_of(entries_of(account));
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
Json combined_series(const std::vector<const TimeSeries*>& instances, std::string_view clock) {
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

/// What a row with instances apart holds. Series run over the whole simulation, so they belong to
/// the total.
Json instances_of(const Account& account, const Row& row, bool with_series) {
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
        put(entries[i], std::string(entries[i].name), row.data() + at, stats, histograms);
        if (with_series && entries[i].kind == Kind::series)
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

void add_shape(Json& object, std::uint64_t launch, const LaunchShapes& shapes) {
  const auto found = shapes.find(launch);
  if (found == shapes.end()) return;
  object["grid"] = found->second.grid;
  object["block"] = found->second.block;
}

Json runs_of(const std::vector<KernelRun>& kernels, const LaunchShapes& shapes) {
  Json result = Json::array();
  for (const KernelRun& kernel : kernels) {
    Json one = {{"name", kernel.name}, {"launch", kernel.launch}};
    add_shape(one, kernel.launch, shapes);
    one["begin"] = kernel.begin;
    one["end"] = kernel.end;
    result.push_back(std::move(one));
  }
  return result;
}

std::string document_of(const Account& account, bool per_instance, const LaunchShapes& shapes) {
  Json document = Json::object();
  document["units"] = units(account);
  Json kernels = Json::array();
  for (const KernelRow& kernel : account.kernels) {
    Json one = Json::object();
    one["name"] = kernel.name;
    one["launch"] = kernel.launch;
    if (kernel.together.empty())
      add_shape(one, kernel.launch, shapes);
    else
      one["together"] = runs_of(kernel.together, shapes);
    one.update(row_of(account, kernel.row));
    kernels.push_back(std::move(one));
  }
  document["kernels"] = std::move(kernels);
  document["total"] = row_of(account, account.total);
  document["total"]["series"] = all_series(account);
  if (per_instance) document["instances"] = instances_of(account, account.instance_total, true);
  return indented_json(document) + "\n";
}

std::string document_of_instances(const Account& account) {
  Json document = Json::object();
  document["units"] = units(account);
  Json kernels = Json::array();
  for (const KernelRow& kernel : account.kernels)
    if (!kernel.instances.empty())
      kernels.push_back({{"name", kernel.name},
                         {"launch", kernel.launch},
                         {"instances", instances_of(account, kernel.instances, false)}});
  document["kernels"] = std::move(kernels);
  document["total"] = {{"instances", instances_of(account, account.instance_total, true)}};
  return indented_json(document, 1) + "\n";
}

}  // namespace
}  // namespace stats_detail

std::string stats_json(const StatRegistry& registry, bool per_instance,
                       const LaunchShapes& shapes) {
  return stats_detail::document_of(registry.account(), per_instance, shapes);
}

std::string instances_json(const StatRegistry& registry) {
  return stats_detail::document_of_instances(registry.account());
}

nlohmann::json read_totals(const std::filesystem::path& file) {
  using Event = nlohmann::json::parse_event_t;
  std::ifstream in(file);
  bool total = false;
  const auto keep = [&total](int depth, Event event, const nlohmann::json& parsed) {
    if (event != Event::key) return true;
    if (depth == 1) total = parsed == "total";
    return parsed != "units" && parsed != "histograms" && (total || parsed != "stats");
  };
  return nlohmann::json::parse(in, keep, false);
}

}  // namespace warpmem
