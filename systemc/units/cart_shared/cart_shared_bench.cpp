// SPDX-License-Identifier: Apache-2.0
// Lockstep of CART with shared comparators: the class of a branch for each bank, and the turn of
// the front end around them.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "base/errors.hpp"
#include "base/random.hpp"
#include "cache/frontend/cart_branch.hpp"
#include "cosim/lockstep_unit.hpp"
#include "units/cart_shared/cart_shared_unit.hpp"

namespace warpmem::cosim::cart_shared {

namespace {

enum Point : std::size_t {
  kEnters,
  kNoPlace,
  kPops,
  kEmpties,
  kRefused,
  kAgain,
  kNotReady,
  kStays,
  kFillDrains,
  kFillsBesideADrain,
  kSkips,
  kWraps,
  kAllHeld,
};

CoverPoints cover_points(const units::CartSharedSize& size) {
  CoverPoints points({
      "a request enters",
      "refused fill",
      "a request goes",
      "a branch is empty now",
      "a request is tried in vain",
      "drain: a refused one, since all are",
      "the turn passes a branch of which none may be tried",
      "the turn stays with a branch that is not served",
      "the request that enters is the one that drains",
      "one branch fills as another drains",
      "the turn passes a branch without requests",
      "the turn begins anew",
      "all branches have requests",
  });
  if (size.banks == 1) {
    points.leave_out(kFillsBesideADrain);
    points.leave_out(kSkips);
  }
  return points;
}

class CartSharedBench : public BenchOf<units::CartSharedDescription> {
 public:
  static std::string text_of(const Size& s) {
    return fmt::format("{} banks of {} rows, {} columns, depth {}", s.banks, s.leaves.rows,
                       s.leaves.columns, s.leaves.depth);
  }
  static void check(const Size& s, Problems& problems) {
    if (std::uint64_t(s.leaves.rows) * s.leaves.columns > 64)
      problems.add("columns", fmt::format("{} rows of {} are more than 64 leaves", s.leaves.rows,
                                          s.leaves.columns));
  }
  static CoverPoints coverage_of(const Size& size) { return cover_points(size); }

  CartSharedBench(const Size& size, std::uint64_t seed) : size_(size), random_(seed) {
    reset_class();
  }

  Out eval_class(const In& in) const {
    State after = state_;
    return cycle(after, in, false);
  }
  void commit_class(const In& in) { cycle(state_, in, true); }
  void reset_class() {
    state_.branches.assign(size_.banks, cache::CartBranch(size_.leaves));
    state_.next = 0;
  }

  /// The request of a bank, then one of each, then more of the first than there is place for.
  std::vector<In> directed() const {
    std::vector<In> list(2);
    const auto fill = [&](std::uint32_t bank, std::uint32_t line) {
      In in;
      in.fill_valid = true;
      in.fill_bank = static_cast<std::uint8_t>(bank);
      in.fill_row = line / size_.leaves.columns & mask(size_.row_bits);
      in.fill_column = line & mask(size_.column_bits);
      list.push_back(in);
    };
    for (std::uint32_t bank = 0; bank < size_.banks; ++bank) fill(bank, 0);
    for (std::uint32_t line = 0; line <= size_.leaves.leaves(); ++line)
      for (std::uint32_t i = 0; i <= size_.leaves.depth; ++i) fill(0, line);
    return list;
  }

  // The phases fill the branches, empty them, or refuse much; they use a few banks, rows and
  // columns.
  In random() {
    if (phase_left_ == 0) {
      phase_left_ = 1 + random_.below(4 * size_.banks * size_.leaves.leaves() + 20);
      fills_ = static_cast<unsigned>(random_.below(101));
      drains_ = static_cast<unsigned>(random_.below(101));
      refuses_ = random_.chance(40) ? static_cast<unsigned>(random_.below(90)) : 0;
      ready_ = random_.chance(50) ? 100 : static_cast<unsigned>(random_.below(100));
      banks_ = 1 + random_.below(size_.banks);
      rows_ = 1 + random_.below(size_.leaves.rows + 2);
      columns_ = 1 + random_.below(size_.leaves.columns + 2);
      base_ = random_.next();
    }
    --phase_left_;
    In in;
    in.fill_valid = random_.chance(fills_);
    in.fill_bank =
        static_cast<std::uint8_t>((random_.below(banks_) + base_ % size_.banks) % size_.banks);
    in.fill_row =
        static_cast<std::uint32_t>((random_.below(rows_) * kSpread) ^ base_) & mask(size_.row_bits);
    in.fill_column = static_cast<std::uint32_t>((random_.below(columns_) * kSpread) ^ base_) &
                     mask(size_.column_bits);
    in.ready = random_.next() & all();
    if (random_.chance(ready_)) in.ready = all();
    if (!eval_class(in).drain_valid || !random_.chance(drains_)) return in;
    in.refuse = random_.chance(refuses_);
    in.pop = !in.refuse;
    return in;
  }

