// SPDX-License-Identifier: Apache-2.0
// Addresses of shared::cluster: those of the CTA's own shared memory, as shared::cta has them, and
// those that mapa makes, which hold a rank of the cluster above the offset.
#pragma once

#include "program/cluster.hpp"
#include "program/ptx/access.hpp"

namespace warpmem::program::ptx {

/// An address as mapa makes it: 1 + the rank above the offset, so that plain ones are the CTA's
/// own.
inline Addr mapped_address(unsigned rank, Addr offset) { return cluster_address(rank + 1, offset); }

/// Returns the rank that the address in shared::cluster is of.
inline unsigned rank_of_address(const Warp& w, Addr address) {
  const unsigned field = cluster_rank(address);
  return field == 0 ? w.cta->rank : field - 1;
}
inline bool is_own_shared(const Warp& w, Addr address) {
  return rank_of_address(w, address) == w.cta->rank;
}

/// Returns the offset in the CTA's own shared memory, or, of another's, the address in the cluster.
inline Addr in_cluster(const Warp& w, Addr address) {
  const unsigned rank = rank_of_address(w, address);
  return rank == w.cta->rank ? cluster_offset(address)
                             : cluster_address(rank, cluster_offset(address));
}

/// Returns the CTA of that rank, whose shared memory lane i accesses. Faults when it is not there.
CtaState& peer(const Warp& w, const Inst& in, unsigned i, unsigned rank);

/// Keeps those of the lanes that go to the CTA itself, with its own addresses, or those that go
/// to others, with those of cluster.hpp; the rest is replayed. Returns the space.
Space split_cluster(Warp& w);

struct ClusterAccess {
  static Space resolve(Warp& w, const Inst& in, unsigned bytes);
};

}  // namespace warpmem::program::ptx
