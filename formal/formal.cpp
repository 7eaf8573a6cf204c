// SPDX-License-Identifier: Apache-2.0
#include "formal/formal.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/errors.hpp"
#include "base/nearest.hpp"
#include "base/text_file.hpp"
#include "base/work_folder.hpp"
#include "files/named_files.hpp"
#include "synth/cache.hpp"

namespace warpmem::formal {
namespace {

namespace fs = std::filesystem;

/// The version changes whenever a script or a verdict does: older cached results are then not used.
constexpr const char* kFlowVersion = "warpmem-formal 3";
/// A cover is looked for that far, and so is a violation before anything else is tried.
constexpr unsigned kSearchCycles = 24;
/// This is the time for a violation that is there for the asking, before the joint proof.
constexpr unsigned kFirstSeconds = 3;
/// This is the longest search for one violation once a joint proof has failed.
constexpr unsigned kSearchSeconds = 20;

std::vector<std::string> units_with_proofs() {
  std::vector<std::string> units;
  for (const Proof& proof : proofs())
    if (std::find(units.begin(), units.end(), proof.unit) == units.end())
      units.push_back(proof.unit);
  return units;
}

/// Returns the table's entries that the request is about, with the request's parameters and depth.
std::vector<Proof> wanted(const FormalRequest& request) {
  const auto known = units_with_proofs();
  for (const auto& unit : request.units) {
    if (std::find(known.begin(), known.end(), unit) == known.end())
      throw UserError(unknown_word("no proofs of a unit", unit, "Units", known));
  }
  std::vector<Proof> list;
  for (Proof proof : proofs()) {
    const auto& units = request.units;
    if (!units.empty() && std::find(units.begin(), units.end(), proof.unit) == units.end())
      continue;
    if (request.quick && !proof.quick) continue;
    // Prepared beginnings and inductions need properties of what is inside.
    if (!request.own.empty() && (proof.primed != 0 || proof.method != Method::pdr)) continue;
    // With parameters of its own the request makes one run a unit, by the method of the unit's
    // first entry.
    if (!request.params.empty()) {
      proof.primed = 0;
      if (!list.empty() && list.back().unit == proof.unit) continue;
      for (const auto& [name, value] : request.params) proof.params[name] = value;
    }
    if (request.depth != 0) {
      proof.method = Method::bounded;
      proof.depth = request.depth;
    }
    proof.covers = proof.covers && request.covers;
    list.push_back(proof);
  }
  return list;
}

std::string cache_key(const FormalRequest& request, const Proof& proof,
                      const UnitSources& sources) {
  Sha256 hash;
  hash.add_field(kFlowVersion);
  hash.add_field(proof.unit + " " + request.property);
  for (const auto& file : sources.files) hash.add_field(file.string());
  hash_with_named_files(hash, sources.rtl_root, sources.paths(), sources.folders());
  if (request.own.has(proof.unit)) {
    const UnitSources own = request.own.sources(proof.unit, sources.rtl_root);
    hash_with_named_files(hash, sources.rtl_root, own.paths(), own.folders());
    if (const fs::path observer = observer_file(sources); fs::exists(observer))
      hash.add_field(read_text(observer));
  }
  for (const auto& [name, value] : proof.params) hash.add_field(name + "=" + value);
  hash.add_field(fmt::format("{} {} {} {}", static_cast<int>(proof.method), proof.depth,
                             proof.covers, proof.primed));
  return hash.hex();
}

std::string method_name(const Proof& proof) {
  if (proof.method == Method::pdr) return "PDR";
  if (proof.method == Method::induction) return fmt::format("induction, k = {}", proof.depth);
  return "bounded";
}

void write_trace(const Model& model, const Proof& proof, const FormalRequest& request,
                 Result* result) {
  if (request.trace_dir.empty()) return;
  const Property& property = result->property;
  const fs::path vcd = request.trace_dir / fmt::format("{}.{}.vcd", proof.unit, property.name);
  if (model.write_run(property, result->cycles, request.timeout_s, vcd)) result->trace = vcd;
}

Result result_of(const Model& model, const Property& property, const Proof& proof,
                 const FormalRequest& request) {
  const bool bounded = proof.method == Method::bounded;
  const unsigned search = bounded ? proof.depth : kSearchCycles;
  const Answer answer = model.judge(property, search, bounded, request.timeout_s);
  Result result{property, answer.verdict, property.cover ? "search" : "bounded", answer.cycles, ""};
  if (answer.verdict == Verdict::kProved) result.method = "PDR";
  if (answer.verdict == Verdict::kRefuted) write_trace(model, proof, request, &result);
  return result;
}

/// These are the caller's functions, which several threads want to call.
std::mutex calls_lock;

/// Tells the caller of the first violation.
void announce(const FormalRequest& request, const Proof& proof, const Result& result) {
  const std::lock_guard<std::mutex> guard(calls_lock);
  if (request.violated) request.violated(violation_text(proof, result));
}

/// Judges all assertions. A short search for a violation comes first, then the proof of all at
/// once. If that fails, the violated ones are sought and the others proved at once without them,
/// for one violation spoils the joint proof but not what it says of the rest.
std::vector<Result> judge_assertions(const Model& model, const Proof& proof,
                                     const FormalRequest& request) {
  std::map<std::string, Result> violated;
  std::vector<std::string> left_out;
  const unsigned search = proof.method == Method::bounded ? proof.depth : kSearchCycles;
  if (const auto first =
          model.first_violation(search, std::min(request.timeout_s, kFirstSeconds))) {
    Result result{first->property, Verdict::kRefuted, "bounded", first->cycles, ""};
    write_trace(model, proof, request, &result);
    announce(request, proof, result);
    if (request.first_only) return {result};
    violated[result.property.name] = result;
    left_out.push_back(result.property.name);
  }
  bool rest_holds = left_out.empty() && model.all_hold(proof, request.timeout_s);
  if (!rest_holds) {
    FormalRequest shorter = request;
    shorter.timeout_s = std::min(request.timeout_s, kSearchSeconds);
    Proof bounded = proof;
    bounded.method = Method::bounded;
    bounded.depth = search;
    for (const Property& property : model.properties()) {
      if (property.cover || violated.count(property.name) != 0) continue;
      const Result result = result_of(model, property, bounded, shorter);
      if (result.verdict != Verdict::kRefuted) continue;
      if (violated.empty()) announce(request, proof, result);
      if (request.first_only) return {result};
      violated[property.name] = result;
      left_out.push_back(property.name);
    }
    rest_holds = !left_out.empty() && model.all_hold(proof, request.timeout_s, left_out);
  }
  std::vector<Result> results;
  const bool bounded = proof.method == Method::bounded;
  for (const Property& property : model.properties()) {
    if (property.cover) continue;
    if (const auto found = violated.find(property.name); found != violated.end()) {
      results.push_back(found->second);
    } else if (rest_holds) {
      results.push_back({property, bounded ? Verdict::kBounded : Verdict::kProved,
                         method_name(proof), bounded ? proof.depth : 0, ""});
    } else {
      results.push_back(result_of(model, property, proof, request));
    }
  }
  return results;
}

std::vector<Result> judge_all(const Model& model, const Proof& proof,
                              const FormalRequest& request) {
  const bool all = request.property.empty();
  std::vector<Result> results;
  if (all) results = judge_assertions(model, proof, request);
  for (const Property& property : model.properties()) {
    const bool wanted_alone = !all && property.name == request.property;
    if (wanted_alone || (all && property.cover && proof.covers))
      results.push_back(result_of(model, property, proof, request));
  }
  return results;
}

void check_property(const FormalRequest& request, const Model& model) {
  if (request.property.empty()) return;
  std::vector<std::string> names;
  for (const Property& property : model.properties()) names.push_back(property.name);
  if (std::find(names.begin(), names.end(), request.property) == names.end())
    throw UserError(fmt::format("no property is called '{}'; there are {}{}", request.property,
                                fmt::join(names, ", "), did_you_mean(request.property, names)));
}

Model model_of(const fs::path& work, const FormalRequest& request, const Proof& proof,
               const UnitSources& sources) {
  if (!request.own.has(proof.unit)) return Model(work, sources, proof);
  return Model(work, sources, request.own.sources(proof.unit, sources.rtl_root), proof);
}

ProofResult run_one(const FormalRequest& request, const Proof& proof) {
  const fs::path root = request.rtl_root.empty() ? fs::path(WARPMEM_RTL_DIR) : request.rtl_root;
  const UnitSources sources = find_unit(root, proof.unit);
  const synth::Cache cache(request.cache_dir);
  const std::string key = cache_key(request, proof, sources);
  if (request.use_cache) {
    if (const auto document = cache.find(key)) {
      ProofResult result = from_json(*document, proof);
      result.cached = true;
      return result;
    }
  }
  const auto start = std::chrono::steady_clock::now();
  const WorkFolder work;
  const Model model = model_of(work.path(), request, proof, sources);
  check_property(request, model);
  ProofResult result;
  result.proof = proof;
  result.results = judge_all(model, proof, request);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  // A violation is shown anew each time, with its trace, and what ran out of time may fit the next
  // time.
  if (green({result})) cache.store(key, to_json(result));
  return result;
}

}  // namespace

std::vector<ProofResult> run(const FormalRequest& request) {
  const std::vector<Proof> list = wanted(request);
  std::vector<ProofResult> results(list.size());
  std::atomic<std::size_t> next{0};
  std::atomic<bool> over{false};
  std::exception_ptr failure;
  std::mutex failure_lock;
  const auto worker = [&] {
    for (std::size_t i = next++; i < list.size() && !over; i = next++) {
      try {
        if (request.progress) {
          const std::lock_guard<std::mutex> guard(calls_lock);
          request.progress(fmt::format("{} of {}: {}: {}", i + 1, list.size(), heading(list[i]),
                                       method_name(list[i])));
        }
        results[i] = run_one(request, list[i]);
        if (request.first_only && !green({results[i]})) over = true;
      } catch (...) {
        const std::lock_guard<std::mutex> guard(failure_lock);
        if (!failure) failure = std::current_exception();
        over = true;  // a name that is wrong at one parameter set is so at all
      }
    }
  };
  std::vector<std::thread> others;
  for (unsigned j = 1; j < std::min<std::size_t>(request.jobs, list.size()); ++j)
    others.emplace_back(worker);
  worker();
  for (std::thread& other : others) other.join();
  if (failure) std::rethrow_exception(failure);
  if (over)  // what was not begun has no judgement
    results.erase(std::remove_if(results.begin(), results.end(),
                                 [](const ProofResult& r) { return r.results.empty(); }),
                  results.end());
  return results;
}

bool green(const std::vector<ProofResult>& results) {
  for (const ProofResult& proof : results)
    for (const Result& result : proof.results)
      if (result.verdict == Verdict::kRefuted || result.verdict == Verdict::kUnreached ||
          result.verdict == Verdict::kUnknown)
        return false;
  return true;
}

}  // namespace warpmem::formal
