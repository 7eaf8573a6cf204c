// SPDX-License-Identifier: Apache-2.0
// What the configurations of all cache levels have in common.
#pragma once

#include <cstdint>
#include <string>

#include "base/errors.hpp"
#include "base/params.hpp"
#include "base/transaction.hpp"
#include "cache/frontend/params.hpp"
#include "cache/mha/params.hpp"
#include "cache/stall.hpp"
#include "cache/tag_array.hpp"

namespace warpmem::cache {

/// Which reads go to the next level instead of waiting for the cache: none; those with a
/// reservation fail that the lines of a set cause; those with any reservation fail; those that BUCL
/// selects, with a threshold that adapts or is profiled.
enum class Bypass : std::uint8_t { none, associativity, any_rf, bucl_dyn, bucl_prf };

/// Returns whether a refusal sends a read past the cache. The kinds of BUCL decide by themselves.
constexpr bool goes_past(Bypass kind, Stall refusal) {
  if (kind == Bypass::any_rf) return is_reservation_fail(refusal);
  return kind == Bypass::associativity &&
         (refusal == Stall::assoc_full || refusal == Stall::set_locked);
}

/// What the targets of a fill take: a cycle each; or the requests of an instruction next to each
/// other in 128 B, which wait for sectors of one line, a cycle together.
enum class Drain : std::uint8_t { target, line };
/// A multiple of the numbers of sectors of a line.
inline constexpr unsigned kDrainShares = 12;

/// What a bank serves in a cycle: a sector of 32 B, or a word of 4 B.
enum class BankWidth : std::uint8_t { sector, word };

struct CacheParams {
  std::uint64_t size = 16 * 1024;  ///< bytes
  std::uint32_t ways = 4;
  std::uint32_t line_bytes = 128;  ///< 32, 64 or 128
  std::uint32_t sector_bytes = 0;  ///< 0: lines have no sectors
  std::uint32_t fetch_bytes = 0;   ///< of sectored lines: what a miss asks for; 0: sectors
  IndexHash index = IndexHash::linear;
  ReplacementParams replacement;
  cache::Allocate allocate = cache::Allocate::on_miss;
  std::uint32_t hit_cycles = 1;  ///< cycles from acceptance of a hit to its response
  /// A read hits a sector that has arrived while targets that read are still answered.
  bool hit_under_drain = false;
  std::uint32_t banks = 1;  ///< more than one: each of `bank_width` a cycle
  BankWidth bank_width = BankWidth::sector;
  std::uint32_t lookups = 0;         ///< of more than one bank: lines of a cycle; 0: any number
  std::uint32_t miss_ports = 1;      ///< of more than one bank, for requests that are no hits
  Drain drain = Drain::target;       ///< of more than one bank
  std::uint32_t input_queue = 8;     ///< requests that wait at the link from the requesters
  std::uint32_t miss_queue = 8;      ///< requests that wait for the next level
  std::uint32_t response_queue = 8;  ///< responses that wait at the link from the next level
  FrontendParams frontend;
  Bypass bypass = Bypass::none;
  mha::MhaParams mshr;
  bool carry_data = true;  ///< the machine sets it from check_data; it is not a key of a cache

  std::uint32_t sets() const { return static_cast<std::uint32_t>(size / ways / line_bytes); }
  bool sectored() const { return sector_bytes != 0; }
  /// Bytes of a sector; a line without sectors is one.
  std::uint32_t bytes_of_sector() const { return sectored() ? sector_bytes : line_bytes; }
  /// Bytes that a fetch consists of: it is a multiple of them, aligned.
  std::uint32_t bytes_of_fetch() const {
    return fetch_bytes != 0 && sectored() ? fetch_bytes : bytes_of_sector();
  }
  /// Requests of a cycle that may be other than hits. A single bank takes one, whatever its ports.
  std::uint32_t misses_a_cycle() const { return banks > 1 ? miss_ports : 1; }
  /// Shares of a cycle, of kDrainShares, that answering a target of a fill takes.
  unsigned drain_shares(const tlm::tlm_generic_payload& target) const {
    const bool alone = banks == 1 || drain == Drain::target;
    return alone ? kDrainShares : kDrainShares / access_of(target).line_requests;
  }
  /// Whether the misses of a line's sectors have MSHR entries of their own.
  bool misses_by_sector() const {
    return sectored() && mshr.granularity == mha::Granularity::sector;
  }
  /// Number of sectors of what an MSHR entry tracks.
  std::uint32_t sectors_of_miss() const {
    return (misses_by_sector() ? bytes_of_fetch() : line_bytes) / bytes_of_sector();
  }
  /// Whether the oldest request alone is tried, and has no way past the cache when it is refused.
  bool head_waits_alone() const {
    return frontend.kind == FrontendKind::fifo && frontend.added.empty() && bypass == Bypass::none;
  }
  /// Describes the keys of sectored lines of the cache whose group is `prefix`.
  void describe_sectors(Schema& schema, const std::string& prefix);
  /// Describes the key `allocate` of the cache whose group is `prefix`.
  void describe_allocate(Schema& schema, const std::string& prefix);
  /// Checks what holds for every level. `prefix` is the group's path, and `size_key` the key in it
  /// that says how large the cache is, for messages.
  void validate_cache(Problems& problems, const std::string& prefix,
                      const std::string& size_key = "size") const;
};

}  // namespace warpmem::cache
