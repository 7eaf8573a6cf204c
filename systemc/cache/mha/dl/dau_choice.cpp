// SPDX-License-Identifier: Apache-2.0
#include "cache/mha/dl/dau_choice.hpp"

#include <fmt/format.h>

namespace warpmem::mha {

namespace {

bool is_live(const FastDau& dau, std::uint32_t head) {
  return head < dau.size().sets && is_active_head(dau.inspect().state[head]);
}

bool is_free(const FastDau& dau, std::uint32_t set) {
  return dau.inspect().state[set] == DauState::s0;
}

/// Returns the lowest free reserved set; the number of reserved sets when there is none.
std::uint32_t free_reserved(const FastDau& dau) {
  std::uint32_t set = 0;
  while (set < dau.size().reserved && !is_free(dau, set)) ++set;
  return set;
}

/// Returns what is wrong with a newly given set; empty: nothing.
std::string wrong_choice(const FastDau& dau, std::uint32_t set, bool link) {
  const char* const verb = link ? "links" : "gives a primary miss";
  const DauSize& size = dau.size();
  if (set >= size.sets)
    return fmt::format("{} set {}, and there are sets 0 to {}", verb, set, size.sets - 1);
  if (!is_free(dau, set)) return fmt::format("{} set {}, which is in use", verb, set);
  if (link && set < size.reserved)
    return fmt::format("{} set {}, which is reserved for heads", verb, set);
  if (const std::uint32_t reserved = free_reserved(dau);
      !link && set >= size.reserved && reserved < size.reserved)
    return fmt::format("{} the ordinary set {}, although the reserved set {} is free", verb, set,
                       reserved);
  return "";
}

std::string request_text(const DauIn& in) {
  return in.req_secondary ? fmt::format("a merge into chain {}", in.req_head) : "a primary miss";
}

/// Returns a sentence about the first answer that is not as it must be.
std::string reason_of(const FastDau& dau, const DauIn& in, const DauOut& expected,
                      const DauOut& unit) {
  const DauSets sets = dau.inspect();
  const std::uint32_t tail = in.req_secondary ? sets.peer[in.req_head] : 0;
  if (unit.req_ready != expected.req_ready) {
    const char* const verb = unit.req_ready ? "is ready for" : "refuses";
    if (!in.req_secondary)
      return fmt::format("{} {}, although {} sets are free", verb, request_text(in),
                         expected.n_free);
    if (expected.req_ready && !expected.req_link)
      return fmt::format("{} {}, although its tail, set {}, has a free slot", verb,
                         request_text(in), tail);
    return fmt::format("{} {}, although its tail is full and {} sets can be linked", verb,
                       request_text(in), expected.n_linkable);
  }
  if (unit.rf != expected.rf)
    return fmt::format("has rf at {}; it is req_valid and not req_ready", int{unit.rf});
  if (unit.req_link != expected.req_link)
    return in.req_secondary
               ? fmt::format("has req_link at {}, although set {}, the tail of chain {}, {}",
                             int{unit.req_link}, tail, in.req_head,
                             expected.req_link ? "is full" : "has a free slot")
               : "has req_link at 1 for a primary miss";
  if (unit.req_set != expected.req_set) {
    const std::string wrong = wrong_choice(dau, unit.req_set, expected.req_link);
    if ((expected.req_link || !in.req_secondary) && !wrong.empty()) return wrong;
    return fmt::format("gives set {} to {}, whose tail, set {}, has a free slot", unit.req_set,
                       request_text(in), tail);
  }
  if (unit.req_slot != expected.req_slot)
    return fmt::format("gives slot {} of set {}, whose next free one is slot {}", unit.req_slot,
                       unit.req_set, expected.req_slot);
  if (unit.ret_ready != expected.ret_ready || unit.release_busy != expected.release_busy)
    return fmt::format(
        "has {} at {}, although {}",
        unit.ret_ready != expected.ret_ready ? "ret_ready" : "release_busy",
        int{unit.ret_ready != expected.ret_ready ? unit.ret_ready : unit.release_busy},
        !expected.release_busy ? "no chain is being released"
        : expected.ret_ready   ? "the released chain's last set is freed in this cycle"
                               : "sets of the released chain are still to be freed");
  if (unit.n_free != expected.n_free)
    return fmt::format("has n_free at {}, and {} sets are free", unit.n_free, expected.n_free);
  if (unit.n_linkable != expected.n_linkable)
    return fmt::format("has n_linkable at {}, and {} ordinary sets are free", unit.n_linkable,
                       expected.n_linkable);
  return "";
}

}  // namespace

DauIn dau_legal_input(const FastDau& dau, const DauIn& in) {
  DauIn legal = in;
  if (in.ret_valid && !is_live(dau, in.ret_head)) legal.ret_valid = false;
  const bool released = legal.ret_valid && in.ret_head == in.req_head && dau.eval({}).ret_ready;
  if (in.req_secondary && (released || !is_live(dau, in.req_head)))
    legal.req_valid = legal.req_secondary = false;
  return legal;
}

DauOut dau_follow(const FastDau& dau, const DauIn& in, const DauOut& unit, std::string* reason) {
  DauOut expected = dau.eval(in);
  if (!in.req_valid || !expected.req_ready) {
    expected.req_set = unit.req_set;
    expected.req_slot = unit.req_slot;
    expected.req_link = unit.req_link;
  } else if ((!in.req_secondary || expected.req_link) &&
             wrong_choice(dau, unit.req_set, expected.req_link).empty()) {
    expected.req_set = unit.req_set;
  }
  if (unit != expected) *reason = reason_of(dau, in, expected, unit);
  return expected;
}

}  // namespace warpmem::mha
