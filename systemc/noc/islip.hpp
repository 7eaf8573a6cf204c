// SPDX-License-Identifier: Apache-2.0
// Which inputs of a switch send to which outputs when each input has a queue for every output:
// iSLIP (N. McKeown: The iSLIP Scheduling Algorithm for Input-Queued Switches. IEEE/ACM Trans.
// Networking 7(2), 1999). Up to `iterations` times in a cycle:
//
//   grant  : each output without a partner chooses, of the inputs without one that have a packet
//            for it, the first from its grant pointer on
//   accept : each input chooses, of the outputs that chose it, the first from its accept pointer on
//
// Inputs and outputs are on rings. A pair that finds itself in the first iteration moves the grant
// pointer to behind the input and the accept pointer to behind the output; no other does, so that
// whoever is first on a ring stays first until served, and nobody starves
// as long as packets have one flit.
#pragma once

#include <vector>

#include "base/assert.hpp"
#include "base/bit_set.hpp"

namespace warpmem::noc {

class Islip {
 public:
  /// `inputs` and `outputs` are 1..kMaxSlices, `iterations` is at least 1.
  Islip(unsigned inputs, unsigned outputs, unsigned iterations)
      : inputs_(inputs), outputs_(outputs), iterations_(iterations) {
    assert(inputs >= 1 && inputs <= kMaxSlices && outputs >= 1 && outputs <= kMaxSlices);
    assert(iterations >= 1);
  }

  /// Pairs inputs that are not in `busy` with outputs of `open`; requests(o) is the set of inputs
  /// that have a packet for output o. Calls pair(input, output) for each pair, at most `budget`
  /// times. When that is too few, the inputs take turns: next time those begin that got nothing.
  template <class Requests, class Pair>
  void match(PortSet open, PortSet busy, unsigned budget, Requests&& requests, Pair&& pair);

 private:
  struct Input {
    unsigned accept = 0;  // the accept pointer
    unsigned offer = 0;   // of the outputs that chose it, the first from there on
  };
  struct Output {
    unsigned grant = 0;  // the grant pointer
  };
  /// Steps on the ring of outputs from the accept pointer of `input` to `output`.
  unsigned steps(const Input& input, unsigned output) const {
    return output >= input.accept ? output - input.accept
                                  : output + static_cast<unsigned>(outputs_.size()) - input.accept;
  }
  template <class Requests>
  void grant(PortSet& open, const PortSet& busy, Requests&& requests);

  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  unsigned iterations_;
  PortSet offered_;     // inputs that an output chose in this iteration
  unsigned first_ = 0;  // input that accepts first
};

template <class Requests, class Pair>
void Islip::match(PortSet open, PortSet busy, unsigned budget, Requests&& requests, Pair&& pair) {
  for (unsigned iteration = 0; iteration < iterations_ && budget != 0; ++iteration) {
    grant(open, busy, requests);
    unsigned i = offered_.next(first_, {});
    if (i == PortSet::kNone) return;
    for (; i != PortSet::kNone && budget != 0; --budget) {
      const unsigned o = inputs_[i].offer;
      offered_.clear(i);
      busy.set(i);
      open.clear(o);
      if (iteration == 0) {
        inputs_[i].accept = (o + 1) % static_cast<unsigned>(outputs_.size());
        outputs_[o].grant = (i + 1) % static_cast<unsigned>(inputs_.size());
      }
      pair(i, o);
      i = offered_.next((i + 1) % kMaxSlices, {});
    }
    if (i != PortSet::kNone) first_ = i;
  }
}

template <class Requests>
void Islip::grant(PortSet& open, const PortSet& busy, Requests&& requests) {
  offered_ = {};
  open.for_each([&](unsigned o) {
    const unsigned i = requests(o).next(outputs_[o].grant, busy);
    if (i == PortSet::kNone) return open.clear(o);  // later iterations have fewer inputs
    Input& input = inputs_[i];
    if (!offered_.test(i) || steps(input, o) < steps(input, input.offer)) input.offer = o;
    offered_.set(i);
  });
}

}  // namespace warpmem::noc
