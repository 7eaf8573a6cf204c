// SPDX-License-Identifier: Apache-2.0
// Modules of the driver API, which are PTX text, and launches of their kernels.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/errors.hpp"
#include "program/cuda/capture.hpp"
#include "program/cuda/driver.hpp"

struct CUfunc_st {
  CUmodule module = nullptr;
  warpmem::program::cuda::RegisteredKernel kernel;
  warpmem::program::cuda::KeptLaunch kept;
};

struct CUmod_st {
  std::string text;  ///< the parsed module refers to it
  warpmem::program::cuda::Binary binary;
  CUcontext context = nullptr;
  std::map<std::string, CUfunc_st> functions;  ///< those that have been asked for
};

namespace {

using namespace warpmem::program::cuda;
namespace ptx = warpmem::program::ptx;

// These are the handles given out. They are never destroyed.
std::unordered_set<CUmodule>& modules() {
  static auto* const the_set = new std::unordered_set<CUmodule>;
  return *the_set;
}
std::unordered_set<CUfunction>& functions() {
  static auto* const the_set = new std::unordered_set<CUfunction>;
  return *the_set;
}

/// Where the program wants to read what is wrong with an image.
struct Log {
  char* buffer = nullptr;
  std::size_t bytes = 0;

  void write(const std::string& text) const {
    if (buffer == nullptr || bytes == 0) return;
    const std::size_t length = std::min(text.size(), bytes - 1);
    std::memcpy(buffer, text.data(), length);
    buffer[length] = '\0';
  }
};

/// Does machine code begin here, as nvcc -cubin or -fatbin make it?
bool is_machine_code(const char* image) {
  constexpr unsigned char kElf[] = {0x7f, 'E', 'L', 'F'}, kFatBinary[] = {0x50, 0xed, 0x55, 0xba};
  return std::memcmp(image, kElf, sizeof kElf) == 0 ||
         std::memcmp(image, kFatBinary, sizeof kFatBinary) == 0;
}

cudaError_t load(CUmodule* handle, std::string text, const std::string& name, const Log& log) {
  return api([&](Runtime& runtime) {
    auto module = std::make_unique<CUmod_st>();
    module->text = std::move(text);
    module->context = current_context();
    try {
      module->binary.module = runtime.parsed(module->text, name);
    } catch (const warpmem::UserError& error) {
      std::fprintf(stderr, "warpmem: note: a module is not loaded (CUDA_ERROR_INVALID_PTX): %s\n",
                   error.what());
      log.write(error.what());
      return cudaErrorInvalidPtx;
    }
    module->binary.text = module->text.c_str();
    runtime.place(*module->binary.module);
    log.write("");
    *handle = module.release();
    modules().insert(*handle);
    return cudaSuccess;
  });
}

void unload(CUmodule module) {
  for (auto& [name, function] : module->functions) functions().erase(&function);
  modules().erase(module);
  delete module;
}

/// Returns the parameter block as `extra` gives it, or nothing when that is wrong.
std::optional<std::vector<std::uint8_t>> block_of(void** extra, std::size_t bytes) {
  const void* buffer = nullptr;
  const std::size_t* given = nullptr;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
      buffer = extra[1];
    else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
      given = static_cast<const std::size_t*>(extra[1]);
    else
      return std::nullopt;
  }
  if (buffer == nullptr || given == nullptr || *given < bytes) return std::nullopt;
  const auto* const first = static_cast<const std::uint8_t*>(buffer);
  return std::vector<std::uint8_t>(first, first + bytes);
}

