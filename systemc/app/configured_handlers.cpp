// SPDX-License-Identifier: Apache-2.0
#include "app/configured_handlers.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/errors.hpp"
#include "cache/params.hpp"
#include "gpu/implied_traffic.hpp"
#include "synth/scaling.hpp"

namespace warpmem::app {

namespace {

constexpr unsigned kAddressBits = 32;  // as in the papers (docs/synthesis.md)

/// The keys of a group "l1d.mshr" on which area and clock depend.
constexpr const char* kKeys[] = {"kind",          "entries",       "slots",
                                 "associativity", "slots_per_set", "reserved_fraction",
                                 "small_entries", "small_slots",   "granularity"};
/// Those of its cache.
constexpr const char* kCacheKeys[] = {"line", "sector", "fetch"};

unsigned log2_of(std::uint32_t power) {
  unsigned bits = 0;
  while (power >> (bits + 1) != 0) ++bits;
  return bits;
}

synth::MissHandlerDesign design_of(const cache::CacheParams& cache, const std::string& level) {
  const mha::MhaParams& mshr = cache.mshr;
  if (!mshr.added.empty())
    throw UserError(fmt::format("{}.mshr.kind: {} was added by a plugin and has no RTL here", level,
                                mshr.added));
  synth::MissHandlerDesign design;
  design.kind =
      mshr.kind == mha::Kind::set_associative ? "set_assoc" : std::string(name_of(mshr.kind));
  design.entries = mshr.entries;
  design.slots = mshr.slots;
  design.ways = mshr.associativity;
  design.small_entries = mshr.small_entries;
  design.small_slots = mshr.small_slots;
  if (mshr.kind == mha::Kind::dl) {
    const mha::DauSize size = mshr.dau_size();
    design.entries = size.sets;
    design.slots = size.slots;
    design.reserved = size.reserved;
  }
  // With misses by sector an entry is that of a fetch, which is a part of a line.
  design.sectors = cache.sectors_of_miss();
  design.addr_bits =
      kAddressBits - log2_of(cache.misses_by_sector() ? cache.bytes_of_fetch() : cache.line_bytes);
  // A slot of L2 holds the data of its write (DL section 2); L1D's stores pass by it.
  if (level == "l2") design.data_bits = 8 * cache.line_bytes;
  return design;
}

ConfiguredHandler handler_of(const Configuration& configuration, const std::string& level,
                             const cache::CacheParams& cache, unsigned copies) {
  ConfiguredHandler handler{level, copies, {}, design_of(cache, level)};
  const auto take = [&](const std::string& key) {
    const Param* const param = configuration.schema().find(key);
    if (param != nullptr && param->active()) handler.keys[key] = param->get();
  };
  for (const char* const key : kKeys) take(level + ".mshr." + key);
  for (const char* const key : kCacheKeys) take(level + "." + key);
  return handler;
}

std::string size_of(const synth::MissHandlerDesign& design) {
  std::string text = fmt::format("{} {} of {} slots", design.entries,
                                 design.kind == "dl" ? "sets" : "entries", design.slots);
  if (design.sectors > 1) text += fmt::format(", {} sectors", design.sectors);
  return text;
}

}  // namespace

std::vector<ConfiguredHandler> configured_handlers(const Configuration& configuration) {
  const gpu::MachineParams& machine = configuration.params();
  std::vector<ConfiguredHandler> handlers;
  if (machine.l1d.enable)
    handlers.push_back(handler_of(configuration, "l1d", machine.l1d, machine.sm_count));
  handlers.push_back(handler_of(configuration, "l2", machine.l2, gpu::l2_slices(machine)));
  return handlers;
}

std::string table(const std::vector<ConfiguredHandler>& handlers,
                  const std::vector<synth::MissHandlerCost>& costs) {
  std::string out =
      fmt::format("{:<5} {:<13} {:<36} {:>11} {:>11} {:>9} {:>9} {:>9}  {}\n", "level", "kind",
                  "size", "area um^2", "in all mm^2", "fmax MHz", "dyn. mW", "leak. mW", "logic");
  for (std::size_t i = 0; i < handlers.size(); ++i) {
    const ConfiguredHandler& h = handlers[i];
    const synth::MissHandlerCost& c = costs[i];
    out += fmt::format("{:<5} {:<13} {:<36} {:>11.0f} {:>11.4f} {:>9.0f} {:>9.3f} {:>9.4f}  {}\n",
                       h.level, h.design.kind, size_of(h.design), c.area_um2(),
                       1e-6 * c.area_um2() * h.copies, 1e3 / c.period_ns, c.dynamic_mw,
                       c.leakage_mw, c.law.empty() ? "synthesized" : "law");
  }
  return out;
}

nlohmann::json to_json(const std::vector<ConfiguredHandler>& handlers,
                       const std::vector<synth::MissHandlerCost>& costs,
                       const synth::MissHandlerOptions& options) {
  nlohmann::json list = nlohmann::json::array();
  for (std::size_t i = 0; i < handlers.size(); ++i) {
    nlohmann::json item = synth::to_json(handlers[i].design, costs[i]);
    item["level"] = handlers[i].level;
    item["copies"] = handlers[i].copies;
    item["sectors"] = handlers[i].design.sectors;
    item["keys"] = handlers[i].keys;
    list.push_back(std::move(item));
  }
  const std::string library = options.liberty.filename().string();
  return {{"handlers", list},
          {"library", library.empty() ? "osu018" : library},
          {"node_nm", options.node_nm}};
}

}  // namespace warpmem::app
