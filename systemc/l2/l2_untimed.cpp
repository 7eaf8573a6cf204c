// SPDX-License-Identifier: Apache-2.0
// Accesses that take no simulated time: debug and blocking transport, and what the host does
// between launches. While requests are under way, a line's bytes are where its last finished access
// left them; writes that wait in the miss handler are not seen.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/assert.hpp"
#include "base/payload_bytes.hpp"
#include "l2/l2_bank.hpp"

namespace warpmem::l2 {

using cache::LineState;

// Returns the line's bytes if the bank may have newer ones than DRAM, else nullptr.
std::uint8_t* L2Bank::newest_bytes(Addr block) {
  const LineId line = tags_.find(block, key_of(block));
  if (is_valid(line)) return bytes_of(line);
  if (Transaction* writeback = evicting_.find(block)) return writeback->data.data();
  return nullptr;
}

// Invalidates a valid line; its bytes go to DRAM first when it is dirty.
void L2Bank::drop(LineId line) {
  if (tags_.dirty(line) && params_.carry_data)
    below(tlm::TLM_WRITE_COMMAND, tags_.block(line), bytes_of(line), params_.line_bytes);
  tags_.invalidate(line);
}

unsigned L2Bank::debug(Payload& payload) {
  if (!params_.carry_data) return mem.socket->transport_dbg(payload);
  const Addr begin = payload.get_address();
  return by_blocks(begin, payload.get_data_length(), params_.line_bytes,
                   [&](Addr address, unsigned n) {
                     std::uint8_t* const data = payload.get_data_ptr() + (address - begin);
                     if (payload.is_write()) return debug_write(address, data, n);
                     if (!payload.is_read()) return true;
                     const Addr block = tags_.block_of(address);
                     const std::uint8_t* const line = newest_bytes(block);
                     if (line == nullptr)
                       return below(tlm::TLM_READ_COMMAND, address, data, n) == n;
                     std::memcpy(data, line + (address - block), n);
                     return true;
                   });
}

// Writes bytes of one line: DRAM gets them, and the bank drops the line.
bool L2Bank::debug_write(Addr address, std::uint8_t* data, unsigned bytes) {
  const Addr block = tags_.block_of(address);
  const LineId line = tags_.find(block, key_of(block));
  if (is_valid(line)) drop(line);
  if (Transaction* writeback = evicting_.find(block))  // the write-back may reach DRAM later
    std::memcpy(writeback->data.data() + (address - block), data, bytes);
  return below(tlm::TLM_WRITE_COMMAND, address, data, bytes) == bytes;
}

// A line that is present is accessed here, a missing one below without being brought in.
void L2Bank::blocking(Payload& payload, sc_core::sc_time& delay) {
  const tlm::tlm_response_status form = check(payload);
  if (form != tlm::TLM_OK_RESPONSE) return payload.set_response_status(form);
  const Addr block = tags_.block_of(payload.get_address());
  delay += sc_core::sc_time::from_value(domain().time_of(params_.hit_cycles));
  const LineId line = tags_.find(block, key_of(block));
  if (is_valid(line)) {
    if (params_.carry_data) access_bytes(payload, bytes_of(line));
    if (payload.is_write()) tags_.set_dirty(line);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return;
  }
  Transaction* const writeback = evicting_.find(block);
  if (writeback != nullptr && params_.carry_data) {
    access_bytes(payload, writeback->data.data());
    if (payload.is_read()) {
      payload.set_response_status(tlm::TLM_OK_RESPONSE);
      return;
    }
  }
  if (const cache::Fill* const fill = fills_.find(block))
    if (payload.is_write() && params_.carry_data) access_bytes(payload, fill->bytes());
  mem.socket->b_transport(payload, delay);
}

void L2Bank::begin_launch() { atomics_.clear(); }

void L2Bank::invalidate(Addr begin, std::uint64_t bytes) {
  assert(idle());
  const Addr end = begin + bytes;
  for (LineId line = 0; line < tags_.lines(); ++line) {
    if (tags_.state(line) == LineState::valid && tags_.block(line) < end &&
        tags_.block(line) + params_.line_bytes > begin)
      drop(line);
  }
}

void L2Bank::flush() {
  assert(idle());
  for (LineId line = 0; line < tags_.lines(); ++line)
    if (tags_.state(line) == LineState::valid) drop(line);
}

}  // namespace warpmem::l2
