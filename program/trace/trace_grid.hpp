// SPDX-License-Identifier: Apache-2.0
// A recorded launch as a Grid: the SM cannot tell it from a program that computes.
#pragma once

#include <array>
#include <unordered_map>

#include "program/cluster.hpp"
#include "program/program.hpp"
#include "program/trace/trace.hpp"

namespace warpmem::program::trace {

class TraceGrid : public Grid {
 public:
  using ByClass = std::array<std::uint64_t, kOpClasses>;

  /// `kernel` must outlive this and be read by nobody else.
  explicit TraceGrid(KernelTrace& kernel) : kernel_(kernel), clusters_(kernel.traits()) {}
  ~TraceGrid() override;

  const KernelTraits& traits() const override { return kernel_.traits(); }
  /// CTAs may be asked for in any order, each once; those between the first and the last that was
  /// asked for are held.
  std::unique_ptr<Cta> start_cta(std::uint64_t index, const SmView& view) override;
  std::string mnemonic(const InstInfo& inst) const override;

  /// Checks after the launch that what the file holds has been executed, and nothing is left in it.
  /// Throws UserError (something follows the last CTA) or SimulationError (the counts differ).
  void check_complete();

  const ByClass& read() const { return read_; }          ///< warp instructions read
  const ByClass& executed() const { return executed_; }  ///< warp instructions executed
  std::size_t held() const { return waiting_.size(); }   ///< CTAs read but not started

 private:
  class Replayed;
  std::unique_ptr<CtaTrace> read_next();

  KernelTrace& kernel_;
  const Clusters clusters_;
  std::uint64_t next_ = 0;  // first CTA that has not been read
  std::unordered_map<std::uint64_t, std::unique_ptr<CtaTrace>> waiting_;
  /// The pool outlives this when a launch fails and CTAs are still on the SMs.
  std::shared_ptr<std::vector<std::unique_ptr<CtaTrace>>> pool_ =
      std::make_shared<std::vector<std::unique_ptr<CtaTrace>>>();
  ByClass read_{}, executed_{};
  mutable std::unordered_map<const InstInfo*, std::uint32_t> numbers_;  // of mnemonic()
};

}  // namespace warpmem::program::trace
