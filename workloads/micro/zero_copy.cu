// SPDX-License-Identifier: Apache-2.0
// zero_copy [way = lines] [n = 16384] [launches = 1]: kernels read and write pinned memory of the
// host, which the host changes between launches.
//
//   lines    each warp reads 128 consecutive bytes
//   sectors  each lane reads a word of its own 32 bytes
//   mixed    words at random places are read, counted by atomics in registered memory, and written
//
// Prints what lines and sectors read in a nanosecond: of the data, without packet headers.
#include <cstdlib>
#include <cstring>

#include "../common/check.hpp"

constexpr unsigned kBlock = 128, kBins = 61;

__global__ void sum(const unsigned* in, int n, int stride, unsigned* total) {
  unsigned mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine += in[i * stride];
  atomicAdd(total, mine);
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

void run_sum(int n, int launches, int stride, workload::Verdict& verdict) {
  unsigned* const in = pinned(n * stride);
  cudaEvent_t begin, end;
  CHECK_CUDA(cudaEventCreate(&begin));
  CHECK_CUDA(cudaEventCreate(&end));
  for (int launch = 0; launch < launches; ++launch) {
    std::vector<unsigned> expected(1);
    for (int i = 0; i < n * stride; ++i) in[i] = i + launch;
    for (int i = 0; i < n; ++i) expected[0] += in[i * stride];
    const workload::DeviceArray<unsigned> total(std::vector<unsigned>(1));
    CHECK_CUDA(cudaEventRecord(begin));
    sum<<<28, kBlock>>>(in, n, stride, total);
    CHECK_CUDA(cudaEventRecord(end));
    workload::finish_kernels();
    float milliseconds = 0;
    CHECK_CUDA(cudaEventElapsedTime(&milliseconds, begin, end));
    const double bytes = 1.0 * n * (stride == 1 ? 4 : 32);
    std::printf("measured %.4f bytes a nanosecond\n", bytes / milliseconds / 1e6);
    verdict.equal("sum", total.download(), expected);
  }
  CHECK_CUDA(cudaFreeHost(in));
}

int main(int argc, char** argv) {
  const char* const way = argc > 1 ? argv[1] : "lines";
  const int n = workload::size_argument(argc, argv, 2, 16384, 1, 1 << 22);
  const int launches = workload::size_argument(argc, argv, 3, 1, 1, 100);
  workload::Verdict verdict;
  if (std::strcmp(way, "mixed") == 0) {
    run_mixed(n, launches, verdict);
  } else if (std::strcmp(way, "lines") == 0) {
    run_sum(n, launches, 1, verdict);
  } else if (std::strcmp(way, "sectors") == 0) {
    run_sum(n, launches, 8, verdict);
  } else {
    std::fprintf(stderr, "way: %s; allowed: lines, sectors, mixed\n", way);
    return 2;
  }
  return verdict.done();
}
