// SPDX-License-Identifier: Apache-2.0
#include "sm/cluster_unit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/assert.hpp"

namespace warpmem::sm {

using program::AsyncCopy;
using program::Issue;
using program::MemOp;
using Kind = PeerMessage::Kind;

namespace {

constexpr unsigned kInstructions = 4;  // that make packets
constexpr unsigned kPending = 64;      // instructions with packets under way
constexpr unsigned kNoticesOfCta = 4;  // two arrivals and the end of a CTA may wait, and one more
constexpr unsigned kMessageBytes = 8;  // of a packet that carries no bytes of a program

}  // namespace

ClusterUnit::ClusterUnit(const SmParams& params, SmId sm, Clocked& owner, TransactionPool& pool)
    : out("gpc_out", owner, params.gpc_queue),
      in("gpc_in", owner, params.gpc_queue),
      params_(params),
      sm_(sm),
      owner_(owner),
      pool_(pool),
      coalescer_(Granularity::segment, kBlockBytes),
      sending_(kInstructions),
      pending_(kPending),
      blocks_(params.bulk_pending + 1),
      notices_(params.ctas * kNoticesOfCta),
      answers_(params.shared_latency + params.gpc_queue) {}

void ClusterUnit::accept(const Issue& issue, const Lsu::Origin& origin, const Team& team) {
  assert(can_accept() && issue.lanes != 0);
  Sending& op = sending_.push_slot();
  op.inst = issue.inst;
  op.origin = origin;
  op.team = team;
  op.next = op.count = 0;
  if (issue.inst->async == AsyncCopy::mbarrier) {
    ++mbarrier_operations_;
    for (LaneMask left = issue.lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(left));
      op.number[op.count] = issue.operand[lane];
      op.requests[op.count++] = {issue.address[lane], LaneMask(1) << lane, kMessageBytes, 1, 0};
    }
  } else if (issue.inst->async == AsyncCopy::peer_write) {
    ++async_writes_;
    collect_writes(issue, op);
  } else {
    op.count =
        coalescer_.coalesce(issue.address, issue.lanes, issue.inst->bytes, 0, op.requests, 0);
    ++(issue.inst->mem == MemOp::load    ? loads_
       : issue.inst->mem == MemOp::store ? stores_
                                         : atomics_);
  }
  op.pending = pending_.take();
  Pending& p = pending_[op.pending];
  p = {issue.inst, origin, op.count, owner_.domain().now()};
  ++in_flight_;
}

// Makes the packets of st.async or red.async: those of lanes that tell one mbarrier and do not meet
// on a word go together.
void ClusterUnit::collect_writes(const Issue& issue, Sending& op) {
  std::copy_n(issue.address, kWarpLanes, op.address.data());
  std::copy_n(issue.operand, kWarpLanes, op.number.data());
  if (issue.data != nullptr) {
    std::memcpy(op.data.data(), issue.data, op.data.size());
  } else {
    op.data.fill(0);  // a trace has no values
  }
  for (LaneMask left = issue.lanes; left != 0;) {
    const auto first = static_cast<unsigned>(__builtin_ctz(left));
    LaneMask together = 0;
    for (LaneMask rest = left; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
      bool fits = op.number[lane] == op.number[first];
      for (LaneMask l = together; fits && l != 0; l &= l - 1)
        fits = op.address[static_cast<unsigned>(__builtin_ctz(l))] != op.address[lane];
      if (fits) together |= LaneMask(1) << lane;
    }
    op.count =
        coalescer_.coalesce(issue.address, together, issue.inst->bytes, 0, op.requests, op.count);
    left &= ~together;
  }
}

// The lanes' values, where they are in the packet.
void ClusterUnit::fill_write(const Sending& op, const BlockRequest& request, Transaction& t) {
  t.set_byte_enable_ptr(t.byte_enable.data());
  t.set_byte_enable_length(t.get_data_length());
  std::memset(t.byte_enable.data(), 0, t.get_data_length());
  for (LaneMask left = request.lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(left));
    const auto offset = static_cast<unsigned>(op.address[lane] - request.address);
    std::memset(t.byte_enable.data() + offset, TLM_BYTE_ENABLED, op.inst->bytes);
    std::memcpy(t.data.data() + offset, op.data.data() + lane * Issue::kLaneBytes, op.inst->bytes);
  }
}

void ClusterUnit::notify(Kind what, const Team& team, unsigned cta_slot) {
  const unsigned others = ((1u << team.places.ctas) - 1) & ~(1u << team.rank);
  Notice notice;
  notice.cta_slot = cta_slot;
  notice.message.kind = what;
  notice.message.ranks = static_cast<std::uint16_t>(others);
  notice.message.cluster = team.cluster;
  notice.message.number = team.rank;
  notice.message.ports = team.places.ports_of(others);
  notices_.push(notice);
}

// ---- sending

bool ClusterUnit::send() {
  if (notices_.empty() && blocks_.empty() && sending_.empty()) return false;
  if (!out.can_send()) return false;
  if (!notices_.empty()) {
    send_notice();
  } else if (!blocks_.empty() && (block_next_ || sending_.empty())) {
    send_block();
    block_next_ = false;
  } else {
    send_access();
    block_next_ = true;
  }
  return true;
}

Transaction& ClusterUnit::packet(tlm::tlm_command command, unsigned port, Addr offset,
                                 unsigned bytes, std::uint32_t tag) {
  Transaction& t = pool_.get(command, (Addr(port) << kPortBits) + offset, bytes);
  t.access.sm = sm_.value;
  t.access.tag = tag;
  return t;
}

