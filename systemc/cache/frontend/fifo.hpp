// SPDX-License-Identifier: Apache-2.0
// The baseline front end: it tries only the oldest request of the link's queue, which blocks all
// behind it.
#pragma once

#include "cache/frontend/frontend.hpp"

namespace warpmem::cache {

class Fifo : public Frontend {
 public:
  using Frontend::Frontend;

  Waiting* select(Cycle now) override {
    return incoming().empty() || !can_try(incoming().front(), now) ? nullptr : &incoming().front();
  }
  void accepted(Cycle) override { drop_oldest(); }
  bool refused(Cycle, Stall cause) override {
    note_refusal(incoming().front(), cause);
    return false;
  }
  std::string describe() const override { return "fifo"; }
};

}  // namespace warpmem::cache
