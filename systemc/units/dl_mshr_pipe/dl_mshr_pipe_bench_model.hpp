// SPDX-License-Identifier: Apache-2.0
// What dl_mshr_pipe must answer, from a model as plain as can be: lists of blocks, each with the
// requests that wait for it. It looks a block up in stage 2, when its answer is due, and so needs
// none of what the hardware's stages tell each other.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "units/mshr_bench_models.hpp"

namespace warpmem::cosim {

class DlPipeModel : ChainModel {
 public:
  using In = units::MshrIn;
  using Out = units::MshrOut;

  explicit DlPipeModel(const units::MshrSize& size) : ChainModel(size) {}

  void reset() { *this = DlPipeModel(size_); }
  Out eval(const In& in) const;
  /// Makes the clock edge.
  void commit(const In& in);

  /// Returns the blocks that wait or drain.
  std::vector<std::uint64_t> names() const;
  /// Whether nothing is stored, and no stage has anything to do.
  bool idle() const;

  // What the situation is, for coverage.
  const In& asked() const { return ask_; }  ///< the request in stage 2
  bool waits(std::uint64_t addr) const { return find(addr) != nullptr; }
  bool drains(std::uint64_t addr) const { return drains_ && draining_.addr == addr; }
  bool returned(std::uint64_t addr) const { return back_valid_ && back_ == addr; }
  bool begins(const In& in) const { return whole() && (!drains_ || leaves(in)); }
  bool some_come() const { return legal() && !whole(); }
  /// All sectors would be here, but the request beside the return fetches more.
  bool fetches_beside_the_last() const {
    return some_come() && find(back_)->sectors.last(back_sectors_);
  }
  bool leaves(const In& in) const { return responds() && last() && in.rsp_ready; }
  bool drain_goes_on(const In& in) const { return drains_ && !leaves(in); }
  bool waits_for_release() const { return drains_ && !slot_waits_ && !responds(); }
  /// Whether the request that leaves next waits until its slot is read, for one is written.
  bool waits_for_port() const { return slot_waits_; }

 private:
  bool legal() const { return back_valid_ && find(back_) != nullptr; }
  /// Whether the chain of the return in stage 2 misses no sector then. What a request that stands
  /// beside it fetches is to come.
  bool whole() const;
  /// Returns what the request in stage 2 fetches, if it is stored.
  std::uint8_t fetch() const { return ChainModel::fetch(find(ask_.req_addr), ask_); }
  bool last() const { return ChainModel::last(draining_); }
  bool ready() const { return walked_.size() <= 1; }
  bool responds() const {
    return drains_ && !slot_waits_ && (!last() || waiting_.size() < size_.releases || ready());
  }
  /// Returns what the request in stage 2 gets.
  Answer answer() const;

  In ask_;                    // the request in stage 2, if it is valid
  bool back_valid_ = false;   // a return stands in stage 2
  bool back_waited_ = false;  // and did so in the cycle before
  std::uint64_t back_ = 0;
  std::uint8_t back_sectors_ = 0;
  bool drains_ = false;
  Block draining_;  // no longer among the blocks
  bool slot_waits_ = false;
  std::deque<std::vector<std::uint32_t>> waiting_;  // chains that are to be released
  std::deque<std::uint32_t> walked_;  // sets of one that are to be freed, the tail first
  std::deque<std::uint32_t> freed_;   // the set that is free in the next cycle
};

}  // namespace warpmem::cosim
