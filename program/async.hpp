// SPDX-License-Identifier: Apache-2.0
// mbarriers (PTX ISA 8 section 9.7.13.15): objects of 8 bytes in shared memory that count the
// arrivals and the bytes of transactions that a phase still misses. A phase ends when both are
// none; the next one expects as many arrivals again. PTX leaves the object opaque; here it is
//
//   bits 0-19 arrivals missing · 20-39 arrivals a phase expects · 40-60 bytes missing (two's
//   complement) · 61 parity of the phase, 0 at first · 62 one · 63 zero
//
// so that memory that was never initialised, zero, is none.
#pragma once

#include <cstdint>
#include <string>

#include "program/program.hpp"

namespace warpmem::program {

/// An instruction's operation, and the number that each of its lanes brings along (Issue::operand).
enum class MbarrierOp : std::uint8_t {
  init,                  ///< arrivals that each phase expects
  inval,                 ///< 0
  arrive,                ///< arrivals
  arrive_no_complete,    ///< arrivals; they must not end the phase
  arrive_expect_tx,      ///< bytes that are expected first; then one arrival
  drop,                  ///< arrivals of this phase, which later ones expect no longer
  drop_no_complete,      ///< the same; they must not end the phase
  drop_expect_tx,        ///< bytes that are expected first; then one arrival, as drop
  expect_tx,             ///< bytes that the phase awaits besides
  complete_tx,           ///< bytes that are there
  test_wait,             ///< parity of the phase + 2 if it had ended
  try_wait,              ///< the same; the warp may be suspended
  copies_arrive,         ///< 0; one arrival more is expected, which the warp's copies will be
  copies_arrive_no_inc,  ///< 0; the warp's copies will be one of the arrivals expected
  count
};
inline constexpr bool is_wait(MbarrierOp op) {
  return op == MbarrierOp::test_wait || op == MbarrierOp::try_wait;
}

class Mbarrier {
 public:
  static constexpr std::uint32_t kMost = (1u << 20) - 1;  ///< arrivals, bytes

  explicit Mbarrier(std::uint64_t bits)
      : pending(static_cast<std::uint32_t>(bits & kMost)),
        expected(static_cast<std::uint32_t>(bits >> 20 & kMost)),
        bytes(static_cast<std::int32_t>(static_cast<std::int64_t>(bits << 3) >> 43)),
        parity((bits >> 61 & 1) != 0),
        valid(bits >> 62 == 1) {}
  std::uint64_t bits() const {
    return std::uint64_t(pending) | std::uint64_t(expected) << 20 |
           (static_cast<std::uint64_t>(bytes) & 0x1fffff) << 40 | std::uint64_t(parity) << 61 |
           std::uint64_t(valid) << 62;
  }

  /// Whether the phase of that parity, the current one or the one before, has ended.
  bool ended(bool of_parity) const { return parity != of_parity; }
  /// "1 of 2 arrivals and 64 bytes are missing".
  std::string missing() const;

  /// What an operation did. `error` says why it is none, and the object is as it was.
  struct Effect {
    bool phase_ended = false;
    std::string error;
  };
  /// Does an operation other than a wait with the number of one lane.
  Effect apply(MbarrierOp op, std::uint32_t operand);
  /// The arrival that copies_arrive and copies_arrive_no_inc are for.
  Effect copies_arrived() { return apply(MbarrierOp::arrive, 1); }

  std::uint32_t pending;   ///< arrivals that the phase misses
  std::uint32_t expected;  ///< arrivals of each phase
  std::int32_t bytes;      ///< bytes that the phase misses; negative: they came before it was told
  bool parity;             ///< of the current phase
  bool valid;              ///< it was initialised

 private:
  std::string initialise(std::uint32_t arrivals);
  std::string arrive(std::uint32_t arrivals, bool drop, bool may_complete);
  std::string add_bytes(std::int64_t more);
  bool end_phase();
};

/// Numbers of each lane of a bulk copy: its address in the CTA's shared memory, its bytes, and the
/// address of a load's mbarrier, or of that of a copy to other CTAs, in the shared memory to which
/// they go.
inline constexpr unsigned kBulkOperands = 3;
/// Addresses and sizes of bulk copies are multiples of this.
inline constexpr std::uint32_t kBulkBytes = 16;
inline constexpr std::uint32_t kWaitSucceeded = 2;  ///< beside the parity in the number of a wait

}  // namespace warpmem::program
