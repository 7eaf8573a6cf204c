// SPDX-License-Identifier: Apache-2.0
#include "program/device_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "base/errors.hpp"

namespace warpmem::program {
namespace {

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// Address space that an allocation takes: its bytes and the gap behind it.
std::uint64_t footprint(std::uint64_t bytes) {
  return round_up(bytes, DeviceMemory::kAlignment) + DeviceMemory::kAlignment;
}

void zero(Addr begin, std::uint64_t bytes) {
  const std::uint64_t page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const Addr end = begin + bytes;
  const Addr inner_begin = round_up(begin, page), inner_end = end / page * page;
  if (inner_begin >= inner_end) {
    std::memset(DeviceMemory::host(begin), 0, bytes);
    return;
  }
  std::memset(DeviceMemory::host(begin), 0, inner_begin - begin);
  // Private anonymous pages that are given back read as zero afterwards.
  if (madvise(DeviceMemory::host(inner_begin), inner_end - inner_begin, MADV_DONTNEED) != 0)
    std::memset(DeviceMemory::host(inner_begin), 0, inner_end - inner_begin);
  std::memset(DeviceMemory::host(inner_end), 0, end - inner_end);
}

}  // namespace

DeviceMemory::DeviceMemory(std::uint64_t capacity) : capacity_(capacity) {
  void* const place = reinterpret_cast<void*>(kBase);
  void* const got = mmap(place, kReserve, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (got == place) return;
  if (got != MAP_FAILED) munmap(got, kReserve);
  throw UserError(
      "device memory: the address range 0x200000000000 (64 GiB) is taken or refused; "
      "one device memory a process, and `ulimit -v` must allow the reservation");
}

DeviceMemory::~DeviceMemory() { munmap(host(kBase), kReserve); }

Addr DeviceMemory::allocate(std::uint64_t bytes, bool managed) {
  if (bytes == 0 || bytes > capacity_) return 0;
  const std::uint64_t used = round_up(bytes, kAlignment);
  if (used > capacity_ - used_) return 0;
  const std::uint64_t need = footprint(bytes);

  Addr begin = 0;
  for (auto hole = holes_.begin(); hole != holes_.end(); ++hole) {
    if (hole->second < need) continue;
    begin = hole->first;
    const std::uint64_t rest = hole->second - need;
    holes_.erase(hole);
    if (rest > 0) holes_.emplace(begin + need, rest);
    break;
  }
  if (begin == 0) {
    if (need > kBase + kReserve - next_) return 0;
    begin = next_;
    next_ += need;
  }
  used_ += used;
  allocations_.emplace(begin, Allocation{begin, bytes, managed});
  return begin;
}

bool DeviceMemory::release(Addr address) {
  const auto it = allocations_.find(address);
  if (it == allocations_.end()) return false;
  const std::uint64_t bytes = it->second.bytes;
  allocations_.erase(it);
  used_ -= round_up(bytes, kAlignment);
  zero(address, bytes);

  Addr begin = address;
  std::uint64_t length = footprint(bytes);
  auto after = holes_.lower_bound(address);
  if (after != holes_.end() && after->first == begin + length) {
    length += after->second;
    after = holes_.erase(after);
  }
  if (after != holes_.begin()) {
    const auto before = std::prev(after);
    if (before->first + before->second == begin) {
      begin = before->first;
      length += before->second;
      holes_.erase(before);
    }
  }
  if (begin + length == next_)
    next_ = begin;
  else
    holes_.emplace(begin, length);
  return true;
}

const DeviceMemory::Allocation* DeviceMemory::find(Addr address, std::uint64_t bytes) const {
  auto it = allocations_.upper_bound(address);
  if (it == allocations_.begin()) return nullptr;
  --it;
  return it->second.contains(address, bytes) ? &it->second : nullptr;
}

}  // namespace warpmem::program
