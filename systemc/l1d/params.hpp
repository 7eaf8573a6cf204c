// SPDX-License-Identifier: Apache-2.0
// Configuration of L1D: the group "l1d".
#pragma once

#include <cstdint>
#include <string>

#include "cache/params.hpp"
#include "l1d/bypass/bucl.hpp"
#include "l1d/carveout.hpp"
#include "l1d/prefetch/params.hpp"
#include "l1d/prefetch/prefetch_unit.hpp"

namespace warpmem::l1d {

/// What a load of global memory asks L2 for when it goes straight there.
enum class BypassFetch : std::uint8_t { segment, line };

/// What a store or an atomic carries to L2.
enum class StorePacket : std::uint8_t { segment, line };

/// Which misses of global memory leave their line in the cache.
enum class Keep : std::uint8_t { all, prefetches };

/// What a store of global memory, which goes to L2, does to a line that it hits.
enum class Write : std::uint8_t { through_evict, through_update };

/// What a store does that finds none of the sectors that it writes.
enum class WriteMiss : std::uint8_t {
  pass,      ///< global memory: it only goes to L2; local memory: it fetches them
  allocate,  ///< it puts its bytes into a line without fetching the others
};

struct L1dParams : cache::CacheParams {
  bool enable = true;         ///< false: everything goes to L2, local memory too
  std::uint64_t unified = 0;  ///< bytes that L1D and shared memory have together; 0: each its own
  std::string carveout = "auto";  ///< what of these is shared memory: read_carveout()
  std::string carveout_steps = "0, 8 KiB, 16 KiB, 32 KiB, 64 KiB, 96 KiB";
  Keep keep = Keep::all;
  Write write = Write::through_evict;
  WriteMiss write_miss = WriteMiss::pass;
  std::uint32_t outstanding_writes = 1024;  ///< stores, atomics and bypassed loads under way
  StorePacket store_packet = StorePacket::segment;
  BypassFetch bypass_fetch = BypassFetch::segment;
  Bucl::Params bucl;
  PrefetchParams prefetch;
  bool observe_locality = false;       ///< class of each access, contention, victim tags
  bool observe_reuse = false;          ///< lines that are hit before they leave
  PrefetchUnit::Range prefetch_range;  ///< the machine sets it
  unsigned warps = 64;                 ///< warps of the SM; the machine sets it
  unsigned ctas = 32;                  ///< blocks of the SM; the machine sets it
  unsigned victim_tags = 0;            ///< victim tags of a warp, for ccws; the machine sets it

  bool uses_bucl() const {
    return enable && (bypass == cache::Bypass::bucl_dyn || bypass == cache::Bypass::bucl_prf);
  }
  bool prefetches() const { return enable && prefetch.enabled(); }
  /// These parameters, and with `enable` false those of lines and misses as if nobody had set them:
  /// they have no effect, so that nothing is wrong with them either.
  L1dParams effective() const;
  /// The bytes of a way of all sets.
  std::uint64_t way_bytes() const { return (unified != 0 ? unified : size) / ways; }
  /// How a unified L1 is divided. Precondition: validate() has found nothing.
  Carveout division() const;
  void describe(Schema& schema);
  void validate(Problems& problems) const;

 private:
  void validate_effective(Problems& problems) const;
  void validate_banks(Problems& problems) const;
  void validate_unified(Problems& problems) const;
};

}  // namespace warpmem::l1d
