// SPDX-License-Identifier: Apache-2.0
// The bulk copy engine of an SM (cp.async.bulk, cp.reduce.async.bulk): a queue of copies between
// global and shared memory, one a lane of an instruction. The oldest one makes its requests, in
// ascending order, of the blocks that the coalescer makes of accesses of 16 B; those of several
// copies may be under way. They go past L1D as volatile accesses do, and share the port of the LSU.
//
//   n: the instruction issues, and is done for its warp   n+1..: sm.bulk.rate requests a cycle, of
//   which sm.bulk.pending may be under way   last answer: the copy is complete
//
// The bytes of a load are in shared memory when their answer comes; those of a store leave it with
// their request. Who reads or overwrites them without waiting finds the wrong ones. A reduction is
// a store whose requests are atomics of L2, an operation for each word.
//
// A tile of a tensor is a copy in pieces: each piece makes requests of its own, and what is outside
// the tensor takes the place of requests, a block each, but makes none. The tensor map is there at
// once, as in a cache that always hits.
#pragma once

#include <array>
#include <string>

#include "base/data_check.hpp"
#include "base/numbered_pool.hpp"
#include "base/ring.hpp"
#include "base/stats.hpp"
#include "base/tlm_ports.hpp"
#include "base/transaction.hpp"
#include "program/tensor_map.hpp"
#include "sm/cluster_unit.hpp"
#include "sm/lsu.hpp"
#include "sm/params.hpp"

namespace warpmem::sm {

class BulkEngine {
 public:
  /// A peer copy goes from shared memory to that of another CTA of the cluster.
  enum class Kind : std::uint8_t { load, store, prefetch, peer, reduction, count };
  struct Copy {
    const program::InstInfo* inst = nullptr;  ///< nullptr: the place is free
    Lsu::Origin origin;                       ///< copy_group: a store's group (CopyGroups)
    Kind kind = Kind::load;
    std::uint8_t word = 0;  ///< of a reduction: bytes of an operation of L2
    unsigned lane = 0;
    std::uint8_t* shared = nullptr;  ///< shared memory; nullptr: the program carries no values
    std::uint32_t offset = 0;        ///< of its bytes there
    std::uint32_t mbarrier = 0;      ///< that is told of it, in the shared memory where it goes
    Addr peer = 0;                   ///< of a peer copy: address in the cluster
    program::TileCopy tile;          ///< the pieces in global memory of another copy
    unsigned piece = 0;              ///< with bytes to be asked for
    /// CTAs of the cluster to which it goes, a bit for each rank; 0: to or from its own.
    std::uint16_t ranks = 0;
    std::uint64_t ports = 0;  ///< of the network, where they are
    std::uint32_t cluster = 0;
    std::uint32_t bytes = 0;
    std::uint32_t sent = 0;    ///< bytes that were asked for, or sent, or are outside a tensor
    unsigned outstanding = 0;  ///< requests without an answer
    Cycle accepted = 0;
    Femtoseconds issued = 0;
  };

  /// `peers` takes what goes to other CTAs; nullptr: there are none.
  BulkEngine(const SmParams& params, SmId sm, Clocked& owner, TransactionPool& pool,
             DataCheck* check, ClusterUnit* peers = nullptr);

  /// Returns whether copies must wait. An instruction of several lanes enters as a whole.
  bool full() const { return queue_.size() >= params_.bulk_queue; }
  /// Takes the copies of an instruction with at least one lane. `shared` is the CTA's shared
  /// memory, or nullptr; `team` its cluster.
  void accept(const program::Issue& issue, const Lsu::Origin& origin, std::uint8_t* shared,
              const ClusterUnit::Team& team = {});

