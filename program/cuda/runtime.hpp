// SPDX-License-Identifier: Apache-2.0
// The state behind the CUDA runtime API: registered code, the device, its memory, the last error.
// One a process; never destroyed, since static destructors of the program may still call it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "program/cuda/include/cuda_runtime_api.h"
#include "program/cuda/managed_mirror.hpp"
#include "program/device.hpp"
#include "program/device_memory.hpp"
#include "program/launch_queue.hpp"
#include "program/ptx/module.hpp"

namespace warpmem::program::cuda {

/// This is the PTX of one translation unit.
struct Binary {
  const char* text = nullptr;
  bool relocatable = false;  ///< compiled for separate device compilation (-rdc=true, -dc)
  /// Parsed and bound when the device is created; all relocatable units that are registered by
  /// then share one.
  std::shared_ptr<ptx::Module> module;
  /// Its managed variables (`__managed__`): what the host has of each is the variable.
  struct Managed {
    std::string name;
    std::uint8_t* host = nullptr;
    std::uint64_t bytes = 0;
  };
  std::vector<Managed> managed;
};

/// This is a kernel as the host sees it: the address of its stub is the key.
struct RegisteredKernel {
  Binary* binary = nullptr;
  std::string name;             ///< name in the PTX
  bool large_clusters = false;  ///< cudaFuncAttributeNonPortableClusterSizeAllowed
};

class Runtime {
 public:
  static Runtime& instance();

  /// Returns the device, which the first call creates; it also parses and places all registered
  /// code. Throws UserError.
  Device& device();
  bool has_device() const { return device_ != nullptr; }
  DeviceMemory& memory();
  /// The program has ended and the results are written.
  bool finished() const { return finished_; }
  /// The program has asked for the last error: a refused launch is its own business from now on.
  /// One that it never asks about ends the process with exit status 2.
  void error_was_read() { refusal_unread_ = false; }
  /// The program has asked for the last error and got `error`, or for its name or text: if it is
  /// the fault of a kernel, that is its own business from now on, too.
  void fault_was_read(cudaError_t error) {
    if (error == fault_) fault_unread_ = false;
  }
  /// Returns what every call returns since a kernel was at fault, or cudaSuccess.
  cudaError_t fault() const { return fault_; }
  void finish();
  /// As finish(), with a note of how the program left.
  void finish_after_exit(const std::string& how);
  /// Says that the program ends for `reason`, perhaps within a launch: the device writes what there
  /// is.
  void abandon(const std::string& reason);

  Binary* register_binary(const char* ptx, bool relocatable);
  void unregister_binary(Binary* binary);
  /// Returns the architecture that the program was compiled for: 70 for sm_70. Of several units it
  /// is the newest; 60 when none tells.
  unsigned architecture() const;
  /// Returns a module as the device wants it; it has no place yet. Throws as ptx::Module.
  std::shared_ptr<ptx::Module> parsed(std::string_view text, const std::string& name);
  /// Gives the variables of a module their places, and tells the device.
  void place(ptx::Module& module, const std::map<std::string, Addr>& managed = {});
  void register_kernel(Binary* binary, const void* host, std::string name);
  void register_variable(Binary* binary, const void* host, std::string name);
  void register_managed(Binary* binary, void* host, std::string name, std::uint64_t bytes);
  /// The variables of the binary are registered: managed ones get their initial values.
  void registered(const Binary& binary);

  /// nullptr when `host` is not a kernel's stub.
  RegisteredKernel* find_kernel(const void* host);
  /// nullptr when the PTX has no such kernel.
  const ptx::Entry* entry(const RegisteredKernel& kernel);
  ptx::KernelFacts facts(const RegisteredKernel& kernel);
  /// Returns the device variable that `host` stands for, or nullptr.
  const ptx::Variable* find_variable(const void* host);

