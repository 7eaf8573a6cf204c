// SPDX-License-Identifier: Apache-2.0
#include "gpu/clusters.hpp"

#include <fmt/format.h>

#include "base/errors.hpp"

namespace warpmem::gpu {

std::optional<sm::ClusterPlaces> place_cluster(std::vector<sm::Resources>& left,
                                               const GpcOrder& order, unsigned gpc, unsigned turn,
                                               const sm::Resources& need, unsigned ctas) {
  const unsigned first = order.first(gpc), sms = order.sms(gpc);
  sm::ClusterPlaces places;
  places.ctas = ctas;
  unsigned placed = 0;
  for (unsigned refused = 0; placed < ctas && refused < sms; ++turn) {
    const unsigned port = turn % sms;
    if (!left[first + port].fits(need)) {
      ++refused;
      continue;
    }
    refused = 0;
    left[first + port] -= need;
    places.port[placed++] = static_cast<std::uint8_t>(port);
  }
  if (placed == ctas) return places;
  while (placed != 0) left[first + places.port[--placed]] += need;
  return std::nullopt;
}

void check_clusters(const program::KernelTraits& traits, const GpcOrder& order,
                    const sm::Resources& whole, const sm::Resources& need) {
  if (!traits.clustered()) return;
  const std::uint64_t ctas = traits.cluster.count();
  const std::string head =
      fmt::format("kernel {}: clusters of {} thread blocks", traits.name, ctas);
  if (order.gpcs() == 0)
    throw UserError(head + ", and this machine has no GPCs to run them in; set gpc.sms");
  const unsigned each = whole.times(need);
  if (std::uint64_t(each) * order.sms(0) >= ctas) return;
  const auto fills = [&](std::uint64_t there, std::uint64_t wanted) {
    return wanted != 0 && there / wanted == each;
  };
  const char* const key = fills(whole.ctas, need.ctas)     ? "sm.ctas"
                          : fills(whole.warps, need.warps) ? "sm.warps"
                          : fills(whole.registers, need.registers)
                              ? "sm.registers"
                              : "sm.shared_memory, or l1d.unified";
  throw UserError(head +
                  fmt::format(" do not fit: a GPC has {} SMs (gpc.sms), each with room for {} "
                              "such blocks ({})",
                              order.sms(0), each, key));
}

}  // namespace warpmem::gpu
