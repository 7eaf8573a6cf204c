// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <fstream>
#include <utility>

#include "base/errors.hpp"
#include "program/async.hpp"
#include "program/barriers.hpp"
#include "program/cluster.hpp"
#include "program/trace/own_format.hpp"
#include "program/trace/own_format_blocks.hpp"
#include "program/trace/own_format_code.hpp"
#include "program/trace/own_format_records.hpp"

namespace warpmem::program::trace {
namespace {

constexpr std::uint64_t kAny = ~std::uint64_t(0);
constexpr std::uint64_t kMostMemoryBytes = std::uint64_t(1) << 32;  // shared, local

/// Decodes the launch that the file is at.
class KernelDecoder {
 public:
  KernelDecoder(BlockReader& in, OwnTotals& totals) : in_(in), totals_(totals), code_(in) {}

  void begin(bool clustered) {
    traits_ = {};
    code_.begin(traits_);
    traits_.name = in_.text("kernel name length");
    traits_.grid.x = dimension("grid dimension x", OwnFormatLimits::kGridX);
    traits_.grid.y = dimension("grid dimension y", OwnFormatLimits::kGridYz);
    traits_.grid.z = dimension("grid dimension z", OwnFormatLimits::kGridYz);
    traits_.block.x = dimension("block dimension x", OwnFormatLimits::kBlockThreads);
    traits_.block.y = dimension("block dimension y", OwnFormatLimits::kBlockThreads);
    traits_.block.z = dimension("block dimension z", OwnFormatLimits::kBlockThreads);
    const std::uint64_t threads = traits_.block.count();
    if (threads > OwnFormatLimits::kBlockThreads)
      in_.fail(fmt::format("a block of {} threads; allowed: 1 to {}", threads,
                           OwnFormatLimits::kBlockThreads));
    traits_.warps_per_cta = static_cast<unsigned>((threads + kWarpLanes - 1) / kWarpLanes);
    traits_.registers_per_thread =
        static_cast<unsigned>(in_.number("registers a thread", 0, kMostRegisters));
    traits_.shared_bytes = in_.number("shared bytes", 0, kMostMemoryBytes);
    traits_.local_bytes = in_.number("local bytes", 0, kMostMemoryBytes);
    traits_.scoreboard_registers =
        static_cast<unsigned>(in_.number("scoreboard registers", 0, kMostRegisters));
    if (clustered) read_cluster();
    ctas_ = steps_ = 0;
    active_ = true;
  }

  bool active() const { return active_; }
  const KernelTraits& traits() const { return traits_; }
  const KnownInst& inst(std::uint32_t index) const { return code_.insts()[index]; }
  std::uint32_t inst_count() const { return static_cast<std::uint32_t>(code_.insts().size()); }
  const std::vector<TensorMap>& tensor_maps() const { return code_.tensor_maps(); }

  bool next_cta(CtaTrace& cta) {
    if (!active_) return false;
    cta.warps.resize(traits_.warps_per_cta);
    for (WarpTrace& warp : cta.warps) warp.clear();
    cta_steps_ = cta_addresses_ = 0;
    unsigned warp = 0;
    for (;;) {
      if (!in_.next_record()) in_.fail("truncated: the file ends within a launch");
      const std::uint8_t tag = in_.byte();
      switch (static_cast<Record>(tag)) {
        case Record::instruction:
          code_.read_instruction();
          break;
        case Record::tensor_map:
          code_.read_tensor_map();
          break;
        case Record::steps:
          warp = static_cast<unsigned>(
              in_.number("warp (in ascending order)", warp, traits_.warps_per_cta - 1));
          read_steps(cta.warps[warp]);
          break;
        case Record::end_cta:
          end_cta(cta);
          return true;
        case Record::end_kernel:
          end_kernel();
          return false;
        default:
          in_.fail(fmt::format("record {} within a launch; allowed: 5 to 8, 11", tag));
      }
    }
  }

 private:
  std::uint32_t dimension(const char* what, std::uint64_t most) {
    return static_cast<std::uint32_t>(in_.number(what, 1, most));
  }

