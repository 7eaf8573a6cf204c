// SPDX-License-Identifier: Apache-2.0
// The Boolean function of a gate, as liberty writes it: how probable a one is at its output, and
// how often the output changes when its inputs do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpmem::synth {

/// What is known of a net: the share of the time in which it is one, and transitions a cycle.
struct Signal {
  double one = 0.5;
  double transitions = 0;
};

class CellFunction {
 public:
  static constexpr std::size_t kMostInputs = 8;

  /// Parses liberty's operators: ! and ' for not, ^ for xor, & * and blank for and, | and + for or,
  /// in this order of precedence. Returns nothing for any other text, an unknown input, or more
  /// than kMostInputs.
  static std::optional<CellFunction> parse(const std::string& text,
                                           const std::vector<std::string>& inputs);

  /// Returns the output's signal, for inputs that are independent of each other and change one at a
  /// time. This is the transition density of Najm (IEEE TCAD 12(2), 1993), the sum of each input's
  /// transitions times how probable it is that the output depends on this input. Precondition:
  /// there are as many as `inputs`.
  Signal output(const std::vector<Signal>& inputs) const;

 private:
  std::size_t inputs_ = 0;
  std::vector<bool> table_;  ///< value for the inputs' bits, the first input the lowest
};

}  // namespace warpmem::synth
