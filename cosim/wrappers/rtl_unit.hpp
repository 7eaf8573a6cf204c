// SPDX-License-Identifier: Apache-2.0
// The ABI of a Verilated unit, for the wrappers that are compiled on demand.
#pragma once

#include <type_traits>

#include "cosim/wrappers/unit_abi.hpp"
#include "cosim/wrappers/verilated_top.hpp"

namespace warpmem::cosim {

/// Reads parts of a port, which is a plain integer up to 64 bits and an array of words beyond.
struct PortBits {
  template <class Port>
  std::uint64_t byte(const Port& port, unsigned lsb) const {
    return lsb < 64 ? std::uint64_t{port} >> lsb & 0xff : 0;
  }
  template <std::size_t kWords>
  std::uint64_t byte(const VlWide<kWords>& port, unsigned lsb) const {
    const unsigned at = lsb / 32;
    std::uint64_t bits = at < kWords ? port[at] : 0;
    if (at + 1 < kWords) bits |= std::uint64_t{port[at + 1]} << 32;
    return bits >> (lsb % 32) & 0xff;
  }
  template <class Port>
  std::uint32_t word(const Port& port, unsigned index) const {
    return static_cast<std::uint32_t>(std::uint64_t{port} >> 32 * index);
  }
  template <std::size_t kWords>
  std::uint32_t word(const VlWide<kWords>& port, unsigned index) const {
    return port[index];
  }
};

/// Returns the i-th word of a pin of more than 64 bits that carries a number of 32: the number
/// itself, and behind it others that follow from it, so that every bit has something to carry.
template <unsigned kWidth>
std::uint32_t wide_word(std::uint32_t number, unsigned i) {
  const std::uint32_t word = number * (2 * i + 1);
  return (i + 1) * 32 <= kWidth ? word : word & ((std::uint32_t{1} << kWidth % 32) - 1);
}

template <unsigned kWidth, class Pin, class Value>
void to_pin(Pin& pin, Value value) {
  if constexpr (std::is_integral_v<Pin>) {
    pin = value;
  } else {
    static_assert(sizeof(Value) == 4, "what a unit keeps of a request has 32 bits");
    for (unsigned i = 0; i * 32 < kWidth; ++i) pin[i] = wide_word<kWidth>(value, i);
  }
}

/// Gives the first 64 bits of a pin, with the sign of a field that has one. A number of 32 bits on
/// a wider pin is there only if all its words are.
template <unsigned kWidth, class Pin, class Value>
void from_pin(const Pin& pin, Value& value) {
  std::uint64_t bits = 0;
  if constexpr (std::is_integral_v<Pin>) {
    bits = pin;
  } else if constexpr (sizeof(Value) == 4) {
    bits = pin[0];
    for (unsigned i = 0; i * 32 < kWidth; ++i)
      if (pin[i] != wide_word<kWidth>(pin[0], i)) bits = ~pin[0];
  } else {
    bits = pin[0] | std::uint64_t{pin[1]} << 32;
  }
  if constexpr (std::is_signed_v<Value>) {
    value = static_cast<Value>(static_cast<std::int64_t>(bits << (64 - kWidth)) >> (64 - kWidth));
  } else {
    value = static_cast<Value>(bits);
  }
}

template <class Top, class Unit, void (*kDrive)(Top&, const typename Unit::In&),
          void (*kSample)(const Top&, typename Unit::Out&), class Reader>
const UnitAbi<Unit>* rtl_abi() {
  using Abi = UnitAbi<Unit>;
  using In = typename Abi::In;
  struct Instance {
    VerilatedTop<Top, In, kDrive> verilated;
    Reader reader;
  };
  static constexpr auto kOf = [](void* unit) -> Instance& { return *static_cast<Instance*>(unit); };
  static constexpr Abi kAbi = {
      []() -> void* { return new Instance(); },
      [](void* unit) { delete static_cast<Instance*>(unit); },
      [](void* unit) { kOf(unit).verilated.reset(); },
      [](void* unit, const In* in, typename Abi::Out* out) {
        kOf(unit).verilated.settle(*in);
        kSample(kOf(unit).verilated.top(), *out);
      },
      [](void* unit, const In* in) { kOf(unit).verilated.commit(*in); },
      [](void* unit, typename Abi::State* state) {
        *state = kOf(unit).reader.of_pins(kOf(unit).verilated.top(), PortBits());
      },
      []() -> const char* { return first_failure().empty() ? nullptr : first_failure().c_str(); },
      [](void* unit, const char* file) { return kOf(unit).verilated.open_waves(file); },
      [](void* unit, const char* file) { return kOf(unit).verilated.write_coverage(file); }};
  return &kAbi;
}

}  // namespace warpmem::cosim
