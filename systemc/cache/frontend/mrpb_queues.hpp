// SPDX-License-Identifier: Apache-2.0
// Memory request prioritization buffer (MR section 3, docs/mechanisms.md 3.1): queues by signature
// between the LSU's input queue and the cache, so that requests of one warp or block reach the
// cache together.
//
//   n: the request enters its queue   n+latency: it can be chosen   then: it stands at the cache
//   until it is accepted, and the next one is chosen in the cycle after that
//
// At most one request enters and one leaves a cycle. Requests of one signature keep their order, so
// those of a thread do. With the flush option only loads are stored. A load that finds its queue
// full makes that queue the next to drain. A write or atomic waits until its queue is empty and
// goes to the cache next. A request issued after a barrier waits until the queues hold no request
// of its block from before the barrier.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "base/stats.hpp"
#include "base/tlm_ports.hpp"
#include "base/transaction.hpp"
#include "cache/frontend/mrpb_params.hpp"
#include "cache/frontend/unit_factories.hpp"

namespace warpmem::cache {

class MrpbQueues {
 public:
  /// The queues of an SM with `warps` warp slots and `ctas` resident blocks. There is a queue for
  /// each value of the signature, up to 64. Throws UserError when the view of the drain selector
  /// cannot be built.
  MrpbQueues(const MrpbParams& params, unsigned warps, unsigned ctas,
             const FrontendFactories& units = {});

  struct Stats {
    std::uint64_t held = 0;          ///< requests that entered a queue
    std::uint64_t passed = 0;        ///< writes and atomics that were not stored
    std::uint64_t full_flushes = 0;  ///< requests drained for a load that found its queue full
    /// Requests drained for a write or atomic that found requests in its queue.
    std::uint64_t write_flushes = 0;
    std::uint64_t moved_forward = 0;  ///< requests that left before older ones, by their number
    std::uint64_t moved_back = 0;
    std::uint64_t storage_bytes = 0;  ///< bytes of the queues; 0 when their entries have no limit
  };

  /// What can become of `request`, the head of the input queue, in this cycle.
  enum class Entry : std::uint8_t {
    enters,  ///< it may enter its queue: call enter()
    passes,  ///< it is a write or atomic that may stand at the cache at once: call pass()
    waits    ///< its queue is full or must drain first
  };
  Entry look(const Payload& request) const;
  /// Precondition: look() == enters in this cycle.
  void enter(Payload& request, Cycle now);
  /// Precondition: look() == passes in this cycle.
  void pass(Payload& request);

  /// Chooses the request that stands at the cache next, unless one does. `waiting` is the head of
  /// the input queue, or nullptr; the queue that it waits for drains first.
  void choose(const Payload* waiting, Cycle now);
  /// The request that stands at the cache, or nullptr.
  Payload* head() const { return head_; }
  /// The cache has taken the request.
  void pop() { head_ = nullptr; }

  bool empty() const { return head_ == nullptr && held_ == 0; }
  unsigned held() const { return held_; }
  /// The next cycle at which a queued request becomes ready, or kNever.
  Cycle next_ready(Cycle now) const;
  std::string describe() const;
  void register_stats(StatGroup& group);
  const Stats& stats() const { return stats_; }

 private:
  static constexpr unsigned kNone = ~0u;
  struct Node {
    Payload* request = nullptr;
    Cycle ready = 0;
    std::uint64_t number = 0;  // number of the request among those that have entered
    unsigned next = kNone;
  };
  struct Queue {
    unsigned first = kNone;
    unsigned last = kNone;
    unsigned length = 0;
    std::uint64_t requests = 0;
    std::uint64_t cycles = 0;  // cycles that its requests stayed, summed
    std::uint64_t most = 0;
  };
  /// The requests of a block in the queues; all of them have passed the same number of barriers.
  struct Block {
    unsigned held = 0;
    std::uint32_t epoch = 0;
  };

  bool stored(const Payload& request) const;
  bool behind_barrier(const Payload& request) const;
  bool may_pass(const Payload& request) const;
  unsigned queue_of(const Access& access) const;
  bool full(const Queue& queue) const {
    return params_.entries != 0 && queue.length == params_.entries;
  }
  bool ready(const Queue& queue, Cycle now) const {
    return queue.length != 0 && nodes_[queue.first].ready <= now;
  }
  std::uint64_t ready_queues(Cycle now) const;
  void end_unit_cycle();
  void count_leaving(const Node& node, Queue& queue, Cycle now);
  std::uint64_t storage_bytes() const;

  MrpbParams params_;
  std::vector<Queue> queues_;
  std::vector<Block> blocks_;
  std::vector<Node> nodes_;  // nodes of all queues, as many as were ever held at once
  unsigned free_ = kNone;
  unsigned held_ = 0;
  Payload* head_ = nullptr;

  std::unique_ptr<MrpbDrain> drain_;
  // Inputs of the selector's present cycle, from one choose() to the next.
  units::MrpbDrainIn pins_;

  Stats stats_;
  std::uint64_t left_ = 0;
  Histogram distance_{{0, 1, 2, 4, 8, 16, 32, 64, 128}};
};

}  // namespace warpmem::cache
