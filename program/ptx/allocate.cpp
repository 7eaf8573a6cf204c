// SPDX-License-Identifier: Apache-2.0
#include "program/ptx/allocate.hpp"

#include <algorithm>
#include <limits>

namespace warpmem::program::ptx {
namespace {

class BitSet {
 public:
  explicit BitSet(std::size_t n) : words_((n + 63) / 64) {}
  bool test(std::size_t i) const { return words_[i / 64] >> (i % 64) & 1; }
  void set(std::size_t i) { words_[i / 64] |= std::uint64_t(1) << (i % 64); }
  void clear(std::size_t i) { words_[i / 64] &= ~(std::uint64_t(1) << (i % 64)); }
  bool merge(const BitSet& o) {
    std::uint64_t changed = 0;
    for (std::size_t k = 0; k < words_.size(); ++k) {
      changed |= o.words_[k] & ~words_[k];
      words_[k] |= o.words_[k];
    }
    return changed != 0;
  }
  template <class F>
  void each(F&& f) const {
    for (std::size_t k = 0; k < words_.size(); ++k)
      for (std::uint64_t w = words_[k]; w != 0; w &= w - 1)
        f(k * 64 + static_cast<std::size_t>(__builtin_ctzll(w)));
  }

 private:
  std::vector<std::uint64_t> words_;
};

/// Returns the first use of each instruction in LoweredFunction::uses, and one past the last.
std::vector<std::uint32_t> use_ranges(const LoweredFunction& f) {
  std::vector<std::uint32_t> begin(f.code.size() + 1, 0);
  for (const auto& u : f.uses) ++begin[u.inst + 1];
  for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
  return begin;
}

unsigned words_of(Type t) {
  switch (reg_class(t)) {
    case RegClass::wide:
      return 2;
    case RegClass::word:
      return 1;
    default:
      return 0;
  }
}

struct Interval {
  std::uint32_t begin = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t end = 0;
  void cover(std::uint32_t at) {
    begin = std::min(begin, at);
    end = std::max(end, at);
  }
};

class Liveness {
 public:
  Liveness(const LoweredFunction& f, const Cfg& cfg)
      : f_(f),
        cfg_(cfg),
        begin_(use_ranges(f)),
        live_in_(cfg.blocks.size(), BitSet(f.registers.size())) {
    solve();
  }

  /// Returns the interval of each register; sets the most words that are live at a time, and
  /// `unread` of the instructions that write only what nothing reads.
  std::vector<Interval> intervals(std::uint32_t& most_words, std::vector<bool>& unread) const {
    std::vector<Interval> result(f_.registers.size());
    most_words = 0;
    unread.assign(f_.code.size(), false);
    for (std::size_t b = cfg_.blocks.size(); b-- > 0;) {
      const Block& block = cfg_.blocks[b];
      BitSet live = live_out(b);
      std::uint32_t words = 0;
      live.each([&](std::size_t r) {
        result[r].cover(block.last);
        words += words_of(f_.registers[r]);
      });
      // A register that a block passes through is live at both ends; in between it is covered.
      for (std::uint32_t i = block.last + 1; i-- > block.first;) {
        std::uint32_t dead_defs = 0;
        bool read = false, writes = false;
        for (std::uint32_t u = begin_[i]; u < begin_[i + 1]; ++u) {
          const auto& use = f_.uses[u];
          result[use.reg].cover(i);
          if (!use.def) continue;
          writes = true;
          if (live.test(use.reg)) {
            read = true;
          } else {
            dead_defs += words_of(f_.registers[use.reg]);
          }
        }
        unread[i] = writes && !read;
        most_words = std::max(most_words, words + dead_defs);
        step(live, i, words);
        most_words = std::max(most_words, words);
      }
      live.each([&](std::size_t r) { result[r].cover(block.first); });
    }
    return result;
  }

 private:
  /// Goes from after instruction i to before it.
  void step(BitSet& live, std::uint32_t i, std::uint32_t& words) const {
    const bool whole = f_.code[i].guard == kNoRef;  // a guarded write keeps the other lanes' value
    for (std::uint32_t u = begin_[i]; u < begin_[i + 1]; ++u) {
      const auto& use = f_.uses[u];
      if (use.def && whole && live.test(use.reg)) {
        live.clear(use.reg);
        words -= words_of(f_.registers[use.reg]);
      }
    }
    for (std::uint32_t u = begin_[i]; u < begin_[i + 1]; ++u) {
      const auto& use = f_.uses[u];
      if (!use.def && !live.test(use.reg)) {
        live.set(use.reg);
        words += words_of(f_.registers[use.reg]);
      }
    }
  }

