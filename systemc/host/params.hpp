// SPDX-License-Identifier: Apache-2.0
// Configuration of the link over which kernels access memory of the host: the group "host".
#pragma once

#include <cstdint>

#include "base/params.hpp"

namespace warpmem::host {

struct LinkParams {
  std::uint32_t megabytes = 15'754;  ///< of each direction in a second, headers included
  std::uint32_t header_bytes = 24;   ///< of a packet besides its data
  /// From the end of a request's packet until its answer may begin.
  std::uint32_t latency_nanoseconds = 900;
  std::uint32_t reads = 256;           ///< that may be under way at a time
  std::uint32_t queue = 2;             ///< requests of an L2 slice that may wait at the link
  std::uint32_t slice_requests = 128;  ///< requests of an L2 slice without an answer

  bool carry_data = true;  ///< Not a key: whether payloads carry bytes.

  void describe(Schema& schema);
};

}  // namespace warpmem::host
