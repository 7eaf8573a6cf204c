// SPDX-License-Identifier: Apache-2.0
// Variables that the host and kernels share: with initial values, arrays and structures, static
// ones, and by their addresses. What the host writes before the first call of the API stays.
#include "check.h"

struct Pair {
  int first;
  float second;
};

__managed__ int total = 3;
__managed__ float table[4] = {1, 2, 3, 4};
static __managed__ Pair pair;
static __managed__ int counter;
__managed__ __align__(8) unsigned long long wide = 1ull << 40;
__device__ int own = 5;

__global__ void step(int* of_host) {
  atomicAdd(&total, threadIdx.x);
  atomicAdd(of_host, 1);
  if (threadIdx.x != 0) return;
  table[1] += own;
  pair.first = static_cast<int>(table[0]);
  pair.second = table[3] / 2;
  ++wide;
}

int main() {
  CHECK(total == 3 && table[2] == 3 && pair.first == 0 && wide == 1ull << 40);
  total = 10;
  table[0] = 7;
  for (int launch = 1; launch <= 2; ++launch) {
    step<<<1, 32>>>(&counter);
    OK(cudaDeviceSynchronize());
    CHECK(total == 10 + launch * 31 * 16 && counter == launch * 32);
    CHECK(table[1] == 2 + launch * 5 && wide == (1ull << 40) + launch);
  }
  CHECK(pair.first == 7 && pair.second == 2);
  int* where = nullptr;
  OK(cudaGetSymbolAddress(reinterpret_cast<void**>(&where), total));
  CHECK(where == &total);
  const int zero = 0;
  OK(cudaMemcpyToSymbol(total, &zero, sizeof zero));
  CHECK(total == 0);
  step<<<1, 32>>>(where);
  OK(cudaDeviceSynchronize());
  CHECK(total == 31 * 16 + 32);
  // Calls about managed memory know them.
  cudaPointerAttributes is;
  OK(cudaPointerGetAttributes(&is, table));
  CHECK(is.type == cudaMemoryTypeManaged && is.hostPointer == table && is.devicePointer == table);
  OK(cudaMemAdvise(table, sizeof table, cudaMemAdviseSetReadMostly, 0));
  OK(cudaMemPrefetchAsync(table, sizeof table, 0));
  OK(cudaStreamAttachMemAsync(nullptr, table, 0, cudaMemAttachGlobal));
  int advice = 0;
  OK(cudaMemRangeGetAttribute(&advice, sizeof advice, cudaMemRangeAttributeReadMostly, table, 8));
  CHECK(advice == 1);
  const float before = table[1];
  step<<<1, 32>>>(&counter);
  OK(cudaDeviceSynchronize());
  CHECK(table[1] == before + 5);
  return finish();
}
