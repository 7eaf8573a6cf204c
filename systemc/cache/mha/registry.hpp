// SPDX-License-Identifier: Apache-2.0
// Makes a miss handler from its configuration. The views of hardware units that need tools
// (Verilated RTL, compiled SystemC) come from outside, through UnitFactories.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "base/added_kinds.hpp"
#include "base/clock_domain.hpp"
#include "cache/mha/dl/dau.hpp"
#include "cache/mha/miss_handler.hpp"
#include "cache/mha/mshr_file.hpp"
#include "cache/mha/params.hpp"
#include "cache/mha/tsma/index_generator.hpp"
#include "cache/mha/tsma/steering.hpp"

namespace warpmem::mha {

/// Makers of units in views other than the class. Each throws UserError when its view cannot be
/// built. An empty function means that only the class is available.
struct UnitFactories {
  std::function<std::unique_ptr<Dau>(View view, const DauSize& size)> dau;
  std::function<std::unique_ptr<IndexGenerator>(View view, std::uint32_t entries)> index_gen;
  std::function<std::unique_ptr<Steering>(View view, std::uint32_t ways)> steer;
  std::function<std::unique_ptr<MshrFile>(View view, const MshrSize& size)> file = {};
  FileEdges* file_edges = nullptr;  ///< clock edges of files are counted here, if anywhere
};

/// Miss handlers from outside the tree, made from what make_miss_handler() takes. They keep tags of
/// their own: shares_tags() is false.
using AddedMissHandlers =
    AddedKinds<MissHandler, const MhaParams&, const TagArray&, Allocate, const ClockDomain&>;
AddedMissHandlers& added_miss_handlers();

/// `tags`, `allocate` and `clock` are those of the cache that owns the handler; tags and clock must
/// outlive it. `sectors` is how many sectors, fetched apart, there are in what an entry tracks: 1
/// to
/// 8. Precondition: params.validate() finds nothing. Throws UserError when a view cannot be built.
std::unique_ptr<MissHandler> make_miss_handler(const MhaParams& params, const TagArray& tags,
                                               Allocate allocate, const ClockDomain& clock,
                                               const UnitFactories& units,
                                               std::uint32_t sectors = 1);

}  // namespace warpmem::mha