cudaError_t launch(CUfunction function, const Runtime::LaunchShape& shape, CUstream stream,
                   void** parameters, void** extra) {
  return api_beside_kernels([&](Runtime& runtime) {
    if (functions().count(function) == 0 || !is_stream(stream))
      return cudaErrorInvalidResourceHandle;
    if (const cudaError_t error = refuse_in_capture(stream); error != cudaSuccess) return error;
    const ptx::Entry& entry = *runtime.entry(function->kernel);
    std::vector<std::uint8_t> block(entry.parameter_bytes);
    if (parameters != nullptr && extra != nullptr) return cudaErrorInvalidValue;
    if (extra != nullptr) {
      const auto given = block_of(extra, block.size());
      if (!given) return cudaErrorInvalidValue;
      block = *given;
    } else if (!entry.parameters.empty() &&
               (parameters == nullptr || !pack_parameters(entry, parameters, block))) {
      return cudaErrorInvalidValue;
    }
    const cudaError_t error = runtime.launch(function->kernel, shape, block, id_of(stream));
    runtime.error_was_read();  // the result tells of a refused launch
    return error;
  });
}

/// Does `body` with the function, if it is one.
template <class Body>
CUresult of_function(CUfunction function, Body&& body) {
  return in_context([&] {
    return api_beside_kernels([&](Runtime& runtime) {
      return functions().count(function) != 0 ? body(runtime) : cudaErrorInvalidResourceHandle;
    });
  });
}

}  // namespace

namespace warpmem::program::cuda {

KeptLaunch* kept_launch(CUfunction function) {
  return functions().count(function) != 0 ? &function->kept : nullptr;
}

void unload_modules_of(CUcontext context) {
  Runtime::instance().run_launched();
  const std::vector<CUmodule> all(modules().begin(), modules().end());
  for (CUmodule module : all)
    if (module->context == context) unload(module);
}

}  // namespace warpmem::program::cuda

extern "C" {

CUresult cuModuleLoad(CUmodule* module, const char* file) {
  return in_context([&] {
    if (module == nullptr || file == nullptr) return cudaErrorInvalidValue;
    std::ifstream in(file, std::ios::binary);
    if (!in) return cudaErrorFileNotFound;
    std::string text(std::istreambuf_iterator<char>(in), {});
    if (text.size() >= 4 && is_machine_code(text.data())) return cudaErrorNoKernelImageForDevice;
    return load(module, std::move(text), file, {});
  });
}

CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int count,
                            CUjit_option* options, void** values) {
  return in_context([&] {
    if (module == nullptr || image == nullptr ||
        (count != 0 && (options == nullptr || values == nullptr)))
      return cudaErrorInvalidValue;
    Log log;
    for (unsigned i = 0; i < count; ++i) {
      if (options[i] == CU_JIT_ERROR_LOG_BUFFER) log.buffer = static_cast<char*>(values[i]);
      if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
        log.bytes = reinterpret_cast<std::size_t>(values[i]);
    }
    const auto* const text = static_cast<const char*>(image);
    if (is_machine_code(text)) return cudaErrorNoKernelImageForDevice;
    return load(module, text, "PTX image", log);
  });
}

CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  return cuModuleLoadDataEx(module, image, 0, nullptr, nullptr);
}

CUresult cuModuleUnload(CUmodule module) {
  return in_context([&] {
    return api([&](Runtime&) {
      if (modules().count(module) == 0) return cudaErrorInvalidResourceHandle;
      unload(module);
      return cudaSuccess;
    });
  });
}

CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  return in_context([&] {
    return api_beside_kernels([&](Runtime&) {
      if (function == nullptr || name == nullptr) return cudaErrorInvalidValue;
      if (modules().count(module) == 0) return cudaErrorInvalidResourceHandle;
      if (module->binary.module->find_entry(name) == nullptr) return cudaErrorSymbolNotFound;
      CUfunc_st& found = module->functions[name];
      found.module = module;
      found.kernel.binary = &module->binary;
      found.kernel.name = name;
      functions().insert(&found);
      *function = &found;
      return cudaSuccess;
    });
  });
}

