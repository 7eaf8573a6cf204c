// SPDX-License-Identifier: Apache-2.0
// What every C function of the runtime API does around its own work: one lock, no exception through
// the user's program, the last error remembered.
#pragma once

#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "base/interrupt.hpp"
#include "program/cuda/include/cuda_runtime_api.h"
#include "program/cuda/runtime.hpp"

namespace warpmem::program::cuda {

/// Exit statuses of a program whose kernel or configuration is at fault, and of a simulation that
/// contradicts itself.
inline constexpr int kExitUserError = 2;
inline constexpr int kExitSimulationError = 3;
inline constexpr int kExitSignal = 128;  ///< plus the signal

/// Writes "warpmem: error: text" and ends the process at once: the program's own clean-up would
/// work with results that do not exist.
[[noreturn]] void fail(int status, const std::string& text);

/// Does the same, with the exit status that belongs to the error.
[[noreturn]] void fail(const std::exception& error);

/// Ends the process by the signal that stopped a launch, whose device has written the results.
[[noreturn]] void interrupted(const Interrupted& interrupt);

/// This is the atexit handler: the device writes its results.
void finish_at_exit();

/// Serialises the API over the program's threads. It is recursive, since stream callbacks may call
/// the API.
std::recursive_mutex& api_mutex();

/// A call of the runtime API that needs a context: the primary one becomes the calling thread's, if
/// it has none (driver_context.cpp).
void need_context();
/// Does what cudaFree does, in any context (api_memory.cpp).
cudaError_t free_memory(void* pointer);

/// Sets the calling thread's last error and returns `error`.
cudaError_t remember(cudaError_t error);
/// Returns cudaErrorNotSupported; the name is printed the first time.
cudaError_t not_supported(const char* name);
/// Returns whether the program has the stream and has not destroyed it, or it is one that is always
/// there.
bool is_stream(cudaStream_t stream);
bool is_event(cudaEvent_t event);
/// Precondition: is_stream().
StreamId id_of(cudaStream_t stream);
/// Returns the address of byte `offset` of a symbol; nullptr and an error when there is no room for
/// `bytes` (api_copy.cpp).
char* symbol_bytes(const void* symbol, std::size_t offset, std::size_t bytes, cudaError_t& error);
/// Fills rows of elements in device memory, behind what the stream has been given (api_copy.cpp).
cudaError_t fill_elements(const cudaMemsetParams& parameters, cudaStream_t stream);
/// Lays the arguments out as the kernel wants them; false when one is missing (api_launch.cpp).
bool pack_parameters(const ptx::Entry& entry, void** arguments, std::vector<std::uint8_t>& block);
/// A graph becomes the program's (api_graph.cpp).
void give_out(std::unique_ptr<CUgraph_st> graph, cudaGraph_t& handle);
/// Says that memory has been released, which may be that of a pool (api_pool.cpp).
void returned_to_pool(void* pointer);
/// Notes that the texture reference at `reference` reads integers as floats (api_texture.cpp).
void note_normalized_reference(const void* reference);

/// Runs `body`, which returns a cudaError_t, as an API function that kernels under way do not
/// concern, since it only gives the device further work or makes handles.
template <class Body>
cudaError_t api_beside_kernels(Body&& body) {
  const std::lock_guard<std::recursive_mutex> lock(api_mutex());
  try {
    Runtime& runtime = Runtime::instance();
    if (runtime.finished()) return cudaErrorCudartUnloading;
    if (runtime.fault() != cudaSuccess) return remember(runtime.fault());
    return remember(body(runtime));
  } catch (const Interrupted& interrupt) {
    interrupted(interrupt);
  } catch (const std::exception& error) {
    fail(error);
  }
}

/// The same for an API function that sees what all kernels launched so far have done.
template <class Body>
cudaError_t api(Body&& body) {
  return api_beside_kernels([&](Runtime& runtime) {
    runtime.run_launched();
    return runtime.fault() != cudaSuccess ? runtime.fault() : body(runtime);
  });
}

/// The same for one that comes after what `stream` has been given so far. As long as that is not to
/// be waited for, kernels of other streams may be under way.
template <class Body>
cudaError_t api(cudaStream_t stream, Body&& body) {
  return api_beside_kernels([&](Runtime& runtime) {
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    if (runtime.has_launched(id_of(stream))) runtime.run_launched();
    return runtime.fault() != cudaSuccess ? runtime.fault() : body(runtime);
  });
}

inline Addr address_of(const void* pointer) { return reinterpret_cast<Addr>(pointer); }
inline void* pointer_to(Addr address) { return reinterpret_cast<void*>(address); }

}  // namespace warpmem::program::cuda
