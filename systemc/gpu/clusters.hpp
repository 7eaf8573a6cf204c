// SPDX-License-Identifier: Apache-2.0
// Where the CTAs of a cluster go: all at once, and all to one GPC.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "program/program.hpp"
#include "sm/cluster_places.hpp"
#include "sm/resources.hpp"

namespace warpmem::gpu {

/// The SMs of a machine by GPC: those of a GPC have consecutive numbers.
class GpcOrder {
 public:
  /// `each`: SMs of a GPC, 0: there are none; the last GPC may have fewer.
  GpcOrder(unsigned sms, unsigned each) : sms_(sms), each_(each) {}

  unsigned gpcs() const { return each_ == 0 ? 0 : (sms_ + each_ - 1) / each_; }
  unsigned first(unsigned gpc) const { return gpc * each_; }
  unsigned sms(unsigned gpc) const { return std::min(each_, sms_ - first(gpc)); }

 private:
  unsigned sms_, each_;
};

/// Finds places for `ctas` CTAs in a GPC, and takes them of `left`, what each SM of the machine
/// has. The CTAs go to its SMs in turn, from number `turn` of them on, so that two share an SM only
/// when others have no room. Returns the number of each CTA's SM in the GPC by rank; nothing, and
/// takes nothing, where they have no room at the same time.
std::optional<sm::ClusterPlaces> place_cluster(std::vector<sm::Resources>& left,
                                               const GpcOrder& order, unsigned gpc, unsigned turn,
                                               const sm::Resources& need, unsigned ctas);

/// Throws UserError when clusters of the kernel can never run: there are no GPCs, or not even an
/// empty one has room. `whole`: what an empty SM has; `need`: what a CTA takes of it.
void check_clusters(const program::KernelTraits& traits, const GpcOrder& order,
                    const sm::Resources& whole, const sm::Resources& need);

}  // namespace warpmem::gpu
