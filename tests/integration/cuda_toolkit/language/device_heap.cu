// SPDX-License-Identifier: Apache-2.0
// malloc and free in kernels: lists that threads build, that other threads walk, and that are taken
// down; a null pointer once the heap is full.
#include "check.h"

struct Node {
  int value;
  Node* next;
};

__global__ void build(Node** lists, int length) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Node* first = nullptr;
  for (int k = 0; k < length; ++k) {
    Node* const node = static_cast<Node*>(malloc(sizeof(Node)));
    if (node == nullptr) break;
    node->value = i + k;
    node->next = first;
    first = node;
  }
  lists[i] = first;
}
__global__ void walk(Node** lists, int n, int* sums) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (const Node* at = lists[n - 1 - i]; at != nullptr; at = at->next) sum += at->value;
  sums[i] = sum;
}
__global__ void take_down(Node** lists) {
  Node*& first = lists[blockIdx.x * blockDim.x + threadIdx.x];
  while (first != nullptr) {
    Node* const next = first->next;
    free(first);
    first = next;
  }
}
__global__ void fill(void** blocks) { blocks[threadIdx.x] = malloc(1 << 20); }

int main() {
  const int n = 96, length = 5;
  size_t limit = 0;
  OK(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
  CHECK(limit == 8 << 20);
  Node** lists;
  int *sums, host[n];
  void **blocks, *host_blocks[64];
  OK(cudaMalloc(&lists, n * sizeof *lists));
  OK(cudaMalloc(&sums, sizeof host));
  OK(cudaMalloc(&blocks, sizeof host_blocks));
  for (int round = 0; round < 3; ++round) {
    build<<<3, 32>>>(lists, length);
    walk<<<3, 32>>>(lists, n, sums);
    OK(cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) CHECK(host[i] == length * (n - 1 - i) + length * (length - 1) / 2);
    take_down<<<3, 32>>>(lists);
  }
  fill<<<1, 64>>>(blocks);
  OK(cudaMemcpy(host_blocks, blocks, sizeof host_blocks, cudaMemcpyDeviceToHost));
  int given = 0;
  for (const void* block : host_blocks) given += block != nullptr;
  CHECK(given > 0 && given < 8);
  return finish();
}
