// SPDX-License-Identifier: Apache-2.0
// A prefetcher predicts how far the address that will be needed next lies from that of a request of
// the LSU. It only sees requests and predicts; PrefetchUnit turns predictions into prefetches.
//
// For each accepted request of global memory train() is called, and then, for a load that looked
// its line up, stride().
#pragma once

#include <cstdint>
#include <memory>

#include "base/stats.hpp"
#include "base/tlm_ports.hpp"
#include "base/transaction.hpp"
#include "l1d/prefetch/params.hpp"

namespace warpmem::l1d {

/// What a prefetcher sees of a request.
struct Demand {
  Addr address = 0;  ///< address of the first lane that the request serves
  std::uint32_t pc = 0;
  std::uint16_t warp = 0;
  bool load = true;
  bool first_request = true;  ///< it is the first request of its instruction, with the first lane
  bool thread_zero = true;    ///< it serves the thread that single-thread prefetchers track
};

/// The thread that is tracked is lane 0 of the first warp of the block in the SM's place 0: one
/// thread at a time (KI 4.2.1), and then that of the next block in this place.
inline constexpr unsigned kTrackedCtaSlot = 0;

/// Returns what a prefetcher sees of `payload`. A payload without lanes (of an initiator that knows
/// of none) stands for the tracked thread.
inline Demand demand_of(const Payload& payload) {
  const Access& a = access_of(payload);
  Demand d;
  d.address = a.lanes != 0 ? a.lane_address : payload.get_address();
  d.pc = a.pc;
  d.warp = a.warp;
  d.load = a.kind == AccessKind::load;
  d.first_request = a.ordinal == 0;
  d.thread_zero =
      a.cta_slot == kTrackedCtaSlot && a.warp_in_cta == 0 && (a.lanes == 0 || (a.lanes & 1) != 0);
  return d;
}

class Prefetcher {
 public:
  virtual ~Prefetcher() = default;

  virtual void train(const Demand& demand) = 0;
  /// Returns the bytes from the address of `demand` to what will be needed next, or 0.
  virtual std::int64_t stride(const Demand& demand) = 0;
  /// A block has left the SM. `tracked` tells whether it is that of kTrackedCtaSlot. `useful` and
  /// `useless` count what became of prefetches since the last block left.
  virtual void cta_finished(bool tracked, std::uint64_t useful, std::uint64_t useless) {
    (void)tracked;
    (void)useful;
    (void)useless;
  }
  /// A launch begins: forgets everything.
  virtual void begin_launch() = 0;
  /// Number of bits of the tables.
  virtual std::uint64_t storage_bits() const = 0;
  virtual void register_stats(StatGroup& group) = 0;
};

/// Returns `to` - `from` if it fits `bits` with its sign, else 0.
inline std::int64_t stride_between(Addr from, Addr to, unsigned bits) {
  const auto stride = static_cast<std::int64_t>(to - from);
  const std::int64_t limit = std::int64_t(1) << (bits - 1);
  return stride >= -limit && stride < limit ? stride : 0;
}

/// Precondition: params.enabled().
std::unique_ptr<Prefetcher> make_prefetcher(const PrefetchParams& params);

}  // namespace warpmem::l1d
