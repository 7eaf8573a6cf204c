// SPDX-License-Identifier: Apache-2.0
// Accesses that take no simulated time: debug and blocking transport. They use what is here and go
// to the crossbar for the rest, bring nothing in, and are counted nowhere. They are not ordered
// with requests under way to their line; of a dirty line that has left for L2 the crossbar has the
// bytes.
#include "base/byte_mask.hpp"
#include "base/payload_bytes.hpp"
#include "l1d/l1d.hpp"

namespace warpmem::l1d {

using mha::Match;

// Calls act(write-back) for those of a line that wait for the crossbar, the oldest first.
template <class Act>
void L1d::each_leaving(Addr block, Act&& act) const {
  for (std::size_t i = 0; i < outgoing_.size(); ++i) {
    Transaction& t = *outgoing_.at(i).transaction;
    if ((t.access.tag & cache::kPurpose) == cache::kWriteback &&
        tags_.block_of(t.get_address()) == block)
      act(t);
  }
}

// Lays over what a read has brought from below the bytes of its line that L2 may not have: they are
// dirty here, or wait for the crossbar.
void L1d::lay_newest_over(Payload& read) {
  const Addr begin = read.get_address();
  const Addr block = tags_.block_of(begin);
  const auto lay = [&](Addr address, std::uint8_t byte) {
    const Addr i = address - begin;
    if (i < read.get_data_length() && byte_enabled(read, static_cast<unsigned>(i)))
      read.get_data_ptr()[i] = byte;
  };
  each_leaving(block, [&](const Transaction& t) {
    for (unsigned i = 0; i < t.get_data_length(); ++i)
      if (byte_enabled(t, i)) lay(t.get_address() + i, t.data[i]);
  });
  const LineId line = tags_.find(block, block);
  if (!is_valid(line) || tags_.dirty(line) == 0) return;
  const ByteMask dirty = dirty_bytes(line);
  for (unsigned i = 0; i < params_.line_bytes; ++i)
    if (dirty.test(i)) lay(block + i, bytes_of(line)[i]);
}

// Writes the bytes into every copy of their line. A line that has not arrived yet may have left L2
// before the write, so it is not to be kept.
void L1d::update_copies(const Payload& write) {
  const Addr address = write.get_address();
  const Addr block = tags_.block_of(address);
  each_leaving(block, [&](Transaction& t) {
    for (unsigned i = 0; i < write.get_data_length(); ++i) {
      const Addr at = address + i - t.get_address();
      if (at < t.get_data_length() && byte_enabled(write, i)) t.data[at] = write.get_data_ptr()[i];
    }
  });
  const LineId line = tags_.find(block, block);
  if (is_valid(line)) load_from_payload(write, bytes_of(line) + (address - block));
  const bool arrived = fills_.for_each(block, [&](const cache::Fill& fill) {
    load_from_payload(write, fill.bytes() + (address - block));
  });
  if (arrived || (is_valid(line) && !partial_lines())) return;
  by_blocks(address, write.get_data_length(), unit_bytes(), [&](Addr at, std::uint64_t) {
    const Addr unit = unit_of(at);
    const Match match = handler_->find({unit, line});
    if (match == Match::pending)
      handler_->close({unit, line});
    else if (match == Match::none && !is_valid(line))
      handler_->written(block, block);
    return true;
  });
}

unsigned L1d::debug(Payload& payload) {
  if (!params_.carry_data) return mem.socket->transport_dbg(payload);
  return debug_by_blocks(payload, params_.line_bytes, [this](Payload& part) {
    if (part.is_write()) update_copies(part);
    const unsigned bytes = mem.socket->transport_dbg(part);
    if (part.is_read()) lay_newest_over(part);
    return bytes;
  });
}

// Hits what a request would hit; stores of global memory, which go through, leave the line valid.
void L1d::blocking(Payload& payload, sc_core::sc_time& delay) {
  payload.set_response_status(check(payload));
  if (!payload.is_response_ok()) return;
  delay += sc_core::sc_time::from_value(domain().time_of(params_.hit_cycles));
  const Addr block = tags_.block_of(payload.get_address());
  const LineId line = tags_.find(block, block);
  const bool there = is_valid(line) && (!partial_lines() || has_bytes(payload, line));
  const bool local = there && tags_.dirty(line) != 0;
  if (local || (there && payload.is_read() && !access_of(payload).bypass_l1d)) {
    if (params_.carry_data) access_bytes(payload, bytes_of(line));
    if (payload.is_write()) {
      tags_.set_dirty(line, dirty_sectors(payload));
      if (partial_lines()) valid_.add(line, bytes_of_access(payload));
    }
    return;
  }
  if (payload.is_write() && params_.carry_data) update_copies(payload);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  mem.socket->b_transport(payload, delay);
  if (payload.is_read() && params_.carry_data) lay_newest_over(payload);
}

}  // namespace warpmem::l1d
