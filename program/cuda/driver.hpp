// SPDX-License-Identifier: Apache-2.0
// The driver API, over the runtime's functions: what its functions ask for before they do their
// work.
#pragma once

#include <cstdint>
#include <vector>

#include "program/cuda/api.hpp"
#include "program/cuda/include/cuda.h"

namespace warpmem::program::cuda {

/// Returns the context that is current in this thread, or nullptr. A program that uses the runtime
/// API has the primary one.
CUcontext current_context();
/// Returns whether cuInit has been called, or the runtime has begun.
bool initialized();
/// A context ends: its modules and memory are given back (driver_module.cpp, driver_memory.cpp).
void unload_modules_of(CUcontext context);
void free_memory_of(CUcontext context);

/// What launches as before CUDA 4 keep in their function (driver_old_launch.cpp).
struct KeptLaunch {
  int block[3] = {1, 1, 1};
  unsigned shared_bytes = 0;
  std::vector<std::uint8_t> parameters;
};
/// Returns nullptr for what is no function (driver_module.cpp).
KeptLaunch* kept_launch(CUfunction function);

inline CUresult result_of(cudaError_t error) { return static_cast<CUresult>(error); }

/// Does `call`, which returns a cudaError_t, once the API is initialised.
template <class Call>
CUresult initialized_call(Call&& call) {
  return initialized() ? result_of(call()) : CUDA_ERROR_NOT_INITIALIZED;
}
/// The same in the current context.
template <class Call>
CUresult in_context(Call&& call) {
  if (!initialized()) return CUDA_ERROR_NOT_INITIALIZED;
  return current_context() != nullptr ? result_of(call()) : CUDA_ERROR_INVALID_CONTEXT;
}

}  // namespace warpmem::program::cuda
