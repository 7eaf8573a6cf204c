// SPDX-License-Identifier: Apache-2.0
#include "sm/bulk_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "base/assert.hpp"
#include "base/segment.hpp"
#include "program/async.hpp"
#include "program/device_memory.hpp"
#include "program/reduction.hpp"

namespace warpmem::sm {

using program::AsyncCopy;
using program::BulkPiece;
using program::DeviceMemory;
using program::Issue;
using program::MemOp;

BulkEngine::BulkEngine(const SmParams& params, SmId sm, Clocked& owner, TransactionPool& pool,
                       DataCheck* check, ClusterUnit* peers)
    : params_(params),
      sm_(sm),
      owner_(owner),
      pool_(pool),
      check_(check),
      peers_(peers),
      block_bytes_(Coalescer(params.granularity, params.line_bytes).block_bytes(16)),
      // A copy that has sent its requests has one under way; an instruction enters as a whole.
      copies_(params.bulk_queue + kWarpLanes + params.bulk_pending),
      queue_(params.bulk_queue + kWarpLanes) {}

namespace {

/// What lies outside a tensor, and what a trace, which has no values, sends to other CTAs.
constexpr std::array<std::uint8_t, ClusterUnit::kBlockBytes> kZeros{};

// The atomic unit has an operation for a word of at least 4 B. A trace, which has no values, knows
// the elements of a tile by their size alone.
std::uint8_t word_of(const Issue& issue, unsigned lane) {
  const unsigned element = issue.tiles != nullptr
                               ? issue.tiles[lane].map.element_bytes
                               : program::Reduction::of(issue.inst->reduction()).bytes();
  return static_cast<std::uint8_t>(std::max(4u, element));
}

}  // namespace

void BulkEngine::accept(const Issue& issue, const Lsu::Origin& origin, std::uint8_t* shared,
                        const ClusterUnit::Team& team) {
  assert(!full() && issue.lanes != 0);
  const program::InstInfo& inst = *issue.inst;
  if (check_ != nullptr && issue.data == nullptr) refuse_without_values(inst);
  const Kind kind = inst.async == AsyncCopy::bulk_prefetch ? Kind::prefetch
                    : inst.async == AsyncCopy::bulk_peer   ? Kind::peer
                    : inst.mem == MemOp::store             ? Kind::store
                    : inst.mem == MemOp::reduction         ? Kind::reduction
                                                           : Kind::load;
  for (LaneMask left = issue.lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(left));
    const std::uint32_t* const operand = issue.operand + lane * program::kBulkOperands;
    const unsigned index = copies_.take();
    Copy& copy = copies_[index];
    std::vector<program::BulkPiece> pieces = std::move(copy.tile.pieces);  // with its memory
    copy = {};
    copy.inst = &inst;
    copy.origin = origin;
    copy.kind = kind;
    copy.lane = lane;
    copy.shared = shared;
    copy.offset = operand[0];
    copy.bytes = operand[1];
    copy.mbarrier = operand[2];
    copy.tile.reduction = inst.reduction();
    if (issue.tiles != nullptr) {
      const program::TileCopy& tile = issue.tiles[lane];
      pieces = tile.pieces;
      copy.tile.swizzle = tile.swizzle;
      copy.tile.reduction = tile.reduction;
      ++tiles_;
    } else if (kind == Kind::peer) {
      copy.peer = issue.address[lane];
    } else {
      pieces.assign(1, {issue.address[lane], 0, copy.bytes});
    }
    copy.tile.pieces = std::move(pieces);
    copy.accepted = owner_.domain().now();
    copy.issued = simulation_now();
    ++copies_held_;
    queue_.push(index);
    if (issue.ranks != nullptr && issue.ranks[lane] != 0) {
      copy.ranks = issue.ranks[lane];
      copy.ports = team.places.ports_of(copy.ranks);
      copy.cluster = team.cluster;
      multicasts_ += kind == Kind::load;
    }
    if (kind == Kind::reduction) copy.word = word_of(issue, lane);
    peer_reductions_ += kind == Kind::peer && inst.reduction() != 0;
    ++copies_of_[static_cast<unsigned>(kind)];
    bytes_of_[static_cast<unsigned>(kind)] += copy.bytes;
  }
}

