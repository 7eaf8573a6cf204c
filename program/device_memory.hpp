// SPDX-License-Identifier: Apache-2.0
// The functional device memory: an address range reserved at a fixed place, so device addresses are
// the same in every run and equal to host pointers (as unified addressing has it).
//
// Pinned memory of the host that cudaHostAlloc gives lies in another such range. What the program
// has from elsewhere (cudaHostRegister) is where the process got it, so the machine names it by
// addresses of a third range, the same in every run: kernels compute with pointers, and what they
// access is renamed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "base/types.hpp"
#include "program/address_space.hpp"
#include "program/outside_accesses.hpp"

namespace warpmem::program {

class DeviceMemory {
 public:
  static constexpr Addr kBase = 0x2000'0000'0000;
  static constexpr std::uint64_t kReserve = std::uint64_t(4) << 40;  ///< address space, no memory
  static constexpr std::uint64_t kAlignment = 256;  ///< alignment of every allocation
  /// These are the ranges of memory of the host: what cudaHostAlloc gives, and after it the
  /// addresses by which the machine names registered memory, where nothing is mapped.
  static constexpr Addr kHostBase = 0x3000'0000'0000;
  static constexpr std::uint64_t kPinnedBytes = std::uint64_t(256) << 30;
  static constexpr std::uint64_t kRegisteredBytes = std::uint64_t(1) << 40;
  static constexpr std::uint64_t kHostBytes = kPinnedBytes + kRegisteredBytes;
  static constexpr std::uint64_t kHostAlignment = 4096;

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
  /// Pinned memory of the host, zero-filled and a page at least from any other, or 0.
  Addr allocate_pinned(std::uint64_t bytes);
  /// False when it is not the start of such memory.
  bool release_pinned(Addr begin);
  /// Takes [begin, begin + bytes), registered memory of the host, as one that kernels may name;
  /// false when some of it is taken already. `managed`: it is a managed variable.
  bool take_host(Addr begin, std::uint64_t bytes, bool managed = false);
  /// Gives it back; false when `begin` is not the start of such a range.
  bool return_host(Addr begin);
  /// From now on bulk copies of registered memory are refused: the machine copies by pointers.
  void refuse_registered_in_bulk() { bulk_reaches_registered_ = false; }
  bool bulk_reaches_registered() const { return bulk_reaches_registered_; }

  struct Allocation {
    Addr begin = 0;
    std::uint64_t bytes = 0;
    bool managed = false;
    bool host = false;         ///< memory of the host that kernels access in place
    Addr machine = 0;          ///< what the machine calls `begin`
    std::uint64_t launch = 0;  ///< of host memory: the last launch that has accessed it
    bool registered() const { return machine != begin; }
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

  /// The host may write pinned memory between launches: `tell` is called with each pinned
  /// allocation before its first access of a launch.
  void before_host_access(std::function<void(const Allocation&)> tell) { tell_ = std::move(tell); }
  void begin_launch() { ++launch_; }
  /// A kernel is about to access it.
  void accesses(const Allocation& allocation) {
    if (!allocation.host || allocation.launch == launch_ || !tell_) return;
    allocations_.at(allocation.begin).launch = launch_;
    tell_(allocation);
  }

  /// Reads what the machine names [address, address + bytes); bytes of no allocation are 0 where
  /// nothing is mapped.
  static void read(Addr address, unsigned bytes, std::uint8_t* out);
  /// Returns the host pointer to a device address.
  static std::uint8_t* host(Addr address) { return reinterpret_cast<std::uint8_t*>(address); }

 private:
  bool may_leave(bool managed) const { return managed && host_bytes_ != 0; }
  bool fits(std::uint64_t bytes, bool managed) const;
  std::uint64_t footprint(std::uint64_t bytes, bool managed) const;
  static std::uint64_t pinned_footprint(std::uint64_t bytes) {
    return (bytes + 2 * kHostAlignment - 1) / kHostAlignment * kHostAlignment;
  }

  static DeviceMemory* the_;  ///< that of the process

  std::uint64_t capacity_;
  std::uint64_t host_bytes_;
  std::uint64_t managed_alignment_;
  std::uint64_t used_ = 0;          ///< bytes in device memory for good
  std::uint64_t managed_used_ = 0;  ///< that may leave it
  std::map<Addr, Allocation> allocations_;
  std::map<Addr, std::uint64_t> reserved_;  ///< bytes of each
  AddressSpace space_{kBase, kReserve};
  AddressSpace pinned_{kHostBase, kPinnedBytes};
  AddressSpace registered_{kHostBase + kPinnedBytes, kRegisteredBytes};
  std::map<Addr, Addr> by_machine_address_;  ///< registered memory
  bool pinned_mapped_ = false;
  bool bulk_reaches_registered_ = true;
  std::function<void(const Allocation&)> tell_;
  std::uint64_t launch_ = 1;
  std::optional<OutsideAccesses> outside_;
};

}  // namespace warpmem::program
