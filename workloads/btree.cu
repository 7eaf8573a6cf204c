// SPDX-License-Identifier: Apache-2.0
// btree [records = 65536] [queries = 1024] [ranges = 3 / 5 of queries]: look-ups of keys and of
// ranges of keys in a B+ tree of order 256, a block a query, a thread a key of the node.
//
// Stands for: B+Tree of Rodinia (findRangeK, findK).
// Memory: a block compares all keys of one node (9 lines) a level and reads one child, the next
// level's address depends on it and goes through global memory; upper levels are hot, leaves are
// not. Coalesced in the block, latency bound.
// In the papers: DL, GU, BU (docs/references.md).
// Measured (1000000 10000): coherent, secondary-miss-predominant, type 0.
#include <algorithm>

#include "common/check.hpp"

constexpr int kOrder = 256;

struct Node {
  int child[kOrder + 1];  // node, or record in a leaf
  int key[kOrder + 1];    // child c holds keys in [key[c], key[c + 1])
};

struct Range {
  int first, last;  // keys, both in the tree
};

/// Thread t moves `node` to its child t when that one holds `key`; a block calls it together.
__device__ void descend(const Node* nodes, int* node, int* next, int key, int t) {
  const Node& n = nodes[*node];
  if (n.key[t] <= key && key < n.key[t + 1]) *next = n.child[t];
  __syncthreads();
  if (t == 0) *node = *next;
  __syncthreads();
}

// `node` and `next`, one of each a query, start at the root.
__global__ void btree_find(const Node* nodes, const int* records, int* node, int* next,
                           const int* queries, int* answers, int height) {
  const int q = blockIdx.x, t = threadIdx.x;
  for (int level = 0; level < height; ++level) descend(nodes, &node[q], &next[q], queries[q], t);
  const Node& leaf = nodes[node[q]];
  if (leaf.key[t] == queries[q]) answers[q] = records[leaf.child[t]];
}

__global__ void btree_find_range(const Node* nodes, int* node, int* next, int* last_node,
                                 int* last_next, const Range* ranges, int* begins, int* lengths,
                                 int height) {
  const int q = blockIdx.x, t = threadIdx.x;
  for (int level = 0; level < height; ++level) {
    descend(nodes, &node[q], &next[q], ranges[q].first, t);
    descend(nodes, &last_node[q], &last_next[q], ranges[q].last, t);
  }
  const Node& first_leaf = nodes[node[q]];
  if (first_leaf.key[t] == ranges[q].first) begins[q] = first_leaf.child[t];
  __syncthreads();
  const Node& last_leaf = nodes[last_node[q]];
  if (last_leaf.key[t] == ranges[q].last) lengths[q] = last_leaf.child[t] - begins[q] + 1;
}

struct Tree {
  std::vector<Node> nodes;  // the root is node 0
  int height = 0;           // levels above the leaves
};

constexpr int kNoKey = 2147483647;

// Level by level, from the root down; every node spans an equal share of the sorted keys.
static Tree build(const std::vector<int>& keys) {
  Tree tree;
  std::size_t span = kOrder;  // keys below a node of the level
  while (span < keys.size()) span *= kOrder, ++tree.height;
  std::size_t first = 0;
  for (int level = 0; level <= tree.height; ++level, span /= kOrder) {
    const std::size_t count = (keys.size() + span - 1) / span;
    const std::size_t next = first + count;
    for (std::size_t i = 0; i < count; ++i) {
      Node n{};
      for (int c = 0; c <= kOrder; ++c) {
        const std::size_t at = i * span + c * (span / kOrder);
        n.key[c] = at < keys.size() ? keys[at] : kNoKey;
        n.child[c] = static_cast<int>(level == tree.height ? at : next + i * kOrder + c);
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
  const int ranges = workload::size_argument(argc, argv, 3, (queries * 3 + 4) / 5, 1, 1 << 20);
  workload::no_more_arguments(argc, argv, 3);
  workload::Random random(1);
  std::vector<int> keys(records), values(records);
  for (int i = 0; i < records; ++i) {
    keys[i] = (i == 0 ? 0 : keys[i - 1]) + 1 + static_cast<int>(random.below(7));
    values[i] = static_cast<int>(random.next() >> 1);
  }
  std::vector<int> wanted(queries), expected(queries, -1);
  for (int q = 0; q < queries; ++q) {
    // Nine of ten are there.
    wanted[q] = keys[random.below(records)] + (random.below(10) == 0 ? 1 : 0);
    const auto found = std::lower_bound(keys.begin(), keys.end(), wanted[q]);
    if (found != keys.end() && *found == wanted[q]) expected[q] = values[found - keys.begin()];
  }
  std::vector<Range> spans(ranges);
  std::vector<int> expected_begins(ranges), expected_lengths(ranges);
  for (int r = 0; r < ranges; ++r) {
    const int begin = static_cast<int>(random.below(records));
    const int end = std::min(records - 1, begin + static_cast<int>(random.below(3000)));
    spans[r] = {keys[begin], keys[end]};
    expected_begins[r] = begin;
    expected_lengths[r] = end - begin + 1;
  }

  const Tree tree = build(keys);
  const workload::DeviceArray<Node> nodes(tree.nodes);
  const workload::DeviceArray<int> drecords(values);
  // Where each query is, and is about to be; the paths of a range's ends are apart.
  workload::DeviceArray<int> node(std::max(queries, ranges)), next(node.size()),
      last_node(node.size()), last_next(node.size());
  const auto at_root = [&] {
    for (workload::DeviceArray<int>* place : {&node, &next, &last_node, &last_next}) place->zero();
  };

  const workload::DeviceArray<Range> dspans(spans);
  const workload::DeviceArray<int> begins(std::vector<int>(ranges, -1)),
      lengths(std::vector<int>(ranges, -1));
  at_root();
  btree_find_range<<<ranges, kOrder>>>(nodes, node, next, last_node, last_next, dspans, begins,
                                       lengths, tree.height);
  const workload::DeviceArray<int> dwanted(wanted), answers(std::vector<int>(queries, -1));
  workload::finish_kernels();
  at_root();
  btree_find<<<queries, kOrder>>>(nodes, drecords, node, next, dwanted, answers, tree.height);
  workload::finish_kernels();

  workload::Verdict verdict;
  verdict.equal("begins", begins.download(), expected_begins);
  verdict.equal("lengths", lengths.download(), expected_lengths);
  verdict.equal("answers", answers.download(), expected);
  return verdict.done();
}
