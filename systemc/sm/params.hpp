// SPDX-License-Identifier: Apache-2.0
// Parameters of one streaming multiprocessor.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <string>

#include "base/errors.hpp"
#include "base/params.hpp"
#include "base/types.hpp"
#include "cache/mha/params.hpp"
#include "program/program.hpp"
#include "sm/coalescer.hpp"

namespace warpmem::sm {

enum class Policy : std::uint8_t {
  rr,
  gtrr,
  gtlr,
  gto,
  two_level,
  swl,
  ccws,
  laws,
  laws_th,
  laws_nmd
};
/// How two_level chooses its next fetch group.
enum class GroupPolicy : std::uint8_t { rr, gto };

/// Which scheduler of an SM chooses first in a cycle.
enum class FirstScheduler : std::uint8_t { lowest, rotating };

/// What the lanes of accesses that go past L1D are merged into.
enum class PastL1d : std::uint8_t { alike, sector };

/// How the lanes of an atomic that meet on one word go to L2.
enum class AtomicConflicts : std::uint8_t { together, apart };

/// Which of the queues in front of the LSU gives the next instruction.
enum class QueueOrder : std::uint8_t { turns, oldest };

/// The unit that executes integer multiplications.
enum class MultiplyUnit : std::uint8_t { own, int_alu, fp32 };

/// What has a queue of memory instructions, or a unit, of its own.
enum class OwnedBy : std::uint8_t { sm, scheduler };

/// Cycles of one instruction class.
struct OpTiming {
  std::uint32_t latency;   ///< issue to the result being usable, 1..511
  std::uint32_t interval;  ///< cycles before the unit takes the next warp instruction, 1..511
};

struct SmParams {
  std::uint32_t warps = 48;
  std::uint32_t ctas = 8;
  std::uint32_t registers = 65536;         ///< 32-bit registers
  std::uint64_t shared_bytes = 48 * 1024;  ///< shared memory
  std::uint32_t schedulers = 2;
  std::uint32_t issue_interval = 1;  ///< cycles between instructions of a scheduler
  FirstScheduler first_scheduler = FirstScheduler::lowest;
  bool barrel = false;         ///< no scoreboard: one instruction of a warp in flight at a time
  bool await_atomics = false;  ///< a warp waits for its atomics
  std::uint64_t shared_reserved = 0;  ///< bytes that a CTA takes besides its own
  std::uint32_t shared_banks = 32;
  std::uint32_t shared_latency = 24;
  std::uint32_t shared_conflict = 1;  ///< cycles that a pass beyond the first adds to the latency
  std::uint32_t constant_latency = 8;
  MultiplyUnit multiply_unit = MultiplyUnit::own;
  OwnedBy fp64_unit_of = OwnedBy::sm;
  /// Fermi-like issue-to-use latencies (docs/mechanisms.md 1.1), indexed by OpClass. The last three
  /// are those of Accel-Sim's RTX2060 configuration.
  std::array<OpTiming, program::kOpClasses> timing{{
      {6, 1},    // int_alu
      {10, 1},   // int_mul
      {6, 1},    // fp32
      {12, 2},   // fp64
      {20, 8},   // sfu
      {60, 16},  // div
      {1, 1},    // memory: issue only, the hierarchy decides the rest
      {4, 1},    // control
      {2, 1},    // barrier
      {2, 1},    // fence
      {16, 16},  // tensor
      {200, 4},  // texture
      {4, 1},    // uniform
  }};

