// SPDX-License-Identifier: Apache-2.0
// DL-MSHR (DL section 4, docs/mechanisms.md 2.3): a pool of slot sets. A set becomes the head of a
// block's chain or is linked behind another set. The Dynamic Allocation Unit decides; this class
// stores the requests, compares the blocks and drains the chains. An access takes 2 cycles (DL
// 6.3).
//
// When the last target of a chain has left, its head goes to the DAU as RET in the same cycle (or
// when the releases before it are done), and its block is forgotten.
#pragma once

#include <memory>
#include <vector>

#include "base/ring.hpp"
#include "cache/block_map.hpp"
#include "cache/mha/dl/dau.hpp"
#include "cache/mha/miss_handler.hpp"
#include "cache/mha/params.hpp"
#include "cache/mha/slot_occupancy.hpp"

namespace warpmem::mha {

class DlMshr : public MissHandler {
 public:
  /// `dau` has the size params.dau_size(). `clock` is that of make_miss_handler().
  DlMshr(const MhaParams& params, const TagArray& tags, Allocate allocate, const ClockDomain& clock,
         std::unique_ptr<Dau> dau);

  void begin_cycle(Cycle now) override;
  void end_cycle() override;
  bool busy() const override { return !drains_.empty() || releases(); }
  bool may_rest() const override { return blocks_ != 0 && drains_.empty() && dau_->may_lag(); }
  bool empty() const override { return blocks_ == 0 && !busy(); }

  Match find(Where where) const override;
  Allocation allocate(const Miss& miss, const Room& room, Payload& request) override;
  Stall merge(Where where, Payload& request) override;
  const Payload& first_target(Where where) const override {
    return *target_[std::size_t{head_of(where.block)} * size_.slots];
  }
  Stall take_over(Where where, Payload& request) override;
  void close(Where where) override;

  void fill(Where where) override;
  Payload* target() const override;
  Addr drain_block() const override { return chain_[drains_.front()].block; }
  void pop_target() override;

  unsigned free_entries() const override { return dau_->eval({}).n_free; }
  unsigned most_misses() const override { return size_.sets; }
  unsigned slots() const override { return size_.sets * size_.slots; }
  unsigned occupied() const override { return occupancy_.occupied(); }
  Placement placement() const override { return placement_; }
  void register_stats(StatGroup& group) override;
  std::string describe() const override;

 private:
  using SetId = std::uint32_t;

  /// What belongs to a head and its chain.
  struct Chain {
    Addr block = 0;
    Match state = Match::none;
    std::uint32_t sets = 0;
    std::uint32_t count = 0;    // targets taken
    std::uint32_t drained = 0;  // targets of these that have left
    SetId tail = 0;
    SetId drain_set = 0;  // set of the oldest target that has not left
  };
  /// The walk from head to tail for a request, without a tail pointer.
  struct Search {
    const Payload* request = nullptr;
    Addr block = 0;
    Cycle ready = 0;
  };

  bool releases() const { return !releases_.empty() || release_busy_; }
  void step();
  SetId head_of(Addr block) const;
  bool tail_found(const Chain& chain, Addr block, const Payload& request);
  DauOut ask(const DauIn& in);
  void store(const DauOut& where, Payload& request);
  void count_search();

  DauSize size_;
  bool tail_pointer_;
  bool comparator_gating_;
  std::unique_ptr<Dau> dau_;
  Cycle now_ = 0;
  DauIn in_;               // the DAU's inputs of this cycle
  bool accepted_ = false;  // a request was accepted in this cycle
  Placement placement_;

  cache::BlockMap map_;           // head of each block
  std::vector<Chain> chain_;      // chains, by head
  std::vector<SetId> next_;       // set linked behind each set
  std::vector<Payload*> target_;  // targets, by set and slot
  Ring<SetId> drains_;            // filled chains, in the order of their fills
  Ring<SetId> releases_;          // drained chains that wait for RET to be taken
  bool release_busy_ = false;
  SetId releasing_ = 0;
  Search search_;

  std::uint32_t blocks_ = 0;
  std::uint32_t ordinary_heads_ = 0;  // heads that are not reserved sets
  SlotOccupancy occupancy_;
  std::uint64_t comparator_activations_ = 0;
  std::uint64_t allocations_ = 0;
  std::uint64_t merges_ = 0;
  std::uint64_t targets_drained_ = 0;
  std::uint64_t reserved_heads_ = 0;
  std::uint64_t links_ = 0;
  std::uint64_t link_hops_ = 0;
  std::uint64_t search_cycles_ = 0;
  Histogram chain_length_;
};

}  // namespace warpmem::mha
