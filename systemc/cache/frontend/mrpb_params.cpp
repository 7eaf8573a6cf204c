// SPDX-License-Identifier: Apache-2.0
#include "cache/frontend/mrpb_params.hpp"

namespace warpmem::cache {

void MrpbParams::describe(Schema& s) {
  s.choice(
      "signature", signature,
      {{"cta", Signature::cta}, {"warp", Signature::warp}, {"warp_in_cta", Signature::warp_in_cta}},
      "what the requests of one queue have in common: the thread block, the warp, or the number of "
      "the warp in its block",
      "MR 3.2; chosen in 5.5");
  s.choice("drain", drain,
           {{"fixed", MrpbDrainPolicy::fixed},
            {"round_robin", MrpbDrainPolicy::round_robin},
            {"longest", MrpbDrainPolicy::longest},
            {"greedy_fixed", MrpbDrainPolicy::greedy_fixed},
            {"greedy_round_robin", MrpbDrainPolicy::greedy_round_robin},
            {"greedy_longest", MrpbDrainPolicy::greedy_longest}},
           "which queue of the MRPB drains next; the greedy kinds empty a queue first",
           "MR 3.3; chosen in 5.5");
  s.flag("flush", flush,
         "writes and atomics are not stored in the MRPB: they wait until their queue is empty; a "
         "load that finds its queue full makes room there",
         "MR 3.3; chosen in 5.5");
  s.integer("entries", entries, {0, 1024}, "requests that a queue of the MRPB holds; 0 = no limit",
            "MR 5.3; chosen in 5.5");
  s.integer("latency", latency, {1, 64}, "SM cycles of a request's way through the MRPB",
            "MR 5.3; chosen in 5.5");
  s.choice("unit", unit, view_names(), view_text("the MRPB's drain selector"), "mechanisms 6");
}

void MrpbParams::validate(Problems& problems, const std::string& prefix) const {
  if (unit != View::fast_class && entries == 0)
    problems.add(prefix + ".unit",
                 "the views other than class count the requests of a queue; allowed: class, or "
                 "entries of 1 or more");
}

}  // namespace warpmem::cache
