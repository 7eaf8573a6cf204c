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

bool is_call(std::string_view opcode) { return begins(opcode, "call"); }

/// Arguments and results of calls are no memory that others see.
bool writes_memory(std::string_view opcode) {
  return is_atomic(opcode) || begins(opcode, "red.") ||
         (begins(opcode, "st.") && !begins(opcode, "st.param"));
}

/// Lanes meet at these by themselves, and not later.
bool is_for_all(std::string_view opcode) {
  for (const char* with : {"bar.", "barrier.", "shfl.", "vote.", "match.", "redux.", "elect.",
                           "mma.", "wmma.", "ldmatrix.", "mbarrier."})
    if (begins(opcode, with)) return true;
  return false;
}

/// These may give another value each time, although their operands are the same.
bool may_change(std::string_view opcode) {
  for (const char* word : {".volatile", ".relaxed", ".acquire", ".mmio"})
    if (opcode.find(word) != std::string_view::npos) return true;
  return begins(opcode, "call");
}

/// What a function does, with those that it calls.
struct Effects {
  bool needs_others = false;
  bool writes = false;
  bool tries = false;       ///< a lock, or so it may be
  bool keeps_lock = false;  ///< lanes return from it with a lock that they have taken there
};

class Finder {
 public:
  /// `effects`: by function of the program.
  Finder(const LinkedFunction& function, const Program& program,
         const std::vector<Effects>& effects)
      : f_(*function.code),
        flow_(*function.flow),
        cfg_(*function.cfg),
        program_(program),
        effects_(effects),
        reads_(f_.code.size()),
        writes_(f_.code.size()),
        guarded_(f_.code.size()) {
    base_.resize(f_.code.size(), -1);
    for (const RegisterUse& use : f_.uses) {
      (use.def ? writes_ : reads_)[use.inst].push_back(use.reg);
      if (!use.def && use.slot == kAddressSlot) base_[use.inst] = use.reg;
      if (use.slot == RegisterUse::kGuardSlot) guarded_[use.inst] = true;
    }
  }

