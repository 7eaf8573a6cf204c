// SPDX-License-Identifier: Apache-2.0
#include "cache/params.hpp"

namespace warpmem::cache {

void CacheParams::describe_allocate(Schema& s, const std::string& prefix) {
  s.only_noted_if(
      prefix + ".mshr.kind: conventional, set_associative or dl",
      [this] { return !mshr.shares_tags(); },
      [&] {
        s.choice("allocate", allocate,
                 {{"on_miss", cache::Allocate::on_miss}, {"on_fill", cache::Allocate::on_fill}},
                 "whether a miss takes its line when it misses or when its data arrive; tsma takes "
                 "it on the miss, htsma's s-MSHR on the fill",
                 "mechanisms 1.2");
      });
}

void CacheParams::describe_sectors(Schema& s, const std::string& prefix) {
  s.integer(
      "sector", sector_bytes, {0, 64},
      "bytes of the sectors of a line, 32 or 64: parts with valid and dirty bits of their own "
      "under one tag, so that a miss need not fetch the rest; 0: lines are not divided",
      "32 on Maxwell and later: NVIDIA, Nsight Compute documentation");
  s.only_noted_if(
      prefix + ".sector other than 0", [this] { return sectored(); },
      [&] {
        s.integer("fetch", fetch_bytes, {0, 128},
                  "bytes of what a miss asks the next level for, 32, 64 or 128: as many aligned "
                  "ones as hold the sectors that it wants; 0: the sectors alone",
                  "64 on Volta for L2: GPGPU-Sim class");
      });
}

void CacheParams::validate_cache(Problems& problems, const std::string& prefix,
                                 const std::string& size_key) const {
  const std::uint64_t way_bytes = std::uint64_t(ways) * line_bytes;
  if (way_bytes == 0 || size < way_bytes || size % way_bytes != 0) {
    problems.add(prefix + "." + size_key,
                 std::to_string(size) + " bytes with " + prefix + ".ways " + std::to_string(ways) +
                     " and " + prefix + ".line " + std::to_string(line_bytes) +
                     " are no whole number of sets; allowed: a multiple of ways "
                     "x line");
  }
  const auto is_part = [](std::uint32_t bytes) {
    return bytes == 0 || bytes == 32 || bytes == 64 || bytes == 128;
  };
  if (!is_part(sector_bytes)) {
    problems.add(prefix + ".sector",
                 std::to_string(sector_bytes) + " bytes; allowed: 0 (no sectors), 32, 64");
  } else if (sectored() && sector_bytes >= line_bytes) {
    problems.add(prefix + ".sector", "sectors of " + std::to_string(sector_bytes) +
                                         " bytes do not divide a line of " + prefix + ".line " +
                                         std::to_string(line_bytes) +
                                         " bytes; allowed: less than that, or 0 (no sectors)");
  } else if (!is_part(fetch_bytes)) {
    problems.add(prefix + ".fetch",
                 std::to_string(fetch_bytes) + " bytes; allowed: 0 (sectors), 32, 64, 128");
  } else if (sectored() && fetch_bytes != 0 &&
             (fetch_bytes < sector_bytes || fetch_bytes > line_bytes)) {
    problems.add(prefix + ".fetch", std::to_string(fetch_bytes) + " bytes with " + prefix +
                                        ".sector " + std::to_string(sector_bytes) + " and " +
                                        prefix + ".line " + std::to_string(line_bytes) +
                                        "; allowed: from the one to the other");
  }
  frontend.validate(problems, prefix + ".frontend");
  mshr.validate(problems, prefix + ".mshr");
}

}  // namespace warpmem::cache
