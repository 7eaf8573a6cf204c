// SPDX-License-Identifier: Apache-2.0
#include "cache/frontend/params.hpp"

#include <fmt/format.h>

#include "cache/frontend/registry.hpp"

namespace warpmem::cache {

void FrontendParams::describe_reordering(Schema& s, const char* condition) {
  s.only_if(
      condition, [this] { return kind != FrontendKind::fifo && kind != FrontendKind::mrpb; },
      [&] {
        s.integer(
            "latency", latency, {0, 1024},
            "cycles of the cache from a request's entry until it takes part in the arbitration",
            "chosen: GU 2.3.3 accounts for it and gives no number");
        s.integer("overtakes", overtakes, {1, 65536},
                  "younger requests that may overtake a request before it goes ahead of all others",
                  "chosen: the paper bounds nothing");
      });
}

void FrontendParams::describe_l1d(Schema& s) {
  s.group("frontend", "what reorders requests before the cache", [&] {
    s.choice("kind", kind,
             {{"none", FrontendKind::fifo},
              {"nonblocking", FrontendKind::nonblocking},
              {"mrpb", FrontendKind::mrpb}},
             "which of the waiting requests is tried next: the oldest alone, in turn any that is "
             "not stalled, or by the queues of the MRPB in front of the cache",
             "mechanisms 3.1");
    s.added(added_frontends().names(), added, kind, FrontendKind::fifo);
    describe_reordering(s, "l1d.frontend.kind: nonblocking");
    s.only_if(
        "l1d.frontend.kind: mrpb", [this] { return kind == FrontendKind::mrpb; },
        [&] {
          s.group("mrpb", "memory request prioritization buffer", [&] { mrpb.describe(s); });
        });
  });
}

void FrontendParams::describe_l2(Schema& s) {
  s.group("frontend", "structure between the crossbar and the tag lookup", [&] {
    s.choice("kind", kind,
             {{"fifo", FrontendKind::fifo},
              {"nonblocking", FrontendKind::nonblocking},
              {"bank_queues", FrontendKind::bank_queues},
              {"cart", FrontendKind::cart}},
             "which of the requests that wait for the tag lookup is tried next: the oldest alone, "
             "in turn any that is not stalled, the heads of queues for DRAM banks in turn, or by "
             "the tree of CART",
             "mechanisms 4");
    s.added(added_frontends().names(), added, kind, FrontendKind::fifo);
    describe_reordering(s, "l2.frontend.kind: nonblocking, bank_queues or cart");
    s.only_if(
        "l2.frontend.kind: bank_queues", [this] { return kind == FrontendKind::bank_queues; },
        [&] {
          s.integer("queues", queues, {1, 64},
                    "FIFO queues of an L2 bank's front end; a request goes to the queue of its "
                    "DRAM bank modulo this number",
                    "GU 2.3.3");
          s.integer("queue_entries", queue_entries, {1, 256},
                    "requests that one of these FIFO queues holds", "chosen");
        });
    s.only_if(
        "l2.frontend.kind: cart", [this] { return kind == FrontendKind::cart; },
        [&] {
          s.integer("rows", cart.rows, {1, 64},
                    "DRAM rows that a branch of CART holds at a time; each DRAM bank has a branch",
                    "GU Table 2.1");
          s.integer("columns", cart.columns, {1, 64},
                    "leaf queues that each row of a CART branch has", "GU Table 2.1");
          s.integer("depth", cart.depth, {1, 256}, "requests that a leaf queue of CART holds",
                    "GU Table 2.1");
          s.choice(
              "drain", drain,
              {{"same_or_longest_row", CartDrain::same_or_longest_row},
               {"longest", CartDrain::longest},
               {"round_robin", CartDrain::round_robin},
               {"greedy", CartDrain::greedy}},
              "which leaf of CART drains next: rotating banks with the same leaf, else its row's "
              "longest, else the longest; the longest of all; in turn; one until it is empty",
              "GU 2.4.4");
          s.choice("cart_unit", cart_unit, view_names(), view_text("CART's branches"),
                   "mechanisms 6");
        });
  });
}

void FrontendParams::validate(Problems& problems, const std::string& prefix) const {
  if (kind == FrontendKind::mrpb) mrpb.validate(problems, prefix + ".mrpb");
  if (kind != FrontendKind::cart || cart_unit == View::fast_class || cart.leaves() <= 64) return;
  problems.add(prefix + ".cart_unit",
               fmt::format("the views other than class have up to 64 leaves, not {} x {}; allowed: "
                           "class, or rows x columns up to 64",
                           cart.rows, cart.columns));
}

}  // namespace warpmem::cache
