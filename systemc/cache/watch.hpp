// SPDX-License-Identifier: Apache-2.0
// What a cache tells those who watch it.
#pragma once

#include <cstdint>

#include "base/tlm_ports.hpp"
#include "base/transaction.hpp"
#include "base/types.hpp"

namespace warpmem::cache {

/// What became of a request that the cache has accepted, as its statistics count it.
enum class Outcome : std::uint8_t {
  hit,
  primary_miss,
  secondary_miss,
  bypass,
  placement,
  write,  ///< L1D: a store that is written through
  atomic  ///< L1D: an atomic on its way to L2
};
inline constexpr unsigned kOutcomes = static_cast<unsigned>(Outcome::atomic) + 1;

class CacheWatch {
 public:
  virtual ~CacheWatch() = default;
  virtual void accepted(const Payload&, Outcome) {}
  /// A valid line was replaced for a request of `evictor`.
  virtual void evicted(const Access& /*evictor*/, bool /*dirty*/) {}
  /// A store that is written through has invalidated its line, or its sectors of it.
  virtual void invalidated(const Access& /*store*/) {}
  /// The miss handler has an entry for `unit` from now on, and has none any more.
  virtual void miss_begins(Addr /*unit*/, const Access& /*origin*/) {}
  virtual void miss_ends(Addr /*unit*/) {}
};

}  // namespace warpmem::cache