  struct LaunchShape {
    Dim3 grid, block;
    std::optional<Dim3> cluster;
    std::uint64_t shared_bytes = 0;  ///< dynamic
    bool cooperative = false;        ///< all blocks are resident together and may meet
  };
  /// Returns how many blocks of the kernel an SM has room for.
  std::uint64_t blocks_per_sm(const RegisteredKernel& kernel, std::uint64_t threads,
                              std::uint64_t dynamic_shared_bytes);
  /// Runs a kernel to its end, or, on a device with concurrent kernels, keeps it until somebody
  /// waits for it. Throws UserError and SimulationError.
  cudaError_t launch(const RegisteredKernel& kernel, const LaunchShape& shape,
                     const std::vector<std::uint8_t>& parameters, const StreamId& stream);
  /// Runs all kernels that are kept.
  void run_launched();
  /// A time in the run, in simulated seconds: of now, or, once run_launched() has come, of when
  /// what the stream has been given is done.
  struct Moment {
    std::shared_ptr<double> seconds;
    /// Kernels that must end before, in the terms of LaunchQueue, while `batch` is batch().
    unsigned level = 0;
    std::uint64_t batch = 0;
  };
  Moment moment_of(const StreamId& stream);
  /// What the stream is given from now on comes after the moment.
  void wait(const StreamId& stream, const Moment& moment);
  /// Returns whether kernels are kept that what the stream is given next must wait for.
  bool has_launched(const StreamId& stream) const { return launched_.level(stream) != 0; }

  /// Returns zeroed device memory; nullptr when it does not fit.
  void* allocate(std::uint64_t bytes, bool managed);
  /// The same at an address that memory().reserve() gave; false when it does not fit.
  bool allocate_reserved(Addr address);
  /// False when `pointer` is not the start of an allocation that the program made.
  bool release(void* pointer);
  /// Gives back all that the program allocated (cudaDeviceReset).
  void release_all();
  /// Sets how much malloc() in kernels can give out in all; false once a kernel has been launched
  /// that calls it, but for the same size.
  bool set_heap_bytes(std::uint64_t bytes);
  /// Tells the device that host code read device memory, or changed it.
  void host_read(const void* pointer, std::uint64_t bytes);
  void host_wrote(const void* pointer, std::uint64_t bytes);

 private:
  struct HostSymbol {
    Binary* binary;
    std::string name;
  };

  Runtime() = default;
  void run_group(const LaunchQueue::Group& group);
  void say_outside_accesses();
  Addr grid_barrier();
  Addr heap();
  std::shared_ptr<ptx::Module> load(std::string_view text, const std::string& name,
                                    const std::map<std::string, Addr>& managed = {});
  /// Pins the managed variables of a binary; returns their addresses.
  std::map<std::string, Addr> pin_managed(const Binary& binary);
  void load_all();

  std::unique_ptr<Device> device_;
  std::unique_ptr<DeviceMemory> memory_;
  std::vector<std::unique_ptr<Binary>> binaries_;
  std::unordered_map<const void*, RegisteredKernel> kernels_;
  std::unordered_map<const void*, HostSymbol> variables_;
  Addr grid_barrier_ = 0;  ///< of cooperative launches, which run alone
  Addr heap_ = 0;          ///< of malloc() in kernels, made for the first that calls it
  std::uint64_t heap_bytes_ = std::uint64_t(8) << 20;
  std::set<Addr> allocations_;  ///< the program's; a module's variables are not among them
  ManagedMirror managed_;
  LaunchQueue launched_;
  std::uint64_t batch_ = 0;  ///< how often launched_ has been run
  /// By level in launched_: what is to be told the time at which it is reached.
  std::multimap<unsigned, std::shared_ptr<double>> times_wanted_;
  bool finished_ = false;
  bool refusal_unread_ = false;
  cudaError_t fault_ = cudaSuccess;  ///< of a kernel; the device does nothing more
  bool fault_unread_ = false;
};

/// The address lies in the range that device memory reserves, allocated or not.
bool is_device_address(const void* pointer);

/// [pointer, pointer + bytes) may be memory of a process: it does not begin at the null pointer,
/// nor does it end beyond the addresses that Linux gives to programs.
bool is_address_range(const void* pointer, std::uint64_t bytes);

}  // namespace warpmem::program::cuda
