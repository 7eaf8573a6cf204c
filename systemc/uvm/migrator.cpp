// SPDX-License-Identifier: Apache-2.0
#include "uvm/migrator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/assert.hpp"
#include "base/errors.hpp"

namespace warpmem::uvm {

Migrator::Migrator(Clocked& owner, PageTable& table, unsigned tlbs, bool carry_data, Hooks hooks)
    : to_device("to_device", owner, 2),
      to_host("to_host", owner, 2),
      owner_(owner),
      table_(table),
      tlbs_(tlbs),
      carry_data_(carry_data),
      hooks_(std::move(hooks)) {}

void Migrator::begin_launch(std::uint64_t frames) {
  assert(idle());
  stats_.frames = frames;
  stats_.resident_peak = stats_.resident;
  stats_.pages_to_host += std::exchange(taken_back_, 0);
  stats_.pages_freed += std::exchange(freed_, 0);
}

std::uint64_t Migrator::frames_used() const {
  return std::min(stats_.resident + moving_ + leaving_ + awaited_, stats_.frames);
}

std::uint64_t Migrator::shortage() const {
  const std::uint64_t wanted = stats_.resident + moving_ + awaited_;
  return wanted <= stats_.frames ? 0 : wanted - stats_.frames;
}

std::vector<Migrator::Run> Migrator::runs(const std::vector<PageNumber>& pages) const {
  std::vector<Run> result;
  const std::uint64_t most = std::max<std::uint64_t>(1, kMaxTransferBytes >> table_.page_shift());
  for (const PageNumber page : pages) {
    assert(result.empty() || page >= result.back().first + result.back().count);
    if (!result.empty() && page == result.back().first + result.back().count &&
        result.back().count < most) {
      ++result.back().count;
    } else {
      result.push_back({page, 1});
    }
  }
  return result;
}

void Migrator::fetch(const std::vector<PageNumber>& pages, PageNumber urgent) {
  for (const PageNumber page : pages) {
    PageEntry& entry = *table_.find(page);
    assert(entry.state == PageState::absent);
    entry.state = PageState::arriving;
  }
  std::vector<Run> order = runs(pages);
  std::stable_partition(order.begin(), order.end(),
                        [urgent](const Run& run) { return urgent - run.first < run.count; });
  arrivals_.insert(arrivals_.end(), order.begin(), order.end());
  awaited_ += pages.size();
}

void Migrator::evict(const std::vector<PageNumber>& pages, Why why) {
  for (const PageNumber page : pages) {
    PageEntry& entry = *table_.find(page);
    assert(entry.state == PageState::resident);
    entry.state = PageState::leaving;
  }
  stats_.resident -= pages.size();
  leaving_ += pages.size();
  for (const Run& run : runs(pages))
    departures_.push_back({next_id_++, run, why, Step::granted, 0, 0, false, 0});
}

void Migrator::drained(unsigned id) {
  const auto at = std::find_if(departures_.begin(), departures_.end(),
                               [id](const Departure& d) { return d.id == id; });
  assert(at != departures_.end() && at->step == Step::shooting && at->tlbs != 0);
  --at->tlbs;
  at->visible = owner_.domain().next_cycle();
  if (at->tlbs == 0) owner_.wake_at(at->visible);
}

bool Migrator::tick(Cycle now) {
  to_device.begin_cycle();
  to_host.begin_cycle();
  const bool received = receive(now);
  const bool departed = depart(now);
  const bool started = start_arrivals(now);
  const bool sent = send();
  return received || departed || started || sent;
}

Cycle Migrator::next_work(Cycle now) const {
  Cycle next = kNever;
  for (const Departure& d : departures_)
    if (d.step == Step::shooting && d.tlbs == 0)
      next = std::min(next, std::max(d.visible, now + 1));
  return next;
}

// What the link has brought is in device memory from the next cycle on; what it has taken is gone.
bool Migrator::receive(Cycle now) {
  bool any = false;
  for (RequestPort* const port : {&to_device, &to_host}) {
    if (port->response() == nullptr) continue;
    any = true;
    auto& t = static_cast<DmaTransfer&>(*port->take_response());
    if (t.get_response_status() != tlm::TLM_OK_RESPONSE)
      throw SimulationError(fmt::format("gmmu: migration of 0x{:x} failed: {}", t.get_address(),
                                        t.get_response_string()));
    const PageNumber first = table_.page_of(t.get_address());
    const std::uint64_t count = t.get_data_length() >> table_.page_shift();
    if (port == &to_host) {
      const auto d = std::find_if(departures_.begin(), departures_.end(),
                                  [&t](const Departure& x) { return x.id == t.job; });
      assert(d != departures_.end());
      for (PageNumber page = first; page < first + count; ++page) gone(page, d->why, now);
      if (--d->writes == 0) departures_.erase(d);
      t.release();
      continue;
    }
    moving_ -= count;
    stats_.resident += count;
    stats_.pages_in += count;
    copies_.push_back({t.get_address(), t.get_data_length(), t.data.data(), true, &t});
    for (PageNumber page = first; page < first + count; ++page) {
      PageEntry& entry = *table_.find(page);
      assert(entry.state == PageState::arriving);
      entry.state = PageState::resident;
      hooks_.arrived(page, entry, now);
    }
    hooks_.copy_soon();
  }
  return any;
}

bool Migrator::depart(Cycle now) {
  bool any = false;
  for (std::size_t i = 0; i < departures_.size();) {
    Departure& d = departures_[i];
    if (d.step == Step::granted && !granted(d.run)) {
      d.step = Step::shooting;
      d.tlbs = tlbs_;
      d.visible = now + 1;
      hooks_.shoot_down(d.id, d.run.first, d.run.count);
      any = true;
    } else if (d.step == Step::shooting && d.tlbs == 0 && now >= d.visible) {
      d.step = Step::settling;
      hooks_.copy_soon();
      any = true;
    } else if (d.step == Step::settling && !d.settled) {
      hooks_.copy_soon();
      any = true;
    } else if (d.step == Step::settling) {
      d.step = Step::writing;
      write_out(d, now);
      any = true;
      if (d.writes == 0) {
        departures_.erase(departures_.begin() + static_cast<std::ptrdiff_t>(i));
        continue;
      }
    }
    ++i;
  }
  return any;
}

bool Migrator::granted(const Run& run) const {
  for (PageNumber page = run.first; page < run.first + run.count; ++page)
    if (table_.find(page)->granted != 0) return true;
  return false;
}

// Writes out the pages of a departure, which nobody uses any more.
void Migrator::write_out(Departure& d, Cycle now) {
  std::vector<PageNumber> dirty;
  for (PageNumber page = d.run.first; page < d.run.first + d.run.count; ++page) {
    if (table_.find(page)->dirty) {
      dirty.push_back(page);
      ++stats_.pages_out_dirty;
      continue;
    }
    ++stats_.pages_out_clean;
    copies_.push_back({table_.address_of(page), static_cast<unsigned>(table_.page_bytes()), nullptr,
                       false, nullptr});
    gone(page, d.why, now);
  }
  for (const Run& run : runs(dirty)) {
    DmaTransfer& t = transfer(tlm::TLM_WRITE_COMMAND, run);
    t.job = d.id;
    ++d.writes;
    copies_.push_back({t.get_address(), t.get_data_length(), t.data.data(), false, nullptr});
    writes_.push_back(&t);
  }
  hooks_.copy_soon();
}

void Migrator::gone(PageNumber page, Why why, Cycle now) {
  PageEntry& entry = *table_.find(page);
  assert(entry.state == PageState::leaving);
  --leaving_;
  hooks_.left(page, entry, now);
  entry.state = PageState::absent;
  entry.dirty = entry.touched = entry.prefetched = false;
  entry.evicted = why == Why::evicted;
}

DmaTransfer& Migrator::transfer(tlm::tlm_command command, const Run& run) {
  return pool_.get(command, table_.address_of(run.first), run.count << table_.page_shift());
}

bool Migrator::start_arrivals(Cycle now) {
  bool any = false;
  while (!arrivals_.empty()) {
    Run& run = arrivals_.front();
    if (stats_.resident + moving_ + leaving_ + run.count > stats_.frames) break;
    reads_.push_back(&transfer(tlm::TLM_READ_COMMAND, run));
    for (PageNumber page = run.first; page < run.first + run.count; ++page)
      hooks_.starts(page, now);
    awaited_ -= run.count;
    moving_ += run.count;
    arrivals_.pop_front();
    stats_.resident_peak = std::max(stats_.resident_peak, stats_.resident + moving_ + leaving_);
    any = true;
  }
  return any;
}

bool Migrator::send() {
  bool any = false;
  if (!reads_.empty() && to_device.can_send()) {
    to_device.send(*reads_.front());
    reads_.pop_front();
    any = true;
  }
  if (!writes_.empty() && to_host.can_send()) {
    to_host.send(*writes_.front());
    writes_.pop_front();
    any = true;
  }
  return any;
}

void Migrator::copy() {
  for (const Copy& c : copies_) {
    if (c.to_device) {
      if (carry_data_) hooks_.put(c.address, c.bytes, c.data);
      c.transfer->release();
    } else {
      hooks_.take(c.address, c.bytes, carry_data_ ? c.data : nullptr);
    }
  }
  copies_.clear();
  for (Departure& d : departures_)
    if (d.step == Step::settling)
      d.settled =
          hooks_.settled(table_.address_of(d.run.first), d.run.count << table_.page_shift());
}

bool Migrator::take_back(PageEntry& entry) {
  assert(idle() && entry.state == PageState::resident);
  const bool dirty = entry.dirty;
  --stats_.resident;
  ++taken_back_;
  entry = {};
  return dirty;
}

void Migrator::freed(PageEntry& entry) {
  assert(idle() && entry.state == PageState::resident);
  entry = {};
  --stats_.resident;
  ++freed_;
}

bool Migrator::idle() const {
  return arrivals_.empty() && departures_.empty() && moving_ == 0 && reads_.empty() &&
         writes_.empty() && copies_.empty() && to_device.idle() && to_host.idle();
}

std::string Migrator::describe() const {
  std::string text =
      fmt::format("{} of {} frames hold pages, {} pages leave, {} move in, {} wait for a frame",
                  stats_.resident, stats_.frames, leaving_, moving_, awaited_);
  for (const Departure& d : departures_)
    text += fmt::format("\n    {} pages from 0x{:x} leave: {}", d.run.count,
                        table_.address_of(d.run.first),
                        d.step == Step::granted    ? "translations are on their way"
                        : d.step == Step::shooting ? fmt::format("{} TLBs use them", d.tlbs)
                        : d.step == Step::settling ? std::string("a cache is at work on them")
                                                   : std::string("written to the host"));
  return text + "\n    " + to_device.describe() + "\n    " + to_host.describe();
}

}  // namespace warpmem::uvm
