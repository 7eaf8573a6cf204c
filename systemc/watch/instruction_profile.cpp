// SPDX-License-Identifier: Apache-2.0
#include "watch/instruction_profile.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/stats_detail.hpp"

namespace warpmem::watch {

using cache::Outcome;

void LevelCounts::add(const LevelCounts& other) {
  for (std::size_t i = 0; i < outcomes.size(); ++i) outcomes[i] += other.outcomes[i];
  evictions += other.evictions;
  dirty_evictions += other.dirty_evictions;
  invalidations += other.invalidations;
}

InstructionCounts::InstructionCounts()
    : latency({32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384}) {}

InstructionProfile::InstructionProfile(gpu::Machine& machine)
    : translated_(machine.memory().unified() != nullptr) {
  machine.watch(*this);
  memory::MemorySystem& memory = machine.memory();
  for (unsigned i = 0; i < memory.cpus(); ++i) {
    machine.sm(i).watch(*this);
    memory.l1d(i).watch(l1d_);
  }
  for (unsigned s = 0; s < memory.slices(); ++s) memory.l2(s).watch(l2_);
}

void InstructionProfile::launch_begins(const std::vector<gpu::Launch>& launches) {
  kernels_.begin(launches);
  of_launch_.clear();
  running_ = true;
  for (const gpu::Launch& launch : launches) ++launches_[launch.grid->traits().name];
}

void InstructionProfile::launch_ends(const std::vector<gpu::Launch>&,
                                     const std::vector<gpu::CtaDispatcher::Run>&) {
  running_ = false;
}

InstructionRow& InstructionProfile::add_row(unsigned kernel, const program::InstInfo& instruction) {
  const program::Grid& grid = kernels_[kernel];
  const std::string& name = grid.traits().name;
  const std::string text = grid.mnemonic(instruction);
  InstructionRow*& row = known_[{name, instruction.pc, instruction.line, text, instruction.mem}];
  if (row == nullptr) {
    rows_.push_back({name, text, instruction, {}, {}});
    row = &rows_.back();
  }
  return *row;
}

void InstructionProfile::asked(const program::InstInfo& instruction, std::uint32_t cta,
                               LaneMask lanes, unsigned requests) {
  const unsigned kernel = kernels_.of(cta);
  InstructionRow*& row = of_launch_[std::uint64_t(kernel) << 32 | instruction.pc];
  if (row == nullptr) row = &add_row(kernel, instruction);
  InstructionCounts& counts = row->counts;
  ++counts.executions;
  counts.lanes += static_cast<unsigned>(__builtin_popcount(lanes));
  counts.most_requests = std::max<std::uint64_t>(counts.most_requests, requests);
}

InstructionRow& InstructionProfile::row_of(std::uint32_t cta, std::uint32_t pc) {
  return *of_launch_.at(std::uint64_t(kernels_.of(cta)) << 32 | pc);
}

InstructionCounts& InstructionProfile::counts_of(const Access& access) {
  if (!running_) return between_launches_;
  if (access.prefetch) return prefetches_;
  // A write-back has no lanes, and neither has the fetch of its miss.
  if (access.lanes == 0) return writebacks_;
  return row_of(access.cta, access.pc).counts;
}

void InstructionProfile::answered(const program::InstInfo& instruction, const Payload& payload) {
  const Access& access = access_of(payload);
  InstructionRow& row = row_of(access.cta, instruction.pc);
  ++row.counts.requests;
  row.counts.bytes += payload.get_data_length();
  const Femtoseconds now = simulation_now();
  if (row.slowest.is_slower(access, now))
    row.slowest.keep(access, payload, now, kernels_.index_of(access.cta));
}

void InstructionProfile::completed(const program::InstInfo& instruction, std::uint32_t cta,
                                   Cycle cycles) {
  InstructionCounts& counts = row_of(cta, instruction.pc).counts;
  counts.latency.add(cycles);
  counts.most_cycles = std::max(counts.most_cycles, cycles);
}

std::vector<const InstructionRow*> InstructionProfile::rows() const {
  std::vector<const InstructionRow*> rows;
  for (const auto& [key, row] : known_) rows.push_back(row);
  return rows;
}

// ---- the law -----------------------------------------------------------------------------------

namespace {

/// The totals of a statistics account, by name.
class Totals {
 public:
  explicit Totals(const stats_detail::Account& account) : account_(account) {}
  /// The cells of a statistic, or nullptr.
  const std::uint64_t* cells(const std::string& path, const std::string& name) const {
    for (const stats_detail::Path& p : account_.paths)
      for (std::size_t i = 0; p.name == path && i < p.entries().size(); ++i)
        if (p.entries()[i].name == name) return account_.total.data() + p.base + p.offsets[i];
    return nullptr;
  }
  /// 0 for what this machine does not count, since it has none of it.
  std::uint64_t of(const std::string& path, const std::string& name) const {
    const std::uint64_t* const found = cells(path, name);
    return found == nullptr ? 0 : *found;
  }

