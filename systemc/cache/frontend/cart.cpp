// SPDX-License-Identifier: Apache-2.0
#include "cache/frontend/cart.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors.hpp"

namespace warpmem::cache {

namespace {

std::unique_ptr<CartBranchUnit> make_unit(const FrontendParams& params,
                                          const FrontendFactories& units) {
  if (params.cart_unit == View::fast_class) return nullptr;
  if (!units.cart_branch)
    throw UserError("l2.frontend.cart_unit: this program has only the view 'class' of it");
  return units.cart_branch(params.cart_unit, params.cart);
}

}  // namespace

Cart::Cart(const FrontendParams& params, ServicePort& in, const AddressMap& map,
           std::uint32_t line_bytes, Stage arrival, const FrontendFactories& units)
    : Reordering(params, in, line_bytes, arrival,
                 std::size_t(map.banks()) * params.cart.leaves() * params.cart.depth),
      map_(map),
      line_bytes_(line_bytes) {
  for (unsigned bank = 0; bank < map.banks(); ++bank) {
    units_.push_back(make_unit(params, units));
    branches_.emplace_back(params.cart, units_.back().get());
  }
}

void Cart::fill(Cycle now) {
  if (incoming().empty()) return;
  const DramCoordinates where = map_.dram(incoming().front().payload->get_address());
  CartBranch& branch = branches_[where.bank.value];
  const unsigned leaf = branch.place(where.row, column_of(where));
  if (leaf == CartBranch::kNone) {
    wait_for_place(now);
    return;
  }
  if (branch.push(leaf, where.row, column_of(where), enter(now))) count_leaves(now, 1);
  ++held_;
}

Waiting* Cart::choose(Cycle now) {
  switch (params_.drain) {
    case CartDrain::same_or_longest_row:
      return take_turns(now);
    case CartDrain::longest:
      if (Waiting* const first = longest(now, false)) return first;
      return longest(now, true);
    case CartDrain::round_robin:
    case CartDrain::greedy:
      return in_turn(now);
  }
  return nullptr;
}

bool Cart::may_go(unsigned branch, unsigned leaf, Cycle now, bool again) {
  CartBranch& b = branches_[branch];
  return b.drains(leaf) && can_try(b.front(leaf), now) && (again || !b.refused(leaf));
}

Waiting* Cart::at(Place place) {
  chosen_ = place;
  return &branches_[place.branch].front(place.leaf);
}

// Takes one request of each branch in turn.
Waiting* Cart::take_turns(Cycle now) {
  const auto branches = static_cast<unsigned>(branches_.size());
  for (unsigned step = 0; step < branches; ++step) {
    const unsigned b = (next_ + step) % branches;
    if (branches_[b].held() == 0) continue;
    const CartBranch::Choice choice = branches_[b].same_or_longest_row(
        [=](const Waiting& request) { return can_try(request, now); });
    if (choice.leaf == CartBranch::kNone) continue;
    if (choice.again) branches_[b].next_turn();
    return at({b, choice.leaf});
  }
  return nullptr;
}

Waiting* Cart::longest(Cycle now, bool again) {
  Place best;
  std::size_t length = 0;
  for (unsigned b = 0; b < branches_.size(); ++b) {
    if (branches_[b].held() <= length) continue;
    for (unsigned leaf = 0; leaf < branches_[b].leaves(); ++leaf) {
      if (branches_[b].length(leaf) <= length || !may_go(b, leaf, now, again)) continue;
      best = {b, leaf};
      length = branches_[b].length(leaf);
    }
  }
  return length == 0 ? nullptr : at(best);
}

// Takes the first leaf from next_ on that may go.
Waiting* Cart::in_turn(Cycle now) {
  const unsigned leaves = static_cast<unsigned>(branches_.size()) * params_.cart.leaves();
  for (unsigned step = 0; step < leaves; ++step) {
    const Place place = place_of((next_ + step) % leaves);
    if (may_go(place.branch, place.leaf, now, true)) return at(place);
  }
  return nullptr;
}

void Cart::keep(Waiting&) {
  branches_[chosen_.branch].refuse(chosen_.leaf);
  go_on();
}

// The selected request goes or was refused; moves the turn on.
void Cart::go_on() {
  if (params_.drain == CartDrain::same_or_longest_row) {
    next_ = (chosen_.branch + 1) % static_cast<unsigned>(branches_.size());
  } else {
    const unsigned leaves = static_cast<unsigned>(branches_.size()) * params_.cart.leaves();
    next_ = (leaf_number(chosen_) + 1) % leaves;
  }
}

Waiting* Cart::find(std::uint64_t number) {
  for (unsigned b = 0; b < branches_.size(); ++b)
    for (unsigned leaf = 0; leaf < branches_[b].leaves(); ++leaf)
      if (branches_[b].length(leaf) > 0 && branches_[b].front(leaf).number == number)
        return at({b, leaf});
  return nullptr;
}

void Cart::remove(Waiting&, Cycle now) {
  CartBranch& branch = branches_[chosen_.branch];
  if (branch.same_leaf(chosen_.leaf)) {
    ++stats_.same_leaf;
  } else if (branch.same_row(chosen_.leaf)) {
    ++stats_.same_row;
  } else {
    ++stats_.other;
  }
  const bool emptied = branch.pop(chosen_.leaf);
  if (emptied) count_leaves(now, -1);
  --held_;
  // The greedy policy stays with its leaf.
  if (params_.drain == CartDrain::greedy && !emptied) {
    next_ = leaf_number(chosen_);
  } else {
    go_on();
  }
}

void Cart::count_leaves(Cycle now, int change) {
  stats_.leaf_cycles += in_use_ * (now - in_use_since_);
  in_use_since_ = now;
  in_use_ += static_cast<unsigned>(change);
  stats_.most_leaves = std::max<std::uint64_t>(stats_.most_leaves, in_use_);
}

void Cart::register_stats(StatGroup& g, const ClockDomain& clock) {
  Reordering::register_stats(g, clock);
  g.before_snapshot([this, &clock] { count_leaves(clock.cycle_at(simulation_now()), 0); });
  g.counter("frontend.drained.same_leaf", stats_.same_leaf, "requests",
            "requests drained from the leaf that the branch had drained before");
  g.counter("frontend.drained.same_row", stats_.same_row, "requests",
            "requests drained from another leaf of the row that the branch had drained before");
  g.counter("frontend.drained.other", stats_.other, "requests",
            "requests drained from another row, or as the first of their branch");
  g.counter("frontend.leaf_cycles", stats_.leaf_cycles, "leaf cycles",
            "leaves in use, summed over the cycles");
  g.peak("frontend.most_leaves", stats_.most_leaves, "leaves", "most leaves in use at a time");
  g.law("what enters CART leaves it", [this] {
    return expect_equal("frontend.filled", filled(), "drained + held",
                        stats_.same_leaf + stats_.same_row + stats_.other + held_);
  });
}

std::string Cart::describe() const {
  std::string text = fmt::format("cart, {} requests in {} leaves; branches:", held_, in_use_);
  for (const CartBranch& branch : branches_) text += fmt::format(" {}", branch.held());
  return text;
}

}  // namespace warpmem::cache
