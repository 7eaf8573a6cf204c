// SPDX-License-Identifier: Apache-2.0
#include "units/mshr_bench_models.hpp"

#include <algorithm>
#include <iterator>

namespace warpmem::cosim {

namespace {

/// The ports of the first 64 entries are compared.
std::uint64_t bit(std::uint32_t entry) { return entry < 64 ? std::uint64_t{1} << entry : 0; }

}  // namespace

MshrOut outputs_of(const std::vector<FileBlock>& blocks, const FileBlock* drains, bool leaves) {
  MshrOut out;
  out.rsp_valid = drains != nullptr;
  out.ret_ready = drains == nullptr || leaves;
  if (drains != nullptr) {
    out.rsp_last = drains->requests.size() == 1;
    out.rsp_slot = drains->requests.front();
    out.rsp_entry = drains->entry;
    out.draining = bit(drains->entry);
  }
  for (const FileBlock& block : blocks) out.used |= bit(block.entry);
  return out;
}

void set_answer(const MshrIn& in, MshrFail fail, MshrOut* out) {
  out->req_ready = fail == MshrFail::none;
  out->rf = in.req_valid && !out->req_ready;
  if (out->rf) out->rf_cause = fail;
}

std::vector<std::uint64_t> MshrFileModel::names() const {
  std::vector<std::uint64_t> list;
  for (const Block& block : blocks_) list.push_back(name_of(block));
  return list;
}

const MshrFileModel::Block* MshrFileModel::find(std::uint64_t name) const {
  for (const Block& block : blocks_)
    if (name_of(block) == name) return &block;
  return nullptr;
}

const MshrFileModel::Block* MshrFileModel::asked(const MshrIn& in) const {
  return size_.tagless() && !in.req_secondary ? nullptr : find(in.req_addr);
}

bool MshrFileModel::leaves(const MshrIn& in) const {
  const Block* const block = draining();
  return block != nullptr && block->requests.size() == 1 && in.rsp_ready;
}

const MshrFileModel::Block* MshrFileModel::came(const MshrIn& in) const {
  if (!in.ret_valid || (drains_ && !leaves(in))) return nullptr;
  const Block* const back = find(in.ret_addr);
  return back == draining() ? nullptr : back;
}

bool MshrFileModel::returning(const MshrIn& in) const {
  const Block* const back = came(in);
  return back != nullptr && back->sectors.last(in.ret_sectors);
}

std::uint32_t MshrFileModel::lowest_free(std::uint64_t addr) const {
  const std::uint64_t set = size_.tagless() ? 0 : addr % size_.sets();
  const auto first = static_cast<std::uint32_t>(set) * size_.set_entries();
  for (std::uint32_t e = first; e < first + size_.set_entries(); ++e)
    if (std::none_of(blocks_.begin(), blocks_.end(),
                     [e](const Block& block) { return block.entry == e; }))
      return e;
  return size_.entries;
}

MshrFail MshrFileModel::refusal(const MshrIn& in) const {
  const Block* const block = asked(in);
  if (block == nullptr) {
    if (size_.tagless() && in.req_secondary) return MshrFail::draining;  // its entry is free
    return lowest_free(in.req_addr) == size_.entries ? MshrFail::entry_full : MshrFail::none;
  }
  if (block == draining() || (returning(in) && find(in.ret_addr) == block))
    return MshrFail::draining;
  return block->count == size_.slots ? MshrFail::merge_full : MshrFail::none;
}

MshrOut MshrFileModel::eval(const MshrIn& in) const {
  const Block* const drains = draining();
  MshrOut out = outputs_of(blocks_, drains, leaves(in));
  if (drains_ && !size_.tagless()) out.rsp_addr = drains->addr;

  const Block* const block = asked(in);
  set_answer(in, refusal(in), &out);
  if (!size_.tagless()) out.req_secondary = block != nullptr;
  if (!out.req_ready) return out;
  out.req_entry = block != nullptr ? block->entry : lowest_free(in.req_addr);
  out.req_fetch = (block != nullptr ? block->sectors : BlockSectors()).fetch(size_, in);
  return out;
}

void MshrFileModel::commit(const MshrIn& in) {
  const MshrOut out = eval(in);
  const bool returns = returning(in);
  const std::uint64_t returned = in.ret_addr;
  if (came(in) != nullptr) find(in.ret_addr)->sectors.come(in.ret_sectors);
  if (in.req_valid && out.req_ready) {
    if (asked(in) == nullptr) blocks_.push_back({in.req_addr, out.req_entry, {}, 0, {}});
    Block& block = asked(in) == nullptr ? blocks_.back() : *find(in.req_addr);
    block.requests.push_back(in.req_slot);
    ++block.count;
    block.sectors.ask(size_, in);
  }
  if (drains_ && in.rsp_ready) {
    Block* const block = find(draining_);
    block->requests.pop_front();
    if (block->requests.empty()) {
      blocks_.erase(blocks_.begin() + (block - blocks_.data()));
      drains_ = false;
    }
  }
  if (!returns) return;
  drains_ = true;
  draining_ = returned;
}

ChainModel::ChainModel(const MshrSize& size) : size_(size) {
  for (std::uint32_t set = 0; set < size.entries; ++set) free_.insert(set);
}

const ChainModel::Block* ChainModel::find(std::uint64_t addr) const {
  for (const Block& block : blocks_)
    if (block.addr == addr) return &block;
  return nullptr;
}

std::vector<std::uint64_t> ChainModel::names() const {
  std::vector<std::uint64_t> list;
  for (const Block& block : blocks_) list.push_back(block.addr);
  return list;
}

ChainModel::Answer ChainModel::answer_of(const Block* block) const {
  if (block == nullptr) {
    if (free_.empty()) return {MshrFail::entry_full};
    return {MshrFail::none, *free_.begin()};
  }
  if (block->requests.size() < block->chain.size() * size_.slots)
    return {MshrFail::none, block->chain.back()};
  const auto linkable = free_.lower_bound(size_.reserved);
  if (linkable == free_.end()) return {MshrFail::merge_full};
  return {MshrFail::none, *linkable, true};
}

void ChainModel::take(const MshrIn& in, const Answer& given) {
  if (find(in.req_addr) == nullptr) blocks_.push_back({in.req_addr, {}, {}, 0, {}});
  Block& block = *find(in.req_addr);
  block.sectors.ask(size_, in);
  if (block.chain.empty() || given.link) {
    block.chain.push_back(given.set);
    free_.erase(given.set);
  }
  block.requests.push_back(in.req_slot);
}

void ChainModel::count_free(MshrOut* out) const {
  out->n_free = static_cast<std::uint32_t>(free_.size());
  out->n_linkable =
      static_cast<std::uint32_t>(std::distance(free_.lower_bound(size_.reserved), free_.end()));
}

void ChainModel::respond(const Block& block, MshrOut* out) const {
  out->rsp_valid = true;
  out->rsp_last = last(block);
  out->rsp_addr = block.addr;
  out->rsp_slot = block.requests[block.drained];
  out->rsp_entry = block.chain[block.drained / size_.slots];
}

const DlMshrModel::Block* DlMshrModel::came(const MshrIn& in) const {
  if (!in.ret_valid || !ret_ready(in) || (drains_ && in.ret_addr == draining_)) return nullptr;
  return find(in.ret_addr);
}

bool DlMshrModel::returning(const MshrIn& in) const {
  const Block* const back = came(in);
  return back != nullptr && back->sectors.last(in.ret_sectors);
}

DlMshrModel::Answer DlMshrModel::answer(const MshrIn& in) const {
  const Block* const block = asked(in);
  const bool returns = returning(in) && in.ret_addr == in.req_addr;
  if (block != nullptr && (returns || (drains_ && in.req_addr == draining_)))
    return {MshrFail::draining};
  return answer_of(block);
}

MshrOut DlMshrModel::eval(const MshrIn& in) const {
  MshrOut out;
  out.ret_ready = ret_ready(in);
  if (responds()) respond(draining(), &out);
  count_free(&out);
  out.release_busy = !releasing_.empty();

  const Answer given = answer(in);
  set_answer(in, given.fail, &out);
  out.req_secondary = asked(in) != nullptr;
  out.req_entry = given.set;
  out.req_link = given.link;
  if (out.req_ready) out.req_fetch = fetch(asked(in), in);
  return out;
}

void DlMshrModel::commit(const MshrIn& in) {
  const bool returns = returning(in);
  const bool leaves = responds() && in.rsp_ready;
  const bool ready = released();
  const Answer given = answer(in);
  if (came(in) != nullptr) find(in.ret_addr)->sectors.come(in.ret_sectors);
  if (leaves) {
    Block& block = *find(draining_);
    if (++block.drained == block.requests.size()) {
      waiting_.push_back(block.chain);
      blocks_.erase(blocks_.begin() + (&block - blocks_.data()));
      drains_ = false;
    }
  }
  if (in.req_valid && given.fail == MshrFail::none) take(in, given);
  if (!releasing_.empty()) {
    free_.insert(releasing_.front());
    releasing_.pop_front();
  }
  if (ready && !waiting_.empty()) {
    releasing_.assign(waiting_.front().rbegin(), waiting_.front().rend());
    waiting_.pop_front();
  }
  // The one port writes first; what is to leave next is read when it is free.
  const bool reads = returns || (leaves && drains_) || slot_waits_;
  slot_waits_ = size_.one_port() && reads && in.req_valid && given.fail == MshrFail::none;
  if (!returns) return;
  drains_ = true;
  draining_ = in.ret_addr;
}

}  // namespace warpmem::cosim
