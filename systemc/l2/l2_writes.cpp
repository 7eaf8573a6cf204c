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

bool L2Bank::has_bytes(const Payload& payload, LineId line) const {
  return (params_.write_miss == WriteMiss::validate && plain_write(payload)) ||
         valid_.contains(line, bytes_of_access(payload));
}

cache::SectorMask L2Bank::sectors_to_fetch(const Payload& payload) const {
  const cache::SectorMask touched = Cache::sectors_to_fetch(payload);
  if (!plain_write(payload)) return touched;
  switch (params_.write_miss) {
    case WriteMiss::validate:
      return 0;
    case WriteMiss::fetch_partial: {
      const ByteMask bytes = bytes_of_access(payload);
      if (bytes.empty()) return touched;
      ByteMask rest = bytes_of_sectors(touched);
      rest -= bytes;
      return sectors_of(rest) & sectors_of(bytes);  // nothing of the others is written
    }
    default:
      return touched;
  }
}

Stall L2Bank::miss(Payload& payload, Addr block, LineId line, Cycle now) {
  if (plain_write(payload) && (sectors_to_fetch(payload) & ~whole_sectors(line)) == 0)
    return place_written(payload, block, line, now);
  const bool through = line == cache::kNoLine && goes_through(payload);
  if (through && evicting_.full()) return Stall::evict_full;
  const Stall stall = primary_miss(payload, block, line, now);
  if (stall == Stall::none && through) write_through(payload, block);
  return stall;
}

Stall L2Bank::place_written(Payload& payload, Addr block, LineId line, Cycle now) {
  const Stall stall = place(payload, block, line, now);
  if (stall == Stall::none) count_line(block);
  return stall;
}

// A write that merges behind reads must not be in DRAM before their fetch, nor one that misses
// sectors of a line before older bytes of this line; they make the line dirty instead.
bool L2Bank::goes_through(const Payload& payload) const {
  return params_.write_miss == WriteMiss::through_fetch && plain_write(payload) &&
         find_access(payload) != nullptr;
}

// DRAM gets the sectors of 32 B from the first to the last that the write touches, also where a
// line has none, with the bytes of the write alone.
void L2Bank::write_through(Payload& payload, Addr block) {
  const Addr begin = payload.get_address() / kSectorBytes * kSectorBytes;
  const Addr last = (payload.get_address() + payload.get_data_length() - 1) / kSectorBytes;
  Transaction& t = pool_.get_for(access_of(payload), tlm::TLM_WRITE_COMMAND, begin,
                                 static_cast<unsigned>((last + 1) * kSectorBytes - begin));
  enable_bytes(t, bytes_of_access(payload), static_cast<unsigned>(begin - block));
  if (params_.carry_data)
    load_from_payload(payload, t.data.data() + (payload.get_address() - t.get_address()));
  t.access.tag = cache::kWriteback | evicting_.push(t, block);
  mutable_access(payload)->written_through = true;
  ++stats_.write_throughs;
}

bool L2Bank::makes_dirty(const Payload& target) const {
  return target.is_write() && !access_of(target).written_through;
}

}  // namespace warpmem::l2
