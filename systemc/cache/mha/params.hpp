// SPDX-License-Identifier: Apache-2.0
// Configuration of a miss handler: the keys of the group "mshr" of a cache.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>

#include "base/errors.hpp"
#include "base/params.hpp"
#include "base/view.hpp"
#include "cache/mha/dl/dau.hpp"

namespace warpmem::mha {

enum class Kind : std::uint8_t { conventional, set_associative, dl, tsma, htsma };
inline constexpr std::array<Kind, 5> kKinds = {Kind::conventional, Kind::set_associative, Kind::dl,
                                               Kind::tsma, Kind::htsma};
/// The name that the configuration uses.
const char* name_of(Kind kind);
/// What is special to the kind, in half a sentence.
const char* meaning_of(Kind kind);

/// What an entry tracks the misses of, where lines have sectors: a whole line, with a mask of the
/// sectors asked for, or one fetch of sectors.
enum class Granularity : std::uint8_t { line, sector };

struct MhaParams {
  Kind kind = Kind::conventional;
  std::string added;  ///< an added kind, instead of `kind`; empty: none
  std::uint32_t entries = 32;
  std::uint32_t slots = 8;  ///< slots of an entry
  Granularity granularity = Granularity::line;
  std::uint32_t associativity = 4;    ///< set_associative: entries of a set
  std::uint32_t slots_per_set = 2;    ///< dl: optimisation 1
  bool comparator_gating = true;      ///< dl: optimisation 2
  bool tail_pointer = true;           ///< dl: optimisation 3
  double reserved_fraction = 0.5;     ///< dl: optimisation 4
  View dau = View::fast_class;        ///< dl: view of the Dynamic Allocation Unit
  View index_gen = View::fast_class;  ///< tsma, htsma: view of the index generator
  View steer = View::fast_class;      ///< htsma: view of the steering
  std::uint32_t small_entries = 4;    ///< htsma: entries of the s-MSHR
  std::uint32_t small_slots = 8;      ///< htsma: slots of such an entry
  View file = View::fast_class;       ///< all but htsma: view of the whole file beside the class
  bool file_pipelined = false;        ///< dl: that file is the one with an access of two cycles
  bool pipelined = false;             ///< htsma: two-stage access instead of a longer critical path

  /// Whether misses share the tags of the cache's lines.
  bool shares_tags() const { return kind == Kind::tsma || kind == Kind::htsma; }
  /// Number of sets of the DL pool (docs/mechanisms.md 2.3).
  std::uint32_t dl_sets() const { return entries * slots / slots_per_set; }
  /// Size of the DAU for this pool. The reserved fraction is rounded down to whole sets.
  DauSize dau_size() const {
    return {dl_sets(), slots_per_set, static_cast<std::uint32_t>(reserved_fraction * dl_sets())};
  }

  /// `prefix` is the full path of the group ("l1d.mshr"), for the conditions; `sectored` says
  /// whether the lines have sectors.
  void describe(Schema& schema, const std::string& prefix, std::function<bool()> sectored);
  void validate(Problems& problems, const std::string& prefix) const;

 private:
  void validate_file(Problems& problems, const std::string& prefix) const;
};

}  // namespace warpmem::mha
