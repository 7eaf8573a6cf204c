// SPDX-License-Identifier: Apache-2.0
#include "program/ptx/early_loads.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace warpmem::program::ptx {
namespace {

enum class Kind : std::uint8_t {
  arithmetic,  ///< goes where its operands are
  load,        ///< may go ahead of arithmetic, and of what is ordered elsewhere
  ordered      ///< stays in order with its like, and with loads of its places
};

/// Kinds of memory that cannot be the same bytes, as a set of bits.
using Places = std::uint8_t;
constexpr unsigned kPlaces = 4;
constexpr Places kGlobal = 1, kShared = 2, kLocal = 4, kConstant = 8;
constexpr Places kEverywhere = kGlobal | kShared | kLocal | kConstant;

bool synchronizes(std::string_view opcode) {
  for (const char* modifier :
       {".volatile", ".relaxed", ".acquire", ".release", ".acq_rel", ".sc", ".mmio"})
    if (opcode.find(modifier) != opcode.npos) return true;
  return false;
}

Kind kind_of(const LoweredFunction& f, std::uint32_t at) {
  const InstInfo& info = f.infos[at];
  if (f.code[at].control || f.reads_clock[at]) return Kind::ordered;
  switch (info.op_class) {
    case OpClass::int_alu:
    case OpClass::int_mul:
    case OpClass::fp32:
    case OpClass::fp64:
    case OpClass::sfu:
    case OpClass::div:
      return info.mem == MemOp::none ? Kind::arithmetic : Kind::ordered;
    case OpClass::memory:
      // Constants and parameters are operands of the chip's arithmetic.
      if (info.space == Space::constant || info.space == Space::param)
        return info.mem == MemOp::load ? Kind::arithmetic : Kind::ordered;
      return info.mem == MemOp::load && info.async == AsyncCopy::none && !info.volatile_access &&
                     !synchronizes(f.spelling[at])
                 ? Kind::load
                 : Kind::ordered;
    default:
      return Kind::ordered;
  }
}

/// Where an instruction reads or writes: nowhere for plain arithmetic, everywhere for what orders
/// others.
Places places_of(const LoweredFunction& f, std::uint32_t at) {
  const InstInfo& info = f.infos[at];
  if (kind_of(f, at) == Kind::arithmetic && info.mem == MemOp::none) return 0;
  if (f.code[at].control || f.reads_clock[at] || info.mem == MemOp::none ||
      info.async != AsyncCopy::none || info.volatile_access || synchronizes(f.spelling[at]))
    return kEverywhere;
  switch (info.space) {
    case Space::global:
      return kGlobal;
    case Space::shared:
    case Space::cluster:
      return kShared;
    case Space::local:
      return kLocal;
    case Space::constant:
    case Space::param:
      return kConstant;
    case Space::generic:
      return kGlobal | kShared | kLocal;
    case Space::none:
      break;
  }
  return kEverywhere;
}

/// The new order of one block.
class BlockOrder {
 public:
  BlockOrder(const LoweredFunction& f, const std::vector<std::uint32_t>& first_use,
             const Block& block)
      : first_(block.first), nodes_(block.last - block.first + 1) {
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      const std::uint32_t at = first_ + i;
      nodes_[i].kind = kind_of(f, at);
      nodes_[i].places = places_of(f, at);
      for (const bool def : {false, true})
        for (auto u = first_use[at]; u != first_use[at + 1]; ++u)
          if (f.uses[u].def == def) depend(i, f.uses[u], f);
      order_memory(i);
    }
  }

