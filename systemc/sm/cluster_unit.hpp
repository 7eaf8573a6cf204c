// SPDX-License-Identifier: Apache-2.0
// What an SM sends to the other SMs of its GPC and gets from them, for the CTAs of clusters:
// accesses to each other's shared memory, operations on each other's mbarriers, blocks of bulk
// copies, and arrivals at the barrier of a cluster. Each is a packet of the GPC's network; every
// one is answered.
//
//   n: an instruction issues   n+1..: its packets, one a cycle: a segment of up to 128 B of one
//   CTA (st.async, red.async: and of one mbarrier, each word once), or a lane's mbarrier   m: a
//   packet is at the other SM   m..: it has the shared memory for a cycle   + sm.shared.latency:
//   its answer goes   last answer: the instruction is complete
//
// Packets leave in the order arrivals, then blocks and accesses in turn.
#pragma once

#include <string>

#include "base/numbered_pool.hpp"
#include "base/ring.hpp"
#include "base/stats.hpp"
#include "base/tlm_ports.hpp"
#include "base/transaction.hpp"
#include "program/async.hpp"
#include "program/tensor_map.hpp"
#include "sm/cluster_places.hpp"
#include "sm/coalescer.hpp"
#include "sm/lsu.hpp"
#include "sm/params.hpp"

namespace warpmem::sm {

class ClusterUnit {
 public:
  /// Bytes of addresses that belong to a port of the network.
  static constexpr unsigned kPortBits = 20;
  /// Up to so many bytes go in a packet.
  static constexpr unsigned kBlockBytes = kMaxLineBytes;

  /// The cluster of a CTA, and where the others are.
  struct Team {
    std::uint32_t cluster = 0;  ///< its number in the launch
    unsigned rank = 0;
    ClusterPlaces places;
  };
  /// Bytes of a bulk copy on their way to other CTAs.
  struct Block {
    std::uint32_t cluster = 0;
    std::uint16_t ranks = 0;
    std::uint64_t ports = 0;
    std::uint32_t pc = 0;
    std::uint32_t offset = 0;  ///< in their shared memory, before the swizzle
    program::Swizzle swizzle = program::Swizzle::none;
    std::uint8_t reduction = 0;  ///< code of what it does with the bytes there; 0: it writes them
    std::uint32_t mbarrier = 0;
    unsigned bytes = 0;
    std::array<std::uint8_t, kBlockBytes> data;
  };

  ClusterUnit(const SmParams& params, SmId sm, Clocked& owner, TransactionPool& pool);

  RequestPort out;  ///< to the network
  ServicePort in;   ///< from it

  /// Returns whether there is room for an instruction.
  bool can_accept() const { return !sending_.full() && !pending_.exhausted(); }
  /// Takes an executed instruction with at least one lane, all of Space::cluster.
  void accept(const program::Issue& issue, const Lsu::Origin& origin, const Team& team);
  unsigned blocks() const { return static_cast<unsigned>(blocks_.size()); }
  /// Returns a block to be filled in, which goes when its turn comes. Precondition: blocks() is at
  /// most sm.bulk.pending.
  Block& add_block() { return blocks_.push_slot(); }
  /// Returns the block that waits and was added last; nullptr: there is none.
  Block* last_block() { return blocks_.empty() ? nullptr : &blocks_.at(blocks_.size() - 1); }
  /// Tells the other CTAs of the team what the one in `cta_slot` has come to; it is done when the
  /// answer is there.
  void notify(PeerMessage::Kind what, const Team& team, unsigned cta_slot);

  /// Sends a packet if the network takes it. Returns whether more could happen in the next cycle.
  bool send();
  /// Takes the answers of a cycle; calls done(origin, inst) when one completes an instruction, and
  /// noted(cta_slot) when it is for notify().
  template <class Done, class Noted>
  void receive(Done&& done, Noted&& noted);
  /// Answers a packet that is due, and takes one: calls deliver(payload), unless it needs the
  /// shared memory and that is not `free`. Returns whether it took the shared memory for this
  /// cycle.
  template <class Deliver>
  bool serve(Cycle now, bool free, Deliver&& deliver);
  /// Returns the next cycle with work of its own, besides that of send().
  Cycle next(Cycle now) const;

