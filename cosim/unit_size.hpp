// SPDX-License-Identifier: Apache-2.0
// Sizes of units as plain numbers, for what treats all units alike: made from and into the Size of
// a description (units/unit_fields.hpp).
#pragma once

#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include "cosim/unit_parameters.hpp"
#include "units/unit_fields.hpp"

namespace warpmem::cosim {

/// A size as the values of its fields, in order. A flag is 0 or 1, a choice its place in the list.
using SizeValues = std::vector<double>;

enum class SizeKind { number, share, flag, choice };

/// This is a field of a unit's size, and what it has now.
struct SizeEntry {
  units::SizeField field;
  SizeKind kind;
  double value;
};

template <class Value>
constexpr SizeKind size_kind() {
  if constexpr (std::is_same_v<Value, bool>) return SizeKind::flag;
  if constexpr (std::is_enum_v<Value>) return SizeKind::choice;
  return std::is_floating_point_v<Value> ? SizeKind::share : SizeKind::number;
}

/// Returns what stands in the RTL for such a value: shares are whole thousandths.
inline std::uint32_t parameter_value(SizeKind kind, double value) {
  return static_cast<std::uint32_t>(
      kind == SizeKind::share ? std::lround(value * units::kShareScale) : std::llround(value));
}

struct CollectEntries {
  std::vector<SizeEntry>& entries;

  template <class Value>
  void operator()(const units::SizeField& field, const Value& value) {
    entries.push_back({field, size_kind<Value>(), static_cast<double>(value)});
  }
  void operator()(const char*, std::uint32_t) {}
};

template <class Unit>
std::vector<SizeEntry> size_entries(const typename Unit::Size& size) {
  std::vector<SizeEntry> entries;
  Unit::sizes(CollectEntries{entries}, size);
  return entries;
}

template <class Unit>
SizeValues values_of(const typename Unit::Size& size) {
  SizeValues values;
  for (const SizeEntry& entry : size_entries<Unit>(size)) values.push_back(entry.value);
  return values;
}

struct StoreValues {
  const SizeValues& values;
  std::size_t next = 0;

  template <class Value>
  void operator()(const units::SizeField&, Value& value) {
    value = static_cast<Value>(values.at(next++));
  }
  void operator()(const char*, std::uint32_t) {}
};

template <class Unit>
typename Unit::Size size_of(const SizeValues& values) {
  auto size = Unit::kSizes[0];
  Unit::sizes(StoreValues{values}, size);
  return size;
}

struct CollectParameters {
  UnitParameters& parameters;

  template <class Value>
  void operator()(const units::SizeField& field, const Value& value) {
    parameters.emplace_back(field.parameter, parameter_value(size_kind<Value>(), double(value)));
  }
  void operator()(const char* parameter, std::uint32_t value) {
    parameters.emplace_back(parameter, value);
  }
};

/// Returns the parameters of the RTL, all of them, in its order.
template <class Unit>
UnitParameters parameters_of(const typename Unit::Size& size) {
  UnitParameters parameters;
  Unit::sizes(CollectParameters{parameters}, size);
  return parameters;
}

struct StoreParameters {
  const UnitParameters& parameters;

  template <class Value>
  void operator()(const units::SizeField& field, Value& value) {
    const std::uint32_t given = parameter(parameters, field.parameter);
    constexpr bool kShare = size_kind<Value>() == SizeKind::share;
    value = static_cast<Value>(kShare ? given / double{units::kShareScale} : given);
  }
  void operator()(const char*, std::uint32_t) {}
};

/// Throws UserError when a parameter is missing.
template <class Unit>
typename Unit::Size size_of(const UnitParameters& parameters) {
  auto size = Unit::kSizes[0];
  Unit::sizes(StoreParameters{parameters}, size);
  return size;
}

}  // namespace warpmem::cosim
