// SPDX-License-Identifier: Apache-2.0
// Moves bytes between payloads and the storage of a cache, with the byte enables of TLM-2.0: a
// payload without any enables every byte, and a short enable array repeats.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <tlm>

#include "base/types.hpp"

namespace warpmem {

/// Returns whether byte `i` of the payload is enabled.
inline bool byte_enabled(const tlm::tlm_generic_payload& payload, unsigned i) {
  const unsigned char* enable = payload.get_byte_enable_ptr();
  return enable == nullptr || enable[i % payload.get_byte_enable_length()] == TLM_BYTE_ENABLED;
}

/// Gives the payload of a read the bytes at `from`, as many as its data length.
inline void store_to_payload(tlm::tlm_generic_payload& payload, const std::uint8_t* from) {
  const unsigned n = payload.get_data_length();
  if (payload.get_byte_enable_ptr() == nullptr) {
    std::memcpy(payload.get_data_ptr(), from, n);
    return;
  }
  for (unsigned i = 0; i < n; ++i)
    if (byte_enabled(payload, i)) payload.get_data_ptr()[i] = from[i];
}

/// Writes the enabled bytes of a write to `to`, which has room for its data length.
inline void load_from_payload(const tlm::tlm_generic_payload& payload, std::uint8_t* to) {
  const unsigned n = payload.get_data_length();
  if (payload.get_byte_enable_ptr() == nullptr) {
    std::memcpy(to, payload.get_data_ptr(), n);
    return;
  }
  for (unsigned i = 0; i < n; ++i)
    if (byte_enabled(payload, i)) to[i] = payload.get_data_ptr()[i];
}

/// Calls piece(address, bytes) for each part of [address, address + bytes) that lies within one
/// aligned block, in order, until one returns false. Returns the bytes done before that. The range
/// may reach the end of the address space, where address + bytes is 0.
template <class Piece>
std::uint64_t by_blocks(Addr address, std::uint64_t bytes, std::uint64_t block_bytes,
                        Piece&& piece) {
  std::uint64_t done = 0;
  while (done < bytes) {
    const Addr begin = address + done;
    const std::uint64_t n =
        std::min<std::uint64_t>(bytes - done, block_bytes - begin % block_bytes);
    if (!piece(begin, n)) break;
    done += n;
  }
  return done;
}

/// A debug access in parts, each within one aligned block: calls access(part), which returns the
/// bytes transferred, until one is cut short. Returns the bytes in all.
template <class Access>
unsigned debug_by_blocks(tlm::tlm_generic_payload& payload, std::uint64_t block_bytes,
                         Access&& access) {
  const Addr begin = payload.get_address();
  const auto piece = [&](Addr address, std::uint64_t bytes) {
    const auto n = static_cast<unsigned>(bytes);
    tlm::tlm_generic_payload part;
    part.set_command(payload.get_command());
    part.set_address(address);
    part.set_data_ptr(payload.get_data_ptr() + (address - begin));
    part.set_data_length(n);
    part.set_streaming_width(n);
    const bool whole = access(part) == n;
    payload.set_response_status(part.get_response_status());
    return whole;
  };
  return static_cast<unsigned>(by_blocks(begin, payload.get_data_length(), block_bytes, piece));
}

}  // namespace warpmem
