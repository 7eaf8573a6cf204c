// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/managed_mirror.hpp"

#include <algorithm>
#include <cstring>

#include "program/device_memory.hpp"

namespace warpmem::program::cuda {

void ManagedMirror::add(Addr address, std::uint64_t bytes) { copies_[address].assign(bytes, 0); }

void ManagedMirror::remove(Addr address) { copies_.erase(address); }

void ManagedMirror::compare(const std::function<void(Addr, std::uint64_t)>& changed) const {
  for (const auto& [address, copy] : copies_) {
    const std::uint8_t* const now = DeviceMemory::host(address);
    const std::uint8_t* const before = copy.data();
    const std::uint64_t bytes = copy.size();
    const auto differs = [&](std::uint64_t at) {
      return std::memcmp(now + at, before + at, std::min(kBlockBytes, bytes - at)) != 0;
    };
    for (std::uint64_t at = 0; at < bytes; at += kBlockBytes) {
      if (!differs(at)) continue;
      const std::uint64_t begin = at;
      while (at < bytes && differs(at)) at += kBlockBytes;
      changed(address + begin, std::min(at, bytes) - begin);
    }
  }
}

void ManagedMirror::update() {
  for (auto& [address, copy] : copies_)
    std::memcpy(copy.data(), DeviceMemory::host(address), copy.size());
}

}  // namespace warpmem::program::cuda
