// SPDX-License-Identifier: Apache-2.0
// The baseline front end: the oldest request of the link's queue, head-of-line blocking.
#pragma once

#include "l2/frontend/frontend.hpp"

namespace warpmem::l2 {

class Fifo : public Frontend {
 public:
  explicit Fifo(ServicePort& in) : in_(in) {}

  void fill(Cycle) override {}
  Payload* select(Cycle) override { return in_.request(); }
  void accepted(Cycle) override { in_.take_request(); }
  void refused(Cycle) override {}
  Cycle next_work(Cycle) const override { return kNever; }
  bool empty() const override { return true; }

  void register_stats(StatGroup&) override {}
  std::string describe() const override { return "fifo"; }

 private:
  ServicePort& in_;
};

}  // namespace warpmem::l2
