// SPDX-License-Identifier: Apache-2.0
// Memory instructions between their issue and the requests that they make: queues, of the SM or of
// its schedulers, and the stages of the memory pipeline behind them.
//
// A pipeline of P stages that moves on wherever there is room is a queue of P places in which an
// instruction spends at least P cycles. An instruction enters it at most once a cycle, from the
// queues in turn. Without stages the queues take turns at the LSU itself, an instruction each.
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
  IssueQueues(unsigned queues, unsigned entries, unsigned stages)
      : entries_(entries), stages_(stages), queues_(queues), pipeline_(stages == 0 ? 1 : stages) {
    for (Queue& queue : queues_) queue.instructions = Ring<Instruction>(entries + stages);
  }

  unsigned count() const { return static_cast<unsigned>(queues_.size()); }
  /// Instructions that occupy entries of the queue.
  unsigned waiting(unsigned queue) const { return queues_[queue].waiting; }
  /// Returns the place of a new instruction, to be filled in. Precondition: waiting() < entries.
  Instruction& push_slot(unsigned queue) {
    assert(queues_[queue].waiting < entries_);
    ++queues_[queue].waiting;
    ++size_;
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
  };
  struct Moving {
    unsigned queue = 0;
    Cycle ready = 0;
  };

  // The queue whose oldest instruction is next to enter, or count().
  unsigned next_queue() const {
    for (unsigned i = 0; i < count(); ++i) {
      const unsigned queue = turn_ + i < count() ? turn_ + i : turn_ + i - count();
      const Queue& q = queues_[queue];
      if (stages_ != 0 ? q.waiting != 0 : !q.instructions.empty()) return queue;
    }
    return count();
  }

  unsigned entries_;
  unsigned stages_;
  std::vector<Queue> queues_;
  Ring<Moving> pipeline_;  // without stages: the instruction at the LSU
  unsigned turn_ = 0;
  unsigned size_ = 0;  // instructions of all queues
};

}  // namespace warpmem::sm
