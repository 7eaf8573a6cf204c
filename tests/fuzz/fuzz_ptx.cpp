// SPDX-License-Identifier: Apache-2.0
// A PTX module: parsed, bound, every kernel linked and lowered; then each kernel executed on a
// small grid with buffers for pointers.
#include <algorithm>
#include <cstring>
#include <vector>

#include "program/functional.hpp"
#include "program/ptx/module.hpp"
#include "target.hpp"

namespace warpmem::fuzz {
namespace {

namespace ptx = program::ptx;

constexpr std::uint64_t kCapacity = std::uint64_t(4) << 20;  ///< bytes of device memory
constexpr std::uint64_t kBufferBytes = 4096;
constexpr std::uint64_t kInstructions = 4000;  ///< warp instructions a kernel
constexpr std::uint32_t kThreads = 40;         ///< a CTA: a full warp and a partial one
constexpr std::size_t kKernels = 4;
/// A legal kernel may ask for more than there is time to clear in a fuzz run.
constexpr std::uint64_t kMostSharedBytes = 1u << 18, kMostLocalBytes = 1u << 14;

/// Returns the arguments of a kernel: of eight bytes or more a buffer's address, then zeros; of
/// anything else the number of threads.
std::vector<std::uint8_t> arguments(const ptx::Entry& entry, Addr buffer) {
  std::vector<std::uint8_t> block(entry.parameter_bytes, 0);
  for (const ptx::Parameter& p : entry.parameters) {
    const std::uint64_t value = p.bytes >= 8 ? buffer : kThreads;
    std::memcpy(block.data() + p.offset, &value, std::min<std::size_t>(p.bytes, sizeof value));
  }
  return block;
}

void execute(const ptx::Module& module, const ptx::Entry& entry, program::DeviceMemory& memory,
             Addr buffer) {
  ptx::KernelFacts facts;
  if (!succeeds([&] { facts = module.facts(entry.name); })) return;
  if (facts.static_shared_bytes > kMostSharedBytes || facts.local_bytes > kMostLocalBytes) return;
  const std::uint32_t threads =
      facts.max_threads == 0 ? kThreads : std::min(facts.max_threads, kThreads);
  const auto grid =
      ptx::make_grid(module, entry.name, {2}, {threads}, 256, arguments(entry, buffer), memory);
  try {
    program::FunctionalLimits limits;
    limits.instructions = kInstructions;
    program::run_functional(*grid, 0, 2, limits);
  } catch (const UserError& e) {
    // The message of an instruction says where it is; that of an endless loop or a deadlock cannot.
    require(std::strncmp(e.what(), "kernel ", 7) == 0, "an error of a kernel without its name");
  }
}

}  // namespace
}  // namespace warpmem::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpmem;
  using namespace warpmem::fuzz;
  fuzz::succeeds([&] {
    program::ptx::Module module({reinterpret_cast<const char*>(data), size}, "fuzz.ptx");
    program::DeviceMemory memory(kCapacity);
    module.bind(memory);
    const Addr buffer = memory.allocate(kBufferBytes);
    if (buffer == 0) return;
    for (std::size_t k = 0; k < std::min(module.entries().size(), kKernels); ++k)
      execute(module, module.entries()[k], memory, buffer);
  });
  return 0;
}
