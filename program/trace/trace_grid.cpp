// SPDX-License-Identifier: Apache-2.0
#include "program/trace/trace_grid.hpp"

#include <fmt/format.h>

#include "base/assert.hpp"
#include "base/errors.hpp"
#include "program/trace/replayed_mbarriers.hpp"

namespace warpmem::program::trace {

class TraceGrid::Replayed : public Cta {
 public:
  Replayed(TraceGrid& grid, std::unique_ptr<CtaTrace> trace)
      : grid_(grid),
        pool_(grid.pool_),
        trace_(std::move(trace)),
        at_(trace_->warps.size(), 0),
        mbarriers_(grid.traits().name, trace_->warps.size()) {}
  ~Replayed() override { pool_->push_back(std::move(trace_)); }

  const InstInfo* next(unsigned warp) const override {
    const WarpTrace& w = trace_->warps[warp];
    return at_[warp] < w.steps.size() ? &grid_.kernel_.inst(w.steps[at_[warp]].inst) : nullptr;
  }

  const Issue& execute(unsigned warp) override {
    const WarpTrace& w = trace_->warps[warp];
    const Step& step = w.steps[at_[warp]++];
    issue_.inst = &grid_.kernel_.inst(step.inst);
    issue_.lanes = step.lanes;
    issue_.space = step.space;
    issue_.exited = step.exited;
    issue_.barrier = step.barrier;
    issue_.barrier_waits = step.barrier_waits;
    issue_.barrier_warps = step.barrier_warps;
    issue_.address = nullptr;
    issue_.operand = nullptr;
    issue_.ranks = nullptr;
    issue_.tiles = nullptr;
    issue_.phases_ended = 0;
    issue_.wait_failed = issue_.suspended = false;
    if (issue_.inst->mem != MemOp::none && has_addresses(step.space)) {
      const Addr* from = w.addresses.data() + step.first_address;
      for (LaneMask left = step.lanes; left != 0; left &= left - 1)
        address_[static_cast<unsigned>(__builtin_ctz(left))] = *from++;
      issue_.address = address_.data();
      if (is_bulk_copy(issue_.inst->async)) take_copies(from, step.lanes, issue_.inst->tile);
      if (step.space == Space::cluster) {
        if (operands_a_lane(*issue_.inst, true) == 1) take_numbers(from, step.lanes);
      } else if (issue_.inst->async == AsyncCopy::mbarrier && step.lanes != 0 &&
                 !mbarriers_.execute(warp, from, issue_)) {  // the warp waits
        --at_[warp];
        return issue_;
      }
    }
    ++grid_.executed_[static_cast<std::size_t>(issue_.inst->op_class)];
    return issue_;
  }

  unsigned copies_arrived(unsigned warp) override { return mbarriers_.copies_arrived(warp); }
  unsigned bulk_arrived(unsigned, const InstInfo&, unsigned, std::uint32_t mbarrier,
                        std::uint32_t bytes) override {
    return mbarriers_.bulk_arrived(mbarrier, bytes);
  }
  unsigned peer_mbarrier(std::uint32_t, std::uint32_t mbarrier, MbarrierOp op,
                         std::uint32_t number) override {
    return mbarriers_.peer(mbarrier, op, number);
  }
  std::string waits_for(unsigned warp) const override { return mbarriers_.waits_for(warp); }

 private:
  void take_numbers(const Addr* from, LaneMask lanes) {
    for (LaneMask left = lanes; left != 0; left &= left - 1)
      operand_[static_cast<unsigned>(__builtin_ctz(left))] = static_cast<std::uint32_t>(*from++);
    issue_.operand = operand_.data();
  }

  void take_copies(const Addr* from, LaneMask lanes, bool tiles) {
    const bool clustered = grid_.traits().clustered();
    if (tiles && tiles_.empty()) tiles_.resize(kWarpLanes);
    for (LaneMask left = lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(left));
      for (unsigned k = 0; k < kBulkOperands; ++k)
        operand_[lane * kBulkOperands + k] = static_cast<std::uint32_t>(*from++);
      if (clustered) ranks_[lane] = static_cast<std::uint16_t>(*from++);
      if (!tiles) continue;
      const TensorMap& map = grid_.kernel_.tensor_maps()[*from++];
      TensorMap::Coordinates at;
      for (std::int32_t& coordinate : at)
        coordinate = static_cast<std::int32_t>(static_cast<std::uint32_t>(*from++));
      tiles_[lane].cut(map, at);
    }
    issue_.operand = operand_.data();
    if (clustered) issue_.ranks = ranks_.data();
    if (tiles) issue_.tiles = tiles_.data();
  }

  TraceGrid& grid_;
  std::shared_ptr<std::vector<std::unique_ptr<CtaTrace>>> pool_;
  std::unique_ptr<CtaTrace> trace_;
  std::vector<std::size_t> at_;  // place of each warp
  std::array<Addr, kWarpLanes> address_{};
  std::array<std::uint32_t, kWarpLanes * kBulkOperands> operand_{};
  std::array<std::uint16_t, kWarpLanes> ranks_{};
  std::vector<TileCopy> tiles_;  // of each lane, once there was one
  Issue issue_;
  ReplayedMbarriers mbarriers_;
};

TraceGrid::~TraceGrid() = default;

std::unique_ptr<CtaTrace> TraceGrid::read_next() {
  std::unique_ptr<CtaTrace> cta;
  if (pool_->empty()) {
    cta = std::make_unique<CtaTrace>();
  } else {
    cta = std::move(pool_->back());
    pool_->pop_back();
  }
  if (!kernel_.next_cta(*cta))
    throw SimulationError(
        fmt::format("kernel {}: the trace has only {} of {} CTAs", traits().name, next_, ctas()));
  ++next_;
  for (const WarpTrace& warp : cta->warps)
    for (const Step& step : warp.steps)
      ++read_[static_cast<std::size_t>(kernel_.inst(step.inst).op_class)];
  return cta;
}

std::unique_ptr<Cta> TraceGrid::start_cta(std::uint64_t index, const SmView&) {
  const std::uint64_t number =
      clusters_.cluster_of(index) * clusters_.ctas_each() + clusters_.rank_of(index);
  while (next_ <= number) {
    const std::uint64_t read = next_;
    waiting_.emplace(read, read_next());
  }
  const auto found = waiting_.find(number);
  assert(found != waiting_.end() && "each CTA starts once");
  auto trace = std::move(found->second);
  waiting_.erase(found);
  return std::make_unique<Replayed>(*this, std::move(trace));
}

// Instructions become known with the CTAs that use them first.
std::string TraceGrid::mnemonic(const InstInfo& inst) const {
  for (auto known = static_cast<std::uint32_t>(numbers_.size()); known < kernel_.inst_count();
       ++known)
    numbers_.emplace(&kernel_.inst(known), known);
  const auto found = numbers_.find(&inst);
  return found == numbers_.end() ? std::string() : kernel_.mnemonic(found->second);
}

void TraceGrid::check_complete() {
  for (std::size_t c = 0; c < kOpClasses; ++c)
    if (read_[c] != executed_[c])
      throw SimulationError(
          fmt::format("kernel {}: {} warp instructions of class {} in the trace, {} executed",
                      traits().name, read_[c], c, executed_[c]));
  CtaTrace rest;
  if (next_ != ctas() || kernel_.next_cta(rest))
    throw SimulationError(
        fmt::format("kernel {}: {} of {} CTAs were started, or more are in the "
                    "trace",
                    traits().name, next_, ctas()));
}

}  // namespace warpmem::program::trace
