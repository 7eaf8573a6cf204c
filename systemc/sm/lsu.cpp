// SPDX-License-Identifier: Apache-2.0
#include "sm/lsu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/assert.hpp"
#include "sm/atomic_groups.hpp"

namespace warpmem::sm {

using program::Issue;
using program::MemOp;

Lsu::Lsu(const SmParams& params, SmId sm, Clocked& owner, TransactionPool& pool, DataCheck* check,
         const Watchers<SmWatch>& watchers)
    : port("l1d", owner, params.lsu_responses, params.l1d_banks),
      params_(params),
      sm_(sm),
      owner_(owner),
      pool_(pool),
      check_(check),
      watchers_(watchers),
      queues_(params.lsu_queues(), params.lsu_queue, params.lsu_pipeline,
              params.lsu_order == QueueOrder::oldest),
      pending_(params.lsu_pending),
      latency_(params.translated),
      coalescer_(params.granularity, params.line_bytes, params.l1d_lines),
      past_l1d_(params.granularity_past_l1d(), params.line_bytes) {
  if (check_ != nullptr) expected_.resize(params.lsu_pending);
}

void refuse_without_values(const program::InstInfo& inst) {
  throw UserError(fmt::format(
      "check_data: the program carries no values (instruction at pc 0x{:x} of line {}), as a "
      "trace does; set check_data to false",
      inst.pc, inst.line));
}

void Lsu::accept(const Issue& issue, const Origin& origin, unsigned scheduler) {
  assert(can_accept(scheduler) && issue.lanes != 0);
  const program::InstInfo& inst = *issue.inst;
  Sending& op = queues_.push_slot(queue_of(scheduler));
  op.inst = &inst;
  op.next = 0;
  op.count = 0;
  op.sequence = 0;
  op.origin = origin;
  op.local = issue.space == program::Space::local;
  op.issued = simulation_now();
  if (op.local) {
    local_addresses(issue.address, issue.lanes, origin.local_base, op.address.data());
  } else {
    std::copy_n(issue.address, kWarpLanes, op.address.data());
  }
  const unsigned words = op.local ? std::max(1u, inst.bytes / 4u) : 1;
  const unsigned bytes = op.local ? std::min<unsigned>(4, inst.bytes) : inst.bytes;
  const bool past_l1d =
      inst.volatile_access || inst.mem == MemOp::atomic || inst.mem == MemOp::reduction;
  Coalescer& coalescer = past_l1d ? past_l1d_ : coalescer_;
  op.count = coalescer.coalesce(op.address.data(), issue.lanes, bytes, 0, op.requests, op.count);
  for (unsigned w = 1; w < words; ++w) {
    std::array<Addr, kWarpLanes> shifted = op.address;
    for (Addr& a : shifted) a += w * kLocalWordStride;
    op.count = coalescer.coalesce(shifted.data(), issue.lanes, bytes, w, op.requests, op.count);
  }
  if (inst.mem == MemOp::load) {
    op.kind = AccessKind::load;
    ++loads_;
  } else if (inst.mem == MemOp::store) {
    op.kind = AccessKind::store;
    ++stores_;
  } else {
    op.kind = AccessKind::atomic;
    ++atomics_;
    reductions_ += inst.mem == MemOp::reduction;
    if (params_.atomics == AtomicConflicts::apart)
      op.count = split_by_word(op.address.data(), std::max<unsigned>(4, inst.bytes),
                               params_.atomic_lanes, op.requests, op.count);
    atomic_lanes_ += static_cast<unsigned>(__builtin_popcount(issue.lanes));
  }

  op.pending = pending_.take();
  Pending& p = pending_[op.pending];
  const unsigned degree = coalescer.lines(op.requests, op.count);
  p = {&inst, origin, op.count, op.count, degree, true, owner_.domain().now()};
  ++in_flight_;
  watchers_.tell(
      [&](SmWatch& watch) { watch.asked(inst, origin.actor.cta, issue.lanes, op.count); });

  if (check_ == nullptr) return;
  if (issue.data == nullptr) refuse_without_values(inst);
  std::memcpy(op.data.data(), issue.data, op.data.size());
  if (op.kind == AccessKind::load) {
    expected_[op.pending] = {origin.actor, op.address, op.data};
  } else {
    if (op.kind == AccessKind::atomic) op.sequence = check_->next_atomic_sequence();
    record_writes(op, issue.lanes);
  }
}

// Tells the data check what the instruction writes, a run of adjoining lanes at a time.
void Lsu::record_writes(const Sending& op, LaneMask lanes) {
  std::array<std::uint8_t, kWarpLanes * Issue::kLaneBytes> run;
  Addr begin = 0;
  unsigned length = 0;
  const unsigned word_bytes = bytes_of(op);
  for (unsigned w = 0; w * word_bytes < op.inst->bytes; ++w) {
    for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
      const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
      const Addr address = op.address[lane] + w * kLocalWordStride;
      if (length != 0 && address != begin + length) {
        check_->wrote(begin, length, run.data(), op.origin.actor, op.sequence, op.issued);
        length = 0;
      }
      if (length == 0) begin = address;
      std::memcpy(run.data() + length, op.data.data() + lane * Issue::kLaneBytes + w * word_bytes,
                  word_bytes);
      length += word_bytes;
    }
    check_->wrote(begin, length, run.data(), op.origin.actor, op.sequence, op.issued);
    length = 0;
  }
}

