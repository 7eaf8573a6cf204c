// SPDX-License-Identifier: Apache-2.0
#include "dram/scheduler.hpp"

#include <algorithm>

#include "dram/added_policy.hpp"
#include "dram/fcfs.hpp"
#include "dram/fr_fcfs.hpp"

namespace warpmem::dram {

Decision next_command(const RequestQueue& queue, const Device& device, unsigned slot, Cycle from,
                      bool columns) {
  const Request& request = queue[slot];
  const unsigned bank = request.bank;
  if (device.is_held(bank)) return {};
  if (!device.is_open(bank))
    return {Command::activate, slot, std::max(from, device.activate_at(bank))};
  if (device.open_row(bank) != request.row)
    return {Command::precharge, slot, std::max(from, device.precharge_at(bank))};
  if (!columns) return {};
  return {request.write ? Command::write : Command::read, slot,
          std::max(from, device.column_at(bank, request.write))};
}

AddedSchedulers& added_schedulers() {
  static AddedSchedulers added;
  return added;
}

std::unique_ptr<Scheduler> make_scheduler(Policy policy, Cycle age_cap, const std::string& added) {
  if (!added.empty())
    return std::make_unique<AddedPolicy>(added_schedulers().who(added),
                                         added_schedulers().make(added));
  switch (policy) {
    case Policy::fr_fcfs:
      return std::make_unique<FrFcfs>(age_cap);
    case Policy::fcfs:
      return std::make_unique<Fcfs>();
  }
  return nullptr;
}

}  // namespace warpmem::dram
