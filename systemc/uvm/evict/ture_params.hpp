// SPDX-License-Identifier: Apache-2.0
// Parameters of TURE (group uvm.ture), and the storage that they cost.
#pragma once

#include <cstdint>
#include <string>

#include "base/errors.hpp"
#include "base/params.hpp"

namespace warpmem::uvm {

struct TureParams {
  std::uint32_t sample_cycles = 1000;  ///< D: the sampling window at the start of every period
  std::uint32_t period_cycles = 6000;  ///< S: the sampling period
  std::uint32_t sample_entries = 16;
  std::uint32_t counter_bits = 10;
  std::uint32_t tag_bits = 16;  ///< pages that a sampling entry tells apart
  std::uint32_t lease_bits = 10;
  std::uint32_t weight = 50;  ///< percent of the newest average in the lease
  std::uint32_t table_entries = 256;
  std::uint32_t blocks = 4;  ///< blocks that leave together when memory is short

  void describe(Schema& schema);
  void validate(Problems& problems, const char* group) const;
};

/// The storage of GU 4.5.5.
struct TureStorage {
  std::uint64_t sampling_bytes;
  std::uint64_t lease_bits_per_page;
  std::uint64_t table_bytes;
};
TureStorage ture_storage(const TureParams& params, unsigned page_shift);
/// Describes it in words, with the leases of `device_pages`.
std::string storage_text(const TureParams& params, unsigned page_shift, std::uint64_t device_pages);

}  // namespace warpmem::uvm
