// SPDX-License-Identifier: Apache-2.0
#include "dram/channel.hpp"

#include <algorithm>

#include "base/transaction.hpp"
#include "dram/timing_checker.hpp"

namespace warpmem::dram {

namespace {

constexpr unsigned kInputSlots = 2;  // so that the link can deliver a request in every cycle

// Column commands are issued only when there is a place for their response. Data on the way needs
// as many places as trains of one atom fit into the longest latency; the response queue comes on
// top.
std::size_t response_places(const Channel::Params& p) {
  const std::size_t atom_cycles = (kAtomBytes + p.bus_bytes - 1) / p.bus_bytes;
  const std::size_t cycles = std::max(p.timing.t_cl, p.timing.t_wl) + p.min_latency +
                             kMaxLineBytes / kAtomBytes * atom_cycles;
  return cycles / atom_cycles + 1 + p.response_queue;
}

}  // namespace

Channel::Channel(sc_core::sc_module_name name, ClockDomain& domain, const Params& params,
                 const AddressMap& map, MemoryImage& image)
    : sc_module(name),
      Clocked(domain),
      in("in", *this, kInputSlots),
      params_(params),
      map_(map),
      image_(image),
      stats_(map.banks(), params.queue + (params.write_drain ? params.write_queue : 0)),
      device_(params.timing, map.banks(), params.bus_bytes),
      queue_(params.queue, map.banks()),
      writes_(params.write_queue, map.banks()),
      scheduler_(make_scheduler(params.policy, params.age_cap, params.added_policy)),
      done_(response_places(params)),
      written_(response_places(params)),
      bank_busy_(map.banks()) {
  if (params.check_timing) {
    checker_ = std::make_unique<TimingChecker>(params.timing, map.banks(), params.bus_bytes);
    observe(*checker_);
  }
  if (params.timing.t_refi != 0) refresh_due_ = params.timing.t_refi;
  in.on_debug([this](Payload& payload) { return debug(payload); });
  in.on_blocking([this](Payload& p, sc_core::sc_time& delay) { blocking(p, delay); });
}

Channel::~Channel() = default;

Cycle Channel::tick(Cycle now) {
  in.begin_cycle();
  respond(now);
  execute(now);
  accept(now);
  if (replan_) plan(now + 1);
  Cycle next = plan_.at;
  // A response that is ready but held back needs no tick, since END_RESP wakes the channel.
  for (const Ring<Done>* ring : {&done_, &written_})
    if (!ring->empty() && ring->front().ready > now) next = std::min(next, ring->front().ready);
  return next;
}

// ---- 1: responses ------------------------------------------------------------------------------

// Returns the ring with the response that has been ready longer; of equals a read's goes first.
Ring<Channel::Done>* Channel::ready_response(Cycle now) {
  Ring<Done>* oldest = nullptr;
  for (Ring<Done>* ring : {&done_, &written_}) {
    if (ring->empty() || ring->front().ready > now) continue;
    if (oldest == nullptr || ring->front().ready < oldest->front().ready) oldest = ring;
  }
  return oldest;
}

void Channel::respond(Cycle now) {
  Ring<Done>* const ring = ready_response(now);
  if (ring == nullptr || !in.can_respond()) return;
  if (!places_left()) replan_ = true;  // column commands may go again
  Payload& payload = *ring->pop().payload;
  mark(payload, Stage::dram_done, simulation_now());
  ++stats_.responses;
  in.respond(payload);
  if (ready_response(now) != nullptr) wake_at(now + 1);
}

// ---- 2: the command bus ------------------------------------------------------------------------

void Channel::execute(Cycle now) {
  if (plan_.at != now) return;
  const Decision d = plan_;
  replan_ = true;
  last_command_ = now + 1;
  if (d.command == Command::precharge_all || d.command == Command::refresh)
    return refresh_command(d.command, now);
  Request& request = (*planned_)[d.slot];
  const unsigned bank = request.bank;
  bank_busy(bank, now);
  if (!request.precharged && !request.activated)
    mark(*request.payload, Stage::dram_service, simulation_now());
  switch (d.command) {
    case Command::activate:
      device_.activate(bank, request.row, now);
      queue_.row_opened(bank, request.row);
      writes_.row_opened(bank, request.row);
      ++stats_.activates;
      ++stats_.banks[bank].activates;
      stats_.reactivations += request.activated;
      request.activated = true;
      announce({now, d.command, bank, request.row});
      break;
    case Command::precharge:
      device_.precharge(bank, now);
      row_closed(bank);
      ++stats_.precharges;
      stats_.surplus_precharges += request.precharged;
      request.precharged = true;
      announce({now, d.command, bank});
      break;
    default:
      column(d.slot, now);
      break;
  }
}

void Channel::column(unsigned slot, Cycle now) {
  note_queue_size(now);
  const Request request = planned_->remove(slot);
  const unsigned bank = request.bank;
  const Cycle end = device_.column(bank, request.write, request.beats, now);
  const bool closes = params_.page == Page::closed && !row_is_wanted(bank);
  announce({now, request.write ? Command::write : Command::read, bank, request.row, request.beats,
            request.payload->get_address(), request.arrival, closes});
  if (closes) {
    device_.auto_precharge(bank);
    row_closed(bank);
    ++stats_.auto_precharges;
  }
  if (draining_ && writes_.size() <= params_.write_low) draining_ = false;

  ++stats_.column_commands;
  ++stats_.banks[bank].accesses;
  ++(!request.activated   ? stats_.row_hits
     : request.precharged ? stats_.row_conflicts
                          : stats_.row_misses);
  stats_.surplus_precharges += request.precharged && !request.activated;
  stats_.data_cycles += request.beats;
  stats_.pending.close(end);
  stats_.any_bank.close(end);
  BankBusy& busy = bank_busy_[bank];
  busy.open = false;
  stats_.banks[bank].busy_cycles += end - busy.since;
  stats_.bank_cycles += end - busy.since;
  busy.until = end;
  if (!request.write) stats_.read_latency.add(end - request.arrival);

  if (params_.carry_data) move_bytes(*request.payload);
  request.payload->set_response_status(tlm::TLM_OK_RESPONSE);
  if (request.write) {
    written_.push({request.payload, end});
  } else {
    done_.push({request.payload, end + params_.min_latency});
  }
}

void Channel::row_closed(unsigned bank) {
  queue_.row_closed(bank);
  writes_.row_closed(bank);
}

void Channel::bank_busy(unsigned bank, Cycle now) {
  BankBusy& busy = bank_busy_[bank];
  if (busy.open) return;
  busy.open = true;
  busy.since = std::max(now, busy.until);
  stats_.any_bank.open(now);
}

void Channel::announce(const CommandRecord& record) {
  for (CommandObserver* observer : observers_) observer->on_command(record);
}

// ---- 3: acceptance -----------------------------------------------------------------------------

void Channel::accept(Cycle now) {
  Payload* payload = in.request();
  if (payload == nullptr) return;
  const tlm::tlm_response_status status = check(*payload);
  if (status != tlm::TLM_OK_RESPONSE) {
    if (done_.full()) return;  // a departing response wakes the channel
    in.take_request();
    payload->set_response_status(status);
    ++stats_.rejected;
    Cycle ready = now + 1;
    if (!done_.empty()) ready = std::max(ready, done_.at(done_.size() - 1).ready);
    done_.push({payload, ready});
    replan_ = true;  // its response may have taken the last place
    return;
  }
  RequestQueue& queue = params_.write_drain && payload->is_write() ? writes_ : queue_;
  if (queue.full() || waits_for_other_queue(*payload)) {
    if (refused_since_ == kNever) refused_since_ = now;
    return;  // a column command makes room
  }
  if (refused_since_ != kNever) {
    stats_.blocked_cycles += now - refused_since_;
    refused_since_ = kNever;
  }
  in.take_request();
  refresh_while_idle(now);
  const Addr address = payload->get_address();
  const DramCoordinates at = map_.dram(address);
  Request request;
  request.payload = payload;
  request.arrival = now;
  request.bank = at.bank.value;
  request.row = at.row;
  request.beats = static_cast<std::uint16_t>(
      device_.beats(static_cast<unsigned>(address % kAtomBytes), payload->get_data_length()));
  request.write = payload->is_write();
  note_queue_size(now);
  queue.push(request);
  if (params_.write_drain && writes_.size() >= params_.write_high && !draining_) {
    draining_ = true;
    ++stats_.write_drains;
  }
  ++(request.write ? stats_.writes : stats_.reads);
  stats_.pending.open(now);
  mark(*payload, Stage::dram_queue, simulation_now());
  replan_ = true;
}

tlm::tlm_response_status Channel::check(const Payload& payload) const {
  if (!payload.is_read() && !payload.is_write()) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  const unsigned bytes = payload.get_data_length();
  const Addr address = payload.get_address();
  if (bytes == 0 || address % kMaxLineBytes + bytes > kMaxLineBytes ||
      payload.get_streaming_width() < bytes)
    return tlm::TLM_BURST_ERROR_RESPONSE;
  if (payload.get_byte_enable_ptr() != nullptr && payload.get_byte_enable_length() == 0)
    return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

void Channel::note_queue_size(Cycle now) {
  if (waiting() != 0 && now != queue_since_)
    stats_.queue_occupancy.add(waiting(), now - queue_since_);
  queue_since_ = now;
}

// Returns whether a request to the same block waits in the other queue. Two requests to one block
// keep their order though they wait apart: the younger one stays outside until the older one has
// gone, and writes are drained for it.
bool Channel::waits_for_other_queue(const Payload& payload) {
  if (!params_.write_drain) return false;
  const RequestQueue& other = payload.is_write() ? queue_ : writes_;
  const Addr block = payload.get_address() / kMaxLineBytes;
  for (unsigned slot = other.oldest(); slot != RequestQueue::kNone; slot = other.younger(slot)) {
    if (other[slot].payload->get_address() / kMaxLineBytes != block) continue;
    if (!payload.is_write() && !draining_) draining_ = replan_ = true;
    return true;
  }
  return false;
}

// ---- 4: what next ------------------------------------------------------------------------------

void Channel::plan(Cycle from) {
  replan_ = false;
  if (waiting() == 0) {
    plan_ = {};
    return;
  }
  plan_ = params_.write_drain ? plan_with_drain(from)
                              : scheduler_->choose(queue_, device_, from, places_left());
  if (refresh_due_ != kNever && plan_.at >= refresh_due_)
    plan_ = refresh_step(std::max(from, refresh_due_));
}

// Plans a read, or a write while writes drain or no read waits. A write over the age cap starts a
// drain.
Decision Channel::plan_with_drain(Cycle from) {
  planned_ = draining_ || queue_.empty() ? &writes_ : &queue_;
  if (planned_->empty()) planned_ = &queue_;
  const Decision first = scheduler_->choose(*planned_, device_, from, places_left());
  if (planned_ == &writes_ || writes_.empty() || params_.age_cap == 0) return first;
  const Cycle too_old = writes_[writes_.oldest()].arrival + params_.age_cap + 1;
  if (too_old > first.at) return first;
  planned_ = &writes_;
  return scheduler_->choose(writes_, device_, std::max(from, too_old), places_left());
}

Decision Channel::refresh_step(Cycle from) const {
  if (device_.any_open())
    return {Command::precharge_all, RequestQueue::kNone,
            std::max(from, device_.precharge_all_at())};
  return {Command::refresh, RequestQueue::kNone, std::max(from, device_.refresh_at())};
}

void Channel::refresh_command(Command command, Cycle now) {
  if (command == Command::precharge_all) {
    device_.precharge_all(now);
    for (unsigned bank = 0; bank < device_.banks(); ++bank) row_closed(bank);
    ++stats_.precharge_alls;
  } else {
    device_.refresh(now);
    refresh_due_ += params_.timing.t_refi;
    ++stats_.refreshes;
  }
  announce({now, command});
}

// Issues the refreshes of an idle time. Without requests the channel sleeps, so when the first
// request arrives they are issued here, at the cycles at which they fell due.
void Channel::refresh_while_idle(Cycle now) {
  if (waiting() != 0) return;
  while (refresh_due_ <= now) {
    const Decision d = refresh_step(std::max(refresh_due_, last_command_));
    if (d.at > now) return;
    last_command_ = d.at + 1;
    refresh_command(d.command, d.at);
  }
}

// ---- bytes -------------------------------------------------------------------------------------

void Channel::move_bytes(Payload& payload) {
  const Addr address = payload.get_address();
  const unsigned bytes = payload.get_data_length();
  std::uint8_t* const data = payload.get_data_ptr();
  const std::uint8_t* const enable = payload.get_byte_enable_ptr();
  const unsigned enables = payload.get_byte_enable_length();
  if (enable == nullptr) {
    if (payload.is_write())
      image_.write(address, bytes, data);
    else
      image_.read(address, bytes, data);
    return;
  }
  // Byte enables repeat when they are fewer than the data bytes.
  std::array<std::uint8_t, kMaxLineBytes> enabled;
  for (unsigned i = 0; i < bytes; ++i) enabled[i] = enable[i % enables];
  if (payload.is_write()) {
    image_.write(address, bytes, data, enabled.data());
    return;
  }
  std::array<std::uint8_t, kMaxLineBytes> held;
  image_.read(address, bytes, held.data());
  for (unsigned i = 0; i < bytes; ++i)
    if (enabled[i] != 0) data[i] = held[i];
}

unsigned Channel::debug(Payload& payload) {
  const unsigned bytes = payload.get_data_length();
  if (payload.is_write())
    image_.write(payload.get_address(), bytes, payload.get_data_ptr());
  else if (payload.is_read())
    image_.read(payload.get_address(), bytes, payload.get_data_ptr());
  else
    return 0;
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  return bytes;
}

// Blocking transport takes no place in the queue: it has the latency of an idle, closed bank.
void Channel::blocking(Payload& payload, sc_core::sc_time& delay) {
  const tlm::tlm_response_status status = check(payload);
  payload.set_response_status(status);
  if (status != tlm::TLM_OK_RESPONSE) return;
  move_bytes(payload);
  const unsigned beats = device_.beats(static_cast<unsigned>(payload.get_address() % kAtomBytes),
                                       payload.get_data_length());
  const Timing& t = params_.timing;
  const Cycle cycles =
      t.t_rcd + beats + (payload.is_write() ? t.t_wl : t.t_cl + params_.min_latency);
  delay += sc_core::sc_time::from_value(domain().time_of(cycles));
}

// ---- reporting ---------------------------------------------------------------------------------

void Channel::register_stats(StatRegistry& registry, unsigned index) {
  stats_.register_in(registry.group("dram", index));
}

std::string Channel::describe(const Request& r) const {
  return "  " + std::string(r.write ? "write" : "read") + " address " +
         std::to_string(r.payload->get_address()) + " bank " + std::to_string(r.bank) + " row " +
         std::to_string(r.row) + " since cycle " + std::to_string(r.arrival) +
         (device_.is_open(r.bank) ? ", row " + std::to_string(device_.open_row(r.bank)) + " open\n"
                                  : ", bank closed\n");
}

std::string Channel::describe() const {
  std::string text =
      std::string(name()) + ": " + std::to_string(queue_.size()) + "/" +
      std::to_string(params_.queue) + " requests queued, " +
      (params_.write_drain ? std::to_string(writes_.size()) + "/" +
                                 std::to_string(params_.write_queue) + " writes apart, "
                           : "") +
      std::to_string(done_.size() + written_.size()) + "/" +
      std::to_string(done_.capacity() + written_.capacity()) +
      " responses on their way, next command " + name_of(plan_.command) +
      (plan_.at == kNever ? "" : " at cycle " + std::to_string(plan_.at)) + "\n  " + in.describe() +
      "\n";
  for (const RequestQueue* queue : {&queue_, &writes_})
    for (unsigned slot = queue->oldest(); slot != RequestQueue::kNone; slot = queue->younger(slot))
      text += describe((*queue)[slot]);
  return text;
}

}  // namespace warpmem::dram
