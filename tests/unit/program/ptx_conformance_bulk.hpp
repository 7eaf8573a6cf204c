// SPDX-License-Identifier: Apache-2.0
// Cases of cp.async.bulk: each thread copies 16 bytes, %a and %b, to its place in shared memory or
// from there, and waits for them at an mbarrier or for its group.
#pragma once

#include "unit/program/ptx_conformance_memory.hpp"

namespace warpmem::program::ptx {
namespace conformance {

/// Declares what a thread has: %y is its place of 16 bytes in shared memory, %pa in global memory,
/// %x its mbarrier, which expects so many bytes. %e0 to %e3 are registers, %e2 is 0.
inline std::string bulk_places(unsigned bytes = 16) {
  return ".reg .b64 %e<4>; .global .align 16 .b8 buffer[65536]; .shared .align 16 .b8 tile[2048]; "
         ".shared .align 8 .b64 bars[128]; mul.wide.u32 %pa, %i, 16; mov.u64 %pb, buffer; "
         "add.u64 %pa, %pa, %pb; mov.u32 %y, %tid.x; shl.b32 %y, %y, 3; mov.u32 %x, bars; "
         "add.u32 %x, %x, %y; shl.b32 %y, %y, 1; mov.u32 %i, tile; add.u32 %y, %y, %i; "
         "mov.u64 %e2, 0; mbarrier.init.shared.b64 [%x], 1; "
         "mbarrier.arrive.expect_tx.shared.b64 _, [%x], " +
         std::to_string(bytes) + "; ";
}
/// Declares %z, another place of the thread in shared memory.
inline std::string other_place() {
  return ".reg .b32 %z, %t; .shared .align 16 .b8 other[2048]; mov.u32 %z, other; "
         "sub.u32 %t, %y, %i; add.u32 %z, %z, %t; ";
}
inline std::string await_mbarrier() {
  return " AGAIN: mbarrier.try_wait.parity.shared.b64 %p, [%x], 0; @!%p bra AGAIN;";
}

/// `before` and `after` the instruction make %d of what was copied.
inline void add_bulk_case(Cases& c, const std::string& spelling, const std::string& operands,
                          const std::string& before, const std::string& after) {
  add_case(
      c, spelling, {8, 8, 8, 4}, memory_values(), [](auto a, auto b, auto) { return a + 3 * b; },
      operands, bulk_places() + before, after + " mad.lo.u64 %d, %e1, 3, %e0;");
}

inline void add_bulk_copies(Cases& c) {
  const std::string store = "cp.async.bulk.global.shared::cta.bulk_group";
  const std::string to_global = "st.global.v2.b64 [%pa], {%a, %b}; ";
  const std::string to_shared = "st.global.v2.b64 [%pa], {0, 0}; st.shared.v2.b64 [%y], {%a, %b}; ";
  const std::string from_global = " ld.global.v2.b64 {%e0, %e1}, [%pa];";
  const std::string wait = await_mbarrier() + " ld.shared.v2.b64 {%e0, %e1}, [%y];";
  const std::string group = " cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;";
  for (const std::string hint : {"", ".L2::cache_hint"}) {
    const std::string policy = hint.empty() ? "" : ", %e2";
    for (const std::string shared : {"shared::cta", "shared::cluster"})
      add_bulk_case(c, "cp.async.bulk." + shared + ".global.mbarrier::complete_tx::bytes" + hint,
                    "[%y], [%pa], 16, [%x]" + policy, to_global, wait);
    add_bulk_case(c, store + hint, "[%pa], [%y], 16" + policy, to_shared, group + from_global);
    add_bulk_case(c, "cp.async.bulk.prefetch.L2.global" + hint, "[%pa], 16" + policy, to_global,
                  from_global);
  }
  // A CTA without a cluster is one of one.
  for (const std::string hint : {"", ".L2::cache_hint"})
    add_bulk_case(c,
                  "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                  ".multicast::cluster" +
                      hint,
                  "[%y], [%pa], 16, [%x], 1" + std::string(hint.empty() ? "" : ", %e2"), to_global,
                  wait);
  add_bulk_case(c, "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes",
                "[%z], [%y], 16, [%x]", to_shared + other_place(),
                await_mbarrier() + " ld.shared.v2.b64 {%e0, %e1}, [%z];");
  const std::string stored = to_shared + store + " [%pa], [%y], 16; ";
  add_bulk_case(c, "cp.async.bulk.commit_group", "", stored,
                " cp.async.bulk.wait_group 0;" + from_global);
  add_bulk_case(c, "cp.async.bulk.wait_group", "0", stored + "cp.async.bulk.commit_group; ",
                from_global);
  // What has been read may be overwritten.
  add_bulk_case(c, "cp.async.bulk.wait_group.read", "0", stored + "cp.async.bulk.commit_group; ",
                " st.shared.v2.b64 [%y], {0, 0}; cp.async.bulk.wait_group 0;" + from_global);
}

}  // namespace conformance

inline Cases bulk_cases() {
  Cases c;
  conformance::add_bulk_copies(c);
  return c;
}

}  // namespace warpmem::program::ptx
