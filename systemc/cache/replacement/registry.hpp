// SPDX-License-Identifier: Apache-2.0
// From configuration to replacement policy.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/added_kinds.hpp"
#include "base/params.hpp"
#include "cache/replacement/replacement.hpp"

namespace warpmem::cache {

enum class ReplacementKind : std::uint8_t { lru, plru, srrip, random };

struct ReplacementParams {
  ReplacementKind kind = ReplacementKind::lru;
  std::string added;  ///< an added kind, instead of `kind`; empty: none

  /// The key "replacement" of a cache's group.
  void describe(Schema& schema);
};

std::unique_ptr<Replacement> make_replacement(const ReplacementParams& params,
                                              const CacheShape& shape);

/// Policies from outside the tree.
using AddedReplacements = AddedKinds<Replacement, const CacheShape&>;
AddedReplacements& added_replacements();

}  // namespace warpmem::cache
