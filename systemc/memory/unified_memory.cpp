// SPDX-License-Identifier: Apache-2.0
#include "memory/unified_memory.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors.hpp"
#include "base/payload_bytes.hpp"

namespace warpmem::memory {

UnifiedMemory::UnifiedMemory(const uvm::UvmParams& params, unsigned sms, ClockDomain& clock,
                             TransactionPool& pool, uvm::DeviceHooks hooks)
    : params_(params),
      hooks_(std::move(hooks)),
      table_(params.page_shift()),
      page_(params.carry_data ? params.page_bytes : 0) {
  uvm::MachineHooks to_machine{hooks_,
                               [this](unsigned id, uvm::PageNumber first, std::uint64_t count) {
                                 for (const auto& tlb : tlbs_) tlb->shoot_down(id, first, count);
                               }};
  gmmu_ = std::make_unique<uvm::Gmmu>("gmmu", clock, params, sms, table_, std::move(to_machine));
  for (unsigned i = 0; i < sms; ++i)
    tlbs_.push_back(std::make_unique<uvm::Tlb>(fmt::format("tlb{}", i).c_str(), clock, params, i,
                                               pool, table_, *gmmu_));
  link_in_ = std::make_unique<uvm::PcieLink>("pcie_in", clock, params);
  link_out_ = std::make_unique<uvm::PcieLink>("pcie_out", clock, params);
  host_ = std::make_unique<uvm::HostMemory>("host", clock, params.carry_data);
}

void UnifiedMemory::allocated(Addr begin, std::uint64_t bytes, bool managed) {
  if (managed) {
    gmmu_->allocated(begin, bytes);
  } else {
    unmanaged_bytes_ += bytes;
  }
}

std::uint64_t UnifiedMemory::released(Addr begin, std::uint64_t bytes) {
  const uvm::ManagedRange* const range = table_.range_of(table_.page_of(begin));
  if (range == nullptr) {
    unmanaged_bytes_ -= bytes;
    return bytes;
  }
  const uvm::Allocation a = range->allocation;
  ahead_.erase(std::remove_if(ahead_.begin(), ahead_.end(),
                              [&a](const Ahead& x) { return x.begin - a.base < a.bytes; }),
               ahead_.end());
  // The caches give up the lines of these pages, whose bytes nobody needs.
  for (uvm::PageNumber page = a.first; page < a.first + a.pages; ++page)
    if (gmmu_->resident(page)) hooks_.take(table_.address_of(page), page_bytes(), nullptr);
  gmmu_->released(begin);
  for (const auto& tlb : tlbs_) tlb->forget(a.first, a.pages);
  const std::uint64_t given_back = a.pages * table_.page_bytes();
  if (!params_.carry_data) return given_back;
  std::fill(page_.begin(), page_.end(), 0);  // the next allocation in this place begins with zeros
  for (uvm::PageNumber page = a.first; page < a.first + a.pages; ++page)
    host_->write(table_.address_of(page), page_bytes(), page_.data());
  return given_back;
}

void UnifiedMemory::prefetch(Addr begin, std::uint64_t bytes, bool to_device) {
  if (bytes != 0) ahead_.push_back({begin, bytes, to_device});
}

void UnifiedMemory::host_read(Addr begin, std::uint64_t bytes) {
  if (bytes == 0) return;
  const uvm::PageNumber end = table_.page_of(begin + bytes - 1) + 1;
  for (uvm::PageNumber page = table_.page_of(begin); page < end; ++page) take_back(page);
}

void UnifiedMemory::host_wrote(Addr begin, std::uint64_t bytes, const std::uint8_t* data,
                               const std::function<void(Addr, std::uint64_t)>& other) {
  Addr not_managed = begin;  // the first byte since the last page that is managed
  const auto tell_other = [&](Addr to) {
    if (not_managed != to) other(not_managed, to - not_managed);
  };
  by_blocks(begin, bytes, page_bytes(), [&](Addr at, std::uint64_t n) {
    const uvm::PageNumber page = table_.page_of(at);
    if (table_.find(page) == nullptr) return true;
    tell_other(at);
    take_back(page);
    if (params_.carry_data) host_->write(at, static_cast<unsigned>(n), data + (at - begin));
    not_managed = at + n;
    return true;
  });
  tell_other(begin + bytes);
}

void UnifiedMemory::take_back(uvm::PageNumber page) {
  const uvm::Gmmu::TakenBack back = gmmu_->take_back(page);
  if (!back.was_there) return;
  for (const auto& tlb : tlbs_) tlb->forget(page, 1);
  const Addr address = table_.address_of(page);
  const bool wanted = back.dirty && params_.carry_data;
  hooks_.take(address, page_bytes(), wanted ? page_.data() : nullptr);
  if (wanted) host_->write(address, page_bytes(), page_.data());
}

bool UnifiedMemory::begin_launch(std::function<void()> moved) {
  const std::uint64_t free =
      params_.device_bytes - std::min(params_.device_bytes, unmanaged_bytes_);
  gmmu_->begin_launch(free);
  if (params_.move_ahead)
    for (const auto& range : table_.ranges())
      ahead_.push_back({range->allocation.base, range->allocation.bytes, true});
  if (ahead_.empty() && !gmmu_->over_frames()) return false;
  ahead_since_ = gmmu_->domain().next_cycle();
  gmmu_->when_idle([this, moved = std::move(moved)] {
    if (!move_ahead()) moved();
  });
  if (gmmu_->over_frames() || !move_ahead()) gmmu_->wake();
  return true;
}

bool UnifiedMemory::move_ahead() {
  if (ahead_.empty()) return false;
  const bool to_device = ahead_.front().to_device;
  while (!ahead_.empty() && ahead_.front().to_device == to_device) {
    gmmu_->move_ahead(ahead_.front().begin, ahead_.front().bytes, to_device);
    ahead_.erase(ahead_.begin());
  }
  return true;
}

void UnifiedMemory::end_moves() {
  gmmu_->when_idle({});
  ahead_cycles_ += gmmu_->domain().next_cycle() - ahead_since_;
  if (!gmmu_->idle())
    throw SimulationError("cudaMemPrefetchAsync: the pages did not move; state:\n" + describe());
}

bool UnifiedMemory::in_host_memory(Addr address) const {
  const uvm::PageEntry* const entry = table_.find(table_.page_of(address));
  return entry != nullptr && entry->state == uvm::PageState::absent;
}

bool UnifiedMemory::idle() const {
  return gmmu_->idle() && link_in_->idle() && link_out_->idle() && host_->idle() &&
         std::all_of(tlbs_.begin(), tlbs_.end(), [](const auto& tlb) { return tlb->idle(); });
}

std::string UnifiedMemory::describe() const {
  std::string text;
  const auto add = [&text](const auto& module) {
    if (!module->idle()) text += "  " + module->describe() + "\n";
  };
  for (const auto& tlb : tlbs_) add(tlb);
  add(gmmu_);
  add(link_in_);
  add(link_out_);
  add(host_);
  return text;
}

void UnifiedMemory::register_stats(StatRegistry& registry) {
  for (unsigned i = 0; i < tlbs_.size(); ++i) tlbs_[i]->register_stats(registry, i);
  gmmu_->register_stats(registry);
  StatGroup& g = registry.group("uvm");
  link_in_->register_stats(g, "in");
  link_out_->register_stats(g, "out");
  g.counter("ahead_cycles", ahead_cycles_, "cycles",
            "cycles that launches waited for pages to move before them; not in gpu.cycles");
  g.law("TLBs to GMMU", [this] {
    std::uint64_t asked = 0;
    for (const auto& tlb : tlbs_) asked += tlb->stats().misses;
    return expect_equal("misses of the TLBs", asked, "translations", gmmu_->stats().requests);
  });
  g.law("bytes over the link", [this] {
    const uvm::Migrator::Stats& p = gmmu_->pages();
    return expect_equal("pages_in and pages_out.dirty, bytes",
                        (p.pages_in + p.pages_out_dirty) * table_.page_bytes(),
                        "bytes of both directions",
                        link_in_->stats().bytes + link_out_->stats().bytes);
  });
}

std::uint64_t UnifiedMemory::requests_from_sms() const {
  std::uint64_t sum = 0;
  for (const auto& tlb : tlbs_) sum += tlb->stats().requests;
  return sum;
}

}  // namespace warpmem::memory
