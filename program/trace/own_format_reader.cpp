// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <deque>
#include <fstream>
#include <utility>

#include "base/errors.hpp"
#include "program/async.hpp"
#include "program/barriers.hpp"
#include "program/reduction.hpp"
#include "program/trace/own_format.hpp"
#include "program/trace/own_format_blocks.hpp"
#include "program/trace/own_format_records.hpp"

namespace warpmem::program::trace {
namespace {

constexpr std::uint64_t kAny = ~std::uint64_t(0);
constexpr std::uint64_t kMostMemoryBytes = std::uint64_t(1) << 32;  // shared, local

struct KnownInst {
  InstInfo info;
  std::string mnemonic;
  Addr last_base = 0;
};

/// Decodes the launch that the file is at.
class KernelDecoder {
 public:
  KernelDecoder(BlockReader& in, OwnTotals& totals) : in_(in), totals_(totals) {}

  void begin() {
    insts_.clear();
    tensor_maps_.clear();
    traits_ = {};
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
    ctas_ = steps_ = 0;
    active_ = true;
  }

  bool active() const { return active_; }
  const KernelTraits& traits() const { return traits_; }
  const KnownInst& inst(std::uint32_t index) const { return insts_[index]; }
  std::uint32_t inst_count() const { return static_cast<std::uint32_t>(insts_.size()); }
  const std::vector<TensorMap>& tensor_maps() const { return tensor_maps_; }

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
          read_instruction();
          break;
        case Record::tensor_map:
          read_tensor_map();
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

  void read_instruction() {
    if (insts_.size() == OwnFormatLimits::kInstructions)
      in_.fail(fmt::format("more than {} static instructions", OwnFormatLimits::kInstructions));
    KnownInst known;
    known.mnemonic = in_.text("mnemonic length");
    InstInfo& i = known.info;
    i.pc = static_cast<std::uint32_t>(in_.number("pc", 0, 0xffffffff));
    i.line = static_cast<std::uint32_t>(in_.number("line", 0, 0xffffffff));
    i.source_line = static_cast<std::uint32_t>(in_.number("source line", 0, 0xffffffff));
    i.op_class = static_cast<OpClass>(in_.byte("instruction class", kOpClasses - 1));
    i.mem = static_cast<MemOp>(
        in_.byte("memory operation", static_cast<std::uint8_t>(MemOp::reduction)));
    i.space = read_space();
    i.bytes = in_.byte("bytes a lane", Issue::kLaneBytes);
    if (i.mem != MemOp::none && i.bytes == 0) in_.fail("a memory instruction of 0 bytes a lane");
    i.volatile_access = in_.byte("volatile flag", 1) != 0;
    read_async_part(i);
    const bool mbarrier = i.async == AsyncCopy::mbarrier;
    i.async_groups =
        mbarrier
            ? in_.byte("operation on an mbarrier", static_cast<std::uint8_t>(MbarrierOp::count) - 1)
            : in_.byte("groups that may be outstanding, or the code of a reduction", 255);
    if (mbarrier && (i.mem == MemOp::none || i.op_class != OpClass::memory))
      in_.fail("an operation on an mbarrier that accesses no memory");
    if (is_bulk_copy(i.async)) check_bulk_copy(i);
    const std::uint64_t most = traits_.scoreboard_registers;
    i.sources = in_.byte("number of sources", InstInfo::kMaxSources);
    for (unsigned k = 0; k < i.sources; ++k) i.source[k] = read_register(most);
    i.destinations = in_.byte("number of destinations", InstInfo::kMaxDestinations);
    for (unsigned k = 0; k < i.destinations; ++k) i.destination[k] = read_register(most);
    insts_.push_back(std::move(known));
  }

  void read_async_part(InstInfo& i) {
    const std::uint8_t part = in_.byte();
    i.tile = (part & kTileBit) != 0;
    i.async = static_cast<AsyncCopy>(part & ~kTileBit);
    if (i.async > AsyncCopy::bulk_wait_read || (i.tile && !is_bulk_copy(i.async)))
      in_.fail(
          fmt::format("part in asynchronous copies {}; allowed: 0 to {}, {} and {} also of "
                      "tiles ({} more)",
                      part, static_cast<unsigned>(AsyncCopy::bulk_wait_read),
                      static_cast<unsigned>(AsyncCopy::bulk),
                      static_cast<unsigned>(AsyncCopy::bulk_prefetch), kTileBit));
  }

