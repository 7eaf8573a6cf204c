// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "cuda_runtime_fixture.hpp"
#include "program/device_memory.hpp"

namespace warpmem::program::cuda {
namespace {

// add: out[i] = in[i] + bias for i < n; fault: a store to address 16.
constexpr const char* kPtx = R"(.version 6.0
.target sm_60
.address_size 64
.visible .global .align 4 .u32 bias = 5;
.visible .global .align 4 .b8 table[64];
.visible .entry add(.param .u64 in, .param .u64 out, .param .u32 n) {
  .reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  setp.ge.u32 %p1, %r5, %r1;
  @%p1 bra done;
  mul.wide.u32 %rd3, %r5, 4;
  add.s64 %rd4, %rd1, %rd3;
  add.s64 %rd5, %rd2, %rd3;
  ld.global.u32 %r6, [%rd4];
  ld.global.u32 %r7, [bias];
  add.s32 %r6, %r6, %r7;
  st.global.u32 [%rd5], %r6;
done:
  ret;
}
.visible .entry fault() {
  .reg .b64 %rd<2>; .reg .b32 %r<2>;
  mov.u64 %rd1, 16;
  mov.u32 %r1, 1;
  st.global.u32 [%rd1], %r1;
  ret;
}
.visible .entry bounded() .maxntid 64, 1, 1 { ret; }
// warpmem source: some.cu
)";

char add_stub, fault_stub, bounded_stub, unknown_stub;
char bias_symbol[4], table_symbol[64];

class CudaRuntime : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    set_device_factory([] { return std::make_unique<RecordingDevice>(small_device()); });
    void** const handle = register_ptx(kPtx);
    register_kernel(handle, &add_stub, "add");
    register_kernel(handle, &fault_stub, "fault");
    register_kernel(handle, &bounded_stub, "bounded");
    register_variable(handle, bias_symbol, "bias", 4);
    register_variable(handle, table_symbol, "table", 64);
    cudaFree(nullptr);
  }
  void SetUp() override {
    cudaGetLastError();
    RecordingDevice::writes().clear();
  }

  static cudaError_t launch_add(const int* in, int* out, unsigned n, dim3 grid, dim3 block) {
    void* arguments[] = {&in, &out, &n};
    return cudaLaunchKernel(&add_stub, grid, block, arguments, 0, nullptr);
  }
  static int* allocate(std::size_t n) {
    void* p = nullptr;
    EXPECT_EQ(cudaMalloc(&p, n * sizeof(int)), cudaSuccess);
    return static_cast<int*>(p);
  }
};

TEST_F(CudaRuntime, RunsAKernelOverCopiedData) {
  std::vector<int> host(100);
  std::iota(host.begin(), host.end(), 0);
  int *in = allocate(100), *out = allocate(100);
  ASSERT_EQ(cudaMemcpy(in, host.data(), 400, cudaMemcpyHostToDevice), cudaSuccess);
  ASSERT_EQ(launch_add(in, out, 100, 4, 32), cudaSuccess);
  std::vector<int> result(100);
  ASSERT_EQ(cudaMemcpy(result.data(), out, 400, cudaMemcpyDeviceToHost), cudaSuccess);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(result[i], i + 5);
  cudaFree(in);
  cudaFree(out);
}

TEST_F(CudaRuntime, OldLaunchAbiDoesTheSame) {
  int *in = allocate(8), *out = allocate(8);
  unsigned n = 8;
  ASSERT_EQ(cudaConfigureCall(1, 32, 0, nullptr), cudaSuccess);
  ASSERT_EQ(cudaSetupArgument(&in, 8, 0), cudaSuccess);
  ASSERT_EQ(cudaSetupArgument(&out, 8, 8), cudaSuccess);
  ASSERT_EQ(cudaSetupArgument(&n, 4, 16), cudaSuccess);
  ASSERT_EQ(cudaLaunch(&add_stub), cudaSuccess);
  EXPECT_EQ(out[7], 5);
  EXPECT_EQ(cudaLaunch(&add_stub), cudaErrorMissingConfiguration);
  cudaFree(in);
  cudaFree(out);
}

TEST_F(CudaRuntime, ConfigurationsNest) {
  dim3 grid, block;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
  EXPECT_EQ(__cudaPushCallConfiguration(1, 2, 3, nullptr), 0u);
  EXPECT_EQ(__cudaPushCallConfiguration(4, 5, 6, nullptr), 0u);
  EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaSuccess);
  EXPECT_EQ(grid.x, 4u);
  EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaSuccess);
  EXPECT_EQ(block.x, 2u);
  EXPECT_EQ(shared, 3u);
  EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream),
            cudaErrorMissingConfiguration);
}