  Granularity granularity = Granularity::line;
  PastL1d past_l1d = PastL1d::alike;  ///< of atomics and volatile loads
  AtomicConflicts atomics = AtomicConflicts::together;
  std::uint32_t lsu_queue = 4;  ///< memory instructions waiting to send their requests
  OwnedBy lsu_queue_of = OwnedBy::sm;
  QueueOrder lsu_order = QueueOrder::turns;
  /// Operand collectors of a scheduler, which waiting memory instructions take; 0: not modelled.
  std::uint32_t lsu_collectors = 0;
  std::uint32_t lsu_pipeline = 0;  ///< stages between the queue and where requests are made
  /// Memory instructions that have begun to send and are not complete.
  std::uint32_t lsu_pending = 256;
  std::uint32_t lsu_responses = 8;  ///< responses queued at the LSU
  /// Cycles for which a wait at an mbarrier may suspend its warp, unless it says how long.
  std::uint32_t mbarrier_wait = 10'000;
  bool bulk = false;                 ///< there is a bulk copy engine
  std::uint32_t bulk_queue = 8;      ///< copies whose requests have not all been sent
  std::uint32_t bulk_rate = 1;       ///< requests a cycle
  std::uint32_t bulk_pending = 256;  ///< requests under way
  Policy policy = Policy::gto;
  std::string added_policy;                    ///< an added one, instead of `policy`; empty: none
  std::uint32_t fetch_group = 8;               ///< two_level: warps of a fetch group
  GroupPolicy group_policy = GroupPolicy::rr;  ///< two_level: choice of the next fetch group
  Policy warp_policy = Policy::rr;             ///< two_level: order within a fetch group
  std::uint32_t warp_limit = 64;               ///< swl:N: the number N
  /// Policies that hold warps back: cycles until one is let in.
  std::uint32_t patience = 100'000;
  std::uint32_t starvation_bound = 65536;  ///< issue slots; for policies that may_starve()
  View laws_score = View::fast_class;      ///< laws*: view of the locality score in the loop
  View throttle_unit = View::fast_class;   ///< laws_th, laws_nmd: view of the throttling unit
  std::uint32_t miss_limit = 31;           ///< laws*: where Miss_CNT stops
  std::uint32_t divergence = 8;            ///< laws_th: warps
  std::uint32_t stable_periods = 8;        ///< laws_th, laws_nmd: decisions
  std::uint32_t hold = 1000;               ///< laws_th, laws_nmd: cycles that a decision stands
  std::uint32_t victim_tags = 16;          ///< ccws: victim tags of a warp
  std::uint32_t ccws_base = 100;           ///< ccws: base score
  std::uint32_t ccws_k = 8;                ///< ccws: K

  /// These are no keys of this group; the machine fills them in.
  std::uint32_t line_bytes = 128;
  std::uint32_t l1d_banks = 1;     ///< requests, and responses, that go in a cycle
  bool l1d_words = false;          ///< requests say which words their lanes touch
  bool l1d_lines = false;          ///< the requests of an instruction for a line go one by one
  std::uint32_t atomic_lanes = 1;  ///< lanes on one word that L2 serves together
  bool carry_data = false;
  std::uint32_t gpc_sms = 0;           ///< SMs of a GPC; 0: there are none
  std::uint32_t gpc_queue = 8;         ///< packets of the GPC's network that wait at the SM
  bool translated = false;             ///< a TLB stands between the SM and its L1D
  bool unified = false;                ///< shared memory is a part of L1, and no key says how much
  std::uint64_t largest_carveout = 0;  ///< the most that it is then, bytes

  /// Bytes of shared memory of an SM, at most.
  std::uint64_t all_shared_bytes() const { return unified ? largest_carveout : shared_bytes; }
  /// Bytes of it that a block may have.
  std::uint64_t most_shared_bytes() const {
    return all_shared_bytes() - std::min(all_shared_bytes(), shared_reserved);
  }

  /// Returns whether the policy lets other warps issue only when it has to, so that warps that spin
  /// could keep another from issuing.
  bool may_starve() const {
    return policy != Policy::rr && policy != Policy::gtrr && policy != Policy::gtlr;
  }
  bool laws() const {
    return policy == Policy::laws || policy == Policy::laws_th || policy == Policy::laws_nmd;
  }
  /// The policy follows the locality of L1D's accesses.
  bool wants_locality() const { return laws() || policy == Policy::ccws; }
  /// The class whose unit executes class `c`.
  program::OpClass unit_of(program::OpClass c) const {
    if (c != program::OpClass::int_mul || multiply_unit == MultiplyUnit::own) return c;
    return multiply_unit == MultiplyUnit::fp32 ? program::OpClass::fp32 : program::OpClass::int_alu;
  }
  Granularity granularity_past_l1d() const {
    return past_l1d == PastL1d::sector ? Granularity::sector : granularity;
  }
  /// The most cycles from the issue of an instruction without memory requests to its result.
  unsigned longest_result() const;
  /// The units that the schedulers share, a bit for each class; the others exist once a scheduler.
  unsigned shared_units() const;
  unsigned lsu_queues() const { return lsu_queue_of == OwnedBy::scheduler ? schedulers : 1; }
  bool laws_throttles() const { return laws() && policy != Policy::laws; }

  /// `shared_apart` says whether shared memory has a size of its own.
  void describe(Schema& schema, std::function<bool()> shared_apart);
  void validate(Problems& problems) const;
};

}  // namespace warpmem::sm
