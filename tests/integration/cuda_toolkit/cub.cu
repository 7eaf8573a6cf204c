// SPDX-License-Identifier: Apache-2.0
// CUB as Debian has it (libcub-dev), as its users write it: collectives of warps and blocks in
// kernels of one's own, and algorithms of the device, against the host. The number of elements may
// be given.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cub/cub.cuh>
#include <map>
#include <numeric>
#include <vector>

const int kBlock = 128, kItems = 4, kTile = kBlock * kItems;
static int failures = 0;

template <class T>
static T* to_device(const std::vector<T>& v) {
  T* p = nullptr;
  cudaMalloc(&p, v.size() * sizeof(T));
  cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}
template <class T>
static void same(const char* what, const T* device, const std::vector<T>& expected) {
  std::vector<T> got(expected.size());
  cudaMemcpy(got.data(), device, got.size() * sizeof(T), cudaMemcpyDeviceToHost);
  if (got == expected) return;
  std::printf("%s differs\n", what);
  ++failures;
}
/// Calls an algorithm twice, as CUB wants it: for the size of its temporary memory, and with it.
template <class Call>
static void run(const char* what, Call call) {
  size_t bytes = 0;
  void* temporary = nullptr;
  cudaError_t error = call(temporary, bytes);
  if (error == cudaSuccess) error = cudaMalloc(&temporary, bytes);
  if (error == cudaSuccess) error = call(temporary, bytes);
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  if (error != cudaSuccess) std::printf("%s: %s\n", what, cudaGetErrorString(error)), ++failures;
  cudaFree(temporary);
}

/// A tile of each block: its sum, the sums of its warps, its scan, and its elements in order.
__global__ void collectives(const int* in, int* sums, int* warp_most, int* scanned, int* sorted) {
  typedef cub::BlockLoad<int, kBlock, kItems, cub::BLOCK_LOAD_TRANSPOSE> Load;
  typedef cub::BlockStore<int, kBlock, kItems, cub::BLOCK_STORE_TRANSPOSE> Store;
  typedef cub::BlockReduce<int, kBlock> Reduce;
  typedef cub::BlockScan<int, kBlock> Scan;
  typedef cub::BlockRadixSort<int, kBlock, kItems> Sort;
  typedef cub::WarpReduce<int> Warp;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
    typename Reduce::TempStorage reduce;
    typename Scan::TempStorage scan;
    typename Sort::TempStorage sort;
    typename Warp::TempStorage warp[kBlock / 32];
  } shared;
  int items[kItems], sums_before[kItems];
  const int tile = blockIdx.x * kTile, warp = threadIdx.x / 32;
  Load(shared.load).Load(in + tile, items);
  __syncthreads();
  const int sum = Reduce(shared.reduce).Sum(items);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
  __syncthreads();
  const int most = Warp(shared.warp[warp]).Reduce(items[0], cub::Max());
  if (threadIdx.x % 32 == 0) warp_most[blockIdx.x * (kBlock / 32) + warp] = most;
  __syncthreads();
  Scan(shared.scan).ExclusiveSum(items, sums_before);
  __syncthreads();
  Store(shared.store).Store(scanned + tile, sums_before);
  __syncthreads();
  Sort(shared.sort).Sort(items);
  __syncthreads();
  Store(shared.store).Store(sorted + tile, items);
}

static void check_collectives(const std::vector<int>& host) {
  const int tiles = static_cast<int>(host.size()) / kTile, warps = tiles * kBlock / 32;
  std::vector<int> sums(tiles), most(warps), scanned(tiles * kTile), sorted(scanned.size());
  const int* const in = to_device(host);
  int *d_sums = to_device(sums), *d_most = to_device(most), *d_scanned = to_device(scanned),
      *d_sorted = to_device(sorted);
  collectives<<<tiles, kBlock>>>(in, d_sums, d_most, d_scanned, d_sorted);
  for (int t = 0; t < tiles; ++t) {
    const auto begin = host.begin() + t * kTile, end = begin + kTile;
    sums[t] = std::accumulate(begin, end, 0);
    int before = 0;
    for (int i = 0; i < kTile; ++i) scanned[t * kTile + i] = before, before += begin[i];
    std::copy(begin, end, sorted.begin() + t * kTile);
    std::sort(sorted.begin() + t * kTile, sorted.begin() + (t + 1) * kTile);
    for (int w = 0; w < kBlock / 32; ++w) {
      int& m = most[t * (kBlock / 32) + w];
      m = begin[w * 32 * kItems];
      for (int lane = 0; lane < 32; ++lane) m = std::max(m, begin[(w * 32 + lane) * kItems]);
    }
  }
  same("BlockReduce", d_sums, sums);
  same("WarpReduce", d_most, most);
  same("BlockScan", d_scanned, scanned);
  same("BlockRadixSort", d_sorted, sorted);
}

