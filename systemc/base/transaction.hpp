// SPDX-License-Identifier: Apache-2.0
// The payload that travels through the hierarchy: a TLM generic payload with its data, byte
// enables and one ignorable extension in a single pooled object.
//
// The rules are those of the TLM-2.0 base protocol. Whoever gets a transaction from the pool owns
// one reference and releases it after the response; a target acquires at BEGIN_REQ and releases
// after END_RESP. Merging, filling and splitting create a new transaction; nobody edits another's
// address, pointer, length or command.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <tlm>
#include <typeinfo>
#include <vector>

#include "base/types.hpp"

namespace warpmem {

/// What a request wants from the hierarchy.
enum class AccessKind : std::uint8_t { load, store, atomic, writeback };

/// Places on the path, in its order, whose entry time is recorded for the latency breakdown.
enum class Stage : std::uint8_t {
  issue,         ///< the warp instruction issued
  tlb,           ///< request entered the input queue of the SM's TLB (unified memory only)
  walk,          ///< it missed there, and its translation is looked for
  fault,         ///< the page was found absent
  transfer,      ///< the host has handled the fault, and the page is to move
  translated,    ///< the translation is known
  l1d_queue,     ///< request entered the L1D input queue
  l1d_accept,    ///< L1D accepted it (tag lookup)
  noc_request,   ///< left L1D towards the crossbar
  l2_queue,      ///< entered the L2 input queue
  l2_accept,     ///< L2 accepted it
  dram_queue,    ///< entered the DRAM request queue
  dram_service,  ///< first command of its row cycle or burst
  dram_done,     ///< last data beat
  noc_response,  ///< left L2 towards the crossbar
  l1d_fill,      ///< response reached L1D
  writeback,     ///< data reached the registers
  count
};
inline constexpr std::size_t kStages = static_cast<std::size_t>(Stage::count);

/// What a packet between SMs that run CTAs of a cluster says besides its bytes.
struct PeerMessage {
  enum class Kind : std::uint8_t {
    none,      ///< it is no such packet
    access,    ///< a load, a store or an atomic of shared memory
    mbarrier,  ///< `operation` with `number` on the mbarrier at the address
    /// Bytes of a bulk copy, or those of lanes, which are enabled: in shared memory by the swizzle
    /// `number`, and `mbarrier` there is told of them.
    block,
    arrival,  ///< CTA `number` has arrived at the cluster's barrier
    gone      ///< and has ended
  };
  Kind kind = Kind::none;
  std::uint8_t operation = 0;  ///< program::MbarrierOp; of a block: Reduction::code(), or 0
  std::uint16_t ranks = 0;     ///< CTAs of the cluster for which it is, a bit for each rank
  std::uint32_t cluster = 0;   ///< number of the cluster in the launch
  std::uint32_t mbarrier = 0;
  std::uint32_t number = 0;
  /// Outputs of the network to which it goes, a bit each; 0: that of its address alone.
  std::uint64_t ports = 0;
};

/// Extension of the generic payload. A component that does not know it may ignore it; a component
/// that receives a payload without it assumes the defaults below.
struct Access : tlm::tlm_extension<Access> {
  AccessKind kind = AccessKind::load;
  std::uint16_t sm = 0;       ///< requesting SM
  std::uint16_t warp = 0;     ///< hardware warp slot in the SM
  std::uint32_t cta = 0;      ///< linear CTA index in the grid
  std::uint8_t cta_slot = 0;  ///< place of the CTA in the SM
  std::uint8_t warp_in_cta = 0;
  std::uint32_t epoch = 0;    ///< barriers that the CTA has passed
  std::uint32_t pc = 0;       ///< PC of the instruction, bytes
  LaneMask lanes = 0;         ///< lanes served by this request
  Addr lane_address = 0;      ///< address of the first of these lanes; the request's is its block's
  std::uint8_t sectors = 0;   ///< sectors that its lanes touch, a bit for each 32 B; 0: all
  std::uint32_t words = 0;    ///< words that they touch, a bit for each 4 B; 0: those of `sectors`
  std::uint8_t requests = 1;  ///< requests of the same warp instruction
  std::uint8_t degree = 1;    ///< un-coalescing degree (BU II): the lines that these are in
  std::uint8_t ordinal = 0;   ///< number of the request among those of the instruction
  bool bypass_l1d = false;    ///< goes straight to the interconnect, does not fill L1D
  bool prefetch = false;      ///< brings a line, returns nothing to registers
  bool local = false;         ///< local memory (write-back in L1D)
  bool reduction = false;     ///< an atomic that returns nothing
  /// Of an atomic: its operations, and the most of them on one word, which go one after the other.
  std::uint8_t atomic_groups = 1, atomic_chain = 1;
  /// Requests of the instruction in this one's 128 B, itself and those next to it, up to 4.
  std::uint8_t line_requests = 1;
  bool written_through = false;  ///< L2 has sent the bytes of this write to DRAM (l2.write_miss)
  std::uint32_t l1d_index = 0;   ///< MSHR index that travels along (docs/mechanisms.md 2.4)
  std::uint32_t l2_index = 0;    ///< the same for the MSHRs of L2
  std::uint32_t tag = 0;         ///< private to the module that created the transaction
  PeerMessage peer;
  std::uint32_t atomic_sequence = 0;  ///< issue order of an atomic request in the launch, from 1
  std::array<Femtoseconds, kStages> stamp{};  ///< time of entry into each stage, 0 = not visited

