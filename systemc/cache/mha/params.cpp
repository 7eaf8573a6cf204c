// SPDX-License-Identifier: Apache-2.0
#include "cache/mha/params.hpp"

#include <fmt/format.h>

#include "cache/mha/registry.hpp"

namespace warpmem::mha {

const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::conventional:
      return "conventional";
    case Kind::set_associative:
      return "set_associative";
    case Kind::dl:
      return "dl";
    case Kind::tsma:
      return "tsma";
    case Kind::htsma:
      return "htsma";
  }
  return "?";
}

const char* meaning_of(Kind kind) {
  switch (kind) {
    case Kind::conventional:
      return "entries with a fixed number of slots each, all compared at once";
    case Kind::set_associative:
      return "the same in sets: only the entries of a set are compared";
    case Kind::dl:
      return "slots in small sets from one pool, linked to chains as lines need them";
    case Kind::tsma:
      return "entries without tags: the cache's own tags find them";
    case Kind::htsma:
      return "tsma and a small associative file for what tsma does badly";
  }
  return "";
}

void MhaParams::describe(Schema& s, const std::string& prefix, std::function<bool()> sectored) {
  s.group("mshr", "miss-handling architecture", [&] {
    s.choice("kind", kind,
             {{"conventional", Kind::conventional},
              {"set_associative", Kind::set_associative},
              {"dl", Kind::dl},
              {"tsma", Kind::tsma},
              {"htsma", Kind::htsma}},
             "structure that tracks outstanding misses", "mechanisms 2");
    s.added(added_miss_handlers().names(), added, kind, Kind::conventional);
    s.integer("entries", entries, {1, 4096},
              "entries of the MSHRs, each for the misses of one line; the DL pool has entries x "
              "slots slots",
              "DL Table 2");
    s.integer("slots", slots, {1, 1024},
              "requests that an MSHR entry holds, the primary miss included", "DL Table 2");
    const std::string cache = prefix.substr(0, prefix.find('.'));
    s.only_noted_if(cache + ".sector other than 0", std::move(sectored), [&] {
      s.choice("granularity", granularity,
               {{"line", Granularity::line}, {"sector", Granularity::sector}},
               "what an entry tracks: the misses of a line, with a mask of the sectors asked for, "
               "whose targets leave when all of these have come; or those of one fetch (" +
                   cache + ".fetch), so that a request may not want more",
               "mechanisms 1.9");
    });
    s.only_if(
        prefix + ".kind: set_associative", [this] { return kind == Kind::set_associative; },
        [&] {
          s.integer("associativity", associativity, {1, 4096}, "MSHR entries of each set",
                    "KI Table 5.4");
        });
    s.only_if(
        prefix + ".kind: dl", [this] { return kind == Kind::dl; },
        [&] {
          s.integer("slots_per_set", slots_per_set, {1, 8, true},
                    "slots in each set of the DL pool; a chain links whole sets",
                    "DL 4.6, optimisation 1");
          s.flag("comparator_gating", comparator_gating,
                 "true: only the comparators of sets that are heads are active, which changes a "
                 "power figure and nothing else",
                 "DL 4.6, optimisation 2");
          s.flag("tail_pointer", tail_pointer,
                 "true: the head of a chain knows its tail; false: a merge takes one cycle for "
                 "each set of the chain, that of the access included",
                 "DL 4.6, optimisation 3");
          s.real("reserved_fraction", reserved_fraction, {0.0, 1.0},
                 "share of the DL pool's sets that can only be heads of chains",
                 "DL 4.6, optimisation 4");
          s.choice("dau", dau, view_names(), view_text("the DL pool's Dynamic Allocation Unit"),
                   "mechanisms 6");
        });
    s.only_if(
        prefix + ".kind: tsma or htsma", [this] { return shares_tags(); },
        [&] {
          s.choice("index_gen", index_gen, view_names(), view_text("TSMA's index generator"),
                   "mechanisms 6");
        });
    s.only_if(
        prefix + ".kind: conventional, set_associative, dl, tsma or htsma",
        [this] { return added.empty(); },
        [&] {
          s.choice("file", file, view_names(),
                   "which view of the whole MSHR file runs beside the fast class and must give its "
                   "answers: none with class, or the synthesizable core in C++, the SC_MODULE "
                   "around it, RTL; same statistics",
                   "mechanisms 6");
        });
    s.only_if(
        prefix + ".kind: dl, and " + prefix + ".file other than class",
        [this] { return kind == Kind::dl && file != View::fast_class; },
        [&] {
          s.flag("file_pipelined", file_pipelined,
                 "true: the file beside the DL pool is dl_mshr_pipe, a pipeline that answers two "
                 "edges later; false: dl_mshr, which answers at once; same statistics",
                 "DL 6.3");
        });
    s.only_if(
        prefix + ".kind: htsma", [this] { return kind == Kind::htsma; },
        [&] {
          s.integer("small_entries", small_entries, {1, 256},
                    "entries of the s-MSHR, the fully associative part", "KI Tables 5.3, 5.5");
          s.integer("small_slots", small_slots, {1, 1024},
                    "requests that an entry of the s-MSHR holds",
                    "as the other entries (KI Table 5.1)");
          s.flag("pipelined", pipelined,
                 "true: every miss takes two stages of a cycle each; false: one that misses the "
                 "s-MSHR and then takes a TSMA entry needs two cycles, in which no other one is "
                 "accepted",
                 "KI 5.5.1");
          s.choice("steer", steer, view_names(), view_text("the steering between s-MSHR and TSMA"),
                   "mechanisms 6");
        });
  });
}

