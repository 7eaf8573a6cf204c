// SPDX-License-Identifier: Apache-2.0
// Moves bytes between payloads and the storage of a cache, with the byte enables of TLM-2.0: a
// payload without any enables every byte, and a short enable array repeats.
#pragma once

#include <cstdint>
#include <cstring>
#include <tlm>

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

}  // namespace warpmem
