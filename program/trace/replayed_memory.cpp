// SPDX-License-Identifier: Apache-2.0
#include "program/trace/replayed_memory.hpp"

#include <fmt/format.h>

#include <iterator>

#include "base/errors.hpp"

namespace warpmem::program::trace {
namespace {

/// Returns the bytes of memory there are for a program, those of the host that managed memory may
/// take among them.
std::uint64_t bytes_of(const DeviceProperties& properties) {
  return properties.memory_bytes + properties.host_bytes;
}

}  // namespace

void ReplayedMemory::apply(const Command& command) {
  switch (command.kind) {
    case Command::Kind::allocate:
      return allocate(command);
    case Command::Kind::release:
      return release(command);
    case Command::Kind::host_wrote:
      check_copy(command);
      return device_.host_wrote(command.address, command.bytes);
    case Command::Kind::host_read:
      check_copy(command);
      return device_.host_read(command.address, command.bytes);
    case Command::Kind::prefetch:
      check_prefetch(command);
      return device_.prefetch(command.address, command.bytes, command.to_device);
    case Command::Kind::launch:
      break;
  }
}

// Managed memory has regions of its own where pages move.
void ReplayedMemory::allocate(const Command& command) {
  if (command.bytes == 0) return;
  const DeviceProperties& properties = device_.properties();
  std::uint64_t region = command.bytes;
  const char* hint = "";
  if (const std::uint64_t alignment = properties.managed_alignment; alignment != 0) {
    hint = "; record the program with the configuration of this machine (warpmem trace convert -c)";
    if (command.managed) {
      const std::uint64_t most = bytes_of(properties);
      if (command.bytes > most || managed_bytes_ > most - command.bytes)
        throw UserError(
            fmt::format("{}: managed memory of {} bytes besides {}; allowed: {} in all "
                        "(memory.size and uvm.host_memory)",
                        command.place, command.bytes, managed_bytes_, most));
      if (command.address % alignment != 0)
        throw UserError(
            fmt::format("{}: managed memory at 0x{:x}; allowed: multiples of {} "
                        "bytes{}",
                        command.place, command.address, alignment, hint));
      region = (command.bytes + alignment - 1) / alignment * alignment;
    }
  }
  const auto next = ranges_.lower_bound(command.address);
  const bool into_next = next != ranges_.end() && next->first - command.address < region;
  const auto before = next == ranges_.begin() ? ranges_.end() : std::prev(next);
  if (into_next ||
      (before != ranges_.end() && command.address - before->first < before->second.region))
    throw UserError(
        fmt::format("{}: {} bytes at 0x{:x} are allocated; allowed: memory that is "
                    "free{}",
                    command.place, command.bytes, command.address, hint));
  if (command.managed) {
    managed_bytes_ += command.bytes;
    any_managed_ = true;
  }
  ranges_.emplace(command.address, Range{command.bytes, region, command.managed});
  device_.allocated(command.address, command.bytes, command.managed);
}

void ReplayedMemory::release(const Command& command) {
  const auto range = ranges_.find(command.address);
  if (range == ranges_.end())
    throw UserError(
        fmt::format("{}: memory at 0x{:x} is given back; allowed: the address of an "
                    "allocation",
                    command.place, command.address));
  const Range was = range->second;
  ranges_.erase(range);
  if (was.managed) managed_bytes_ -= was.bytes;
  device_.released(command.address, was.bytes);
}

// A machine takes a copy line by line, so one beyond all measure would take hours.
void ReplayedMemory::check_copy(const Command& command) const {
  const std::uint64_t most = bytes_of(device_.properties());
  if (command.bytes > most)
    throw UserError(
        fmt::format("{}: a copy of {} bytes; allowed: at most {}, the memory that "
                    "there is (memory.size)",
                    command.place, command.bytes, most));
}

void ReplayedMemory::check_prefetch(const Command& command) const {
  const auto after = ranges_.upper_bound(command.address);
  const auto range = after == ranges_.begin() ? ranges_.end() : std::prev(after);
  if (range == ranges_.end() || !range->second.managed ||
      command.address - range->first > range->second.bytes ||
      command.bytes > range->second.bytes - (command.address - range->first))
    throw UserError(fmt::format("{}: a prefetch of {} bytes at 0x{:x}; allowed: managed memory",
                                command.place, command.bytes, command.address));
}

}  // namespace warpmem::program::trace
