// SPDX-License-Identifier: Apache-2.0
// Launches: what the device refuses, and the order in which the others run.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iostream>

#include "base/checked.hpp"
#include "base/errors.hpp"
#include "program/cluster.hpp"
#include "program/cuda/api.hpp"
#include "program/cuda/runtime.hpp"
#include "program/demangled.hpp"
#include "program/kernel_fault.hpp"
#include "program/ptx/heap_library.hpp"
namespace warpmem::program::cuda {
namespace {

constexpr std::uint32_t kMostGridX = 2147483647;
constexpr std::uint32_t kMostGridYz = 65535;
constexpr std::uint32_t kMostBlockZ = 64;
constexpr std::uint64_t kMostPortableCtas = 8;  // of a cluster

bool is_empty(Dim3 d) { return d.x == 0 || d.y == 0 || d.z == 0; }

std::string text(Dim3 d) { return fmt::format("{}x{}x{}", d.x, d.y, d.z); }

/// Returns why the device cannot take a launch of this shape; empty: it can.
std::string objection(const DeviceProperties& device, const ptx::Entry& entry, Dim3 grid,
                      Dim3 block) {
  if (is_empty(grid) || is_empty(block))
    return fmt::format("a grid of {} blocks of {} threads", text(grid), text(block));
  // The sides are compared first, since the product of three such numbers need not fit 64 bits.
  if (block.x > device.threads_per_cta || block.y > device.threads_per_cta ||
      block.z > kMostBlockZ || block.count() > device.threads_per_cta)
    return fmt::format("a block of {} threads; at most {} in all and {} in z", text(block),
                       device.threads_per_cta, kMostBlockZ);
  if (grid.x > kMostGridX || grid.y > kMostGridYz || grid.z > kMostGridYz)
    return fmt::format("a grid of {} blocks; at most {} in x and {} in y and z", text(grid),
                       kMostGridX, kMostGridYz);
  if (entry.max_threads != 0 && block.count() > entry.max_threads)
    return fmt::format("a block of {} threads; __launch_bounds__ says {}", text(block),
                       entry.max_threads);
  return {};
}

/// Returns why its blocks cannot have so much dynamic shared memory; empty: they can.
std::string objection_to_shared(const DeviceProperties& device, const ptx::Entry& entry,
                                std::uint64_t shared_bytes) {
  if ((Checked(entry.static_shared_bytes) + shared_bytes).over(device.shared_bytes_per_cta))
    return fmt::format("{} + {} bytes of shared memory; at most {}", entry.static_shared_bytes,
                       shared_bytes, device.shared_bytes_per_cta);
  return {};
}

/// Returns why there can be no such clusters; empty: there can be.
std::string objection_to_cluster(Dim3 grid, Dim3 cluster, bool large) {
  const std::uint64_t most = large ? kMostClusterCtas : kMostPortableCtas;
  if (is_empty(cluster) || cluster.x > most || cluster.y > most || cluster.z > most ||
      cluster.count() > most)
    return fmt::format("a cluster of {} blocks; at most {}{}", text(cluster), most,
                       large ? "" : ", or 16 with cudaFuncAttributeNonPortableClusterSizeAllowed");
  if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0)
    return fmt::format("a grid of {} blocks in clusters of {}", text(grid), text(cluster));
  return {};
}

cudaError_t error_of(KernelFault::Kind kind) {
  switch (kind) {
    case KernelFault::Kind::assertion:
      return cudaErrorAssert;
    case KernelFault::Kind::illegal_address:
      return cudaErrorIllegalAddress;
    case KernelFault::Kind::misaligned_address:
      return cudaErrorMisalignedAddress;
    case KernelFault::Kind::launch_failure:
      break;
  }
  return cudaErrorLaunchFailure;
}

}  // namespace

std::uint64_t Runtime::blocks_per_sm(const RegisteredKernel& kernel, std::uint64_t threads,
                                     std::uint64_t dynamic_shared_bytes) {
  const DeviceProperties& p = device().properties();
  const ptx::KernelFacts kernel_facts = facts(kernel);
  const std::uint64_t warps = (threads + kWarpLanes - 1) / kWarpLanes;
  const std::uint64_t lanes = warps * kWarpLanes;
  std::uint64_t blocks = std::min<std::uint64_t>(p.ctas_per_sm, p.threads_per_sm / lanes);
  if (kernel_facts.registers_per_thread != 0)
    blocks = std::min(blocks, p.registers_per_sm / (lanes * kernel_facts.registers_per_thread));
  const Checked shared = Checked(kernel_facts.static_shared_bytes) + dynamic_shared_bytes;
  if (shared.over(p.shared_bytes_per_cta)) return 0;
  if (shared.value() != 0) blocks = std::min(blocks, p.shared_bytes_per_cta / shared.value());
  return blocks;
}

