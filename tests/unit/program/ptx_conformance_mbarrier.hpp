// SPDX-License-Identifier: Apache-2.0
// Cases of mbarrier with every order, scope and space: each thread has an mbarrier of its own, does
// something with it, and reads what its phase misses then.
#pragma once

#include "unit/program/ptx_conformance.hpp"

namespace warpmem::program::ptx {
namespace conformance {

/// Adds a case of the operation `opcode` on an mbarrier that expects %a arrivals. The result is %d;
/// MISSES makes it what the phase misses. `operands` has A for the address.
inline void add_mbarrier_case(Cases& c, const std::string& opcode, const std::string& space,
                              std::string operands, const std::string& after,
                              std::function<std::uint32_t(std::uint32_t)> expected,
                              const std::string& before = "mbarrier.init.shared.b64 [%y], %a; ") {
  if (operands.find('A') != std::string::npos)
    operands.replace(operands.find('A'), 1, space.empty() ? "[%pa]" : "[%y]");
  add_case(
      c, opcode + space + ".b64", {4, 4, 4, 4}, combine({3, 64, 1048574}, {2, 3}),
      [=](auto a, auto, auto) { return expected(static_cast<std::uint32_t>(a)); }, operands,
      ".shared .align 8 .b64 bars[128]; mov.u32 %y, %tid.x; shl.b32 %y, %y, 3; mov.u32 %x, bars; "
      "add.u32 %y, %y, %x; cvt.u64.u32 %pb, %y; cvta.shared.u64 %pa, %pb; mov.u64 %pc, 0; " +
          before,
      after);
}

inline void add_mbarriers(Cases& c) {
  const std::string misses =
      " mbarrier.arrive.shared.b64 %pa, [%y]; mbarrier.pending_count.b64 %d, %pa;";
  const auto less = [](std::uint32_t n) { return [n](std::uint32_t a) { return a - n; }; };
  for (const std::string space : {"", ".shared", ".shared::cta"}) {
    add_mbarrier_case(c, "mbarrier.init", space, "A, %a", misses, less(0), "");
    add_mbarrier_case(c, "mbarrier.inval", space, "A",
                      " ld.shared.u32 %d, [%y]; mbarrier.init.shared.b64 [%y], %a;",
                      [](auto) { return 0; });
    for (const std::string counted : {"", ".noinc"})  // the arrival has come when it is waited for
      add_mbarrier_case(c, "cp.async.mbarrier.arrive" + counted, space, "A", misses,
                        less(counted.empty() ? 0 : 1));
  }
  const auto orders = [](const std::string& order) {
    std::vector<std::string> all = {""};
    for (const auto& sem : {order, std::string(".relaxed")})
      for (const std::string scope : {".cta", ".cluster"}) all.push_back(sem + scope);
    return all;
  };
  for (const std::string space : {"", ".shared", ".shared::cta", ".shared::cluster"}) {
    for (const auto& order : orders(".release"))
      for (const std::string arrive : {"mbarrier.arrive", "mbarrier.arrive_drop"}) {
        add_mbarrier_case(c, arrive + order, space, "_, A, 2", misses, less(2));
        add_mbarrier_case(c, arrive + ".noComplete" + order, space, "%pc, A, %b", misses, less(2),
                          "mbarrier.init.shared.b64 [%y], %a; min.u32 %b, %b, 2; ");
        // The phase ends when its bytes are there, so that it misses an arrival and they are not.
        add_mbarrier_case(c, arrive + ".expect_tx" + order, space, "_, A, 32",
                          " mbarrier.complete_tx.shared.b64 [%y], 32;" + misses, less(1));
      }
    for (const auto& order : {"", ".relaxed.cta", ".relaxed.cluster"}) {
      const std::string both = "mbarrier.init.shared.b64 [%y], %a; ";
      add_mbarrier_case(c, std::string("mbarrier.expect_tx") + order, space, "A, 32",
                        " mbarrier.complete_tx.shared.b64 [%y], 32;" + misses, less(0), both);
      add_mbarrier_case(c, std::string("mbarrier.complete_tx") + order, space, "A, 32", misses,
                        less(0), both + "mbarrier.expect_tx.shared.b64 [%y], 32; ");
    }
    // The first phase has ended where as many arrive as are expected, three.
    const std::string begin =
        "mbarrier.init.shared.b64 [%y], %a; "
        "mbarrier.arrive.shared.b64 %pc, [%y], 3; ";
    const auto ended = [](std::uint32_t a) { return a == 3 ? 1u : 0u; };
    const std::string answer = " selp.u32 %d, 1, 0, %p;";
    for (const auto& order : orders(".acquire"))
      for (const std::string wait : {"mbarrier.test_wait", "mbarrier.try_wait"}) {
        add_mbarrier_case(c, wait + order, space, "%p, A, %pc", answer, ended, begin);
        add_mbarrier_case(c, wait + ".parity" + order, space, "%p, A, 0", answer, ended, begin);
      }
  }
  add_mbarrier_case(c, "mbarrier.pending_count", "", "%d, %pc", "", less(0),
                    "mbarrier.init.shared.b64 [%y], %a; mbarrier.arrive.shared.b64 %pc, [%y]; ");
}

}  // namespace conformance

inline Cases mbarrier_cases() {
  Cases c;
  conformance::add_mbarriers(c);
  return c;
}

}  // namespace warpmem::program::ptx