  static std::string line(const In& in, const Out& out) {
    const std::string fill =
        !in.fill_valid
            ? ""
            : fmt::format("fill {}:{}/{} -> {}", in.fill_bank, in.fill_row, in.fill_column,
                          out.fill_ready ? std::to_string(out.fill_leaf) : "-");
    const std::string drain =
        !out.bank_valid ? "-"
                        : fmt::format("{}:{}{}", out.bank,
                                      out.drain_valid ? std::to_string(out.drain_leaf) : "-",
                                      out.drain_again ? " again" : "");
    return fmt::format("{:<28} ready {:x} held {:x} drain {:<8} {}", fill, in.ready, out.held,
                       drain,
                       in.pop      ? "pop"
                       : in.refuse ? "refuse"
                                   : "");
  }

  void before_edge(const In& in, const Out& out, CoverPoints& c) {
    const bool acts = in.pop || in.refuse;
    const bool same = out.fill_ready && out.bank_valid && in.fill_bank == out.bank;
    c.hit_if(out.fill_ready, kEnters);
    c.hit_if(in.fill_valid && !out.fill_ready, kNoPlace);
    c.hit_if(in.pop, kPops);
    c.hit_if(in.pop && state_.branches[out.bank].held() + same == 1, kEmpties);
    c.hit_if(in.refuse, kRefused);
    c.hit_if(out.drain_again, kAgain);
    c.hit_if(out.bank_valid && !out.drain_valid, kNotReady);
    c.hit_if(out.drain_valid && !acts, kStays);
    c.hit_if(same && out.drain_valid && out.drain_leaf == out.fill_leaf &&
                 state_.branches[out.bank].length(out.fill_leaf) == 0,
             kFillDrains);
    c.hit_if(out.fill_ready && acts && !same, kFillsBesideADrain);
    c.hit_if(out.bank_valid && out.bank != state_.next, kSkips);
    c.hit_if(out.bank_valid && out.bank == size_.banks - 1 && (acts || !out.drain_valid), kWraps);
    c.hit_if(out.held == ~std::uint64_t(0) >> (64 - size_.banks), kAllHeld);
  }

 private:
  static constexpr std::uint64_t kSpread = 0x2005;  // the tags differ in few bits, high and low

  struct State {
    std::vector<cache::CartBranch> branches;
    std::uint32_t next = 0;    // where the turn begins
    std::uint64_t number = 0;  // of requests so far
  };

  static std::uint64_t bit(unsigned i) { return std::uint64_t(1) << i; }
  static std::uint32_t mask(std::uint32_t bits) { return ~std::uint32_t(0) >> (32 - bits); }
  std::uint64_t all() const { return ~std::uint64_t(0) >> (64 - size_.leaves.leaves()); }

  /// Lets a cycle pass, the outcome of what is tried only if `commits`.
  Out cycle(State& s, const In& in, bool commits) const {
    Out out;
    for (unsigned b = 0; b < size_.banks; ++b)
      if (s.branches[b].held() != 0) out.held |= bit(b);
    if (in.fill_valid) fill(s, in, out);
    unsigned step = 0;
    while (step < size_.banks && s.branches[(s.next + step) % size_.banks].held() == 0) ++step;
    if (step == size_.banks) return out;
    out.bank_valid = true;
    out.bank = static_cast<std::uint8_t>((s.next + step) % size_.banks);
    cache::CartBranch& branch = s.branches[out.bank];
    for (unsigned leaf = 0; leaf < branch.leaves(); ++leaf)
      if (branch.length(leaf) != 0 && branch.drains(leaf)) out.drains |= bit(leaf);
    const cache::CartBranch::Choice choice =
        branch.same_or_longest_row([&](const cache::Waiting& request) {
          unsigned leaf = 0;
          while (branch.length(leaf) == 0 || &branch.front(leaf) != &request) ++leaf;
          return (in.ready & bit(leaf)) != 0;
        });
    out.drain_valid = choice.leaf != cache::CartBranch::kNone;
    out.drain_again = choice.again;
    if (out.drain_valid) out.drain_leaf = static_cast<std::uint8_t>(choice.leaf);
    if (!commits) return out;
    if (choice.again && (in.pop || in.refuse)) branch.next_turn();
    if (in.refuse) branch.refuse(choice.leaf);
    if (in.pop) branch.pop(choice.leaf);
    if (in.pop || in.refuse || !out.drain_valid) s.next = (out.bank + 1u) % size_.banks;
    return out;
  }
  void fill(State& s, const In& in, Out& out) const {
    cache::CartBranch& branch = s.branches[in.fill_bank];
    const unsigned leaf = branch.place(in.fill_row, in.fill_column);
    if (leaf == cache::CartBranch::kNone) return;
    cache::Waiting request;
    request.number = s.number++;
    branch.push(leaf, in.fill_row, in.fill_column, request);
    out.fill_ready = true;
    out.fill_leaf = static_cast<std::uint8_t>(leaf);
  }

  Size size_;
  State state_;
  Random random_;
  std::uint64_t phase_left_ = 0, banks_ = 1, rows_ = 1, columns_ = 1, base_ = 0;
  unsigned fills_ = 0, drains_ = 0, refuses_ = 0, ready_ = 0;  // percent
};

}  // namespace

std::unique_ptr<HardwareUnit> bench() { return std::make_unique<LockstepUnit<CartSharedBench>>(); }

}  // namespace warpmem::cosim::cart_shared