/// A word for the barrier of a cooperative grid. Each use of it leaves all bits but the highest as
/// they were, so it need not be cleared.
Addr Runtime::grid_barrier() {
  if (grid_barrier_ != 0) return grid_barrier_;
  grid_barrier_ = memory().allocate(sizeof(std::uint32_t));
  if (grid_barrier_ == 0) throw UserError("a cooperative launch: device memory is full");
  device_->allocated(grid_barrier_, sizeof(std::uint32_t), false);
  device_->host_wrote(grid_barrier_, sizeof(std::uint32_t));
  return grid_barrier_;
}

Addr Runtime::heap() {
  if (heap_ != 0) return heap_;
  const std::uint64_t bytes = ptx::kHeapHeader + heap_bytes_;
  heap_ = memory().allocate(bytes);
  if (heap_ == 0)
    throw UserError(fmt::format(
        "the kernel allocates: device memory has no room for a heap of {} bytes", heap_bytes_));
  std::memcpy(DeviceMemory::host(heap_), &heap_bytes_, sizeof heap_bytes_);
  device_->allocated(heap_, bytes, false);
  device_->host_wrote(heap_, bytes);
  return heap_;
}

bool Runtime::set_heap_bytes(std::uint64_t bytes) {
  if (heap_ != 0) return bytes == heap_bytes_;
  heap_bytes_ = bytes;
  return true;
}

cudaError_t Runtime::launch(const RegisteredKernel& kernel, const LaunchShape& shape,
                            const std::vector<std::uint8_t>& parameters, const StreamId& stream) {
  const ptx::Entry* const found = entry(kernel);
  if (found == nullptr) return cudaErrorInvalidDeviceFunction;
  const Dim3 grid = shape.grid, block = shape.block;
  cudaError_t error = cudaErrorInvalidConfiguration;
  std::string why = objection(device().properties(), *found, grid, block);
  if (why.empty()) {
    why = objection_to_shared(device().properties(), *found, shape.shared_bytes);
    error = cudaErrorInvalidValue;
  }
  if (why.empty() && shape.cluster) {
    why = objection_to_cluster(grid, *shape.cluster, kernel.large_clusters);
    error = cudaErrorInvalidClusterSize;
  }
  if (why.empty() && shape.cooperative) {
    const std::uint64_t most =
        blocks_per_sm(kernel, block.count(), shape.shared_bytes) * device().properties().sm_count;
    if (grid.count() > most)
      why = fmt::format("a cooperative grid of {} blocks; {} fit on the device together",
                        grid.count(), most);
    error = cudaErrorCooperativeLaunchTooLarge;
  }
  if (!why.empty()) {
    std::fprintf(stderr, "warpmem: note: %s is not launched (%s): %s\n",
                 demangled(kernel.name).c_str(), cudaGetErrorName(error), why.c_str());
    // Loops that run out of work launch empty grids, and lose nothing by it.
    if (!is_empty(grid) && !is_empty(block)) refusal_unread_ = true;
    return error;
  }
  managed_.compare(
      [this](Addr address, std::uint64_t bytes) { device_->host_wrote(address, bytes); });
  if (shape.cooperative) {
    run_launched();  // other blocks would take the room that it needs
    if (fault_ != cudaSuccess) return fault_;
    device_->expect_cooperative();
  }
  launched_.add(stream, ptx::make_grid(*kernel.binary->module, kernel.name, grid, block,
                                       shape.shared_bytes, parameters, *memory_, shape.cluster,
                                       shape.cooperative ? grid_barrier() : 0,
                                       found->allocates ? heap() : 0));
  if (shape.cooperative || device_->properties().concurrent_kernels == 1) run_launched();
  return cudaSuccess;
}

void Runtime::run_launched() {
  if (launched_.empty()) return;
  // What the program printed so far comes before what the kernels print.
  std::cout.flush();
  std::fflush(stdout);
  unsigned level = 0;
  for (const LaunchQueue::Group& group : launched_.take()) {
    if (fault_ == cudaSuccess) run_group(group);
    const auto [first, last] = times_wanted_.equal_range(++level);
    for (auto it = first; it != last; ++it) *it->second = device_->seconds();
  }
  times_wanted_.clear();
  ++batch_;
  managed_.update();
}

/// A kernel that is at fault is told of at once; the program hears of it as from a GPU.
void Runtime::run_group(const LaunchQueue::Group& group) {
  std::vector<Grid*> grids;
  for (const auto& grid : group) grids.push_back(grid.get());
  memory_->begin_launch();
  try {
    device_->launch_together(grids);
  } catch (const KernelFault& fault) {
    fault_ = error_of(fault.kind());
    std::fflush(stdout);
    std::fprintf(stderr, "warpmem: error: %s\n", fault.what());
    std::fprintf(stderr, "warpmem: note: every call of the API returns %s from now on\n",
                 cudaGetErrorName(fault_));
    fault_unread_ = true;
  }
}

Runtime::Moment Runtime::moment_of(const StreamId& stream) {
  Moment moment{std::make_shared<double>(device().seconds()), launched_.level(stream), batch_};
  if (moment.level != 0) times_wanted_.emplace(moment.level, moment.seconds);
  return moment;
}

void Runtime::wait(const StreamId& stream, const Moment& moment) {
  if (moment.batch == batch_) launched_.wait(stream, moment.level);
}

}  // namespace warpmem::program::cuda
