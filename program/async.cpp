// SPDX-License-Identifier: Apache-2.0
#include "program/async.hpp"

namespace warpmem::program {
namespace {

std::string number(std::int64_t n) { return std::to_string(n); }

}  // namespace

std::string Mbarrier::missing() const {
  return number(pending) + " of " + number(expected) + " arrivals and " + number(bytes) +
         " bytes are missing";
}

std::string Mbarrier::initialise(std::uint32_t arrivals) {
  if (arrivals == 0 || arrivals > kMost)
    return "an mbarrier that expects " + number(arrivals) + " arrivals; allowed: 1 to " +
           number(kMost);
  *this = Mbarrier(0);
  pending = expected = arrivals;
  valid = true;
  return {};
}

std::string Mbarrier::arrive(std::uint32_t arrivals, bool drop, bool may_complete) {
  if (arrivals == 0 || arrivals > pending)
    return number(arrivals) + " arrivals at an mbarrier whose phase misses " + number(pending) +
           " of " + number(expected) + "; allowed: 1 to what it misses";
  if (!may_complete && arrivals == pending)
    return "this arrival would end the phase, which .noComplete must not";
  pending -= arrivals;
  if (drop) expected -= arrivals;
  return {};
}

std::string Mbarrier::add_bytes(std::int64_t more) {
  const std::int64_t sum = bytes + more;
  if (sum > std::int64_t(kMost) || sum < -std::int64_t(kMost))
    return "the mbarrier would miss " + number(sum) + " bytes; allowed: -" + number(kMost) +
           " to " + number(kMost);
  bytes = static_cast<std::int32_t>(sum);
  return {};
}

bool Mbarrier::end_phase() {
  if (pending != 0 || bytes != 0) return false;
  parity = !parity;
  pending = expected;
  return true;
}

Mbarrier::Effect Mbarrier::apply(MbarrierOp op, std::uint32_t operand) {
  if (op == MbarrierOp::init) return {false, initialise(operand)};
  if (!valid) return {false, "no mbarrier was initialised there"};
  const Mbarrier before = *this;
  std::string error;
  switch (op) {
    case MbarrierOp::inval:
      *this = Mbarrier(0);
      return {};
    case MbarrierOp::arrive:
    case MbarrierOp::arrive_no_complete:
      error = arrive(operand, false, op == MbarrierOp::arrive);
      break;
    case MbarrierOp::drop:
    case MbarrierOp::drop_no_complete:
      error = arrive(operand, true, op == MbarrierOp::drop);
      break;
    case MbarrierOp::arrive_expect_tx:
    case MbarrierOp::drop_expect_tx:
      error = add_bytes(operand);
      if (error.empty()) error = arrive(1, op == MbarrierOp::drop_expect_tx, true);
      break;
    case MbarrierOp::expect_tx:
      error = add_bytes(operand);
      break;
    case MbarrierOp::complete_tx:
      error = add_bytes(-std::int64_t(operand));
      break;
    case MbarrierOp::copies_arrive:
      if (pending == kMost)
        error = "the phase cannot miss more than " + number(kMost) + " arrivals";
      else
        ++pending;
      break;
    default:
      break;
  }
  if (!error.empty()) {
    *this = before;
    return {false, error};
  }
  const bool changes = op != MbarrierOp::copies_arrive && op != MbarrierOp::copies_arrive_no_inc;
  return {changes && end_phase(), {}};
}

}  // namespace warpmem::program
