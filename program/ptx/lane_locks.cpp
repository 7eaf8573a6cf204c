// SPDX-License-Identifier: Apache-2.0
#include "program/ptx/lane_locks.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace warpmem::program::ptx {
namespace {

constexpr std::uint8_t kAddressSlot = 0;  ///< of atomics and stores (ops_memory.cpp)

bool begins(std::string_view text, std::string_view with) {
  return text.substr(0, with.size()) == with;
}

bool is_atomic(std::string_view opcode) { return begins(opcode, "atom."); }

bool tries_lock(std::string_view opcode) {
  return is_atomic(opcode) && (opcode.find(".cas") != std::string_view::npos ||
                               opcode.find(".exch") != std::string_view::npos);
}

bool may_release(std::string_view opcode) {
  return is_atomic(opcode) || begins(opcode, "red.") || begins(opcode, "st.");
}

/// Lanes meet at these by themselves, and not later. What a function does that is called is not
/// looked at.
bool needs_others(std::string_view opcode) {
  for (const char* with : {"bar.", "barrier.", "shfl.", "vote.", "match.", "redux.", "elect.",
                           "mma.", "wmma.", "ldmatrix.", "mbarrier.", "call"})
    if (begins(opcode, with)) return true;
  return false;
}

/// These may give another value each time, although their operands are the same.
bool may_change(std::string_view opcode) {
  for (const char* word : {".volatile", ".relaxed", ".acquire", ".mmio"})
    if (opcode.find(word) != std::string_view::npos) return true;
  return begins(opcode, "call");
}

class Finder {
 public:
  Finder(const LoweredFunction& f, const std::vector<FlowInst>& flow, const Cfg& cfg)
      : f_(f),
        flow_(flow),
        cfg_(cfg),
        reads_(f.code.size()),
        writes_(f.code.size()),
        guarded_(f.code.size()) {
    base_.resize(f.code.size(), -1);
    for (const RegisterUse& use : f.uses) {
      (use.def ? writes_ : reads_)[use.inst].push_back(use.reg);
      if (!use.def && use.slot == kAddressSlot) base_[use.inst] = use.reg;
      if (use.slot == RegisterUse::kGuardSlot) guarded_[use.inst] = true;
    }
  }

  std::vector<LaneLock> find() const {
    std::vector<Held> found;
    for (std::uint32_t b = 0; b < cfg_.blocks.size(); ++b) {
      const std::uint32_t last = cfg_.blocks[b].last;
      const std::int32_t leave = cfg_.reconvergence[b];
      if (flow_[last].flow != Flow::jump || !flow_[last].conditional || leave < 0) continue;
      const auto out = cfg_.block_of[static_cast<std::uint32_t>(leave)];
      const auto& ways = cfg_.blocks[b].successors;
      if (std::find(ways.begin(), ways.end(), out) == ways.end()) continue;
      const std::set<std::uint32_t> loop = between(b, out);
      if (loop.count(b) == 0) continue;
      const std::vector<std::uint32_t> tried = attempts(loop);
      if (tried.empty()) continue;
      Held held = until_release(out, tried);
      if (held.meeting < 0) continue;
      held.block = b;
      held.taken_leaves = flow_[last].targets[0] == cfg_.blocks[out].first;
      found.push_back(std::move(held));
    }
    return with_outer_meetings(found);
  }

 private:
  using Registers = std::vector<std::uint32_t>;

  /// What lanes do that have left a loop with a lock.
  struct Held {
    std::uint32_t block = 0;         ///< whose branch leaves the loop
    std::int64_t meeting = -1;       ///< instruction behind the release; -1: none
    bool released = false;           ///< all that was tried; else the meeting is behind a guess
    std::set<std::uint32_t> passed;  ///< blocks up to the meeting
    bool taken_leaves = false;
  };

  /// Returns the blocks that may be executed after `b` and before `out`.
  std::set<std::uint32_t> between(std::uint32_t b, std::uint32_t out) const {
    std::set<std::uint32_t> seen;
    std::vector<std::uint32_t> work(cfg_.blocks[b].successors);
    while (!work.empty()) {
      const std::uint32_t next = work.back();
      work.pop_back();
      if (next == out || !seen.insert(next).second) continue;
      work.insert(work.end(), cfg_.blocks[next].successors.begin(),
                  cfg_.blocks[next].successors.end());
    }
    return seen;
  }

  /// The instructions of a loop that write a register.
  using Writers = std::map<std::uint32_t, std::vector<std::uint32_t>>;