// Says how many operations the atomic asks of L2. Lanes of less than a word meet on their word.
void Lsu::count_groups(const Sending& op, const BlockRequest& request, Access& access) {
  const AtomicGroups found =
      sm::atomic_groups(op.address.data(), request.lanes, std::max<unsigned>(4, op.inst->bytes),
                        params_.atomic_lanes);
  access.atomic_groups = static_cast<std::uint8_t>(found.groups);
  access.atomic_chain = static_cast<std::uint8_t>(found.chain);
  access.reduction = op.inst->mem == MemOp::reduction;
  atomic_groups_ += found.groups;
}

void Lsu::fill_write(const Sending& op, const BlockRequest& request, Transaction& t) const {
  const unsigned bytes = bytes_of(op);
  t.set_byte_enable_ptr(t.byte_enable.data());
  t.set_byte_enable_length(t.get_data_length());
  std::memset(t.byte_enable.data(), 0, t.get_data_length());
  for (LaneMask rest = request.lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    const Addr offset = op.address[lane] + request.word * kLocalWordStride - request.address;
    std::memset(t.byte_enable.data() + offset, TLM_BYTE_ENABLED, bytes);
    if (check_ != nullptr) {
      std::memcpy(t.data.data() + offset,
                  op.data.data() + lane * Issue::kLaneBytes + request.word * bytes, bytes);
    }
  }
}

std::uint32_t Lsu::words_of(const Sending& op, const BlockRequest& request) {
  const unsigned bytes = bytes_of(op);
  const std::uint32_t of_lane = (1u << (bytes + 3) / 4) - 1;
  const Addr begin = request.address - request.word * kLocalWordStride;
  std::uint32_t words = 0;
  for (LaneMask rest = request.lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    words |= of_lane << (op.address[lane] - begin) / 4;
  }
  return words;
}

bool Lsu::send(Cycle now) {
  if (queues_.empty()) return false;
  if (!queues_.pipelined()) queues_.move(now);
  Sending* const op = queues_.front(now);
  const bool sends = op != nullptr && port.can_send();
  if (sends) {
    unsigned left = params_.l1d_banks;
    do {
      send_request(*op);
    } while (--left != 0 && op->next != op->count && port.can_send());
    if (op->next == op->count) queues_.drop();
  }
  // A stage that is left in this cycle takes its next instruction in the same one.
  const bool moved = queues_.pipelined() && queues_.move(now);
  return moved || (sends && !queues_.empty()) || (op == nullptr && queues_.moves());
}

void Lsu::send_request(Sending& op) {
  const BlockRequest& request = op.requests[op.next++];
  const bool write = op.kind != AccessKind::load;
  Transaction& t = pool_.get(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND,
                             request.address, request.bytes);
  t.access.kind = op.kind;
  t.access.sm = sm_.value;
  t.access.warp = static_cast<std::uint16_t>(op.origin.slot);
  t.access.cta = op.origin.actor.cta;
  t.access.cta_slot = op.origin.cta_slot;
  t.access.warp_in_cta = op.origin.warp_in_cta;
  t.access.epoch = op.origin.actor.epoch;
  t.access.pc = op.inst->pc;
  t.access.lanes = request.lanes;
  t.access.sectors = request.sectors;
  if (params_.l1d_words) t.access.words = words_of(op, request);
  t.access.lane_address = op.address[static_cast<unsigned>(__builtin_ctz(request.lanes))];
  t.access.requests = static_cast<std::uint8_t>(op.count);
  t.access.degree = static_cast<std::uint8_t>(pending_[op.pending].degree);
  t.access.ordinal = static_cast<std::uint8_t>(op.next - 1);
  if (op.count > 1)
    t.access.line_requests =
        static_cast<std::uint8_t>(Coalescer::requests_in_line(op.requests, op.count, op.next - 1));
  t.access.bypass_l1d = op.inst->volatile_access;
  t.access.local = op.local;
  t.access.tag = op.pending;
  t.access.atomic_sequence = op.sequence;
  t.access.mark(Stage::issue, op.issued);
  if (op.kind == AccessKind::atomic) count_groups(op, request, t.access);
  if (write) fill_write(op, request, t);
  ++requests_sent_;
  ++requests_of_[request.bytes >> 6];
  port.send(t);
}