  void read_cluster() {
    Dim3& c = traits_.cluster;
    c.x = dimension("cluster dimension x", kMostClusterCtas);
    c.y = dimension("cluster dimension y", kMostClusterCtas);
    c.z = dimension("cluster dimension z", kMostClusterCtas);
    if (!traits_.clustered() || c.count() > kMostClusterCtas)
      in_.fail(
          fmt::format("a cluster of {} blocks; allowed: 2 to {}", c.count(), kMostClusterCtas));
    const Dim3& g = traits_.grid;
    if (g.x % c.x != 0 || g.y % c.y != 0 || g.z % c.z != 0)
      in_.fail(fmt::format("a grid of ({},{},{}) blocks; allowed: whole clusters of ({},{},{})",
                           g.x, g.y, g.z, c.x, c.y, c.z));
  }

  void read_steps(WarpTrace& warp) {
    // Each step has at least one byte, so a count beyond the block is found before memory is spent.
    const std::uint64_t count = in_.number("number of steps", 1, kMostRawBytes);
    cta_steps_ += count;
    if (cta_steps_ > OwnFormatLimits::kCtaSteps)
      in_.fail(fmt::format("a CTA of more than {} steps", OwnFormatLimits::kCtaSteps));
    std::uint32_t inst = 0;
    LaneMask lanes = 0;
    for (std::uint64_t k = 0; k < count; ++k) {
      if (!warp.steps.empty() && warp.steps.back().exited)
        in_.fail("a step after the warp's last one");
      read_step(warp, inst, lanes);
    }
  }

  void read_step(WarpTrace& warp, std::uint32_t& inst, LaneMask& lanes) {
    namespace flag = step_flag;
    const std::uint8_t flags = in_.byte("step flags", flag::kAll);
    const std::uint64_t index = (flags & flag::kNextInst) != 0
                                    ? std::uint64_t(inst) + 1
                                    : std::uint64_t(inst) + unzigzag(in_.number());
    if (index >= code_.insts().size())
      in_.fail(fmt::format("instruction {} of {} known so far", index, code_.insts().size()));
    inst = static_cast<std::uint32_t>(index);
    if ((flags & flag::kSameLanes) == 0)
      lanes = static_cast<LaneMask>(in_.number("lane mask", 0, 0xffffffff));
    KnownInst& known = code_.insts()[inst];
    Step step;
    step.inst = inst;
    step.lanes = lanes;
    step.exited = (flags & flag::kExited) != 0;
    step.space = (flags & flag::kStaticSpace) != 0 ? known.info.space : code_.read_space();
    if ((flags & flag::kBarrier) != 0) {
      step.barrier = in_.byte("barrier", CtaBarriers::kBarriers - 1);
      step.barrier_waits = in_.byte("barrier mode", 1) != 0;
      step.barrier_warps = static_cast<std::uint16_t>(in_.number("warps at a barrier", 0, 32));
    }
    step.first_address = static_cast<std::uint32_t>(warp.addresses.size());
    read_addresses(warp, known, step, flags & (flag::kStride | flag::kDeltas));
    warp.steps.push_back(step);
  }

  void read_addresses(WarpTrace& warp, KnownInst& known, const Step& step, unsigned mode) {
    if (step.lanes != 0) {
      if (known.info.mem != MemOp::none && step.space == Space::generic)
        in_.fail("a memory access in generic space; allowed: the space of its addresses");
      if (is_atomic_in_local(known.info, step.space))
        in_.fail("an atomic in local memory; allowed: global and shared memory");
      const bool in_cluster = step.space == Space::cluster;
      if (known.info.async == AsyncCopy::mbarrier && step.space != Space::shared && !in_cluster)
        in_.fail("an mbarrier that is not in shared memory");
      if (known.info.async == AsyncCopy::mbarrier && in_cluster) check_peer_mbarrier(known.info);
      if (known.info.async == AsyncCopy::peer_write && !in_cluster)
        in_.fail("an asynchronous write that is not to the cluster");
      if (is_bulk_copy(known.info.async) && step.space != known.info.space)
        in_.fail("a bulk copy that is not where its instruction says");
    }
    if (!carries_addresses(known.info, step.lanes, step.space)) {
      if (mode != 0) in_.fail("addresses of a step that accesses no memory");
      return;
    }
    const unsigned count = static_cast<unsigned>(__builtin_popcount(step.lanes));
    cta_addresses_ += count;
    if (cta_addresses_ > OwnFormatLimits::kCtaAddresses)
      in_.fail(fmt::format("a CTA of more than {} addresses", OwnFormatLimits::kCtaAddresses));
    if (mode == 0) in_.fail("a memory access without addresses");
    totals_.addresses += count;
    Addr address = known.last_base + unzigzag(in_.number());
    known.last_base = address;
    warp.addresses.push_back(address);
    if (mode == step_flag::kStride) {
      const std::uint64_t stride = unzigzag(in_.number());
      for (unsigned k = 1; k < count; ++k) warp.addresses.push_back(address += stride);
    } else if (mode == step_flag::kDeltas) {
      for (unsigned k = 1; k < count; ++k)
        warp.addresses.push_back(address += unzigzag(in_.number()));
    } else {
      in_.fail("step flags 16 and 32 together");
    }
    if (step.space == Space::cluster) check_ranks(warp, count);
    if (is_bulk_copy(known.info.async)) return read_copies(warp, known.info, count);
    for (unsigned k = 0; k < count * operands_a_lane(known.info, traits_.clustered()); ++k)
      warp.addresses.push_back(in_.number("operand", 0, 0xffffffff));
  }

