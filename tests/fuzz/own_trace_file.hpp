// SPDX-License-Identifier: Apache-2.0
// Trace files of the own format made of any records: right checksums around whatever comes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpmem::fuzz {

using Bytes = std::vector<std::uint8_t>;

/// Returns a file whose blocks hold `records`, cut where a block is full.
Bytes pack_trace(const std::uint8_t* records, std::size_t size);
/// Returns the contents of the blocks of a file, as far as they can be read.
Bytes unpack_trace(const std::uint8_t* file, std::size_t size);

}  // namespace warpmem::fuzz
