// SPDX-License-Identifier: Apache-2.0
#include "l2/frontend/params.hpp"

#include <fmt/format.h>

namespace warpmem::l2 {

void FrontendParams::describe(Schema& s) {
  s.group("frontend", "structure between the crossbar and the tag lookup", [&] {
    s.choice("kind", kind,
             {{"fifo", FrontendKind::fifo},
              {"nonblocking", FrontendKind::nonblocking},
              {"bank_queues", FrontendKind::bank_queues},
              {"cart", FrontendKind::cart}},
             "which request is tried next", "SPEC 4");
    s.only_if(
        "l2.frontend.kind: nonblocking, bank_queues or cart",
        [this] { return kind != FrontendKind::fifo; },
        [&] {
          s.integer("latency", latency, {0, 1024},
                    "cycles from a request's entry until it takes part in the arbitration",
                    "chosen: GU 2.3.3 accounts for it and gives no number");
          s.integer("overtakes", overtakes, {1, 65536},
                    "a request that so many younger ones have overtaken goes before all others",
                    "chosen: the paper bounds nothing");
        });
    s.only_if(
        "l2.frontend.kind: bank_queues", [this] { return kind == FrontendKind::bank_queues; },
        [&] {
          s.integer("queues", queues, {1, 64},
                    "FIFO queues; a request goes to its DRAM bank modulo this number", "GU 2.3.3");
          s.integer("queue_entries", queue_entries, {1, 256}, "requests of a queue", "chosen");
        });
    s.only_if(
        "l2.frontend.kind: cart", [this] { return kind == FrontendKind::cart; },
        [&] {
          s.integer("rows", cart.rows, {1, 64}, "DRAM rows that a branch holds at a time",
                    "GU Table 2.1");
          s.integer("columns", cart.columns, {1, 64}, "leaf queues of a row", "GU Table 2.1");
          s.integer("depth", cart.depth, {1, 256}, "requests of a leaf queue", "GU Table 2.1");
          s.choice("drain", drain,
                   {{"same_or_longest_row", Drain::same_or_longest_row},
                    {"longest", Drain::longest},
                    {"round_robin", Drain::round_robin},
                    {"greedy", Drain::greedy}},
                   "which leaf drains next: rotating banks with the same leaf, else its row's "
                   "longest, else the longest; the longest of all; in turn; one until it is empty",
                   "GU 2.4.4");
          s.choice("cart_unit", cart_unit, mha::view_names(),
                   "view of the branches that is in the loop", "SPEC 6");
        });
  });
}

void FrontendParams::validate(Problems& problems) const {
  if (kind != FrontendKind::cart || cart_unit == mha::View::fast_class || cart.leaves() <= 64)
    return;
  problems.add("l2.frontend.cart_unit",
               fmt::format("the views systemc and rtl have up to 64 leaves, not {} x {}; allowed: "
                           "class, or rows x columns up to 64",
                           cart.rows, cart.columns));
}

}  // namespace warpmem::l2
