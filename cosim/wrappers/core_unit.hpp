// SPDX-License-Identifier: Apache-2.0
// The ABI of a synthesizable core, for the wrappers that are compiled on demand.
#pragma once

#include "cosim/wrappers/unit_abi.hpp"

namespace warpmem::cosim {

/// Returns the ABI of a `Core`, which has In, Out, eval(in), commit(in) and reset(). `kState` fills
/// in UnitAbi::state.
template <class Core, void (*kState)(const Core&, std::uint32_t*) = nullptr>
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
      [](void*, const char*) { return false; },
      kState == nullptr
          ? nullptr
          : static_cast<void (*)(void*, std::uint32_t*)>([](void* unit, std::uint32_t* words) {
              if constexpr (kState != nullptr) kState(*static_cast<Core*>(unit), words);
            }),
      [](void*, const char*) { return false; }};
  return &kAbi;
}

}  // namespace warpmem::cosim
