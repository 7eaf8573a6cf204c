// SPDX-License-Identifier: Apache-2.0
// Kernel launches, by both ABIs that clang has for <<<>>>: cudaConfigureCall, cudaSetupArgument,
// cudaLaunch (older than CUDA 9.2), and __cudaPushCallConfiguration, cudaLaunchKernel.
#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "base/checked.hpp"
#include "program/cuda/api.hpp"
#include "program/cuda/capture.hpp"
#include "program/cuda/kernel_cluster.hpp"

namespace {

using namespace warpmem::program::cuda;
using warpmem::Checked;
using warpmem::program::DeviceProperties;
using warpmem::program::Dim3;
namespace ptx = warpmem::program::ptx;

constexpr std::size_t kMostParameterBytes = 4096;

// What stands between <<< and >>>.
struct Configuration {
  dim3 grid, block;
  size_t shared_bytes = 0;
  cudaStream_t stream = nullptr;
  std::vector<std::uint8_t> arguments;  // arguments of the older ABI
  std::optional<Dim3> cluster = {};     // of cudaLaunchKernelEx
  bool cooperative = false;
};

// Launches nest when an argument of one contains another.
std::vector<Configuration>& configurations() {
  static thread_local std::vector<Configuration> stack;
  return stack;
}

Dim3 shape(dim3 d) { return {d.x, d.y, d.z}; }
bool same(Dim3 a, Dim3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

cudaError_t launch(Runtime& runtime, const void* function, const Configuration& configuration,
                   void** arguments) {
  const RegisteredKernel* const kernel = runtime.find_kernel(function);
  const ptx::Entry* const entry = kernel ? runtime.entry(*kernel) : nullptr;
  if (entry == nullptr) return cudaErrorInvalidDeviceFunction;
  if (!is_stream(configuration.stream)) return cudaErrorInvalidResourceHandle;
  std::vector<std::uint8_t> parameters(entry->parameter_bytes);
  if (arguments != nullptr) {
    if (!pack_parameters(*entry, arguments, parameters)) return cudaErrorInvalidValue;
  } else {
    const auto& given = configuration.arguments;
    std::copy_n(given.begin(), std::min(given.size(), parameters.size()), parameters.begin());
  }
  Runtime::LaunchShape launched{shape(configuration.grid), shape(configuration.block),
                                kernel_cluster(function), configuration.shared_bytes,
                                configuration.cooperative};
  if (!launched.cluster) {
    launched.cluster = configuration.cluster;
  } else if (configuration.cluster && !same(*configuration.cluster, *launched.cluster)) {
    return cudaErrorInvalidClusterSize;
  }
  if (Capture* const capture = capture_of(configuration.stream))
    return capture->add(configuration.stream, KernelWork{function, launched, parameters, {}});
  if (const cudaError_t error = refuse_beside_capture(configuration.stream); error != cudaSuccess)
    return error;
  return runtime.launch(*kernel, launched, parameters, id_of(configuration.stream));
}

cudaError_t launch_with_arguments(const void* kernel, const Configuration& configuration,
                                  void** arguments) {
  need_context();
  return api_beside_kernels([&](Runtime& runtime) {
    const RegisteredKernel* const found = runtime.find_kernel(kernel);
    const ptx::Entry* const entry = found ? runtime.entry(*found) : nullptr;
    if (arguments == nullptr && entry != nullptr && !entry->parameters.empty())
      return cudaErrorInvalidValue;
    return launch(runtime, kernel, configuration, arguments);
  });
}

cudaError_t accept_kernel(const void* function) {
  return api([&](Runtime& runtime) {
    return runtime.find_kernel(function) != nullptr ? cudaSuccess : cudaErrorInvalidDeviceFunction;
  });
}

}  // namespace

namespace warpmem::program::cuda {

bool pack_parameters(const ptx::Entry& entry, void** arguments, std::vector<std::uint8_t>& block) {
  block.assign(entry.parameter_bytes, 0);
  for (std::size_t i = 0; i < entry.parameters.size(); ++i)
    if (arguments[i] == nullptr) return false;
  for (std::size_t i = 0; i < entry.parameters.size(); ++i)
    std::memcpy(block.data() + entry.parameters[i].offset, arguments[i], entry.parameters[i].bytes);
  return true;
}

}  // namespace warpmem::program::cuda

extern "C" {

unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, void* stream) {
  configurations().push_back({grid, block, shared_bytes, static_cast<cudaStream_t>(stream), {}});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes,
                                       void* stream) {
  if (configurations().empty()) return cudaErrorMissingConfiguration;
  const Configuration& top = configurations().back();
  *grid = top.grid;
  *block = top.block;
  *shared_bytes = top.shared_bytes;
  *static_cast<cudaStream_t*>(stream) = top.stream;
  configurations().pop_back();
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                             size_t shared_bytes, cudaStream_t stream) {
  return launch_with_arguments(kernel, {grid, block, shared_bytes, stream, {}}, arguments);
}

cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                        size_t shared_bytes, cudaStream_t stream) {
  Configuration configuration{grid, block, shared_bytes, stream, {}};
  configuration.cooperative = true;
  return launch_with_arguments(kernel, configuration, arguments);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel,
                                void** arguments) {
  return api_beside_kernels([&](Runtime& runtime) {
    if (config == nullptr || (config->attrs == nullptr && config->numAttrs != 0))
      return cudaErrorInvalidValue;
    Configuration configuration{
        config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream, {}};
    for (unsigned i = 0; i < config->numAttrs; ++i) {
      const cudaLaunchAttribute& attribute = config->attrs[i];
      if (attribute.id == cudaLaunchAttributeIgnore) continue;
      if (attribute.id == cudaLaunchAttributeCooperative) {
        configuration.cooperative = attribute.val.cooperative != 0;
        continue;
      }
      if (attribute.id != cudaLaunchAttributeClusterDimension)
        return not_supported(
            "cudaLaunchKernelEx with another attribute than ClusterDimension and Cooperative");
      const auto& dim = attribute.val.clusterDim;
      configuration.cluster = Dim3{dim.x, dim.y, dim.z};
    }
    return launch(runtime, kernel, configuration, arguments);
  });
}

cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream) {
  configurations().push_back({grid, block, shared_bytes, stream, {}});
  return cudaSuccess;
}

cudaError_t cudaSetupArgument(const void* argument, size_t bytes, size_t offset) {
  if (configurations().empty()) return remember(cudaErrorMissingConfiguration);
  if (argument == nullptr || (Checked(offset) + bytes).over(kMostParameterBytes))
    return remember(cudaErrorInvalidValue);
  auto& arguments = configurations().back().arguments;
  arguments.resize(std::max(arguments.size(), offset + bytes));
  std::memcpy(arguments.data() + offset, argument, bytes);
  return cudaSuccess;
}

cudaError_t cudaLaunch(const void* kernel) {
  return api_beside_kernels([&](Runtime& runtime) {
    if (configurations().empty()) return cudaErrorMissingConfiguration;
    const Configuration configuration = configurations().back();
    configurations().pop_back();
    return launch(runtime, kernel, configuration, nullptr);
  });
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel) {
  return api([&](Runtime& runtime) {
    const RegisteredKernel* const found = runtime.find_kernel(kernel);
    if (attributes == nullptr) return cudaErrorInvalidValue;
    if (found == nullptr) return cudaErrorInvalidDeviceFunction;
    const DeviceProperties& device = runtime.device().properties();
    const ptx::KernelFacts facts = runtime.facts(*found);
    *attributes = {};
    attributes->sharedSizeBytes = facts.static_shared_bytes;
    attributes->localSizeBytes = facts.local_bytes;
    attributes->numRegs = static_cast<int>(facts.registers_per_thread);
    attributes->maxThreadsPerBlock = static_cast<int>(
        facts.max_threads == 0 ? device.threads_per_cta
                               : std::min(facts.max_threads, device.threads_per_cta));
    attributes->ptxVersion = attributes->binaryVersion = static_cast<int>(runtime.architecture());
    attributes->maxDynamicSharedSizeBytes =
        static_cast<int>(device.shared_bytes_per_cta - facts.static_shared_bytes);
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute which, int value) {
  return api([&](Runtime& runtime) {
    RegisteredKernel* const kernel = runtime.find_kernel(function);
    if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
    if (which == cudaFuncAttributeNonPortableClusterSizeAllowed)
      kernel->large_clusters = value != 0;
    if (which != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
    if (value < 0 ||
        static_cast<std::uint64_t>(value) > runtime.device().properties().shared_bytes_per_cta)
      return cudaErrorInvalidValue;
    return cudaSuccess;
  });
}
cudaError_t cudaFuncSetCacheConfig(const void* kernel, cudaFuncCache) {
  return accept_kernel(kernel);
}
cudaError_t cudaFuncSetSharedMemConfig(const void* kernel, cudaSharedMemConfig) {
  return accept_kernel(kernel);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel,
                                                          int block_threads,
                                                          size_t dynamic_shared) {
  return api([&](Runtime& runtime) {
    const RegisteredKernel* const found = runtime.find_kernel(kernel);
    if (blocks == nullptr || block_threads <= 0) return cudaErrorInvalidValue;
    if (found == nullptr) return cudaErrorInvalidDeviceFunction;
    *blocks = static_cast<int>(
        runtime.blocks_per_sm(*found, static_cast<std::uint64_t>(block_threads), dynamic_shared));
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* kernel,
                                                                   int block_threads,
                                                                   size_t dynamic_shared,
                                                                   unsigned int) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, block_threads,
                                                       dynamic_shared);
}

// Shared memory is given in bytes, so that `blocks` of them share it evenly.
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* kernel, int blocks,
                                                      int block_threads) {
  return api([&](Runtime& runtime) {
    const RegisteredKernel* const found = runtime.find_kernel(kernel);
    if (bytes == nullptr || blocks <= 0 || block_threads <= 0) return cudaErrorInvalidValue;
    if (found == nullptr) return cudaErrorInvalidDeviceFunction;
    const auto wanted = static_cast<std::uint64_t>(blocks);
    if (runtime.blocks_per_sm(*found, static_cast<std::uint64_t>(block_threads), 0) < wanted)
      return cudaErrorInvalidValue;
    *bytes = runtime.device().properties().shared_bytes_per_cta / wanted -
             runtime.facts(*found).static_shared_bytes;
    return cudaSuccess;
  });
}

}  // extern "C"
