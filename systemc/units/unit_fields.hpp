// SPDX-License-Identifier: Apache-2.0
// Ports and sizes of a unit as lists of fields, from which everything that treats all units alike
// is made: pins, wrappers, recordings, comparisons, options, parameters of the RTL.
//
// A struct of ports P has a type P::Size and
//   template <class V> static constexpr void fields(V&& v, const Size& size);
// which calls v("head_queue", &P::head_queue, 6) for each port: the name of the member, the member,
// and its width in bits. The RTL's pin is head_queue_i or head_queue_o; where its stem is another
// one, it follows as a fourth argument.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpmem::units {

/// This visits two structs of ports at once.
template <class Ports>
struct ComparePorts {
  const Ports& a;
  const Ports& b;
  bool equal = true;

  template <class Value>
  constexpr void operator()(const char*, Value Ports::*field, unsigned, const char* = nullptr) {
    equal = equal && a.*field == b.*field;
  }
};

template <class Ports, class Size = typename Ports::Size>
constexpr bool operator==(const Ports& a, const Ports& b) {
  ComparePorts<Ports> compare{a, b};
  Ports::fields(compare, Size());
  return compare.equal;
}
template <class Ports, class Size = typename Ports::Size>
constexpr bool operator!=(const Ports& a, const Ports& b) {
  return !(a == b);
}

/// This is one number of a unit's size. A unit has
///   template <class V, class S> static constexpr void sizes(V&& v, S& size);
/// which calls v(SizeField, member) for each, in the order of the RTL's parameters, and
/// v("MISS_BITS", value) for a parameter that follows from others. S is Size, const or not. The
/// member is a std::uint32_t, a double in thousandths, a bool, or an enumeration with `choices`.
struct SizeField {
  const char* parameter;         ///< its name in the RTL
  const char* key;               ///< its name in messages and JSON
  const char* option = nullptr;  ///< of `warpmem cosim`; one that sets false begins with --no-
  const char* text = nullptr;    ///< what it is; nullptr: neither an option nor shown
  std::uint32_t least = 0;       ///< smallest value, and
  std::uint32_t most = 0;        ///< the largest; 0: the unit's bench checks it
  const char* const* choices = nullptr;  ///< names of an enumeration's values, then nullptr
};

/// This is the resolution of sizes that are shares.
inline constexpr std::uint32_t kShareScale = 1000;

enum class ProofMethod : std::uint8_t {
  pdr,        ///< property-directed reachability (yosys-abc): for any number of cycles
  induction,  ///< k-induction (yosys-smtbmc, z3): for any number of cycles
  bounded,    ///< all input sequences of `depth` cycles from reset
};

/// This is a set of parameters at which the unit's properties are proved, and how.
struct UnitProof {
  const char* parameters;  ///< "SETS=4 SLOTS=2"; the others have their defaults
  bool quick = false;      ///< it takes below 20 s on one core and is part of the tests
  ProofMethod method = ProofMethod::pdr;
  unsigned depth = 0;  ///< k of an induction; cycles of a bounded check
  bool covers = true;  ///< also show that the `cover` statements can be reached, by a bounded check
                       ///< within its depth: a property of what no run reaches would hold emptily
  /// A bounded check of a dau begins with so many primary misses, and secondary ones until a set is
  /// linked; then any inputs come. 0: any inputs from the reset on.
  unsigned primed = 0;
};

// A state S that a unit shows has
//   template <class V> static void signals(V&& v, const Size& size);
// which calls v("set", 3, "next", 7, get) for each number of a waveform: its scope with a number,
// its name, its bits, and what returns it of a `const S&`; with 0 bits that is a text, a literal
// without blanks.

/// This is the state of a unit that shows none beyond its outputs.
struct NoState {
  template <class V, class Size>
  static void signals(V&&, const Size&) {}
};

/// This is what most units leave as it is. A unit's description derives from it.
struct UnitDefaults {
  /// Outputs that show the state: their stems, for what binds all pins.
  static constexpr const char* const kStatePins[] = {nullptr};
  using State = NoState;  ///< else units/NAME/NAME_state.hpp reads it from pins and registers
  static constexpr const char* kGroup = "";    ///< a name under which several units run together
  static constexpr const char* kViewKey = "";  ///< end of the keys that choose its view; "": none
  /// Of units with one key: value of the key `kind` beside it with which the unit is meant.
  static constexpr const char* kViewKind = "";
  /// Of units with one key and kind: the flag beside it that must be set; "": all of these are not.
  static constexpr const char* kViewFlag = "";
  /// With each output that means something only while another one is 1, that one: pairs of pins.
  static constexpr const char* const kValidWith[][2] = {{nullptr, nullptr}};
  static constexpr std::size_t kCounted = 0;  ///< lockstep counts lines and toggles at this size
};

}  // namespace warpmem::units
