// SPDX-License-Identifier: Apache-2.0
// How a parameter struct describes itself. A component's `Params` has one function
//
//   void describe(Schema& s);            // every key once: name, field, range, unit, doc, source
//   void validate(Problems& p) const;    // relations between keys
//
// and everything else follows from it: loading YAML, --set, --dump, --explain, the reference page.
// The default is the member initialiser of the field, and stands nowhere else.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/clock_time.hpp"
#include "base/errors.hpp"

namespace warpmem {

/// What has to hold for a key to have an effect.
struct ParamCondition {
  std::string text;             ///< "l1d.mshr.kind: dl"
  std::function<bool()> holds;  ///< never empty
  /// Setting the key in vain is a note and no error, on the command line too.
  bool only_noted = false;
};

/// One key of the configuration, bound to the field that holds its value.
struct Param {
  std::string name;  ///< full path, "l1d.mshr.entries"
  /// `get` returns the field as the text of a scalar, without quotes. `set` writes it from such
  /// text and returns "" (set(get()) changes nothing) or an error sentence that names what is
  /// allowed. A set() that fails leaves the field alone.
  std::function<std::string()> get;
  std::function<std::string(const std::string&)> set;
  std::string type;  ///< "integer", "size", "frequency", "bool", "real", "time", "choice", "text"
  std::string unit;  ///< "bytes", "Hz", "cycles", ..., from the type or the name; may be empty
  std::string allowed;  ///< range or list of values, for messages and the reference page
  std::string doc;
  std::string source;                      ///< where the default comes from
  std::vector<ParamCondition> conditions;  ///< the key has an effect when all of them hold
  std::vector<std::string> choices;        ///< for type "choice"

  bool active() const;
  /// The texts of the conditions ("l1d.enable: true and l1d.mshr.kind: dl"), or of those that do
  /// not hold now; empty when there are none.
  std::string condition() const;
  std::string missing_condition() const;
  /// Whether each condition that does not hold is only noted.
  bool in_vain_only_noted() const;
};

/// A group of keys: "l1d.mshr".
struct ParamGroup {
  std::string name;
  std::string doc;
};

/// A range of integers; both ends belong to it.
struct IntRange {
  std::uint64_t min;
  std::uint64_t max;
  bool power_of_two = false;
};
struct RealRange {
  double min;
  double max;
};

/// Collects the Params of a configuration; describe() functions call it.
class Schema {
 public:
  void flag(std::string_view name, bool& field, std::string_view doc, std::string_view source = "");
  void integer(std::string_view name, std::uint32_t& field, IntRange range, std::string_view doc,
               std::string_view source = "");
  void integer(std::string_view name, std::uint64_t& field, IntRange range, std::string_view doc,
               std::string_view source = "");
  void real(std::string_view name, double& field, RealRange range, std::string_view doc,
            std::string_view source = "");
  /// A size in bytes. It takes B, KiB, MiB, GiB, with decimals as long as the bytes come out whole.
  void size(std::string_view name, std::uint64_t& field, IntRange range, std::string_view doc,
            std::string_view source = "");
  /// A frequency. It takes Hz, kHz, MHz, GHz, with decimals as long as the hertz come out whole.
  void frequency(std::string_view name, std::uint64_t& field, IntRange range, std::string_view doc,
                 std::string_view source = "");
  /// A time between two events of a clock. It takes cycles, with or without the unit ck, or
  /// nanoseconds with the unit ns and decimals down to a picosecond. `range` holds for either.
  void time(std::string_view name, ClockTime& field, IntRange range, std::string_view doc,
            std::string_view source = "");
  void text(std::string_view name, std::string& field, std::string_view doc,
            std::string_view source = "");
  /// An enum whose values have names.
  template <class E>
  void choice(std::string_view name, E& field, std::vector<std::pair<std::string, E>> values,
              std::string_view doc, std::string_view source = "") {
    std::vector<std::string> names;
    for (const auto& v : values) names.push_back(v.first);
    E* const where = &field;
    add_choice(
        name, std::move(names),
        [where, values] {
          for (const auto& v : values)
            if (v.second == *where) return v.first;
          return std::string("?");
        },
        [where, values](const std::string& text) {
          for (const auto& v : values)
            if (v.first == text) *where = v.second;
        },
        doc, source);
  }

