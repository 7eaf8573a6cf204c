// SPDX-License-Identifier: Apache-2.0
// How far the slices of L2 are from an SM: a thread reads each of LINES lines, STRIDE bytes apart,
// again and again past L1D, and sorts them by the latency. Where L2 has halves, the quicker and the
// slower quarter of the lines are farther apart than the slices of one half are.
//
// arguments: [LINES [STRIDE]] (64, 128)
#include <numeric>

#include "micro.hpp"

using Node = unsigned long long;  // an address that leads to itself

__device__ Node next(Node node) {
  Node after;
  asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(after) : "l"(node) : "memory");
  return after;
}

__global__ void begin(char* base, unsigned lines, std::size_t stride) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= lines) return;
  char* const line = base + i * stride;
  *reinterpret_cast<Node*>(line) = reinterpret_cast<Node>(line);
}

__global__ void look(char* base, unsigned lines, std::size_t stride, unsigned long long* cycles) {
  for (unsigned i = 0; i < lines; ++i) {
    Node node = reinterpret_cast<Node>(base + i * stride);
    cycles[i] = micro::chase_through<Node, next>(node, 1);
    // Without it an assembler removes the loads.
    *reinterpret_cast<Node*>(base + i * stride) = node;
  }
}

int main(int argc, char** argv) {
  const unsigned lines = workload::size_argument(argc, argv, 1, 64, 8);
  const std::size_t stride = workload::size_argument(argc, argv, 2, 128, 128);
  workload::no_more_arguments(argc, argv, 2);
  workload::DeviceArray<char> memory(lines * stride);
  workload::DeviceArray<unsigned long long> cycles(lines);
  begin<<<workload::blocks_for(lines, 128), 128>>>(memory, lines, stride);
  look<<<1, 1>>>(memory, lines, stride, cycles);
  workload::finish_kernels();

  std::vector<unsigned long long> sorted = cycles.download();
  std::sort(sorted.begin(), sorted.end());
  workload::Verdict verdict;
  std::vector<unsigned long long> nodes(lines), expected(lines);
  for (unsigned i = 0; i < lines; ++i) {
    expected[i] = reinterpret_cast<Node>(memory.get() + i * stride);
    CHECK_CUDA(
        cudaMemcpy(&nodes[i], memory.get() + i * stride, sizeof(Node), cudaMemcpyDeviceToHost));
  }
  verdict.equal("nodes", nodes, expected);
  const unsigned quarter = lines / 4;
  const double loads = micro::loads_of(1) * quarter;
  const double near = std::accumulate(sorted.begin(), sorted.begin() + quarter, 0.0);
  const double far = std::accumulate(sorted.end() - quarter, sorted.end(), 0.0);
  micro::report(near, loads, "cycles a load of the nearest quarter");
  micro::report(far, loads, "cycles a load of the farthest quarter");
  return verdict.done();
}
