// SPDX-License-Identifier: Apache-2.0
#include "units/dau/dau_bench_stimulus.hpp"

#include "cache/mha/dl/dau_choice.hpp"

namespace warpmem::cosim {

using mha::DauIn;
using mha::DauOut;
using mha::DauSize;
using mha::DauState;

namespace {

DauIn primary() {
  DauIn in;
  in.req_valid = true;
  return in;
}

DauIn secondary(std::uint32_t head) {
  DauIn in;
  in.req_valid = true;
  in.req_secondary = true;
  in.req_head = head;
  return in;
}

DauIn with_ret(DauIn in, std::uint32_t head) {
  in.ret_valid = true;
  in.ret_head = head;
  return in;
}

DauIn ret(std::uint32_t head) { return with_ret(DauIn{}, head); }

/// Returns the largest number that the pins for a set carry.
std::uint32_t last_number(std::uint32_t sets) {
  std::uint32_t numbers = 2;
  while (numbers < sets) numbers *= 2;
  return numbers - 1;
}

/// Writes vectors while following the unit's state in a class of its own.
class DauScript {
 public:
  explicit DauScript(const DauSize& size) : size_(size), dau_(size) {}

  DauOut step(const DauIn& in) {
    const DauOut out = dau_.eval(in);
    dau_.commit(in);
    vectors_.push_back(in);
    return out;
  }
  void idle(unsigned cycles = 1) {
    for (unsigned i = 0; i < cycles; ++i) step({});
  }
  bool head(std::uint32_t set) const { return is_active_head(dau_.inspect().state[set]); }
  bool busy() const { return dau_.eval({}).release_busy; }

  /// There are as many primary misses as there are sets, and one that is refused.
  void fill_with_heads() {
    for (std::uint32_t i = 0; i <= size_.sets; ++i) step(primary());
  }
  /// Sends secondary misses to one head until one is refused, which is tried again `retries` times.
  void fill_chain(std::uint32_t head, unsigned retries) {
    while (step(secondary(head)).req_ready) {
    }
    for (unsigned i = 0; i < retries; ++i) step(secondary(head));
  }
  void wait_release() {
    while (busy()) idle();
  }
  void release_all() {
    for (std::uint32_t i = 0; i < size_.sets; ++i) {
      if (!head(i)) continue;
      while (!dau_.eval({}).ret_ready) step(ret(i));  // refused, and tried again
      step(ret(i));
    }
    wait_release();
  }
  std::vector<DauIn> take() { return std::move(vectors_); }

