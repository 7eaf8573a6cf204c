// SPDX-License-Identifier: Apache-2.0
// Latency of a load of global memory: a thread follows pointers from node to node, NODES of them,
// STRIDE bytes apart. Where the nodes are is chosen by
//   l1d       they have been read in the same launch
//   l2        they have been read in the launch before, each is read once (L1D is empty then)
//   row_hit   nobody has read them, but others have read from their DRAM rows, which are open
//   row_miss  nobody has read them, and other rows are open
//   host      they are in pinned memory of the host, and nobody has read them
// The rows are opened by reading the first HEAD bytes of each SPAN: SPAN holds one row of every
// partition, HEAD a piece of each, and SPANS of them one row of every bank. With unified virtual
// memory and a stride of more than a page, l2 measures TLB misses: of the TLB of the SM with more
// nodes than it has entries, of both TLBs with more than the shared one has.
//
// arguments: MODE [NODES [STRIDE [SPAN HEAD SPANS]]] (l1d, 64, 128, 16384, 2048, 16)
#include <cstring>

#include "micro.hpp"

using Node = unsigned long long;  // the address of the next one

__device__ Node next(Node node) {
  Node after;
  asm volatile("ld.global.u64 %0, [%1];" : "=l"(after) : "l"(node) : "memory");
  return after;
}

__global__ void chase(Node node, int windows, int warm, Node* last, unsigned long long* cycles) {
  for (int i = 0; i < warm; ++i) node = next(node);
  *cycles = micro::chase_through<Node, next>(node, windows);
  *last = node;
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "l1d";
  const bool in_l1d = std::strcmp(mode, "l1d") == 0, in_l2 = std::strcmp(mode, "l2") == 0;
  const bool row_hit = std::strcmp(mode, "row_hit") == 0, in_host = std::strcmp(mode, "host") == 0;
  if (!in_l1d && !in_l2 && !in_host && !row_hit && std::strcmp(mode, "row_miss") != 0) {
    std::fprintf(stderr, "%s: mode %s; it is l1d, l2, row_hit, row_miss or host\n", argv[0], mode);
    return 1;
  }
  const int nodes = workload::size_argument(argc, argv, 2, 64, 8);
  const std::size_t stride = workload::size_argument(argc, argv, 3, 128, 8);
  const std::size_t span = workload::size_argument(argc, argv, 4, 16384, 128);
  const std::size_t head = workload::size_argument(argc, argv, 5, 2048, 128);
  const std::size_t spans = workload::size_argument(argc, argv, 6, 16);
  workload::no_more_arguments(argc, argv, 6);
  const bool in_dram = !in_l1d && !in_l2 && !in_host;

  // The nodes stand behind the opened rows, or in these between the heads.
  std::vector<std::size_t> places;
  std::size_t at = in_dram && !row_hit ? span * spans : row_hit ? head : 0;
  for (int i = 0; i < nodes; ++i, at += stride) {
    if (row_hit && at % span < head) at += head;
    places.push_back(at);
  }
  const std::size_t opened = in_dram ? span * spans : 0;
  if (row_hit && places.back() + sizeof(Node) > opened) {
    std::fprintf(stderr, "%s: %d nodes do not fit into the opened rows\n", argv[0], nodes);
    return 1;
  }
  const std::size_t bytes = std::max(places.back() + stride, opened) + opened;
  workload::DeviceArray<char> memory(in_host ? 1 : bytes);
  void* pinned = nullptr;
  if (in_host) CHECK_CUDA(cudaMallocHost(&pinned, bytes));
  // The rows begin at a multiple of all of them.
  const Node unaligned = reinterpret_cast<Node>(in_host ? pinned : memory.get());
  const Node base = opened == 0 ? unaligned : (unaligned + opened - 1) / opened * opened;
  for (int i = 0; i < nodes; ++i) {
    const Node after = base + places[(i + 1) % nodes];
    CHECK_CUDA(cudaMemcpy(reinterpret_cast<void*>(base + places[i]), &after, sizeof(after),
                          in_host ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice));
  }

  workload::DeviceArray<Node> last(1);
  workload::DeviceArray<unsigned long long> cycles(1);
  if (in_l2) chase<<<1, 1>>>(base + places[0], 0, nodes, last, cycles);
  for (std::size_t s = 0; in_dram && s < spans; ++s)
    micro::touch<<<workload::blocks_for(head / 128, 128), 128>>>(
        reinterpret_cast<const char*>(base + s * span), head / 128, 128);
  const int windows = in_l1d ? 16 : std::max(1, nodes / (micro::kLong + micro::kShort));
  const int warm = in_l1d ? nodes : 0;
  chase<<<1, 1>>>(base + places[0], windows, warm, last, cycles);
  workload::finish_kernels();

  const std::size_t steps =
      static_cast<std::size_t>(windows) * (micro::kLong + micro::kShort) + warm;
  workload::Verdict verdict;
  verdict.require(last.download()[0] == base + places[steps % nodes], "the last node");
  const auto sum = static_cast<double>(cycles.download()[0]);
  if (sum > 0) micro::report(sum, micro::loads_of(windows), "cycles a load");
  if (in_host) CHECK_CUDA(cudaFreeHost(pinned));
  return verdict.done();
}
