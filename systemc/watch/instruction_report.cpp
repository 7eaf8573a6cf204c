// SPDX-License-Identifier: Apache-2.0
// The profile as documents: JSON by kernel, and a table with a row for each instruction.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "files/json_text.hpp"
#include "sm/request_parts.hpp"
#include "watch/instruction_profile.hpp"

namespace warpmem::watch {

namespace {

using Json = nlohmann::ordered_json;
using cache::Outcome;

/// A figure of a row, as the documents name it.
struct Figure {
  const char* name;
  std::uint64_t value;
};

std::vector<Figure> figures_of_l1d(const LevelCounts& level) {
  return {{"hits", level.of(Outcome::hit)},
          {"primary_misses", level.of(Outcome::primary_miss)},
          {"secondary_misses", level.of(Outcome::secondary_miss)},
          {"bypasses", level.of(Outcome::bypass)},
          {"placements", level.of(Outcome::placement)},
          {"writes", level.of(Outcome::write)},
          {"atomics", level.of(Outcome::atomic)},
          {"evictions", level.evictions},
          {"dirty_evictions", level.dirty_evictions},
          {"write_evictions", level.invalidations}};
}

std::vector<Figure> figures_of_l2(const LevelCounts& level) {
  return {{"hits", level.of(Outcome::hit)},
          {"primary_misses", level.of(Outcome::primary_miss)},
          {"secondary_misses", level.of(Outcome::secondary_miss)},
          {"bypasses", level.of(Outcome::bypass)},
          {"placements", level.of(Outcome::placement)},
          {"evictions", level.evictions},
          {"dirty_evictions", level.dirty_evictions}};
}

std::vector<Figure> figures_of(const InstructionCounts& counts) {
  return {{"executions", counts.executions},
          {"lanes", counts.lanes},
          {"requests", counts.requests},
          {"most_requests", counts.most_requests},
          {"bytes", counts.bytes}};
}

const char* op_of(const program::InstInfo& info) {
  if (program::is_bulk_copy(info.async)) return "bulk";
  switch (info.mem) {
    case program::MemOp::load:
      return "load";
    case program::MemOp::store:
      return "store";
    case program::MemOp::reduction:
      return "reduction";
    default:
      return "atomic";
  }
}

const char* space_of(const program::InstInfo& info) {
  switch (info.space) {
    case program::Space::global:
      return "global";
    case program::Space::local:
      return "local";
    case program::Space::cluster:
      return "cluster";
    default:
      return "generic";
  }
}

double mean_cycles(const InstructionCounts& counts) {
  return counts.latency.samples() == 0 ? 0.0
                                       : static_cast<double>(counts.latency.sum()) /
                                             static_cast<double>(counts.latency.samples());
}

Json object_of(const std::vector<Figure>& figures) {
  Json object = Json::object();
  for (const Figure& figure : figures) object[figure.name] = figure.value;
  return object;
}

Json json_of(const InstructionCounts& counts) {
  Json object = object_of(figures_of(counts));
  object["l1d"] = object_of(figures_of_l1d(counts.l1d));
  object["l2"] = object_of(figures_of_l2(counts.l2));
  object["latency"] = {{"samples", counts.latency.samples()}, {"sum", counts.latency.sum()},
                       {"mean", mean_cycles(counts)},         {"max", counts.most_cycles},
                       {"bounds", counts.latency.bounds()},   {"counts", counts.latency.counts()}};
  return object;
}

Json json_of(const RequestLife& life, bool translated) {
  Json object = {{"sm", life.access.sm},
                 {"cta", life.cta},
                 {"warp", life.access.warp_in_cta},
                 {"request", life.access.ordinal},
                 {"requests", life.access.requests},
                 {"address", life.address},
                 {"bytes", life.bytes},
                 {"issued_fs", life.access.at(Stage::issue)},
                 {"fs", life.length()},
                 {"parts", Json::array()}};
  sm::for_each_part(
      life.access, life.answered, translated,
      [&object](sm::Part part, Femtoseconds begin, Femtoseconds end) {
        if (begin == end) return;
        object["parts"].push_back(
            {{"name", sm::kPartNames[static_cast<std::size_t>(part)]}, {"fs", end - begin}});
      });
  return object;
}

Json json_of(const InstructionRow& row, bool translated) {
  Json object = Json::object();
  object["pc"] = row.info.pc;
  object["text"] = row.text;
  object["op"] = op_of(row.info);
  object["space"] = space_of(row.info);
  object["lane_bytes"] = row.info.bytes;
  object["source_line"] = row.info.source_line;
  object["line"] = row.info.line;
  object.update(json_of(row.counts));
  if (row.slowest.there()) object["slowest"] = json_of(row.slowest, translated);
  return object;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

}  // namespace

std::string instructions_json(const InstructionProfile& profile) {
  Json document = Json::object();
  Json kernels = Json::array();
  for (const InstructionRow* const row : profile.rows()) {
    if (kernels.empty() || kernels.back()["name"] != row->kernel)
      kernels.push_back({{"name", row->kernel},
                         {"launches", profile.launches().at(row->kernel)},
                         {"instructions", Json::array()}});
    kernels.back()["instructions"].push_back(json_of(*row, profile.translated()));
  }
  document["kernels"] = std::move(kernels);
  document["prefetches"] = json_of(profile.prefetches());
  document["writebacks"] = json_of(profile.writebacks());
  return indented_json(document) + "\n";
}

std::string instructions_csv(const InstructionProfile& profile) {
  std::string out = "kernel,pc,text,op,space,lane_bytes,source_line,line";
  const InstructionCounts none;
  for (const Figure& figure : figures_of(none)) out += fmt::format(",{}", figure.name);
  for (const Figure& figure : figures_of_l1d(none.l1d)) out += fmt::format(",l1d.{}", figure.name);
  for (const Figure& figure : figures_of_l2(none.l2)) out += fmt::format(",l2.{}", figure.name);
  out += ",latency.samples,latency.sum,latency.mean,latency.max";
  for (const std::uint64_t bound : none.latency.bounds())
    out += fmt::format(",latency.up_to_{}", bound);
  out += ",latency.above\n";
  for (const InstructionRow* const row : profile.rows()) {
    const program::InstInfo& info = row->info;
    const InstructionCounts& counts = row->counts;
    out += fmt::format("{},{},{},{},{},{},{},{}", quoted(row->kernel), info.pc, quoted(row->text),
                       op_of(info), space_of(info), info.bytes, info.source_line, info.line);
    for (const auto& figures :
         {figures_of(counts), figures_of_l1d(counts.l1d), figures_of_l2(counts.l2)})
      for (const Figure& figure : figures) out += fmt::format(",{}", figure.value);
    out += fmt::format(",{},{},{},{}", counts.latency.samples(), counts.latency.sum(),
                       mean_cycles(counts), counts.most_cycles);
    for (const std::uint64_t count : counts.latency.counts()) out += fmt::format(",{}", count);
    out += '\n';
  }
  return out;
}

}  // namespace warpmem::watch
