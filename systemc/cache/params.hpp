// SPDX-License-Identifier: Apache-2.0
// What the configurations of all cache levels have in common.
#pragma once

#include <cstdint>
#include <string>

#include "base/errors.hpp"
#include "base/params.hpp"
#include "cache/frontend/params.hpp"
#include "cache/mha/params.hpp"
#include "cache/stall.hpp"
#include "cache/tag_array.hpp"

namespace warpmem::cache {

/// Reads that do not wait for the cache but go to the next level: never; on a reservation fail that
/// the lines of a set cause; on any; by BUCL, whose threshold adapts or is profiled.
enum class Bypass : std::uint8_t { none, associativity, any_rf, bucl_dyn, bucl_prf };

/// Whether a refusal sends a read past the cache (not for the kinds of BUCL, which decides itself).
constexpr bool goes_past(Bypass kind, Stall refusal) {
  if (kind == Bypass::any_rf) return is_reservation_fail(refusal);
  return kind == Bypass::associativity &&
         (refusal == Stall::assoc_full || refusal == Stall::set_locked);
}

struct CacheParams {
  std::uint64_t size = 16 * 1024;  ///< bytes
  std::uint32_t ways = 4;
  std::uint32_t line_bytes = 128;  ///< 32, 64 or 128
  IndexHash index = IndexHash::linear;
  cache::Allocate allocate = cache::Allocate::on_miss;
  std::uint32_t hit_cycles = 1;      ///< from acceptance of a hit to its response
  std::uint32_t input_queue = 8;     ///< requests from the link
  std::uint32_t miss_queue = 8;      ///< requests that wait for the next level
  std::uint32_t response_queue = 8;  ///< responses from the next level
  FrontendParams frontend;
  Bypass bypass = Bypass::none;
  mha::MhaParams mshr;
  bool carry_data = true;  ///< set by the machine from check_data; not a key of a cache

  std::uint32_t sets() const { return static_cast<std::uint32_t>(size / ways / line_bytes); }
  /// `allocate`, for a cache whose group is `prefix`.
  void describe_allocate(Schema& schema, const std::string& prefix);
  /// What holds for every level; `prefix` is the group's path, for messages.
  void validate_cache(Problems& problems, const std::string& prefix) const;
};

}  // namespace warpmem::cache
