// SPDX-License-Identifier: Apache-2.0
// Remembers which input a payload came from, outside the payload (foreign initiators' payloads have
// no field for it). It is a hash table with open addressing and linear probing, at most half full;
// its storage grows to what the most that were ever in flight need.
#pragma once

#include <cstdint>
#include <vector>

#include "base/assert.hpp"
#include "base/tlm_ports.hpp"

namespace warpmem::noc {

class OriginTable {
 public:
  static constexpr unsigned kMost = 1u << 20;

  /// `capacity` is the largest number of payloads that the table holds, 1..kMost.
  explicit OriginTable(unsigned capacity) : capacity_(capacity), slots_(8) {}

  unsigned capacity() const { return capacity_; }
  unsigned size() const { return size_; }
  bool full() const { return size_ == capacity_; }

  /// Precondition: !full() and `payload` is not in the table.
  void insert(const Payload& payload, unsigned input) {
    assert(!full());
    if (++size_ > slots_.size() / 2) grow();
    put({&payload, input});
  }

  /// Returns the input of `payload`, or ~0u when it is not in the table.
  unsigned find(const Payload& payload) const {
    for (std::size_t i = home(&payload); slots_[i].payload != nullptr; i = after(i))
      if (slots_[i].payload == &payload) return slots_[i].input;
    return ~0u;
  }

  /// Removes `payload`, which must be in the table.
  void erase(const Payload& payload) {
    std::size_t hole = home(&payload);
    while (slots_[hole].payload != &payload) {
      assert(slots_[hole].payload != nullptr);
      hole = after(hole);
    }
    // Moves later entries of the probe sequence back, so that no tombstone is needed.
    for (std::size_t i = after(hole); slots_[i].payload != nullptr; i = after(i)) {
      const std::size_t from_home = (i - home(slots_[i].payload)) & mask();
      if (from_home < ((i - hole) & mask())) continue;
      slots_[hole] = slots_[i];
      hole = i;
    }
    slots_[hole] = {};
    --size_;
  }

 private:
  struct Slot {
    const Payload* payload = nullptr;
    unsigned input = 0;
  };
  std::size_t home(const Payload* payload) const {
    return (reinterpret_cast<std::uintptr_t>(payload) * 0x9E3779B97F4A7C15ULL >> 32) & mask();
  }
  std::size_t after(std::size_t i) const { return (i + 1) & mask(); }
  std::size_t mask() const { return slots_.size() - 1; }
  void put(Slot slot) {
    std::size_t i = home(slot.payload);
    while (slots_[i].payload != nullptr) {
      assert(slots_[i].payload != slot.payload && "a payload is in flight once");
      i = after(i);
    }
    slots_[i] = slot;
  }
  [[gnu::noinline]] void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.payload != nullptr) put(slot);
  }

  unsigned capacity_;
  unsigned size_ = 0;
  std::vector<Slot> slots_;
};

}  // namespace warpmem::noc
