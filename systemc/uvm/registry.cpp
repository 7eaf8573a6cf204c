// SPDX-License-Identifier: Apache-2.0
#include "uvm/registry.hpp"

#include "base/assert.hpp"
#include "uvm/evict/nvidia.hpp"
#include "uvm/evict/random.hpp"
#include "uvm/evict/sequential.hpp"
#include "uvm/evict/tree.hpp"
#include "uvm/evict/ture.hpp"
#include "uvm/prefetch/cap.hpp"
#include "uvm/prefetch/none.hpp"
#include "uvm/prefetch/random.hpp"
#include "uvm/prefetch/sequential.hpp"
#include "uvm/prefetch/tree.hpp"

namespace warpmem::uvm {

std::unique_ptr<Prefetcher> make_prefetcher(const UvmParams& params, const Residency& memory) {
  const unsigned shift = params.page_shift();
  switch (params.prefetch) {
    case PrefetchKind::none:
      return std::make_unique<NoPrefetcher>();
    case PrefetchKind::random:
      return std::make_unique<RandomPrefetcher>(memory, shift, params.seed);
    case PrefetchKind::sequential:
      return std::make_unique<SequentialPrefetcher>(memory, shift);
    case PrefetchKind::tree:
      return std::make_unique<TreePrefetcher>(memory, shift);
    case PrefetchKind::cap:
      return std::make_unique<CapPrefetcher>(memory, shift, params.cap);
  }
  assert(false);
  return nullptr;
}

std::unique_ptr<Evictor> make_evictor(const UvmParams& params, const Residency& memory) {
  const unsigned shift = params.page_shift();
  switch (params.evict) {
    case EvictKind::random:
      // The seed differs from that of the random prefetcher.
      return std::make_unique<RandomEvictor>(memory, ~std::uint64_t(params.seed));
    case EvictKind::sequential:
      return std::make_unique<SequentialEvictor>(memory, shift);
    case EvictKind::nvidia:
      return std::make_unique<NvidiaEvictor>(memory, shift);
    case EvictKind::tree:
      return std::make_unique<TreeEvictor>(memory, shift);
    case EvictKind::ture:
      return std::make_unique<TureEvictor>(memory, shift, params.ture);
  }
  assert(false);
  return nullptr;
}

}  // namespace warpmem::uvm
