// SPDX-License-Identifier: Apache-2.0
// The baseline front end: the oldest request of the link's queue, head-of-line blocking.
#pragma once

#include "l2/frontend/frontend.hpp"

namespace warpmem::l2 {

class Fifo : public Frontend {
 public:
  Fifo(const FrontendParams& params, ServicePort& in, std::uint32_t line_bytes)
      : Frontend(params, in, line_bytes, 0) {}

  void register_stats(StatGroup&, const ClockDomain&) override {}
  std::string describe() const override { return "fifo"; }

 private:
  Waiting* choose(Cycle now) override {
    return incoming().empty() || !can_try(incoming().front(), now) ? nullptr : &incoming().front();
  }
  Waiting* find(std::uint64_t) override { return &incoming().front(); }
  void remove(Waiting&, Cycle) override { take(0); }
};

}  // namespace warpmem::l2
