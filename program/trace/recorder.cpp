// SPDX-License-Identifier: Apache-2.0
#include "program/trace/recorder.hpp"

#include <array>
#include <map>
#include <unordered_map>
#include <utility>

#include "base/errors.hpp"
#include "program/cluster.hpp"
#include "program/forwarded_cta.hpp"
#include "program/functional.hpp"
#include "program/kernel_fault.hpp"
#include "program/trace/summary.hpp"

namespace warpmem::program::trace {
namespace {

/// Passes everything on to the grid and keeps what each warp of the cluster did, or of the CTA
/// where there are none.
class RecordingGrid final : public Grid {
 public:
  RecordingGrid(Grid& grid, OwnFormatWriter& writer)
      : grid_(grid),
        writer_(writer),
        clusters_(grid.traits()),
        clustered_(grid.traits().clustered()),
        ctas_(clusters_.ctas_each()) {
    for (CtaTrace& cta : ctas_) cta.warps.resize(grid.traits().warps_per_cta);
  }
  const KernelTraits& traits() const override { return grid_.traits(); }
  std::unique_ptr<Cta> start_cta(std::uint64_t index, const SmView& view) override;
  unsigned ctas_of_cluster() const { return clusters_.ctas_each(); }

  /// The cluster has finished.
  void write() {
    for (CtaTrace& cta : ctas_) {
      writer_.cta(cta);
      for (WarpTrace& warp : cta.warps) warp.clear();
    }
  }

  void keep(unsigned rank, unsigned warp_index, const Issue& issue) {
    WarpTrace& warp = ctas_[rank].warps[warp_index];
    Step step;
    step.inst = number(*issue.inst);
    step.lanes = issue.lanes;
    step.space = issue.space;
    step.exited = issue.exited;
    if (issue.inst->op_class == OpClass::barrier && issue.lanes != 0) {
      step.barrier = issue.barrier;
      step.barrier_waits = issue.barrier_waits;
      step.barrier_warps = issue.barrier_warps;
    }
    step.first_address = static_cast<std::uint32_t>(warp.addresses.size());
    if (issue.inst->mem != MemOp::none && has_addresses(issue.space))
      for (LaneMask left = issue.lanes; left != 0; left &= left - 1)
        warp.addresses.push_back(issue.address[__builtin_ctz(left)]);
    keep_operands(warp, issue);
    warp.steps.push_back(step);
  }

 private:
  void keep_operands(WarpTrace& warp, const Issue& issue) {
    const bool copies = is_bulk_copy(issue.inst->async);
    const unsigned operands = copies ? kBulkOperands : operands_a_lane(*issue.inst, clustered_);
    if (operands == 0) return;
    for (LaneMask left = issue.lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(left));
      for (unsigned k = 0; k < operands; ++k)
        warp.addresses.push_back(issue.operand[operands * lane + k]);
      if (copies && clustered_)
        warp.addresses.push_back(issue.ranks != nullptr ? issue.ranks[lane] : 0);
      if (issue.inst->tile) keep_tile(warp, issue.tiles[lane]);
    }
  }

  std::uint32_t number(const InstInfo& inst) {
    const auto known = numbers_.find(&inst);
    if (known != numbers_.end()) return known->second;
    std::string mnemonic = grid_.mnemonic(inst);
    if (mnemonic.empty()) mnemonic = name_of(inst.op_class);
    const std::uint32_t index = writer_.add_instruction(inst, mnemonic);
    numbers_.emplace(&inst, index);
    return index;
  }

  void keep_tile(WarpTrace& warp, const TileCopy& tile) {
    std::array<std::uint8_t, TensorMap::kBytes> bytes;
    tile.map.encode(bytes.data());
    const auto known = maps_.find(bytes);
    const std::uint32_t map =
        known != maps_.end() ? known->second : writer_.add_tensor_map(tile.map);
    maps_.emplace(bytes, map);
    warp.addresses.push_back(map);
    for (const std::int32_t coordinate : tile.at)
      warp.addresses.push_back(static_cast<std::uint32_t>(coordinate));
  }

  Grid& grid_;
  OwnFormatWriter& writer_;
  const Clusters clusters_;
  const bool clustered_;
  std::vector<CtaTrace> ctas_;                                                 // by rank
  std::map<std::array<std::uint8_t, TensorMap::kBytes>, std::uint32_t> maps_;  // by encoded map
  std::unordered_map<const InstInfo*, std::uint32_t> numbers_;
};

class RecordingCta final : public ForwardedCta {
 public:
  RecordingCta(RecordingGrid& grid, unsigned rank, std::unique_ptr<Cta> cta)
      : ForwardedCta(std::move(cta)), grid_(grid), rank_(rank) {}
  const Issue& execute(unsigned warp) override {
    const Issue& issue = watched().execute(warp);
    // A wait that suspends its warp executes when it is answered.
    if (!issue.suspended) grid_.keep(rank_, warp, issue);
    return issue;
  }

 private:
  RecordingGrid& grid_;
  const unsigned rank_;
};

std::unique_ptr<Cta> RecordingGrid::start_cta(std::uint64_t index, const SmView& view) {
  return std::make_unique<RecordingCta>(*this, clusters_.rank_of(index),
                                        grid_.start_cta(index, view));
}

}  // namespace

void record(Grid& grid, OwnFormatWriter& writer) {
  RecordingGrid recording(grid, writer);
  writer.begin_kernel(grid.traits());
  const std::uint64_t ctas = grid.ctas();
  const unsigned together = recording.ctas_of_cluster();
  for (std::uint64_t index = 0; index < ctas; index += together) {
    run_functional(recording, index, together);
    recording.write();
  }
  writer.end_kernel();
}

RecordingDevice::RecordingDevice(const std::string& path, DeviceProperties properties)
    : FunctionalDevice(std::move(properties)), writer_(path) {}

// A trace that lacks the end of a kernel is of no use, so the fault ends the program.
void RecordingDevice::launch(Grid& grid) {
  try {
    record(grid, writer_);
  } catch (const KernelFault& fault) {
    throw UserError(fault.what());
  }
}

void RecordingDevice::allocated(Addr address, std::uint64_t bytes, bool managed) {
  writer_.allocate(address, bytes, managed);
}

void RecordingDevice::released(Addr address, std::uint64_t) { writer_.release(address); }

void RecordingDevice::host_wrote(Addr address, std::uint64_t bytes) {
  writer_.host_wrote(address, bytes);
}

void RecordingDevice::host_read(Addr address, std::uint64_t bytes) {
  writer_.host_read(address, bytes);
}

void RecordingDevice::prefetch(Addr address, std::uint64_t bytes, bool to_device) {
  writer_.prefetch(address, bytes, to_device);
}

double RecordingDevice::seconds() const {
  return static_cast<double>(writer_.warp_instructions()) /
         static_cast<double>(properties().clock_hertz);
}

void RecordingDevice::finish() { writer_.finish(); }

}  // namespace warpmem::program::trace
