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

#include "base/errors.hpp"

namespace warpmem {

enum class Unit : std::uint8_t { none, bytes, hertz, cycles, seconds, bytes_per_second };

/// One key of the configuration, bound to the field that holds its value.
struct Param {
  std::string name;  ///< full path, "l1d.mshr.entries"
  /// Reads the field as YAML text; writes it from YAML text and returns an error sentence (empty
  /// when all is well) that names what is allowed.
  std::function<std::string()> get;
  std::function<std::string(const std::string&)> set;
  std::string type;     ///< "integer", "size", "frequency", "bool", "real", "choice", "text"
  std::string allowed;  ///< range or list of values, for messages and the reference page
  std::string doc;
  std::string source;     ///< where the default comes from
  std::string condition;  ///< "l1d.mshr.kind: dl" when the key only has an effect then, else empty
  std::function<bool()> active;  ///< whether that condition holds
  std::vector<std::string> choices;  ///< for type "choice"
};

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
  /// Bytes; takes KiB, MiB, GiB.
  void size(std::string_view name, std::uint64_t& field, IntRange range, std::string_view doc,
            std::string_view source = "");
  /// Hertz; takes kHz, MHz, GHz.
  void frequency(std::string_view name, std::uint64_t& field, IntRange range, std::string_view doc,
                 std::string_view source = "");
  void text(std::string_view name, std::string& field, std::string_view doc,
            std::string_view source = "");
  /// An enum by names.
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

  /// Keys described inside `body` get the prefix "name.".
  void group(std::string_view name, std::string_view doc, const std::function<void()>& body);
  /// Keys described inside `body` have an effect only while `condition` holds, `text` says which
  /// ("l1d.mshr.kind: dl").
  void only_if(std::string text, std::function<bool()> condition, const std::function<void()>& body);

  std::vector<Param>& params() { return params_; }
  const std::vector<Param>& params() const { return params_; }

 private:
  void add_choice(std::string_view name, std::vector<std::string> names,
                  std::function<std::string()> get, std::function<void(const std::string&)> set,
                  std::string_view doc, std::string_view source);
  void add(Param param);

  std::vector<Param> params_;
  std::string prefix_;
  std::vector<std::pair<std::string, std::function<bool()>>> conditions_;
};

}  // namespace warpmem