  BitSet live_out(std::size_t b) const {
    BitSet live(f_.registers.size());
    for (const auto s : cfg_.blocks[b].successors) live.merge(live_in_[s]);
    return live;
  }

  void solve() {
    std::vector<std::vector<std::uint32_t>> predecessors(cfg_.blocks.size());
    for (std::uint32_t b = 0; b < cfg_.blocks.size(); ++b)
      for (const auto s : cfg_.blocks[b].successors) predecessors[s].push_back(b);
    std::vector<std::uint32_t> work;
    std::vector<bool> queued(cfg_.blocks.size(), true);
    for (std::uint32_t b = 0; b < cfg_.blocks.size(); ++b) work.push_back(b);
    while (!work.empty()) {
      const auto b = work.back();
      work.pop_back();
      queued[b] = false;
      BitSet live = live_out(b);
      std::uint32_t words = 0;
      for (std::uint32_t i = cfg_.blocks[b].last + 1; i-- > cfg_.blocks[b].first;)
        step(live, i, words);
      if (!live_in_[b].merge(live)) continue;
      for (const auto p : predecessors[b])
        if (!queued[p]) {
          queued[p] = true;
          work.push_back(p);
        }
    }
  }

  const LoweredFunction& f_;
  const Cfg& cfg_;
  std::vector<std::uint32_t> begin_;
  std::vector<BitSet> live_in_;
};

}  // namespace

Allocation allocate_registers(const LoweredFunction& f, const Cfg& cfg) {
  Allocation result;
  const std::size_t n = f.registers.size();
  const auto intervals = Liveness(f, cfg).intervals(result.live_registers, result.unread);

  // This is a linear scan by class. Two registers share a place when their intervals do not
  // overlap; an interval that ends where another begins does (the instruction reads before it
  // writes), except that vector results are written one by one: so only strictly later beginnings
  // reuse.
  std::vector<std::uint32_t> by_begin;
  for (std::uint32_t r = 0; r < n; ++r)
    if (intervals[r].begin <= intervals[r].end) by_begin.push_back(r);
  std::sort(by_begin.begin(), by_begin.end(), [&](std::uint32_t a, std::uint32_t b) {
    return intervals[a].begin != intervals[b].begin ? intervals[a].begin < intervals[b].begin
                                                    : a < b;
  });
  std::vector<std::uint32_t> slot(n, 0);
  std::uint32_t slots[3] = {0, 0, 0};
  std::vector<std::uint32_t> free_slots[3];
  std::vector<std::pair<std::uint32_t, std::uint32_t>> active;  // heap by end, earliest first
  const auto later = [](const auto& a, const auto& b) { return a > b; };
  for (const auto r : by_begin) {
    while (!active.empty() && active.front().first < intervals[r].begin) {
      std::pop_heap(active.begin(), active.end(), later);
      const auto old = active.back().second;
      active.pop_back();
      free_slots[static_cast<unsigned>(reg_class(f.registers[old]))].push_back(slot[old]);
    }
    const auto c = static_cast<unsigned>(reg_class(f.registers[r]));
    if (free_slots[c].empty()) {
      slot[r] = slots[c]++;
    } else {
      slot[r] = free_slots[c].back();
      free_slots[c].pop_back();
    }
    active.emplace_back(intervals[r].end, r);
    std::push_heap(active.begin(), active.end(), later);
  }

  constexpr std::uint32_t kWord = 4 * kWarpLanes, kWide = 8 * kWarpLanes;
  const auto word = static_cast<unsigned>(RegClass::word),
             wide = static_cast<unsigned>(RegClass::wide),
             predicate = static_cast<unsigned>(RegClass::predicate);
  const std::uint32_t words_at = slots[wide] * kWide;
  const std::uint32_t predicates_at = words_at + slots[word] * kWord;
  result.frame_bytes = predicates_at + slots[predicate] * 4;
  result.scoreboard_registers = slots[wide] + slots[word] + slots[predicate];
  result.place.assign(n, 0);
  result.number.assign(n, 0);
  for (const auto r : by_begin) {
    const auto c = static_cast<unsigned>(reg_class(f.registers[r]));
    std::uint32_t number = slot[r];
    if (c == wide) {
      result.place[r] = slot[r] * kWide;
    } else if (c == word) {
      result.place[r] = words_at + slot[r] * kWord;
      number += slots[wide];
    } else {
      result.place[r] = predicates_at + slot[r] * 4;
      number += slots[wide] + slots[word];
    }
    result.number[r] = static_cast<std::uint16_t>(std::min<std::uint32_t>(number, 0xffff));
  }
  return result;
}

}  // namespace warpmem::program::ptx
