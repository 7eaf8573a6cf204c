// SPDX-License-Identifier: Apache-2.0
// The driver API: contexts, a module of PTX text from a file and from memory, its variables,
// launches with parameters and with a block of them, fills, streams, events, errors.
#include <cuda.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "../runtime/check.h"

const int kN = 1000;

static std::string folder_of(const char* program) {
  const std::string path = program;
  return path.substr(0, path.rfind('/') + 1);
}

static void check_devices(CUdevice device) {
  int count = 0, threads = 0, major = 0, minor = 0, warp = 0;
  char name[64];
  size_t bytes = 0;
  OK(cuDeviceGetCount(&count));
  CHECK(count == 1);
  EXPECT(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&device, 1));
  OK(cuDeviceGetName(name, sizeof name, 0));
  CHECK(std::strlen(name) > 0);
  OK(cuDeviceTotalMem(&bytes, 0));
  CHECK(bytes >= 1 << 20);
  OK(cuDeviceGetAttribute(&threads, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 0));
  OK(cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
  CHECK(threads >= 512 && warp == 32);
  OK(cuDeviceComputeCapability(&major, &minor, 0));
  CHECK(major >= 6);
}

static void check_contexts(CUdevice device, CUcontext context) {
  CUcontext other, now;
  OK(cuCtxGetCurrent(&now));
  CHECK(now == context);
  OK(cuCtxCreate(&other, 0, device));
  OK(cuCtxGetCurrent(&now));
  CHECK(now == other);
  CUdeviceptr lost;
  OK(cuMemAlloc(&lost, 1 << 20));
  OK(cuCtxPopCurrent(&now));
  CHECK(now == other);
  OK(cuCtxPushCurrent(other));
  size_t before, after, total;
  OK(cuMemGetInfo(&before, &total));
  OK(cuCtxDestroy(other));  // with what it has allocated
  OK(cuCtxGetCurrent(&now));
  CHECK(now == context);
  OK(cuMemGetInfo(&after, &total));
  CHECK(after == before + (1 << 20));
  EXPECT(CUDA_ERROR_INVALID_CONTEXT, cuCtxPushCurrent(other));
  int active = 0;
  unsigned flags;
  OK(cuDevicePrimaryCtxRetain(&other, device));
  OK(cuDevicePrimaryCtxGetState(device, &flags, &active));
  CHECK(active == 1);
  OK(cuDevicePrimaryCtxRelease(device));
  EXPECT(CUDA_ERROR_INVALID_CONTEXT, cuDevicePrimaryCtxRelease(device));
}

static void launch_as_before_cuda_4(CUfunction reverse, CUdeviceptr data, int n) {
  OK(cuFuncSetBlockShape(reverse, n, 1, 1));
  OK(cuFuncSetSharedSize(reverse, n * sizeof(float)));
  OK(cuParamSetv(reverse, 0, &data, sizeof data));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuLaunchGrid(reverse, 1, 1));  // a parameter is missing
  OK(cuParamSeti(reverse, sizeof data, n));
  OK(cuParamSetSize(reverse, sizeof data + sizeof n));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuParamSeti(reverse, 4093, n));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuFuncSetBlockShape(reverse, 0, 1, 1));
  EXPECT(CUDA_ERROR_INVALID_HANDLE, cuLaunch(nullptr));
  OK(cuLaunch(reverse));
}

