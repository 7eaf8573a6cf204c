// SPDX-License-Identifier: Apache-2.0
// What a stride table remembers of a pattern: the stride, and how sure it is (KI 4.1.1, Fig 4.1).
//
//   state        stride repeated   another stride
//   INIT         STEADY            TRANSIENT, takes it
//   TRANSIENT    STEADY            NO_PREDICT, takes it
//   STEADY       STEADY            TRANSIENT, keeps the old one
//   NO_PREDICT   TRANSIENT         NO_PREDICT, takes it
//
// TRANSIENT and STEADY predict. A stride of 0 predicts nothing (KI Fig 4.3).
#pragma once

#include <cstdint>

namespace warpmem::l1d {

enum class StrideState : std::uint8_t { init, transient, steady, no_predict };

struct StridePattern {
  std::int64_t stride = 0;  ///< bytes
  StrideState state = StrideState::init;

  /// Takes note of the stride `now` of the present access.
  void observe(std::int64_t now) {
    const bool correct = now == stride;
    if (!correct && state != StrideState::steady) stride = now;
    switch (state) {
      case StrideState::init:
      case StrideState::steady:
        state = correct ? StrideState::steady : StrideState::transient;
        return;
      case StrideState::transient:
        state = correct ? StrideState::steady : StrideState::no_predict;
        return;
      case StrideState::no_predict:
        if (correct) state = StrideState::transient;
        return;
    }
  }
  /// Returns the stride to prefetch with, or 0.
  std::int64_t prediction() const {
    return state == StrideState::transient || state == StrideState::steady ? stride : 0;
  }
};

}  // namespace warpmem::l1d