// The next bytes have been asked for, or need not be.
void BulkEngine::advance(Copy& copy, unsigned bytes) {
  copy.sent += bytes;
  const BulkPiece& piece = copy.tile.pieces[copy.piece];
  if (copy.sent == piece.offset + piece.bytes) ++copy.piece;
}

// Up to a block of elements outside the tensor: a load reads zeros.
void BulkEngine::pass_outside(Copy& copy) {
  const BulkPiece& piece = copy.tile.pieces[copy.piece];
  const auto bytes = std::min<std::uint32_t>(piece.offset + piece.bytes - copy.sent, kZeros.size());
  if (copy.kind == Kind::load) place(copy, copy.sent, bytes, kZeros.data());
  outside_bytes_ += bytes;
  advance(copy, bytes);
}

void BulkEngine::send_request(Copy& copy, unsigned index, RequestPort& port) {
  const unsigned number = copy.piece;
  const BulkPiece& piece = copy.tile.pieces[number];
  const Addr begin = piece.global + (copy.sent - piece.offset);
  Addr block = begin & ~Addr(block_bytes_ - 1);
  const Addr end = std::min<Addr>(piece.global + piece.bytes, block + block_bytes_);
  const auto bytes = static_cast<unsigned>(end - begin);
  unsigned sectors = 0;
  for (Addr a = begin; a < end; a = (a / kSectorBytes + 1) * kSectorBytes)
    sectors |= 1u << (a - block) / kSectorBytes;
  unsigned length = block_bytes_;
  if (params_.granularity == Granularity::segment) {  // as the coalescer shrinks a segment
    const Segment part = least_segment(static_cast<std::uint8_t>(sectors), length);
    block += part.offset;
    length = part.bytes;
    sectors >>= part.offset / kSectorBytes;
  }
  const bool write = writes_global(copy);
  Transaction& t = pool_.get(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, block, length);
  t.access.kind = write ? AccessKind::store : AccessKind::load;
  t.access.sm = sm_.value;
  t.access.warp = static_cast<std::uint16_t>(copy.origin.slot);
  t.access.cta = copy.origin.actor.cta;
  t.access.cta_slot = copy.origin.cta_slot;
  t.access.warp_in_cta = copy.origin.warp_in_cta;
  t.access.epoch = copy.origin.actor.epoch;
  t.access.pc = copy.inst->pc;
  t.access.lanes = LaneMask(1) << copy.lane;
  t.access.sectors = static_cast<std::uint8_t>(sectors);
  t.access.lane_address = begin;
  t.access.bypass_l1d = true;
  t.access.tag = Lsu::kBulkTag | number << kPieceShift | index;
  t.access.mark(Stage::issue, copy.issued);
  if (copy.kind == Kind::reduction) ask_for_atomics(copy, t.access, begin, end);
  if (write) take_bytes(copy, t, begin, bytes);
  advance(copy, bytes);
  ++copy.outstanding;
  ++under_way_;
  ++requests_;
  asked_bytes_ += bytes;
  port.send(t);
}

// Each word is an operation of the atomic unit, and no two meet. Their order is that in which the
// bytes leave shared memory, since that is when the program's memory has them. The edge of a tensor
// may be within a word.
void BulkEngine::ask_for_atomics(const Copy& copy, Access& access, Addr begin, Addr end) {
  access.kind = AccessKind::atomic;
  access.reduction = true;
  access.atomic_groups = static_cast<std::uint8_t>((end - 1) / copy.word - begin / copy.word + 1);
  access.atomic_chain = 1;
  if (check_ != nullptr) access.atomic_sequence = check_->next_atomic_sequence();
  atomic_groups_ += access.atomic_groups;
}

// The bytes of a store leave shared memory.
void BulkEngine::take_bytes(const Copy& copy, Transaction& t, Addr begin, unsigned bytes) {
  const auto offset = static_cast<unsigned>(begin - t.get_address());
  t.set_byte_enable_ptr(t.byte_enable.data());
  t.set_byte_enable_length(t.get_data_length());
  std::memset(t.byte_enable.data(), 0, t.get_data_length());
  std::memset(t.byte_enable.data() + offset, TLM_BYTE_ENABLED, bytes);
  if (copy.shared == nullptr) return;
  program::for_swizzled(copy.offset + copy.sent, bytes, copy.tile.swizzle,
                        [&](std::uint32_t done, std::uint32_t from, std::uint32_t part) {
                          program::write_or_reduce(copy.tile.reduction,
                                                   DeviceMemory::host(begin + done),
                                                   copy.shared + from, part);
                        });
  if (check_ == nullptr) return;
  const std::uint8_t* const now_there = DeviceMemory::host(begin);
  std::memcpy(t.data.data() + offset, now_there, bytes);
  check_->wrote(begin, bytes, now_there, copy.origin.actor.engine(), t.access.atomic_sequence,
                simulation_now());
}

