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

void CacheParams::validate_cache(Problems& problems, const std::string& prefix) const {
  const std::uint64_t way_bytes = std::uint64_t(ways) * line_bytes;
  if (way_bytes == 0 || size < way_bytes || size % way_bytes != 0) {
    problems.add(prefix + ".size", std::to_string(size) + " bytes with " + prefix + ".ways " +
                                       std::to_string(ways) + " and " + prefix + ".line " +
                                       std::to_string(line_bytes) +
                                       " are no whole number of sets; allowed: a multiple of ways "
                                       "x line");
  }
  frontend.validate(problems, prefix + ".frontend");
  mshr.validate(problems, prefix + ".mshr");
}

}  // namespace warpmem::cache
