// SPDX-License-Identifier: Apache-2.0
// Makes a front end from its configuration.
#pragma once

#include <memory>

#include "base/added_kinds.hpp"
#include "base/address_map.hpp"
#include "cache/frontend/frontend.hpp"
#include "cache/frontend/params.hpp"
#include "cache/frontend/unit_factories.hpp"

namespace warpmem::cache {

/// What a front end needs to know of the cache that it stands before.
struct FrontendSite {
  ServicePort& in;  ///< the cache's link from the requesters
  std::uint32_t line_bytes = 0;
  Stage arrival;  ///< stage that requests reach when they become visible
  /// Gives DRAM banks, rows and columns, for bank_queues and cart.
  const AddressMap* map = nullptr;
  unsigned warps = 0;  ///< warps of the SM; mrpb needs this and the next
  unsigned ctas = 0;
};

/// Front ends from outside the tree.
using AddedFrontends = AddedKinds<Frontend, const FrontendParams&, const FrontendSite&>;
AddedFrontends& added_frontends();

/// Everything that `site` refers to must outlive the front end. Throws UserError when a view of a
/// unit cannot be built.
std::unique_ptr<Frontend> make_frontend(const FrontendParams& params, const FrontendSite& site,
                                        const FrontendFactories& units = {});

}  // namespace warpmem::cache
