// SPDX-License-Identifier: Apache-2.0
// A device that notes what it is told, and PTX registered as clang's start-up code does it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "program/cuda/include/cuda_runtime_api.h"
#include "program/functional_device.hpp"

extern "C" {
void** __cudaRegisterFatBinary(const void* wrapper);
void __cudaUnregisterFatBinary(void** handle);
void __cudaRegisterFunction(void** handle, const char* host, char* device, const char* name,
                            int threads, void*, void*, void*, void*, int*);
void __cudaRegisterVar(void** handle, char* host, char* device, const char* name, int external,
                       std::size_t bytes, int constant, int global);
}

namespace warpmem::program::cuda {

class RecordingDevice : public FunctionalDevice {
 public:
  struct Write {
    Addr address;
    std::uint64_t bytes;
  };
  static std::vector<Write>& writes() {
    static std::vector<Write> all;
    return all;
  }
  static int& launches() {
    static int count = 0;
    return count;
  }
  /// All bytes of [address, address + bytes) were told since the last clear().
  static bool told(const void* pointer, std::uint64_t bytes) {
    const Addr begin = reinterpret_cast<Addr>(pointer);
    for (Addr a = begin; a < begin + bytes; ++a) {
      bool found = false;
      for (const Write& w : writes()) found |= a >= w.address && a - w.address < w.bytes;
      if (!found) return false;
    }
    return true;
  }
  static std::uint64_t bytes_told() {
    std::uint64_t sum = 0;
    for (const Write& w : writes()) sum += w.bytes;
    return sum;
  }

  static bool& say_finish() {
    static bool say = false;
    return say;
  }

  using FunctionalDevice::FunctionalDevice;
  void launch(Grid& grid) override {
    ++launches();
    FunctionalDevice::launch(grid);
  }
  void host_wrote(Addr address, std::uint64_t bytes) override {
    writes().push_back({address, bytes});
  }
  void finish() override {
    if (say_finish()) std::fputs("device finished\n", stderr);
  }
};

inline DeviceProperties small_device() {
  DeviceProperties p;
  p.name = "small";
  p.memory_bytes = 1 << 20;
  p.sm_count = 3;
  p.threads_per_sm = 1024;
  p.threads_per_cta = 512;
  p.shared_bytes_per_cta = 16 * 1024;
  p.clock_hertz = 1'000'000;
  return p;
}

/// `text` stays in use for the rest of the process.
inline void** register_ptx(const char* text) {
  struct Wrapper {
    unsigned magic, version;
    const void* data;
    void* unused;
  };
  const Wrapper wrapper{0x466243b1, 1, text, nullptr};
  return __cudaRegisterFatBinary(&wrapper);
}
inline void register_kernel(void** handle, const char* stub, const char* name) {
  __cudaRegisterFunction(handle, stub, nullptr, name, -1, nullptr, nullptr, nullptr, nullptr,
                         nullptr);
}
inline void register_variable(void** handle, char* host, const char* name, std::size_t bytes) {
  __cudaRegisterVar(handle, host, nullptr, name, 0, bytes, 0, 0);
}

}  // namespace warpmem::program::cuda
