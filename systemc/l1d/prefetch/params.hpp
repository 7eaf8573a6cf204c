// SPDX-License-Identifier: Apache-2.0
// Configuration of the prefetcher: the keys of l1d.prefetch.
#pragma once

#include <cstdint>

#include "base/errors.hpp"
#include "base/params.hpp"

namespace warpmem::l1d {

enum class PrefetchKind : std::uint8_t { none, pc_stride, pcst, itpc, stpe, mt_hwp };

struct PrefetchParams {
  PrefetchKind kind = PrefetchKind::none;
  std::uint32_t degree = 1;         ///< prefetches that a request causes
  std::uint32_t distance = 1;       ///< strides from the request to the first of them
  std::uint32_t queue = 8;          ///< prefetches that wait for a cycle without demand
  std::uint32_t spare_entries = 1;  ///< MSHR entries that prefetches leave to demand misses
  std::uint32_t entries = 32;       ///< PCs of the stride table
  std::uint32_t inter_pc_entries = 32;
  std::uint32_t warp_entries = 32;
  std::uint32_t global_entries = 8;
  std::uint32_t inter_warp_entries = 8;
  std::uint32_t promotion = 3;      ///< warps with one stride that make it global
  std::uint32_t address_bits = 48;  ///< bits of an address in a table, for the storage only
  std::uint32_t stride_bits = 32;   ///< bits of a signed stride

  bool enabled() const { return kind != PrefetchKind::none; }
  void describe(Schema& schema);
};

/// Bits of a PC in a table.
inline constexpr unsigned kPcBits = 32;

}  // namespace warpmem::l1d
