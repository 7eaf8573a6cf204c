// SPDX-License-Identifier: Apache-2.0
// The vector of available entries, read from the RTL's pins or from the core.
#pragma once

#include <array>

#include "units/tsma_index_gen/tsma_index_gen_unit.hpp"

namespace warpmem::units {

template <unsigned kEntries>
class TsmaIndexGenStateReader {
 public:
  /// `bits.word(port, i)` gives 32 bits of a port.
  template <class Top, class Bits>
  TsmaIndexGenState of_pins(const Top& top, const Bits& bits) {
    for (unsigned w = 0; w < kWords; ++w) available_[w] = bits.word(top.available_o, w);
    return {available_.data()};
  }
  template <class Core>
  TsmaIndexGenState of_core(const Core& core) {
    for (unsigned w = 0; w < kWords; ++w) {
      std::uint32_t word = 0;
      for (unsigned i = 32 * w; i < 32 * w + 32 && i < kEntries; ++i)
        word |= std::uint32_t{core.available(i)} << i % 32;
      available_[w] = word;
    }
    return {available_.data()};
  }

 private:
  static constexpr unsigned kWords = (kEntries + 31) / 32;
  std::array<std::uint32_t, kWords> available_{};
};

}  // namespace warpmem::units
