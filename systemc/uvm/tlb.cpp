// SPDX-License-Identifier: Apache-2.0
#include "uvm/tlb.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/assert.hpp"
#include "base/errors.hpp"
#include "base/payload_bytes.hpp"

namespace warpmem::uvm {

namespace {

// Bytes of a page-table entry, which a translation request reads.
constexpr unsigned kEntryBytes = 8;

}  // namespace

Tlb::Tlb(sc_core::sc_module_name name, ClockDomain& domain, const UvmParams& params, unsigned sm,
         TransactionPool& pool, PageTable& table, TlbListener& listener)
    : sc_module(name),
      Clocked(domain, sm),
      cpu("cpu", *this, params.tlb_requests, params.tlb_width),
      mem("mem", *this, params.tlb_requests, params.tlb_width),
      gmmu("gmmu", *this, params.tlb_misses),
      params_(params),
      sm_(sm),
      pool_(pool),
      table_(table),
      listener_(listener),
      cache_(params.tlb.entries, params.tlb.ways),
      misses_(params.tlb_misses),
      held_(params.tlb_held),
      to_ask_(params.tlb_misses),
      to_replay_(params.tlb_misses) {
  for (unsigned i = 0; i < held_.size(); ++i) held_[i].next = i + 1 < held_.size() ? i + 1 : kNone;
  free_held_ = 0;
  cpu.on_debug([this](Payload& payload) { return debug(payload); });
  cpu.on_blocking([this](Payload& p, sc_core::sc_time& delay) { blocking(p, delay); });
}

Cycle Tlb::tick(Cycle now) {
  time_ = simulation_now();
  cpu.begin_cycle();
  mem.begin_cycle();
  gmmu.begin_cycle();
  note_arrivals();
  withdraw(now);
  const auto can_answer = [this] { return mem.response() != nullptr && cpu.can_respond(); };
  const bool answered = can_answer();
  for (unsigned i = 0; i < params_.tlb_width && can_answer(); ++i) answer();
  const bool translated = gmmu.response() != nullptr;
  if (translated) take_translation(now);
  const bool replayed = replay(now);
  const bool looked_up = look_up(now);
  for (unsigned i = 1; looked_up && i < params_.tlb_width && look_up(now); ++i) continue;
  const bool asked = !to_ask_.empty() && gmmu.can_send();
  if (asked) ask();
  report_drained();
  // Whatever stands still now waits for an arrival, an END_REQ or an END_RESP, each of which wakes
  // the TLB.
  return answered || translated || replayed || looked_up || asked ? now + 1 : kNever;
}

// Requests of the input queue get their time stamp in the cycle in which they become visible.
void Tlb::note_arrivals() {
  while (Payload* const payload = cpu.request(arrived_)) {
    mark(*payload, Stage::tlb, time_);
    ++arrived_;
  }
}

void Tlb::shoot_down(unsigned id, PageNumber first, std::uint64_t count) {
  const Cycle visible = domain().next_cycle();
  shootdowns_.push_back({id, first, count, visible, false, 0});
  wake_at(visible);
}

// From here on the pages miss, and the requests to them that are still under way are counted.
void Tlb::withdraw(Cycle now) {
  for (Shootdown& s : shootdowns_) {
    if (s.applied || s.visible > now) continue;
    s.applied = true;
    stats_.shot_down += cache_.forget(s.first, s.count);
    if (!under_way_.empty())
      for (PageNumber page = s.first; page < s.first + s.count; ++page)
        s.remaining += under_way_.count(page);
    for (Miss& miss : misses_)
      if (miss.busy && miss.ready && miss.page - s.first < s.count) miss.closed = true;
  }
}

void Tlb::answer() {
  Payload& payload = *mem.take_response();
  const PageNumber page = table_.page_of(payload.get_address());
  if (table_.find(page) != nullptr) {
    under_way_.remove(page);
    for (Shootdown& s : shootdowns_)
      if (s.applied && page - s.first < s.count) --s.remaining;
  }
  --beyond_;
  ++stats_.responses;
  cpu.respond(payload);
}

void Tlb::take_translation(Cycle now) {
  Payload* const payload = gmmu.take_response();
  if (payload->get_response_status() != tlm::TLM_OK_RESPONSE)
    throw SimulationError(fmt::format("{}: no translation of 0x{:x}: {}", name(),
                                      payload->get_address(), payload->get_response_string()));
  const unsigned index = access_of(*payload).tag;
  ++stats_.translations;
  Miss& miss = misses_[index];
  assert(miss.busy && !miss.ready);
  for (unsigned i = miss.first; i != kNone; i = held_[i].next)
    copy_stamps(*held_[i].payload, *payload, Stage::fault, Stage::translated);
  payload->release();
  miss.ready = true;
  miss.entry = table_.find(miss.page);
  if (miss.entry != nullptr) {
    listener_.taken(*miss.entry);
    for (unsigned i = miss.first; i != kNone; i = held_[i].next) under_way_.add(miss.page);
  }
  cache_.insert(miss.page, miss.entry);
  to_replay_.push(index);
}

bool Tlb::replay(Cycle now) {
  if (to_replay_.empty() || !mem.can_send()) return false;
  Miss& miss = misses_[to_replay_.front()];
  const unsigned place = miss.first;
  Held& held = held_[place];
  forward(*held.payload, miss.page, miss.entry, now);
  account_held(now);
  --held_now_;
  miss.first = held.next;
  held.next = free_held_;
  free_held_ = place;
  if (miss.first == kNone) {
    miss = {};
    --misses_used_;
    to_replay_.drop();
  }
  return true;
}

bool Tlb::look_up(Cycle now) {
  Payload* const payload = cpu.request();
  if (payload == nullptr) return false;
  const PageNumber page = table_.page_of(payload->get_address());
  const auto blocked = [&] {
    if (blocked_since_ == kNever) blocked_since_ = now;
    return false;
  };
  const unsigned waiting = misses_used_ == 0 ? kNone : find_miss(page);
  if (waiting != kNone) {
    Miss& miss = misses_[waiting];
    if (miss.closed || free_held_ == kNone) return blocked();
    ++stats_.merged;
    if (miss.ready && miss.entry != nullptr) under_way_.add(page);
    hold(miss, *payload, now);
  } else if (PageEntry** const entry = cache_.find(page)) {
    if (!mem.can_send()) return false;
    ++stats_.hits;
    if (*entry != nullptr) under_way_.add(page);
    forward(*payload, page, *entry, now);
  } else {
    if (misses_used_ == misses_.size() || free_held_ == kNone) return blocked();
    ++stats_.misses;
    const auto free =
        std::find_if(misses_.begin(), misses_.end(), [](const Miss& miss) { return !miss.busy; });
    free->busy = true;
    free->page = page;
    ++misses_used_;
    hold(*free, *payload, now);
    to_ask_.push(static_cast<unsigned>(free - misses_.begin()));
  }
  if (blocked_since_ != kNever) {
    count_blocked(now);
    blocked_since_ = kNever;
  }
  ++stats_.requests;
  --arrived_;
  cpu.take_request();
  return true;
}

void Tlb::hold(Miss& miss, Payload& payload, Cycle now) {
  mark(payload, Stage::walk, time_);
  const unsigned place = free_held_;
  Held& held = held_[place];
  free_held_ = held.next;
  held = {&payload, kNone};
  if (miss.first == kNone) {
    miss.first = place;
  } else {
    held_[miss.last].next = place;
  }
  miss.last = place;
  account_held(now);
  stats_.held_peak = std::max(stats_.held_peak, ++held_now_);
}

// Sends the request to L1D. Its page must be in device memory, as nothing else may use a
// translation.
void Tlb::forward(Payload& payload, PageNumber page, PageEntry* entry, Cycle now) {
  if (entry != nullptr) {
    if (entry->state != PageState::resident && entry->state != PageState::leaving)
      throw SimulationError(fmt::format("{}: stale translation of 0x{:x} used at cycle {}", name(),
                                        payload.get_address(), now));
    listener_.used(page, *entry, payload.is_write(), now);
  }
  ++beyond_;
  mem.send(payload);
}

void Tlb::ask() {
  const unsigned index = to_ask_.pop();
  const Miss& miss = misses_[index];
  Transaction& t = pool_.get_for(access_of(*held_[miss.first].payload), tlm::TLM_READ_COMMAND,
                                 table_.address_of(miss.page), kEntryBytes);
  t.access.kind = AccessKind::load;
  t.access.sm = static_cast<std::uint16_t>(sm_);
  t.access.tag = index;
  gmmu.send(t);
}

void Tlb::report_drained() {
  for (std::size_t i = 0; i < shootdowns_.size();) {
    if (!shootdowns_[i].applied || shootdowns_[i].remaining != 0) {
      ++i;
      continue;
    }
    listener_.drained(shootdowns_[i].id);
    shootdowns_.erase(shootdowns_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

// The link on which the bytes of an access that takes no time are found: the GMMU's for a page that
// is in host memory. What it writes to a page of device memory must go back with the page.
RequestPort& Tlb::home_of(const Payload& payload) {
  PageEntry* const entry = table_.find(table_.page_of(payload.get_address()));
  if (entry == nullptr) return mem;
  if (entry->state == PageState::absent || entry->state == PageState::arriving) return gmmu;
  entry->dirty |= payload.is_write();
  return mem;
}

unsigned Tlb::debug(Payload& payload) {
  return debug_by_blocks(payload, table_.page_bytes(), [this](Payload& part) {
    return home_of(part).socket->transport_dbg(part);
  });
}

// Nothing is translated or moved for it. L1D looks at the form of what it gets; the host would take
// any.
void Tlb::blocking(Payload& payload, sc_core::sc_time& delay) {
  const unsigned bytes = payload.get_data_length();
  if (bytes == 0 || payload.get_address() % kMaxLineBytes + bytes > kMaxLineBytes)
    return payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
  delay += sc_core::sc_time::from_value(domain().time_of(1));
  home_of(payload).socket->b_transport(payload, delay);
}

unsigned Tlb::find_miss(PageNumber page) const {
  for (unsigned i = 0; i < misses_.size(); ++i)
    if (misses_[i].busy && misses_[i].page == page) return i;
  return kNone;
}

// The cycles before `now` in which the oldest request has waited for room.
void Tlb::count_blocked(Cycle now) {
  if (blocked_since_ == kNever) return;
  stats_.full_cycles += now - blocked_since_;
  blocked_since_ = now;
}

void Tlb::account_held(Cycle now) {
  stats_.held_cycles += held_now_ * (now - held_since_);
  held_since_ = now;
}

bool Tlb::idle() const {
  return cpu.idle() && mem.idle() && gmmu.idle() && misses_used_ == 0 && beyond_ == 0 &&
         shootdowns_.empty();
}

std::string Tlb::describe() const {
  std::string text =
      fmt::format("{}: {} pages missing, {}/{} requests held, {} at L1D, {} shoot-downs", name(),
                  misses_used_, held_now_, held_.size(), beyond_, shootdowns_.size());
  for (const Miss& miss : misses_)
    if (miss.busy)
      text += fmt::format("\n    page 0x{:x} {}", table_.address_of(miss.page),
                          miss.ready ? "is replayed" : "waits for the GMMU");
  return text + "\n    " + cpu.describe() + "\n    " + mem.describe() + "\n    " + gmmu.describe();
}

void Tlb::register_stats(StatRegistry& registry, unsigned index) {
  StatGroup& g = registry.group("tlb", index);
  const Stats& s = stats_;
  g.before_snapshot([this] {
    const Cycle now = domain().cycle_at(simulation_now());
    account_held(now);
    count_blocked(now);
  });
  g.counter("requests", s.requests, "requests", "requests looked up: hits + misses + merged");
  g.counter("responses", s.responses, "responses", "responses returned to the LSU");
  g.counter("hits", s.hits, "requests", "requests whose page had a translation");
  g.counter("misses", s.misses, "requests", "requests that asked the GMMU for a translation");
  g.counter("merged", s.merged, "requests", "requests that joined a miss to the same page");
  g.ratio("hit_rate", s.hits, s.requests, "hits / requests");
  g.counter("translations", s.translations, "responses", "answers of the GMMU");
  g.counter("shot_down", s.shot_down, "translations",
            "translations withdrawn because their page was evicted");
  g.counter(
      "full_cycles", s.full_cycles, "cycles",
      "cycles in which the oldest request waited for room among the held requests or the misses");
  g.counter("held_cycles", s.held_cycles, "requests x cycles",
            "requests held for a translation, times cycles");
  g.peak("held_peak", stats_.held_peak, "requests", "most requests held at once");
  g.law("requests by outcome", [&s] {
    return expect_equal("requests", s.requests, "hits + misses + merged",
                        s.hits + s.misses + s.merged);
  });
  g.law("requests in = responses out",
        [&s] { return expect_equal("requests", s.requests, "responses", s.responses); });
  g.law("each miss has a translation",
        [&s] { return expect_equal("misses", s.misses, "translations", s.translations); });
}

}  // namespace warpmem::uvm