 private:
  const stats_detail::Account& account_;
};

struct Sums {
  std::uint64_t executions = 0, requests = 0;
  LevelCounts l1d, l2;
  std::uint64_t load_cycles = 0, loads = 0;
};

Sums sums_of(const InstructionProfile& profile) {
  Sums sums;
  const auto add = [&sums](const InstructionCounts& counts) {
    sums.requests += counts.requests;
    sums.l1d.add(counts.l1d);
    sums.l2.add(counts.l2);
  };
  for (const InstructionRow* const row : profile.rows()) {
    add(row->counts);
    if (program::is_bulk_copy(row->info.async)) continue;
    sums.executions += row->counts.executions;
    if (row->info.mem != program::MemOp::load) continue;
    sums.loads += row->counts.latency.samples();
    sums.load_cycles += row->counts.latency.sum();
  }
  add(profile.prefetches());
  add(profile.writebacks());
  return sums;
}

}  // namespace

void InstructionProfile::check(const StatRegistry& registry) const {
  const Totals totals(registry.account());
  const Sums sums = sums_of(*this);
  std::string broken;
  const auto expect = [&broken](const std::string& what, std::uint64_t here, std::uint64_t there) {
    const std::string sides = expect_equal("sum over instructions", here, "total", there);
    if (!sides.empty()) broken += "\n  " + what + ": " + sides;
  };
  expect("sm.loads + stores + atomics", sums.executions,
         totals.of("sm", "loads") + totals.of("sm", "stores") + totals.of("sm", "atomics"));
  expect("sm.requests + bulk.requests", sums.requests,
         totals.of("sm", "requests") + totals.of("sm", "bulk.requests"));
  const std::uint64_t* const latency = totals.cells("sm", "load.latency");
  const std::size_t bins = prefetches_.latency.counts().size();
  expect("samples of sm.load.latency", sums.loads, latency[bins]);
  expect("sum of sm.load.latency", sums.load_cycles, latency[bins + 1]);
  constexpr std::array<std::pair<Outcome, const char*>, 7> kOutcomeNames = {
      {{Outcome::hit, "hits"},
       {Outcome::primary_miss, "primary_misses"},
       {Outcome::secondary_miss, "secondary_misses"},
       {Outcome::bypass, "bypasses"},
       {Outcome::placement, "placements"},
       {Outcome::write, "write_accesses"},
       {Outcome::atomic, "atomics"}}};
  for (const auto& [outcome, name] : kOutcomeNames) {
    expect(std::string("l1d.") + name, sums.l1d.of(outcome), totals.of("l1d", name));
    // L2 looks for the lines of writes and atomics, and the host's link counts what passes L2 to
    // it.
    if (outcome == Outcome::write || outcome == Outcome::atomic || outcome == Outcome::bypass)
      continue;
    expect(std::string("l2.") + name, sums.l2.of(outcome), totals.of("l2", name));
  }
  expect("l2.bypasses + host.requests", sums.l2.of(Outcome::bypass),
         totals.of("l2", "bypasses") + totals.of("host", "requests"));
  expect("l1d.evictions", sums.l1d.evictions, totals.of("l1d", "evictions"));
  expect("l1d.writebacks", sums.l1d.dirty_evictions, totals.of("l1d", "writebacks"));
  expect("l1d.write_evictions", sums.l1d.invalidations, totals.of("l1d", "write_evictions"));
  expect("l2.evictions", sums.l2.evictions, totals.of("l2", "evictions"));
  expect("l2.writebacks", sums.l2.dirty_evictions, totals.of("l2", "writebacks"));
  if (!broken.empty())
    throw SimulationError("statistics by instruction do not add up to the totals:" + broken);
}

}  // namespace warpmem::watch
