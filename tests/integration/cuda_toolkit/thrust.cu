// SPDX-License-Identifier: Apache-2.0
// Thrust as Debian has it (libthrust-dev, libcub-dev), on a million elements against the host.
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/unique.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

struct Mixed {
  __host__ __device__ unsigned operator()(unsigned v) const { return (v ^ v >> 9) * 2654435761u; }
};

int main() {
  const int n = 1 << 20;
  std::vector<unsigned> host(n);
  for (int i = 0; i < n; ++i) host[i] = i % 70001;
  thrust::device_vector<unsigned> device(host.begin(), host.end());
  bool good = true;
  const auto same = [&](const char* what) {
    std::vector<unsigned> got(device.size());
    thrust::copy(device.begin(), device.end(), got.begin());
    if (got == host) return;
    std::printf("%s differs\n", what);
    good = false;
  };
  thrust::transform(device.begin(), device.end(), device.begin(), Mixed());
  std::transform(host.begin(), host.end(), host.begin(), Mixed());
  same("transform");
  if (thrust::reduce(device.begin(), device.end(), 0u) !=
      std::accumulate(host.begin(), host.end(), 0u))
    std::puts("reduce differs"), good = false;
  thrust::sort(device.begin(), device.end());
  std::sort(host.begin(), host.end());
  same("sort");
  device.erase(thrust::unique(device.begin(), device.end()), device.end());
  host.erase(std::unique(host.begin(), host.end()), host.end());
  same("unique");
  thrust::inclusive_scan(device.begin(), device.end(), device.begin());
  std::partial_sum(host.begin(), host.end(), host.begin());
  same("scan");
  std::puts(good ? "PASS" : "FAIL");
  return good ? 0 : 1;
}