  void mark(Stage stage, Femtoseconds t) { stamp[static_cast<std::size_t>(stage)] = t; }
  Femtoseconds at(Stage stage) const { return stamp[static_cast<std::size_t>(stage)]; }

  // The extension lives inside a Transaction, so free() has nothing to delete. The clone in
  // somebody's deep copy deletes itself.
  tlm::tlm_extension_base* clone() const override;
  void copy_from(tlm::tlm_extension_base const& other) override {
    *this = static_cast<const Access&>(other);
  }
  void free() override {}
};

/// A pooled payload. `data` and `byte_enable` belong to it; the generic payload's pointers refer to
/// them.
class Transaction : public tlm::tlm_generic_payload {
 public:
  Access access;
  alignas(64) std::array<unsigned char, kMaxLineBytes> data;
  alignas(64) std::array<unsigned char, kMaxLineBytes> byte_enable;

 private:
  friend class TransactionPool;
  explicit Transaction(tlm::tlm_mm_interface* pool) : tlm_generic_payload(pool) {
    set_extension(&access);
  }
};

/// Recycles transactions. It grows in blocks, so that the steady state allocates nothing.
class TransactionPool : public tlm::tlm_mm_interface {
 public:
  TransactionPool() = default;
  ~TransactionPool() override;
  TransactionPool(const TransactionPool&) = delete;
  TransactionPool& operator=(const TransactionPool&) = delete;

  /// Returns a transaction with reference count 1 and every field rewritten: the given command,
  /// address and length (1..kMaxLineBytes), no byte enables, incomplete response, default Access.
  Transaction& get(tlm::tlm_command command, Addr address, unsigned bytes);
  /// Returns the same, but with the Access copied from `origin` (its stamps too).
  Transaction& get_for(const Access& origin, tlm::tlm_command command, Addr address,
                       unsigned bytes);

  void free(tlm::tlm_generic_payload* payload) override;
  /// Number of transactions handed out and not yet back. At the end of a launch it is 0, or
  /// something leaked.
  std::size_t outstanding() const { return handed_out_; }

 private:
  static constexpr std::size_t kBlock = 64;
  std::vector<std::unique_ptr<Transaction>> all_;
  std::vector<Transaction*> free_;
  std::size_t handed_out_ = 0;
};

/// Returns the extension of `payload`, or nullptr. A pooled transaction needs no look-up in the
/// kernel.
inline const Access* find_access(const tlm::tlm_generic_payload& payload) {
  return typeid(payload) == typeid(Transaction) ? &static_cast<const Transaction&>(payload).access
                                                : payload.get_extension<Access>();
}
inline Access* mutable_access(tlm::tlm_generic_payload& payload) {
  return const_cast<Access*>(find_access(payload));
}
/// Returns the defaults of a payload without the extension (one shared constant).
const Access& default_access();
/// Returns the extension of `payload`, or the defaults when it carries none.
inline const Access& access_of(const tlm::tlm_generic_payload& payload) {
  const Access* access = find_access(payload);
  return access != nullptr ? *access : default_access();
}
/// Returns the kind of a payload. One without the extension is a load or a store by its command.
inline AccessKind kind_of(const tlm::tlm_generic_payload& payload) {
  if (const Access* access = find_access(payload)) return access->kind;
  return payload.is_write() ? AccessKind::store : AccessKind::load;
}
/// Returns whether `payload` is an atomic whose old values go back to the warp.
inline bool returns_values(const tlm::tlm_generic_payload& payload) {
  const Access* const access = find_access(payload);
  return access != nullptr && access->kind == AccessKind::atomic && !access->reduction;
}
/// Records the entry into a stage on payloads that carry the extension.
inline void mark(tlm::tlm_generic_payload& payload, Stage stage, Femtoseconds t) {
  if (Access* access = mutable_access(payload)) access->mark(stage, t);
}
/// Gives `original` the times at which `carrier`, which went further on its behalf, passed the
/// stages from `first` to `last`.
inline void copy_stamps(tlm::tlm_generic_payload& original, const tlm::tlm_generic_payload& carrier,
                        Stage first, Stage last) {
  Access* const access = mutable_access(original);
  if (access == nullptr) return;
  const Access& from = access_of(carrier);
  for (std::size_t s = static_cast<std::size_t>(first); s <= static_cast<std::size_t>(last); ++s)
    access->stamp[s] = from.stamp[s];
}

}  // namespace warpmem
