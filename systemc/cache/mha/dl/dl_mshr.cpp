// SPDX-License-Identifier: Apache-2.0
#include "cache/mha/dl/dl_mshr.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/assert.hpp"
#include "cache/mha/capacity.hpp"

namespace warpmem::mha {

DlMshr::DlMshr(const MhaParams& params, const TagArray& tags, Allocate allocate,
               const ClockDomain& clock, std::unique_ptr<Dau> dau)
    : MissHandler(tags, allocate),
      size_(params.dau_size()),
      tail_pointer_(params.tail_pointer),
      comparator_gating_(params.comparator_gating),
      dau_(std::move(dau)),
      chain_(size_.sets),
      next_(size_.sets),
      target_(std::size_t{size_.sets} * size_.slots),
      drains_(size_.sets),
      releases_(size_.sets),
      occupancy_(size_.sets * size_.slots, clock),
      chain_length_({1, 2, 3, 4, 6, 8, 16, 32, 64}) {}

// The cycles since the last one brought no request, but releases may have gone on.
void DlMshr::begin_cycle(Cycle now) {
  while (++now_ < now && releases()) {
    in_ = {};
    step();
  }
  now_ = now;
  in_ = {};
  accepted_ = false;
}

void DlMshr::end_cycle() {
  if (in_.req_valid || releases()) step();
}

// A cycle of the DAU.
void DlMshr::step() {
  in_.ret_valid = !releases_.empty();
  if (in_.ret_valid) in_.ret_head = releases_.front();
  const DauOut out = dau_->step(in_);
  if (out.release_busy && out.ret_ready && releasing_ >= size_.reserved) --ordinary_heads_;
  release_busy_ = out.release_busy && !out.ret_ready;
  if (in_.ret_valid && out.ret_ready) {
    releasing_ = releases_.pop();
    release_busy_ = true;
  }
}

DlMshr::SetId DlMshr::head_of(Addr block) const {
  const std::uint32_t head = map_.find(block);
  assert(head != cache::BlockMap::kAbsent);
  return head;
}

Match DlMshr::find(Where where) const {
  const Addr block = where.block;
  const std::uint32_t head = map_.find(block);
  return head == cache::BlockMap::kAbsent ? Match::none : chain_[head].state;
}

// A request that is refused is shown to the DAU as well: it may take the tail to S4 or S9. RET,
// which joins in end_cycle(), is of another chain and so does not change the answer.
DauOut DlMshr::ask(const DauIn& in) {
  assert(!accepted_);
  in_ = in;
  const DauOut out = dau_->eval(in);
  accepted_ = out.req_ready;
  placement_ = {out.req_set, out.req_link};
  return out;
}

void DlMshr::store(const DauOut& where, Payload& request) {
  target_[std::size_t{where.req_set} * size_.slots + where.req_slot] = &request;
  occupancy_.change(now_, occupancy_.occupied() + 1);
  comparator_activations_ += comparator_gating_ ? size_.reserved + ordinary_heads_ : size_.sets;
}

Allocation DlMshr::allocate(const Miss& miss, const Room& room, Payload& request) {
  const Addr block = miss.block;
  assert(find(block) == Match::none);
  Allocation allocation = line_for(miss, room);
  if (allocation.refusal != Stall::none) return allocation;
  DauIn in;
  in.req_valid = true;
  const DauOut out = ask(in);
  if (!out.req_ready) return {Stall::entry_full};
  const SetId head = out.req_set;
  store(out, request);
  chain_[head] = {block, Match::pending, 1, 1, 0, head, head};
  map_.insert(block, head);
  ++blocks_;
  ++allocations_;
  if (head < size_.reserved) {
    ++reserved_heads_;
  } else {
    ++ordinary_heads_;
  }
  allocation.cycles = kDlAccessCycles;
  allocation.last_entry = out.n_free == 1;
  return allocation;
}

Stall DlMshr::merge(Where where, Payload& request) {
  const Addr block = where.block;
  const SetId head = head_of(block);
  Chain& chain = chain_[head];
  assert(chain.state == Match::pending);
  if (!tail_pointer_ && !tail_found(chain, block, request)) return Stall::mshr_search;
  DauIn in;
  in.req_valid = true;
  in.req_secondary = true;
  in.req_head = head;
  const DauOut out = ask(in);
  if (!out.req_ready) return Stall::merge_full;
  store(out, request);
  if (tail_pointer_) {
    link_hops_ += chain.tail != head;
  } else {
    link_hops_ += chain.sets - 1;
    search_cycles_ += chain.sets - 1;
    search_ = {};
  }
  if (out.req_link) {
    ++links_;
    ++chain.sets;
    next_[chain.tail] = out.req_set;
    chain.tail = out.req_set;
  }
  ++chain.count;
  ++merges_;
  return Stall::none;
}

// The request takes over the head's first slot, so nothing is allocated and the DAU is not asked.
Stall DlMshr::take_over(Where where, Payload& request) {
  const SetId head = head_of(where.block);
  assert(chain_[head].state == Match::pending);
  target_[std::size_t{head} * size_.slots] = &request;
  comparator_activations_ += comparator_gating_ ? size_.reserved + ordinary_heads_ : size_.sets;
  return Stall::none;
}

// The walk takes a cycle for each set of the chain, of which the first is that of the access, in
// which a tail pointer finds the tail (DL 4.6, optimisation 3). A request that is then refused
// keeps its place at the tail.
bool DlMshr::tail_found(const Chain& chain, Addr block, const Payload& request) {
  if (search_.request != &request || search_.block != block)
    search_ = {&request, block, now_ + chain.sets - 1};
  return now_ >= search_.ready;
}

void DlMshr::close(Where where) {
  Chain& chain = chain_[head_of(where.block)];
  assert(chain.state == Match::pending || chain.state == Match::closed);
  chain.state = Match::closed;
}

void DlMshr::fill(Where where) {
  const Addr block = where.block;
  const SetId head = head_of(block);
  assert(chain_[head].state == Match::pending || chain_[head].state == Match::closed);
  chain_[head].state = Match::draining;
  drains_.push(head);
  if (search_.block == block) search_ = {};
}

Payload* DlMshr::target() const {
  if (drains_.empty()) return nullptr;
  const Chain& chain = chain_[drains_.front()];
  return target_[std::size_t{chain.drain_set} * size_.slots + chain.drained % size_.slots];
}

void DlMshr::pop_target() {
  const SetId head = drains_.front();
  Chain& chain = chain_[head];
  ++targets_drained_;
  if (++chain.drained < chain.count) {
    if (chain.drained % size_.slots == 0) chain.drain_set = next_[chain.drain_set];
    return;
  }
  drains_.drop();
  releases_.push(head);
  occupancy_.change(now_, occupancy_.occupied() - chain.count);
  chain_length_.add(chain.sets);
  map_.erase(chain.block);
  --blocks_;
  chain.state = Match::none;
}

void DlMshr::register_stats(StatGroup& group) {
  occupancy_.register_stats(group);
  group.counter("mshr.comparator_activations", comparator_activations_, "comparators",
                "comparators active in the lookups of accepted misses");
  group.counter("mshr.reserved_heads", reserved_heads_, "requests",
                "primary misses that took a reserved set");
  group.counter("mshr.links", links_, "sets", "sets linked behind another one");
  group.counter("mshr.link_hops", link_hops_, "hops",
                "pointers followed from the head to the tail for accepted merges");
  group.counter("mshr.search_cycles", search_cycles_, "cycles",
                "cycles that accepted merges waited for their tail");
  group.histogram("mshr.chain_length", chain_length_, "sets", "sets of a chain at its release");
  group.law("mshr targets", [this] {
    return expect_equal("allocations + merges", allocations_ + merges_, "targets drained",
                        targets_drained_);
  });
  group.law("mshr sets", [this] {
    return expect_equal("free sets of the DAU", dau_->eval({}).n_free, "sets", size_.sets);
  });
}

std::string DlMshr::describe() const {
  const DauOut dau = dau_->eval({});
  std::string text =
      fmt::format("mshr dl: {} blocks, {}/{} sets free, {} linkable, {} chains to release", blocks_,
                  dau.n_free, size_.sets, dau.n_linkable, releases_.size() + release_busy_);
  for (SetId head = 0; head < size_.sets; ++head) {
    const Chain& chain = chain_[head];
    if (chain.state == Match::none) continue;
    text += fmt::format("\n    set {}: block 0x{:x}, chain of {}, {} targets{}", head, chain.block,
                        chain.sets, chain.count,
                        chain.state == Match::draining ? fmt::format(", {} drained", chain.drained)
                        : chain.state == Match::closed ? ", closed"
                                                       : ", pending");
  }
  return text;
}

}  // namespace warpmem::mha
