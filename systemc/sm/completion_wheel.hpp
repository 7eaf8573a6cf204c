// SPDX-License-Identifier: Apache-2.0
// Results of fixed-latency instructions on their way to the register file: a wheel with a list for
// each cycle, over a pool of nodes.
#pragma once

#include <cstdint>
#include <vector>

#include "base/assert.hpp"
#include "base/types.hpp"
#include "program/program.hpp"

namespace warpmem::sm {

class CompletionWheel {
 public:
  /// No result is due more than `longest` cycles after its instruction.
  explicit CompletionWheel(unsigned longest) : slots_(64) {
    while (slots_ <= longest) slots_ *= 2;
    used_.assign(slots_ / 64, 0);
    head_.assign(slots_, kNone);
  }

  /// The result of an instruction that issues at `now` is due `cycles` later, at least one.
  void add(Cycle now, unsigned cycles, unsigned warp, const program::InstInfo* inst) {
    assert(cycles >= 1 && cycles < slots_ && "a result is due within the wheel");
    std::uint32_t node = free_;
    if (node == kNone) {
      node = static_cast<std::uint32_t>(nodes_.size());
      nodes_.emplace_back();
    } else {
      free_ = nodes_[node].next;
    }
    const unsigned slot = (now + cycles) & (slots_ - 1);
    nodes_[node] = {inst, warp, head_[slot]};
    head_[slot] = node;
    used_[slot / 64] |= std::uint64_t(1) << (slot % 64);
    ++pending_;
  }

  /// Calls done(warp, inst) for every result that is due at `now`.
  template <class Done>
  void retire(Cycle now, Done&& done) {
    const unsigned slot = now & (slots_ - 1);
    if ((used_[slot / 64] >> slot % 64 & 1) == 0) return;
    std::uint32_t node = head_[slot];
    head_[slot] = kNone;
    used_[slot / 64] &= ~(std::uint64_t(1) << (slot % 64));
    while (node != kNone) {
      Node& n = nodes_[node];
      const std::uint32_t next = n.next;
      done(n.warp, *n.inst);
      n.next = free_;
      free_ = node;
      node = next;
      --pending_;
    }
  }

  /// Returns the next cycle after `now` in which a result is due, or kNever.
  Cycle next(Cycle now) const {
    if (pending_ == 0) return kNever;
    for (unsigned ahead = 1; ahead < slots_;) {
      const unsigned slot = (now + ahead) & (slots_ - 1);
      const std::uint64_t rest = used_[slot / 64] >> (slot % 64);
      if (rest != 0) return now + ahead + static_cast<unsigned>(__builtin_ctzll(rest));
      ahead += 64 - slot % 64;
    }
    assert(false && "a pending completion has a slot");
    return kNever;
  }
  bool empty() const { return pending_ == 0; }

 private:
  static constexpr std::uint32_t kNone = ~0u;
  struct Node {
    const program::InstInfo* inst = nullptr;
    unsigned warp = 0;
    std::uint32_t next = kNone;
  };
  std::vector<Node> nodes_;
  std::uint32_t free_ = kNone;
  unsigned pending_ = 0;
  unsigned slots_;                   // a power of two
  std::vector<std::uint64_t> used_;  // slots with a list
  std::vector<std::uint32_t> head_;
};

}  // namespace warpmem::sm
