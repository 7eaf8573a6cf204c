// SPDX-License-Identifier: Apache-2.0
#include "cache/replacement/registry.hpp"

#include "cache/replacement/added_policy.hpp"
#include "cache/replacement/lru.hpp"
#include "cache/replacement/random.hpp"
#include "cache/replacement/srrip.hpp"
#include "cache/replacement/tree_plru.hpp"

namespace warpmem::cache {

AddedReplacements& added_replacements() {
  static AddedReplacements added;
  return added;
}

void ReplacementParams::describe(Schema& s) {
  s.choice("replacement", kind,
           {{"lru", ReplacementKind::lru},
            {"plru", ReplacementKind::plru},
            {"srrip", ReplacementKind::srrip},
            {"random", ReplacementKind::random}},
           "which line a set gives up: lru the least recently used, plru the one that a tree of "
           "bits names, srrip by expected re-reference (Jaleel et al., ISCA 2010), random any",
           "mechanisms 1.2");
  s.added(added_replacements().names(), added, kind, ReplacementKind::lru);
}

std::unique_ptr<Replacement> make_replacement(const ReplacementParams& params,
                                              const CacheShape& shape) {
  if (!params.added.empty())
    return std::make_unique<AddedPolicy>(added_replacements().who(params.added),
                                         added_replacements().make(params.added, shape));
  switch (params.kind) {
    case ReplacementKind::lru:
      return std::make_unique<LeastRecentlyUsed>(shape);
    case ReplacementKind::plru:
      return std::make_unique<TreePlru>(shape);
    case ReplacementKind::srrip:
      return std::make_unique<Srrip>(shape);
    case ReplacementKind::random:
      return std::make_unique<RandomReplacement>(shape);
  }
  return nullptr;
}

}  // namespace warpmem::cache
