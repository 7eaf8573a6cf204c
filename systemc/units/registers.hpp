// SPDX-License-Identifier: Apache-2.0
// The registers of a core as one value, which the SC_MODULE around it keeps in a signal. A core C,
// and each struct in it, has
//   template <class V> static constexpr void registers(V&& v);
// which calls v("length", &C::length_) for each register.
#pragma once

#include <array>
#include <cstddef>
#include <ostream>
#include <type_traits>

namespace warpmem::units {

struct VisitNothing {
  template <class Member>
  constexpr void operator()(const char*, Member) {}
};

/// This is `Result`, for types with registers alone.
template <class T, class Result>
using WithRegisters =
    std::enable_if_t<std::is_void_v<decltype(T::registers(VisitNothing()))>, Result>;

template <class T>
struct CompareRegisters {
  const T& a;
  const T& b;
  bool equal = true;

  template <class Value>
  constexpr void operator()(const char*, Value T::*member) {
    equal = equal && a.*member == b.*member;
  }
};

template <class T>
constexpr WithRegisters<T, bool> operator==(const T& a, const T& b) {
  CompareRegisters<T> compare{a, b};
  T::registers(compare);
  return compare.equal;
}

template <class T>
WithRegisters<T, std::ostream&> operator<<(std::ostream& out, const T& value);

template <class T>
struct PrintRegisters {
  std::ostream& out;
  const T& value;

  template <class Value>
  void operator()(const char* name, Value T::*member) {
    out << ' ' << name << '=';
    print(value.*member);
  }
  template <class Value>
  void print(const Value& v) {
    if constexpr (std::is_arithmetic_v<Value> || std::is_enum_v<Value>) {
      out << static_cast<long long>(v);
    } else {
      out << v;
    }
  }
  template <class Value, std::size_t kSize>
  void print(const std::array<Value, kSize>& values) {
    for (std::size_t i = 0; i < kSize; ++i) {
      if (i != 0) out << ',';
      print(values[i]);
    }
  }
};

template <class T>
WithRegisters<T, std::ostream&> operator<<(std::ostream& out, const T& value) {
  T::registers(PrintRegisters<T>{out, value});
  return out;
}

}  // namespace warpmem::units