TEST_F(CudaRuntime, TheDeviceLearnsOfEveryWriteOfTheHost) {
  int* p = allocate(64);
  int host[64] = {};
  RecordingDevice::writes().clear();
  cudaMemcpy(p, host, 40, cudaMemcpyHostToDevice);
  EXPECT_TRUE(RecordingDevice::told(p, 40));
  EXPECT_EQ(RecordingDevice::bytes_told(), 40u);
  RecordingDevice::writes().clear();
  cudaMemset(p + 10, 1, 8);
  EXPECT_TRUE(RecordingDevice::told(p + 10, 8));
  EXPECT_EQ(RecordingDevice::bytes_told(), 8u);
  RecordingDevice::writes().clear();
  cudaMemcpy(host, p, 256, cudaMemcpyDeviceToHost);
  EXPECT_TRUE(RecordingDevice::writes().empty());
  cudaMemcpy2D(p, 64, host, 16, 8, 3, cudaMemcpyHostToDevice);
  EXPECT_TRUE(RecordingDevice::told(p, 8));
  EXPECT_TRUE(RecordingDevice::told(p + 16, 8));
  EXPECT_TRUE(RecordingDevice::told(p + 32, 8));
  EXPECT_EQ(RecordingDevice::bytes_told(), 24u);
  RecordingDevice::writes().clear();
  cudaMemcpyToSymbol(table_symbol, host, 12, 4, cudaMemcpyHostToDevice);
  EXPECT_EQ(RecordingDevice::bytes_told(), 12u);
  cudaFree(p);
}

TEST_F(CudaRuntime, RecycledMemoryComesBackZeroAndTheDeviceKnows) {
  int* first = allocate(16);
  cudaMemset(first, 0xff, 64);
  RecordingDevice::writes().clear();
  cudaFree(first);  // from here on it reads as zero
  int* second = allocate(16);
  ASSERT_EQ(second, first);
  EXPECT_EQ(second[3], 0);
  EXPECT_TRUE(RecordingDevice::told(second, 64));
  cudaFree(second);
}

TEST_F(CudaRuntime, PlainStoresToManagedMemoryAreFoundAtTheNextLaunch) {
  void* p = nullptr;
  ASSERT_EQ(cudaMallocManaged(&p, 4096, cudaMemAttachGlobal), cudaSuccess);
  int* const managed = static_cast<int*>(p);
  int* const out = allocate(1024);
  managed[500] = 37;
  RecordingDevice::writes().clear();
  ASSERT_EQ(launch_add(managed, out, 1024, 32, 32), cudaSuccess);
  EXPECT_EQ(out[500], 42);
  EXPECT_TRUE(RecordingDevice::told(managed + 500, 4));
  EXPECT_LE(RecordingDevice::bytes_told(), 128u);
  // What a kernel writes is not a write of the host.
  RecordingDevice::writes().clear();
  ASSERT_EQ(launch_add(managed, managed, 1024, 32, 32), cudaSuccess);
  ASSERT_EQ(launch_add(managed, managed, 1024, 32, 32), cudaSuccess);
  EXPECT_TRUE(RecordingDevice::writes().empty());
  cudaFree(managed);
  cudaFree(out);
}

