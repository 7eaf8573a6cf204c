// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/runtime.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include "base/checked.hpp"
#include "base/errors.hpp"
#include "program/cluster.hpp"
#include "program/cuda/api.hpp"
#include "program/cuda/device_link.hpp"
#include "program/cuda/early_end.hpp"
#include "program/cuda/graph_memory.hpp"
#include "program/cuda/source_name.hpp"
#include "program/demangled.hpp"
#include "program/kernel_fault.hpp"
#include "program/ptx/heap_library.hpp"

namespace warpmem::program::cuda {
namespace {

constexpr std::size_t kLongestName = 4096;  // bytes of a variable's name
constexpr std::uint32_t kMostGridX = 2147483647;
constexpr std::uint32_t kMostGridYz = 65535;
constexpr std::uint32_t kMostBlockZ = 64;
constexpr std::uint64_t kMostPortableCtas = 8;  // of a cluster
constexpr Addr kAddressEnd = Addr(1) << 47;     // end of x86-64 user space

bool is_empty(Dim3 d) { return d.x == 0 || d.y == 0 || d.z == 0; }

std::string text(Dim3 d) { return fmt::format("{}x{}x{}", d.x, d.y, d.z); }

/// Returns why the device cannot take this launch; empty: it can.
std::string objection(const DeviceProperties& device, const ptx::Entry& entry, Dim3 grid,
                      Dim3 block, std::uint64_t shared_bytes) {
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

[[noreturn]] void end_with_unread_error(const char* what) {
  std::fflush(stdout);
  std::fprintf(stderr, "warpmem: error: %s and the program did not ask (cudaGetLastError)\n", what);
  std::fflush(nullptr);
  leave(kExitUserError);
}

/// What stands at `text`, as far as it is in memory: it comes from the program and may be anything.
std::string text_at(const char* text) {
  const auto page_bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  std::string found;
  for (;; ++text) {
    const Addr address = address_of(text);
    if (found.empty() || address % page_bytes == 0) {
      unsigned char resident = 0;
      void* const page = pointer_to(address / page_bytes * page_bytes);
      if (mincore(page, page_bytes, &resident) != 0) return {};
    }
    if (*text == '\0' || found.size() == kLongestName) return found;
    found += *text;
  }
}

}  // namespace

bool is_device_address(const void* pointer) {
  const Addr address = address_of(pointer);
  return address >= DeviceMemory::kBase && address < DeviceMemory::kBase + DeviceMemory::kReserve;
}

bool is_address_range(const void* pointer, std::uint64_t bytes) {
  return pointer != nullptr && !(Checked(address_of(pointer)) + bytes).over(kAddressEnd);
}

Runtime& Runtime::instance() {
  static Runtime* const runtime = new Runtime;
  return *runtime;
}

Device& Runtime::device() {
  if (device_) return *device_;
  device_ = create_device();
  const DeviceProperties& p = device_->properties();
  memory_ = std::make_unique<DeviceMemory>(
      p.memory_bytes, p.host_bytes,
      p.host_bytes != 0 ? p.managed_alignment : DeviceMemory::kAlignment);
  if (!p.bulk_reaches_registered) memory_->refuse_registered_in_bulk();
  memory_->before_host_access([this](const DeviceMemory::Allocation& a) {
    device_->host_memory_is(a.machine, a.bytes, DeviceMemory::host(a.begin));
  });
  if (p.forgive_out_of_range) memory_->forgive_outside();
  std::atexit(finish_at_exit);
  watch_for_early_end(device_->has_results());
  load_all();
  return *device_;
}

DeviceMemory& Runtime::memory() {
  device();
  return *memory_;
}

void Runtime::finish() {
  if (finished_ || !device_) return;
  run_launched();
  finished_ = true;
  say_outside_accesses();
  // After a fault the device has written what there is.
  if (fault_ == cudaSuccess) device_->finish();
  if (fault_unread_) end_with_unread_error("a kernel failed (error above)");
  if (refusal_unread_) end_with_unread_error("a kernel was not launched (note above)");
}

void Runtime::say_outside_accesses() {
  if (!memory_->outside() || !memory_->outside()->any()) return;
  const std::string text = memory_->outside()->text();
  if (device_->has_results())
    device_->add_note(text);
  else
    std::fprintf(stderr, "warpmem: note: %s\n", text.c_str());
}

void Runtime::finish_after_exit(const std::string& how) {
  if (finished_ || !device_) return;
  if (fault_ == cudaSuccess)
    device_->add_note("the program left by " + how + "; the results of its launches are kept");
  finish();
}

void Runtime::abandon(const std::string& reason) {
  if (finished_ || !device_) return;
  finished_ = true;
  say_outside_accesses();
  if (fault_ == cudaSuccess) device_->abandon(reason);
}

Binary* Runtime::register_binary(const char* ptx, bool relocatable) {
  binaries_.push_back(std::make_unique<Binary>());
  binaries_.back()->text = ptx;
  binaries_.back()->relocatable = relocatable;
  if (device_) load_all();
  return binaries_.back().get();
}

unsigned Runtime::architecture() const {
  unsigned newest = 60;
  for (const auto& binary : binaries_) {
    constexpr std::string_view kTarget = ".target sm_";
    constexpr std::size_t kHead = 1000;  // bytes that a target stands in
    const std::string_view head(binary->text, strnlen(binary->text, kHead));
    const std::size_t at = head.find(kTarget);
    if (at == std::string_view::npos) continue;
    const std::string number(head.substr(at + kTarget.size(), 4));
    newest = std::max(newest, static_cast<unsigned>(std::strtoul(number.c_str(), nullptr, 10)));
  }
  return newest;
}

void Runtime::unregister_binary(Binary* binary) {
  for (auto it = kernels_.begin(); it != kernels_.end();)
    it = it->second.binary == binary ? kernels_.erase(it) : std::next(it);
  for (auto it = variables_.begin(); it != variables_.end();)
    it = it->second.binary == binary ? variables_.erase(it) : std::next(it);
  // The module stays: its variables keep their place in device memory.
}

void Runtime::register_kernel(Binary* binary, const void* host, std::string name) {
  kernels_[host] = {binary, std::move(name)};
}

void Runtime::register_variable(Binary* binary, const void* host, std::string name) {
  variables_[host] = {binary, std::move(name)};
}

void Runtime::register_managed(Binary* binary, void* host, std::string name, std::uint64_t bytes) {
  binary->managed.push_back({name, static_cast<std::uint8_t*>(host), bytes});
  register_variable(binary, host, std::move(name));
}

void Runtime::registered(const Binary& binary) {
  if (binary.managed.empty()) return;
  const ptx::Module module(binary.text, source_name(binary.text));
  for (const Binary::Managed& variable : binary.managed)
    module.write_initial(variable.name, variable.host);
}

std::map<std::string, Addr> Runtime::pin_managed(const Binary& binary) {
  std::map<std::string, Addr> addresses;
  for (const Binary::Managed& variable : binary.managed) {
    memory_->take_host(address_of(variable.host), variable.bytes);
    addresses[variable.name] = address_of(variable.host);
  }
  return addresses;
}

std::shared_ptr<ptx::Module> Runtime::parsed(std::string_view text, const std::string& name) {
  return std::make_shared<ptx::Module>(text, name, device_->properties().early_loads);
}

std::shared_ptr<ptx::Module> Runtime::load(std::string_view text, const std::string& name,
                                           const std::map<std::string, Addr>& managed) {
  auto module = parsed(text, name);
  place(*module, managed);
  return module;
}

void Runtime::place(ptx::Module& module, const std::map<std::string, Addr>& managed) {
  module.bind(*memory_, managed);
  for (const ptx::Variable& variable : module.variables()) {
    if (variable.address == 0 || managed.count(variable.name) != 0) continue;
    device_->allocated(variable.address, variable.bytes, false);
    device_->host_wrote(variable.address, variable.bytes);
  }
}

void Runtime::load_all() {
  std::vector<Binary*> relocatable;
  std::vector<std::string_view> texts;
  std::vector<std::string> names;
  std::map<std::string, Addr> managed;
  for (const auto& binary : binaries_) {
    if (binary->module) continue;
    if (!binary->relocatable) {
      binary->module = load(binary->text, source_name(binary->text), pin_managed(*binary));
      continue;
    }
    relocatable.push_back(binary.get());
    managed.merge(pin_managed(*binary));
    texts.emplace_back(binary->text);
    names.push_back(source_name(binary->text));
  }
  if (relocatable.empty()) return;
  const std::string name = names.size() == 1 ? names[0] : "linked device code";
  const auto module = load(link_device_code(texts, names), name, managed);
  for (Binary* const binary : relocatable) binary->module = module;
}

RegisteredKernel* Runtime::find_kernel(const void* host) {
  device();
  const auto it = kernels_.find(host);
  return it == kernels_.end() ? nullptr : &it->second;
}

const ptx::Entry* Runtime::entry(const RegisteredKernel& kernel) {
  return kernel.binary->module->find_entry(kernel.name);
}

ptx::KernelFacts Runtime::facts(const RegisteredKernel& kernel) {
  return kernel.binary->module->facts(kernel.name);
}

const ptx::Variable* Runtime::find_variable(const void* host) {
  device();
  auto it = variables_.find(host);
  if (it == variables_.end() && host != nullptr) {
    // Programs older than CUDA 5 give a symbol's name.
    const std::string name = text_at(static_cast<const char*>(host));
    it = std::find_if(variables_.begin(), variables_.end(), [&](const auto& variable) {
      return variable.second.name == name || demangled(variable.second.name) == name;
    });
  }
  if (it == variables_.end()) return nullptr;
  return it->second.binary->module->find_variable(it->second.name);
}

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
  std::string why = objection(device().properties(), *found, grid, block, shape.shared_bytes);
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

void* Runtime::allocate(std::uint64_t bytes, bool managed) {
  const bool asked = managed;
  managed |= device().properties().manage_all;
  if (bytes > DeviceMemory::kReserve) return nullptr;  // no configuration has that much
  const Addr address = memory().allocate(bytes, managed);
  if (address == 0 && managed && memory().host_bytes() != 0) {
    constexpr double kMiB = 1 << 20;
    throw UserError(fmt::format(
        "cudaMallocManaged of {:.2f} MiB besides {:.2f} MiB: the footprint is larger than host "
        "memory (uvm.host_memory: {:.2f} MiB) and device memory (memory.size: {:.2f} MiB) together",
        static_cast<double>(bytes) / kMiB, static_cast<double>(memory().managed_bytes()) / kMiB,
        static_cast<double>(memory().host_bytes()) / kMiB,
        static_cast<double>(memory().capacity()) / kMiB));
  }
  if (address == 0) return nullptr;
  allocations_.insert(address);
  device_->allocated(address, bytes, managed);
  if (asked) managed_.add(address, bytes);  // otherwise the host has no business to write there
  return pointer_to(address);
}

bool Runtime::allocate_reserved(Addr address) {
  if (!memory().allocate_reserved(address)) return false;
  allocations_.insert(address);
  device_->allocated(address, memory().find(address, 1)->bytes, false);
  return true;
}

bool Runtime::release(void* pointer) {
  const Addr address = address_of(pointer);
  if (allocations_.erase(address) == 0) return false;
  managed_.remove(address);
  returned_to_pool(pointer);
  returned_to_graphs(pointer);
  const std::uint64_t bytes = memory().find(address, 1)->bytes;
  if (!memory().release(address)) return false;
  if (finished_) return true;
  device_->released(address, bytes);
  device_->host_wrote(address, bytes);  // the memory reads as zero from now on
  return true;
}

void Runtime::release_all() {
  while (!allocations_.empty()) release(pointer_to(*allocations_.begin()));
}

void Runtime::host_read(const void* pointer, std::uint64_t bytes) {
  if (bytes > 0) device().host_read(address_of(pointer), bytes);
}

void Runtime::host_wrote(const void* pointer, std::uint64_t bytes) {
  if (bytes > 0) device().host_wrote(address_of(pointer), bytes);
}

}  // namespace warpmem::program::cuda