  /// A warp waits at mbarriers of its own block, and its copies arrive there.
  void check_peer_mbarrier(const InstInfo& inst) const {
    const auto op = static_cast<MbarrierOp>(inst.async_groups);
    if (is_wait(op) || op == MbarrierOp::copies_arrive || op == MbarrierOp::copies_arrive_no_inc)
      in_.fail("a wait or an arrival of copies at the mbarrier of another block");
  }

  void check_ranks(const WarpTrace& warp, unsigned count) const {
    const std::uint64_t ctas = traits_.cluster.count();
    for (unsigned k = 1; k <= count; ++k)
      if (const Addr address = warp.addresses[warp.addresses.size() - k];
          address >> kClusterRankBit >= ctas)
        in_.fail(fmt::format("an access to block {} of a cluster of {}", address >> kClusterRankBit,
                             ctas));
  }

  void read_copies(WarpTrace& warp, const InstInfo& inst, unsigned count) {
    for (unsigned k = 0; k < count; ++k) {
      warp.addresses.push_back(in_.number("shared address of a bulk copy", 0, 0xffffffff));
      const std::uint64_t bytes = in_.number("bytes of a bulk copy", kBulkBytes, 0xffffffff);
      if (bytes % kBulkBytes != 0)
        in_.fail(
            fmt::format("a bulk copy of {} bytes; allowed: multiples of {}", bytes, kBulkBytes));
      warp.addresses.push_back(bytes);
      warp.addresses.push_back(in_.number("mbarrier of a bulk copy", 0, 0xffffffff));
      if (traits_.clustered())
        warp.addresses.push_back(in_.number("blocks to which a bulk copy goes", 0,
                                            (std::uint64_t(1) << traits_.cluster.count()) - 1));
      if (inst.tile) read_tile(warp, bytes);
    }
  }

  void read_tile(WarpTrace& warp, std::uint64_t bytes) {
    const std::vector<TensorMap>& maps = code_.tensor_maps();
    const std::uint64_t map = in_.number();
    if (map >= maps.size())
      in_.fail(fmt::format("tensor map {} of {} known so far", map, maps.size()));
    if (bytes != maps[map].box_bytes())
      in_.fail(
          fmt::format("a tile of {} bytes; its tensor map says {}", bytes, maps[map].box_bytes()));
    warp.addresses.push_back(map);
    for (unsigned d = 0; d < TensorMap::kRanks; ++d)
      warp.addresses.push_back(in_.number("coordinate", 0, 0xffffffff));
  }

  void end_cta(const CtaTrace& cta) {
    for (std::size_t w = 0; w < cta.warps.size(); ++w)
      if (cta.warps[w].steps.empty() || !cta.warps[w].steps.back().exited)
        in_.fail(fmt::format("warp {} of CTA {} has no end", w, ctas_));
    steps_ += cta_steps_;
    if (++ctas_ > traits_.grid.count())
      in_.fail(fmt::format("more CTAs than the grid's {}", traits_.grid.count()));
  }

  void end_kernel() {
    active_ = false;
    if (cta_steps_ != 0) in_.fail("the launch ends within a CTA");
    if (ctas_ != traits_.grid.count())
      in_.fail(fmt::format("the launch has {} CTAs; the grid has {}", ctas_, traits_.grid.count()));
    in_.number("CTAs of the launch", ctas_, ctas_);
    in_.number("steps of the launch", steps_, steps_);
    totals_.ctas += ctas_;
    totals_.steps += steps_;
  }

