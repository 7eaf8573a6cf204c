// SPDX-License-Identifier: Apache-2.0

#include "base/assert.hpp"
#include "l1d/prefetch/mt_hwp.hpp"
#include "l1d/prefetch/pc_stride.hpp"
#include "l1d/prefetch/single_thread.hpp"

namespace warpmem::l1d {

std::unique_ptr<Prefetcher> make_prefetcher(const PrefetchParams& params) {
  switch (params.kind) {
    case PrefetchKind::pc_stride:
      return std::make_unique<PcStride>(params);
    case PrefetchKind::pcst:
    case PrefetchKind::itpc:
    case PrefetchKind::stpe:
      return std::make_unique<SingleThread>(params);
    case PrefetchKind::mt_hwp:
      return std::make_unique<MtHwp>(params);
    case PrefetchKind::none:
      break;
  }
  assert(false && "no prefetcher to make");
  return nullptr;
}

}  // namespace warpmem::l1d
