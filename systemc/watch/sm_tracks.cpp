// SPDX-License-Identifier: Apache-2.0
#include "watch/sm_tracks.hpp"

#include <fmt/format.h>

namespace warpmem::watch {

namespace {

constexpr std::array<const char*, sm::kWarpStates> kWarpStateNames = {
    "none", "ready", "result", "memory", "barrier", "mbarrier", "drain"};
constexpr std::array<const char*, sm::kSmStates> kSmStateNames = {
    "idle", "issue", "memory", "result", "barrier", "lsu", "unit", "throttle", "drain", "bulk"};

}  // namespace

SmTracks::SmTracks(Canvas& canvas, TrackId group, unsigned number, gpu::Machine& machine,
                   const Kernels& kernels, RequestTracks& requests, Packets& out,
                   std::function<void()> drawn)
    : canvas_(canvas),
      number_(number),
      clock_(machine.memory().cpu_clock()),
      kernels_(kernels),
      requests_(requests),
      out_(out),
      drawn_(std::move(drawn)),
      state_track_(canvas.track(group, "cycles")),
      cta_tracks_(canvas, group, "CTAs"),
      warps_(machine.params().sm.warps),
      ctas_(machine.params().sm.ctas),
      warp_key_(canvas.name("warp state")),
      sm_key_(canvas.name("SM cycles")),
      cta_key_(canvas.name("cta")),
      pc_key_(canvas.name("pc")),
      source_key_(canvas.name("source")),
      cycles_key_(canvas.name("cycles")),
      cta_category_(canvas.name("CTA")) {
  const TrackId parent = canvas.track(group, "warps");
  for (unsigned slot = 0; slot < warps_.size(); ++slot)
    warp_tracks_.push_back(canvas.track(parent, fmt::format("warp slot {:02}", slot)));
  for (unsigned i = 0; i < sm::kWarpStates; ++i) warp_states_[i] = canvas.name(kWarpStateNames[i]);
  for (unsigned i = 0; i < sm::kSmStates; ++i) sm_states_[i] = canvas.name(kSmStateNames[i]);
}

void SmTracks::warp_is(unsigned slot, sm::WarpState state, const program::InstInfo* next) {
  Warp& warp = warps_[slot];
  if (warp.state == state && warp.next == next) return;
  const Femtoseconds now = simulation_now();
  draw_warp(slot, now);
  warp.state = state;
  warp.next = next;
  warp.since = now;
  if (next == nullptr) return;
  warp.pc = next->pc;
  warp.line = next->source_line;
}

void SmTracks::draw_warp(unsigned slot, Femtoseconds now) {
  const Warp& warp = warps_[slot];
  if (warp.state == sm::WarpState::none || warp.since == now || !canvas_.shows(warp.since, now))
    return;
  out_.slice(warp_tracks_[slot], warp_states_[static_cast<unsigned>(warp.state)], warp_key_,
             warp.since, now, {{pc_key_, warp.pc}, {source_key_, warp.line}});
}

void SmTracks::sm_is(sm::SmState state) {
  if (state == state_) return;
  const Femtoseconds now = simulation_now();
  if (state_ != sm::SmState::idle && canvas_.shows(since_, now))
    out_.slice(state_track_, sm_states_[static_cast<unsigned>(state_)], sm_key_, since_, now,
               {{cycles_key_, clock_.now() - since_cycle_}});
  state_ = state;
  since_ = now;
  since_cycle_ = clock_.now();
}

void SmTracks::cta_started(unsigned cta_slot, unsigned kernel, std::uint64_t index) {
  ctas_[cta_slot] = {true, kernel, index, simulation_now()};
}

void SmTracks::cta_ended(unsigned cta_slot) {
  Cta& cta = ctas_[cta_slot];
  const Femtoseconds now = simulation_now();
  cta.there = false;
  if (!canvas_.shows(cta.since, now)) return;
  const std::string& kernel = kernels_[cta.kernel].traits().name;
  out_.slice(cta_tracks_.at(out_, cta_slot), canvas_.name(kernel), cta_category_, cta.since, now,
             {{cta_key_, cta.index}});
}

void SmTracks::end() {
  for (unsigned slot = 0; slot < warps_.size(); ++slot) warp_is(slot, sm::WarpState::none, nullptr);
  sm_is(sm::SmState::idle);
  for (unsigned slot = 0; slot < ctas_.size(); ++slot)
    if (ctas_[slot].there) cta_ended(slot);
}

}  // namespace warpmem::watch