static void check_launches(CUmodule module) {
  std::vector<float> in(kN), out(kN);
  for (int i = 0; i < kN; ++i) in[i] = i;
  CUdeviceptr from, to, calls, factor;
  const size_t bytes = kN * sizeof(float);
  OK(cuMemAlloc(&from, bytes));
  OK(cuMemAlloc(&to, bytes));
  OK(cuMemcpyHtoD(from, in.data(), bytes));
  CUfunction scale, reverse, none;
  OK(cuModuleGetFunction(&scale, module, "scale"));
  OK(cuModuleGetFunction(&reverse, module, "reverse"));
  EXPECT(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&none, module, "none"));

  int n = kN;
  char which = 2;
  void* parameters[] = {&to, &from, &n, &which};
  OK(cuLaunchKernel(scale, 8, 1, 1, 128, 1, 1, 0, nullptr, parameters, nullptr));
  OK(cuMemcpyDtoH(out.data(), to, bytes));
  for (int i = 0; i < kN; ++i) CHECK(out[i] == 2 * in[i]);

  // The same with a block of parameters, and another value of the module's constant.
  size_t size = 0;
  OK(cuModuleGetGlobal(&factor, &size, module, "factor"));
  CHECK(size == sizeof(float));
  const float three = 3;
  OK(cuMemcpyHtoD(factor, &three, sizeof three));
  struct {
    CUdeviceptr to, from;
    int n;
    char which;
  } block = {to, from, kN, 1};
  size_t block_bytes = sizeof block;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &block, CU_LAUNCH_PARAM_BUFFER_SIZE,
                   &block_bytes, CU_LAUNCH_PARAM_END};
  CUstream stream;
  CUevent start, stop;
  OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  OK(cuEventCreate(&start, CU_EVENT_DEFAULT));
  OK(cuEventCreate(&stop, CU_EVENT_DEFAULT));
  OK(cuEventRecord(start, stream));
  OK(cuLaunchKernel(scale, 8, 1, 1, 128, 1, 1, 0, stream, nullptr, extra));
  OK(cuEventRecord(stop, stream));
  OK(cuStreamSynchronize(stream));
  float milliseconds = 0;
  OK(cuEventElapsedTime(&milliseconds, start, stop));
  CHECK(milliseconds > 0);
  OK(cuMemcpyDtoHAsync(out.data(), to, bytes, stream));
  OK(cuStreamQuery(stream));
  for (int i = 0; i < kN; ++i) CHECK(out[i] == 3 * in[i]);

  int counted[4];
  OK(cuModuleGetGlobal(&calls, &size, module, "calls"));
  CHECK(size == sizeof counted);
  OK(cuMemcpyDtoH(counted, calls, size));
  CHECK(counted[0] == 0 && counted[1] == 1 && counted[2] == 1);

  n = 256;
  void* reversing[] = {&from, &n};
  OK(cuLaunchKernel(reverse, 1, 1, 1, 256, 1, 1, 256 * sizeof(float), stream, reversing, nullptr));
  OK(cuMemcpyDtoH(out.data(), from, bytes));
  for (int i = 0; i < kN; ++i) CHECK(out[i] == (i < n ? in[n - 1 - i] : in[i]));

  launch_as_before_cuda_4(reverse, from, n);
  OK(cuMemcpyDtoH(out.data(), from, bytes));
  for (int i = 0; i < kN; ++i) CHECK(out[i] == in[i]);

  EXPECT(CUDA_ERROR_INVALID_VALUE,
         cuLaunchKernel(scale, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr));
  EXPECT(CUDA_ERROR_INVALID_VALUE,
         cuLaunchKernel(scale, 1, 1, 1, 1, 1, 1, 0, stream, parameters, extra));
  int registers = 0, threads = 0, blocks = 0;
  OK(cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, scale));
  OK(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, scale));
  OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 128, 0));
  CHECK(registers > 0 && threads >= 512 && blocks > 0);
  OK(cuStreamDestroy(stream));
  OK(cuEventDestroy(start));
  OK(cuEventDestroy(stop));
  OK(cuMemFree(from));
  OK(cuMemFree(to));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemFree(to));
}

static void check_fills() {
  CUdeviceptr memory, base;
  size_t bytes, pitch;
  OK(cuMemAlloc(&memory, 64));
  OK(cuMemGetAddressRange(&base, &bytes, memory + 20));
  CHECK(base == memory && bytes == 64);
  OK(cuMemsetD32(memory, 0x01020304u, 16));
  OK(cuMemsetD16(memory + 8, 0x0506, 4));
  OK(cuMemsetD8(memory + 63, 7, 1));
  unsigned char got[64];
  OK(cuMemcpyDtoH(got, memory, sizeof got));
  for (int i = 0; i < 64; ++i) {
    const int word = 4 - i % 4, half = i % 2 == 0 ? 6 : 5;
    CHECK(got[i] == (i == 63 ? 7 : i >= 8 && i < 16 ? half : word));
  }
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(memory + 1, 0, 1));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemsetD16(memory, 0, 33));
  OK(cuMemFree(memory));
  OK(cuMemAllocPitch(&memory, &pitch, 12, 3, 4));
  OK(cuMemsetD2D32(memory, pitch, 9, 3, 3));
  int value = 0;
  OK(cuMemcpyDtoH(&value, memory + 2 * pitch + 8, sizeof value));
  CHECK(value == 9);
  OK(cuMemFree(memory));
}

