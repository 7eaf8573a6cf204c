// SPDX-License-Identifier: Apache-2.0
// Ports of the MSHR files in rtl/: mshr_conventional, mshr_set_assoc, tsma, dl_mshr.
#pragma once

#include <cstdint>

namespace warpmem::cosim {

/// Addresses and payloads have up to 32 bits.
struct MshrIn {
  bool req_valid = false;
  bool req_secondary = false;  ///< tsma: merges into entry req_addr
  std::uint32_t req_addr = 0;
  std::uint32_t req_slot = 0;
  bool ret_valid = false;
  std::uint32_t ret_addr = 0;  ///< tsma: an entry
  bool rsp_ready = false;

  bool operator==(const MshrIn& o) const {
    return req_valid == o.req_valid && req_secondary == o.req_secondary && req_addr == o.req_addr &&
           req_slot == o.req_slot && ret_valid == o.ret_valid && ret_addr == o.ret_addr &&
           rsp_ready == o.rsp_ready;
  }
};

/// This is why a request was refused (rf_cause).
enum class MshrFail : std::uint8_t { none, entry_full, merge_full, draining };

struct MshrOut {
  bool req_ready = false;
  bool req_secondary = false;   ///< all but tsma
  std::uint32_t req_entry = 0;  ///< dl_mshr: the set
  bool req_link = false;        ///< dl_mshr only
  bool rf = false;
  MshrFail rf_cause = MshrFail::none;
  bool ret_ready = false;
  bool rsp_valid = false;
  std::uint32_t rsp_entry = 0;
  std::uint32_t rsp_addr = 0;  ///< all but tsma
  std::uint32_t rsp_slot = 0;
  bool rsp_last = false;
  std::uint64_t used = 0;        ///< bit i: entry i, of the first 64; not dl_mshr
  std::uint64_t draining = 0;    ///< bit i: entry i drains, of the first 64; not dl_mshr
  std::uint32_t n_free = 0;      ///< dl_mshr only
  std::uint32_t n_linkable = 0;  ///< dl_mshr only
  bool release_busy = false;     ///< dl_mshr only
};

}  // namespace warpmem::cosim
