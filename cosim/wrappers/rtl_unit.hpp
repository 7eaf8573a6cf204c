// SPDX-License-Identifier: Apache-2.0
// The ABI of a Verilated unit, for the wrappers that are compiled on demand.
#pragma once

#include "cosim/wrappers/unit_abi.hpp"
#include "cosim/wrappers/verilated_top.hpp"

namespace warpmem::cosim {

template <class Top, class In, class Out, void (*kDrive)(Top&, const In&),
          void (*kSample)(const Top&, Out&)>
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
      [](void* unit, const char* file) { return static_cast<Unit*>(unit)->open_waves(file); }};
  return &kAbi;
}

}  // namespace warpmem::cosim