static void check_errors(CUmodule module) {
  const char* text = nullptr;
  OK(cuGetErrorName(CUDA_ERROR_INVALID_PTX, &text));
  CHECK(std::strcmp(text, "CUDA_ERROR_INVALID_PTX") == 0);
  OK(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text));
  CHECK(std::strcmp(text, "out of memory") == 0);
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuGetErrorName(static_cast<CUresult>(12345), &text));
  CUmodule bad;
  EXPECT(CUDA_ERROR_FILE_NOT_FOUND, cuModuleLoad(&bad, "none.ptx"));
  char log[256] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  EXPECT(CUDA_ERROR_INVALID_PTX,
         cuModuleLoadDataEx(&bad, ".version 6.0\n.target sm_70\nnonsense", 2, options, values));
  CHECK(std::strstr(log, "3") != nullptr);  // the line
  EXPECT(CUDA_ERROR_NO_BINARY_FOR_GPU, cuModuleLoadData(&bad,
                                                        "\x7f"
                                                        "ELF..."));

  CUfunction stray;
  OK(cuModuleGetFunction(&stray, module, "stray"));
  CUdeviceptr memory;
  OK(cuMemAlloc(&memory, 4));
  void* parameters[] = {&memory};
  OK(cuLaunchKernel(stray, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  const CUresult result = cuCtxSynchronize();
  EXPECT(CUDA_ERROR_ILLEGAL_ADDRESS, result);
  OK(cuGetErrorName(result, &text));
  CHECK(std::strcmp(text, "CUDA_ERROR_ILLEGAL_ADDRESS") == 0);
  EXPECT(CUDA_ERROR_ILLEGAL_ADDRESS, cuMemFree(memory));
}

/// Rows of the host go to pitched memory, into an array and back, in pieces.
void check_copies() {
  const unsigned width = 6, height = 4;
  float in[height][width], out[height][width] = {};
  for (unsigned i = 0; i < width * height; ++i) in[0][i] = float(i);
  CUdeviceptr memory;
  size_t pitch;
  OK(cuMemAllocPitch(&memory, &pitch, sizeof in[0], height, 4));
  CUDA_ARRAY_DESCRIPTOR description = {width, height, CU_AD_FORMAT_FLOAT, 1};
  CUarray array;
  OK(cuArrayCreate(&array, &description));
  CUDA_MEMCPY2D c = {};
  c.srcMemoryType = CU_MEMORYTYPE_HOST;
  c.srcHost = in;
  c.srcPitch = sizeof in[0];
  c.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  c.dstDevice = memory;
  c.dstPitch = pitch;
  c.WidthInBytes = sizeof in[0];
  c.Height = height;
  OK(cuMemcpy2D(&c));
  c.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  c.srcDevice = memory;
  c.srcPitch = pitch;
  c.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  c.dstArray = array;
  OK(cuMemcpy2DAsync(&c, nullptr));
  CUDA_MEMCPY3D d = {};
  d.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  d.srcArray = array;
  d.srcXInBytes = 8;
  d.srcY = 1;
  d.dstMemoryType = CU_MEMORYTYPE_HOST;
  d.dstHost = out;
  d.dstPitch = sizeof out[0];
  d.dstHeight = height;
  d.dstXInBytes = 4;
  d.dstY = 2;
  d.WidthInBytes = 16;
  d.Height = 2;
  d.Depth = 1;
  OK(cuMemcpy3D(&d));
  for (unsigned y = 0; y < height; ++y)
    for (unsigned x = 0; x < width; ++x) {
      const bool inside = y >= 2 && x >= 1 && x < 5;
      CHECK(out[y][x] == (inside ? in[y - 1][x + 1] : 0));
    }
  d.WidthInBytes = 15;
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemcpy3D(&d));
  description.NumChannels = 3;
  CUarray none;
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuArrayCreate(&none, &description));
  OK(cuArrayDestroy(array));
  OK(cuMemFree(memory));
  size_t bytes;
  OK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 2048));
  OK(cuCtxGetLimit(&bytes, CU_LIMIT_STACK_SIZE));
  CHECK(bytes == 2048);
}

int main(int, char** argv) {
  int count;
  EXPECT(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&count));
  OK(cuInit(0));
  CUdevice device;
  OK(cuDeviceGet(&device, 0));
  CUdeviceptr early;
  EXPECT(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&early, 4));
  CUcontext context;
  OK(cuCtxCreate(&context, CU_CTX_SCHED_AUTO, device));
  check_devices(device);
  check_contexts(device, context);
  check_fills();
  check_copies();
  const std::string file = folder_of(argv[0]) + "kernels.ptx";
  CUmodule module;
  OK(cuModuleLoad(&module, file.c_str()));
  check_launches(module);
  OK(cuModuleUnload(module));
  EXPECT(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload(module));
  std::ifstream in(file);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  OK(cuModuleLoadData(&module, text.c_str()));
  check_launches(module);
  check_errors(module);
  return finish();
}
