// SPDX-License-Identifier: Apache-2.0
// zero_copy [way = lines] [n = 16384] [launches = 1] [blocks = 28]: kernels read and write pinned
// memory of the host, which the host changes between launches.
//
//   lines    each warp reads 128 consecutive bytes
//   sectors  each lane reads a word of its own 32 bytes
//   writes   each warp writes 128 consecutive bytes
//   mixed    words at random places are read, counted by atomics in registered memory, and written
//
// Prints what all but mixed move in a nanosecond: of the data, without packet headers.
#include <cstdlib>
#include <cstring>

#include "../common/check.hpp"

constexpr unsigned kBlock = 128, kBins = 61;

__global__ void sum(const unsigned* in, int n, int stride, unsigned* total) {
  unsigned mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine += in[i * stride];
  // One atomic a warp, as some compilers have it anyway: on one word they would take their time.
  for (int lanes = 16; lanes > 0; lanes /= 2) mine += __shfl_down_sync(~0u, mine, lanes);
  if (threadIdx.x % 32 == 0) atomicAdd(total, mine);
}

__global__ void fill(unsigned* out, int n, unsigned first) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = first + i;
}

__global__ void mixed(const unsigned* in, int n, unsigned* bins, unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned value = in[static_cast<unsigned>(i) * 2654435761u % n];
  atomicAdd(&bins[value % kBins], 1u);
  out[i] = 3 * value + 1;
}

unsigned* pinned(int n) {
  unsigned* memory = nullptr;
  CHECK_CUDA(cudaMallocHost(&memory, n * sizeof(unsigned)));
  return memory;
}

void run_mixed(int n, int launches, workload::Verdict& verdict) {
  unsigned* const in = pinned(n);
  // Whole pages, so that its place in a page is the same in every run.
  void* page = nullptr;
  if (posix_memalign(&page, 4096, 4096) != 0) std::abort();
  unsigned* const own = static_cast<unsigned*>(page);
  std::memset(own, 0, 4096);
  CHECK_CUDA(cudaHostRegister(own, 4096, cudaHostRegisterMapped));
  std::vector<unsigned> bins(kBins), out(n);
  unsigned* const device_out = pinned(n);
  for (int launch = 0; launch < launches; ++launch) {
    for (int i = 0; i < n; ++i) in[i] = 7u * i + launch;
    mixed<<<workload::blocks_for(n, kBlock), kBlock>>>(in, n, own, device_out);
    workload::finish_kernels();
    for (int i = 0; i < n; ++i) {
      const unsigned value = in[static_cast<unsigned>(i) * 2654435761u % n];
      ++bins[value % kBins];
      out[i] = 3 * value + 1;
    }
    verdict.equal("out", std::vector<unsigned>(device_out, device_out + n), out);
    verdict.equal("bins", std::vector<unsigned>(own, own + kBins), bins);
  }
  CHECK_CUDA(cudaHostUnregister(own));
  std::free(own);
  CHECK_CUDA(cudaFreeHost(in));
  CHECK_CUDA(cudaFreeHost(device_out));
}

/// Calls `launch` and prints what the kernel has moved in a nanosecond.
template <class Launch>
void timed(double bytes, Launch launch) {
  cudaEvent_t begin, end;
  CHECK_CUDA(cudaEventCreate(&begin));
  CHECK_CUDA(cudaEventCreate(&end));
  CHECK_CUDA(cudaEventRecord(begin));
  launch();
  CHECK_CUDA(cudaEventRecord(end));
  workload::finish_kernels();
  float milliseconds = 0;
  CHECK_CUDA(cudaEventElapsedTime(&milliseconds, begin, end));
  CHECK_CUDA(cudaEventDestroy(begin));
  CHECK_CUDA(cudaEventDestroy(end));
  std::printf("measured %.4f bytes a nanosecond\n", bytes / milliseconds / 1e6);
}

void run_sum(int n, int launches, int blocks, int stride, workload::Verdict& verdict) {
  unsigned* const in = pinned(n * stride);
  for (int launch = 0; launch < launches; ++launch) {
    std::vector<unsigned> expected(1);
    for (int i = 0; i < n * stride; ++i) in[i] = i + launch;
    for (int i = 0; i < n; ++i) expected[0] += in[i * stride];
    const workload::DeviceArray<unsigned> total(std::vector<unsigned>(1));
    timed(1.0 * n * (stride == 1 ? 4 : 32), [&] { sum<<<blocks, kBlock>>>(in, n, stride, total); });
    verdict.equal("sum", total.download(), expected);
  }
  CHECK_CUDA(cudaFreeHost(in));
}

void run_fill(int n, int launches, int blocks, workload::Verdict& verdict) {
  unsigned* const out = pinned(n);
  for (int launch = 0; launch < launches; ++launch) {
    std::vector<unsigned> expected(n);
    for (int i = 0; i < n; ++i) expected[i] = launch + i;
    timed(4.0 * n, [&] { fill<<<blocks, kBlock>>>(out, n, launch); });
    verdict.equal("out", std::vector<unsigned>(out, out + n), expected);
  }
  CHECK_CUDA(cudaFreeHost(out));
}

int main(int argc, char** argv) {
  const char* const way = argc > 1 ? argv[1] : "lines";
  const int n = workload::size_argument(argc, argv, 2, 16384, 1, 1 << 22);
  const int launches = workload::size_argument(argc, argv, 3, 1, 1, 100);
  const int blocks = workload::size_argument(argc, argv, 4, 28, 1, 65536);
  workload::no_more_arguments(argc, argv, 4);
  workload::Verdict verdict;
  if (std::strcmp(way, "mixed") == 0) {
    run_mixed(n, launches, verdict);
  } else if (std::strcmp(way, "lines") == 0) {
    run_sum(n, launches, blocks, 1, verdict);
  } else if (std::strcmp(way, "sectors") == 0) {
    run_sum(n, launches, blocks, 8, verdict);
  } else if (std::strcmp(way, "writes") == 0) {
    run_fill(n, launches, blocks, verdict);
  } else {
    std::fprintf(stderr, "way: %s; allowed: lines, sectors, writes, mixed\n", way);
    return 2;
  }
  return verdict.done();
}
