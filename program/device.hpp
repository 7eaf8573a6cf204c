// SPDX-License-Identifier: Apache-2.0
// What the CUDA runtime library needs of the machine below it. The application sets the factory; a
// test may run kernels functionally with a device of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "program/program.hpp"

namespace warpmem::program {

/// These are the facts behind cudaGetDeviceProperties.
struct DeviceProperties {
  std::string name = "warpmem";
  std::uint64_t memory_bytes = std::uint64_t(4) << 30;
  /// This is for unified virtual memory: managed memory may take this much besides memory_bytes,
  /// and each managed allocation begins a region of its own of that alignment. 0: it is device
  /// memory.
  std::uint64_t host_bytes = 0;
  std::uint64_t managed_alignment = 0;
  bool manage_all = false;  ///< cudaMalloc gives managed memory
  std::uint32_t sm_count = 1;
  std::uint32_t threads_per_sm = 1024;
  std::uint32_t ctas_per_sm = 32;
  std::uint32_t threads_per_cta = 1024;
  std::uint64_t shared_bytes_per_cta = 48 * 1024;
  std::uint32_t registers_per_sm = 65536;
  std::uint64_t l2_bytes = 0;
  std::uint64_t clock_hertz = 1'000'000'000;
  /// Kernels that run at a time; with 1 each has ended when its launch returns.
  std::uint32_t concurrent_kernels = 1;
  /// Bulk copies of kernels may name registered memory of the host.
  bool bulk_reaches_registered = true;
  /// Loads outside every allocation read 0, stores there are dropped; both are counted.
  bool forgive_out_of_range = false;
  /// Loads of a kernel go ahead of what does not need them.
  bool early_loads = false;
};

class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceProperties& properties() const = 0;
  /// Runs one kernel to its end. Throws UserError or SimulationError. After a KernelFault the
  /// device is asked for nothing more.
  virtual void launch(Grid& grid) = 0;
  /// Runs kernels that do not depend on each other to their ends, together where the device can.
  virtual void launch_together(const std::vector<Grid*>& grids) {
    for (Grid* grid : grids) launch(*grid);
  }
  /// Says that all CTAs of the next launch have to be on the machine together.
  virtual void expect_cooperative() {}
  /// Says that the host wrote [address, address + bytes) of the functional device memory (memcpy,
  /// memset): the hierarchy takes the new bytes and drops its cached copies.
  virtual void host_wrote(Addr address, std::uint64_t bytes) = 0;
  /// Says that the host read [address, address + bytes) (memcpy). What it reads by plain loads is
  /// not known.
  virtual void host_read(Addr, std::uint64_t /*bytes*/) {}
  /// Kernels are about to access pinned memory of the host, for the first time in a launch, that
  /// the device names [address, address + bytes) and that holds `data`.
  virtual void host_memory_is(Addr /*address*/, std::uint64_t /*bytes*/,
                              const std::uint8_t* /*data*/) {}
  /// The program got device memory (zero-filled), or gives it back; host_wrote() follows then.
  virtual void allocated(Addr, std::uint64_t /*bytes*/, bool /*managed*/) {}
  virtual void released(Addr, std::uint64_t /*bytes*/) {}
  /// Does what cudaMemPrefetchAsync asks: managed memory moves before the next launch.
  virtual void prefetch(Addr, std::uint64_t /*bytes*/, bool /*to_device*/) {}
  /// Simulated seconds since the start, for cudaEvent.
  virtual double seconds() const = 0;
  /// The program is over: write the results.
  virtual void finish() = 0;
  /// Is there anything that abandon() would write?
  virtual bool has_results() const { return false; }
  /// Says that the program ends before its time, for `reason`, perhaps while another thread is in
  /// launch(): the results of the launches that have ended are to be written.
  virtual void abandon(const std::string& /*reason*/) {}
  /// Something that whoever reads the results should know.
  virtual void add_note(const std::string& /*note*/) {}
};

/// Called once, on the first use of the device.
using DeviceFactory = std::function<std::unique_ptr<Device>()>;
void set_device_factory(DeviceFactory factory);
/// What the factory makes; without one, a device that only executes (functional_device.hpp).
std::unique_ptr<Device> create_device();

}  // namespace warpmem::program
