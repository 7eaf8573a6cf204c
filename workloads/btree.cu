// SPDX-License-Identifier: Apache-2.0
// btree [records = 65536] [queries = 1024]: look-ups in a B+ tree of order 64, a block a query, a
// thread a key of the node.
//
// Stands for: B+Tree (findK) of Rodinia.
// Memory: a block reads one node (two or four lines) a level, the next level's address depends on
// it; upper levels are hot, leaves are not. Coalesced in the block, primary misses, latency bound.
// In the papers: DL, BU (docs/references.md).
// Measured (65536 65536): coherent, secondary-miss-predominant, type 0.
#include <algorithm>

#include "common/check.hpp"

constexpr int kOrder = 64;

struct Node {
  int key[kOrder + 1];  // child c holds keys in [key[c], key[c + 1])
  int child[kOrder];    // node, or value in a leaf
};

__global__ void btree_find(const Node* nodes, const int* queries, int* answers, int height) {
  __shared__ int node;
  const int query = queries[blockIdx.x], t = threadIdx.x;
  if (t == 0) node = 0;
  __syncthreads();
  for (int level = 0; level < height; ++level) {
    const Node& n = nodes[node];
    const bool mine = n.key[t] <= query && query < n.key[t + 1];
    const int child = mine ? n.child[t] : 0;
    __syncthreads();
    if (mine) node = child;
    __syncthreads();
  }
  const Node& leaf = nodes[node];
  if (leaf.key[t] == query) answers[blockIdx.x] = leaf.child[t];
}

struct Tree {
  std::vector<Node> nodes;  // the root is node 0
  int height = 0;           // levels above the leaves
};

constexpr int kNoKey = 2147483647;

// Level by level, from the root down; every node spans an equal share of the sorted keys.
static Tree build(const std::vector<int>& keys) {
  Tree tree;
  int span = kOrder;  // keys below a node of the level
  while (span < int(keys.size())) span *= kOrder, ++tree.height;
  int first = 0;
  for (int level = 0; level <= tree.height; ++level, span /= kOrder) {
    const int count = (int(keys.size()) + span - 1) / span;
    const int next = first + count;
    for (int i = 0; i < count; ++i) {
      Node n;
      for (int c = 0; c <= kOrder; ++c) {
        const std::size_t at = std::size_t(i) * span + std::size_t(c) * (span / kOrder);
        n.key[c] = at < keys.size() ? keys[at] : kNoKey;
        if (c < kOrder) n.child[c] = level == tree.height ? int(at) : next + i * kOrder + c;
      }
      if (i == 0 && level < tree.height) n.key[0] = -1;
      tree.nodes.push_back(n);
    }
    first = next;
  }
  return tree;
}

int main(int argc, char** argv) {
  const int records = workload::size_argument(argc, argv, 1, 65536, 1, 1 << 24);
  const int queries = workload::size_argument(argc, argv, 2, 1024, 1, 1 << 20);
  workload::Random random(1);
  std::vector<int> keys(records), wanted(queries), expected(queries, -1);
  for (int i = 0; i < records; ++i)
    keys[i] = (i == 0 ? 0 : keys[i - 1]) + 1 + static_cast<int>(random.below(7));
  for (int q = 0; q < queries; ++q) {
    // Nine of ten are there.
    wanted[q] = keys[random.below(records)] + (random.below(10) == 0 ? 1 : 0);
    const auto found = std::lower_bound(keys.begin(), keys.end(), wanted[q]);
    if (found != keys.end() && *found == wanted[q])
      expected[q] = static_cast<int>(found - keys.begin());
  }
  const Tree tree = build(keys);
  const workload::DeviceArray<Node> nodes(tree.nodes);
  const workload::DeviceArray<int> dq(wanted), answers(std::vector<int>(queries, -1));

  btree_find<<<queries, kOrder>>>(nodes, dq, answers, tree.height);
  workload::finish_kernels();
  workload::Verdict verdict;
  verdict.equal("answers", answers.download(), expected);
  return verdict.done();
}
