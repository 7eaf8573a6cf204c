// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/params.hpp"

namespace warpmem {

/// This is a machine in small: it has every type, two levels of groups, a condition, a relation.
struct Machine {
  enum class Kind { conventional, set_associative, dl, tsma, htsma };
  bool check_data = true;
  std::uint64_t clock = 1'400'000'000;
  std::string title;
  bool enable = true;
  std::uint64_t size = 16384;
  std::uint32_t ways = 4;
  Kind kind = Kind::conventional;
  std::uint32_t entries = 32;
  std::uint32_t slots_per_set = 2;
  double reserved = 0.5;
  Kind l2_kind = Kind::conventional;
  std::uint32_t l2_ways = 8;

  Schema schema;

  Machine() {
    const std::vector<std::pair<std::string, Kind>> kinds = {
        {"conventional", Kind::conventional},
        {"set_associative", Kind::set_associative},
        {"dl", Kind::dl},
        {"tsma", Kind::tsma},
        {"htsma", Kind::htsma}};
    Schema& s = schema;
    s.flag("check_data", check_data, "compare the memory images");
    s.group("l1d", "first-level data cache", [&] {
      s.flag("enable", enable, "use it", "chosen");
      s.size("size", size, {128, 1 << 20}, "capacity", "DL Table 2");
      s.integer("ways", ways, {1, 64}, "associativity", "DL Table 2");
      s.group("mshr", "miss handler", [&] {
        s.choice("kind", kind, kinds, "which miss handler", "mechanisms 2");
        s.integer("entries", entries, {1, 1024, true}, "entries");
        s.only_if(
            "l1d.mshr.kind: dl", [&] { return kind == Kind::dl; },
            [&] {
              s.integer("slots_per_set", slots_per_set, {1, 8, true}, "slots of a set", "DL 3.2");
              s.real("reserved_fraction", reserved, {0, 1}, "share of sets for primary misses");
            });
      });
    });
    s.group("l2", "second-level cache", [&] {
      s.integer("ways", l2_ways, {1, 64}, "associativity");
      s.group("mshr", "miss handler", [&] { s.choice("kind", l2_kind, kinds, "which one"); });
    });
    s.group("sm", "multiprocessor", [&] {
      s.frequency("clock", clock, {1000, 10'000'000'000}, "clock");
    });
    s.text("title", title, "printed on the report");
  }

  void validate(Problems& problems) const {
    if (size % (128 * std::uint64_t{ways}) != 0)
      problems.add("l1d.size", std::to_string(size) + " is no multiple of " + std::to_string(ways) +
                                   " ways of 128 B");
    if (entries > 512 && kind == Kind::tsma) problems.add("l1d", "no room");
  }
};

}  // namespace warpmem