  void read_tensor_map() {
    if (tensor_maps_.size() == OwnFormatLimits::kTensorMaps)
      in_.fail(fmt::format("more than {} tensor maps", OwnFormatLimits::kTensorMaps));
    TensorMap map;
    map.rank = in_.byte("dimensions of a tensor", TensorMap::kRanks);
    map.element_bytes = in_.byte("bytes of an element", 8);
    map.swizzle =
        static_cast<Swizzle>(in_.byte("swizzle", static_cast<std::uint8_t>(Swizzle::bytes_128)));
    map.base = in_.number();
    for (unsigned d = 0; d < map.rank; ++d) {
      map.size[d] = in_.number();
      map.stride[d] = in_.number();
      map.box[d] = static_cast<std::uint32_t>(in_.number("box", 1, TensorMap::kMostInBox));
    }
    const unsigned bytes = map.element_bytes;
    if (bytes == 0 || (bytes & (bytes - 1)) != 0 || map.stride[0] != bytes)
      in_.fail(
          fmt::format("a tensor of elements of {} bytes, {} from one to the next; allowed: 1, "
                      "2, 4, 8, and as many",
                      bytes, map.stride[0]));
    const std::string problem = map.problem();
    if (!problem.empty()) in_.fail("a tensor map: " + problem);
    tensor_maps_.push_back(map);
  }

  void check_bulk_copy(const InstInfo& i) const {
    const bool reduces = i.mem == MemOp::reduction && i.async == AsyncCopy::bulk;
    if (i.op_class != OpClass::memory || i.space != Space::global ||
        (i.mem != MemOp::load && i.mem != MemOp::store && !reduces))
      in_.fail("a bulk copy that neither loads, stores nor reduces global memory");
    if (reduces && !Reduction::is_code(i.async_groups))
      in_.fail(fmt::format("{} is no code of a reduction", i.async_groups));
  }

  std::uint16_t read_register(std::uint64_t count) {
    if (count == 0) in_.fail("a register in a kernel without scoreboard registers");
    return static_cast<std::uint16_t>(in_.number("register", 0, count - 1));
  }

  Space read_space() {
    return static_cast<Space>(in_.byte("space", static_cast<std::uint8_t>(Space::generic)));
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
    if (index >= insts_.size())
      in_.fail(fmt::format("instruction {} of {} known so far", index, insts_.size()));
    inst = static_cast<std::uint32_t>(index);
    if ((flags & flag::kSameLanes) == 0)
      lanes = static_cast<LaneMask>(in_.number("lane mask", 0, 0xffffffff));
    KnownInst& known = insts_[inst];
    Step step;
    step.inst = inst;
    step.lanes = lanes;
    step.exited = (flags & flag::kExited) != 0;
    step.space = (flags & flag::kStaticSpace) != 0 ? known.info.space : read_space();
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
      if (known.info.async == AsyncCopy::mbarrier && step.space != Space::shared)
        in_.fail("an mbarrier that is not in shared memory");
      if (is_bulk_copy(known.info.async) && step.space != Space::global)
        in_.fail("a bulk copy that is not in global memory");
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
    if (is_bulk_copy(known.info.async)) return read_copies(warp, known.info, count);
    for (unsigned k = 0; k < count * operands_a_lane(known.info); ++k)
      warp.addresses.push_back(in_.number("operand", 0, 0xffffffff));
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
      if (inst.tile) read_tile(warp, bytes);
    }
  }

  void read_tile(WarpTrace& warp, std::uint64_t bytes) {
    const std::uint64_t map = in_.number();
    if (map >= tensor_maps_.size())
      in_.fail(fmt::format("tensor map {} of {} known so far", map, tensor_maps_.size()));
    if (bytes != tensor_maps_[map].box_bytes())
      in_.fail(fmt::format("a tile of {} bytes; its tensor map says {}", bytes,
                           tensor_maps_[map].box_bytes()));
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
  std::deque<KnownInst> insts_;  // references stay valid
  std::vector<TensorMap> tensor_maps_;
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
    command.managed = false;
    command.address = command.bytes = 0;
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
      case Record::launch:
        command.kind = Command::Kind::launch;
        decoder_.begin();
        ++totals_.launches;
        command.kernel = std::make_unique<OwnKernel>(decoder_);
        break;
      default:
        in_.fail(fmt::format("record {} between launches; allowed: 1 to 4, 9, 10",
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
