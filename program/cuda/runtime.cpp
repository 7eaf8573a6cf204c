// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/runtime.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "base/checked.hpp"
#include "base/errors.hpp"
#include "program/cuda/api.hpp"
#include "program/cuda/early_end.hpp"
#include "program/cuda/graph_memory.hpp"
#include "program/cuda/managed_advice.hpp"

namespace warpmem::program::cuda {
namespace {

constexpr Addr kAddressEnd = Addr(1) << 47;  // end of x86-64 user space

[[noreturn]] void end_with_unread_error(const char* what) {
  std::fflush(stdout);
  std::fprintf(stderr, "warpmem: error: %s and the program did not ask (cudaGetLastError)\n", what);
  std::fflush(nullptr);
  leave(kExitUserError);
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
  managed_advice().forget(address, bytes);
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
