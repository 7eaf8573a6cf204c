// SPDX-License-Identifier: Apache-2.0
#include "mha/dl/fast_dau.hpp"

#include <cassert>

namespace warpmem::mha {

namespace {

void set_bit(std::vector<std::uint64_t>& bits, std::uint32_t i) {
  bits[i / 64] |= std::uint64_t(1) << (i % 64);
}
void clear_bit(std::vector<std::uint64_t>& bits, std::uint32_t i) {
  bits[i / 64] &= ~(std::uint64_t(1) << (i % 64));
}
bool is_head(DauState s) { return s >= DauState::s1 && s <= DauState::s4; }

}  // namespace

FastDau::FastDau(unsigned sets, unsigned slots, unsigned reserved)
    : slots_(slots),
      reserved_(reserved),
      set_(sets),
      free_((sets + 63) / 64, 0),
      refused_((sets + 63) / 64, 0),
      n_free_(sets),
      n_linkable_(sets - reserved) {
  assert(sets >= 1 && slots >= 1 && reserved <= sets);
  for (std::uint32_t i = 0; i < sets; ++i) set_bit(free_, i);
}

bool FastDau::active_head(std::uint32_t set) const {
  return set < set_.size() && is_head(set_[set].state);
}

// Releases are serialised; the next may be accepted in the cycle in which the last head goes.
bool FastDau::accepts_ret(const DauIn& in) const {
  const bool ready = releasing_ == kNone || set_[releasing_].previous == kNone;
  return ready && in.ret_valid && active_head(in.ret_head);
}

std::uint32_t FastDau::lowest_free(unsigned from) const {
  for (unsigned w = from / 64; w < free_.size(); ++w) {
    std::uint64_t word = free_[w];
    if (w == from / 64) word &= ~std::uint64_t(0) << (from % 64);
    if (word != 0) return w * 64 + static_cast<std::uint32_t>(__builtin_ctzll(word));
  }
  return kNone;
}

DauOut FastDau::eval(const DauIn& in) const {
  DauOut out;
  out.n_free = n_free_;
  out.n_linkable = n_linkable_;
  out.ret_ready = releasing_ == kNone || set_[releasing_].previous == kNone;
  if (!in.req_valid) return out;
  if (!in.req_secondary) {
    // Reserved sets have the low numbers, so the lowest free set is a reserved one if there is one.
    if (n_free_ != 0) {
      out.req_ready = true;
      out.req_set = lowest_free(0);
    }
  } else if (active_head(in.req_head) && !(accepts_ret(in) && in.ret_head == in.req_head)) {
    const std::uint32_t tail = set_[in.req_head].tail;
    if (set_[tail].used < slots_) {
      out.req_ready = true;
      out.req_set = tail;
      out.req_slot = set_[tail].used;
    } else if (n_linkable_ != 0) {
      out.req_ready = true;
      out.req_set = lowest_free(reserved_);
      out.req_link = true;
    }
  }
  out.rf = !out.req_ready;
  return out;
}

void FastDau::take(std::uint32_t set, bool head) {
  Set& s = set_[set];
  s.used = 1;
  s.previous = kNone;
  s.tail = set;
  const bool full = slots_ == 1;
  s.state = head ? (full ? DauState::s2 : DauState::s1) : (full ? DauState::s7 : DauState::s6);
  clear_bit(free_, set);
  --n_free_;
  if (set >= reserved_) --n_linkable_;
}

void FastDau::commit(const DauIn& in) {
  const DauOut out = eval(in);
  const bool ret = accepts_ret(in);
  const bool linkable = n_linkable_ != 0;
  const std::uint32_t freed = releasing_;
  if (out.req_ready && !in.req_secondary) {
    take(out.req_set, true);
  } else if (out.req_ready) {
    Set& head = set_[in.req_head];
    if (out.req_link) {
      const std::uint32_t linked = head.tail;
      Set& tail = set_[linked];
      if (tail.state == DauState::s4 || tail.state == DauState::s9) {
        clear_bit(refused_, linked);
        --refused_count_;
      }
      tail.state = is_head(tail.state) ? DauState::s3 : DauState::s8;
      tail.next = out.req_set;
      take(out.req_set, false);
      set_[out.req_set].previous = linked;
      head.tail = out.req_set;
    } else {
      Set& tail = set_[out.req_set];
      if (++tail.used == slots_) tail.state = is_head(tail.state) ? DauState::s2 : DauState::s7;
    }
  } else if (in.req_valid && in.req_secondary && active_head(in.req_head) &&
             !(ret && in.ret_head == in.req_head)) {
    const std::uint32_t tail = set_[in.req_head].tail;
    if (set_[tail].state == DauState::s2 || set_[tail].state == DauState::s7) {
      set_[tail].state = set_[tail].state == DauState::s2 ? DauState::s4 : DauState::s9;
      set_bit(refused_, tail);
      ++refused_count_;
    }
  }
  if (linkable && refused_count_ != 0) forget_refusals();
  if (freed != kNone) release_step();
  if (ret) start_release(in.ret_head);
}

// A set is free again: chains that were refused leave S4/S9 for S2/S7 unless they link in this cycle.
void FastDau::forget_refusals() {
  for (unsigned w = 0; w < refused_.size(); ++w) {
    while (refused_[w] != 0) {
      const unsigned i = w * 64 + static_cast<unsigned>(__builtin_ctzll(refused_[w]));
      refused_[w] &= refused_[w] - 1;
      set_[i].state = set_[i].state == DauState::s4 ? DauState::s2 : DauState::s7;
    }
  }
  refused_count_ = 0;
}

void FastDau::release_step() {
  const std::uint32_t set = releasing_;
  releasing_ = set_[set].previous;
  set_[set] = {};
  set_bit(free_, set);
  ++n_free_;
  if (set >= reserved_) ++n_linkable_;
}

void FastDau::start_release(std::uint32_t head) {
  releasing_ = set_[head].tail;
  for (std::uint32_t set = releasing_; set != kNone; set = set_[set].previous) {
    if (set_[set].state == DauState::s4 || set_[set].state == DauState::s9) {
      clear_bit(refused_, set);
      --refused_count_;
    }
    set_[set].state = set == head ? DauState::s5 : DauState::s10;
  }
}

DauSet FastDau::inspect(unsigned set) const {
  const Set& s = set_[set];
  DauSet out;
  out.state = s.state;
  out.used = s.used;
  if (s.state == DauState::s3 || s.state == DauState::s8) out.next = s.next;
  if (is_head(s.state)) out.tail = s.tail;
  return out;
}

}  // namespace warpmem::mha