// The bytes of a load reach shared memory.
void BulkEngine::land(const Copy& copy, const Payload& payload) {
  if (payload.get_response_status() != tlm::TLM_OK_RESPONSE)
    throw SimulationError(fmt::format("sm[{}]: bulk request to 0x{:x} failed: {}", sm_.value,
                                      payload.get_address(), payload.get_response_string()));
  const bool forwarded = copy.kind == Kind::load && copy.ranks != 0;
  if (copy.kind == Kind::store || (copy.shared == nullptr && !forwarded)) return;
  const BulkPiece& piece = copy.tile.pieces[piece_of(payload)];
  const Addr begin = std::max<Addr>(piece.global, payload.get_address());
  const Addr end =
      std::min<Addr>(piece.global + piece.bytes, payload.get_address() + payload.get_data_length());
  const auto bytes = static_cast<unsigned>(end - begin);
  const std::uint8_t* const program =
      copy.shared == nullptr ? kZeros.data() : DeviceMemory::host(begin);
  if (check_ != nullptr) {
    // Barriers alone do not order what other accesses wrote before what the engine reads.
    Actor actor = copy.origin.actor;
    actor.epoch = 0;
    check_->loaded(begin, bytes, payload.get_data_ptr() + (begin - payload.get_address()), program,
                   actor);
  }
  if (copy.kind != Kind::load) return;
  place(copy, piece.offset + static_cast<std::uint32_t>(begin - piece.global), bytes, program);
}

// What is at `offset` of a load goes to its place in shared memory, or on to that of others.
void BulkEngine::place(const Copy& copy, std::uint32_t offset, unsigned bytes,
                       const std::uint8_t* data) {
  if (copy.ranks != 0) return forward(copy, copy.offset + offset, bytes, data);
  if (copy.shared == nullptr) return;
  program::for_swizzled(copy.offset + offset, bytes, copy.tile.swizzle,
                        [&](std::uint32_t done, std::uint32_t to, std::uint32_t part) {
                          std::memcpy(copy.shared + to, data + done, part);
                        });
}

namespace {

/// Adds a packet's block of a copy; `offset`: where it goes in the shared memory of each CTA. All
/// of the block is set: it is as its last user has left it.
void begin_block(ClusterUnit& peers, const BulkEngine::Copy& copy, std::uint32_t offset,
                 unsigned bytes, const std::uint8_t* data) {
  ClusterUnit::Block& block = peers.add_block();
  block.cluster = copy.cluster;
  block.ranks = copy.ranks;
  block.ports = copy.ports;
  block.pc = copy.inst->pc;
  block.offset = offset;
  block.swizzle = copy.tile.swizzle;
  block.reduction = copy.tile.reduction;
  block.mbarrier = copy.mbarrier;
  block.bytes = bytes;
  std::memcpy(block.data.data(), data, bytes);
}

}  // namespace

// What a load has brought goes on to the CTAs that it names, in one packet with what came before it
// where that still waits.
void BulkEngine::forward(const Copy& copy, std::uint32_t offset, unsigned bytes,
                         const std::uint8_t* data) {
  if (ClusterUnit::Block* const last = peers_->last_block();
      last != nullptr && last->cluster == copy.cluster && last->ranks == copy.ranks &&
      last->mbarrier == copy.mbarrier && last->swizzle == copy.tile.swizzle &&
      last->reduction == copy.tile.reduction && last->offset + last->bytes == offset &&
      last->bytes + bytes <= ClusterUnit::kBlockBytes) {
    std::memcpy(last->data.data() + last->bytes, data, bytes);
    last->bytes += bytes;
    return;
  }
  begin_block(*peers_, copy, offset, bytes, data);
}

