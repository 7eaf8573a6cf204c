// SPDX-License-Identifier: Apache-2.0
// The bytes of a request, and accesses that take no simulated time.
#include <array>

#include "dram/channel.hpp"

namespace warpmem::dram {

tlm::tlm_response_status Channel::check(const Payload& payload) const {
  if (!payload.is_read() && !payload.is_write()) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  const unsigned bytes = payload.get_data_length();
  const Addr address = payload.get_address();
  if (bytes == 0 || address % kMaxLineBytes + bytes > kMaxLineBytes ||
      payload.get_streaming_width() < bytes)
    return tlm::TLM_BURST_ERROR_RESPONSE;
  if (payload.get_byte_enable_ptr() != nullptr && payload.get_byte_enable_length() == 0)
    return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

void Channel::move_bytes(Payload& payload) {
  const Addr address = payload.get_address();
  const unsigned bytes = payload.get_data_length();
  std::uint8_t* const data = payload.get_data_ptr();
  const std::uint8_t* const enable = payload.get_byte_enable_ptr();
  const unsigned enables = payload.get_byte_enable_length();
  if (enable == nullptr) {
    if (payload.is_write())
      image_.write(address, bytes, data);
    else
      image_.read(address, bytes, data);
    return;
  }
  // Byte enables repeat when they are fewer than the data bytes.
  std::array<std::uint8_t, kMaxLineBytes> enabled;
  for (unsigned i = 0; i < bytes; ++i) enabled[i] = enable[i % enables];
  if (payload.is_write()) {
    image_.write(address, bytes, data, enabled.data());
    return;
  }
  std::array<std::uint8_t, kMaxLineBytes> held;
  image_.read(address, bytes, held.data());
  for (unsigned i = 0; i < bytes; ++i)
    if (enabled[i] != 0) data[i] = held[i];
}

unsigned Channel::debug(Payload& payload) {
  const unsigned bytes = payload.get_data_length();
  if (payload.is_write())
    image_.write(payload.get_address(), bytes, payload.get_data_ptr());
  else if (payload.is_read())
    image_.read(payload.get_address(), bytes, payload.get_data_ptr());
  else
    return 0;
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  return bytes;
}

// Blocking transport takes no place in the queue: it has the latency of an idle, closed bank.
void Channel::blocking(Payload& payload, sc_core::sc_time& delay) {
  const tlm::tlm_response_status status = check(payload);
  payload.set_response_status(status);
  if (status != tlm::TLM_OK_RESPONSE) return;
  move_bytes(payload);
  const unsigned bursts = device_.bursts(
      static_cast<unsigned>(payload.get_address() % kMaxLineBytes), payload.get_data_length());
  const Timing& t = params_.timing;
  const Cycle latency = payload.is_write() ? Cycle(t.t_wl) : Cycle(t.t_cl) + params_.min_latency;
  const Cycle cycles =
      t.t_rcd + latency + (bursts - 1) * device_.burst_distance() + params_.burst_cycles();
  delay += sc_core::sc_time::from_value(domain().time_of(cycles));
}

}  // namespace warpmem::dram
