// SPDX-License-Identifier: Apache-2.0
#include "l1d/prefetch/params.hpp"

namespace warpmem::l1d {

void PrefetchParams::describe(Schema& s) {
  s.choice("kind", kind,
           {{"none", PrefetchKind::none},
            {"pc_stride", PrefetchKind::pc_stride},
            {"pcst", PrefetchKind::pcst},
            {"itpc", PrefetchKind::itpc},
            {"stpe", PrefetchKind::stpe},
            {"mt_hwp", PrefetchKind::mt_hwp}},
           "what predicts the next lines: pc_stride strides by PC; pcst those of a single thread; "
           "itpc those and strides from one PC to the next, across thread blocks; stpe the same "
           "with throttling; mt_hwp strides per warp and between warps",
           "KI 4");
  s.only_if(
      "l1d.prefetch.kind: not none", [this] { return enabled(); },
      [&] {
        s.integer("degree", degree, {1, 16}, "prefetches that one request causes", "KI Fig 4.3");
        s.integer("distance", distance, {1, 64},
                  "strides between the address of the request and the first line prefetched for it",
                  "KI Fig 4.3");
        s.integer("queue", queue, {1, 256},
                  "prefetches that wait for a cycle without a demand request; more are dropped",
                  "chosen");
        s.integer("spare_entries", spare_entries, {0, 1024},
                  "MSHR entries that prefetches leave to demand misses", "chosen");
        s.integer("address_bits", address_bits, {16, 64},
                  "bits of an address in the tables of the prefetcher; only its storage figure "
                  "depends on it",
                  "device addresses");
        s.integer("stride_bits", stride_bits, {8, 48},
                  "bits of a signed stride in the tables of the prefetcher; a larger stride "
                  "predicts nothing",
                  "chosen");
      });
  const auto group_if = [&](const char* kinds, std::initializer_list<PrefetchKind> wanted,
                            const std::function<void()>& body) {
    const std::vector<PrefetchKind> set(wanted);
    s.only_if(
        std::string("l1d.prefetch.kind: ") + kinds,
        [this, set] {
          for (const PrefetchKind k : set)
            if (k == kind) return true;
          return false;
        },
        body);
  };
  using K = PrefetchKind;
  group_if("pc_stride, pcst, itpc or stpe", {K::pc_stride, K::pcst, K::itpc, K::stpe}, [&] {
    s.integer("entries", entries, {1, 1024}, "PCs that the stride table holds",
              "chosen: KI 4.2.2, small");
  });
  group_if("itpc or stpe", {K::itpc, K::stpe}, [&] {
    s.integer("inter_pc_entries", inter_pc_entries, {1, 1024},
              "PCs that the table of strides between PCs holds", "chosen: as many");
  });
  group_if("mt_hwp", {K::mt_hwp}, [&] {
    s.integer("warp_entries", warp_entries, {1, 1024}, "entries of the per-warp stride table",
              "LLK10: 32");
    s.integer("global_entries", global_entries, {1, 1024}, "entries of the global stride table",
              "LLK10: 8");
    s.integer("inter_warp_entries", inter_warp_entries, {1, 1024},
              "entries of the inter-thread stride table", "LLK10: 8");
    s.integer("promotion", promotion, {1, 64},
              "warps with the same stride at a PC after which this stride becomes a global one",
              "LLK10: 3");
  });
}

}  // namespace warpmem::l1d
