// SPDX-License-Identifier: Apache-2.0
// Proofs of the RTL units: which property holds, how that was shown, or a run that violates it.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "files/own_rtl.hpp"
#include "formal/model.hpp"
#include "formal/proofs.hpp"

namespace warpmem::formal {

struct FormalRequest {
  std::vector<std::string> units;             ///< empty: all units with properties
  std::string property;                       ///< judge only this one, alone; empty: all
  std::map<std::string, std::string> params;  ///< instead of the table's, "SETS" -> "8"
  unsigned depth = 0;  ///< cycles of a bounded check instead of the table's method; 0: its own
  unsigned timeout_s = 600;  ///< time limit of one engine's run
  unsigned jobs = 1;         ///< parameter sets judged at once
  bool quick = false;        ///< only the proofs that take seconds
  bool covers = true;        ///< judge the cover statements, too
  /// A user's RTL of the one unit in `units` is judged, by the properties of its ports.
  OwnRtl own = {};
  std::filesystem::path rtl_root;   ///< empty: the rtl/ of this project
  std::filesystem::path trace_dir;  ///< where violating runs go, as UNIT.PROPERTY.vcd
  bool use_cache = true;
  std::filesystem::path cache_dir;  ///< empty: that of files/kept_files.hpp
  bool first_only = false;          ///< whether to end with the first violated property
  /// It gets "3 of 33: dau SETS=4: PDR" before each parameter set. There are never two calls at
  /// once, of these two functions.
  std::function<void(const std::string&)> progress;
  /// It gets the first violated property of a parameter set, as soon as it is known: a line or two.
  std::function<void(const std::string&)> violated;
};

struct Result {
  Property property;
  Verdict verdict = Verdict::kUnknown;
  std::string method;   ///< "PDR", "induction, k = 2", "bounded"
  unsigned cycles = 0;  ///< length of a bounded verdict, a violation or a reached cover
  std::string trace;    ///< VCD of the violation; empty: none
};

/// This is one unit at one parameter set.
struct ProofResult {
  Proof proof;
  double seconds = 0;  ///< time for all of its properties
  bool cached = false;
  std::vector<Result> results;
};

/// Judges what is asked for. Throws UserError for an unknown unit, property or parameter, and for a
/// missing tool.
std::vector<ProofResult> run(const FormalRequest& request);

/// Returns whether no assertion is refuted, no cover out of reach, nothing undecided.
bool green(const std::vector<ProofResult>& results);

/// Returns a text like "dau RESERVED=1 SETS=4 SLOTS=2".
std::string heading(const Proof& proof);
/// Returns a line about a violation, with its place and its trace.
std::string violation_text(const Proof& proof, const Result& result);
std::string table(const std::vector<ProofResult>& results);
/// Returns the text of docs/proofs.md. Proofs of the table that are not among the results keep what
/// the earlier text says of them.
std::string page(const std::vector<ProofResult>& results, const std::string& earlier = "");
nlohmann::json to_json(const ProofResult& result);
/// Returns everything but `proof`, which the caller knows.
ProofResult from_json(const nlohmann::json& document, const Proof& proof);

}  // namespace warpmem::formal
