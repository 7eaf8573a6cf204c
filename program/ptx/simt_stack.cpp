// SPDX-License-Identifier: Apache-2.0
// Divergence by immediate post-dominator. The entry being executed is Warp::top; below it on
// Warp::stack lie the entries that wait. Two ways out of a branch become two entries whose `rpc` is
// the post-dominator, above one that continues there with all lanes. Lanes that have taken a lock
// each for itself meet later, behind the release (lane_locks.hpp), and so do those that return from
// a function with it: the entry of the caller then continues at that meeting, below those that are
// still in the function.
#include <algorithm>
#include <string>
#include <utility>

#include "program/ptx/module.hpp"
#include "program/ptx/warp.hpp"

namespace warpmem::program::ptx {
namespace {

/// Registers of the frame that the top entry belongs to.
void select_frame(Warp& w) {
  w.bank[0] = reinterpret_cast<std::uint8_t*>(w.frame().registers.data());
}

void pop(Warp& w) {
  const std::uint32_t depth = w.top.depth;
  if (w.stack.empty()) {
    w.top.lanes = 0;
    w.finished = true;
    --w.cta->live_warps;
    barrier_progress(*w.cta);
    return;
  }
  w.top = w.stack.back();
  w.stack.pop_back();
  if (w.top.depth != depth) select_frame(w);
}

void copy_rows(LaneMemory& from, std::uint32_t from_offset, LaneMemory& to, std::uint32_t to_offset,
               std::uint32_t bytes, LaneMask lanes) {
  // Variables of the parameter area begin on a row.
  for (std::uint32_t done = 0; done < bytes; done += LaneMemory::kRow) {
    const std::uint32_t n = bytes - done < LaneMemory::kRow ? bytes - done : LaneMemory::kRow;
    for (LaneMask m = lanes; m != 0; m &= m - 1) {
      const auto i = static_cast<unsigned>(__builtin_ctz(m));
      __builtin_memcpy(to.at(to_offset + done, i), from.at(from_offset + done, i), n);
    }
  }
}

}  // namespace

void settle(Warp& w) {
  while (!w.finished && (w.top.lanes == 0 || w.top.pc == w.top.rpc)) pop(w);
}

void diverge(Warp& w, const StackEntry* ways, std::size_t n, std::int32_t reconverge) {
  const std::uint32_t rpc = reconverge < 0 ? kNoPc : static_cast<std::uint32_t>(reconverge);
  const StackEntry here = w.top;
  if (n == 1) {
    w.top.pc = ways[0].pc;
    return settle(w);
  }
  // This is the entry that continues at the post-dominator; there is none when the top one already
  // waits for it.
  if (rpc != here.rpc && rpc != kNoPc) w.stack.push_back({rpc, here.rpc, here.lanes, here.depth});
  // Lanes that meet again nowhere before the function ends inherit what the top entry waits for.
  const std::uint32_t wait = rpc == kNoPc ? here.rpc : rpc;
  for (std::size_t i = 0; i < n; ++i)
    if (ways[i].pc != wait) w.stack.push_back({ways[i].pc, wait, ways[i].lanes, here.depth});
  w.top = w.stack.back();
  w.stack.pop_back();
  settle(w);
}

void branch(Warp& w, std::uint32_t target, LaneMask taken, std::int32_t reconverge,
            std::uint8_t option) {
  const LaneMask stay = w.top.lanes & ~taken;
  if (stay == 0) {
    w.top.pc = target;
  } else if (taken == 0) {
    ++w.top.pc;
  } else {
    StackEntry ways[2] = {{target, 0, taken, 0}, {w.top.pc + 1, 0, stay, 0}};
    if (option & kTakenFirst) std::swap(ways[0], ways[1]);
    if (option & kFirstReturns) {
      if (ways[0].pc != w.top.rpc)
        w.stack.push_back({ways[0].pc, w.top.rpc, ways[0].lanes, w.top.depth});
      w.top = {ways[1].pc, kNoPc, ways[1].lanes, w.top.depth};
      return;
    }
    return diverge(w, ways, 2, reconverge);
  }
  settle(w);
}

void exit_lanes(Warp& w, LaneMask leaving) {
  w.top.lanes &= ~leaving;
  for (auto& entry : w.stack) entry.lanes &= ~leaving;
  ++w.top.pc;  // the lanes that stay, when the exit was predicated
  settle(w);
}

void return_lanes(Warp& w, LaneMask returning) {
  const std::uint32_t depth = w.top.depth;
  if (depth == 0) return exit_lanes(w, returning);
  Frame& callee = *w.frames[depth];
  Frame& caller = *w.frames[callee.caller];
  const CallSite& site = w.cta->launch->program->calls[callee.call_site];
  for (const Transfer& t : site.results)
    copy_rows(callee.parameters, t.callee, caller.parameters, t.caller, t.bytes, returning);
  w.top.lanes &= ~returning;
  LaneMask others = w.top.lanes;
  auto entry = w.stack.rbegin();
  for (; entry->depth >= depth; ++entry) others |= entry->lanes &= ~returning;
  ++w.top.pc;
  const bool alone = others == 0 && entry->pc == callee.return_pc;
  if (!site.keeps_lock || alone) return settle(w);
  if (site.meeting != kNoPc) entry->pc = site.meeting;
  if (w.top.lanes != 0) w.stack.push_back(w.top);
  w.apart = true;
  w.top = {callee.return_pc, site.meeting, returning, callee.caller};
  select_frame(w);
  settle(w);
}

void enter(Warp& w, const Inst& in, LaneMask entering, std::uint32_t call_site) {
  const Program& program = *w.cta->launch->program;
  const CallSite& site = program.calls[call_site];
  const FrameLayout& layout = program.functions[site.function];
  std::uint32_t depth = w.top.depth + 1;
  if (w.apart)
    for (const StackEntry& entry : w.stack) depth = std::max(depth, entry.depth + 1);
  if (depth > kMaxCallDepth)
    fault(w, in, static_cast<unsigned>(__builtin_ctz(entering)),
          "calls nested more than " + std::to_string(kMaxCallDepth) + " deep, entering " +
              layout.name);
  if (w.frames.size() <= depth) w.frames.push_back(std::make_unique<Frame>());
  Frame& caller = *w.frames[w.top.depth];
  Frame& callee = *w.frames[depth];
  callee.function = site.function;
  callee.call_site = call_site;
  callee.caller = w.top.depth;
  callee.return_pc = w.top.pc + 1;
  callee.local_base =
      caller.local_base + (program.functions[caller.function].local_bytes + 15) / 16 * 16;
  callee.stack_bytes = caller.stack_bytes + layout.register_bytes +
                       std::uint64_t(layout.parameter_bytes) * kWarpLanes;
  if (callee.local_base + std::uint64_t(layout.local_bytes) > kMaxLocalBytes ||
      callee.stack_bytes > kMaxStackBytes)
    fault(w, in, static_cast<unsigned>(__builtin_ctz(entering)),
          "stack overflow, entering " + layout.name + " at call depth " + std::to_string(depth) +
              ": more than " + std::to_string(kMaxLocalBytes / 1024) +
              " KiB of local memory a thread, or " + std::to_string(kMaxStackBytes >> 20) +
              " MiB of registers and parameters a warp");
  const std::size_t lines =
      (layout.register_bytes + sizeof(ConstantLanes) - 1) / sizeof(ConstantLanes);
  if (callee.registers.size() < lines) callee.registers.resize(lines);
  callee.parameters.grow(layout.parameter_bytes);
  w.local.grow(callee.local_base + layout.local_bytes);
  for (const Transfer& t : site.arguments)
    copy_rows(caller.parameters, t.caller, callee.parameters, t.callee, t.bytes, entering);

  ++w.top.pc;
  // The caller's entry waits below, even where the call was its last instruction before `rpc`.
  w.stack.push_back(w.top);
  w.top = {layout.first_pc, kNoPc, entering, depth};
  select_frame(w);
}

}  // namespace warpmem::program::ptx