// The limits of the RTL's parameters, and of the core's.
void MhaParams::validate_file(Problems& problems, const std::string& prefix) const {
  const bool own_tags = kind == Kind::conventional || kind == Kind::set_associative;
  constexpr std::uint32_t kMostEntries = 512, kMostSlots = 64;
  if (own_tags && entries > kMostEntries)
    problems.add(prefix + ".file", fmt::format("{} entries; allowed: at most {}, or file: class",
                                               entries, kMostEntries));
  const auto check_slots = [&](const char* what, std::uint32_t number) {
    if (number > kMostSlots)
      problems.add(prefix + ".file", fmt::format("{} {}; allowed: at most {}, or file: class",
                                                 number, what, kMostSlots));
  };
  if (own_tags || shares_tags()) check_slots("slots", slots);
  if (kind == Kind::htsma) check_slots("small_slots", small_slots);
  const std::uint32_t sets = entries / associativity;
  if (kind == Kind::set_associative && entries % associativity == 0 && (sets & (sets - 1)) != 0)
    problems.add(prefix + ".file",
                 fmt::format("{} sets of entries; allowed: a power of two, or file: class", sets));
}

void MhaParams::validate(Problems& problems, const std::string& prefix) const {
  if (kind == Kind::set_associative && entries % associativity != 0)
    problems.add(prefix + ".associativity",
                 fmt::format("{} entries do not divide into sets of {}; allowed: a divisor of "
                             "entries",
                             entries, associativity));
  if (granularity == Granularity::sector && shares_tags())
    problems.add(prefix + ".granularity",
                 fmt::format("sector with {}.kind: {}, whose entries share the tags of lines; "
                             "allowed: line",
                             prefix, name_of(kind)));
  if (file != View::fast_class && added.empty()) validate_file(problems, prefix);
  if (kind != Kind::dl) return;
  if (entries * slots % slots_per_set != 0) {
    problems.add(
        prefix + ".slots_per_set",
        fmt::format("{} slots do not divide into sets of {}; allowed: a divisor of entries "
                    "x slots",
                    entries * slots, slots_per_set));
  } else if (dl_sets() > kMostDauSets) {
    problems.add(prefix + ".entries",
                 fmt::format("the DL pool would have {} sets; allowed: at most {}", dl_sets(),
                             kMostDauSets));
  }
}

}  // namespace warpmem::mha