  /// Returns whether a request waits for nothing but the port.
  bool wants_port() const { return may_go_on() && !next_is_outside(copies_[queue_.front()]); }
  /// Hands over the next block of a peer copy, if one is next. Returns whether it did. Calls
  /// done(copy) when all of it has left shared memory.
  template <class Done>
  bool send_block(Cycle now, Done&& done) {
    if (queue_.empty() || under_way_ + peers_->blocks() >= params_.bulk_pending) return false;
    const unsigned index = queue_.front();
    Copy& copy = copies_[index];
    if (copy.kind != Kind::peer) return false;
    add_block(copy);
    if (copy.sent != copy.bytes) return true;
    queue_.drop();
    complete(copy, index, now, done);
    return true;
  }
  /// Sends the next requests if the port allows, or passes over what is outside a tensor. Returns
  /// whether it did. Calls read(copy) when the last bytes of a store have left shared memory, and
  /// done(copy) when a copy is complete without another answer.
  template <class Read, class Done>
  bool send(RequestPort& port, Cycle now, Read&& read, Done&& done) {
    bool sent = false;
    for (unsigned left = params_.bulk_rate; left != 0 && may_go_on(); --left) {
      const unsigned index = queue_.front();
      Copy& copy = copies_[index];
      if (next_is_outside(copy)) {
        pass_outside(copy);
      } else if (port.can_send()) {
        send_request(copy, index, port);
      } else {
        break;
      }
      sent = true;
      if (copy.sent != copy.bytes) continue;
      queue_.drop();
      if (writes_global(copy)) read(copy);
      if (copy.outstanding == 0) complete(copy, index, now, done);
    }
    return sent;
  }
  /// The instruction that the request of an answer belongs to.
  const program::InstInfo& instruction_of(const Payload& answer) const {
    return *copies_[index_of(answer)].inst;
  }
  /// Takes an answer. Calls done(copy) when it is the last one of a copy.
  template <class Done>
  void answer(Payload& payload, Cycle now, Done&& done) {
    const unsigned index = index_of(payload);
    Copy& copy = copies_[index];
    land(copy, payload);
    payload.release();
    ++responses_;
    --under_way_;
    if (--copy.outstanding != 0 || copy.sent != copy.bytes) return;
    complete(copy, index, now, done);
  }

  /// Returns whether the copy takes its bytes to global memory, as member of a group.
  static bool writes_global(const Copy& copy) {
    return copy.kind == Kind::store || copy.kind == Kind::reduction;
  }

  bool idle() const { return copies_held_ == 0; }
  std::uint64_t requests() const { return requests_; }
  std::uint64_t responses() const { return responses_; }
  /// Operations that its reductions asked of L2.
  std::uint64_t atomic_groups() const { return atomic_groups_; }
  std::string describe() const;
  void register_stats(StatGroup& group);

 private:
  /// The tag of a request has the piece above the copy's number.
  static constexpr unsigned kPieceShift = 16;
  static unsigned index_of(const Payload& answer) {
    return access_of(answer).tag & ((1u << kPieceShift) - 1);
  }
  static unsigned piece_of(const Payload& answer) {
    return (access_of(answer).tag & ~Lsu::kBulkTag) >> kPieceShift;
  }
  /// Returns whether the oldest copy is not one to a peer, and may have another request under way.
  bool may_go_on() const {
    return !queue_.empty() && copies_[queue_.front()].kind != Kind::peer &&
           under_way_ + (peers_ == nullptr ? 0 : peers_->blocks()) < params_.bulk_pending;
  }
  static bool next_is_outside(const Copy& copy) { return copy.tile.pieces[copy.piece].global == 0; }
  template <class Done>
  void complete(Copy& copy, unsigned index, Cycle now, Done&& done) {
    copy_cycles_ += now - copy.accepted;
    ++completed_;
    done(copy);
    copy.inst = nullptr;
    copies_.give_back(index);
    --copies_held_;
  }
  void add_block(Copy& copy);
  void place(const Copy& copy, std::uint32_t offset, unsigned bytes, const std::uint8_t* data);
  void forward(const Copy& copy, std::uint32_t offset, unsigned bytes, const std::uint8_t* data);
  void advance(Copy& copy, unsigned bytes);
  void pass_outside(Copy& copy);
  void send_request(Copy& copy, unsigned index, RequestPort& port);
  void take_bytes(const Copy& copy, Transaction& t, Addr begin, unsigned bytes);
  void ask_for_atomics(const Copy& copy, Access& access, Addr begin, Addr end);
  void land(const Copy& copy, const Payload& payload);

  const SmParams& params_;
  SmId sm_;
  Clocked& owner_;
  TransactionPool& pool_;
  DataCheck* check_;
  ClusterUnit* peers_;
  unsigned block_bytes_;
  NumberedPool<Copy> copies_;
  unsigned copies_held_ = 0;
  Ring<unsigned> queue_;    // copies with requests to be sent
  unsigned under_way_ = 0;  // requests

  using ByKind = std::array<std::uint64_t, static_cast<std::size_t>(Kind::count)>;
  ByKind copies_of_{}, bytes_of_{};
  std::uint64_t multicasts_ = 0, tiles_ = 0, completed_ = 0, asked_bytes_ = 0, outside_bytes_ = 0;
  std::uint64_t requests_ = 0, responses_ = 0, copy_cycles_ = 0;
  std::uint64_t atomic_groups_ = 0, peer_reductions_ = 0;
};

}  // namespace warpmem::sm
