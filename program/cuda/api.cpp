// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/api.hpp"

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <new>
#include <set>

#include "base/environment_error.hpp"
#include "program/cuda/early_end.hpp"

namespace warpmem::program::cuda {

namespace {

thread_local cudaError_t last_error = cudaSuccess;

}  // namespace

void fail(int status, const std::string& text) {
  std::cout.flush();
  std::fflush(nullptr);
  std::fprintf(stderr, "warpmem: error: %s\n", text.c_str());
  std::fflush(stderr);
  leave(status);
}

void interrupted(const Interrupted& interrupt) {
  std::cout.flush();
  std::fflush(nullptr);
  end_by_signal(interrupt.signal());
  leave(kExitSignal + interrupt.signal());
}

void fail(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr)
    fail(environment_exit_status(), "out of memory");
  if (dynamic_cast<const EnvironmentError*>(&error) != nullptr)
    fail(environment_exit_status(), error.what());
  if (dynamic_cast<const UserError*>(&error) != nullptr) fail(kExitUserError, error.what());
  fail(kExitSimulationError, error.what());
}

void finish_at_exit() {
  if (!owns_results()) return;
  const std::lock_guard<std::recursive_mutex> lock(api_mutex());
  try {
    Runtime::instance().finish();
  } catch (const std::exception& error) {
    fail(error);
  }
}

std::recursive_mutex& api_mutex() {
  static auto* const the_mutex = new std::recursive_mutex;  // outlives static objects
  return *the_mutex;
}

cudaError_t remember(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

cudaError_t not_supported(const char* name) {
  const std::lock_guard<std::recursive_mutex> lock(api_mutex());
  static auto* const said = new std::set<std::string>;
  if (said->insert(name).second)
    std::fprintf(stderr, "warpmem: note: %s is not supported; it returns cudaErrorNotSupported\n",
                 name);
  return remember(cudaErrorNotSupported);
}

}  // namespace warpmem::program::cuda

using warpmem::program::cuda::last_error;
using warpmem::program::cuda::Runtime;

extern "C" {

cudaError_t cudaPeekAtLastError() {
  Runtime::instance().error_was_read();
  Runtime::instance().fault_was_read(last_error);
  return last_error;
}

cudaError_t cudaGetLastError() {
  const cudaError_t error = cudaPeekAtLastError();
  // After a kernel's fault the next call that can fail does so with it again.
  last_error = cudaSuccess;
  return error;
}

}  // extern "C"