Payload* Lsu::take_response() {
  Payload* payload = port.take_response();
  ++responses_;
  if (payload->get_response_status() != tlm::TLM_OK_RESPONSE) {
    throw SimulationError(fmt::format("sm[{}]: request to 0x{:x} failed: {}", sm_.value,
                                      payload->get_address(), payload->get_response_string()));
  }
  return payload;
}

void Lsu::check_load(const Payload& payload, const Pending& pending, const Expected& expected) {
  const unsigned length = payload.get_data_length();
  const bool local = access_of(payload).local;
  const unsigned bytes = local ? std::min<unsigned>(4, pending.inst->bytes) : pending.inst->bytes;
  for (LaneMask rest = access_of(payload).lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    for (unsigned w = 0; w * bytes < pending.inst->bytes; ++w) {
      const Addr offset = expected.address[lane] + w * kLocalWordStride - payload.get_address();
      if (offset >= length) continue;  // another request of the instruction brings that word
      const std::uint8_t* want = expected.data.data() + lane * Issue::kLaneBytes + w * bytes;
      const std::uint8_t* got = payload.get_data_ptr() + offset;
      if (std::memcmp(got, want, bytes) != 0)
        check_->loaded(payload.get_address() + offset, bytes, got, want, expected.actor);
    }
  }
}

void Lsu::finish(unsigned index) {
  pending_[index].inst = nullptr;
  pending_.give_back(index);
  --in_flight_;
}

std::string Lsu::describe() const {
  std::string text = fmt::format("lsu: {} of {} instructions waiting, {} in flight; {}",
                                 queues_.size(), queues_.capacity(), in_flight_, port.describe());
  for (const Pending& p : pending_.ever_taken()) {
    if (p.inst != nullptr) {
      text += fmt::format("\n    warp {} pc 0x{:x}: {} of {} responses missing since cycle {}",
                          p.origin.slot, p.inst->pc, p.outstanding, p.requests, p.issued);
    }
  }
  return text;
}

void Lsu::register_stats(StatGroup& group) {
  group.counter("loads", loads_, "instructions", "global and local load instructions");
  group.counter("stores", stores_, "instructions", "global and local store instructions");
  group.counter("atomics", atomics_, "instructions", "atomic and reduction instructions");
  group.counter("reductions", reductions_, "instructions",
                "atomics that return nothing, or whose result nothing reads");
  group.counter("atomic_lanes", atomic_lanes_, "lanes", "lanes that the atomics had");
  group.counter("atomic_groups", atomic_groups_, "operations",
                "operations that the atomics ask of L2: groups of at most l2.atomic.lanes lanes of "
                "an instruction on one word");
  group.counter("requests", requests_sent_, "requests", "requests sent to L1D");
  group.counter("requests.bytes_32", requests_of_[0], "requests", "requests of 32 B");
  group.counter("requests.bytes_64", requests_of_[1], "requests", "requests of 64 B");
  group.counter("requests.bytes_128", requests_of_[2], "requests", "requests of 128 B");
  group.counter("responses", responses_, "responses", "responses received from L1D");
  group.law("requests in flight",
            [this] { return expect_equal("requests", requests_sent_, "responses", responses_); });
  group.law("requests by size", [this] {
    return expect_equal("requests", requests_sent_, "requests of 32, 64 and 128 B",
                        requests_of_[0] + requests_of_[1] + requests_of_[2]);
  });
  latency_.register_stats(group);
  group.level(
      "lsu.in_flight", [this] { return std::uint64_t(in_flight_); }, "instructions",
      "memory instructions that have not been answered in full");
  group.amount(
      "bytes",
      [this] { return requests_of_[0] * 32 + requests_of_[1] * 64 + requests_of_[2] * 128; },
      "bytes", "bytes of the requests to L1D, without those of bulk copies");
}

}  // namespace warpmem::sm
