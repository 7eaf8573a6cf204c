// SPDX-License-Identifier: Apache-2.0
// A DL-MSHR with the pipelined file (rtl/dl_mshr_pipe) beside it. The file goes behind the handler:
// it is shown a return in its cycle, what leaves and what asks one edge later, and its answer is
// compared another edge later. So a request and what left before it in the handler's cycle stand
// before the file in the order that they had.
//
//   edge                       t          t+1              t+2
//   shown of handler's cycle t return     request, leaves
//   compared                              what leaves      answer, free sets
#pragma once

#include <array>
#include <memory>

#include "cache/mha/checked_handler.hpp"

namespace warpmem::mha {

class CheckedPipe final : public CheckedHandler {
 public:
  /// As CheckedHandler, with a file of a pipelined kind.
  CheckedPipe(const MshrSize& size, const MhaParams& params, const TagArray& tags,
              std::unique_ptr<MissHandler> handler, std::unique_ptr<MshrFile> file,
              FileEdges* edges);

  void begin_cycle(Cycle now) override;
  void end_cycle() override;
  void pop_target() override;
  void note_sectors(const MissSectors& sectors) override;

 private:
  /// This is what the handler did in a cycle, and how it stood behind it.
  struct Moment {
    bool asked = false;
    std::uint64_t name = 0;
    bool secondary = false;
    MshrFail expected = MshrFail::none;
    Token token = 0;
    Placement given;
    MissSectors sectors;

    Payload* left = nullptr;  // the target that left
    Addr left_block = 0;
    bool last = false;

    unsigned free = 0;        // free sets
    Payload* next = nullptr;  // the target that leaves next
  };
  /// Edges after its own until everything of a cycle is compared.
  static constexpr unsigned kBehind = 2;

  MshrOut ask(MshrIn miss, bool secondary, MshrFail expected, Payload& request) override;
  /// Makes an edge, at which `moment` is the handler's cycle.
  void step(const Moment& moment, bool returns);
  void compare_answer_of(const Moment& moment, const MshrOut& out);
  void compare_departure(const Moment& moment, const MshrOut& out);
  void compare_state() const;

  Cycle now_ = 0;
  Moment moment_;                       // of this cycle
  std::array<Moment, kBehind> behind_;  // the cycle before, and the one before that
  unsigned open_ = 0;                   // edges until nothing is left to compare
};

}  // namespace warpmem::mha