struct IsEven {
  __host__ __device__ bool operator()(int v) const { return v % 2 == 0; }
};

static void check_device(const std::vector<int>& host) {
  const int n = static_cast<int>(host.size());
  const int* const in = to_device(host);
  int* const out = to_device(std::vector<int>(n));
  int* const one = to_device(std::vector<int>(1));

  run("DeviceReduce::Sum",
      [&](void* t, size_t& b) { return cub::DeviceReduce::Sum(t, b, in, one, n); });
  same("DeviceReduce::Sum", one, std::vector<int>{std::accumulate(host.begin(), host.end(), 0)});
  run("DeviceReduce::Max",
      [&](void* t, size_t& b) { return cub::DeviceReduce::Max(t, b, in, one, n); });
  same("DeviceReduce::Max", one, std::vector<int>{*std::max_element(host.begin(), host.end())});

  std::vector<int> scan(n);
  std::partial_sum(host.begin(), host.end(), scan.begin());
  run("DeviceScan::InclusiveSum",
      [&](void* t, size_t& b) { return cub::DeviceScan::InclusiveSum(t, b, in, out, n); });
  same("DeviceScan::InclusiveSum", out, scan);
  for (int i = 0; i < n; ++i) scan[i] -= host[i];
  run("DeviceScan::ExclusiveSum",
      [&](void* t, size_t& b) { return cub::DeviceScan::ExclusiveSum(t, b, in, out, n); });
  same("DeviceScan::ExclusiveSum", out, scan);

  std::vector<int> sorted(host), order(n);
  std::stable_sort(sorted.begin(), sorted.end());
  run("DeviceRadixSort::SortKeys",
      [&](void* t, size_t& b) { return cub::DeviceRadixSort::SortKeys(t, b, in, out, n); });
  same("DeviceRadixSort::SortKeys", out, sorted);
  std::iota(order.begin(), order.end(), 0);
  const int* const values = to_device(order);
  int* const moved = to_device(order);
  run("DeviceRadixSort::SortPairsDescending", [&](void* t, size_t& b) {
    return cub::DeviceRadixSort::SortPairsDescending(t, b, in, out, values, moved, n);
  });
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return host[a] > host[b]; });
  same("DeviceRadixSort::SortPairsDescending", moved, order);

  std::vector<int> even;
  std::copy_if(host.begin(), host.end(), std::back_inserter(even), IsEven());
  run("DeviceSelect::If",
      [&](void* t, size_t& b) { return cub::DeviceSelect::If(t, b, in, out, one, n, IsEven()); });
  same("DeviceSelect::If, number", one, std::vector<int>{static_cast<int>(even.size())});
  same("DeviceSelect::If", out, even);

  const int bins = 16, low = -1000, high = 1000;
  int* const counts = to_device(std::vector<int>(bins));
  std::vector<int> histogram(bins);
  for (const int v : host)
    if (v >= low && v < high) ++histogram[(v - low) / ((high - low) / bins)];
  run("DeviceHistogram::HistogramEven", [&](void* t, size_t& b) {
    return cub::DeviceHistogram::HistogramEven(t, b, in, counts, bins + 1, low, high, n);
  });
  same("DeviceHistogram::HistogramEven", counts, histogram);

  // Runs of equal elements.
  std::vector<int> runs(host), lengths;
  for (int& v : runs) v = v < 0 ? -1 : v / 256;
  std::vector<int> keys;
  for (const int v : runs) {
    if (keys.empty() || keys.back() != v) keys.push_back(v), lengths.push_back(0);
    ++lengths.back();
  }
  const int* const in_runs = to_device(runs);
  run("DeviceRunLengthEncode::Encode", [&](void* t, size_t& b) {
    return cub::DeviceRunLengthEncode::Encode(t, b, in_runs, out, moved, one, n);
  });
  same("DeviceRunLengthEncode::Encode, number", one,
       std::vector<int>{static_cast<int>(keys.size())});
  same("DeviceRunLengthEncode::Encode, keys", out, keys);
  same("DeviceRunLengthEncode::Encode, lengths", moved, lengths);
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 100000;
  std::vector<int> host(n);
  unsigned state = 17;
  for (int& v : host) v = static_cast<int>((state = state * 1664525u + 1013904223u) >> 20) - 2048;
  check_collectives(host);
  check_device(host);
  std::puts(failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
