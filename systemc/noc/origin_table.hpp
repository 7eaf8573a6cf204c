// SPDX-License-Identifier: Apache-2.0
// Remembers which input a payload came from, outside the payload (foreign initiators' payloads have
// no field for it). It is a hash table with open addressing and linear probing; its storage is
// fixed, and nothing is allocated.
#pragma once

#include <cstdint>

#include "base/assert.hpp"
#include "base/tlm_ports.hpp"
#include "base/zeroed_array.hpp"

namespace warpmem::noc {

class OriginTable {
 public:
  static constexpr unsigned kMost = 1u << 20;

  /// `capacity` is the largest number of payloads that the table holds, 1..kMost.
  explicit OriginTable(unsigned capacity) : capacity_(capacity) {
    std::size_t slots = 8;
    while (slots < 2 * std::size_t(capacity)) slots *= 2;
    slots_ = ZeroedArray<Slot>(slots);
    mask_ = slots - 1;
  }

  unsigned capacity() const { return capacity_; }
  unsigned size() const { return size_; }
  bool full() const { return size_ == capacity_; }

  /// Precondition: !full() and `payload` is not in the table.
  void insert(const Payload& payload, unsigned input) {
    assert(!full());
    std::size_t i = home(&payload);
    while (slots_[i].payload != nullptr) {
      assert(slots_[i].payload != &payload && "a payload is in flight once");
      i = (i + 1) & mask_;
    }
    slots_[i] = {&payload, input};
    ++size_;
  }

  /// Returns the input of `payload`, or ~0u when it is not in the table.
  unsigned find(const Payload& payload) const {
    for (std::size_t i = home(&payload); slots_[i].payload != nullptr; i = (i + 1) & mask_)
      if (slots_[i].payload == &payload) return slots_[i].input;
    return ~0u;
  }

  /// Removes `payload`, which must be in the table.
  void erase(const Payload& payload) {
    std::size_t hole = home(&payload);
    while (slots_[hole].payload != &payload) {
      assert(slots_[hole].payload != nullptr);
      hole = (hole + 1) & mask_;
    }
    // Moves later entries of the probe sequence back, so that no tombstone is needed.
    for (std::size_t i = (hole + 1) & mask_; slots_[i].payload != nullptr; i = (i + 1) & mask_) {
      const std::size_t from_home = (i - home(slots_[i].payload)) & mask_;
      if (from_home < ((i - hole) & mask_)) continue;
      slots_[hole] = slots_[i];
      hole = i;
    }
    slots_[hole] = {};
    --size_;
  }

 private:
  struct Slot {
    const Payload* payload;  // nullptr: the slot is free
    unsigned input;
  };
  std::size_t home(const Payload* payload) const {
    return (reinterpret_cast<std::uintptr_t>(payload) * 0x9E3779B97F4A7C15ULL >> 32) & mask_;
  }

  unsigned capacity_;
  unsigned size_ = 0;
  std::size_t mask_ = 0;
  ZeroedArray<Slot> slots_;
};

}  // namespace warpmem::noc
