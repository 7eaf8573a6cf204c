// SPDX-License-Identifier: Apache-2.0
// Accesses that take no simulated time: debug and blocking transport, and what the host does
// between launches. While requests are under way, a line's bytes are where its last finished access
// left them; writes that wait in the miss handler are not seen.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/assert.hpp"
#include "base/payload_bytes.hpp"
#include "l2/l2_bank.hpp"

namespace warpmem::l2 {

using cache::LineState;

// Writes the dirty bytes of a line to DRAM.
bool L2Bank::write_below(LineId line) {
  const Addr block = tags_.block(line);
  std::uint8_t* const bytes = bytes_of(line);
  const ByteMask dirty = dirty_bytes(line);
  if (dirty == valid_.whole())
    return below(tlm::TLM_WRITE_COMMAND, block, bytes, params_.line_bytes) == params_.line_bytes;
  bool done = true;
  for (unsigned i = 0; i < params_.line_bytes; ++i)
    if (dirty.test(i)) done = below(tlm::TLM_WRITE_COMMAND, block + i, bytes + i, 1) == 1 && done;
  return done;
}

// Invalidates a valid line; its bytes go to DRAM first when it is dirty.
void L2Bank::drop(LineId line) {
  if (tags_.dirty(line) != 0 && params_.carry_data) write_below(line);
  tags_.invalidate(line);
}

unsigned L2Bank::debug(Payload& payload) {
  if (is_host(payload)) return host_->socket->transport_dbg(payload);
  if (!params_.carry_data) return mem.socket->transport_dbg(payload);
  const Addr begin = payload.get_address();
  const auto piece = [&](Addr address, std::uint64_t bytes) {
    std::uint8_t* const data = payload.get_data_ptr() + (address - begin);
    const auto n = static_cast<unsigned>(bytes);
    if (payload.is_write()) return debug_write(address, data, n);
    return !payload.is_read() || debug_read(address, data, n);
  };
  return static_cast<unsigned>(
      by_blocks(begin, payload.get_data_length(), params_.line_bytes, piece));
}

// Reads bytes of one line: those of DRAM, then over them what the bank has.
bool L2Bank::debug_read(Addr address, std::uint8_t* data, unsigned bytes) {
  const Addr block = tags_.block_of(address);
  const auto offset = static_cast<unsigned>(address - block);
  const LineId line = tags_.find(block, key_of(block));
  const bool partial = is_valid(line) && valid_.partial(line);
  if (is_valid(line) && !partial) {
    std::memcpy(data, bytes_of(line) + offset, bytes);
    return true;
  }
  if (below(tlm::TLM_READ_COMMAND, address, data, bytes) != bytes) return false;
  evicting_.for_each(block, [&](const Transaction& t) {
    for (unsigned i = 0; i < t.get_data_length(); ++i) {
      const Addr at = t.get_address() + i - address;
      if (at < bytes && byte_enabled(t, i)) data[at] = t.data[i];
    }
  });
  for (unsigned i = 0; partial && i < bytes; ++i)
    if (valid_.of(line).test(offset + i)) data[i] = bytes_of(line)[offset + i];
  return true;
}

// Writes bytes of one line: DRAM gets them, and the bank drops the line or updates it (l2.memcpy).
bool L2Bank::debug_write(Addr address, std::uint8_t* data, unsigned bytes) {
  const Addr block = tags_.block_of(address);
  const LineId line = tags_.find(block, key_of(block));
  const Addr offset = address - block;
  if (partial_lines())
    pending_.overwrite(unit_of(address), static_cast<unsigned>(offset), data, bytes);
  if (is_valid(line)) {
    if (tags_.held(line) || params_.memcpy == HostCopy::update) {
      std::memcpy(bytes_of(line) + offset, data, bytes);
    } else {
      drop(line);
    }
  }
  // A write-back may reach DRAM later.
  if (Transaction* const writeback = evicting_.find(block)) {
    for (unsigned i = 0; i < bytes; ++i) {
      const Addr at = address + i - writeback->get_address();
      if (at < writeback->get_data_length()) writeback->data[at] = data[i];
    }
  }
  return below(tlm::TLM_WRITE_COMMAND, address, data, bytes) == bytes;
}

// A line that is present is accessed here, a missing one below without being brought in.
void L2Bank::blocking(Payload& payload, sc_core::sc_time& delay) {
  const tlm::tlm_response_status form = check(payload);
  if (form != tlm::TLM_OK_RESPONSE) return payload.set_response_status(form);
  const Addr block = tags_.block_of(payload.get_address());
  delay += sc_core::sc_time::from_value(domain().time_of(params_.hit_cycles));
  if (is_host(payload)) return host_->socket->b_transport(payload, delay);
  const LineId line = tags_.find(block, key_of(block));
  if (is_valid(line) && (!partial_lines() || has_bytes(payload, line))) {
    if (params_.carry_data) access_bytes(payload, bytes_of(line));
    if (payload.is_write()) {
      tags_.set_dirty(line, dirty_sectors(payload));
      if (partial_lines()) valid_.add(line, bytes_of_access(payload));
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return;
  }
  // A line that lacks bytes of the access is given up, and DRAM has all of them.
  const bool held = is_valid(line) && tags_.held(line);
  if (is_valid(line) && !held) drop(line);
  Transaction* const writeback = evicting_.find(block);
  if ((writeback != nullptr || held) && params_.carry_data) {
    std::array<std::uint8_t, kMaxLineBytes> newest;
    const auto offset = static_cast<unsigned>(payload.get_address() - block);
    debug_read(payload.get_address(), newest.data() + offset, payload.get_data_length());
    access_bytes(payload, newest.data());
    if (payload.is_write())
      debug_write(payload.get_address(), newest.data() + offset, payload.get_data_length());
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return;
  }
  if (payload.is_write() && params_.carry_data)
    fills_.for_each(block, [&](const cache::Fill& fill) { access_bytes(payload, fill.bytes()); });
  mem.socket->b_transport(payload, delay);
}

void L2Bank::begin_launch() { atomics_.clear(); }

void L2Bank::count_host_lines() {
  stats_.host_lines += host_lines_;
  host_lines_ = 0;
}

void L2Bank::invalidate(Addr begin, std::uint64_t bytes) {
  assert(idle());
  // A few blocks are looked for, so that a copy of a word costs little in a machine of many slices.
  if (bytes / params_.line_bytes < tags_.lines() / params_.ways) {
    by_blocks(begin, bytes, params_.line_bytes, [&](Addr at, std::uint64_t) {
      const Addr block = tags_.block_of(at);
      const LineId line = tags_.find(block, key_of(block));
      if (is_valid(line)) drop(line);
      return true;
    });
    return;
  }
  for (LineId line = 0; line < tags_.lines(); ++line) {
    const Addr block = tags_.block(line);
    if (tags_.state(line) == LineState::valid &&
        (block - begin < bytes || begin - block < params_.line_bytes))
      drop(line);
  }
}

void L2Bank::take_from_host(Addr block) {
  assert(idle() && !is_valid(tags_.find(block, key_of(block))));
  const LineId line = tags_.victim(key_of(block));
  assert(line != cache::kNoLine && "nothing is reserved");
  if (is_valid(line)) drop(line);
  tags_.reserve(line, block);
  tags_.install(line, block);
  if (partial_lines()) valid_.begin(line, valid_.whole());
  if (params_.carry_data) below(tlm::TLM_READ_COMMAND, block, bytes_of(line), params_.line_bytes);
  ++host_lines_;
}

void L2Bank::flush() {
  assert(idle());
  for (LineId line = 0; line < tags_.lines(); ++line)
    if (tags_.state(line) == LineState::valid) drop(line);
}

}  // namespace warpmem::l2
