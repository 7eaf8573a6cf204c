// SPDX-License-Identifier: Apache-2.0
// What a channel reports: its statistics, and where its requests are.
#include <string>

#include "dram/channel.hpp"

namespace warpmem::dram {

void Channel::register_stats(StatRegistry& registry, unsigned index) {
  StatGroup& group = registry.group("dram", index);
  stats_.register_in(group);
  group.before_snapshot([this] {
    for (const auto& link : links_) count_refused(*link, domain().cycle_at(simulation_now()));
  });
  group.level(
      "queue", [this] { return std::uint64_t(waiting()); }, "requests",
      "requests that wait in the channel");
  group.amount(
      "bytes", [this] { return stats_.data_cycles * params_.bus_bytes; }, "bytes",
      "bytes that the data bus moved");
  if (params_.refresh != Refresh::none) {
    stats_.register_refreshes_in(group, params_.refresh == Refresh::per_bank);
    group.before_snapshot([this] { refresh_while_idle(domain().cycle_at(simulation_now())); });
    group.law("refreshes due to each bank", [this] { return refreshes_missing(); });
  }
  if (links_.size() == 1) return;
  group.counter("slice_wait_cycles", link_wait_cycles_, "slice cycles",
                "heads of slices that waited since the channel took another slice's request, "
                "summed over DRAM cycles");
  group.law("requests of the slices", [this] {
    std::uint64_t taken = 0;
    for (const auto& link : links_) taken += link->taken;
    return expect_equal("requests taken from the slices", taken, "reads + writes + rejected",
                        stats_.reads + stats_.writes + stats_.rejected);
  });
}

std::string Channel::describe(const Request& r) const {
  return "  " + std::string(r.write ? "write" : "read") + " address " +
         std::to_string(r.payload->get_address()) + " bank " + std::to_string(r.bank) + " row " +
         std::to_string(r.row) + " since cycle " + std::to_string(r.arrival) +
         (device_.is_open(r.bank) ? ", row " + std::to_string(device_.open_row(r.bank)) + " open\n"
                                  : ", bank closed\n");
}

std::string Channel::describe() const {
  std::string text =
      std::string(name()) + ": " + std::to_string(queue_.size()) + "/" +
      std::to_string(params_.queue) + " requests queued, " +
      (params_.write_drain ? std::to_string(writes_.size()) + "/" +
                                 std::to_string(params_.write_queue) + " writes apart, "
                           : "") +
      "next command " + name_of(plan_.command) +
      (plan_.at == kNever ? "" : " at cycle " + std::to_string(plan_.at)) + "\n";
  for (const auto& link : links_)
    text += "  " + link->port.describe() + ", " +
            std::to_string(link->done.size() + link->written.size()) + "/" +
            std::to_string(link->done.capacity() + link->written.capacity()) +
            " responses on their way\n";
  for (const RequestQueue* queue : {&queue_, &writes_})
    for (unsigned slot = queue->oldest(); slot != RequestQueue::kNone; slot = queue->younger(slot))
      text += describe((*queue)[slot]);
  return text;
}

}  // namespace warpmem::dram
