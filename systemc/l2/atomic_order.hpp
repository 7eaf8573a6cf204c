// SPDX-License-Identifier: Apache-2.0
// The order of atomics at one word. A payload carries the bytes that the interpreter computed and
// the place of the atomic in the launch; requests of different SMs may arrive in another order, and
// an older result must not overwrite a newer one. Only atomics come here, and only when bytes are
// carried, so a hash table that grows with the words touched by atomics does no harm.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "base/payload_bytes.hpp"
#include "base/types.hpp"

namespace warpmem::l2 {

class AtomicOrder {
 public:
  static constexpr unsigned kWordBytes = 4;

  /// A launch begins: atomics are numbered from 1 again.
  void clear() { last_.clear(); }

  /// Writes the enabled bytes of the atomic `payload` to `to`, but leaves words that a later atomic
  /// has written. With `sequence` 0 (an initiator that does not count) it always writes.
  void apply(const tlm::tlm_generic_payload& payload, std::uint32_t sequence, std::uint8_t* to) {
    const unsigned n = payload.get_data_length();
    const Addr begin = payload.get_address();
    for (unsigned i = 0; i < n;) {
      const Addr word = (begin + i) / kWordBytes;
      const unsigned end = std::min<Addr>(n, (word + 1) * kWordBytes - begin);
      bool any = false;
      for (unsigned b = i; b < end; ++b) any = any || byte_enabled(payload, b);
      if (any && is_newest(word, sequence)) {
        for (unsigned b = i; b < end; ++b)
          if (byte_enabled(payload, b)) to[b] = payload.get_data_ptr()[b];
      }
      i = end;
    }
  }

 private:
  bool is_newest(Addr word, std::uint32_t sequence) {
    if (sequence == 0) return true;
    std::uint32_t& last = last_[word];
    if (sequence < last) return false;
    last = sequence;
    return true;
  }

  std::unordered_map<Addr, std::uint32_t> last_;
};

}  // namespace warpmem::l2
