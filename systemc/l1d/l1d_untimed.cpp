// SPDX-License-Identifier: Apache-2.0
// Accesses that take no simulated time: debug and blocking transport. They use what is here and go
// to the crossbar for the rest, bring nothing in, and are counted nowhere. They are not ordered
// with requests under way to their line; of a dirty line that has left for L2 the crossbar has the
// bytes.
#include "base/payload_bytes.hpp"
#include "l1d/l1d.hpp"

namespace warpmem::l1d {

using mha::Match;

// Bytes of a line that L2 may not have: it is dirty here, or waits for the crossbar.
std::uint8_t* L1d::newest_bytes(Addr block) {
  const LineId line = tags_.find(block, block);
  if (is_valid(line) && tags_.dirty(line)) return bytes_of(line);
  for (std::size_t i = outgoing_.size(); i-- > 0;) {
    Transaction& t = *outgoing_.at(i).transaction;
    if ((t.access.tag & cache::kPurpose) == cache::kWriteback && t.get_address() == block)
      return t.data.data();
  }
  return nullptr;
}

// Copies of what L2 has take a write that goes there. A line that has not arrived yet may have left
// L2 before the write, so it is not to be kept.
void L1d::update_copies(const Payload& write) {
  const Addr address = write.get_address();
  const Addr block = tags_.block_of(address);
  const LineId line = tags_.find(block, block);
  if (is_valid(line)) return load_from_payload(write, bytes_of(line) + (address - block));
  if (const cache::Fill* const fill = fills_.find(block))
    return load_from_payload(write, fill->bytes() + (address - block));
  const Match match = handler_->find({block, line});
  if (match == Match::pending)
    handler_->close({block, line});
  else if (match == Match::none)
    handler_->written(block, block);
}

unsigned L1d::debug(Payload& payload) {
  if (!params_.carry_data) return mem.socket->transport_dbg(payload);
  return debug_by_blocks(payload, params_.line_bytes, [this](Payload& part) {
    if (std::uint8_t* const newest = newest_bytes(tags_.block_of(part.get_address()))) {
      access_bytes(part, newest);
      part.set_response_status(tlm::TLM_OK_RESPONSE);
      return part.get_data_length();
    }
    if (part.is_write()) update_copies(part);
    return mem.socket->transport_dbg(part);
  });
}

// Hits what a request would hit; stores of global memory, which go through, leave the line valid.
void L1d::blocking(Payload& payload, sc_core::sc_time& delay) {
  payload.set_response_status(check(payload));
  if (!payload.is_response_ok()) return;
  delay += sc_core::sc_time::from_value(domain().time_of(params_.hit_cycles));
  const Addr block = tags_.block_of(payload.get_address());
  const LineId line = tags_.find(block, block);
  const bool hit = payload.is_read() && is_valid(line) && !access_of(payload).bypass_l1d;
  std::uint8_t* const newest = newest_bytes(block);
  if (newest != nullptr || hit) {
    if (params_.carry_data) access_bytes(payload, newest != nullptr ? newest : bytes_of(line));
    return;
  }
  if (payload.is_write() && params_.carry_data) update_copies(payload);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  mem.socket->b_transport(payload, delay);
}

}  // namespace warpmem::l1d
