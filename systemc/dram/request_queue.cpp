// SPDX-License-Identifier: Apache-2.0
#include "dram/request_queue.hpp"

#include "base/assert.hpp"

namespace warpmem::dram {

RequestQueue::RequestQueue(unsigned capacity, unsigned banks) : slots_(capacity), banks_(banks) {
  assert(capacity >= 1 && banks >= 1 && banks <= 64);
  for (unsigned i = 0; i + 1 < capacity; ++i) slots_[i].all.next = i + 1;
}

template <RequestQueue::Links RequestQueue::Slot::*links>
void RequestQueue::append(List& list, unsigned slot) {
  slots_[slot].*links = {list.tail, kNone};
  (list.tail == kNone ? list.head : (slots_[list.tail].*links).next) = slot;
  list.tail = slot;
}

template <RequestQueue::Links RequestQueue::Slot::*links>
void RequestQueue::unlink(List& list, unsigned slot) {
  const Links& at = slots_[slot].*links;
  (at.previous == kNone ? list.head : (slots_[at.previous].*links).next) = at.next;
  (at.next == kNone ? list.tail : (slots_[at.next].*links).previous) = at.previous;
}

unsigned RequestQueue::first_hit(const Bank& bank, unsigned from) const {
  while (from != kNone && slots_[from].request.row != bank.row) from = slots_[from].in_bank.next;
  return from;
}

void RequestQueue::set_hit(unsigned bank, unsigned slot) {
  const std::uint64_t bit = std::uint64_t(1) << bank;
  Bank& b = banks_[bank];
  b.hit = slot;
  if (slot == kNone) {
    hit_banks_ &= ~bit;
    return;
  }
  hit_banks_ |= bit;
  b.hit_writes = slots_[slot].request.write;
  b.hit_order = slots_[slot].request.order;
}

unsigned RequestQueue::push(Request request) {
  assert(!full());
  const unsigned slot = free_;
  free_ = slots_[slot].all.next;
  request.order = next_order_++;
  slots_[slot].request = request;
  Bank& bank = banks_[request.bank];
  append<&Slot::all>(all_, slot);
  append<&Slot::in_bank>(bank.list, slot);
  if (bank.open && bank.hit == kNone && bank.row == request.row) set_hit(request.bank, slot);
  waiting_banks_ |= std::uint64_t(1) << request.bank;
  ++size_;
  return slot;
}

Request RequestQueue::remove(unsigned slot) {
  const Request request = slots_[slot].request;
  Bank& bank = banks_[request.bank];
  if (bank.hit == slot) set_hit(request.bank, first_hit(bank, slots_[slot].in_bank.next));
  unlink<&Slot::all>(all_, slot);
  unlink<&Slot::in_bank>(bank.list, slot);
  if (bank.list.head == kNone) waiting_banks_ &= ~(std::uint64_t(1) << request.bank);
  slots_[slot].all.next = free_;
  free_ = slot;
  --size_;
  return request;
}

void RequestQueue::row_opened(unsigned bank, std::uint32_t row) {
  Bank& b = banks_[bank];
  b.open = true;
  b.row = row;
  set_hit(bank, first_hit(b, b.list.head));
}

void RequestQueue::row_closed(unsigned bank) {
  banks_[bank].open = false;
  set_hit(bank, kNone);
}

}  // namespace warpmem::dram