  /// An enum whose values have names, one of which takes a number: "NAME:N" sets `field` to
  /// `counted.value` and `counted.number` to N, within `counted.range`.
  template <class E>
  struct Counted {
    std::string name;
    E value;
    std::uint32_t& number;
    IntRange range;
  };
  template <class E>
  void choice(std::string_view name, E& field, std::vector<std::pair<std::string, E>> values,
              const Counted<E>& counted, std::string_view doc, std::string_view source = "") {
    choice(name, field, std::move(values), doc, source);
    E* const where = &field;
    add_counted(
        counted.name, counted.number, counted.range,
        [where, value = counted.value] { return *where == value; },
        [where, value = counted.value] { *where = value; });
  }

  /// Lets the choice described last also take the names of kinds that were added from outside: such
  /// a name goes to `added`, and `field` gets `instead`, whose conditions then hold; any other
  /// clears `added`.
  template <class E>
  void added(const std::vector<std::string>& names, std::string& added, E& field, E instead) {
    E* const where = &field;
    add_names(names, added, [where, instead] { *where = instead; });
  }

  /// Keys described inside `body` get the prefix "name.".
  void group(std::string_view name, std::string_view doc, const std::function<void()>& body);
  /// Keys described inside `body` have an effect only while `condition` holds; `text` says which
  /// condition that is ("l1d.mshr.kind: dl").
  void only_if(std::string text, std::function<bool()> condition,
               const std::function<void()>& body);

  /// Does the same for keys that make sense to set whatever the condition: a sweep varies them
  /// together with what the condition depends on. Setting one in vain is a note and no error, with
  /// --set too.
  void only_noted_if(std::string text, std::function<bool()> condition,
                     const std::function<void()>& body);

  /// Lets `name`, a full path, mean the key `key` (a full path) as well. It is read, but never
  /// written.
  void alias(std::string name, std::string key) {
    aliases_.emplace_back(std::move(name), std::move(key));
  }
  const std::vector<std::pair<std::string, std::string>>& aliases() const { return aliases_; }

  /// `path`, and what lies below it, belongs to somebody else who reads the same files: there such
  /// keys, unless they are described here, are noted with `why` ("has no effect: ...") instead of
  /// refused.
  void foreign(std::string path, std::string why) {
    foreign_.emplace_back(std::move(path), std::move(why));
  }
  /// Why a key that is not described here is left to somebody else, or nullptr.
  const std::string* why_foreign(std::string_view path) const;

  std::vector<Param>& params() { return params_; }
  const std::vector<Param>& params() const { return params_; }
  /// Groups in the order in which they were opened first.
  const std::vector<ParamGroup>& groups() const { return groups_; }
  /// Returns the key of that full path, or nullptr.
  Param* find(std::string_view name);
  const Param* find(std::string_view name) const;
  const ParamGroup* find_group(std::string_view name) const;

 private:
  void add_choice(std::string_view name, std::vector<std::string> names,
                  std::function<std::string()> get, std::function<void(const std::string&)> set,
                  std::string_view doc, std::string_view source);
  /// Lets the key added last also take "NAME:N".
  void add_counted(const std::string& name, std::uint32_t& number, IntRange range,
                   const std::function<bool()>& chosen, const std::function<void()>& choose);
  void add_names(const std::vector<std::string>& names, std::string& added,
                 std::function<void()> choose);
  void add(Param param);
  Param begin(std::string_view name, const char* type, std::string_view doc,
              std::string_view source) const;
  template <class T>
  void add_number(Param param, T& field, IntRange range);

  std::vector<Param> params_;
  std::vector<ParamGroup> groups_;
  std::vector<std::pair<std::string, std::string>> aliases_;
  std::vector<std::pair<std::string, std::string>> foreign_;
  std::string prefix_;
  std::vector<ParamCondition> conditions_;
};

}  // namespace warpmem
