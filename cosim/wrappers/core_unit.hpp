// SPDX-License-Identifier: Apache-2.0
// The ABI of a synthesizable core, for the wrappers that are compiled on demand.
#pragma once

#include "cosim/wrappers/unit_abi.hpp"

namespace warpmem::cosim {

/// Returns the ABI of a `Core`, which has eval(in), commit(in) and reset().
template <class Core, class Unit, class Reader>
const UnitAbi<Unit>* core_abi() {
  struct Instance {
    Core core;
    Reader reader;
  };
  using Abi = UnitAbi<Unit>;
  using In = typename Abi::In;
  static constexpr auto kOf = [](void* unit) -> Instance& { return *static_cast<Instance*>(unit); };
  static constexpr Abi kAbi = {
      []() -> void* { return new Instance(); },
      [](void* unit) { delete static_cast<Instance*>(unit); },
      [](void* unit) { kOf(unit).core.reset(); },
      [](void* unit, const In* in, typename Abi::Out* out) { *out = kOf(unit).core.eval(*in); },
      [](void* unit, const In* in) { kOf(unit).core.commit(*in); },
      [](void* unit, typename Abi::State* state) {
        *state = kOf(unit).reader.of_core(kOf(unit).core);
      },
      []() -> const char* { return nullptr; },
      [](void*, const char*) { return false; },
      [](void*, const char*) { return false; }};
  return &kAbi;
}

}  // namespace warpmem::cosim
