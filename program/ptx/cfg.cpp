// SPDX-License-Identifier: Apache-2.0
#include "program/ptx/cfg.hpp"

#include <algorithm>

namespace warpmem::program::ptx {
namespace {

void find_blocks(const std::vector<FlowInst>& flow, Cfg& cfg) {
  std::vector<bool> leader(flow.size() + 1, false);
  leader[0] = true;
  for (std::size_t i = 0; i < flow.size(); ++i) {
    for (const auto t : flow[i].targets) leader[t] = true;
    if (flow[i].flow != Flow::next) leader[i + 1] = true;
  }
  cfg.block_of.resize(flow.size());
  for (std::uint32_t i = 0; i < flow.size(); ++i) {
    if (leader[i]) {
      Block b;
      b.first = i;
      cfg.blocks.push_back(b);
    }
    cfg.blocks.back().last = i;
    cfg.block_of[i] = static_cast<std::uint32_t>(cfg.blocks.size() - 1);
  }
}

void connect(const std::vector<FlowInst>& flow, Cfg& cfg) {
  for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b) {
    Block& block = cfg.blocks[b];
    const FlowInst& last = flow[block.last];
    for (const auto t : last.targets) block.successors.push_back(cfg.block_of[t]);
    const bool falls = last.flow == Flow::next || last.conditional;
    if (falls && b + 1 < cfg.blocks.size()) block.successors.push_back(b + 1);
    if (last.flow == Flow::end || (falls && b + 1 == cfg.blocks.size())) block.ends = true;
    std::sort(block.successors.begin(), block.successors.end());
    block.successors.erase(std::unique(block.successors.begin(), block.successors.end()),
                           block.successors.end());
  }
}

/// Returns the blocks from which `root` can be reached, in an order in which a block comes after
/// its successors where there is no loop (reverse post-order of the reversed graph).
std::vector<std::uint32_t> backward_order(
    const Cfg& cfg, const std::vector<std::vector<std::uint32_t>>& predecessors,
    std::uint32_t root) {
  std::vector<std::uint32_t> order;
  std::vector<bool> seen(cfg.blocks.size(), false);
  std::vector<std::pair<std::uint32_t, std::size_t>> stack{{root, 0}};
  seen[root] = true;
  while (!stack.empty()) {
    auto& [block, next] = stack.back();
    if (next < predecessors[block].size()) {
      const auto p = predecessors[block][next++];
      if (!seen[p]) {
        seen[p] = true;
        stack.emplace_back(p, 0);
      }
    } else {
      order.push_back(block);
      stack.pop_back();
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace

Cfg build_cfg(const std::vector<FlowInst>& flow) {
  Cfg cfg;
  if (flow.empty()) return cfg;
  find_blocks(flow, cfg);
  connect(flow, cfg);
  const auto n = static_cast<std::uint32_t>(cfg.blocks.size());

  // The last reachable end of the text is where lanes "live to see".
  std::vector<bool> reachable(n, false);
  std::vector<std::uint32_t> work{0};
  reachable[0] = true;
  while (!work.empty()) {
    const auto b = work.back();
    work.pop_back();
    for (const auto s : cfg.blocks[b].successors)
      if (!reachable[s]) {
        reachable[s] = true;
        work.push_back(s);
      }
  }
  std::int64_t root = -1;
  for (std::uint32_t b = 0; b < n; ++b)
    if (reachable[b] && cfg.blocks[b].ends) root = b;
  cfg.reconvergence.assign(n, -1);
  if (root < 0) return cfg;  // nothing ends: an endless loop

  std::vector<std::vector<std::uint32_t>> predecessors(n);
  for (std::uint32_t b = 0; b < n; ++b)
    if (reachable[b])
      for (const auto s : cfg.blocks[b].successors) predecessors[s].push_back(b);

  // This is the algorithm of Cooper, Harvey, Kennedy: "A Simple, Fast Dominance Algorithm", on the
  // reversed graph.
  const auto order = backward_order(cfg, predecessors, static_cast<std::uint32_t>(root));
  constexpr std::uint32_t kUnknown = ~0u;
  std::vector<std::uint32_t> position(n, kUnknown), idom(n, kUnknown);
  for (std::uint32_t i = 0; i < order.size(); ++i) position[order[i]] = i;
  idom[static_cast<std::size_t>(root)] = static_cast<std::uint32_t>(root);
  const auto intersect = [&](std::uint32_t a, std::uint32_t b) {
    while (a != b) {
      while (position[a] > position[b]) a = idom[a];
      while (position[b] > position[a]) b = idom[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto b : order) {
      if (b == root) continue;
      std::uint32_t now = kUnknown;
      for (const auto s : cfg.blocks[b].successors) {
        if (position[s] == kUnknown || idom[s] == kUnknown) continue;
        now = now == kUnknown ? s : intersect(s, now);
      }
      if (now != idom[b]) {
        idom[b] = now;
        changed = true;
      }
    }
  }
  for (std::uint32_t b = 0; b < n; ++b)
    if (b != root && idom[b] != kUnknown)
      cfg.reconvergence[b] = static_cast<std::int32_t>(cfg.blocks[idom[b]].first);
  return cfg;
}

}  // namespace warpmem::program::ptx
