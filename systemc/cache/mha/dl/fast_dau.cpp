// SPDX-License-Identifier: Apache-2.0
#include "cache/mha/dl/fast_dau.hpp"

#include "base/assert.hpp"

namespace warpmem::mha {

std::uint32_t FastDau::SetBits::lowest(std::uint32_t from) const {
  std::uint64_t mask = ~std::uint64_t{0} << (from % 64);
  for (std::size_t w = from / 64; w < words_.size(); ++w) {
    const std::uint64_t word = words_[w] & mask;
    if (word != 0) return static_cast<std::uint32_t>(w * 64) + __builtin_ctzll(word);
    mask = ~std::uint64_t{0};
  }
  return kNone;
}

FastDau::FastDau(const DauSize& size)
    : size_(size),
      state_(size.sets),
      count_(size.sets),
      linked_(size.sets),
      next_(size.sets),
      peer_(size.sets),
      previous_(size.sets),
      free_(size.sets),
      failed_(size.sets) {
  assert(size.sets >= 1 && size.sets <= kMostDauSets && size.reserved <= size.sets);
  assert(size.slots == 1 || size.slots == 2 || size.slots == 4 || size.slots == 8);
  reset();
}

void FastDau::reset() {
  for (std::uint32_t i = 0; i < size_.sets; ++i) {
    state_[i] = DauState::s0;
    count_[i] = linked_[i] = 0;
    next_[i] = peer_[i] = 0;
    free_.set(i);
  }
  failed_.clear_all();
  n_failed_ = 0;
  n_free_ = size_.sets;
  n_linkable_ = size_.sets - size_.reserved;
  releasing_ = kNone;
}

DauOut FastDau::eval(const DauIn& in) const {
  DauOut out;
  out.n_free = n_free_;
  out.n_linkable = n_linkable_;
  out.release_busy = releasing_ != kNone;
  out.ret_ready = ret_ready();
  if (!in.req_secondary) {
    // Reserved sets have the lowest numbers, so they go first.
    out.req_ready = n_free_ != 0;
    if (out.req_ready) out.req_set = free_.lowest(0);
  } else if (merges(in)) {
    const std::uint32_t tail = peer_[in.req_head];
    out.req_link = full(tail) && n_linkable_ != 0;
    out.req_ready = !full(tail) || out.req_link;
    if (out.req_link) {
      out.req_set = free_.lowest(size_.reserved);
    } else if (out.req_ready) {
      out.req_set = tail;
      out.req_slot = count_[tail];
    }
  }
  out.rf = in.req_valid && !out.req_ready;
  return out;
}

DauOut FastDau::step(const DauIn& in) {
  const DauOut out = eval(in);
  commit_as(in, out);
  return out;
}

void FastDau::commit_as(const DauIn& in, const DauOut& out) {
  // Everything is decided by the state before the edge.
  const bool ret = ret_fires(in);
  const bool fails = out.rf && merges(in);
  const bool forget = n_failed_ != 0 && n_linkable_ != 0;

  if (in.req_valid && out.req_ready) accept(in, out);
  if (fails) refuse(peer_[in.req_head]);
  if (forget) {
    for (std::uint32_t i = failed_.lowest(0); n_failed_ != 0; i = failed_.lowest(i)) leave_fail(i);
  }
  if (releasing_ != kNone) free_one();
  if (ret) begin_release(in.ret_head);
}

void FastDau::accept(const DauIn& in, const DauOut& out) {
  const std::uint32_t set = out.req_set;
  if (!in.req_secondary) {
    take(set, true);
    peer_[set] = static_cast<std::uint16_t>(set);
  } else if (out.req_link) {
    const std::uint32_t tail = peer_[in.req_head];
    if (state_[tail] == DauState::s4 || state_[tail] == DauState::s9) leave_fail(tail);
    state_[tail] = state_[tail] == DauState::s2 ? DauState::s3 : DauState::s8;
    linked_[tail] = 1;
    next_[tail] = static_cast<std::uint16_t>(set);
    take(set, false);
    previous_[set] = static_cast<std::uint16_t>(tail);
    peer_[set] = static_cast<std::uint16_t>(in.req_head);
    peer_[in.req_head] = static_cast<std::uint16_t>(set);
  } else if (++count_[set] == size_.slots) {
    count_[set] = 0;
    state_[set] = state_[set] == DauState::s1 ? DauState::s2 : DauState::s7;
  }
}

void FastDau::take(std::uint32_t set, bool head) {
  const bool fills = size_.slots == 1;
  count_[set] = fills ? 0 : 1;
  if (head) {
    state_[set] = fills ? DauState::s2 : DauState::s1;
  } else {
    state_[set] = fills ? DauState::s7 : DauState::s6;
  }
  free_.clear(set);
  --n_free_;
  if (set >= size_.reserved) --n_linkable_;
}

void FastDau::refuse(std::uint32_t tail) {
  if (state_[tail] != DauState::s2 && state_[tail] != DauState::s7) return;  // it had failed before
  state_[tail] = state_[tail] == DauState::s2 ? DauState::s4 : DauState::s9;
  failed_.set(tail);
  ++n_failed_;
}

void FastDau::leave_fail(std::uint32_t set) {
  state_[set] = state_[set] == DauState::s4 ? DauState::s2 : DauState::s7;
  failed_.clear(set);
  --n_failed_;
}

void FastDau::free_one() {
  const std::uint32_t set = releasing_;
  releasing_ = is_attached(state_[set]) ? previous_[set] : kNone;
  state_[set] = DauState::s0;
  linked_[set] = 0;
  free_.set(set);
  ++n_free_;
  if (set >= size_.reserved) ++n_linkable_;
}

void FastDau::begin_release(std::uint32_t head) {
  releasing_ = peer_[head];
  if (state_[releasing_] == DauState::s4 || state_[releasing_] == DauState::s9)
    leave_fail(releasing_);
  for (std::uint32_t set = releasing_; set != head; set = previous_[set]) {
    state_[set] = DauState::s10;
    count_[set] = 0;
  }
  state_[head] = DauState::s5;
  count_[head] = 0;
}

}  // namespace warpmem::mha
