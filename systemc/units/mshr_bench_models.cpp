// SPDX-License-Identifier: Apache-2.0
#include "units/mshr_bench_models.hpp"

#include <algorithm>

namespace warpmem::cosim {

namespace {

template <class Blocks>
auto block_of(Blocks& blocks, std::uint32_t addr) -> decltype(blocks.data()) {
  for (auto& block : blocks)
    if (block.addr == addr) return &block;
  return nullptr;
}

template <class Blocks>
std::vector<std::uint32_t> addresses_of(const Blocks& blocks) {
  std::vector<std::uint32_t> list;
  for (const auto& block : blocks) list.push_back(block.addr);
  return list;
}

/// The ports of the first 64 entries are compared.
std::uint64_t bit(std::uint32_t entry) { return entry < 64 ? std::uint64_t{1} << entry : 0; }

void check_answer(const MshrIn& in, const MshrOut& out, MshrFail fail, const MshrExpect& expect) {
  const bool accepted = fail == MshrFail::none;
  expect("req_ready", accepted, out.req_ready);
  expect("rf", in.req_valid && !accepted, out.rf);
  expect("rf_cause", static_cast<std::uint64_t>(in.req_valid ? fail : MshrFail::none),
         static_cast<std::uint64_t>(out.rf_cause));
}

}  // namespace

std::vector<std::uint32_t> MshrFileModel::addresses() const { return addresses_of(blocks_); }

MshrFileModel::Block* MshrFileModel::find(std::uint32_t addr) { return block_of(blocks_, addr); }

void MshrFileModel::name(std::uint32_t addr, std::uint32_t returned, MshrIn* in) {
  addr_ = addr;
  returned_ = returned;
  if (!size_.tagless()) {
    in->req_addr = addr;
    in->ret_addr = returned;
    return;
  }
  const Block* const found = find(addr);
  const Block* const back = find(returned);
  in->req_secondary = found != nullptr;
  in->req_addr = found != nullptr ? found->entry : addr % size_.entries;
  in->ret_valid = in->ret_valid && back != nullptr;
  in->ret_addr = back != nullptr ? back->entry : 0;
}

MshrFail MshrFileModel::refusal(const Block* block) {
  if (block == nullptr) {
    const auto of_set = std::count_if(blocks_.begin(), blocks_.end(), [&](const Block& b) {
      return b.addr % size_.sets() == addr_ % size_.sets();
    });
    return of_set == size_.set_entries() ? MshrFail::entry_full : MshrFail::none;
  }
  if (block == draining()) return MshrFail::draining;
  return block->count == size_.slots ? MshrFail::merge_full : MshrFail::none;
}

bool MshrFileModel::leaves(const MshrIn& in) {
  const Block* const block = draining();
  return block != nullptr && block->requests.size() == 1 && in.rsp_ready;
}

MshrFileModel::Block* MshrFileModel::returning(const MshrIn& in) {
  if (!in.ret_valid || !(draining() == nullptr || leaves(in))) return nullptr;
  Block* const back = find(returned_);
  return back == draining() ? nullptr : back;
}

bool MshrFileModel::entry_used(std::uint32_t entry) const {
  return std::any_of(blocks_.begin(), blocks_.end(),
                     [&](const Block& b) { return b.entry == entry; });
}

void MshrFileModel::check(const MshrIn& in, const MshrOut& out, const MshrExpect& expect) {
  const Block* const drains = draining();
  expect("rsp_valid", drains != nullptr, out.rsp_valid);
  expect("rsp_last", drains != nullptr && drains->requests.size() == 1, out.rsp_last);
  expect("ret_ready", drains == nullptr || leaves(in), out.ret_ready);
  if (drains != nullptr) {
    expect("rsp_slot", drains->requests.front(), out.rsp_slot);
    expect("rsp_entry", drains->entry, out.rsp_entry);
    if (!size_.tagless()) expect("rsp_addr", drains->addr, out.rsp_addr);
  }

  std::uint64_t used = 0;
  for (const Block& block : blocks_) used |= bit(block.entry);
  expect("used", used, out.used);
  expect("draining", drains != nullptr ? bit(drains->entry) : 0, out.draining);

  const Block* const found = find(addr_);
  const bool returns = found != nullptr && returning(in) == found;
  const MshrFail fail = returns ? MshrFail::draining : refusal(found);
  check_answer(in, out, fail, expect);
  if (!size_.tagless()) expect("req_secondary", found != nullptr, out.req_secondary);
  if (fail != MshrFail::none) {
    expect("req_entry", 0, out.req_entry);
  } else if (found != nullptr) {
    expect("req_entry", found->entry, out.req_entry);
  } else {
    expect("req_entry is free", 1, out.req_entry < size_.entries && !entry_used(out.req_entry));
    expect("set of req_entry", addr_ % size_.sets(), out.req_entry / size_.set_entries());
  }
}

void MshrFileModel::edge(const MshrIn& in, const MshrOut& out, MshrFileCounts* counts) {
  const Block* const back = returning(in);
  const bool returns = back != nullptr;
  counts->answers[static_cast<unsigned>(out.rf_cause)] += in.req_valid;
  counts->back_to_back += returns && leaves(in);
  if (Block* const drains = draining(); drains != nullptr && in.rsp_ready) {
    ++counts->drained;
    drains->requests.pop_front();
    if (drains->requests.empty()) {
      blocks_.erase(blocks_.begin() + (drains - blocks_.data()));
      drains_ = false;
    }
  }
  if (in.req_valid && out.req_ready) {
    Block* block = find(addr_);
    if (block == nullptr) {
      blocks_.push_back({addr_, out.req_entry, {}, 0});
      block = &blocks_.back();
    }
    block->requests.push_back(in.req_slot);
    ++block->count;
  }
  if (!returns) return;
  drains_ = true;
  draining_ = returned_;
}

DlMshrModel::DlMshrModel(const MshrSize& size) : size_(size) {
  for (std::uint32_t set = 0; set < size.entries; ++set) free_.insert(set);
}

std::vector<std::uint32_t> DlMshrModel::addresses() const { return addresses_of(blocks_); }

DlMshrModel::Block* DlMshrModel::find(std::uint32_t addr) { return block_of(blocks_, addr); }

void DlMshrModel::name(std::uint32_t addr, std::uint32_t returned, MshrIn* in) {
  in->req_addr = addr;
  in->ret_addr = returned;
}

DlMshrModel::Block* DlMshrModel::returning(const MshrIn& in) {
  Block* const drains = draining();
  const bool ready = drains == nullptr || (responds(drains) && last(*drains) && in.rsp_ready);
  if (!in.ret_valid || !ready) return nullptr;
  Block* const back = find(in.ret_addr);
  return back == drains ? nullptr : back;
}

DlMshrModel::Answer DlMshrModel::answer(const MshrIn& in) {
  const Block* const block = find(in.req_addr);
  if (block == nullptr) {
    if (free_.empty()) return {MshrFail::entry_full};
    return {MshrFail::none, *free_.begin()};
  }
  if (block == draining() || block == returning(in)) return {MshrFail::draining};
  if (block->requests.size() < block->chain.size() * size_.slots)
    return {MshrFail::none, block->chain.back()};
  const auto linkable = free_.lower_bound(size_.reserved);
  if (linkable == free_.end()) return {MshrFail::merge_full};
  return {MshrFail::none, *linkable, true};
}

void DlMshrModel::check(const MshrIn& in, const MshrOut& out, const MshrExpect& expect) {
  const Block* const drains = draining();
  const bool leads = responds(drains);
  expect("rsp_valid", leads, out.rsp_valid);
  expect("rsp_last", leads && last(*drains), out.rsp_last);
  if (leads) {
    expect("rsp_addr", drains->addr, out.rsp_addr);
    expect("rsp_slot", drains->requests[drains->drained], out.rsp_slot);
    expect("rsp_entry", drains->chain[drains->drained / size_.slots], out.rsp_entry);
  }
  expect("ret_ready", drains == nullptr || (leads && last(*drains) && in.rsp_ready), out.ret_ready);
  expect("n_free", free_.size(), out.n_free);
  expect("n_linkable",
         static_cast<std::uint64_t>(std::distance(free_.lower_bound(size_.reserved), free_.end())),
         out.n_linkable);
  expect("release_busy", !releasing_.empty(), out.release_busy);

  const Answer wanted = answer(in);
  check_answer(in, out, wanted.fail, expect);
  expect("req_secondary", find(in.req_addr) != nullptr, out.req_secondary);
  expect("req_entry", wanted.set, out.req_entry);
  expect("req_link", wanted.link, out.req_link);
}

void DlMshrModel::take(const MshrIn& in, std::uint32_t set) {
  Block* block = find(in.req_addr);
  if (block == nullptr) {
    blocks_.push_back({in.req_addr, {}, {}, 0});
    block = &blocks_.back();
  }
  if (block->chain.empty() || block->chain.back() != set) {
    block->chain.push_back(set);
    free_.erase(set);
  }
  block->requests.push_back(in.req_slot);
}

void DlMshrModel::leave(Block* block) {
  if (++block->drained < block->requests.size()) return;
  releasing_.assign(block->chain.rbegin(), block->chain.rend());
  blocks_.erase(blocks_.begin() + (block - blocks_.data()));
  drains_ = false;
}

void DlMshrModel::edge(const MshrIn& in, const MshrOut&, MshrFileCounts* counts) {
  const bool returns = returning(in) != nullptr;
  const Answer given = answer(in);
  const Block* const drains = draining();
  const bool leaves = responds(drains) && in.rsp_ready;
  counts->release_waits += drains != nullptr && !responds(drains);
  counts->back_to_back += returns && drains != nullptr;
  counts->drained += leaves;
  if (in.req_valid) {
    ++counts->answers[static_cast<unsigned>(given.fail)];
    if (given.fail == MshrFail::none) {
      take(in, given.set);
      counts->links += given.link;
    }
  }
  if (!releasing_.empty()) {
    free_.insert(releasing_.front());
    releasing_.pop_front();
  }
  if (leaves) leave(draining());
  if (!returns) return;
  drains_ = true;
  draining_ = in.ret_addr;
}

}  // namespace warpmem::cosim
