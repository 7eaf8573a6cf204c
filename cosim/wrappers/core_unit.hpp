// SPDX-License-Identifier: Apache-2.0
// The ABI of a synthesizable core, for the wrappers that are compiled on demand.
#pragma once

#include "cosim/wrappers/unit_abi.hpp"

namespace warpmem::cosim {

/// `Core` has In, Out, eval(in), commit(in), reset().
template <class Core>
const UnitAbi<typename Core::In, typename Core::Out>* core_abi() {
  using In = typename Core::In;
  using Out = typename Core::Out;
  static constexpr UnitAbi<In, Out> kAbi = {
      []() -> void* { return new Core(); },
      [](void* unit) { delete static_cast<Core*>(unit); },
      [](void* unit) { static_cast<Core*>(unit)->reset(); },
      [](void* unit, const In* in, Out* out) { *out = static_cast<Core*>(unit)->eval(*in); },
      [](void* unit, const In* in) { static_cast<Core*>(unit)->commit(*in); },
      []() -> const char* { return nullptr; },
      [](void*, const char*) { return false; }};
  return &kAbi;
}

}  // namespace warpmem::cosim