void BulkEngine::add_block(Copy& copy) {
  const unsigned left_in_block =
      ClusterUnit::kBlockBytes -
      static_cast<unsigned>((copy.peer + copy.sent) % ClusterUnit::kBlockBytes);
  const unsigned bytes = std::min(left_in_block, copy.bytes - copy.sent);
  begin_block(*peers_, copy, program::cluster_offset(copy.peer) + copy.sent, bytes,
              copy.shared == nullptr ? kZeros.data() : copy.shared + copy.offset + copy.sent);
  copy.sent += bytes;
  asked_bytes_ += bytes;
}

std::string BulkEngine::describe() const {
  std::string text =
      fmt::format("bulk copies: {} waiting, {} requests under way", queue_.size(), under_way_);
  for (const Copy& copy : copies_.ever_taken())
    if (copy.inst != nullptr)
      text += fmt::format(
          "\n    warp {} pc 0x{:x}: {} of {} bytes asked for, {} answers missing "
          "since cycle {}",
          copy.origin.slot, copy.inst->pc, copy.sent, copy.bytes, copy.outstanding, copy.accepted);
  return text;
}

void BulkEngine::register_stats(StatGroup& g) {
  const auto copies = [this](Kind kind) -> const std::uint64_t& {
    return copies_of_[static_cast<unsigned>(kind)];
  };
  const auto bytes = [this](Kind kind) -> const std::uint64_t& {
    return bytes_of_[static_cast<unsigned>(kind)];
  };
  g.counter("bulk.loads", copies(Kind::load), "copies", "bulk copies from global to shared memory");
  g.counter("bulk.stores", copies(Kind::store), "copies",
            "bulk copies from shared to global memory");
  g.counter("bulk.reductions", copies(Kind::reduction), "copies",
            "bulk reductions of global memory by what is in shared memory");
  g.counter("bulk.prefetches", copies(Kind::prefetch), "copies", "bulk prefetches to L2");
  g.counter("bulk.completed", completed_, "copies", "bulk copies with their last answer");
  g.counter("bulk.load_bytes", bytes(Kind::load), "bytes", "bytes of bulk.loads");
  g.counter("bulk.store_bytes", bytes(Kind::store), "bytes", "bytes of bulk.stores");
  g.counter("bulk.reduction_bytes", bytes(Kind::reduction), "bytes", "bytes of bulk.reductions");
  g.counter("bulk.atomic_groups", atomic_groups_, "operations",
            "operations that bulk.reductions ask of L2, one for each word of at least 4 B");
  g.counter("bulk.prefetch_bytes", bytes(Kind::prefetch), "bytes", "bytes of bulk.prefetches");
  g.counter("bulk.tiles", tiles_, "copies",
            "bulk copies and prefetches, in any direction, of tiles of tensors");
  g.counter("bulk.outside_bytes", outside_bytes_, "bytes",
            "bytes of bulk.tiles that lie outside their tensor: read as zeros, or not written");
  g.counter("bulk.requests", requests_, "requests", "requests of bulk copies sent to L1D");
  g.counter("bulk.responses", responses_, "responses", "answers to bulk.requests");
  g.counter("bulk.copy_cycles", copy_cycles_, "cycles",
            "cycles from the issue of a bulk copy to its last answer, or until the last of it has "
            "left for another CTA of the cluster, over all copies");
  if (peers_ != nullptr) {
    g.counter("bulk.multicasts", multicasts_, "copies",
              "of bulk.loads, those that go to other CTAs of the cluster");
    g.counter("bulk.peer_copies", copies(Kind::peer), "copies",
              "bulk copies from shared memory to that of other CTAs of the cluster");
    g.counter("bulk.peer_bytes", bytes(Kind::peer), "bytes", "bytes of bulk.peer_copies");
    g.counter("bulk.peer_reductions", peer_reductions_, "copies",
              "of bulk.peer_copies, those that reduce what is there");
  }
  const auto sum = [](const ByKind& of) {
    return std::accumulate(of.begin(), of.end(), std::uint64_t(0));
  };
  g.law("bulk copies complete", [this, sum] {
    return expect_equal("copies of all kinds", sum(copies_of_), "completed", completed_);
  });
  g.law("bulk requests in flight",
        [this] { return expect_equal("bulk.requests", requests_, "bulk.responses", responses_); });
  g.law("bytes of bulk copies", [this, sum] {
    return expect_equal("bytes of the copies", sum(bytes_of_),
                        "bytes asked for + bulk.outside_bytes", asked_bytes_ + outside_bytes_);
  });
}

}  // namespace warpmem::sm
