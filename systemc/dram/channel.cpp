// SPDX-License-Identifier: Apache-2.0
#include "dram/channel.hpp"

#include <algorithm>

#include "base/transaction.hpp"
#include "dram/timing_checker.hpp"

namespace warpmem::dram {

namespace {

constexpr unsigned kInputSlots = 2;  // so that the link can deliver a request in every cycle

// Column commands are issued only when there is a place for their response. Data on the way needs
// as many places as trains of one burst fit into the longest latency; the response queue comes on
// top.
std::size_t response_places(const Channel::Params& p) {
  const std::size_t burst = p.burst_cycles();
  const std::size_t cycles = std::max<std::size_t>(p.timing.t_cl, p.timing.t_wl) + p.min_latency +
                             kMaxLineBytes / p.burst_bytes * burst;
  return cycles / burst * p.pseudo_channels + 1 + p.response_queue;
}

Channel::Params in_cycles(Channel::Params params) {
  params.timing = params.timing.in_cycles(params.clock_hz);
  return params;
}

}  // namespace

Channel::Channel(sc_core::sc_module_name name, ClockDomain& domain, const Params& params,
                 const AddressMap& map, MemoryImage& image)
    : sc_module(name),
      Clocked(domain),
      params_(in_cycles(params)),
      map_(map),
      image_(image),
      stats_(map.banks(), params.queue + (params.write_drain ? params.write_queue : 0),
             params.pseudo_channels),
      device_(params_.timing, map.banks(), params_),
      queue_(params.queue, map.banks()),
      writes_(params.write_queue, map.banks()),
      scheduler_(make_scheduler(params.policy, params.age_cap, params.added_policy)),
      bank_busy_(map.banks()) {
  for (unsigned first = 0; first < params_.pseudo_channels; ++first)
    refresh_.emplace_back(params_, map.banks(), params_.timing.t_refi, first);
  for (unsigned s = 0; s < map.slices_each(); ++s)
    links_.push_back(std::make_unique<Link>(
        map.slices_each() == 1 ? "in" : "in" + std::to_string(s), *this, response_places(params_)));
  if (params.check_timing) {
    checker_ = std::make_unique<TimingChecker>(params_.timing, map.banks(), params_);
    observe(*checker_);
  }
}

Channel::Link::Link(const std::string& name, Channel& channel, std::size_t places)
    : port(name, channel, kInputSlots), done(places), written(places) {
  port.on_debug([&channel](Payload& payload) { return channel.debug(payload); });
  port.on_blocking([&channel](Payload& p, sc_core::sc_time& delay) { channel.blocking(p, delay); });
}

Channel::~Channel() = default;

Cycle Channel::tick(Cycle now) {
  for (const auto& link : links_) link->port.begin_cycle();
  for (const auto& link : links_) respond(*link, now);
  execute(now);
  accept(now);
  if (replan_) plan(now + 1);
  Cycle next = plan_.at;
  // A response that is ready but held back needs no tick, since END_RESP wakes the channel.
  for (const auto& link : links_)
    for (const Ring<Done>* ring : {&link->done, &link->written})
      if (!ring->empty() && ring->front().ready > now) next = std::min(next, ring->front().ready);
  return next;
}

// ---- 1: responses ------------------------------------------------------------------------------

// Returns the ring with the response that has been ready longer; of equals a read's goes first.
Ring<Channel::Done>* Channel::Link::ready_response(Cycle now) {
  Ring<Done>* oldest = nullptr;
  for (Ring<Done>* ring : {&done, &written}) {
    if (ring->empty() || ring->front().ready > now) continue;
    if (oldest == nullptr || ring->front().ready < oldest->front().ready) oldest = ring;
  }
  return oldest;
}

bool Channel::places_left() const {
  return std::none_of(links_.begin(), links_.end(),
                      [](const auto& link) { return link->done.full() || link->written.full(); });
}

void Channel::respond(Link& link, Cycle now) {
  Ring<Done>* const ring = link.ready_response(now);
  if (ring == nullptr || !link.port.can_respond()) return;
  if (!places_left()) replan_ = true;  // column commands may go again
  Payload& payload = *ring->pop().payload;
  mark(payload, Stage::dram_done, simulation_now());
  ++stats_.responses;
  link.port.respond(payload);
  if (link.ready_response(now) != nullptr) wake_at(now + 1);
}

// ---- 2: the command buses ----------------------------------------------------------------------

void Channel::execute(Cycle now) {
  if (plan_.at != now) return;
  const bool column = is_column(plan_.command);
  replan_ = true;
  last_command_ = now + 1;
  issue(plan_, now);
  if (params_.command_bus == CommandBus::one || waiting() == 0) return;
  const Decision other = decide(now, !column && places_left());
  if (other.at == now && is_column(other.command) != column) issue(other, now);
}

void Channel::issue(const Decision& d, Cycle now) {
  if (d.slot == RequestQueue::kNone) return refresh_command(*planned_refresh_, d.command, now);
  Request& request = (*planned_)[d.slot];
  const unsigned bank = request.bank;
  bank_busy(bank, now);
  if (!request.precharged && !request.activated && !request.started)
    mark(*request.payload, Stage::dram_service, simulation_now());
  switch (d.command) {
    case Command::activate:
      device_.activate(bank, request.row, now);
      queue_.row_opened(bank, request.row);
      writes_.row_opened(bank, request.row);
      ++stats_.activates;
      ++stats_.banks[bank].activates;
      stats_.reactivations += request.activated || request.started;
      request.activated = true;
      announce({now, d.command, bank, request.row});
      break;
    case Command::precharge:
      device_.precharge(bank, now);
      row_closed(bank);
      ++stats_.precharges;
      stats_.surplus_precharges += request.precharged || request.started;
      request.precharged = true;
      announce({now, d.command, bank});
      break;
    default:
      column(d.slot, now);
      break;
  }
}

void Channel::column(unsigned slot, Cycle now) {
  Request request = (*planned_)[slot];
  const bool last = request.commands == 1;
  if (last) {
    note_queue_size(now);
    planned_->remove(slot);
  } else {
    (*planned_)[slot].started = true;
    --(*planned_)[slot].commands;
  }
  const unsigned bank = request.bank;
  const Cycle end = device_.column(bank, request.write, request.beats, now);
  const bool closes = last && params_.page == Page::closed && !row_is_wanted(bank);
  announce({now, request.write ? Command::write : Command::read, bank, request.row, request.beats,
            request.payload->get_address(), request.arrival, closes});
  if (closes) {
    device_.auto_precharge(bank);
    row_closed(bank);
    ++stats_.auto_precharges;
  }
  if (!request.started) count_outcome(request);
  ++stats_.column_commands;
  ++stats_.banks[bank].accesses;
  stats_.data_cycles += request.beats;
  stats_.any_bank.close(end);
  BankBusy& busy = bank_busy_[bank];
  busy.open = false;
  stats_.banks[bank].busy_cycles += end - busy.since;
  stats_.bank_cycles += end - busy.since;
  busy.until = end;
  if (last) finish(request, end);
}

// Counts the row outcome of a request at its first column command.
void Channel::count_outcome(const Request& request) {
  ++stats_.served;
  ++(!request.activated   ? stats_.row_hits
     : request.precharged ? stats_.row_conflicts
                          : stats_.row_misses);
  stats_.surplus_precharges += request.precharged && !request.activated;
}

// The last column command of a request has been issued; its last beat passes before `end`.
void Channel::finish(const Request& request, Cycle end) {
  if (draining_ && writes_.size() <= params_.write_low) draining_ = false;
  stats_.pending.close(end);
  if (!request.write) stats_.read_latency.add(end - request.arrival);
  if (params_.carry_data) move_bytes(*request.payload);
  request.payload->set_response_status(tlm::TLM_OK_RESPONSE);
  // A short transfer of a pseudo channel may end before a longer one that began earlier.
  Link& link = *links_[request.link];
  Ring<Done>& ring = request.write ? link.written : link.done;
  ring.insert({request.payload, request.write ? end : end + params_.min_latency},
              [](const Done& a, const Done& b) { return a.ready > b.ready; });
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

// Takes one request, of the first link from next_link_ on whose head can go.
void Channel::accept(Cycle now) {
  const auto links = static_cast<unsigned>(links_.size());
  const unsigned first = next_link_;
  bool taken = false;
  for (unsigned i = 0; i < links; ++i) {
    const unsigned link = first + i < links ? first + i : first + i - links;
    if (links_[link]->port.request() == nullptr) continue;
    if (taken) {
      end_refusal(*links_[link], now);  // it waits for its turn now
      ++link_wait_cycles_;
      wake_at(now + 1);
    } else if (accept_from(link, now)) {
      taken = true;
      ++links_[link]->taken;
      next_link_ = link + 1 < links ? link + 1 : 0;
    }
  }
}

// A request that no device can serve is answered in its turn among the reads.
bool Channel::reject(Link& link, Payload& payload, tlm::tlm_response_status status, Cycle now) {
  if (link.done.full()) return false;  // a departing response wakes the channel
  link.port.take_request();
  payload.set_response_status(status);
  ++stats_.rejected;
  Cycle ready = now + 1;
  if (!link.done.empty()) ready = std::max(ready, link.done.at(link.done.size() - 1).ready);
  link.done.push({&payload, ready});
  replan_ = true;  // its response may have taken the last place
  return true;
}

// The cycles before `now` in which the request at the head of a link has been refused.
void Channel::count_refused(Link& link, Cycle now) {
  if (link.refused_since == kNever) return;
  stats_.blocked_cycles += now - link.refused_since;
  link.refused_since = now;
}

void Channel::end_refusal(Link& link, Cycle now) {
  count_refused(link, now);
  link.refused_since = kNever;
}

// Returns whether the request at the head of a link has been taken.
bool Channel::accept_from(unsigned number, Cycle now) {
  Link& link = *links_[number];
  Payload* const payload = link.port.request();
  const tlm::tlm_response_status status = check(*payload);
  if (status != tlm::TLM_OK_RESPONSE) return reject(link, *payload, status, now);
  RequestQueue& queue = params_.write_drain && payload->is_write() ? writes_ : queue_;
  if (queue.full() || waits_for_other_queue(*payload)) {
    if (link.refused_since == kNever) link.refused_since = now;
    return false;  // a column command makes room
  }
  end_refusal(link, now);
  link.port.take_request();
  refresh_while_idle(now);
  const Addr address = payload->get_address();
  const DramCoordinates at = map_.dram(address);
  Request request;
  request.payload = payload;
  request.arrival = now;
  request.bank = at.bank.value;
  request.row = at.row;
  const unsigned bursts =
      device_.bursts(static_cast<unsigned>(address % kMaxLineBytes), payload->get_data_length());
  const bool apart = params_.column_command == ColumnCommand::burst;
  request.commands = static_cast<std::uint8_t>(apart ? bursts : 1);
  request.beats = static_cast<std::uint16_t>((apart ? 1 : bursts) * params_.burst_cycles());
  request.write = payload->is_write();
  request.link = static_cast<std::uint8_t>(number);
  stats_.commands_due += request.commands;
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
  return true;
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
  plan_ = {};
  if (waiting() != 0) plan_ = decide(from, places_left());
}

// Returns the next command. A refresh that is due goes as soon as it may, and its banks take no
// other command; if two are, the one that was due first goes before the other, but does not hold it
// up.
Decision Channel::decide(Cycle from, bool columns) {
  std::uint64_t held = 0;
  Decision refresh;
  for (std::size_t looked_at = 0;; ++looked_at) {
    device_.hold(held);
    const Decision request = decide_for_requests(from, columns);
    const Decision& first = refresh.at <= request.at ? refresh : request;
    if (looked_at == refresh_.size()) return first;
    RefreshTimer& timer = refresh_due(looked_at != 0);
    if (timer.due == kNever || first.at < timer.due) return first;
    from = std::max(from, timer.due);
    held |= refresh_banks(timer);
    const Decision step = refresh_step(timer, from);
    if (step.at >= refresh.at) continue;
    refresh = step;
    planned_refresh_ = &timer;
  }
}

Decision Channel::decide_for_requests(Cycle from, bool columns) {
  return params_.write_drain ? decide_with_drain(from, columns)
                             : scheduler_->choose(queue_, device_, from, columns);
}

// Decides for a read, or for a write while writes drain or no read waits. The oldest request goes
// before the others once it is over the age cap, also where it is of the other kind.
Decision Channel::decide_with_drain(Cycle from, bool columns) {
  planned_ = draining_ || queue_.empty() ? &writes_ : &queue_;
  if (planned_->empty()) planned_ = &queue_;
  const Decision first = scheduler_->choose(*planned_, device_, from, columns);
  RequestQueue& others = planned_ == &writes_ ? queue_ : writes_;
  if (others.empty() || params_.age_cap == 0) return first;
  const Cycle arrival = others[others.oldest()].arrival;
  const Cycle too_old = arrival + params_.age_cap + 1;
  if (too_old > first.at || (*planned_)[planned_->oldest()].arrival < arrival) return first;
  planned_ = &others;
  return scheduler_->choose(others, device_, std::max(from, too_old), columns);
}

bool Channel::idle() const {
  return waiting() == 0 && std::all_of(links_.begin(), links_.end(), [](const auto& link) {
           return link->done.empty() && link->written.empty() && link->port.idle();
         });
}

}  // namespace warpmem::dram
