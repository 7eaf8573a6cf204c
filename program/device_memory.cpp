// SPDX-License-Identifier: Apache-2.0
#include "program/device_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

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

/// Maps a range of zeros there; false when it is taken or refused.
bool map(Addr begin, std::uint64_t bytes) {
  void* const place = reinterpret_cast<void*>(begin);
  void* const got = mmap(place, bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (got == place) return true;
  if (got != MAP_FAILED) munmap(got, bytes);
  return false;
}

/// Returns where the heap of the process begins (man 5 proc, start_brk).
Addr heap_begin() {
  constexpr int kField = 47, kAfterName = 3;
  std::ifstream file("/proc/self/stat");
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::istringstream fields(text.substr(text.rfind(')') + 1));
  std::string word;
  for (int i = kAfterName; i <= kField; ++i) fields >> word;
  return std::strtoull(word.c_str(), nullptr, 10);
}

/// Returns how far into a page the machine takes registered memory to begin. Where a block of the
/// heap begins depends on what else the process has allocated, this library's own needs among it,
/// so the machine takes it to be where a block of malloc begins that has pages of its own.
Addr page_offset(Addr begin) {
  constexpr Addr kMallocHeader = 16;
  static const Addr heap = heap_begin();
  const Addr offset = begin % DeviceMemory::kHostAlignment;
  const bool in_heap = begin >= heap && begin < reinterpret_cast<Addr>(sbrk(0));
  return in_heap && offset != 0 ? kMallocHeader + offset % kMallocHeader : offset;
}

}  // namespace

DeviceMemory* DeviceMemory::the_ = nullptr;

DeviceMemory::DeviceMemory(std::uint64_t capacity, std::uint64_t host_bytes,
                           std::uint64_t managed_alignment)
    : capacity_(capacity), host_bytes_(host_bytes), managed_alignment_(managed_alignment) {
  if (!map(kBase, kReserve))
    throw UserError(
        "device memory: the address range 0x200000000000 (256 GiB) is taken or refused; "
        "one device memory a process, and `ulimit -v` must allow the reservation");
  the_ = this;
}

DeviceMemory::~DeviceMemory() {
  munmap(host(kBase), kReserve);
  if (pinned_mapped_) munmap(host(kHostBase), kPinnedBytes);
  the_ = nullptr;
}

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

Addr DeviceMemory::allocate(std::uint64_t bytes, bool managed) {
  if (bytes == 0) return 0;
  const std::uint64_t used = round_up(bytes, kAlignment);
  if (used < bytes || !fits(used, managed)) return 0;
  const Addr begin =
      space_.place(footprint(bytes, managed), may_leave(managed) ? managed_alignment_ : kAlignment);
  if (begin == 0) return 0;
  (may_leave(managed) ? managed_used_ : used_) += used;
  allocations_.emplace(begin, Allocation{begin, bytes, managed, false, begin});
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
  if (reserved_.count(address) == 0) space_.give_back(address, footprint(bytes, managed));
  return true;
}

Addr DeviceMemory::reserve(std::uint64_t bytes) {
  if (bytes == 0 || bytes > kReserve) return 0;
  const Addr begin = space_.place(footprint(bytes, false), kAlignment);
  if (begin != 0) reserved_.emplace(begin, bytes);
  return begin;
}

bool DeviceMemory::allocate_reserved(Addr reserved) {
  const auto found = reserved_.find(reserved);
  if (found == reserved_.end() || allocations_.count(reserved) != 0) return false;
  const std::uint64_t used = round_up(found->second, kAlignment);
  if (!fits(used, false)) return false;
  used_ += used;
  allocations_.emplace(reserved, Allocation{reserved, found->second, false, false, reserved});
  return true;
}

void DeviceMemory::unreserve(Addr reserved) {
  const auto found = reserved_.find(reserved);
  if (found == reserved_.end()) return;
  const std::uint64_t length = footprint(found->second, false);
  reserved_.erase(found);
  if (allocations_.count(reserved) == 0) space_.give_back(reserved, length);
}

Addr DeviceMemory::allocate_pinned(std::uint64_t bytes) {
  if (bytes == 0 || bytes > kPinnedBytes) return 0;
  if (!pinned_mapped_ && !map(kHostBase, kPinnedBytes)) return 0;
  pinned_mapped_ = true;
  const Addr begin = pinned_.place(pinned_footprint(bytes), kHostAlignment);
  if (begin != 0) allocations_.emplace(begin, Allocation{begin, bytes, false, true, begin});
  return begin;
}

bool DeviceMemory::release_pinned(Addr begin) {
  const auto it = allocations_.find(begin);
  if (it == allocations_.end() || !it->second.host || it->second.machine != begin) return false;
  const std::uint64_t bytes = it->second.bytes;
  allocations_.erase(it);
  zero(begin, bytes);
  pinned_.give_back(begin, pinned_footprint(bytes));
  return true;
}

bool DeviceMemory::take_host(Addr begin, std::uint64_t bytes, bool managed) {
  const auto after = allocations_.lower_bound(begin);
  if (after != allocations_.end() && after->first - begin < bytes) return false;
  if (find(begin, 1) != nullptr || bytes > kRegisteredBytes) return false;
  const Addr offset = page_offset(begin);
  const Addr place = registered_.place(pinned_footprint(offset + bytes), kHostAlignment);
  if (place == 0) return false;
  allocations_.emplace(begin, Allocation{begin, bytes, managed, true, place + offset});
  by_machine_address_.emplace(place + offset, begin);
  return true;
}

bool DeviceMemory::return_host(Addr begin) {
  const auto it = allocations_.find(begin);
  if (it == allocations_.end() || !it->second.registered()) return false;
  const Addr offset = it->second.machine % kHostAlignment;
  registered_.give_back(it->second.machine - offset, pinned_footprint(offset + it->second.bytes));
  by_machine_address_.erase(it->second.machine);
  allocations_.erase(it);
  return true;
}

void DeviceMemory::read(Addr address, unsigned bytes, std::uint8_t* out) {
  if (address < kHostBase + kPinnedBytes || address >= kHostBase + kHostBytes) {
    std::memcpy(out, host(address), bytes);
    return;
  }
  std::memset(out, 0, bytes);
  const auto& ranges = the_->by_machine_address_;
  auto it = ranges.upper_bound(address);
  if (it != ranges.begin()) --it;
  for (; it != ranges.end() && it->first < address + bytes; ++it) {
    const std::uint64_t length = the_->allocations_.at(it->second).bytes;
    const Addr begin = std::max(address, it->first);
    const Addr end = std::min(address + bytes, it->first + length);
    if (begin < end)
      std::memcpy(out + (begin - address), host(it->second + (begin - it->first)), end - begin);
  }
}

const DeviceMemory::Allocation* DeviceMemory::find(Addr address, std::uint64_t bytes) const {
  auto it = allocations_.upper_bound(address);
  if (it == allocations_.begin()) return nullptr;
  --it;
  return it->second.contains(address, bytes) ? &it->second : nullptr;
}

}  // namespace warpmem::program