CUresult cuModuleGetGlobal(CUdeviceptr* pointer, size_t* bytes, CUmodule module, const char* name) {
  return in_context([&] {
    return api_beside_kernels([&](Runtime&) {
      if (name == nullptr) return cudaErrorInvalidValue;
      if (modules().count(module) == 0) return cudaErrorInvalidResourceHandle;
      const ptx::Variable* const variable = module->binary.module->find_variable(name);
      if (variable == nullptr || variable->address == 0) return cudaErrorSymbolNotFound;
      if (pointer != nullptr) *pointer = variable->address;
      if (bytes != nullptr) *bytes = variable->bytes;
      return cudaSuccess;
    });
  });
}

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                        unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                        unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                        void** parameters, void** extra) {
  Runtime::LaunchShape shape;
  shape.grid = {grid_x, grid_y, grid_z};
  shape.block = {block_x, block_y, block_z};
  shape.shared_bytes = shared_bytes;
  return in_context([&] { return launch(function, shape, stream, parameters, extra); });
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                                   unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                   unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                                   void** parameters) {
  Runtime::LaunchShape shape;
  shape.grid = {grid_x, grid_y, grid_z};
  shape.block = {block_x, block_y, block_z};
  shape.shared_bytes = shared_bytes;
  shape.cooperative = true;
  return in_context([&] { return launch(function, shape, stream, parameters, nullptr); });
}

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  return of_function(function, [&](Runtime& runtime) {
    if (value == nullptr) return cudaErrorInvalidValue;
    const ptx::KernelFacts facts = runtime.facts(function->kernel);
    const auto& device = runtime.device().properties();
    const auto give = [&](std::uint64_t number) {
      *value = static_cast<int>(number);
      return cudaSuccess;
    };
    switch (attribute) {
      case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        return give(facts.max_threads == 0 ? device.threads_per_cta
                                           : std::min(facts.max_threads, device.threads_per_cta));
      case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
        return give(facts.static_shared_bytes);
      case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
        return give(facts.local_bytes);
      case CU_FUNC_ATTRIBUTE_NUM_REGS:
        return give(facts.registers_per_thread);
      case CU_FUNC_ATTRIBUTE_PTX_VERSION:
      case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
        return give(60);
      case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        return give(device.shared_bytes_per_cta - facts.static_shared_bytes);
      case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        return give(0);
    }
    return cudaErrorInvalidValue;
  });
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  return of_function(function, [&](Runtime& runtime) {
    if (attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT) return cudaSuccess;
    const bool fits = value >= 0 && static_cast<std::uint64_t>(value) <=
                                        runtime.device().properties().shared_bytes_per_cta;
    return attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES && fits
               ? cudaSuccess
               : cudaErrorInvalidValue;
  });
}

CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache) {
  return of_function(function, [](Runtime&) { return cudaSuccess; });
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int threads,
                                                     size_t shared_bytes) {
  return of_function(function, [&](Runtime& runtime) {
    if (blocks == nullptr || threads <= 0) return cudaErrorInvalidValue;
    *blocks = static_cast<int>(
        runtime.blocks_per_sm(function->kernel, static_cast<std::uint64_t>(threads), shared_bytes));
    return cudaSuccess;
  });
}

CUresult cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction function,
                                          CUoccupancyB2DSize shared_of, size_t shared_bytes,
                                          int limit) {
  if (grid == nullptr || block == nullptr) return CUDA_ERROR_INVALID_VALUE;
  int most = 0;
  if (const CUresult error =
          cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function);
      error != CUDA_SUCCESS)
    return error;
  if (limit > 0) most = std::min(most, limit);
  int best = 0;
  for (int threads = most / 32 * 32; threads > 0; threads -= 32) {
    int blocks = 0;
    const CUresult error = cuOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, function, threads, shared_of != nullptr ? shared_of(threads) : shared_bytes);
    if (error != CUDA_SUCCESS) return error;
    if (blocks * threads <= best) continue;
    best = blocks * threads;
    *block = threads;
    *grid = blocks * static_cast<int>(Runtime::instance().device().properties().sm_count);
  }
  return best > 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

}  // extern "C"
