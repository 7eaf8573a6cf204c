// SPDX-License-Identifier: Apache-2.0
// The ABI of a Verilated unit, for the wrappers that are compiled on demand.
#pragma once

#include "cosim/wrappers/unit_abi.hpp"
#include "cosim/wrappers/verilated_top.hpp"

namespace warpmem::cosim {

/// Returns the words of a port, which is a plain integer up to 64 bits and an array beyond.
template <class T>
void port_words(const T& port, std::uint32_t* words) {
  words[0] = static_cast<std::uint32_t>(port);
  if (sizeof(T) > 4) words[1] = static_cast<std::uint32_t>(std::uint64_t{port} >> 32);
}
template <std::size_t kWords>
void port_words(const VlWide<kWords>& port, std::uint32_t* words) {
  for (std::size_t i = 0; i < kWords; ++i) words[i] = port[i];
}

/// Returns the ABI of a unit. `kState` fills in UnitAbi::state.
template <class Top, class In, class Out, void (*kDrive)(Top&, const In&),
          void (*kSample)(const Top&, Out&), void (*kState)(const Top&, std::uint32_t*) = nullptr>
const UnitAbi<In, Out>* rtl_abi() {
  using Unit = VerilatedTop<Top, In, kDrive>;
  static constexpr UnitAbi<In, Out> kAbi = {
      []() -> void* { return new Unit(); },
      [](void* unit) { delete static_cast<Unit*>(unit); },
      [](void* unit) { static_cast<Unit*>(unit)->reset(); },
      [](void* unit, const In* in, Out* out) {
        static_cast<Unit*>(unit)->settle(*in);
        kSample(static_cast<Unit*>(unit)->top(), *out);
      },
      [](void* unit, const In* in) { static_cast<Unit*>(unit)->commit(*in); },
      []() -> const char* { return first_failure().empty() ? nullptr : first_failure().c_str(); },
      [](void* unit, const char* file) { return static_cast<Unit*>(unit)->open_waves(file); },
      kState == nullptr
          ? nullptr
          : static_cast<void (*)(void*, std::uint32_t*)>([](void* unit, std::uint32_t* words) {
              if constexpr (kState != nullptr) kState(static_cast<Unit*>(unit)->top(), words);
            }),
      [](void* unit, const char* file) { return static_cast<Unit*>(unit)->write_coverage(file); }};
  return &kAbi;
}

}  // namespace warpmem::cosim