  /// Returns the attempts at locks of a loop: each round tries the same, and all else that changes
  /// memory gives back what was had while another one was not; empty: it is not such a loop.
  std::vector<std::uint32_t> attempts(const std::set<std::uint32_t>& loop) const {
    std::vector<std::uint32_t> tried, given_back;
    Writers writers;
    for (const std::uint32_t b : loop)
      for (std::uint32_t i = cfg_.blocks[b].first; i <= cfg_.blocks[b].last; ++i) {
        for (const std::uint32_t reg : writes_[i]) writers[reg].push_back(i);
        if (may_release(f_.spelling[i]))
          (tries_lock(f_.spelling[i]) ? tried : given_back).push_back(i);
      }
    for (const std::uint32_t at : tried)
      for (const std::uint32_t reg : reads_[at])
        if (reg == base_[at] ? !same_each_round(reg, at, writers) : writers.count(reg) != 0)
          return {};
    for (const std::uint32_t at : given_back)
      if (std::none_of(tried.begin(), tried.end(),
                       [&](std::uint32_t t) { return same_place(t, at); }))
        return {};
    return tried;
  }

  /// Has a register the same value at an instruction in each round? Compilers compute an address
  /// anew (`lock[bin[i]]`), since the attempt might have changed what it is loaded from.
  bool same_each_round(std::uint32_t reg, std::uint32_t at, const Writers& writers) const {
    const auto found = writers.find(reg);
    if (found == writers.end()) return true;
    const std::uint32_t from = found->second.front();
    if (found->second.size() != 1 || from >= at || cfg_.block_of[from] != cfg_.block_of[at] ||
        guarded_[from] || f_.reads_clock[from] || may_change(f_.spelling[from]))
      return false;
    return std::all_of(reads_[from].begin(), reads_[from].end(), [&](std::uint32_t source) {
      return same_each_round(source, from, writers);
    });
  }

  /// Do two instructions name the same place, as far as registers tell?
  bool same_place(std::uint32_t a, std::uint32_t b) const {
    return base_[a] == base_[b] && f_.code[a].imm == f_.code[b].imm;
  }

  /// Follows the lanes behind a loop, to where all is written to that they tried, or behind the
  /// last write before the lanes need each other.
  Held until_release(std::uint32_t block, std::vector<std::uint32_t> tried) const {
    Held held;
    const auto write = [&](std::uint32_t i, std::uint32_t behind) {
      held.meeting = behind;
      tried.erase(std::remove_if(tried.begin(), tried.end(),
                                 [&](std::uint32_t t) { return same_place(t, i); }),
                  tried.end());
      held.released = tried.empty();
    };
    std::set<std::uint32_t> again;  // the blocks of the attempts
    for (const std::uint32_t t : tried) again.insert(cfg_.block_of[t]);
    while (held.passed.insert(block).second) {
      const Block& here = cfg_.blocks[block];
      for (std::uint32_t i = here.first; i <= here.last; ++i) {
        if (needs_others(f_.spelling[i])) return held;
        if (may_release(f_.spelling[i]) && i + 1 != f_.code.size()) write(i, i + 1);
        if (held.released) {
          held.passed.erase(block);
          return held;
        }
      }
      if (cfg_.reconvergence[block] < 0) return held;
      const auto next = cfg_.block_of[static_cast<std::uint32_t>(cfg_.reconvergence[block])];
      const std::set<std::uint32_t> either = between(block, next);
      // Lanes that try once more give back on the way there, and the others do not.
      const bool tries_again = std::any_of(either.begin(), either.end(),
                                           [&](std::uint32_t b) { return again.count(b) != 0; });
      for (const std::uint32_t b : either)
        for (std::uint32_t i = cfg_.blocks[b].first; i <= cfg_.blocks[b].last; ++i) {
          if (needs_others(f_.spelling[i])) return held;
          if (may_release(f_.spelling[i]) && !tries_again) write(i, cfg_.blocks[next].first);
        }
      held.passed.insert(either.begin(), either.end());
      if (held.released) return held;
      block = next;
    }
    return held;
  }

  /// Lanes that take a second lock while they have one meet behind the release of the first: they
  /// must not wait with it for those that want it.
  std::vector<LaneLock> with_outer_meetings(std::vector<Held>& found) const {
    for (std::size_t round = 0; round < found.size(); ++round)
      for (const Held& outer : found)
        for (Held& inner : found)
          if (outer.released && inner.block != outer.block && outer.passed.count(inner.block) != 0)
            inner.meeting = outer.meeting;
    std::vector<LaneLock> locks;
    for (const Held& held : found)
      locks.push_back({cfg_.blocks[held.block].last, static_cast<std::int32_t>(held.meeting),
                       held.taken_leaves});
    return locks;
  }

  const LoweredFunction& f_;
  const std::vector<FlowInst>& flow_;
  const Cfg& cfg_;
  std::vector<Registers> reads_, writes_;  ///< registers by instruction
  std::vector<bool> guarded_;
  std::vector<std::int64_t> base_;  ///< register of the address, by instruction; -1: none
};

}  // namespace

std::vector<LaneLock> lane_locks(const LoweredFunction& f, const std::vector<FlowInst>& flow,
                                 const Cfg& cfg) {
  for (const std::string_view opcode : f.spelling)
    if (tries_lock(opcode)) return Finder(f, flow, cfg).find();
  return {};
}

}  // namespace warpmem::program::ptx
