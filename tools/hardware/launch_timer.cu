// SPDX-License-Identifier: Apache-2.0
// Times every kernel launch of a CUDA program on a card, without a change of the program: it is
// linked with this file and the options in building.py, by which the calls of main() and of the
// launch come here. The program's main() runs once for nothing, so that clocks, caches and the
// driver are warm, and then WARPMEM_REPEAT times; events on the launch's stream tell how long each
// launch took. WARPMEM_TIMES gets a line for each launch; without it the program runs as it is.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace {

struct Launch {
  const void* kernel = nullptr;
  cudaEvent_t start = nullptr, stop = nullptr;
  std::vector<float> milliseconds;  // one a repetition
};

bool timing = false;
std::size_t next_launch = 0;  // of this repetition

std::vector<Launch>& launches() {
  static std::vector<Launch> all;
  return all;
}

// Kernels are registered before objects of this file exist.
std::map<const void*, std::string>& names() {
  static std::map<const void*, std::string> all;
  return all;
}

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "launch_timer: %s\n", what.c_str());
  std::exit(2);
}

void check(cudaError_t error, const char* call) {
  if (error != cudaSuccess) fail(std::string(call) + ": " + cudaGetErrorString(error));
}

Launch& begin(const void* kernel, cudaStream_t stream) {
  if (next_launch == launches().size()) {
    Launch launch;
    launch.kernel = kernel;
    check(cudaEventCreate(&launch.start), "cudaEventCreate");
    check(cudaEventCreate(&launch.stop), "cudaEventCreate");
    launches().push_back(launch);
  }
  Launch& launch = launches()[next_launch++];
  if (launch.kernel != kernel) fail("a repetition launches other kernels than the one before");
  check(cudaEventRecord(launch.start, stream), "cudaEventRecord");
  return launch;
}

/// A launch between two events. The runtime may make one launch by another one, which is not timed
/// again.
template <class Call>
cudaError_t timed(const void* kernel, cudaStream_t stream, Call call) {
  static bool within = false;
  if (!timing || within) return call();
  within = true;
  const Launch launch = begin(kernel, stream);
  const cudaError_t error = call();
  check(cudaEventRecord(launch.stop, stream), "cudaEventRecord");
  within = false;
  return error;
}

/// Takes the times of a repetition.
void collect(bool keep) {
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  if (next_launch != launches().size()) fail("a repetition has fewer launches than the one before");
  if (next_launch == 0) fail("no launch was seen");
  for (Launch& launch : launches()) {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, launch.start, launch.stop), "cudaEventElapsedTime");
    if (keep) launch.milliseconds.push_back(milliseconds);
  }
  next_launch = 0;
}

void write(std::FILE* out, const std::string& kernel, const std::vector<float>& times) {
  std::fprintf(out, "%s", kernel.c_str());
  for (const float time : times) std::fprintf(out, ",%.9g", static_cast<double>(time));
  std::fprintf(out, "\n");
}

// What events around a kernel that does nothing take is in every time.
__global__ void nothing() {}

void write_times(const char* file, int repetitions) {
  std::FILE* out = std::fopen(file, "w");
  if (out == nullptr) fail(std::string(file) + ": cannot be written");
  for (const Launch& launch : launches()) {
    const auto name = names().find(launch.kernel);
    write(out, name == names().end() ? "?" : name->second, launch.milliseconds);
  }
  launches().clear();
  timing = true;
  for (int i = 0; i < repetitions; ++i) {
    nothing<<<1, 32>>>();
    check(cudaGetLastError(), "the launch of an empty kernel");
    collect(i != 0);
  }
  write(out, "nothing()", launches()[0].milliseconds);
  if (std::fclose(out) != 0) fail(std::string(file) + ": cannot be written");
}

}  // namespace

extern "C" {

int __real_main(int argc, char** argv);
void __real___cudaRegisterFunction(void** handle, const char* host, char* device, const char* name,
                                   int threads, uint3* thread, uint3* block, dim3* block_dim,
                                   dim3* grid_dim, int* warp_size);
cudaError_t __real_cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                    std::size_t shared_bytes, cudaStream_t stream);
cudaError_t __real_cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel,
                                       void** arguments);

void __wrap___cudaRegisterFunction(void** handle, const char* host, char* device, const char* name,
                                   int threads, uint3* thread, uint3* block, dim3* block_dim,
                                   dim3* grid_dim, int* warp_size) {
  names()[host] = name;
  __real___cudaRegisterFunction(handle, host, device, name, threads, thread, block, block_dim,
                                grid_dim, warp_size);
}

cudaError_t __wrap_cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                    std::size_t shared_bytes, cudaStream_t stream) {
  return timed(kernel, stream, [&] {
    return __real_cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
  });
}

cudaError_t __wrap_cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel,
                                       void** arguments) {
  return timed(kernel, config->stream,
               [&] { return __real_cudaLaunchKernelExC(config, kernel, arguments); });
}

#if CUDART_VERSION >= 13000
// What <<<>>> calls since CUDA 13: the kernel's handle, which the first launch asks for.
cudaError_t __real___cudaGetKernel(cudaKernel_t* handle, const void* kernel);
cudaError_t __real___cudaLaunchKernel(cudaKernel_t handle, dim3 grid, dim3 block, void** arguments,
                                      std::size_t shared_bytes, cudaStream_t stream);

cudaError_t __wrap___cudaGetKernel(cudaKernel_t* handle, const void* kernel) {
  const cudaError_t error = __real___cudaGetKernel(handle, kernel);
  const auto name = names().find(kernel);
  if (error == cudaSuccess && name != names().end()) {
    const std::string known = name->second;
    names()[*handle] = known;
  }
  return error;
}

cudaError_t __wrap___cudaLaunchKernel(cudaKernel_t handle, dim3 grid, dim3 block, void** arguments,
                                      std::size_t shared_bytes, cudaStream_t stream) {
  return timed(handle, stream, [&] {
    return __real___cudaLaunchKernel(handle, grid, block, arguments, shared_bytes, stream);
  });
}
#endif

int __wrap_main(int argc, char** argv) {
  const char* const file = std::getenv("WARPMEM_TIMES");
  if (file == nullptr) return __real_main(argc, argv);
  const char* const repeat = std::getenv("WARPMEM_REPEAT");
  const int repetitions = repeat == nullptr ? 20 : std::atoi(repeat);
  for (int i = 0; i <= repetitions; ++i) {
    timing = true;
    const int status = __real_main(argc, argv);
    timing = false;
    if (status != 0) return status;
    collect(i != 0);
  }
  write_times(file, repetitions + 1);
  return 0;
}

}  // extern "C"