TEST_F(CudaRuntime, RefusesRangesThatAreNoAllocation) {
  int* p = allocate(16);
  int host[32] = {};
  EXPECT_EQ(cudaMemcpy(p, host, 65, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(p + 1, host, 64, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(host, host + 16, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(p, p, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(host, 0, 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(p, host, 4, static_cast<cudaMemcpyKind>(9)),
            cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaFree(p + 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(p), cudaSuccess);
  EXPECT_EQ(cudaFree(p), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(p, host, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_TRUE(RecordingDevice::writes().empty() || RecordingDevice::bytes_told() == 64);
}

TEST_F(CudaRuntime, DefaultKindFindsTheDirection) {
  int *a = allocate(4), *b = allocate(4);
  int host[4] = {1, 2, 3, 4}, back[4] = {};
  EXPECT_EQ(cudaMemcpy(a, host, 16, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(b, a, 16, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(back, b, 16, cudaMemcpyDefault), cudaSuccess);
  EXPECT_THAT(back, testing::ElementsAre(1, 2, 3, 4));
  cudaFree(a);
  cudaFree(b);
}

TEST_F(CudaRuntime, MemoryRunsOutAndComesBack) {
  std::size_t free_before = 0, free_after = 0, total = 0;
  ASSERT_EQ(cudaMemGetInfo(&free_before, &total), cudaSuccess);
  EXPECT_EQ(total, std::size_t(1) << 20);
  void *big = nullptr, *more = nullptr;
  ASSERT_EQ(cudaMalloc(&big, free_before), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&more, 256), cudaErrorMemoryAllocation);
  EXPECT_EQ(more, nullptr);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  ASSERT_EQ(cudaFree(big), cudaSuccess);
  ASSERT_EQ(cudaMemGetInfo(&free_after, &total), cudaSuccess);
  EXPECT_EQ(free_after, free_before);
  EXPECT_EQ(cudaMalloc(&more, 0), cudaSuccess);
}

TEST_F(CudaRuntime, SymbolsAreTheModulesVariables) {
  int value = 0;
  ASSERT_EQ(cudaMemcpyFromSymbol(&value, bias_symbol, 4, 0, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(value, 5);
  void* address = nullptr;
  std::size_t bytes = 0;
  ASSERT_EQ(cudaGetSymbolAddress(&address, table_symbol), cudaSuccess);
  ASSERT_EQ(cudaGetSymbolSize(&bytes, table_symbol), cudaSuccess);
  EXPECT_EQ(bytes, 64u);
  ASSERT_EQ(cudaMemset(address, 3, 64), cudaSuccess);
  EXPECT_EQ(cudaMemcpyFromSymbol(&value, table_symbol, 4, 61, cudaMemcpyDeviceToHost),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyToSymbol(&value, &value, 4, 0, cudaMemcpyHostToDevice),
            cudaErrorInvalidSymbol);
  EXPECT_EQ(cudaFree(address), cudaErrorInvalidValue)
      << "a variable is no allocation of cudaMalloc";
}

TEST_F(CudaRuntime, RefusesLaunchesTheDeviceCannotTake) {
  int* p = allocate(4);
  const int before = RecordingDevice::launches();
  testing::internal::CaptureStderr();
  EXPECT_EQ(launch_add(p, p, 4, 0, 32), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch_add(p, p, 4, 1, 513), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch_add(p, p, 4, 1, dim3(1, 1, 65)), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch_add(p, p, 4, dim3(1, 65536), 1), cudaErrorInvalidConfiguration);
  EXPECT_EQ(cudaLaunchKernel(&bounded_stub, 1, 65, nullptr, 0, nullptr),
            cudaErrorInvalidConfiguration);
  EXPECT_EQ(cudaLaunchKernel(&bounded_stub, 1, 64, nullptr, 16 * 1024 + 1, nullptr),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaLaunchKernel(&unknown_stub, 1, 1, nullptr, 0, nullptr),
            cudaErrorInvalidDeviceFunction);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::HasSubstr("add is not launched (cudaErrorInvalidConfiguration): a block of "
                                 "513x1x1 threads; at most 512"));
  EXPECT_EQ(RecordingDevice::launches(), before);
  EXPECT_EQ(cudaLaunchKernel(&bounded_stub, 1, 64, nullptr, 16 * 1024, nullptr), cudaSuccess);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidDeviceFunction);
  cudaFree(p);
}

TEST_F(CudaRuntime, EventsMeasureTheDevicesTime) {
  cudaEvent_t start, end;
  ASSERT_EQ(cudaEventCreate(&start), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&end), cudaSuccess);
  float ms = -1;
  EXPECT_EQ(cudaEventElapsedTime(&ms, start, end), cudaErrorInvalidResourceHandle);
  ASSERT_EQ(cudaEventRecord(start, nullptr), cudaSuccess);
  ASSERT_EQ(cudaLaunchKernel(&bounded_stub, 10, 64, nullptr, 0, nullptr), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(end, nullptr), cudaSuccess);
  ASSERT_EQ(cudaEventElapsedTime(&ms, start, end), cudaSuccess);
  EXPECT_FLOAT_EQ(ms, 20 * 1e-3f);  // 20 warps of one instruction at 1 MHz
  EXPECT_EQ(cudaEventDestroy(start), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(start), cudaErrorInvalidResourceHandle);
  cudaEventDestroy(end);
}

TEST_F(CudaRuntime, PropertiesComeFromTheDevice) {
  cudaDeviceProp p;
  ASSERT_EQ(cudaGetDeviceProperties(&p, 0), cudaSuccess);
  EXPECT_STREQ(p.name, "small");
  EXPECT_EQ(p.multiProcessorCount, 3);
  EXPECT_EQ(p.maxThreadsPerBlock, 512);
  EXPECT_EQ(p.sharedMemPerBlock, 16384u);
  EXPECT_EQ(p.clockRate, 1000);
  EXPECT_EQ(cudaGetDeviceProperties(&p, 1), cudaErrorInvalidDevice);
  int value = 0;
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0), cudaSuccess);
  EXPECT_EQ(value, 32);
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, &bounded_stub, 64, 8192),
            cudaSuccess);
  EXPECT_EQ(value, 2);  // shared memory is the limit
  cudaFuncAttributes attributes;
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, &bounded_stub), cudaSuccess);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 64);
}

TEST_F(CudaRuntime, PointersSayWhatTheyAre) {
  int* device = allocate(4);
  void *managed = nullptr, *pinned = nullptr, *mapped = nullptr, *seen = nullptr;
  int plain = 0;
  cudaMallocManaged(&managed, 64, cudaMemAttachGlobal);
  cudaMallocHost(&pinned, 64);
  cudaHostAlloc(&mapped, 64, cudaHostAllocMapped);
  const auto type = [](const void* p) {
    cudaPointerAttributes a;
    EXPECT_EQ(cudaPointerGetAttributes(&a, p), cudaSuccess);
    return a.type;
  };
  EXPECT_EQ(type(device), cudaMemoryTypeDevice);
  EXPECT_EQ(type(managed), cudaMemoryTypeManaged);
  EXPECT_EQ(type(static_cast<char*>(pinned) + 63), cudaMemoryTypeHost);
  EXPECT_EQ(type(&plain), cudaMemoryTypeUnregistered);
  EXPECT_EQ(cudaHostGetDevicePointer(&seen, mapped, 0), cudaSuccess);
  EXPECT_EQ(seen, mapped);
  EXPECT_EQ(cudaHostGetDevicePointer(&seen, pinned, 0), cudaSuccess);
  EXPECT_EQ(seen, pinned);
  EXPECT_EQ(cudaHostGetDevicePointer(&seen, &plain, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaHostGetDevicePointer(&seen, device, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaHostRegister(&plain, sizeof plain, 0), cudaSuccess);
  EXPECT_EQ(cudaHostRegister(&plain, sizeof plain, 0), cudaErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(type(&plain), cudaMemoryTypeHost);
  EXPECT_EQ(cudaFreeHost(&plain), cudaErrorInvalidValue);
  EXPECT_EQ(cudaHostUnregister(&plain), cudaSuccess);
  EXPECT_EQ(cudaHostUnregister(&plain), cudaErrorHostMemoryNotRegistered);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(pinned), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(mapped), cudaSuccess);
  cudaFree(managed);
  cudaFree(device);
}

TEST_F(CudaRuntime, AnUnsupportedFunctionNamesItselfOnce) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(cudaGraphDebugDotPrint(nullptr, "", 0), cudaErrorNotSupported);
  EXPECT_EQ(cudaGraphDebugDotPrint(nullptr, "", 0), cudaErrorNotSupported);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(said.find("cudaGraphDebugDotPrint"), said.rfind("cudaGraphDebugDotPrint"));
  EXPECT_NE(said.find("cudaGraphDebugDotPrint"), std::string::npos);
}

TEST_F(CudaRuntime, ErrorsHaveNamesAndTexts) {
  EXPECT_STREQ(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress");
  EXPECT_STREQ(cudaGetErrorString(cudaSuccess), "no error");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
  EXPECT_STREQ(cudaGetErrorName(static_cast<cudaError_t>(12345)), "unrecognized error code");
}

using CudaRuntimeDeathTest = CudaRuntime;
/// Launches a kernel that strays, and asks for the error or not; then the program ends with 0.
[[noreturn]] void fault_and_exit(bool ask) {
  const bool launched = cudaLaunchKernel(&fault_stub, 1, 1, nullptr, 0, nullptr) == cudaSuccess &&
                        cudaGetLastError() == cudaSuccess &&
                        cudaDeviceSynchronize() == cudaErrorIllegalAddress;
  if (ask && cudaGetLastError() != cudaErrorIllegalAddress) std::_Exit(9);
  if (!launched || cudaFree(nullptr) != cudaErrorIllegalAddress) std::_Exit(9);
  std::exit(0);
}

TEST_F(CudaRuntimeDeathTest, AFaultingKernelEndsTheProgramWithStatus2UnlessItAsks) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(fault_and_exit(false), testing::ExitedWithCode(2),
              "warpmem: error: kernel fault.*some\\.cu(.|\n)*the program did not ask");
  EXPECT_EXIT(fault_and_exit(true), testing::ExitedWithCode(0),
              "warpmem: error: kernel fault.*some\\.cu");
}

TEST_F(CudaRuntimeDeathTest, ResultsAreWrittenAtTheEndButNotAfterAFault) {
  // Only the process that has made the device writes its results, so the child makes its own.
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  RecordingDevice::say_finish() = true;
  EXPECT_EXIT(std::exit(0), testing::ExitedWithCode(0), "^device finished\n$");
  EXPECT_EXIT(fault_and_exit(true), testing::ExitedWithCode(0),
              "^warpmem: error: [^\n]*\nwarpmem: note: [^\n]*\n$");
  RecordingDevice::say_finish() = false;
}

}  // namespace
}  // namespace warpmem::program::cuda
