// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "l2/l2_bank.hpp"

namespace warpmem::l2 {

mha::MhaParams L2Bank::Params::default_mshr() {
  mha::MhaParams mshr;
  mshr.entries = 32;
  mshr.slots = 4;
  return mshr;
}

void L2Bank::Params::describe(Schema& s) {
  s.size("size", size, {1024, 64 << 20}, "bytes of a bank", "DL Table 2");
  s.integer("ways", ways, {1, 64}, "lines a set", "DL Table 2");
  s.integer("line", line_bytes, {32, 128, true}, "bytes of a line", "DL Table 2");
  s.choice("index", index, {{"linear", mha::IndexHash::linear}, {"xor", mha::IndexHash::xor5}},
           "set index: low bits of the line's number in the partition, or their five lowest XOR "
           "the five bits above the index",
           "BU section V");
  s.only_noted_if(
      "l2.mshr.kind: conventional, set_associative or dl", [this] { return !mshr.shares_tags(); },
      [&] {
        s.choice(
            "allocate", allocate,
            {{"on_miss", mha::Allocate::on_miss}, {"on_fill", mha::Allocate::on_fill}},
            "when a miss takes its line; tsma takes it on the miss, htsma's s-MSHR on the fill",
            "SPEC 1.2");
      });
  s.integer("hit_cycles", hit_cycles, {1, 1024}, "cycles from acceptance of a hit to its response",
            "chosen");
  s.integer("input_queue", input_queue, {1, 256}, "requests that wait for the tag lookup",
            "GPGPU-Sim class");
  s.integer("miss_queue", miss_queue, {1, 256}, "fetches that wait for DRAM", "GPGPU-Sim class");
  s.integer("evict_buffer", evict_buffer, {1, 256}, "dirty lines on their way to DRAM",
            "chosen: as many as the queue of a DRAM channel holds");
  s.integer("response_queue", response_queue, {1, 256}, "responses that wait, from DRAM",
            "GPGPU-Sim class");
  s.flag("footprint", footprint, "count the distinct lines that the program touches", "chosen");
  frontend.describe(s);
  s.group("bypass", "reads that do not wait for the bank", [&] {
    s.choice("kind", bypass, {{"none", Bypass::none}, {"any_rf", Bypass::any_rf}},
             "a read whose miss the bank refuses goes to DRAM without filling: never, or on any "
             "reservation fail",
             "GU 2.5: resource-aware bypassing");
    s.only_if(
        "l2.bypass.kind: any_rf", [this] { return bypass == Bypass::any_rf; },
        [&] {
          s.integer("reads", bypass_reads, {1, 256}, "reads past the bank at a time", "chosen");
        });
  });
  mshr.describe(s, "l2.mshr");
}

void L2Bank::Params::validate(Problems& problems) const {
  const std::uint64_t way_bytes = std::uint64_t(ways) * line_bytes;
  const std::uint64_t sets = way_bytes == 0 ? 0 : size / way_bytes;
  if (sets == 0 || sets * way_bytes != size || (sets & (sets - 1)) != 0) {
    problems.add("l2.size", std::to_string(size) + " bytes with " + std::to_string(ways) +
                                " ways of " + std::to_string(line_bytes) +
                                " B are not a power of two of sets; allowed: ways x line x 2^n");
  }
  frontend.validate(problems);
  mshr.validate(problems, "l2.mshr");
}

}  // namespace warpmem::l2
