// SPDX-License-Identifier: Apache-2.0
// Memory instructions between their issue and the requests that they make: queues, of the SM or of
// its schedulers, and the stages of the memory pipeline behind them.
//
// A pipeline of P stages that moves on wherever there is room is a queue of P places in which an
// instruction spends at least P cycles. An instruction enters it at most once a cycle, from the
// queues in turn, or the oldest first. Without stages the queues take turns at the LSU itself, an
// instruction each.
#pragma once

#include <vector>

#include "base/assert.hpp"
#include "base/ring.hpp"
#include "base/types.hpp"

namespace warpmem::sm {

template <class Instruction>
class IssueQueues {
 public:
  /// `queues` queues of `entries` instructions each, and `stages` stages of one instruction each.
  /// `oldest_first`: they do not take turns.
  IssueQueues(unsigned queues, unsigned entries, unsigned stages, bool oldest_first = false)
      : entries_(entries),
        stages_(stages),
        oldest_first_(oldest_first),
        queues_(queues),
        pipeline_(stages == 0 ? 1 : stages) {
    for (Queue& queue : queues_) {
      queue.instructions = Ring<Instruction>(entries + stages);
      queue.ages = Ring<std::uint64_t>(entries + stages);
    }
  }

  unsigned count() const { return static_cast<unsigned>(queues_.size()); }
  /// Instructions that occupy entries of the queue.
  unsigned waiting(unsigned queue) const { return queues_[queue].waiting; }
  /// Returns the place of a new instruction, to be filled in. Precondition: waiting() < entries.
  Instruction& push_slot(unsigned queue) {
    assert(queues_[queue].waiting < entries_);
    ++queues_[queue].waiting;
    ++size_;
    if (oldest_first_) queues_[queue].ages.push(pushed_++);
    return queues_[queue].instructions.push_slot();
  }

  bool pipelined() const { return stages_ != 0; }
  /// To be called once a cycle: without stages before front(), so that the next instruction comes
  /// to the LSU; with stages after drop(), so that it enters the pipeline if there is room. Returns
  /// whether one has entered the pipeline.
  bool move(Cycle now) {
    if (pipeline_.full()) return false;
    const unsigned queue = next_queue();
    if (queue == count()) return false;
    turn_ = queue + 1 == count() ? 0 : queue + 1;
    if (stages_ != 0) --queues_[queue].waiting;
    if (oldest_first_) queues_[queue].ages.drop();
    pipeline_.push({queue, now + stages_});
    return stages_ != 0;
  }
  /// Returns the instruction whose requests can go, or nullptr.
  Instruction* front(Cycle now) {
    if (pipeline_.empty() || pipeline_.front().ready > now) return nullptr;
    return &queues_[pipeline_.front().queue].instructions.front();
  }
  /// Returns whether an instruction comes nearer with time alone.
  bool moves() const { return !pipeline_.empty(); }
  /// Removes front().
  void drop() {
    Queue& queue = queues_[pipeline_.pop().queue];
    queue.instructions.drop();
    --size_;
    if (stages_ == 0) --queue.waiting;
  }

  bool empty() const { return size_ == 0; }
  unsigned size() const { return size_; }
  unsigned capacity() const { return count() * entries_ + stages_; }

 private:
  struct Queue {
    Ring<Instruction> instructions{1};  // those in the pipeline included, which are its oldest
    unsigned waiting = 0;
    Ring<std::uint64_t> ages{1};  // places among all that came, of those not in the pipeline
  };
  struct Moving {
    unsigned queue = 0;
    Cycle ready = 0;
  };

  // The queue whose oldest instruction is next to enter, or count().
  unsigned next_queue() const {
    if (oldest_first_) {
      unsigned found = count();
      for (unsigned queue = 0; queue < count(); ++queue)
        if (!queues_[queue].ages.empty() &&
            (found == count() || queues_[queue].ages.front() < queues_[found].ages.front()))
          found = queue;
      return found;
    }
    for (unsigned i = 0; i < count(); ++i) {
      const unsigned queue = turn_ + i < count() ? turn_ + i : turn_ + i - count();
      const Queue& q = queues_[queue];
      if (stages_ != 0 ? q.waiting != 0 : !q.instructions.empty()) return queue;
    }
    return count();
  }

  unsigned entries_;
  unsigned stages_;
  bool oldest_first_;
  std::uint64_t pushed_ = 0;
  std::vector<Queue> queues_;
  Ring<Moving> pipeline_;  // without stages: the instruction at the LSU
  unsigned turn_ = 0;
  unsigned size_ = 0;  // instructions of all queues
};

}  // namespace warpmem::sm
