// SPDX-License-Identifier: Apache-2.0
// The load/store unit turns memory instructions into requests to L1D and collects the responses.
// Several loads of a warp may be in flight (KI 1.1.3).
//
//   n: issued into a queue, of the SM or of the scheduler   n+1: into the first stage of the memory
//   pipeline   n+1+stages..: its requests to L1D, one a cycle, or one a bank of L1D
//
// Instructions of a queue go in the order of issue; the queues take turns, or the oldest goes first
// (sm.lsu.order). Without a pipeline the instruction whose requests are being sent is at the head
// of its queue.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "base/data_check.hpp"
#include "base/numbered_pool.hpp"
#include "base/ring.hpp"
#include "base/tlm_ports.hpp"
#include "base/transaction.hpp"
#include "base/watchers.hpp"
#include "sm/coalescer.hpp"
#include "sm/issue_queues.hpp"
#include "sm/load_latency.hpp"
#include "sm/params.hpp"
#include "sm/watch.hpp"

namespace warpmem::sm {

/// Says that check_data needs values that a trace does not carry.
[[noreturn]] void refuse_without_values(const program::InstInfo& inst);

class Lsu {
 public:
  /// Marks the tags of requests that the bulk copy engine sends through the same port.
  static constexpr std::uint32_t kBulkTag = 1u << 31;
  /// Where a memory instruction comes from.
  struct Origin {
    unsigned slot = 0;  ///< number of the hardware warp
    std::uint8_t cta_slot = 0;
    std::uint8_t warp_in_cta = 0;
    std::uint8_t copy_group = 0;  ///< group of an asynchronous copy (CopyGroups)
    std::uint8_t copy_mark = 0;   ///< and its place among the warp's cp.async.mbarrier.arrive
    Actor actor;                  ///< who accesses, for the data check
    Addr local_base = 0;
  };
  /// `check` may be nullptr; the requests carry no bytes then.
  Lsu(const SmParams& params, SmId sm, Clocked& owner, TransactionPool& pool, DataCheck* check,
      const Watchers<SmWatch>& watchers);

  RequestPort port;

  /// Returns whether there is room for one more global or local memory instruction of `scheduler`.
  bool can_accept(unsigned scheduler) const {
    return queues_.waiting(queue_of(scheduler)) < params_.lsu_queue && !pending_.exhausted();
  }
  /// Returns whether waiting memory instructions have taken all operand collectors of `scheduler`.
  bool holds_collectors(unsigned scheduler) const {
    return params_.lsu_collectors != 0 && params_.lsu_queue_of == OwnedBy::scheduler &&
           queues_.waiting(queue_of(scheduler)) > params_.lsu_collectors;
  }
  /// Takes an executed instruction of global or local space with at least one lane.
  void accept(const program::Issue& issue, const Origin& origin, unsigned scheduler);

  /// Sends the next requests if the link allows. Returns true when more could happen next cycle.
  bool send(Cycle now);
  /// Takes the responses of a cycle, one, or one a bank of L1D; calls done(origin, inst,
  /// is_store_like) when one completes an instruction, and other(payload) for the answer to a
  /// request of the bulk copy engine.
  template <class Done, class Other>
  void receive(Cycle now, Done&& done, Other&& other);

  bool idle() const { return in_flight_ == 0; }
  /// Number of instructions that have not been answered in full.
  unsigned in_flight() const { return in_flight_; }
  std::uint64_t atomic_groups() const { return atomic_groups_; }
  std::uint64_t requests() const { return requests_sent_; }
  std::uint64_t responses() const { return responses_; }
  std::string describe() const;
  void register_stats(StatGroup& group);

