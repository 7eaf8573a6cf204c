// SPDX-License-Identifier: Apache-2.0
// Parts of the machine that come from outside the tree, chosen by name in the configuration. A
// program that links the simulator adds them to parts() before it reads a configuration; for
// `warpmem` and CUDA programs a plugin does, a shared object whose one source file says
//
//   WARPMEM_PLUGIN(parts) {
//     parts.replacements.add("mine", [](const warpmem::cache::CacheShape& shape) {
//       return std::make_unique<Mine>(shape);
//     });
//   }
//
// and that the environment variable WARPMEM_PLUGINS names (docs/extending.md).
#pragma once

#include "base/version.hpp"
#include "cache/frontend/registry.hpp"
#include "cache/mha/registry.hpp"
#include "cache/replacement/registry.hpp"
#include "dram/scheduler.hpp"
#include "gpu/header_hash.hpp"
#include "sm/scheduler/scheduler.hpp"

namespace warpmem {

/// One list for each sort of part; keys of the configuration in brackets.
struct Parts {
  cache::AddedReplacements& replacements;  ///< l1d.replacement, l2.replacement
  mha::AddedMissHandlers& miss_handlers;   ///< l1d.mshr.kind, l2.mshr.kind
  cache::AddedFrontends& frontends;        ///< l1d.frontend.kind, l2.frontend.kind
  sm::AddedSchedulers& schedulers;         ///< sm.scheduler.policy
  dram::AddedSchedulers& dram_schedulers;  ///< dram.policy
};

/// Those of this program.
inline Parts parts() {
  return {cache::added_replacements(), mha::added_miss_handlers(), cache::added_frontends(),
          sm::added_schedulers(), dram::added_schedulers()};
}

}  // namespace warpmem

/// Begins the function that adds a plugin's parts. A plugin works with the build of warpmem whose
/// headers it was compiled with: objects that it shares with another one may lie differently.
#define WARPMEM_PLUGIN(parts)                                                 \
  extern "C" const char* const warpmem_plugin_version = warpmem::kVersion;    \
  extern "C" const char* const warpmem_plugin_headers = warpmem::kHeaderHash; \
  extern "C" void warpmem_add_parts(const warpmem::Parts& parts)
