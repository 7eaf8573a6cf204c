// SPDX-License-Identifier: Apache-2.0
// An SM on a timeline: what its cycles count as, its CTAs, what each warp waits for, and the
// requests that it made.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "sm/watch.hpp"
#include "watch/canvas.hpp"
#include "watch/request_tracks.hpp"

namespace warpmem::watch {

class SmTracks : public sm::SmWatch {
 public:
  /// `out` takes the packets of all SMs, in the order of their ticks; `drawn` is called when there
  /// are more of them. Everything outlives this.
  SmTracks(Canvas& canvas, TrackId group, unsigned number, gpu::Machine& machine,
           const Kernels& kernels, RequestTracks& requests, Packets& out,
           std::function<void()> drawn);

  void warp_is(unsigned slot, sm::WarpState state, const program::InstInfo* next) override;
  void sm_is(sm::SmState state) override;
  void cta_started(unsigned cta_slot, unsigned kernel, std::uint64_t index) override;
  void cta_ended(unsigned cta_slot) override;
  void answered(const program::InstInfo& instruction, const Payload& payload) override {
    requests_.answered(out_, number_, kernels_, instruction, payload, simulation_now());
    drawn_();
  }
  /// Draws what has begun and not ended: the launch, or the simulation, is over.
  void end();

 private:
  struct Warp {
    sm::WarpState state = sm::WarpState::none;
    const program::InstInfo* next = nullptr;
    std::uint32_t pc = 0;
    std::uint32_t line = 0;
    Femtoseconds since = 0;
  };
  struct Cta {
    bool there = false;
    unsigned kernel = 0;
    std::uint64_t index = 0;
    Femtoseconds since = 0;
  };
  void draw_warp(unsigned slot, Femtoseconds now);

  Canvas& canvas_;
  unsigned number_;
  const ClockDomain& clock_;
  const Kernels& kernels_;
  RequestTracks& requests_;
  Packets& out_;
  std::function<void()> drawn_;
  TrackId state_track_;
  Lanes cta_tracks_;
  std::vector<TrackId> warp_tracks_;
  std::vector<Warp> warps_;
  std::vector<Cta> ctas_;
  sm::SmState state_ = sm::SmState::idle;
  Femtoseconds since_ = 0;
  Cycle since_cycle_ = 0;
  std::array<NameId, sm::kWarpStates> warp_states_{};
  std::array<NameId, sm::kSmStates> sm_states_{};
  NameId warp_key_, sm_key_, cta_key_, pc_key_, source_key_, cycles_key_, cta_category_;
};

}  // namespace warpmem::watch
