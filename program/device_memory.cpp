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

DeviceMemory::DeviceMemory(std::uint64_t capacity, std::uint64_t host_bytes,
                           std::uint64_t managed_alignment)
    : capacity_(capacity), host_bytes_(host_bytes), managed_alignment_(managed_alignment) {
  void* const place = reinterpret_cast<void*>(kBase);
  void* const got = mmap(place, kReserve, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (got == place) return;
  if (got != MAP_FAILED) munmap(got, kReserve);
  throw UserError(
      "device memory: the address range 0x200000000000 (256 GiB) is taken or refused; "
      "one device memory a process, and `ulimit -v` must allow the reservation");
}

DeviceMemory::~DeviceMemory() { munmap(host(kBase), kReserve); }

bool DeviceMemory::fits(std::uint64_t bytes, bool managed) const {
  if (bytes > kReserve || used_ > capacity_) return false;
  if (!may_leave(managed) && bytes > capacity_ - used_) return false;
  // What may leave device memory, and what may not, share the two memories.
  return bytes <= capacity_ + host_bytes_ - used_ - managed_used_;
}

/// Returns the address space that an allocation takes: its bytes and the gap behind it.
std::uint64_t DeviceMemory::footprint(std::uint64_t bytes, bool managed) const {
  const std::uint64_t with_gap = round_up(bytes, kAlignment) + kAlignment;
  return may_leave(managed) ? round_up(with_gap, managed_alignment_) : with_gap;
}

Addr DeviceMemory::place(std::uint64_t need, std::uint64_t alignment) {
  for (auto hole = holes_.begin(); hole != holes_.end(); ++hole) {
    const auto [first, length] = *hole;
    const Addr begin = round_up(first, alignment);
    if (begin - first > length || length - (begin - first) < need) continue;
    holes_.erase(hole);
    if (begin != first) holes_.emplace(first, begin - first);
    const Addr end = begin + need;
    if (end != first + length) holes_.emplace(end, first + length - end);
    return begin;
  }
  const Addr begin = round_up(next_, alignment);
  if (begin > kBase + kReserve || need > kBase + kReserve - begin) return 0;
  if (begin != next_) holes_.emplace(next_, begin - next_);
  next_ = begin + need;
  return begin;
}

Addr DeviceMemory::allocate(std::uint64_t bytes, bool managed) {
  if (bytes == 0) return 0;
  const std::uint64_t used = round_up(bytes, kAlignment);
  if (used < bytes || !fits(used, managed)) return 0;
  const Addr begin =
      place(footprint(bytes, managed), may_leave(managed) ? managed_alignment_ : kAlignment);
  if (begin == 0) return 0;
  (may_leave(managed) ? managed_used_ : used_) += used;
  allocations_.emplace(begin, Allocation{begin, bytes, managed, false});
  return begin;
}

bool DeviceMemory::release(Addr address) {
  const auto it = allocations_.find(address);
  if (it == allocations_.end() || it->second.host) return false;
  const std::uint64_t bytes = it->second.bytes;
  const bool managed = it->second.managed;
  allocations_.erase(it);
  (may_leave(managed) ? managed_used_ : used_) -= round_up(bytes, kAlignment);
  zero(address, bytes);
  if (reserved_.count(address) == 0) return_place(address, footprint(bytes, managed));
  return true;
}

void DeviceMemory::return_place(Addr begin, std::uint64_t length) {
  auto after = holes_.lower_bound(begin);
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
}

Addr DeviceMemory::reserve(std::uint64_t bytes) {
  if (bytes == 0 || bytes > kReserve) return 0;
  const Addr begin = place(footprint(bytes, false), kAlignment);
  if (begin != 0) reserved_.emplace(begin, bytes);
  return begin;
}

bool DeviceMemory::allocate_reserved(Addr reserved) {
  const auto found = reserved_.find(reserved);
  if (found == reserved_.end() || allocations_.count(reserved) != 0) return false;
  const std::uint64_t used = round_up(found->second, kAlignment);
  if (!fits(used, false)) return false;
  used_ += used;
  allocations_.emplace(reserved, Allocation{reserved, found->second, false, false});
  return true;
}

void DeviceMemory::unreserve(Addr reserved) {
  const auto found = reserved_.find(reserved);
  if (found == reserved_.end()) return;
  const std::uint64_t length = footprint(found->second, false);
  reserved_.erase(found);
  if (allocations_.count(reserved) == 0) return_place(reserved, length);
}

bool DeviceMemory::take_host(Addr begin, std::uint64_t bytes) {
  const auto after = allocations_.lower_bound(begin);
  if (after != allocations_.end() && after->first - begin < bytes) return false;
  if (find(begin, 1) != nullptr) return false;
  allocations_.emplace(begin, Allocation{begin, bytes, false, true});
  return true;
}

bool DeviceMemory::return_host(Addr begin) {
  const auto it = allocations_.find(begin);
  if (it == allocations_.end() || !it->second.host) return false;
  allocations_.erase(it);
  return true;
}

const DeviceMemory::Allocation* DeviceMemory::find(Addr address, std::uint64_t bytes) const {
  auto it = allocations_.upper_bound(address);
  if (it == allocations_.begin()) return nullptr;
  --it;
  return it->second.contains(address, bytes) ? &it->second : nullptr;
}

}  // namespace warpmem::program