 private:
  DauSize size_;
  mha::FastDau dau_;
  std::vector<DauIn> vectors_;
};

/// Every set heads a chain, all slots are full and all sets are refused in S4; then one set comes
/// free. With `wait` nothing is asked in the cycle in which it is free.
void all_heads(DauScript& s, const DauSize& size, bool wait) {
  s.fill_with_heads();
  for (std::uint32_t i = 0; i < size.sets; ++i) s.fill_chain(i, i % 3);
  s.step(ret(size.sets - 1));  // the last set is ordinary unless all are reserved
  s.idle(wait ? 4 : 1);
  s.step(secondary(0));
  s.step(primary());
  s.release_all();
}

/// One chain has every set that can be linked, and is released while requests go on.
void one_chain(DauScript& s, const DauSize& size) {
  s.step(primary());
  s.fill_chain(0, 2);
  s.step(with_ret(secondary(0), 0));  // RET wins: refused without a change
  s.step(secondary(0));               // the chain is being released: refused
  s.step(ret(0));                     // it is ignored as well
  for (std::uint32_t i = 0; i < size.sets; ++i) s.step(primary());  // takes each set as it comes
  s.wait_release();
  s.release_all();
}

/// A long chain and a short one hold all sets; the long one is refused in S9 until the short one
/// goes. With `wait` nothing is asked in the cycle in which a set is free again.
void refused_tail(DauScript& s, const DauSize& size, bool wait) {
  s.step(primary());
  // Primary misses leave one ordinary set, which is linked.
  for (std::uint32_t i = 0; i + 2 < size.sets; ++i) s.step(primary());
  s.fill_chain(0, 1);
  const std::uint32_t other = size.sets > 2 ? size.sets - 2 : 0;
  s.step(with_ret(secondary(0), other));
  s.idle(wait ? 4 : 1);
  s.fill_chain(0, 0);
  s.release_all();
}

/// A head, and a tail, is released in each state.
void release_states(DauScript& s, const DauSize& size) {
  const std::uint32_t most = 2 * size.slots + 1;
  for (std::uint32_t secondaries = 0; secondaries <= most; ++secondaries) {
    s.step(primary());
    for (std::uint32_t i = 0; i < secondaries; ++i) s.step(secondary(0));
    s.step(with_ret(primary(), 0));
    s.release_all();
  }
  // The next RET comes in the cycle in which the head of the last one goes.
  s.fill_with_heads();
  for (std::uint32_t i = 0; i < size.sets; ++i) s.step(ret(i));
  s.wait_release();
}

/// Requests and RETs name sets which head no chain, or do not exist.
void no_such_chain(DauScript& s, const DauSize& size) {
  const std::uint32_t last = last_number(size.sets);
  const auto name_all = [&] {
    for (const std::uint32_t set : {0U, size.sets - 1, last}) {
      if (set < size.sets && s.head(set)) continue;
      s.step(secondary(set));
      s.step(ret(set));
      s.step(with_ret(secondary(set), set));
    }
  };
  name_all();  // the set is free
  s.step(primary());
  s.fill_chain(0, 0);
  name_all();  // the set is attached
  s.step(ret(0));
  name_all();  // the chain is being released
  s.wait_release();
  s.release_all();
}

}  // namespace

std::vector<DauIn> dau_directed_vectors(const DauSize& size) {
  DauScript s(size);
  s.idle(2);
  all_heads(s, size, true);
  all_heads(s, size, false);
  one_chain(s, size);
  refused_tail(s, size, true);
  refused_tail(s, size, false);
  release_states(s, size);
  no_such_chain(s, size);
  s.idle(2);
  return s.take();
}

DauIn DauRenaming::renamed(const DauIn& vector) {
  in_ = mha::dau_legal_input(script_, vector);
  DauIn asked = in_;
  if (in_.req_secondary) asked.req_head = name_of_[in_.req_head];
  if (in_.ret_valid) asked.ret_head = name_of_[in_.ret_head];
  return asked;
}

void DauRenaming::commit(const DauOut& unit) {
  const DauOut out = script_.eval(in_);
  if (in_.req_valid && out.req_ready) name_of_[out.req_set] = unit.req_set;
  script_.commit(in_);
}

//                                                    request secondary favourite ret
const DauRandomStimulus::Phase DauRandomStimulus::kPhases[] = {
    /* few merges            */ {230, 60, 0, 60},
    /* many merges           */ {230, 200, 30, 30},
    /* one long chain        */ {240, 230, 240, 3},
    /* the pool stays full   */ {255, 150, 60, 12},
    /* the pool stays empty  */ {100, 120, 60, 200},
    /* retries at full speed */ {255, 240, 120, 1},
    /* drain                 */ {20, 128, 128, 220},
};

DauRandomStimulus::DauRandomStimulus(const DauSize& size, std::uint64_t seed)
    : size_(size), numbers_(last_number(size.sets) + 1), random_(seed) {}

void DauRandomStimulus::begin_phase() {
  phase_ = kPhases[random_.below(sizeof(kPhases) / sizeof(kPhases[0]))];
  // A phase is long enough to fill the pool and to empty it.
  phase_left_ = 16 + random_.below(8 * std::uint64_t{size_.sets} * size_.slots);
  favourite_ = static_cast<std::uint32_t>(random_.below(size_.sets));
}

std::uint32_t DauRandomStimulus::live_head(const DauState* state, std::uint32_t start) const {
  for (std::uint32_t i = start; i < size_.sets; ++i)
    if (is_active_head(state[i])) return i;
  for (std::uint32_t i = 0; i < start; ++i)
    if (is_active_head(state[i])) return i;
  return start;  // there is no such chain: a legal input that the unit refuses
}

DauIn DauRandomStimulus::next(const DauState* state) {
  if (phase_left_-- == 0) {
    begin_phase();
    --phase_left_;
  }
  // One number serves a cycle: five probabilities of eight bits, two set numbers of twelve.
  const std::uint64_t bits = random_.next();
  const auto chance = [bits](unsigned field, unsigned of_256) {
    return ((bits >> (8 * field)) & 255) < of_256;
  };
  const auto set = [bits](unsigned shift, std::uint32_t below) {
    return static_cast<std::uint32_t>((((bits >> shift) & 4095) * below) >> 12);
  };
  const bool anything = chance(4, 6);  // it names any set

  DauIn in;
  in.req_valid = chance(0, phase_.request);
  in.req_secondary = chance(1, phase_.secondary);
  if (in.req_secondary) {
    const bool favoured = chance(2, phase_.favourite);
    in.req_head = anything ? set(40, numbers_)
                           : live_head(state, favoured ? favourite_ : set(40, size_.sets));
  }
  in.ret_valid = chance(3, phase_.ret);
  if (in.ret_valid)
    in.ret_head = anything ? set(52, numbers_) : live_head(state, set(52, size_.sets));
  return in;
}

}  // namespace warpmem::cosim
