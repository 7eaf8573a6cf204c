// SPDX-License-Identifier: Apache-2.0
// B FIFO queues behind the link's queue (GU 2.3.3, Fig 2.3): a request goes to the queue of its
// DRAM bank modulo B, and the queues take turns.
#pragma once

#include <vector>

#include "base/address_map.hpp"
#include "cache/frontend/reordering.hpp"

namespace warpmem::cache {

class BankQueues : public Reordering {
 public:
  BankQueues(const FrontendParams& params, ServicePort& in, const AddressMap& map,
             std::uint32_t line_bytes, Stage arrival);

  void fill(Cycle now) override;
  bool empty() const override { return held_ == 0; }
  void register_stats(StatGroup& group, const ClockDomain& clock) override;
  std::string describe() const override;

 private:
  Waiting* choose(Cycle now) override;
  Waiting* find(std::uint64_t number) override;
  void remove(Waiting& selected, Cycle now) override;
  void keep(Waiting& refused) override { next_ = after(queue_of(refused)); }

  unsigned queue_of(const Waiting& w) const;
  unsigned after(unsigned queue) const { return queue + 1 == queues_.size() ? 0 : queue + 1; }

  const AddressMap& map_;
  std::vector<Ring<Waiting>> queues_;
  unsigned next_ = 0;  // the queue that is looked at first
  std::size_t held_ = 0;
  std::uint64_t most_held_ = 0;
};

}  // namespace warpmem::cache
