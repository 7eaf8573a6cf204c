// SPDX-License-Identifier: Apache-2.0
// Hybrid of TSMA and a small MSHR file (KI 5.2, Listing 5.1), synthesizable core: the cores of
// array, s-MSHR and steering, as rtl/htsma puts them together, which has the rules and the timing.
#pragma once

#include <cstdint>

#include "units/htsma/htsma_unit.hpp"
#include "units/htsma_steer/htsma_steer_core.hpp"
#include "units/mshr_file_core.hpp"
#include "units/tsma/tsma_core.hpp"

namespace warpmem::units {

/// `kEntries` is 1..4096, `kSmallEntries` 1..256, `kWays` 1..4096.
template <unsigned kEntries, unsigned kSlots, unsigned kSmallEntries, unsigned kSmallSlots,
          unsigned kWays, unsigned kAddrBits, unsigned kSlotBits, unsigned kSectors = 1>
class HtsmaCore {
  static_assert(kSmallEntries >= 1 && kSmallEntries <= 256, "SMALL_ENTRIES must be 1 to 256");
  static_assert(kWays >= 1 && kWays <= 4096, "WAYS must be 1 to 4096");

 public:
  static constexpr unsigned kTotal = kEntries + kSmallEntries;
  using In = MshrIn;
  using Out = MshrOut;

  void reset() {
    array_.reset();
    small_.reset();
  }

  Out eval(const In& in) const {
    const Asked asked = ask(in);
    const Out array = array_.eval(asked.array);
    const Out small = small_.eval(asked.small);
    Out out;
    out.req_ready = asked.by_small ? small.req_ready : array.req_ready;
    out.req_secondary = in.req_secondary || asked.steer.merges;
    if (out.req_ready)
      out.req_entry = asked.by_small ? kEntries + small.req_entry : array.req_entry;
    out.req_fetch = asked.by_small ? small.req_fetch : array.req_fetch;
    out.req_steer = static_cast<std::uint8_t>(asked.steer.steer);
    out.req_critical = asked.steer.critical && !in.req_secondary;
    out.rf = array.rf || small.rf;
    out.rf_cause = asked.by_small ? small.rf_cause : array.rf_cause;
    out.ret_ready = asked.ret_ready;
    out.rsp_valid = array.rsp_valid || small.rsp_valid;
    out.rsp_entry = small.rsp_valid ? kEntries + small.rsp_entry : array.rsp_entry;
    if (small.rsp_valid) out.rsp_addr = small.rsp_addr;
    out.rsp_slot = small.rsp_valid ? small.rsp_slot : array.rsp_slot;
    out.rsp_last = array.rsp_last || small.rsp_last;
    for (unsigned e = 0; e < kTotal && e < 64; ++e) {
      out.used |= std::uint64_t{used(e)} << e;
      out.draining |= std::uint64_t{draining(e)} << e;
    }
    return out;
  }

  void commit(const In& in) {
    const Asked asked = ask(in);
    array_.commit(asked.array);
    small_.commit(asked.small);
  }

  bool used(unsigned e) const { return e < kEntries ? array_.used(e) : small_.used(e - kEntries); }
  bool draining(unsigned e) const {
    return e < kEntries ? array_.draining(e) : small_.draining(e - kEntries);
  }

  /// Visits the registers.
  template <class V>
  static constexpr void registers(V&& v) {
    v("array", &HtsmaCore::array_);
    v("small", &HtsmaCore::small_);
  }

 private:
  /// This is a cycle as the two parts see it.
  struct Asked {
    In array;
    In small;
    HtsmaSteerOut steer;
    bool by_small = false;   // the request is the s-MSHR's
    bool ret_ready = false;  // neither part drains, or its last request leaves
  };

  Asked ask(const In& in) const {
    Asked asked;
    asked.ret_ready = array_.ret_ready(in.rsp_ready) && small_.ret_ready(in.rsp_ready);
    const bool ret_fire = in.ret_valid && asked.ret_ready;
    const bool ret_small = in.ret_entry >= kEntries;
    asked.array.req_secondary = in.req_secondary;
    asked.array.req_addr = in.req_idx;
    asked.array.req_slot = in.req_slot;
    asked.array.req_sectors = in.req_sectors;
    asked.array.req_held = in.req_held;
    asked.array.ret_valid = ret_fire && !ret_small;
    asked.array.ret_addr = in.ret_entry;
    asked.array.ret_sectors = in.ret_sectors;
    asked.array.rsp_ready = in.rsp_ready;
    asked.small.req_addr = in.req_addr;
    asked.small.req_slot = in.req_slot;
    asked.small.req_sectors = in.req_sectors;
    asked.small.req_held = in.req_held;
    asked.small.ret_valid = ret_fire && ret_small;
    asked.small.ret_addr = in.ret_addr;
    asked.small.ret_sectors = in.ret_sectors;
    asked.small.rsp_ready = in.rsp_ready;

    HtsmaSteerIn steer_in;
    steer_in.shared_count = in.req_shared_count;
    steer_in.victim_valid = in.req_victim_valid;
    steer_in.victim_hit = in.req_victim_hit;
    steer_in.small_empty = true;
    steer_in.small_full = true;
    for (unsigned e = 0; e < kSmallEntries; ++e) {
      if (small_.used(e)) steer_in.small_empty = false;
      if (!small_.used(e)) steer_in.small_full = false;
    }
    steer_in.small_match = small_.eval(asked.small).req_secondary;
    asked.steer = htsma_steer(kWays, steer_in);
    asked.by_small = !in.req_secondary && (asked.steer.merges || asked.steer.to_small);
    asked.array.req_valid = in.req_valid && !asked.by_small;
    asked.small.req_valid = in.req_valid && asked.by_small;
    return asked;
  }

  TsmaCore<kEntries, kSlots, kSlotBits, kSectors> array_;
  MshrFileCore<1, kSmallEntries, kSmallSlots, kAddrBits, kSlotBits, kSectors> small_;
};

}  // namespace warpmem::units
