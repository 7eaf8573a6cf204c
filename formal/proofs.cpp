// SPDX-License-Identifier: Apache-2.0
#include "formal/proofs.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "units/all_units.hpp"

namespace warpmem::formal {
namespace {

/// Parses "SETS=4 SLOTS=2".
std::map<std::string, std::string> parameters_of(const std::string& text) {
  std::map<std::string, std::string> parameters;
  for (const std::string& word : words_of(text)) {
    const std::size_t equals = word.find('=');
    parameters[word.substr(0, equals)] = word.substr(equals + 1);
  }
  return parameters;
}

/// This is a proof and the place of its unit.
using Placed = std::pair<unsigned, Proof>;

struct CollectProofs {
  std::vector<Placed>& proofs;

  template <class Unit>
  void operator()(const Unit&) {
    for (const units::UnitProof& proof : Unit::kProofs)
      proofs.emplace_back(Unit::kProofPlace,
                          Proof{Unit::kName, parameters_of(proof.parameters), proof.method,
                                proof.depth, proof.quick, proof.covers, proof.primed});
  }
};

}  // namespace

const std::vector<Proof>& proofs() {
  static const std::vector<Proof> kProofs = [] {
    std::vector<Placed> placed;
    units::for_each_unit(CollectProofs{placed});
    std::stable_sort(placed.begin(), placed.end(),
                     [](const Placed& a, const Placed& b) { return a.first < b.first; });
    std::vector<Proof> list;
    for (Placed& proof : placed) list.push_back(std::move(proof.second));
    return list;
  }();
  return kProofs;
}

}  // namespace warpmem::formal
