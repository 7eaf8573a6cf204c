// SPDX-License-Identifier: Apache-2.0
// The lives of requests on a timeline. A request is drawn when it has been answered, from its
// stamps: as a whole among those of its SM, and each part of its time (sm/request_parts.hpp) where
// it was spent, at L1D, in the crossbar, at L2, in DRAM. A flow connects them.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/address_map.hpp"
#include "program/program.hpp"
#include "sm/request_parts.hpp"
#include "watch/canvas.hpp"
#include "watch/kernels.hpp"

namespace warpmem::watch {

class RequestTracks {
 public:
  /// The parents of the tracks. Those of SMs that are not drawn are 0.
  struct Groups {
    std::vector<TrackId> sms, slices, channels;
    TrackId crossbar = 0;
  };
  /// Draws one of `sample` requests of each SM. `translated`: a TLB stands before L1D.
  RequestTracks(Canvas& canvas, const Groups& groups, const AddressMap& map, bool translated,
                std::uint64_t sample);

  void begin_launch() { instructions_.clear(); }
  /// A request of SM `sm` has been answered at `now`.
  void answered(Packets& out, unsigned sm, const Kernels& kernels,
                const program::InstInfo& instruction, const Payload& payload, Femtoseconds now);

 private:
  struct OfSm {
    Lanes requests, coalescer, tlb, l1d, to_l2, from_l2;
    std::uint64_t answered = 0;
  };
  Lanes& lanes_of(sm::Part part, OfSm& sm, unsigned slice);
  NameId name_of(const program::Grid& grid, const program::InstInfo& instruction);
  NameId category_of(const program::InstInfo& instruction) const;

  Canvas& canvas_;
  const AddressMap& map_;
  bool translated_;
  std::uint64_t sample_;
  std::vector<std::unique_ptr<OfSm>> sms_;  // nullptr: not drawn
  std::vector<Lanes> slices_, channels_;
  std::uint64_t flows_ = 0;
  std::unordered_map<const program::InstInfo*, NameId> instructions_;  // of this launch

  struct Keys {
    NameId fs, pc, address, bytes, warp, cta, number, of, source;
    NameId load, store, atomic, bulk;
    std::array<NameId, sm::kParts> parts;
  } keys_{};
};

}  // namespace warpmem::watch
