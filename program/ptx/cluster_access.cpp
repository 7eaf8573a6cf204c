// SPDX-License-Identifier: Apache-2.0
#include "program/ptx/cluster_access.hpp"

#include <string>

namespace warpmem::program::ptx {

CtaState& peer(const Warp& w, const Inst& in, unsigned i, unsigned rank) {
  const ClusterState& cluster = *w.cta->cluster;
  const std::uint64_t ctas = w.cta->launch->traits.cluster.count();
  const std::string name = "CTA " + std::to_string(rank) + " of the cluster";
  if (rank >= ctas) fault(w, in, i, name + " does not exist: there are " + std::to_string(ctas));
  if (cluster.ctas[rank] == nullptr)
    fault(w, in, i,
          name + (cluster.started >> rank & 1
                      ? " has ended, and its shared memory with it"
                      : " need not have started; a barrier of the cluster would see to it"));
  return *cluster.ctas[rank];
}

Space split_cluster(Warp& w) {
  CtaState& c = *w.cta;
  const bool own = is_own_shared(w, c.address[static_cast<unsigned>(__builtin_ctz(w.lanes))]);
  LaneMask same = 0;
  for_lanes(w.lanes, [&](unsigned i) {
    const Addr a = c.address[i];
    if (is_own_shared(w, a) != own) return;
    same |= LaneMask(1) << i;
    c.address[i] = in_cluster(w, a);
  });
  w.replay = w.lanes & ~same;
  w.lanes = same;
  c.issue.lanes = same;
  return own ? Space::shared : Space::cluster;
}

void place_cluster(Warp& w, const Inst& in, unsigned bytes) {
  CtaState& c = *w.cta;
  for (auto& place : c.place) place = c.dummy.data();
  for_lanes(w.lanes, [&](unsigned i) {
    CtaState& other = peer(w, in, i, cluster_rank(c.address[i]));
    const Addr offset = cluster_offset(c.address[i]);
    const std::uint64_t size = other.shared.size();
    if (offset % bytes != 0 || bytes > size || offset > size - bytes) {
      c.address[i] = offset;
      fault_window(w, in, LaneMask(1) << i, bytes, Space::shared, size);
    }
    c.place[i] = other.shared.data() + offset;
  });
}

Space ClusterAccess::resolve(Warp& w, const Inst& in, unsigned bytes) {
  lane_addresses(w, in);
  const Space space = split_cluster(w);
  if (space == Space::shared)
    place_shared(w, in, bytes);
  else
    place_cluster(w, in, bytes);
  return space;
}

}  // namespace warpmem::program::ptx
