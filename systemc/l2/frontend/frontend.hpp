// SPDX-License-Identifier: Apache-2.0
// Request front end of an L2 bank (SPEC 4): what happens between the link from the crossbar and the
// tag lookup. It decides which request the bank tries next; requests to one line must never
// overtake each other.
#pragma once

#include <memory>
#include <string>

#include "base/params.hpp"
#include "base/stats.hpp"
#include "base/tlm_ports.hpp"

namespace warpmem::l2 {

enum class FrontendKind : std::uint8_t { fifo };

struct FrontendParams {
  FrontendKind kind = FrontendKind::fifo;

  void describe(Schema& schema);
};

class Frontend {
 public:
  virtual ~Frontend() = default;

  /// Once a tick, before select(): takes requests from the link.
  virtual void fill(Cycle now) = 0;
  /// The request to try in this cycle, or nullptr; the same one again until accepted() or
  /// refused().
  virtual Payload* select(Cycle now) = 0;
  /// The bank took the selected request. The front end forgets it.
  virtual void accepted(Cycle now) = 0;
  /// The bank could not take it: it stays, and another one may be selected.
  virtual void refused(Cycle now) = 0;
  /// The next cycle with work of its own, or kNever: arrivals and freed resources wake the bank.
  virtual Cycle next_work(Cycle now) const = 0;
  /// Holds no request (those on the link are the link's).
  virtual bool empty() const = 0;

  virtual void register_stats(StatGroup& group) = 0;
  virtual std::string describe() const = 0;
};

/// `in` is the bank's link from the crossbar and must outlive the front end.
std::unique_ptr<Frontend> make_frontend(const FrontendParams& params, ServicePort& in);

}  // namespace warpmem::l2