void ClusterUnit::post(Transaction& t, unsigned copies) {
  ++requests_;
  traffic_.sent += copies;
  traffic_.sent_bytes += std::uint64_t(copies) * t.get_data_length();
  out.send(t);
}

void ClusterUnit::send_notice() {
  const Notice notice = notices_.pop();
  Transaction& t = packet(tlm::TLM_WRITE_COMMAND, 0, 0, kMessageBytes, kNotice | notice.cta_slot);
  t.access.peer = notice.message;
  const auto copies = static_cast<unsigned>(__builtin_popcountll(notice.message.ports));
  traffic_.notices_sent += copies;
  post(t, copies);
}

void ClusterUnit::send_block() {
  const Block& block = blocks_.front();
  Transaction& t = packet(tlm::TLM_WRITE_COMMAND, 0, block.offset, block.bytes, kBlock);
  t.access.pc = block.pc;
  t.access.peer.kind = Kind::block;
  t.access.peer.operation = block.reduction;
  t.access.peer.ranks = block.ranks;
  t.access.peer.cluster = block.cluster;
  t.access.peer.mbarrier = block.mbarrier;
  t.access.peer.ports = block.ports;
  t.access.peer.number = static_cast<std::uint32_t>(block.swizzle);
  // Whether the data check is on or not: shared memory is the program's, and there is no other.
  std::memcpy(t.data.data(), block.data.data(), block.bytes);
  blocks_.drop();
  ++blocks_sent_;
  post(t, static_cast<unsigned>(__builtin_popcountll(t.access.peer.ports)));
}

void ClusterUnit::send_access() {
  Sending& op = sending_.front();
  const BlockRequest& request = op.requests[op.next];
  const unsigned rank = program::cluster_rank(request.address);
  const bool load = op.inst->mem == MemOp::load;
  Transaction& t =
      packet(load ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND, op.team.places.port[rank],
             program::cluster_offset(request.address), request.bytes, op.pending);
  t.access.pc = op.inst->pc;
  t.access.lanes = request.lanes;
  t.access.kind = load                           ? AccessKind::load
                  : op.inst->mem == MemOp::store ? AccessKind::store
                                                 : AccessKind::atomic;
  t.access.peer.kind = Kind::access;
  if (op.inst->async == AsyncCopy::mbarrier) {
    t.access.peer.kind = Kind::mbarrier;
    t.access.peer.operation = op.inst->async_groups;
    t.access.peer.number = op.number[op.next];
  } else if (op.inst->async == AsyncCopy::peer_write) {
    t.access.peer.kind = Kind::block;
    t.access.peer.operation = op.inst->async_groups;
    t.access.peer.mbarrier = op.number[static_cast<unsigned>(__builtin_ctz(request.lanes))];
    fill_write(op, request, t);
  }
  t.access.peer.ranks = static_cast<std::uint16_t>(1u << rank);
  t.access.peer.cluster = op.team.cluster;
  if (++op.next == op.count) sending_.drop();
  post(t, 1);
}

// ---- the rest

bool ClusterUnit::needs_shared_memory(const Payload& payload) {
  const Kind kind = access_of(payload).peer.kind;
  return kind != Kind::arrival && kind != Kind::gone;
}

void ClusterUnit::finish(unsigned index) {
  pending_[index].inst = nullptr;
  pending_.give_back(index);
  --in_flight_;
}

Cycle ClusterUnit::next(Cycle now) const {
  if (in.queued() != 0) return now + 1;
  return answers_.empty() ? kNever : std::max(now + 1, answers_.front().ready);
}

std::string ClusterUnit::describe() const {
  std::string text = fmt::format(
      "cluster unit: {} instructions in flight, {} blocks, {} arrivals and {} answers to go",
      in_flight_, blocks_.size(), notices_.size(), answers_.size());
  for (const Pending& p : pending_.ever_taken())
    if (p.inst != nullptr)
      text += fmt::format("\n    warp {} pc 0x{:x}: {} answers missing since cycle {}",
                          p.origin.slot, p.inst->pc, p.outstanding, p.issued);
  return text;
}

void ClusterUnit::register_stats(StatGroup& g) {
  g.counter("cluster.loads", loads_, "instructions",
            "loads of the shared memory of other CTAs of the cluster");
  g.counter("cluster.stores", stores_, "instructions", "stores into it");
  g.counter("cluster.atomics", atomics_, "instructions", "atomics and reductions there");
  g.counter("cluster.load_cycles", load_cycles_, "cycles",
            "cycles from the issue of a load to its last answer, over cluster.loads");
  g.counter("cluster.mbarrier_operations", mbarrier_operations_, "instructions",
            "operations on mbarriers of other CTAs of the cluster");
  g.counter("cluster.async_writes", async_writes_, "instructions",
            "asynchronous stores and reductions (st.async, red.async)");
  g.counter("cluster.blocks", blocks_sent_, "packets", "packets of bulk copies to other CTAs");
  g.counter("cluster.requests", requests_, "packets", "packets sent to SMs of the GPC");
  g.counter("cluster.responses", responses_, "packets", "answers to cluster.requests");
  g.counter("cluster.sent", traffic_.sent, "packets",
            "cluster.requests, each for every SM to which it goes");
  g.counter("cluster.sent_bytes", traffic_.sent_bytes, "bytes",
            "bytes written or asked for by cluster.sent");
  g.counter("cluster.taken", traffic_.taken, "packets", "packets taken from SMs of the GPC");
  g.counter("cluster.taken_bytes", traffic_.taken_bytes, "bytes", "bytes of cluster.taken");
  g.law("packets to other SMs in flight", [this] {
    return expect_equal("cluster.requests", requests_, "cluster.responses", responses_);
  });
}

}  // namespace warpmem::sm