  /// Instructions of the function in the new order.
  const std::vector<std::uint32_t>& run() {
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].placed) continue;
      if (uses_waiting(i)) hoist_loads(i);
      place(i);
    }
    return order_;
  }

 private:
  struct Node {
    Kind kind = Kind::arithmetic;
    Places places = 0;
    bool placed = false;
    bool waiting = false;                  ///< a load whose result nothing placed has used
    unsigned words = 0;                    ///< 32-bit registers that a load writes
    std::vector<std::uint32_t> before;     ///< what must be placed first
    std::vector<std::uint32_t> waits_for;  ///< those of `before` whose results it needs
    unsigned seen = 0;                     ///< the search that has found out whether it is free
    bool free = false;
  };
  struct Register {
    std::int64_t writer = -1;
    std::vector<std::uint32_t> readers;  // since it was written
  };
  struct Memory {
    std::int64_t ordered = -1;         // the last
    std::vector<std::uint32_t> loads;  // since then
  };

  void depend(std::uint32_t i, const RegisterUse& use, const LoweredFunction& f) {
    Register& reg = registers_[use.reg];
    Node& node = nodes_[i];
    // The scoreboard lets a write wait for the load before it as well.
    if (reg.writer >= 0 && reg.writer != i) {
      node.before.push_back(static_cast<std::uint32_t>(reg.writer));
      node.waits_for.push_back(static_cast<std::uint32_t>(reg.writer));
    }
    if (use.def) {
      for (const auto reader : reg.readers)
        if (reader != i) node.before.push_back(reader);
      reg.readers.clear();
      reg.writer = i;
      node.words += reg_class(f.registers[use.reg]) == RegClass::wide ? 2 : 1;
    } else {
      reg.readers.push_back(i);
    }
  }

  void order_memory(std::uint32_t i) {
    Node& node = nodes_[i];
    for (unsigned p = 0; p < kPlaces; ++p) {
      if (!(node.places >> p & 1)) continue;
      Memory& memory = memories_[p];
      if (memory.ordered >= 0) node.before.push_back(static_cast<std::uint32_t>(memory.ordered));
      if (node.kind != Kind::ordered) {
        memory.loads.push_back(i);
        continue;
      }
      node.before.insert(node.before.end(), memory.loads.begin(), memory.loads.end());
      memory.loads.clear();
      memory.ordered = i;
    }
    if (node.kind == Kind::ordered && i + 1 == nodes_.size())  // a branch ends the block
      for (std::uint32_t k = 0; k < i; ++k) node.before.push_back(k);
  }

  bool uses_waiting(std::uint32_t i) const {
    return std::any_of(nodes_[i].waits_for.begin(), nodes_[i].waits_for.end(),
                       [this](std::uint32_t w) { return nodes_[w].waiting; });
  }

  /// True when neither `i` nor what must come before it needs a load that waits, or is ordered.
  bool is_free(std::uint32_t i) {
    Node& node = nodes_[i];
    if (node.placed) return true;
    if (node.seen == search_) return node.free;
    node.seen = search_;
    node.free = node.kind != Kind::ordered && !uses_waiting(i) &&
                std::all_of(node.before.begin(), node.before.end(), [this](std::uint32_t b) {
                  return nodes_[b].placed || (nodes_[b].kind == Kind::arithmetic && is_free(b));
                });
    return node.free;
  }

  /// Places the loads behind `use` that are free.
  void hoist_loads(std::uint32_t use) {
    ++search_;
    const auto end = std::min<std::size_t>(nodes_.size(), std::size_t(use) + kLoadWindow);
    for (std::uint32_t i = use + 1; i < end; ++i) {
      if (nodes_[i].kind == Kind::ordered && nodes_[i].places == kEverywhere) return;
      if (nodes_[i].kind != Kind::load || nodes_[i].placed || !is_free(i)) continue;
      if (waiting_words_ + nodes_[i].words > kMostWaitingWords) return;
      place(i);
    }
  }

  /// Places an instruction behind those that must come before it.
  void place(std::uint32_t i) {
    Node& node = nodes_[i];
    if (node.placed) return;
    for (const auto b : node.before) place(b);
    node.placed = true;
    order_.push_back(first_ + i);
    for (const auto writer : node.waits_for) {
      if (!nodes_[writer].waiting) continue;
      nodes_[writer].waiting = false;
      waiting_words_ -= nodes_[writer].words;
    }
    if (node.kind == Kind::load) {
      node.waiting = true;
      waiting_words_ += node.words;
    }
  }

  std::uint32_t first_;
  std::vector<Node> nodes_;
  std::unordered_map<std::uint32_t, Register> registers_;
  std::array<Memory, kPlaces> memories_;
  unsigned waiting_words_ = 0;
  unsigned search_ = 0;
  std::vector<std::uint32_t> order_;
};

template <class T>
void permute(std::vector<T>& values, const std::vector<std::uint32_t>& order) {
  std::vector<T> sorted;
  sorted.reserve(values.size());
  for (const auto from : order) sorted.push_back(std::move(values[from]));
  values = std::move(sorted);
}

}  // namespace

void order_loads_early(LoweredFunction& f, const Cfg& cfg) {
  std::vector<std::uint32_t> first_use(f.code.size() + 1, 0);
  for (const auto& use : f.uses) ++first_use[use.inst + 1];
  for (std::size_t i = 1; i < first_use.size(); ++i) first_use[i] += first_use[i - 1];

  std::vector<std::uint32_t> order;
  for (const Block& block : cfg.blocks) {
    BlockOrder in_block(f, first_use, block);
    const auto& placed = in_block.run();
    order.insert(order.end(), placed.begin(), placed.end());
  }
  std::vector<RegisterUse> uses;
  uses.reserve(f.uses.size());
  for (std::uint32_t to = 0; to < order.size(); ++to)
    for (auto u = first_use[order[to]]; u != first_use[order[to] + 1]; ++u) {
      uses.push_back(f.uses[u]);
      uses.back().inst = to;
    }
  f.uses = std::move(uses);
  permute(f.code, order);
  permute(f.infos, order);
  permute(f.spelling, order);
  permute(f.source_file, order);
  permute(f.reads_clock, order);
}

}  // namespace warpmem::program::ptx
