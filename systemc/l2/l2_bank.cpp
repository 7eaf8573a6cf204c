// SPDX-License-Identifier: Apache-2.0
#include "l2/l2_bank.hpp"

#include "cache/cache_impl.hpp"

namespace warpmem::l2 {

L2Bank::L2Bank(sc_core::sc_module_name name, ClockDomain& domain, const Params& params,
               const AddressMap& map, TransactionPool& pool, const mha::UnitFactories& units,
               const cache::FrontendFactories& frontend_units)
    : Cache(name, domain, params, pool, params.bypass_reads + params.host_requests, units,
            params.write_miss == WriteMiss::validate),
      map_(map),
      atomic_unit_(params.atomic),
      evicting_(params.evict_buffer),
      to_host_(std::max(1u, params.host_requests)) {
  if (!params.host.empty())
    host_ = std::make_unique<RequestPort>("host", *this, params.response_queue);
  frontend_ = cache::make_frontend(
      params.frontend, {in, params.line_bytes, Stage::l2_queue, &map, 0, 0}, frontend_units);
  in.on_debug([this](Payload& payload) { return debug(payload); });
  in.on_blocking([this](Payload& p, sc_core::sc_time& delay) { blocking(p, delay); });
}

L2Bank::~L2Bank() = default;

void L2Bank::access_bytes(Payload& payload, std::uint8_t* line) {
  std::uint8_t* const bytes = line + payload.get_address() % params_.line_bytes;
  if (payload.is_read()) {
    store_to_payload(payload, bytes);
  } else if (kind_of(payload) == AccessKind::atomic) {
    atomics_.apply(payload, access_of(payload).atomic_sequence, bytes);
  } else {
    load_from_payload(payload, bytes);
  }
}

// An atomic among the targets waits for the unit and then for its own operations.
bool L2Bank::target_done(const Payload& target, Cycle now) {
  if (!is_atomic(target)) return true;
  if (target_ != &target) {
    if (!atomic_unit_.free(now)) return false;
    target_ = &target;
    target_ready_ = now + atomic_unit_.perform(access_of(target), now) - 1;
  }
  if (now < target_ready_) return false;
  target_ = nullptr;
  return true;
}

bool L2Bank::send(Cycle now) {
  const bool host_moved = serve_host(now);
  return send_to_memory(now) || host_moved;
}

// Sends a request to memory of the host, and takes an answer.
bool L2Bank::serve_host(Cycle now) {
  if (host_ == nullptr) return false;
  bool moved = false;
  if (!to_host_.empty() && to_host_.front().ready <= now && host_->can_send()) {
    Transaction& t = *to_host_.pop().transaction;
    t.access.mark(kSendStage, time_);
    host_->send(t);
    moved = true;
  }
  if (host_->response() != nullptr) {
    passed(static_cast<Transaction&>(*host_->take_response()));
    moved = true;
  }
  return moved;
}

// Fetches go first, since warps wait for them, unless the evict buffer is full. A fetch never goes
// while its line is in the buffer, so the order does not matter to the bytes.
bool L2Bank::send_to_memory(Cycle now) {
  if (!mem.can_send()) return false;
  Transaction* const writeback = evicting_.unsent();
  if (writeback == nullptr || (request_ready(now) && !evicting_.full())) return send_request(now);
  evicting_.sent();
  mem.send(*writeback);
  return true;
}

void L2Bank::write_back(Transaction& t, LineId line, Cycle) {
  t.access.tag = cache::kWriteback | evicting_.push(t, tags_.block(line));
}

void L2Bank::written_back(Transaction& t) { evicting_.done(t.access.tag & ~cache::kPurpose); }

Stall L2Bank::try_accept(Payload& payload, Cycle now) {
  Stall stall;
  if (reject_malformed(payload, now, stall)) return stall;
  return is_host(payload) ? pass_to_host(payload, now) : lookup(payload, now);
}

Stall L2Bank::pass_to_host(Payload& payload, Cycle now) {
  if (host_used_ == params_.host_requests) return Stall::response_full;
  to_host_.push({&pass_on(payload, kind_of(payload), 0, payload.get_data_length()), now + 1});
  ++host_used_;
  ++stats_.host_requests;
  if (payload.is_write()) stats_.write_bytes += payload.get_data_length();
  tell(payload, cache::Outcome::bypass);
  return Stall::none;
}

// Nobody may touch the block of a read that went past the bank, since requests to one line never
// overtake each other, and nobody may fetch a line that is being written back.
bool L2Bank::holds_back(Addr block) const {
  return evicting_.find(block) != nullptr || passes_.holds(block);
}

// The write of a miss may need a place in the evict buffer beside the one of its victim.
mha::Room L2Bank::room() const {
  if (outgoing_.full()) return {Stall::miss_queue_full, Stall::miss_queue_full};
  const unsigned places = params_.write_miss == WriteMiss::through_fetch ? 2 : 1;
  const bool full = evicting_.lines() - evicting_.used() < places;
  return {Stall::none, full ? Stall::evict_full : Stall::none};
}

// When the bank has neither the line nor a miss to it, DRAM has its newest bytes, and a read may go
// there.
Stall L2Bank::refused_miss(Payload& payload, Addr block, Stall refusal, Cycle now) {
  if (!cache::goes_past(params_.bypass, refusal) || !payload.is_read() ||
      passes_.used() - host_used_ == params_.bypass_reads || outgoing_.full() ||
      (partial_lines() && tags_.find(block, key_of(block)) != cache::kNoLine))
    return refusal;
  pass(payload, AccessKind::load, 0, payload.get_data_length(), now);
  ++stats_.bypasses;
  tell(payload, cache::Outcome::bypass);
  return Stall::none;
}

// The first access to a line cannot hit, so counting at the misses finds every line.
void L2Bank::on_miss(const Payload&, Addr block, const mha::Allocation&, Cycle) {
  count_line(block);
}

void L2Bank::count_line(Addr block) {
  if (params_.footprint && footprint_.insert(block / params_.line_bytes)) ++stats_.footprint_lines;
}

void L2Bank::on_access(const Payload& payload, bool, Cycle) {
  if (payload.is_write()) stats_.write_bytes += payload.get_data_length();
  if (payload.is_read()) {
    ++stats_.reads;
  } else if (kind_of(payload) == AccessKind::atomic) {
    ++stats_.atomics;
    stats_.reductions += access_of(payload).reduction;
  } else {
    ++stats_.writes;
  }
}

}  // namespace warpmem::l2

template class warpmem::cache::Cache<warpmem::l2::L2Bank, warpmem::l2::L2Params,
                                     warpmem::l2::L2Stats>;
