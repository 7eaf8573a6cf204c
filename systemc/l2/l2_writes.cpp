// SPDX-License-Identifier: Apache-2.0
// What writes do that miss (l2.write_miss): fetch, take the line as it is, or go to DRAM as well.
#include "base/assert.hpp"
#include "l2/l2_bank.hpp"

namespace warpmem::l2 {

namespace {

// An atomic reads its words, so that it needs their bytes as a read does.
bool plain_write(const Payload& payload) {
  return payload.is_write() && kind_of(payload) != AccessKind::atomic;
}

}  // namespace

ByteMask L2Bank::bytes_of_access(const Payload& payload) const {
  return ByteMask::of(payload, static_cast<unsigned>(payload.get_address() % params_.line_bytes));
}

bool L2Bank::has_bytes(const Payload& payload, LineId line) const {
  return !written_.partial(line) || plain_write(payload) ||
         written_.contains(line, bytes_of_access(payload));
}

Stall L2Bank::miss(Payload& payload, Addr block, LineId line, Cycle now) {
  if (line != cache::kNoLine) {
    assert(is_valid(line) && written_.partial(line));
    if (!takes_present_lines()) return give_up_partial(line, access_of(payload), now);
    const Stall stall = primary_miss(payload, block, line, now);
    if (stall == Stall::none) ++stats_.partial_misses;
    return stall;
  }
  if (needs_no_fetch(payload)) return place_written(payload, block, now);
  const bool through = goes_through(payload);
  if (through && evicting_.full()) return Stall::evict_full;
  const Stall stall = primary_miss(payload, block, line, now);
  if (stall == Stall::none && through) write_through(payload, block);
  return stall;
}

bool L2Bank::needs_no_fetch(const Payload& payload) const {
  if (!plain_write(payload)) return false;
  if (params_.write_miss == WriteMiss::validate) return true;
  return params_.write_miss == WriteMiss::fetch_partial && written_.whole(bytes_of_access(payload));
}

Stall L2Bank::place_written(Payload& payload, Addr block, Cycle now) {
  const Stall stall = place(payload, block, now);
  if (stall != Stall::none) return stall;
  count_line(block);
  if (keeps_partial_lines())
    written_.begin(tags_.find(block, key_of(block)), bytes_of_access(payload));
  return stall;
}

// The bytes of the line leave first, and its miss waits until DRAM has them.
Stall L2Bank::give_up_partial(LineId line, const Access& evictor, Cycle now) {
  if (evicting_.full()) return Stall::evict_full;
  evict(line, evictor, now);
  tags_.invalidate(line);
  return Stall::line_busy;
}

// A write that merges behind reads must not be in DRAM before their fetch; it makes the line dirty
// instead.
bool L2Bank::goes_through(const Payload& payload) const {
  return params_.write_miss == WriteMiss::through_fetch && plain_write(payload) &&
         find_access(payload) != nullptr;
}

void L2Bank::write_through(Payload& payload, Addr block) {
  Transaction& t =
      pool_.get_for(access_of(payload), tlm::TLM_WRITE_COMMAND, block, params_.line_bytes);
  const ByteMask bytes = bytes_of_access(payload);
  const auto offset = static_cast<unsigned>(payload.get_address() - block);
  enable_bytes(t, bytes);
  if (params_.carry_data) load_from_payload(payload, t.data.data() + offset);
  t.access.tag = cache::kWriteback | evicting_.push(t);
  mutable_access(payload)->written_through = true;
  ++stats_.write_throughs;
}

bool L2Bank::makes_dirty(const Payload& target) const {
  return target.is_write() && !access_of(target).written_through;
}

void L2Bank::on_hit(const Payload& payload, LineId line, Cycle) {
  if (payload.is_write() && written_.partial(line)) written_.add(line, bytes_of_access(payload));
}

// What was written before the miss is laid over the fill, and is still newer than DRAM.
void L2Bank::placing(cache::Fill& fill, LineId line) {
  if (!written_.partial(line)) return;
  if (params_.carry_data && fill.ok())
    copy_bytes(written_.of(line), bytes_of(line), fill.bytes(), params_.line_bytes);
  fill.dirty = true;
  written_.complete(line);
}

}  // namespace warpmem::l2
