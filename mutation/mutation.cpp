// SPDX-License-Identifier: Apache-2.0
#include "mutation/mutation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "base/errors.hpp"
#include "base/work_folder.hpp"
#include "mutation/judge.hpp"

namespace warpmem::mutation {

namespace {

namespace fs = std::filesystem;

/// A second look at what the first lockstep run has left takes so many times its cycles.
constexpr unsigned kMoreCycles = 10;
/// A property can be violated within so many cycles when it judges a fault that is known to differ.
constexpr unsigned kCyclesToRefute = 20;

std::optional<cosim::Difference> compare(const MutationRequest& request, const AttackedUnit& unit,
                                         const fs::path& library, unsigned number,
                                         std::uint64_t cycles, std::uint64_t seed) {
  select_mutant(library, number);
  cosim::LockstepOptions options;
  options.places = request.places;
  options.places.library = library;
  options.cycles = cycles;
  options.seed = seed;
  return unit.lockstep(options).difference;
}

/// Returns the fate of the faults that lockstep finds; the others stay undecided.
void run_lockstep(const MutationRequest& request, const AttackedUnit& unit, const fs::path& library,
                  std::vector<MutantResult>* results) {
  if (const auto difference = compare(request, unit, library, 0, request.cycles, request.seed))
    throw SimulationError(fmt::format("{}: the netlist without a fault differs: {} in cycle {}",
                                      unit.name, difference->signal, difference->cycle));
  for (MutantResult& result : *results) {
    auto found =
        compare(request, unit, library, result.mutant.number, request.cycles, request.seed);
    if (!found)
      found = compare(request, unit, library, result.mutant.number, kMoreCycles * request.cycles,
                      request.seed + 1);
    if (!found) continue;
    result.fate = Fate::kLockstep;
    result.cycle = found->cycle;
    result.signal = found->signal;
  }
  select_mutant(library, 0);
}

void judge_one(const MutationRequest& request, const Mutants& mutants, MutantResult* result) {
  if (result->fate == Fate::kLockstep) {
    if (request.all_properties)
      result->refuted = refuted_within(mutants, result->mutant, kCyclesToRefute, request.timeout_s);
    return;
  }
  const Opinion opinion = judge(mutants, result->mutant, request.timeout_s);
  result->cycle = opinion.cycles;
  if (opinion.judgement == Judgement::kEquivalent) result->fate = Fate::kEquivalent;
  if (opinion.judgement == Judgement::kRefuted) {
    result->fate = Fate::kProperty;
    result->refuted = opinion.cycles;
  }
  if (opinion.judgement == Judgement::kDifferent) result->fate = Fate::kSurvived;
}

void judge_rest(const MutationRequest& request, const Mutants& mutants,
                std::vector<MutantResult>* results) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_lock;
  const auto worker = [&] {
    for (std::size_t i = next++; i < results->size(); i = next++) {
      try {
        judge_one(request, mutants, &(*results)[i]);
      } catch (...) {
        const std::lock_guard<std::mutex> guard(failure_lock);
        if (!failure) failure = std::current_exception();
      }
    }
  };
  std::vector<std::thread> others;
  for (unsigned j = 1; j < request.jobs; ++j) others.emplace_back(worker);
  worker();
  for (std::thread& other : others) other.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

std::size_t MutationResult::count(Fate fate) const {
  return static_cast<std::size_t>(std::count_if(
      mutants.begin(), mutants.end(), [fate](const MutantResult& m) { return m.fate == fate; }));
}

double MutationResult::settled_percent() const {
  if (mutants.empty()) return 0;
  const std::size_t settled =
      count(Fate::kLockstep) + count(Fate::kProperty) + count(Fate::kEquivalent);
  return 100.0 * static_cast<double>(settled) / static_cast<double>(mutants.size());
}

MutationResult run(const MutationRequest& request) {
  const AttackedUnit& unit = attacked_unit(request.unit);
  const auto start = std::chrono::steady_clock::now();
  const auto say = [&](const char* step) {
    if (request.progress) request.progress(fmt::format("{}: {}", unit.name, step));
  };
  const WorkFolder work;
  say("elaborating");
  const Mutants mutants(work.path(), find_unit(request.places.rtl, unit.name, request.places.own),
                        unit, request.count, request.seed);
  MutationResult result{
      unit.name, unit.parameters, request.seed, request.cycles, request.all_properties, 0, {}};
  for (const Mutant& mutant : mutants.list()) {
    result.mutants.emplace_back();
    result.mutants.back().mutant = mutant;
  }
  say("building the netlist with all faults");
  const fs::path library = mutants.build_library(request.places);
  say("lockstep");
  run_lockstep(request, unit, library, &result.mutants);
  say("judging what is left");
  judge_rest(request, mutants, &result.mutants);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace warpmem::mutation
