// SPDX-License-Identifier: Apache-2.0
#include "l2/coalescer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/assert.hpp"
#include "base/payload_bytes.hpp"

namespace warpmem::l2 {

namespace {

constexpr unsigned kAnswers = 2;  // that may wait for the crossbar; one a cycle needs no more

}  // namespace

Coalescer::Coalescer(sc_core::sc_module_name name, ClockDomain& domain, const L2Params& params,
                     TransactionPool& pool)
    : sc_module(name),
      Clocked(domain),
      in("in", *this, params.input_queue),
      mem("mem", *this, kAnswers),
      unit_bytes_(params.misses_by_sector() ? params.bytes_of_fetch() : params.line_bytes),
      most_reads_(params.coalescer.merges),
      carry_data_(params.carry_data),
      pool_(pool),
      entries_(params.coalescer.entries),
      outgoing_(params.input_queue) {
  for (std::uint32_t e = params.coalescer.entries; e-- > 0;) free_entries_.push_back(e);
  in.on_debug([this](Payload& payload) {
    if (payload.is_write()) close_for(payload);
    return mem.socket->transport_dbg(payload);
  });
  in.on_blocking([this](Payload& payload, sc_core::sc_time& delay) {
    if (payload.is_write()) close_for(payload);
    delay += sc_core::sc_time::from_value(this->domain().time_of(kCycles));
    mem.socket->b_transport(payload, delay);
  });
}

Cycle Coalescer::tick(Cycle now) {
  time_ = simulation_now();
  in.begin_cycle();
  mem.begin_cycle();
  const bool responded = respond();
  const bool sent = send(now);
  accept(now);
  // A withheld END_REQ or END_RESP wakes the module, and what the oldest request waits for comes
  // about in the stages above.
  Cycle next = kNever;
  if ((draining_ != kNone || mem.response() != nullptr) && (responded || in.can_respond()))
    next = now + 1;
  if (!outgoing_.empty() && (sent || mem.can_send()))
    next = std::min(next, std::max(now + 1, outgoing_.front().ready));
  return next;
}

// ---- 1: answers --------------------------------------------------------------------------------

bool Coalescer::respond() {
  if (!in.can_respond()) return false;
  if (draining_ == kNone) {
    if (mem.response() == nullptr) return false;
    Payload& answer = *mem.take_response();
    ++stats_.answers;
    draining_ = entry_of(answer);
    if (draining_ == kNone) {
      ++stats_.responses;
      in.respond(answer);
      return true;
    }
    if (entries_[draining_].open) close(draining_);
  }
  answer_read();
  return true;
}

// The tag of a payload that passed is somebody else's.
std::uint32_t Coalescer::entry_of(const Payload& answer) const {
  const std::uint32_t tag = access_of(answer).tag;
  return tag < entries_.size() && entries_[tag].request == &answer ? tag : kNone;
}

void Coalescer::answer_read() {
  Entry& entry = entries_[draining_];
  const std::uint32_t r = entry.first;
  Payload& payload = *reads_[r].payload;
  entry.first = reads_[r].next;
  reads_[r] = {nullptr, free_read_};
  free_read_ = r;

  const Transaction& answer = *entry.request;
  copy_stamps(payload, answer, Stage::l2_accept, Stage::dram_done);
  mark(payload, Stage::noc_response, time_);
  payload.set_response_status(answer.get_response_status());
  if (carry_data_ && answer.is_response_ok())
    store_to_payload(payload, answer.data.data() + (payload.get_address() - answer.get_address()));
  ++stats_.responses;
  in.respond(payload);

  if (entry.first != kNone) return;
  entry.request->release();
  entry = {};
  free_entries_.push_back(draining_);
  draining_ = kNone;
}

// ---- 2: requests to the slice ------------------------------------------------------------------

// What an entry asks for is settled when it is sent. Bytes between those of its reads that nobody
// wants are not enabled.
bool Coalescer::send(Cycle now) {
  if (outgoing_.empty() || outgoing_.front().ready > now || !mem.can_send()) return false;
  const Outgoing out = outgoing_.pop();
  ++stats_.sent;
  if (out.passed != nullptr) {
    mem.send(*out.passed);
    return true;
  }
  Entry& entry = entries_[out.entry];
  unsigned begin = 0, end = unit_bytes_;
  while (!entry.wanted.test(begin)) ++begin;
  while (!entry.wanted.test(end - 1)) --end;
  Transaction& t = pool_.get_for(access_of(*reads_[entry.first].payload), tlm::TLM_READ_COMMAND,
                                 entry.unit + begin, end - begin);
  t.access.tag = out.entry;
  t.access.sectors = 0;
  if (!entry.wanted.contains(ByteMask::range(begin, end - begin)))
    enable_bytes(t, entry.wanted, begin);
  stats_.sent_bytes += end - begin;
  entry.request = &t;
  mem.send(t);
  return true;
}

// ---- 3: the oldest request of the crossbar -----------------------------------------------------

void Coalescer::accept(Cycle now) {
  Payload* const payload = in.request();
  if (payload == nullptr) return;
  const Wait cause = take(*payload, now);
  wait(now, cause);
  if (cause != Wait::nothing) return;
  ++stats_.requests;
  mark(*payload, Stage::l2_queue, time_);
  in.take_request();
}

Coalescer::Wait Coalescer::take(Payload& payload, Cycle now) {
  const bool merges = mergeable(payload);
  const std::uint32_t e = merges ? joinable(payload) : kNone;
  if (e != kNone) {
    join(e, payload);
    return Wait::nothing;
  }
  if (merges && free_entries_.empty()) return Wait::entry;
  if (outgoing_.full()) return Wait::send;
  if (merges) {
    open(payload, now);
  } else {
    if (payload.is_write()) stats_.closed_by_writes += close_for(payload);
    outgoing_.push({&payload, kNone, now + 1});
    ++stats_.passed;
  }
  return Wait::nothing;
}

// Cycles are added when the cause changes, so that a coalescer that waits may sleep.
void Coalescer::wait(Cycle now, Wait cause) {
  if (cause == waits_for_) return;
  settle(now);
  waits_for_ = cause;
  waits_since_ = now;
}

void Coalescer::settle(Cycle now) {
  if (waits_for_ == Wait::entry) stats_.entry_wait_cycles += now - counted_until_;
  if (waits_for_ == Wait::send) stats_.send_wait_cycles += now - counted_until_;
  counted_until_ = now;
}

// What the slice refuses, and reads of single bytes, go there as they are.
bool Coalescer::mergeable(const Payload& payload) const {
  const unsigned bytes = payload.get_data_length();
  return payload.is_read() && bytes != 0 && payload.get_streaming_width() >= bytes &&
         payload.get_byte_enable_ptr() == nullptr &&
         unit_of(payload.get_address()) == unit_of(payload.get_address() + bytes - 1);
}

ByteMask Coalescer::bytes_in_unit(const Payload& payload) const {
  return ByteMask::range(static_cast<unsigned>(payload.get_address() % unit_bytes_),
                         payload.get_data_length());
}

// The oldest entry that answers soonest.
std::uint32_t Coalescer::joinable(const Payload& payload) const {
  const ByteMask bytes = bytes_in_unit(payload);
  std::uint32_t e = oldest_.find(unit_of(payload.get_address()));
  for (; e != kNone; e = entries_[e].next)
    if (entries_[e].request == nullptr || entries_[e].wanted.contains(bytes)) break;
  return e;
}

void Coalescer::join(std::uint32_t e, Payload& payload) {
  Entry& entry = entries_[e];
  ++(entry.request == nullptr ? stats_.joined_early : stats_.joined_late);
  ++stats_.merged;
  add_read(entry, payload);
  if (entry.reads != most_reads_) return;
  ++stats_.full_entries;
  close(e);
}

void Coalescer::open(Payload& payload, Cycle now) {
  const std::uint32_t e = free_entries_.back();
  free_entries_.pop_back();
  stats_.entries_peak = std::max<std::uint64_t>(stats_.entries_peak, used_entries());
  ++stats_.opened;
  Entry& entry = entries_[e];
  entry.used = true;
  entry.unit = unit_of(payload.get_address());
  add_read(entry, payload);
  outgoing_.push({nullptr, e, now + 1});
  if (most_reads_ == 1) return;
  entry.open = true;
  std::uint32_t older = oldest_.find(entry.unit);
  if (older == kNone) return oldest_.insert(entry.unit, e);
  while (entries_[older].next != kNone) older = entries_[older].next;
  entries_[older].next = e;
}

void Coalescer::add_read(Entry& entry, Payload& payload) {
  if (free_read_ == kNone) {
    free_read_ = static_cast<std::uint32_t>(reads_.size());
    reads_.emplace_back();
  }
  const std::uint32_t r = free_read_;
  free_read_ = reads_[r].next;
  reads_[r] = {&payload, kNone};
  (entry.reads == 0 ? entry.first : reads_[entry.last].next) = r;
  entry.last = r;
  ++entry.reads;
  ++stats_.reads;
  entry.wanted |= bytes_in_unit(payload);
  stats_.read_bytes += payload.get_data_length();
  stats_.merges_peak = std::max<std::uint64_t>(stats_.merges_peak, entry.reads);
}

void Coalescer::close(std::uint32_t e) {
  Entry& entry = entries_[e];
  assert(entry.open);
  entry.open = false;
  std::uint32_t other = oldest_.find(entry.unit);
  if (other == e) {
    oldest_.erase(entry.unit);
    if (entry.next != kNone) oldest_.insert(entry.unit, entry.next);
  } else {
    while (entries_[other].next != e) other = entries_[other].next;
    entries_[other].next = entry.next;
  }
  entry.next = kNone;
}

// Closes the open entries of what a write touches and returns how many. One without time may be
// longer than a line.
unsigned Coalescer::close_for(const Payload& write) {
  unsigned closed = 0;
  by_blocks(write.get_address(), write.get_data_length(), unit_bytes_, [&](Addr at, std::uint64_t) {
    const Addr unit = unit_of(at);
    for (std::uint32_t e = oldest_.find(unit); e != kNone; e = oldest_.find(unit)) {
      close(e);
      ++closed;
    }
    return true;
  });
  return closed;
}

// ---- reports -----------------------------------------------------------------------------------

bool Coalescer::idle() const {
  return in.idle() && mem.idle() && outgoing_.empty() && used_entries() == 0;
}

std::string Coalescer::describe() const {
  std::string text =
      fmt::format("{}: {}/{} entries in use, {}/{} requests for the slice", name(), used_entries(),
                  entries_.size(), outgoing_.size(), outgoing_.capacity());
  if (waits_for_ != Wait::nothing)
    text += fmt::format("\n    the oldest request waits for {} since cycle {}",
                        waits_for_ == Wait::entry ? "an entry" : "room towards the slice",
                        waits_since_);
  for (std::uint32_t e = 0; e < entries_.size(); ++e) {
    const Entry& entry = entries_[e];
    if (!entry.used) continue;
    const char* const state = e == draining_             ? "answered"
                              : entry.request != nullptr ? "sent"
                                                         : "not sent";
    text += fmt::format("\n    entry {}: 0x{:x}, {}/{} reads, {}, {}", e, entry.unit, entry.reads,
                        most_reads_, state, entry.open ? "open" : "closed");
  }
  return text + "\n    " + in.describe() + "\n    " + mem.describe();
}

void Coalescer::register_stats(StatRegistry& registry, unsigned index) {
  StatGroup& g = registry.group("l2", index);
  Stats& s = stats_;
  g.before_snapshot([this] { settle(domain().cycle_at(simulation_now())); });
  g.counter("coalescer.requests", s.requests, "requests", "requests taken from the crossbar");
  g.counter("coalescer.opened", s.opened, "requests", "reads that opened an entry");
  g.counter("coalescer.merged", s.merged, "requests",
            "reads that joined an entry: lookups that the slice was spared");
  g.counter("coalescer.joined_early", s.joined_early, "requests",
            "of these, reads that joined before the entry's request was sent");
  g.counter("coalescer.joined_late", s.joined_late, "requests",
            "of these, reads that joined while its answer was awaited");
  g.counter("coalescer.passed", s.passed, "requests",
            "writes, atomics and requests that the slice refuses");
  g.counter("coalescer.sent", s.sent, "requests", "requests sent to the slice");
  g.ratio("coalescer.reads_an_entry", s.reads, s.opened, "reads that an entry answered, mean");
  g.counter("coalescer.read_bytes", s.read_bytes, "bytes", "bytes that reads asked for");
  g.counter("coalescer.sent_bytes", s.sent_bytes, "bytes",
            "bytes that the entries asked for, from the first to the last of each");
  g.counter("coalescer.closed_by_writes", s.closed_by_writes, "entries",
            "entries that a write or atomic to their line closed");
  g.counter("coalescer.full_entries", s.full_entries, "entries",
            "entries with l2.coalescer.merges reads");
  g.counter("coalescer.entry_wait_cycles", s.entry_wait_cycles, "cycles",
            "cycles in which the oldest request waited for a free entry");
  g.counter("coalescer.send_wait_cycles", s.send_wait_cycles, "cycles",
            "cycles in which the oldest request waited for room towards the slice");
  g.peak("coalescer.entries_peak", s.entries_peak, "entries", "most entries in use at once");
  g.peak("coalescer.merges_peak", s.merges_peak, "requests", "most reads of one entry");

  g.law("coalescer: requests by outcome", [&s] {
    return expect_equal("opened + merged + passed", s.opened + s.merged + s.passed, "requests",
                        s.requests);
  });
  g.law("coalescer: merged reads by time", [&s] {
    return expect_equal("joined_early + joined_late", s.joined_early + s.joined_late, "merged",
                        s.merged);
  });
  g.law("coalescer: reads by outcome", [&s] {
    return expect_equal("opened + merged", s.opened + s.merged, "reads of entries", s.reads);
  });
  g.law("coalescer: requests to the slice",
        [&s] { return expect_equal("opened + passed", s.opened + s.passed, "sent", s.sent); });
  g.law("coalescer: answers of the slice",
        [&s] { return expect_equal("sent", s.sent, "answers", s.answers); });
  g.law("coalescer: requests in = responses out",
        [&s] { return expect_equal("requests", s.requests, "responses", s.responses); });
}

}  // namespace warpmem::l2
