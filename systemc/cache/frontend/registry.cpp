// SPDX-License-Identifier: Apache-2.0
#include "cache/frontend/registry.hpp"

#include "base/assert.hpp"
#include "cache/frontend/bank_queues.hpp"
#include "cache/frontend/cart.hpp"
#include "cache/frontend/fifo.hpp"
#include "cache/frontend/mrpb.hpp"
#include "cache/frontend/nonblocking.hpp"

namespace warpmem::cache {

AddedFrontends& added_frontends() {
  static AddedFrontends added;
  return added;
}

std::unique_ptr<Frontend> make_frontend(const FrontendParams& params, const FrontendSite& site,
                                        const FrontendFactories& units) {
  if (!params.added.empty()) return added_frontends().make(params.added, params, site);
  switch (params.kind) {
    case FrontendKind::fifo:
      return std::make_unique<Fifo>(site.in, site.line_bytes, site.arrival);
    case FrontendKind::nonblocking:
      return std::make_unique<Nonblocking>(params, site.in, site.line_bytes, site.arrival);
    case FrontendKind::bank_queues:
      return std::make_unique<BankQueues>(params, site.in, *site.map, site.line_bytes,
                                          site.arrival);
    case FrontendKind::cart:
      return std::make_unique<Cart>(params, site.in, *site.map, site.line_bytes, site.arrival,
                                    units);
    case FrontendKind::mrpb:
      return std::make_unique<Mrpb>(params.mrpb, site, units);
  }
  assert(false && "every kind has a front end");
  return nullptr;
}

}  // namespace warpmem::cache
