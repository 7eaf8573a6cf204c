// SPDX-License-Identifier: Apache-2.0
#include "host/params.hpp"

namespace warpmem::host {

void LinkParams::describe(Schema& s) {
  s.integer("bandwidth", megabytes, {1, 1'000'000},
            "MB/s of the link to the host in each direction, headers included, for single requests "
            "of kernels to its memory",
            "PCIe 3.0, 16 lanes: 8 GT/s, 128b/130b");
  s.integer("header_bytes", header_bytes, {0, 64},
            "bytes of a packet on the link besides its data: framing, header, check",
            "PCIe 3.0: 4 + 16 + 4");
  s.integer("latency_ns", latency_nanoseconds, {1, 1'000'000},
            "nanoseconds from the end of a request's packet until its answer begins", "chosen");
  s.integer("reads", reads, {1, 65536}, "reads of host memory that may be under way at a time",
            "PCIe 3.0: tags of 8 bits");
  s.integer("queue", queue, {1, 4096},
            "requests of an L2 slice to host memory that may wait at the link", "chosen");
  s.integer("slice_requests", slice_requests, {1, 4096},
            "requests to host memory that an L2 slice may have under way", "chosen");
}

}  // namespace warpmem::host