  /// Nobody waits for lanes to return from a kernel.
  LaneLocks find(bool kernel) const {
    std::vector<Held> found;
    LaneLocks locks;
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
      Held held = until_release(cfg_.blocks[out].first, tried);
      held.taken_leaves = flow_[last].targets[0] == cfg_.blocks[out].first;
      if (held.meeting < 0 && held.returns && !kernel)
        locks.in_loops.push_back({last, -1, held.taken_leaves});
      if (held.meeting < 0) continue;
      held.block = b;
      found.push_back(std::move(held));
    }
    with_outer_meetings(found, locks.in_loops);
    for (std::uint32_t i = 0; i < f_.code.size(); ++i) {
      const Effects* const callee = called(i);
      if (callee == nullptr || !callee->keeps_lock) continue;
      const Held held = until_release(i + 1, {i});
      if (held.meeting >= 0 || (held.returns && !kernel))
        locks.at_calls.push_back({f_.code[i].aux, static_cast<std::int32_t>(held.meeting)});
    }
    return locks;
  }

  /// Returns what the function does by itself and by calls of those of which that is known.
  Effects effects() const {
    Effects all;
    for (std::uint32_t i = 0; i < f_.code.size(); ++i) {
      all.needs_others = all.needs_others || needs_others(i);
      all.writes = all.writes || may_release(i);
      all.tries = all.tries || tries(i);
    }
    return all;
  }

 private:
  using Registers = std::vector<std::uint32_t>;

  /// What lanes do that have left a loop with a lock.
  struct Held {
    std::uint32_t block = 0;         ///< whose branch leaves the loop
    std::int64_t meeting = -1;       ///< instruction behind the release; -1: none
    bool released = false;           ///< all that was tried; else the meeting is behind a guess
    bool returns = false;            ///< the function ends before lanes need each other
    std::set<std::uint32_t> passed;  ///< blocks up to the meeting
    bool taken_leaves = false;
  };

  /// Returns the effects of the function that an instruction calls; nullptr: it calls none that is
  /// known.
  const Effects* called(std::uint32_t i) const {
    if (!is_call(f_.spelling[i]) || f_.code[i].target < 0) return nullptr;
    const CallSite& site = program_.calls[f_.code[i].aux];
    return site.builtin == Builtin::none ? &effects_[site.function] : nullptr;
  }

  bool needs_others(std::uint32_t i) const {
    const Effects* const callee = called(i);
    // A call through a pointer may do anything; printf and assert need nobody.
    if (callee == nullptr)
      return is_for_all(f_.spelling[i]) || (is_call(f_.spelling[i]) && f_.code[i].target < 0);
    return callee->needs_others;
  }

  bool tries(std::uint32_t i) const {
    const Effects* const callee = called(i);
    return callee != nullptr ? callee->tries : tries_lock(f_.spelling[i]);
  }

  bool may_release(std::uint32_t i) const {
    const Effects* const callee = called(i);
    return callee != nullptr ? callee->writes : writes_memory(f_.spelling[i]);
  }

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
    std::vector<std::uint32_t> tried, given_back, arguments;
    Writers writers;
    for (const std::uint32_t b : loop)
      for (std::uint32_t i = cfg_.blocks[b].first; i <= cfg_.blocks[b].last; ++i) {
        for (const std::uint32_t reg : writes_[i]) writers[reg].push_back(i);
        if (may_release(i)) (tries(i) ? tried : given_back).push_back(i);
        if (begins(f_.spelling[i], "st.param")) arguments.push_back(i);
      }
    for (const std::uint32_t at : tried)
      for (const std::uint32_t reg : reads_[at])
        if (reg == base_[at] ? !same_each_round(reg, at, writers) : writers.count(reg) != 0)
          return {};
    const bool by_call = std::any_of(tried.begin(), tried.end(),
                                     [&](std::uint32_t t) { return is_call(f_.spelling[t]); });
    if (by_call)
      for (const std::uint32_t at : arguments)
        for (const std::uint32_t reg : reads_[at])
          if (!same_each_round(reg, at, writers)) return {};
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

  /// Follows the lanes from an instruction behind a loop or a call, to where all is written to that
  /// they tried, or behind the last write before the lanes need each other. What a call has tried
  /// has no place here, so that it is the last write.
  Held until_release(std::uint32_t from, std::vector<std::uint32_t> tried) const {
    Held held;
    const auto write = [&](std::uint32_t i, std::uint32_t behind) {
      held.meeting = behind;
      tried.erase(std::remove_if(tried.begin(), tried.end(),
                                 [&](std::uint32_t t) {
                                   return !is_call(f_.spelling[t]) && !is_call(f_.spelling[i]) &&
                                          same_place(t, i);
                                 }),
                  tried.end());
      held.released = tried.empty();
    };
    std::set<std::uint32_t> again;  // the blocks of the attempts
    for (const std::uint32_t t : tried) again.insert(cfg_.block_of[t]);
    const bool by_call = is_call(f_.spelling[tried.front()]);
    std::uint32_t block = cfg_.block_of[from];
    while (held.passed.insert(block).second) {
      const Block& here = cfg_.blocks[block];
      for (std::uint32_t i = std::max(here.first, from); i <= here.last; ++i) {
        if (needs_others(i)) return held;
        if (may_release(i) && i + 1 != f_.code.size()) write(i, i + 1);
        if (held.released) {
          held.passed.erase(block);
          return held;
        }
      }
      from = 0;
      held.returns = cfg_.reconvergence[block] < 0;
      if (held.returns) return held;
      const auto next = cfg_.block_of[static_cast<std::uint32_t>(cfg_.reconvergence[block])];
      const std::set<std::uint32_t> either = between(block, next);
      // Lanes that try once more give back on the way there, and the others do not.
      const bool tries_again = std::any_of(either.begin(), either.end(),
                                           [&](std::uint32_t b) { return again.count(b) != 0; });
      for (const std::uint32_t b : either)
        for (std::uint32_t i = cfg_.blocks[b].first; i <= cfg_.blocks[b].last; ++i) {
          if (needs_others(i)) return held;
          if (may_release(i) && !tries_again) write(i, cfg_.blocks[next].first);
        }
      held.passed.insert(either.begin(), either.end());
      // A loop that takes the lock in each round has given it back in the round.
      if (held.released || (by_call && tries_again && held.meeting >= 0)) return held;
      block = next;
    }
    return held;
  }

  /// Lanes that take a second lock while they have one meet behind the release of the first: they
  /// must not wait with it for those that want it.
  void with_outer_meetings(std::vector<Held>& found, std::vector<LaneLock>& locks) const {
    for (std::size_t round = 0; round < found.size(); ++round)
      for (const Held& outer : found)
        for (Held& inner : found)
          if (outer.released && inner.block != outer.block && outer.passed.count(inner.block) != 0)
            inner.meeting = outer.meeting;
    for (const Held& held : found)
      locks.push_back({cfg_.blocks[held.block].last, static_cast<std::int32_t>(held.meeting),
                       held.taken_leaves});
  }

  const LoweredFunction& f_;
  const std::vector<FlowInst>& flow_;
  const Cfg& cfg_;
  const Program& program_;
  const std::vector<Effects>& effects_;
  std::vector<Registers> reads_, writes_;  ///< registers by instruction
  std::vector<bool> guarded_;
  std::vector<std::int64_t> base_;  ///< register of the address, by instruction; -1: none
};

}  // namespace

std::vector<LaneLocks> lane_locks(const std::vector<LinkedFunction>& functions,
                                  const Program& program) {
  std::vector<LaneLocks> locks(functions.size());
  const bool any = std::any_of(functions.begin(), functions.end(), [](const LinkedFunction& f) {
    return std::any_of(f.code->spelling.begin(), f.code->spelling.end(), tries_lock);
  });
  if (!any) return locks;
  // What a function does is known once that of those that it calls is. Each round adds something.
  std::vector<Effects> effects(functions.size());
  std::vector<Finder> finders;
  for (const LinkedFunction& f : functions) finders.emplace_back(f, program, effects);
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = 0; i < functions.size(); ++i) {
      const Effects now = finders[i].effects();
      more = more || now.needs_others != effects[i].needs_others ||
             now.writes != effects[i].writes || now.tries != effects[i].tries;
      effects[i] = now;
    }
  }
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = 0; i < functions.size(); ++i) {
      locks[i] = finders[i].find(i == 0);
      const auto to_end = [](const auto& lock) { return lock.meeting < 0; };
      const bool keeps = std::any_of(locks[i].in_loops.begin(), locks[i].in_loops.end(), to_end) ||
                         std::any_of(locks[i].at_calls.begin(), locks[i].at_calls.end(), to_end);
      more = more || keeps != effects[i].keeps_lock;
      effects[i].keeps_lock = keeps;
    }
  }
  return locks;
}

}  // namespace warpmem::program::ptx
