// SPDX-License-Identifier: Apache-2.0
// Translation: shared TLB and page-table walks.
#include "uvm/gmmu.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/assert.hpp"
#include "base/errors.hpp"

namespace warpmem::uvm {

namespace {

// Bounds in cycles from a fault to its page's arrival; 45 us are 66 645 cycles at 1481 MHz.
const std::vector<std::uint64_t> kFaultLatencyBounds{50'000,    75'000,    100'000,   150'000,
                                                     250'000,   500'000,   1'000'000, 2'500'000,
                                                     5'000'000, 10'000'000};

}  // namespace

Gmmu::Gmmu(sc_core::sc_module_name name, ClockDomain& domain, const UvmParams& params, unsigned sms,
           PageTable& table, MachineHooks hooks)
    : sc_module(name),
      Clocked(domain, kRank),
      params_(params),
      table_(table),
      outgoing_(sms),
      l2_(params.l2_tlb.entries, params.l2_tlb.ways),
      lookups_(std::size_t(sms) * params.tlb_misses),
      searches_(std::size_t(sms) * params.tlb_misses),
      waiters_(std::size_t(sms) * params.tlb_misses),
      to_walk_(std::size_t(sms) * params.tlb_misses),
      walking_(params.walks),
      fault_buffer_(params.fault_buffer),
      fault_cycles_(
          std::max<Cycle>(1, static_cast<Cycle>(static_cast<double>(params.fault_nanoseconds) *
                                                1e-9 * static_cast<double>(domain.hertz())))),
      migrator_(*this, table, sms, params.carry_data,
                {std::move(hooks), [this](PageNumber p, Cycle now) { starts(p, now); },
                 [this](PageNumber p, PageEntry& e, Cycle now) { arrived(p, e, now); },
                 [this](PageNumber p, PageEntry& e, Cycle now) { left(p, e, now); },
                 [this] { copy_.request(); }}),
      prefetcher_(make_prefetcher(params, *this)),
      evictor_(make_evictor(params, *this)),
      fault_latency_(kFaultLatencyBounds),
      copy_("copy", AfterTicks::Does::changes, [this] { migrator_.copy(); }) {
  for (unsigned i = 0; i < sms; ++i)
    ports_.push_back(
        std::make_unique<ServicePort>(fmt::format("translate{}", i), *this, params.tlb_misses));
  // Accesses that take no time to pages in host memory: over the link, after a fault.
  for (const auto& port : ports_) {
    port->on_debug([this](Payload& p) { return to_device().socket->transport_dbg(p); });
    port->on_blocking([this](Payload& p, sc_core::sc_time& delay) {
      const Cycle cycles = params_.l2_tlb_cycles + params_.walk_cycles + fault_cycles_;
      delay += sc_core::sc_time::from_value(this->domain().time_of(cycles));
      to_device().socket->b_transport(p, delay);
    });
  }
  for (unsigned i = 0; i < waiters_.size(); ++i) {
    waiters_[i].next = i + 1 < waiters_.size() ? i + 1 : kNone;
    free_searches_.push_back(static_cast<unsigned>(searches_.size()) - 1 - i);
  }
  search_of_.reserve(searches_.size());
}

Gmmu::~Gmmu() = default;

Cycle Gmmu::tick(Cycle now) {
  for (const auto& port : ports_) port->begin_cycle();
  bool worked = respond();
  worked |= migrator_.tick(now);
  worked |= plan_postponed(now);
  worked |= host(now);
  worked |= make_room(now);
  worked |= finish_walks(now);
  worked |= start_walks(now);
  worked |= finish_lookups(now);
  worked |= accept(now);
  if (when_idle_ && idle()) when_idle_();
  return worked ? now + 1 : next_work(now);
}

Cycle Gmmu::next_work(Cycle now) const {
  Cycle next = migrator_.next_work(now);
  if (host_busy_) next = std::min(next, host_ready_);
  if (!walking_.empty() && walk_blocked_since_ == kNever)
    next = std::min(next, searches_[walking_.front()].ready);
  if (!lookups_.empty()) next = std::min(next, lookups_.front().ready);
  return next;
}

bool Gmmu::respond() {
  bool any = false;
  to_answer_.for_each([&](unsigned sm) {
    if (!ports_[sm]->can_respond()) return;
    std::vector<Payload*>& queue = outgoing_[sm];
    ports_[sm]->respond(*queue.front());
    queue.erase(queue.begin());
    if (queue.empty()) to_answer_.clear(sm);
    ++stats_.responses;
    any = true;
  });
  return any;
}

// Accepts one request a cycle, the SMs in turn.
bool Gmmu::accept(Cycle now) {
  const unsigned count = static_cast<unsigned>(ports_.size());
  for (unsigned i = 0; i < count; ++i) {
    const unsigned sm = (turn_ + i) % count;
    if (ports_[sm]->request() == nullptr || lookups_.full()) continue;
    lookups_.push({ports_[sm]->take_request(), sm, now + params_.l2_tlb_cycles});
    turn_ = (sm + 1) % count;
    ++stats_.requests;
    return true;
  }
  return false;
}

bool Gmmu::finish_lookups(Cycle now) {
  if (lookups_.empty() || lookups_.front().ready > now) return false;
  const LookUp look = lookups_.pop();
  const PageNumber page = table_.page_of(look.payload->get_address());
  const auto searched = search_of_.find(page);
  if (searched != search_of_.end()) {
    ++stats_.l2_merged;
    add_waiter(searches_[searched->second], *look.payload, look.sm);
  } else if (PageEntry** const entry = l2_.find(page)) {
    ++stats_.l2_hits;
    grant(*look.payload, look.sm, *entry);
  } else {
    const unsigned index = free_searches_.back();
    free_searches_.pop_back();
    search_of_.emplace(page, index);
    Search& search = searches_[index];
    search = {};
    search.page = page;
    search.since = now;
    add_waiter(search, *look.payload, look.sm);
    to_walk_.push(index);
    ++stats_.walks;
  }
  return true;
}

bool Gmmu::start_walks(Cycle now) {
  bool any = false;
  while (!to_walk_.empty() && !walking_.full()) {
    const unsigned index = to_walk_.pop();
    Search& search = searches_[index];
    stats_.walk_wait_cycles += now - search.since - 1;  // a walk begins a cycle later at best
    search.ready = now + params_.walk_cycles;
    walking_.push(index);
    any = true;
  }
  return any;
}

bool Gmmu::finish_walks(Cycle now) {
  bool any = false;
  while (!walking_.empty() && searches_[walking_.front()].ready <= now) {
    const unsigned index = walking_.front();
    Search& search = searches_[index];
    PageEntry* const entry = table_.find(search.page);
    if (entry == nullptr || entry->state == PageState::resident) {
      ++stats_.walk_hits;
      complete(index, entry);
    } else if (!fault(search, *entry, now)) {
      if (walk_blocked_since_ == kNever) walk_blocked_since_ = now;
      return any;
    }
    walk_blocked_since_ = kNever;
    walking_.drop();
    any = true;
  }
  return any;
}

// The translation is known: everybody who waits for it gets it.
void Gmmu::complete(unsigned index, PageEntry* entry) {
  Search& search = searches_[index];
  l2_.insert(search.page, entry);
  for (unsigned i = search.first; i != kNone;) {
    Waiter& waiter = waiters_[i];
    mark(*waiter.payload, Stage::fault, search.fault);
    mark(*waiter.payload, Stage::transfer, search.transfer);
    grant(*waiter.payload, waiter.sm, entry);
    const unsigned next = waiter.next;
    waiter.next = free_waiter_;
    free_waiter_ = i;
    i = next;
    --waiting_;
  }
  search_of_.erase(search.page);
  free_searches_.push_back(index);
}

void Gmmu::add_waiter(Search& search, Payload& payload, unsigned sm) {
  const unsigned index = free_waiter_;
  assert(index != kNone);
  free_waiter_ = waiters_[index].next;
  waiters_[index] = {&payload, sm, kNone};
  if (search.first == kNone) {
    search.first = index;
  } else {
    waiters_[search.last].next = index;
  }
  search.last = index;
  ++waiting_;
}

void Gmmu::grant(Payload& payload, unsigned sm, PageEntry* entry) {
  if (entry != nullptr) {
    assert(entry->state == PageState::resident);
    ++entry->granted;
  }
  mark(payload, Stage::translated, simulation_now());
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  outgoing_[sm].push_back(&payload);
  to_answer_.set(sm);
}

}  // namespace warpmem::uvm