 private:
  /// An instruction whose requests are being sent.
  struct Sending {
    const program::InstInfo* inst = nullptr;
    Origin origin;
    unsigned pending = 0;
    AccessKind kind = AccessKind::load;
    bool local = false;
    std::uint32_t sequence = 0;
    Femtoseconds issued = 0;
    unsigned next = 0;
    unsigned count = 0;
    RequestList requests;
    std::array<Addr, kWarpLanes> address;
    std::array<std::uint8_t, kWarpLanes * program::Issue::kLaneBytes> data;
  };
  /// An instruction whose responses are awaited.
  struct Pending {
    const program::InstInfo* inst = nullptr;
    Origin origin;
    unsigned outstanding = 0;
    unsigned requests = 0;
    unsigned degree = 0;  ///< un-coalescing degree
    bool all_hit = true;  ///< every request so far has hit in L1D
    Cycle issued = 0;
  };
  /// What a pending load should bring. It is used only when bytes are carried.
  struct Expected {
    Actor actor;
    std::array<Addr, kWarpLanes> address;
    std::array<std::uint8_t, kWarpLanes * program::Issue::kLaneBytes> data;
  };

  unsigned queue_of(unsigned scheduler) const { return queues_.count() == 1 ? 0 : scheduler; }
  void send_request(Sending& op);
  void record_writes(const Sending& op, LaneMask lanes);
  void count_groups(const Sending& op, const BlockRequest& request, Access& access);
  /// Returns the bytes of a lane that are next to each other.
  static unsigned bytes_of(const Sending& op) {
    return op.local ? std::min<unsigned>(4, op.inst->bytes) : op.inst->bytes;
  }
  /// Returns the words of the request that its lanes touch, a bit each.
  static std::uint32_t words_of(const Sending& op, const BlockRequest& request);
  void fill_write(const Sending& op, const BlockRequest& request, Transaction& t) const;
  void check_load(const Payload& payload, const Pending& pending, const Expected& expected);
  Payload* take_response();
  template <class Done>
  void take_answer(Payload& payload, Cycle now, Done&& done);
  void finish(unsigned index);

  const SmParams& params_;
  SmId sm_;
  Clocked& owner_;
  TransactionPool& pool_;
  DataCheck* check_;
  const Watchers<SmWatch>& watchers_;
  IssueQueues<Sending> queues_;
  NumberedPool<Pending> pending_;
  std::vector<Expected> expected_;
  unsigned in_flight_ = 0;
  std::uint64_t requests_sent_ = 0, responses_ = 0;
  std::array<std::uint64_t, 3> requests_of_{};  // by their bytes: 32, 64, 128
  std::uint64_t loads_ = 0, stores_ = 0, atomics_ = 0;
  std::uint64_t reductions_ = 0, atomic_lanes_ = 0, atomic_groups_ = 0;
  LoadLatency latency_;
  Coalescer coalescer_;
  Coalescer past_l1d_;  // of atomics and volatile loads
};

template <class Done, class Other>
void Lsu::receive(Cycle now, Done&& done, Other&& other) {
  for (unsigned i = 0; i < params_.l1d_banks; ++i) {
    if (port.response() == nullptr) return;
    if (params_.bulk && (access_of(*port.response()).tag & kBulkTag) != 0)
      other(*port.take_response());
    else
      take_answer(*take_response(), now, done);
  }
}

template <class Done>
void Lsu::take_answer(Payload& payload, Cycle now, Done&& done) {
  const Access& access = access_of(payload);
  const unsigned index = access.tag;
  Pending& p = pending_[index];
  if (access.kind == AccessKind::load) {
    if (check_ != nullptr) check_load(payload, p, expected_[index]);
    if (!latency_.request_done(access, simulation_now())) p.all_hit = false;
  }
  watchers_.tell([&](SmWatch& watch) { watch.answered(*p.inst, payload); });
  payload.release();
  if (--p.outstanding != 0) return;
  const bool load = p.inst->mem == program::MemOp::load;
  if (load) latency_.load_done(p.degree, now - p.issued, p.all_hit);
  watchers_.tell(
      [&](SmWatch& watch) { watch.completed(*p.inst, p.origin.actor.cta, now - p.issued); });
  done(p.origin, *p.inst, !load);
  finish(index);
}

}  // namespace warpmem::sm