  bool idle() const {
    return sending_.empty() && in_flight_ == 0 && blocks_.empty() && notices_.empty() &&
           answers_.empty() && out.idle() && in.idle();
  }
  /// Packets sent, by the SMs to which they went, and those taken of others.
  struct Traffic {
    std::uint64_t sent = 0, sent_bytes = 0;
    std::uint64_t taken = 0, taken_bytes = 0;
    std::uint64_t notices_sent = 0, notices_taken = 0;  // of sent and taken
  };
  const Traffic& traffic() const { return traffic_; }
  std::uint64_t responses() const { return responses_; }
  std::string describe() const;
  void register_stats(StatGroup& group);

 private:
  /// Tags of packets that no instruction awaits: a notice, and its CTA slot, or a block.
  static constexpr std::uint32_t kNotice = 1u << 31, kBlock = 1u << 30;

  struct Sending {
    const program::InstInfo* inst = nullptr;
    Lsu::Origin origin;
    Team team;
    unsigned pending = 0;
    unsigned next = 0, count = 0;
    RequestList requests;
    // Of a lane's operation on an mbarrier, or the address of the one that is told of its bytes.
    std::array<std::uint32_t, kWarpLanes> number;
    // What peer_write has of each lane.
    std::array<Addr, kWarpLanes> address;
    std::array<std::uint8_t, kWarpLanes * program::Issue::kLaneBytes> data;
  };
  struct Pending {
    const program::InstInfo* inst = nullptr;
    Lsu::Origin origin;
    unsigned outstanding = 0;
    Cycle issued = 0;
  };
  struct Notice {
    PeerMessage message;
    unsigned cta_slot = 0;
  };
  struct Answer {
    Payload* payload = nullptr;
    Cycle ready = 0;
  };

  Transaction& packet(tlm::tlm_command command, unsigned port, Addr offset, unsigned bytes,
                      std::uint32_t tag);
  void post(Transaction& t, unsigned copies);
  void send_notice();
  void send_block();
  void collect_writes(const program::Issue& issue, Sending& op);
  void send_access();
  static void fill_write(const Sending& op, const BlockRequest& request, Transaction& t);
  static bool needs_shared_memory(const Payload& payload);
  void finish(unsigned index);

  const SmParams& params_;
  SmId sm_;
  Clocked& owner_;
  TransactionPool& pool_;
  Coalescer coalescer_;
  Ring<Sending> sending_;
  NumberedPool<Pending> pending_;
  unsigned in_flight_ = 0;
  Ring<Block> blocks_;
  Ring<Notice> notices_;
  Ring<Answer> answers_;
  bool block_next_ = false;

  std::uint64_t loads_ = 0, stores_ = 0, atomics_ = 0, mbarrier_operations_ = 0;
  std::uint64_t async_writes_ = 0;
  std::uint64_t requests_ = 0, responses_ = 0, blocks_sent_ = 0, load_cycles_ = 0;
  Traffic traffic_;
};

template <class Done, class Noted>
void ClusterUnit::receive(Done&& done, Noted&& noted) {
  out.begin_cycle();
  while (out.response() != nullptr) {
    Payload* const payload = out.take_response();
    const std::uint32_t tag = access_of(*payload).tag;
    payload->release();
    ++responses_;
    if (tag & kNotice) {
      noted(tag & ~kNotice);
    } else if ((tag & kBlock) == 0) {
      Pending& p = pending_[tag];
      if (--p.outstanding != 0) continue;
      if (p.inst->mem == program::MemOp::load) load_cycles_ += owner_.domain().now() - p.issued;
      done(p.origin, *p.inst);
      finish(tag);
    }
  }
}

template <class Deliver>
bool ClusterUnit::serve(Cycle now, bool free, Deliver&& deliver) {
  in.begin_cycle();
  if (!answers_.empty() && answers_.front().ready <= now && in.can_respond()) {
    Payload* const payload = answers_.pop().payload;
    payload->set_response_status(tlm::TLM_OK_RESPONSE);
    in.respond(*payload);
  }
  Payload* const payload = in.request();
  if (payload == nullptr || answers_.full()) return false;
  const bool wants = needs_shared_memory(*payload);
  if (wants && !free) return false;
  in.take_request();
  ++traffic_.taken;
  traffic_.taken_bytes += payload->get_data_length();
  traffic_.notices_taken += !wants;
  deliver(*payload);
  answers_.push({payload, now + params_.shared_latency});
  return wants;
}

}  // namespace warpmem::sm
