// SPDX-License-Identifier: Apache-2.0
// Latency of a load in an array of MIB MiB all of which has been read again and again by all SMs: a
// thread follows pointers through NODES lines of it, in an order that nobody foresees. Where the
// array outgrows L2, the latency becomes that of DRAM; where it outgrows what the TLBs reach, that
// of their misses is added.
//
// arguments: [MIB [NODES]] (8, 480)
#include "micro.hpp"

using Node = unsigned long long;  // the address of the next one

__device__ Node next(Node node) {
  Node after;
  asm volatile("ld.global.u64 %0, [%1];" : "=l"(after) : "l"(node) : "memory");
  return after;
}

/// Links line places[i] with line places[i + 1].
__global__ void link(char* base, const std::size_t* places, unsigned nodes) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < nodes)
    *reinterpret_cast<Node*>(base + places[i]) =
        reinterpret_cast<Node>(base + places[(i + 1) % nodes]);
}

__global__ void chase(Node node, int windows, Node* last, unsigned long long* cycles) {
  *cycles = micro::chase_through<Node, next>(node, windows);
  *last = node;
}

int main(int argc, char** argv) {
  const std::size_t lines = std::size_t(workload::size_argument(argc, argv, 1, 8)) * 8192;
  const unsigned nodes = workload::size_argument(argc, argv, 2, 480, 8, 8192);
  workload::no_more_arguments(argc, argv, 2);
  std::vector<std::size_t> places(nodes);
  // One line of each of `nodes` equal pieces, and the pieces in an order of their own.
  workload::Random random(1);
  for (unsigned i = 0; i < nodes; ++i) {
    const std::size_t first = lines * i / nodes, end = lines * (i + 1) / nodes;
    places[i] = 128 * (first + random.below(static_cast<unsigned>(end - first)));
    std::swap(places[i], places[random.below(i + 1)]);
  }
  workload::DeviceArray<char> memory(128 * lines);
  const workload::DeviceArray<std::size_t> on_device(places);
  workload::DeviceArray<Node> last(1);
  workload::DeviceArray<unsigned long long> cycles(1);
  link<<<workload::blocks_for(nodes, 128), 128>>>(memory, on_device, nodes);
  for (int i = 0; i < 2; ++i) micro::touch_all(memory, 128 * lines);
  const int windows = static_cast<int>(std::max(1u, nodes / (micro::kLong + micro::kShort)));
  chase<<<1, 1>>>(reinterpret_cast<Node>(memory.get() + places[0]), windows, last, cycles);
  workload::finish_kernels();

  const std::size_t steps = static_cast<std::size_t>(windows) * (micro::kLong + micro::kShort);
  workload::Verdict verdict;
  verdict.require(
      last.download()[0] == reinterpret_cast<Node>(memory.get() + places[steps % nodes]),
      "the last node");
  micro::report(static_cast<double>(cycles.download()[0]), micro::loads_of(windows),
                "cycles a load");
  return verdict.done();
}
