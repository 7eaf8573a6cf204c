// SPDX-License-Identifier: Apache-2.0
// Far faults, and which pages come and go.
#include <algorithm>

#include "base/assert.hpp"
#include "base/errors.hpp"
#include "uvm/gmmu.hpp"

namespace warpmem::uvm {

bool Gmmu::resident(PageNumber page) const {
  const PageEntry* const entry = table_.find(page);
  return entry != nullptr && entry->state == PageState::resident;
}

bool Gmmu::in_flight(PageNumber page) const {
  const PageEntry* const entry = table_.find(page);
  return entry != nullptr &&
         (entry->state == PageState::arriving || entry->state == PageState::leaving);
}

// A page whose translation is on its way to a TLB would have to stay until it is there.
bool Gmmu::evictable(PageNumber page) const {
  const PageEntry* const entry = table_.find(page);
  return entry != nullptr && entry->state == PageState::resident && entry->granted == 0 &&
         entry->settled <= domain().now();
}

const Allocation* Gmmu::allocation_of(PageNumber page) const {
  const ManagedRange* const range = table_.range_of(page);
  return range == nullptr ? nullptr : &range->allocation;
}

void Gmmu::used(PageNumber page, PageEntry& entry, bool write, Cycle now) {
  ++stats_.page_uses;
  entry.dirty |= write;
  entry.touched = true;
  if (entry.prefetched) {
    entry.prefetched = false;
    ++stats_.prefetched_used;
  }
  const ManagedRange& range = *table_.range_of(page);
  history_.used(range.ordinal + (page - range.allocation.first), now);
  // It is on its way out, and the policy has let it go.
  if (entry.state != PageState::resident) return;
  const bool expired_before = evictor_->has_expired();
  evictor_->touched(range.allocation, page, now);
  if (expired_before || !evictor_->has_expired()) return;
  expired_visible_ = now + 1;
  wake();
}

// A page that stayed for a translation on its way may leave from the next cycle on.
void Gmmu::taken(PageEntry& entry) {
  assert(entry.granted != 0);
  if (--entry.granted != 0) return;
  entry.settled = domain().next_cycle();
  if (migrator_.shortage() != 0 || !migrator_.idle()) wake();
}

// Called when the walk found the page absent. Returns false when there is no MSHR, or no room in
// the fault buffer.
bool Gmmu::fault(Search& search, PageEntry& entry, Cycle now) {
  if (faulted_ == params_.fault_mshrs) return false;
  if (entry.state == PageState::arriving) {
    ++stats_.faults_merged;
  } else {
    if (fault_buffer_.full()) return false;
    fault_buffer_.push(search.page);
    ++stats_.faults;
    history_.faulted(now);
    stats_.buffer_peak = std::max<std::uint64_t>(stats_.buffer_peak, fault_buffer_.size());
  }
  ++stats_.walk_faults;
  search.faulted = true;
  search.since = now;
  search.fault = simulation_now();
  // It comes for another page's fault.
  if (entry.state == PageState::arriving)
    search.transfer = search.fault;
  else
    search.taken = search.handled = 0;  // what came of an earlier fault of the page
  stats_.mshr_peak = std::max<std::uint64_t>(stats_.mshr_peak, ++faulted_);
  return true;
}

bool Gmmu::host(Cycle now) {
  bool worked = false;
  if (host_busy_ && host_ready_ <= now) {
    count_host(now);
    host_busy_ = false;
    for (const PageNumber page : taken_) plan(page, now);
    taken_.clear();
    worked = true;
  }
  if (!host_busy_ && !fault_buffer_.empty()) worked |= take_faults(now);
  return worked;
}

// Counts the cycles before `now` of what the host handles, whose end is known from the start.
void Gmmu::count_host(Cycle now) {
  const Cycle passed = std::min(now, host_ready_);
  stats_.host_cycles += passed - host_counted_;
  host_counted_ = passed;
}

// The host skips faults on pages that an earlier one brings.
bool Gmmu::take_faults(Cycle now) {
  const std::size_t most = params_.handling == FaultHandling::single ? 1 : params_.batch;
  while (!fault_buffer_.empty() && taken_.size() < most) {
    const PageNumber page = fault_buffer_.pop();
    const PageState state = table_.find(page)->state;
    if (state == PageState::arriving || state == PageState::resident) {
      ++stats_.faults_found;
    } else {
      taken_.push_back(page);
      const auto search = search_of_.find(page);
      if (search != search_of_.end() && searches_[search->second].handled == 0)
        searches_[search->second].taken = now;
    }
  }
  if (taken_.empty()) return true;
  ++stats_.batches;
  host_busy_ = true;
  host_ready_ = now + fault_cycles_;
  host_counted_ = now;
  watchers_.tell([&](FaultWatch& watch) { watch.host_works(now, host_ready_, taken_.size()); });
  return true;
}

// The host has handled the fault: the page comes, with the pages that the prefetcher adds to it.
void Gmmu::plan(PageNumber page, Cycle now) {
  const ManagedRange& range = *table_.range_of(page);
  handled(page, now);
  switch (table_.find(page)->state) {
    case PageState::arriving:
    case PageState::resident:
      ++stats_.faults_found;
      return;
    case PageState::leaving:
      postponed_.push_back(page);
      return;
    case PageState::absent:
      break;
  }
  chosen_.clear();
  prefetcher_->on_fault(range.allocation, page, chosen_);
  assert(!chosen_.empty() && chosen_.front() == page);
  if (chosen_.size() > migrator_.frames()) chosen_.resize(migrator_.frames());
  std::sort(chosen_.begin(), chosen_.end());
  for (const PageNumber p : chosen_) {
    PageEntry& entry = *table_.find(p);
    const auto search = search_of_.find(p);
    const bool wanted = search != search_of_.end() && searches_[search->second].faulted;
    if (wanted) {
      searches_[search->second].transfer = simulation_now();
      handled(p, now);
    }
    if (p != page && !wanted) {
      entry.prefetched = true;
      ++stats_.prefetched;
    }
    prefetcher_->arrives(range.allocation, p);
  }
  migrator_.fetch(chosen_, page);
}

// What covers a fault before the host has come to it ends its wait for the host, too.
void Gmmu::handled(PageNumber page, Cycle now) {
  const auto search = search_of_.find(page);
  if (search == search_of_.end() || searches_[search->second].handled != 0) return;
  searches_[search->second].handled = now;
}

void Gmmu::starts(PageNumber page, Cycle now) {
  const auto search = search_of_.find(page);
  if (search != search_of_.end()) searches_[search->second].started = now;
}

// Divides the time of a fault whose page has arrived; what had happened before it takes none of it.
void Gmmu::count_stages(const Search& search, Cycle now) {
  const Cycle handled = std::max({search.since, search.taken, search.handled});
  const Cycle taken = search.taken == 0 ? handled : std::max(search.since, search.taken);
  const Cycle started = std::max(handled, search.started);
  stats_.fault_queue_cycles += taken - search.since;
  stats_.fault_host_cycles += handled - taken;
  stats_.fault_room_cycles += started - handled;
  stats_.fault_link_cycles += now - started;
}

bool Gmmu::plan_postponed(Cycle now) {
  if (!someone_left_) return false;
  someone_left_ = false;
  std::vector<PageNumber> pages;
  pages.swap(postponed_);
  for (const PageNumber page : pages) plan(page, now);
  return true;
}

bool Gmmu::make_room(Cycle now) {
  bool any = false;
  if (evictor_->has_expired() && expired_visible_ <= now) {
    chosen_.clear();
    evictor_->choose_expired(now, chosen_);
    evict_chosen(Migrator::Why::evicted);
    any = true;
  }
  const std::uint64_t shortage = migrator_.shortage();
  if (shortage == 0) return any;
  chosen_.clear();
  evictor_->choose(shortage, now, chosen_);
  if (chosen_.empty()) return any;
  if (table_.pages() > migrator_.frames()) oversubscribed_ = true;
  evict_chosen(Migrator::Why::evicted);
  return true;
}

void Gmmu::evict_chosen(Migrator::Why why) {
  std::sort(chosen_.begin(), chosen_.end());
  for (const PageNumber page : chosen_) {
    assert(evictable(page));
    l2_.forget(page, 1);
  }
  if (!chosen_.empty()) migrator_.evict(chosen_, why);
}

void Gmmu::arrived(PageNumber page, PageEntry& entry, Cycle now) {
  const ManagedRange& range = *table_.range_of(page);
  history_.came(now);
  if (entry.evicted) {
    ++stats_.thrashed;
    history_.thrashed(range.ordinal + (page - range.allocation.first), now);
  }
  evictor_->arrived(range.allocation, page, now);
  const auto search = search_of_.find(page);
  if (search == search_of_.end() || !searches_[search->second].faulted) return;
  const Cycle waited = now - searches_[search->second].since;
  stats_.fault_wait_cycles += waited;
  fault_latency_.add(waited);
  count_stages(searches_[search->second], now);
  watchers_.tell(
      [&](FaultWatch& watch) { watch.fault_ended(page, searches_[search->second].fault); });
  --faulted_;
  complete(search->second, &entry);
}

void Gmmu::left(PageNumber page, PageEntry&, Cycle now) {
  prefetcher_->leaves(*allocation_of(page), page);
  history_.left(now);
  someone_left_ = true;
}

void Gmmu::allocated(Addr begin, std::uint64_t bytes) {
  assert(idle());
  const ManagedRange& range = table_.add(begin, bytes);
  most_pages_ = std::max(most_pages_, table_.pages());
  prefetcher_->allocated(range.allocation);
  evictor_->allocated(range.allocation);
}

bool Gmmu::released(Addr begin) {
  assert(idle());
  ManagedRange* const range = table_.range_of(table_.page_of(begin));
  if (range == nullptr) return false;
  const Allocation& a = range->allocation;
  for (PageNumber page = a.first; page < a.first + a.pages; ++page) {
    PageEntry& entry = range->pages[page - a.first];
    if (entry.state != PageState::resident) continue;
    evictor_->left(a, page);
    prefetcher_->leaves(a, page);
    migrator_.freed(entry);
  }
  l2_.forget(a.first, a.pages);
  prefetcher_->freed(a);
  evictor_->freed(a);
  table_.remove(begin);
  if (table_.pages() <= migrator_.frames()) oversubscribed_ = false;
  return true;
}

void Gmmu::begin_launch(std::uint64_t device_bytes) {
  assert(idle());
  std::uint64_t frames = device_bytes >> table_.page_shift();
  if (params_.oversubscription > 0)
    frames =
        static_cast<std::uint64_t>(static_cast<double>(most_pages_) / params_.oversubscription);
  migrator_.begin_launch(std::max(frames, std::uint64_t(1)));
  if (table_.pages() <= migrator_.frames()) oversubscribed_ = false;
  history_.set_pages(table_.pages());
  evictor_->begin_launch();
}

void Gmmu::move_ahead(Addr begin, std::uint64_t bytes, bool to_device) {
  const PageNumber first = table_.page_of(begin);
  const PageNumber end = table_.page_of(begin + bytes - 1) + 1;
  // The range moves in pieces, since each must find room among the frames.
  const std::uint64_t piece = std::max<std::uint64_t>(
      1, std::min(kMaxTransferBytes >> table_.page_shift(), migrator_.frames()));
  for (PageNumber from = first; from < end; from += piece) {
    chosen_.clear();
    for (PageNumber page = from; page < std::min(end, from + piece); ++page) {
      const PageEntry* const entry = table_.find(page);
      if (entry == nullptr) continue;
      if (entry->state == (to_device ? PageState::absent : PageState::resident))
        chosen_.push_back(page);
    }
    if (chosen_.empty()) continue;
    stats_.asked_ahead += chosen_.size();
    if (to_device) {
      for (const PageNumber page : chosen_) prefetcher_->arrives(*allocation_of(page), page);
      migrator_.fetch(chosen_, chosen_.front());
    } else {
      for (const PageNumber page : chosen_) evictor_->left(*allocation_of(page), page);
      evict_chosen(Migrator::Why::wanted);
    }
  }
  wake();
}

Gmmu::TakenBack Gmmu::take_back(PageNumber page) {
  PageEntry* const entry = table_.find(page);
  if (entry == nullptr || entry->state != PageState::resident) return {};
  const Allocation& a = *allocation_of(page);
  evictor_->left(a, page);
  prefetcher_->leaves(a, page);
  l2_.forget(page, 1);
  return {true, migrator_.take_back(*entry)};
}

}  // namespace warpmem::uvm
