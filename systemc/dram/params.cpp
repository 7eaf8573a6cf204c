// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "dram/channel.hpp"

namespace warpmem::dram {

void Channel::Params::describe(Schema& s) {
  s.frequency("clock", clock_hz, {1'000'000, 10'000'000'000}, "command clock of the DRAM channels",
              "GPGPU-Sim's GTX480 set");
  s.integer("queue", queue, {1, 256}, "requests that a channel's queue holds", "mechanisms 1.5");
  s.integer(
      "response_queue", response_queue, {1, 256},
      "finished requests that may wait for the link to a slice before column commands stop, beyond "
      "those whose data may be on their way: as many as bursts of the longest latency",
      "chosen");
  s.integer("bus_bytes", bus_bytes, {1, 32, true},
            "bytes that the data bus of a channel, or of each of its pseudo channels, moves in a "
            "DRAM cycle",
            "BU Table II");
  s.integer("burst_bytes", burst_bytes, {32, 128, true},
            "bytes of a burst, which takes burst_bytes / bus_bytes cycles of the data bus; a "
            "shorter access moves a whole one",
            "GDDR5: 8 transfers of 32 bits");
  s.integer("pseudo_channels", pseudo_channels, {1, 2, true},
            "parts of a channel with banks and a data bus of their own behind shared command "
            "buses; bank b belongs to part b mod pseudo_channels",
            "1: GDDR5; 2: HBM2 and HBM3");
  s.integer("bank_groups", bank_groups, {1, 16, true},
            "bank groups of a channel, or of each of its pseudo channels",
            "1: as without the rules that end in _L");
  s.only_noted_if(
      "dram.bank_groups other than 1", [this] { return bank_groups != 1; },
      [&] {
        s.choice("group_bits", group_bits, {{"low", GroupBits::low}, {"high", GroupBits::high}},
                 "which bits of a bank's number (b div pseudo_channels) say its group: the lowest, "
                 "so that neighbouring banks are in different groups, or the highest",
                 "low: chosen; GPGPU-Sim 4 has both");
      });
  s.choice("command_bus", command_bus,
           {{"one", CommandBus::one}, {"row_and_column", CommandBus::row_and_column}},
           "commands of a cycle: one, or a row command (ACTIVATE, PRECHARGE, REFRESH) and a column "
           "command (READ, WRITE)",
           "one: GDDR5; row_and_column: HBM (JESD235)");
  s.choice("column_command", column_command,
           {{"train", ColumnCommand::train}, {"burst", ColumnCommand::burst}},
           "what a READ or WRITE moves: all bursts of a request one after the other, or one burst",
           "train: GPGPU-Sim class");
  s.choice(
      "refresh", refresh,
      {{"none", Refresh::none}, {"all_bank", Refresh::all_bank}, {"per_bank", Refresh::per_bank}},
      "REFRESHes: none, of all banks of a channel or pseudo channel every "
      "dram.timing.tREFI, or of one bank after the other within that time",
      "none: BU and GPGPU-Sim");
  s.choice("policy", policy, {{"fr_fcfs", Policy::fr_fcfs}, {"fcfs", Policy::fcfs}},
           "order of service: row hits first and then oldest first, or oldest first",
           "mechanisms 1.7");
  s.added(added_schedulers().names(), added_policy, policy, Policy::fcfs);
  s.only_if(
      "dram.policy: fr_fcfs", [this] { return policy == Policy::fr_fcfs; },
      [&] {
        s.integer("age_cap", age_cap, {0, 1'000'000'000},
                  "a request older than this many DRAM cycles goes before everything; 0 = never",
                  "mechanisms 1.7");
        s.flag("write_drain", write_drain,
               "writes wait in a queue of their own until there are many, or no read waits",
               "off: GPGPU-Sim class");
        s.only_if(
            "dram.write_drain: true", [this] { return write_drain; },
            [&] {
              s.integer("write_queue", write_queue, {1, 256},
                        "writes that the queue of waiting writes holds", "chosen");
              s.integer("write_high", write_high, {1, 256},
                        "waiting writes from which on a drain of their queue begins",
                        "chosen: three quarters");
              s.integer("write_low", write_low, {0, 255},
                        "waiting writes at which a drain of their queue ends", "chosen: a quarter");
            });
      });
  s.choice("page", page, {{"open", Page::open}, {"closed", Page::closed}},
           "whether a row without waiting requests stays open or is closed by its last column "
           "command (auto-precharge)",
           "open: GPGPU-Sim class");
  s.integer("min_latency", min_latency, {0, 100'000},
            "DRAM cycles added to every read, on top of the device's own; writes are posted",
            "KI Table 5.1");
  s.flag("check_timing", check_timing,
         "every DRAM command is checked against the timing rules by independent code (slow)",
         "chosen");
  s.group("timing", "timing of the DRAM device", [&] { timing.describe(s, *this); });
}

void Channel::Params::validate(Problems& problems, unsigned banks) const {
  if (groups() <= banks)
    timing.validate(problems, *this, banks, clock_hz);
  else
    problems.add("dram.bank_groups",
                 std::to_string(bank_groups) + " groups in each of dram.pseudo_channels " +
                     std::to_string(pseudo_channels) +
                     " have no bank each; allowed: no more than memory.banks (" +
                     std::to_string(banks) + ") in all");
  if (!write_drain) return;
  if (write_high > write_queue)
    problems.add("dram.write_high", std::to_string(write_high) +
                                        " writes never wait; allowed: at "
                                        "most dram.write_queue (" +
                                        std::to_string(write_queue) + ")");
  if (write_low >= write_high)
    problems.add("dram.write_low", std::to_string(write_low) +
                                       " would end a drain before it "
                                       "begins; allowed: below dram.write_high (" +
                                       std::to_string(write_high) + ")");
}

}  // namespace warpmem::dram
