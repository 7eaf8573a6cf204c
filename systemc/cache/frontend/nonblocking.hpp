// SPDX-License-Identifier: Apache-2.0
// The straightforward non-blocking buffer (GU 2.3.2): any request in the link's queue may go. When
// one is stalled, the next in turn that is not stalled is taken in the same cycle, since the
// multiplexer sees them all.
#pragma once

#include "cache/frontend/reordering.hpp"

namespace warpmem::cache {

class Nonblocking : public Reordering {
 public:
  Nonblocking(const FrontendParams& params, ServicePort& in, std::uint32_t line_bytes,
              Stage arrival)
      : Reordering(params, in, line_bytes, arrival, 0) {}

  std::string describe() const override;

 private:
  Waiting* choose(Cycle now) override;
  Waiting* find(std::uint64_t number) override;
  void remove(Waiting& selected, Cycle now) override;
  void keep(Waiting& refused) override { turn_ = refused.number + 1; }
  bool tries_all() const override { return true; }

  bool follows_its_line(std::size_t i);

  std::uint64_t turn_ = 0;  // the number at which the turn begins
};

}  // namespace warpmem::cache
