// SPDX-License-Identifier: Apache-2.0
// The functional device memory: an address range reserved at a fixed place, so device addresses are
// the same in every run and equal to host pointers (as unified addressing has it).
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/types.hpp"
#include "program/outside_accesses.hpp"

namespace warpmem::program {

class DeviceMemory {
 public:
  static constexpr Addr kBase = 0x2000'0000'0000;
  static constexpr std::uint64_t kReserve = std::uint64_t(256)
                                            << 30;  ///< address space, not memory
  static constexpr std::uint64_t kAlignment = 256;  ///< alignment of every allocation

  /// Allocations beyond `capacity` bytes in all fail. With `host_bytes`, managed ones may take as
  /// much besides, and each begins a region of `managed_alignment` bytes (a power of two) that it
  /// shares with no other. Throws UserError when the address range is taken.
  explicit DeviceMemory(std::uint64_t capacity, std::uint64_t host_bytes = 0,
                        std::uint64_t managed_alignment = kAlignment);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  /// Zero-filled memory, or 0 when it does not fit or `bytes` is 0. First fit by address, so equal
  /// sequences of calls give equal addresses; at least kAlignment unallocated bytes follow each
  /// allocation, so that an overrun is an access to nothing.
  Addr allocate(std::uint64_t bytes, bool managed = false);
  /// False when `address` is not the start of an allocation.
  bool release(Addr address);
  /// Takes address space for `bytes`, without memory: from now on only allocate_reserved() gives
  /// memory there, and release() takes it away again. 0: there is none, or `bytes` is 0.
  Addr reserve(std::uint64_t bytes);
  /// Memory as allocate() gives it, at a reserved address; false when it does not fit or is there
  /// already.
  bool allocate_reserved(Addr reserved);
  /// Ends a reservation; memory that is there is an ordinary allocation from now on.
  void unreserve(Addr reserved);
  /// Takes [begin, begin + bytes), pinned memory of the host outside device memory, as one that
  /// kernels may name; false when some of it is taken already.
  bool take_host(Addr begin, std::uint64_t bytes);
  /// Gives it back; false when `begin` is not the start of such a range.
  bool return_host(Addr begin);
  /// From now on kernels that access such memory are refused.
  void refuse_host() { reaches_host_ = false; }
  bool reaches_host() const { return reaches_host_; }

  struct Allocation {
    Addr begin = 0;
    std::uint64_t bytes = 0;
    bool managed = false;
    bool host = false;  ///< pinned memory of the host
    bool contains(Addr address, std::uint64_t n) const {
      return address >= begin && n <= bytes && address - begin <= bytes - n;
    }
  };
  /// Returns the allocation that holds [address, address + bytes), or nullptr.
  const Allocation* find(Addr address, std::uint64_t bytes) const;
  const std::map<Addr, Allocation>& allocations() const { return allocations_; }
  std::uint64_t free_bytes() const { return capacity_ - std::min(capacity_, used_); }
  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t host_bytes() const { return host_bytes_; }
  /// Of the managed allocations, when they may lie in host memory.
  std::uint64_t managed_bytes() const { return managed_used_; }

  /// From now on accesses of kernels outside every allocation are counted and no errors.
  void forgive_outside() { outside_.emplace(); }
  /// Empty: they are errors.
  std::optional<OutsideAccesses>& outside() { return outside_; }

  /// Returns the host pointer to a device address.
  static std::uint8_t* host(Addr address) { return reinterpret_cast<std::uint8_t*>(address); }

 private:
  bool may_leave(bool managed) const { return managed && host_bytes_ != 0; }
  bool fits(std::uint64_t bytes, bool managed) const;
  std::uint64_t footprint(std::uint64_t bytes, bool managed) const;
  Addr place(std::uint64_t need, std::uint64_t alignment);
  void return_place(Addr begin, std::uint64_t length);

  std::uint64_t capacity_;
  std::uint64_t host_bytes_;
  std::uint64_t managed_alignment_;
  std::uint64_t used_ = 0;          ///< bytes in device memory for good
  std::uint64_t managed_used_ = 0;  ///< that may leave it
  std::map<Addr, Allocation> allocations_;
  std::map<Addr, std::uint64_t> reserved_;  ///< bytes of each
  std::map<Addr, std::uint64_t> holes_;     ///< released ranges below next_, by address
  Addr next_ = kBase;
  bool reaches_host_ = true;
  std::optional<OutsideAccesses> outside_;
};

}  // namespace warpmem::program
