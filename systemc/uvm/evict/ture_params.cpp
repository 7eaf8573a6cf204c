// SPDX-License-Identifier: Apache-2.0
#include "uvm/evict/ture_params.hpp"

#include <fmt/format.h>

#include "uvm/block.hpp"

namespace warpmem::uvm {

namespace {

/// Bits that name a 64 KiB block, enough for 4 GiB of blocks. GU 4.5.5 counts 84 B for 16 entries
/// of a 10-bit counter and a 16-bit tag, which leaves 16 bits an entry for the block that is being
/// sampled.
constexpr std::uint64_t kBlockAddressBits = 16;

}  // namespace

void TureParams::describe(Schema& s) {
  s.integer("sample_cycles", sample_cycles, {1, 1 << 30},
            "SM cycles at the start of each period in which accesses are sampled", "GU 4.3.2.1");
  s.integer("period_cycles", period_cycles, {1, 1 << 30},
            "SM cycles from one sampling of accesses to the next", "GU 4.3.2.1");
  s.integer("sample_entries", sample_entries, {1, 4096}, "blocks that are sampled in one window",
            "GU 4.3.2.1");
  s.integer("counter_bits", counter_bits, {1, 32}, "bits of the access counter of a sampling entry",
            "GU 4.5.5");
  s.integer("tag_bits", tag_bits, {1, 32, true},
            "bits of the page-diversity tag of a sampling entry, which marks the pages used of a "
            "sampled block",
            "GU 4.5.5");
  s.integer("lease_bits", lease_bits, {2, 16}, "bits of a page's remaining lease", "GU 4.5.5");
  s.integer(
      "weight", weight, {1, 100},
      "percent that a window's average counts in a page's new lease; the old lease is the rest",
      "chosen");
  s.integer("table_entries", table_entries, {1, 65536},
            "64 KiB blocks that the coalescing table holds", "GU 4.3.2.2");
  s.integer("blocks", blocks, {1, 1024}, "64 KiB blocks that leave together when memory is short",
            "GU 4.3.2.2");
}

void TureParams::validate(Problems& problems, const char* group) const {
  if (sample_cycles > period_cycles)
    problems.add(fmt::format("{}.sample_cycles", group),
                 fmt::format("{} cycles; allowed: at most {}.period_cycles, {}", sample_cycles,
                             group, period_cycles));
}

TureStorage ture_storage(const TureParams& params, unsigned page_shift) {
  const auto bytes = [](std::uint64_t bits) { return (bits + 7) / 8; };
  const std::uint64_t pages_of_block = std::uint64_t(1) << block_shift(kGranuleBytes, page_shift);
  return {bytes(params.sample_entries *
                (std::uint64_t(params.counter_bits) + params.tag_bits + kBlockAddressBits)),
          params.lease_bits,
          // An entry has the block, which of its pages have expired (together GU's "32 bits
          // address"), and a valid bit.
          bytes(params.table_entries * (kBlockAddressBits + pages_of_block + 1))};
}

std::string storage_text(const TureParams& params, unsigned page_shift,
                         std::uint64_t device_pages) {
  const TureStorage storage = ture_storage(params, page_shift);
  return fmt::format(
      "TURE: sampling buffer {} B, lease {} bits a page ({} B for {} pages), coalescing table {} B",
      storage.sampling_bytes, storage.lease_bits_per_page,
      (storage.lease_bits_per_page * device_pages + 7) / 8, device_pages, storage.table_bytes);
}

}  // namespace warpmem::uvm
