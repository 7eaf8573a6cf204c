// SPDX-License-Identifier: Apache-2.0
// The channel's bounded request queue. It keeps the order of arrival over all requests and within
// each bank, and the oldest row hit of each bank, so that a scheduler looks at banks instead of
// requests.
#pragma once

#include <cstdint>
#include <vector>

#include "base/tlm_ports.hpp"
#include "base/types.hpp"

namespace warpmem::dram {

/// A waiting request. Within one bank and row requests are served in order of arrival, so two
/// requests to one line never overtake each other.
struct Request {
  Payload* payload = nullptr;
  Cycle arrival = 0;
  std::uint64_t order = 0;  ///< number of the request in order of arrival
  std::uint32_t row = 0;
  std::uint16_t bank = 0;
  std::uint16_t beats = 0;    ///< data-bus cycles of a column command
  std::uint8_t commands = 1;  ///< column commands that it still needs
  std::uint8_t link = 0;      ///< slice that it came from, of the channel's
  bool write = false;
  bool precharged = false;  ///< a PRECHARGE was issued for it: a row conflict
  bool activated = false;   ///< an ACTIVATE was issued for it
  bool started = false;     ///< a column command was issued for it
};

class RequestQueue {
 public:
  static constexpr unsigned kNone = ~0u;

  /// `capacity` is at least 1 request; `banks` is 1..64.
  RequestQueue(unsigned capacity, unsigned banks);

  unsigned size() const { return size_; }
  bool empty() const { return size_ == 0; }
  bool full() const { return free_ == kNone; }

  /// A slot stays valid until its request is removed.
  Request& operator[](unsigned slot) { return slots_[slot].request; }
  const Request& operator[](unsigned slot) const { return slots_[slot].request; }

  /// The oldest request of all, the oldest of a bank, and the oldest of a bank that goes to its
  /// open row; kNone when there is none.
  unsigned oldest() const { return all_.head; }
  unsigned oldest_of(unsigned bank) const { return banks_[bank].list.head; }
  unsigned oldest_hit(unsigned bank) const { return banks_[bank].hit; }
  /// Whether that row hit is a write, and its order.
  bool oldest_hit_writes(unsigned bank) const { return banks_[bank].hit_writes; }
  std::uint64_t oldest_hit_order(unsigned bank) const { return banks_[bank].hit_order; }
  /// The next younger request, for listings.
  unsigned younger(unsigned slot) const { return slots_[slot].all.next; }
  /// Bit b: bank b has a request waiting.
  std::uint64_t waiting_banks() const { return waiting_banks_; }
  /// Bit b: a request waits for the open row of bank b.
  std::uint64_t hit_banks() const { return hit_banks_; }

  /// Adds the youngest request; its `order` is set here. Precondition: !full().
  unsigned push(Request request);
  Request remove(unsigned slot);

  /// These keep the row hits up to date.
  void row_opened(unsigned bank, std::uint32_t row);
  void row_closed(unsigned bank);

 private:
  struct Links {
    unsigned previous = kNone;
    unsigned next = kNone;
  };
  struct List {
    unsigned head = kNone;
    unsigned tail = kNone;
  };
  struct Slot {
    Request request;
    Links all;  // in order of arrival; `next` also chains the free slots
    Links in_bank;
  };
  struct Bank {
    List list;
    unsigned hit = kNone;
    std::uint32_t row = 0;
    bool open = false;
    // Of the hit, so that a look at all banks need not look at their requests.
    bool hit_writes = false;
    std::uint64_t hit_order = 0;
  };

  template <Links Slot::*links>
  void append(List& list, unsigned slot);
  template <Links Slot::*links>
  void unlink(List& list, unsigned slot);
  unsigned first_hit(const Bank& bank, unsigned from) const;
  void set_hit(unsigned bank, unsigned slot);

  std::vector<Slot> slots_;
  std::vector<Bank> banks_;
  List all_;
  unsigned free_ = 0;
  unsigned size_ = 0;
  std::uint64_t waiting_banks_ = 0;
  std::uint64_t hit_banks_ = 0;
  std::uint64_t next_order_ = 0;
};

}  // namespace warpmem::dram
