// SPDX-License-Identifier: Apache-2.0
#include "units/htsma/htsma_bench_model.hpp"

#include <algorithm>

namespace warpmem::cosim {

namespace {

constexpr std::uint8_t kLastWay = 0, kHitLine = 1, kOverflow = 2, kCompared = 3, kArray = 4;

}  // namespace

const HtsmaModel::Block* HtsmaModel::of_entry(std::uint32_t entry) const {
  for (const Block& block : blocks_)
    if (block.entry == entry) return &block;
  return nullptr;
}

const HtsmaModel::Block* HtsmaModel::in_small_with(std::uint64_t addr) const {
  for (const Block& block : blocks_)
    if (in_small(block.entry) && block.addr == addr) return &block;
  return nullptr;
}

const HtsmaModel::Block* HtsmaModel::asked(const MshrIn& in) const {
  if (!in.req_secondary) return in_small_with(in.req_addr);
  return in.req_idx < size_.entries ? of_entry(in.req_idx) : nullptr;
}

bool HtsmaModel::leaves(const MshrIn& in) const {
  const Block* const block = draining();
  return block != nullptr && block->requests.size() == 1 && in.rsp_ready;
}

const HtsmaModel::Block* HtsmaModel::came(const MshrIn& in) const {
  if (!in.ret_valid || (drains_ && !leaves(in))) return nullptr;
  const Block* const back =
      in_small(in.ret_entry) ? in_small_with(in.ret_addr) : of_entry(in.ret_entry);
  return back == draining() ? nullptr : back;
}

const HtsmaModel::Block* HtsmaModel::returning(const MshrIn& in) const {
  const Block* const back = came(in);
  return back != nullptr && back->sectors.last(in.ret_sectors) ? back : nullptr;
}

std::uint32_t HtsmaModel::lowest_free(bool small) const {
  const std::uint32_t first = small ? size_.entries : 0;
  const std::uint32_t end = small ? size_.all_entries() : size_.entries;
  for (std::uint32_t e = first; e < end; ++e)
    if (of_entry(e) == nullptr) return e;
  return size_.all_entries();
}

// The listing of KI 5.2, whatever the block is.
std::uint8_t HtsmaModel::branch(const MshrIn& in) const {
  if (in.req_shared_count + 1u == size_.line_ways || !in.req_victim_valid) return kLastWay;
  if (in.req_victim_hit) return full(true) ? kOverflow : kHitLine;
  const bool empty = std::none_of(blocks_.begin(), blocks_.end(),
                                  [this](const Block& b) { return in_small(b.entry); });
  return empty ? kArray : kCompared;
}

MshrFail HtsmaModel::refusal(const MshrIn& in) const {
  const Block* const block = asked(in);
  if (block == nullptr) {
    if (in.req_secondary) return MshrFail::draining;  // the entry that it names is free
    return full(branch(in) <= kHitLine) ? MshrFail::entry_full : MshrFail::none;
  }
  if (block == draining() || block == returning(in)) return MshrFail::draining;
  const std::uint32_t slots = in_small(block->entry) ? size_.small_slots : size_.slots;
  return block->count == slots ? MshrFail::merge_full : MshrFail::none;
}

MshrOut HtsmaModel::eval(const MshrIn& in) const {
  const Block* const drains = draining();
  MshrOut out = outputs_of(blocks_, drains, leaves(in));
  if (drains_ && in_small(drains->entry)) out.rsp_addr = drains->addr;

  const Block* const block = asked(in);
  set_answer(in, refusal(in), &out);
  out.req_secondary = in.req_secondary || block != nullptr;
  out.req_steer = branch(in);
  out.req_critical =
      !out.req_secondary && (out.req_steer == kOverflow || out.req_steer == kCompared);
  if (!out.req_ready) return out;
  out.req_entry = block != nullptr ? block->entry : lowest_free(out.req_steer <= kHitLine);
  out.req_fetch = (block != nullptr ? block->sectors : BlockSectors()).fetch(size_, in);
  return out;
}

void HtsmaModel::commit(const MshrIn& in) {
  const MshrOut out = eval(in);
  const Block* const back = returning(in);
  const std::uint32_t returned = back == nullptr ? 0 : back->entry;
  const bool returns = back != nullptr;
  if (came(in) != nullptr) const_cast<Block*>(came(in))->sectors.come(in.ret_sectors);
  if (in.req_valid && out.req_ready) {
    if (of_entry(out.req_entry) == nullptr)
      blocks_.push_back({in.req_addr, out.req_entry, {}, 0, {}});
    auto& block = const_cast<Block&>(*of_entry(out.req_entry));
    block.requests.push_back(in.req_slot);
    ++block.count;
    block.sectors.ask(size_, in);
  }
  if (drains_ && in.rsp_ready) {
    auto& block = const_cast<Block&>(*of_entry(draining_));
    block.requests.pop_front();
    if (block.requests.empty()) {
      blocks_.erase(blocks_.begin() + (&block - blocks_.data()));
      drains_ = false;
    }
  }
  if (!returns) return;
  drains_ = true;
  draining_ = returned;
}

}  // namespace warpmem::cosim