  BlockReader& in_;
  OwnTotals& totals_;
  KernelTraits traits_;
  CodeReader code_;
  std::uint64_t ctas_ = 0, steps_ = 0;
  std::uint64_t cta_steps_ = 0, cta_addresses_ = 0;
  bool active_ = false;
};

class OwnKernel final : public KernelTrace {
 public:
  explicit OwnKernel(KernelDecoder& decoder) : decoder_(decoder) {}
  const KernelTraits& traits() const override { return decoder_.traits(); }
  const InstInfo& inst(std::uint32_t index) const override { return decoder_.inst(index).info; }
  std::uint32_t inst_count() const override { return decoder_.inst_count(); }
  const std::string& mnemonic(std::uint32_t index) const override {
    return decoder_.inst(index).mnemonic;
  }
  const std::vector<TensorMap>& tensor_maps() const override { return decoder_.tensor_maps(); }
  bool next_cta(CtaTrace& cta) override { return decoder_.next_cta(cta); }

 private:
  KernelDecoder& decoder_;
};

class OwnReader final : public TraceReader {
 public:
  explicit OwnReader(const std::string& path) : in_(path), decoder_(in_, totals_) {}

  bool next(Command& command) override {
    command.kernel.reset();
    if (finished_) return false;
    if (decoder_.active()) {  // its user did not want all of it
      CtaTrace rest;
      while (decoder_.next_cta(rest)) {
      }
    }
    for (;;) {
      if (!in_.next_record()) in_.fail("truncated: the file ends without its totals");
      const std::uint8_t tag = in_.byte();
      if (static_cast<Record>(tag) == Record::note) {
        read_note();
        continue;
      }
      if (static_cast<Record>(tag) == Record::trailer) {
        read_trailer();
        finished_ = true;
        return false;
      }
      read_command(static_cast<Record>(tag), command);
      ++totals_.commands;
      return true;
    }
  }

  std::vector<std::string> notes() const override { return notes_; }

 private:
  void read_note() {
    if (notes_.size() == OwnFormatLimits::kNotes)
      in_.fail(fmt::format("more than {} notes", OwnFormatLimits::kNotes));
    notes_.push_back(in_.text("note length"));
  }

  void read_command(Record record, Command& command) {
    command = {};
    command.place = in_.place();
    switch (record) {
      case Record::allocate:
        command.kind = Command::Kind::allocate;
        read_range(command);
        command.managed = in_.byte("managed flag", 1) != 0;
        break;
      case Record::release:
        command.kind = Command::Kind::release;
        command.address = in_.number();
        break;
      case Record::host_wrote:
        command.kind = Command::Kind::host_wrote;
        read_range(command);
        break;
      case Record::host_read:
        command.kind = Command::Kind::host_read;
        read_range(command);
        break;
      case Record::prefetch:
        command.kind = Command::Kind::prefetch;
        read_range(command);
        command.to_device = in_.byte("direction of a prefetch", 1) != 0;
        break;
      case Record::launch:
      case Record::cluster_launch:
        command.kind = Command::Kind::launch;
        decoder_.begin(record == Record::cluster_launch);
        ++totals_.launches;
        command.kernel = std::make_unique<OwnKernel>(decoder_);
        break;
      default:
        in_.fail(fmt::format("record {} between launches; allowed: 1 to 4, 9, 10, 12 to 14",
                             static_cast<unsigned>(record)));
    }
  }

  void read_range(Command& command) {
    command.address = in_.number();
    command.bytes = in_.number("bytes", 0, kAny - command.address);
  }

  void read_trailer() {
    in_.number("commands", totals_.commands, totals_.commands);
    in_.number("launches", totals_.launches, totals_.launches);
    in_.number("CTAs", totals_.ctas, totals_.ctas);
    in_.number("warp instructions", totals_.steps, totals_.steps);
    in_.number("addresses", totals_.addresses, totals_.addresses);
    if (!in_.at_end()) in_.fail("something follows the totals");
  }

  BlockReader in_;
  OwnTotals totals_;
  KernelDecoder decoder_;
  std::vector<std::string> notes_;
  bool finished_ = false;
};

}  // namespace

bool is_own_format(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::array<char, kOwnMagic.size()> magic{};
  in.read(magic.data(), magic.size());
  return in && magic == kOwnMagic;
}

std::unique_ptr<TraceReader> open_own_format(const std::string& path) {
  return std::make_unique<OwnReader>(path);
}

}  // namespace warpmem::program::trace
