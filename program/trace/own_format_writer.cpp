// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <lzma.h>
#include <zstd.h>

#include <array>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "base/assert.hpp"
#include "base/errors.hpp"
#include "base/output_file.hpp"
#include "program/trace/own_format.hpp"
#include "program/trace/own_format_records.hpp"

namespace warpmem::program::trace {
namespace {

constexpr int kCompressionLevel = 3;

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t kMostBytes = 10;  // of a number of 64 bits

/// Writes a number to where there is room for kMostBytes, and returns the place behind it.
std::uint8_t* put(std::uint8_t* at, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) *at++ = static_cast<std::uint8_t>(value | 0x80);
  *at++ = static_cast<std::uint8_t>(value);
  return at;
}
void put(Bytes& out, std::uint64_t value) {
  std::uint8_t bytes[kMostBytes];
  out.insert(out.end(), bytes, put(bytes, value));
}

void put_text(Bytes& out, std::string_view text) {
  put(out, text.size());
  out.insert(out.end(), text.begin(), text.end());
}

void put_u32(std::uint8_t* out, std::uint32_t value) {
  for (unsigned i = 0; i < 4; ++i) out[i] = static_cast<std::uint8_t>(value >> (8 * i));
}

}  // namespace

struct OwnFormatWriter::Impl {
  /// This is where the last use of an instruction began: neighbours in time are neighbours in
  /// memory.
  struct KnownInst {
    InstInfo info;
    Addr last_base = 0;
  };

  explicit Impl(const std::string& file) : path(file), out(file) {
    std::array<std::uint8_t, kOwnHeaderBytes> header{};
    std::memcpy(header.data(), kOwnMagic.data(), kOwnMagic.size());
    put_u32(header.data() + kOwnMagic.size(), kOwnVersion);
    write(header.data(), header.size());
  }

  void write(const std::uint8_t* data, std::size_t bytes) {
    out.write({reinterpret_cast<const char*>(data), bytes});
  }

  void flush() {
    if (block.empty()) return;
    assert(block.size() <= kMostRawBytes);
    packed.resize(kBlockHeaderBytes + ZSTD_compressBound(block.size()));
    const std::size_t stored = ZSTD_compressCCtx(context.get(), packed.data() + kBlockHeaderBytes,
                                                 packed.size() - kBlockHeaderBytes, block.data(),
                                                 block.size(), kCompressionLevel);
    if (ZSTD_isError(stored) != 0)
      throw UserError(path + ": cannot compress: " + ZSTD_getErrorName(stored));
    put_u32(packed.data(), static_cast<std::uint32_t>(stored));
    put_u32(packed.data() + 4, static_cast<std::uint32_t>(block.size()));
    std::uint32_t crc = lzma_crc32(packed.data(), 8, 0);
    crc = lzma_crc32(packed.data() + kBlockHeaderBytes, stored, crc);
    put_u32(packed.data() + 8, crc);
    write(packed.data(), kBlockHeaderBytes + stored);
    block.clear();
  }

  void begin(Record record) { block.push_back(static_cast<std::uint8_t>(record)); }
  void end() {
    if (block.size() >= kBlockTarget) flush();
  }

  void check_text(std::string_view text, const char* what) const {
    if (text.size() > OwnFormatLimits::kTextBytes)
      throw UserError(fmt::format("{}: a {} of {} bytes; allowed: at most {}", path, what,
                                  text.size(), OwnFormatLimits::kTextBytes));
  }

  static std::uint8_t* put_addresses(std::uint8_t* at, KnownInst& inst, const Addr* address,
                                     unsigned count, bool strided) {
    at = put(at, zigzag(address[0] - inst.last_base));
    inst.last_base = address[0];
    if (strided) return put(at, zigzag(count > 1 ? address[1] - address[0] : 0));
    for (unsigned i = 1; i < count; ++i) at = put(at, zigzag(address[i] - address[i - 1]));
    return at;
  }

  void put_step(const Step& step, const WarpTrace& warp) {
    namespace flag = step_flag;
    assert(step.inst < insts.size());
    KnownInst& inst = insts[step.inst];
    std::uint8_t flags = 0;
    if (step.exited) flags |= flag::kExited;
    if (step.lanes == last_lanes) flags |= flag::kSameLanes;
    if (step.inst == last_inst + 1) flags |= flag::kNextInst;
    if (step.space == inst.info.space) flags |= flag::kStaticSpace;
    const bool barrier = step.barrier != 0 || !step.barrier_waits || step.barrier_warps != 0;
    if (barrier) flags |= flag::kBarrier;
    unsigned count = 0;
    const Addr* address = nullptr;
    if (carries_addresses(inst.info, step.lanes, step.space)) {
      count = lane_count(step.lanes);
      assert(step.first_address +
                 std::uint64_t(count) * (1 + operands_a_lane(inst.info, clustered)) <=
             warp.addresses.size());
      address = warp.addresses.data() + step.first_address;
    }
    bool strided = true;
    if (address != nullptr) {
      for (unsigned i = 2; i < count; ++i)
        strided = strided && address[i] - address[i - 1] == address[1] - address[0];
      flags |= strided ? flag::kStride : flag::kDeltas;
      totals.addresses += count;
    }
    const unsigned operands =
        address != nullptr ? count * operands_a_lane(inst.info, clustered) : 0;
    // Flags, instruction, lanes, space, three of a barrier, and the addresses.
    const std::size_t most = (7 + (address != nullptr ? count + 1 + operands : 0)) * kMostBytes;
    if (steps.size() < steps_bytes + most) steps.resize(steps_bytes + most);
    std::uint8_t* at = steps.data() + steps_bytes;
    *at++ = flags;
    if ((flags & flag::kNextInst) == 0) at = put(at, zigzag(std::uint64_t(step.inst) - last_inst));
    if ((flags & flag::kSameLanes) == 0) at = put(at, step.lanes);
    if ((flags & flag::kStaticSpace) == 0) *at++ = static_cast<std::uint8_t>(step.space);
    if (barrier) {
      *at++ = step.barrier;
      *at++ = step.barrier_waits ? 1 : 0;
      at = put(at, step.barrier_warps);
    }
    if (address != nullptr) {
      at = put_addresses(at, inst, address, count, strided);
      for (unsigned i = 0; i < operands; ++i) at = put(at, address[count + i]);
    }
    steps_bytes = static_cast<std::size_t>(at - steps.data());
    last_inst = step.inst;
    last_lanes = step.lanes;
  }

  void put_steps_record(unsigned warp, std::uint64_t count) {
    begin(Record::steps);
    put(block, warp);
    put(block, count);
    block.insert(block.end(), steps.data(), steps.data() + steps_bytes);
    end();
    begin_steps();
  }

  void begin_steps() {
    steps_bytes = 0;
    last_inst = 0;
    last_lanes = 0;
  }

  std::string path;
  OutputFile out;
  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context{ZSTD_createCCtx(), ZSTD_freeCCtx};
  Bytes block, packed;
  Bytes steps;  ///< of the record to come, steps_bytes of them; it only grows
  std::size_t steps_bytes = 0;
  std::vector<KnownInst> insts;
  std::uint32_t tensor_maps = 0;  ///< of the kernel
  std::uint32_t last_inst = 0;
  LaneMask last_lanes = 0;
  unsigned warps = 0;      ///< a CTA of the kernel; 0: between kernels
  bool clustered = false;  ///< the kernel has clusters
  std::uint64_t kernel_ctas = 0, kernel_steps = 0;
  OwnTotals totals;
  std::size_t notes = 0;
  bool finished = false;
};

OwnFormatWriter::OwnFormatWriter(const std::string& path) : impl_(std::make_unique<Impl>(path)) {}
OwnFormatWriter::~OwnFormatWriter() = default;

void OwnFormatWriter::allocate(Addr address, std::uint64_t bytes, bool managed) {
  impl_->begin(Record::allocate);
  put(impl_->block, address);
  put(impl_->block, bytes);
  impl_->block.push_back(managed ? 1 : 0);
  ++impl_->totals.commands;
  impl_->end();
}

void OwnFormatWriter::release(Addr address) {
  impl_->begin(Record::release);
  put(impl_->block, address);
  ++impl_->totals.commands;
  impl_->end();
}

void OwnFormatWriter::host_wrote(Addr address, std::uint64_t bytes) {
  impl_->begin(Record::host_wrote);
  put(impl_->block, address);
  put(impl_->block, bytes);
  ++impl_->totals.commands;
  impl_->end();
}

void OwnFormatWriter::host_read(Addr address, std::uint64_t bytes) {
  impl_->begin(Record::host_read);
  put(impl_->block, address);
  put(impl_->block, bytes);
  ++impl_->totals.commands;
  impl_->end();
}

void OwnFormatWriter::prefetch(Addr address, std::uint64_t bytes, bool to_device) {
  impl_->begin(Record::prefetch);
  put(impl_->block, address);
  put(impl_->block, bytes);
  impl_->block.push_back(to_device ? 1 : 0);
  ++impl_->totals.commands;
  impl_->end();
}

void OwnFormatWriter::begin_kernel(const KernelTraits& t) {
  Impl& w = *impl_;
  assert(w.warps == 0);
  w.check_text(t.name, "kernel name");
  w.clustered = t.clustered();
  w.begin(w.clustered ? Record::cluster_launch : Record::launch);
  put_text(w.block, t.name);
  for (const Dim3& d : {t.grid, t.block})
    for (const std::uint32_t n : {d.x, d.y, d.z}) put(w.block, n);
  put(w.block, t.registers_per_thread);
  put(w.block, t.shared_bytes);
  put(w.block, t.local_bytes);
  put(w.block, t.scoreboard_registers);
  if (w.clustered)
    for (const std::uint32_t n : {t.cluster.x, t.cluster.y, t.cluster.z}) put(w.block, n);
  w.end();
  w.insts.clear();
  w.tensor_maps = 0;
  w.warps = t.warps_per_cta;
  w.kernel_ctas = w.kernel_steps = 0;
  ++w.totals.commands;
  ++w.totals.launches;
}

std::uint32_t OwnFormatWriter::add_instruction(const InstInfo& i, const std::string& mnemonic) {
  Impl& w = *impl_;
  assert(w.warps != 0);
  w.check_text(mnemonic, "mnemonic");
  if (w.insts.size() == OwnFormatLimits::kInstructions)
    throw UserError(fmt::format("{}: a kernel of more than {} static instructions", w.path,
                                OwnFormatLimits::kInstructions));
  w.begin(Record::instruction);
  put_text(w.block, mnemonic);
  put(w.block, i.pc);
  put(w.block, i.line);
  put(w.block, i.source_line);
  w.block.push_back(static_cast<std::uint8_t>(i.op_class));
  w.block.push_back(static_cast<std::uint8_t>(i.mem));
  w.block.push_back(static_cast<std::uint8_t>(i.space));
  w.block.push_back(i.bytes);
  w.block.push_back(i.volatile_access ? 1 : 0);
  w.block.push_back(static_cast<std::uint8_t>(
      static_cast<unsigned>(i.async) |
      static_cast<unsigned>(i.cluster_barrier) << kClusterBarrierShift | (i.tile ? kTileBit : 0u)));
  w.block.push_back(i.async_groups);
  const auto put_registers = [&w](const auto& list) {
    w.block.push_back(static_cast<std::uint8_t>(list.size()));
    for (const std::uint16_t reg : list) put(w.block, reg);
  };
  put_registers(i.sources);
  put_registers(i.destinations);
  w.end();
  w.insts.push_back({i, 0});
  return static_cast<std::uint32_t>(w.insts.size() - 1);
}

std::uint32_t OwnFormatWriter::add_tensor_map(const TensorMap& map) {
  Impl& w = *impl_;
  assert(w.warps != 0 && map.problem().empty());
  if (w.tensor_maps == OwnFormatLimits::kTensorMaps)
    throw UserError(fmt::format("{}: a kernel of more than {} tensor maps", w.path,
                                OwnFormatLimits::kTensorMaps));
  w.begin(Record::tensor_map);
  w.block.push_back(static_cast<std::uint8_t>(map.rank));
  w.block.push_back(static_cast<std::uint8_t>(map.element_bytes));
  w.block.push_back(static_cast<std::uint8_t>(map.swizzle));
  put(w.block, map.base);
  for (unsigned d = 0; d < map.rank; ++d) {
    put(w.block, map.size[d]);
    put(w.block, map.stride[d]);
    put(w.block, map.box[d]);
  }
  w.end();
  return w.tensor_maps++;
}

void OwnFormatWriter::cta(const CtaTrace& cta) {
  Impl& w = *impl_;
  assert(w.warps != 0 && cta.warps.size() == w.warps);
  std::uint64_t all_steps = 0, all_addresses = 0;
  for (const WarpTrace& warp : cta.warps) {
    all_steps += warp.steps.size();
    all_addresses += warp.addresses.size();
  }
  if (all_steps > OwnFormatLimits::kCtaSteps || all_addresses > OwnFormatLimits::kCtaAddresses)
    throw UserError(fmt::format(
        "{}: a CTA of {} warp instructions and {} addresses; allowed: at most {} of each", w.path,
        all_steps, all_addresses, OwnFormatLimits::kCtaSteps));
  for (unsigned index = 0; index < cta.warps.size(); ++index) {
    const WarpTrace& warp = cta.warps[index];
    w.begin_steps();
    std::uint64_t count = 0;
    for (const Step& step : warp.steps) {
      w.put_step(step, warp);
      ++count;
      if (w.steps_bytes < kStepsTarget) continue;
      w.put_steps_record(index, count);
      count = 0;
    }
    if (count != 0) w.put_steps_record(index, count);
  }
  w.kernel_steps += all_steps;
  w.begin(Record::end_cta);
  w.end();
  ++w.kernel_ctas;
}

void OwnFormatWriter::end_kernel() {
  Impl& w = *impl_;
  assert(w.warps != 0);
  w.begin(Record::end_kernel);
  put(w.block, w.kernel_ctas);
  put(w.block, w.kernel_steps);
  w.end();
  w.warps = 0;
  w.totals.ctas += w.kernel_ctas;
  w.totals.steps += w.kernel_steps;
}

void OwnFormatWriter::note(const std::string& text) {
  if (impl_->notes == OwnFormatLimits::kNotes) return;
  ++impl_->notes;
  impl_->begin(Record::note);
  put_text(impl_->block, std::string_view(text).substr(0, OwnFormatLimits::kTextBytes));
  impl_->end();
}

void OwnFormatWriter::finish() {
  Impl& w = *impl_;
  assert(w.warps == 0 && !w.finished);
  w.begin(Record::trailer);
  for (const std::uint64_t n :
       {w.totals.commands, w.totals.launches, w.totals.ctas, w.totals.steps, w.totals.addresses})
    put(w.block, n);
  w.flush();
  w.out.commit();
  w.finished = true;
}

std::uint64_t OwnFormatWriter::warp_instructions() const {
  return impl_->totals.steps + (impl_->warps != 0 ? impl_->kernel_steps : 0);
}

void copy_command(const Command& from, OwnFormatWriter& to) {
  switch (from.kind) {
    case Command::Kind::allocate:
      return to.allocate(from.address, from.bytes, from.managed);
    case Command::Kind::release:
      return to.release(from.address);
    case Command::Kind::host_wrote:
      return to.host_wrote(from.address, from.bytes);
    case Command::Kind::host_read:
      return to.host_read(from.address, from.bytes);
    case Command::Kind::prefetch:
      return to.prefetch(from.address, from.bytes, from.to_device);
    case Command::Kind::launch:
      return copy_kernel(*from.kernel, to);
  }
}

void copy_kernel(KernelTrace& from, OwnFormatWriter& to,
                 const std::function<void(std::uint64_t)>& each_cta) {
  to.begin_kernel(from.traits());
  std::uint32_t known = 0, maps = 0;
  CtaTrace cta;
  for (std::uint64_t done = 0; from.next_cta(cta);) {
    for (; known < from.inst_count(); ++known)
      to.add_instruction(from.inst(known), from.mnemonic(known));
    for (; maps < from.tensor_maps().size(); ++maps) to.add_tensor_map(from.tensor_maps()[maps]);
    to.cta(cta);
    if (each_cta) each_cta(++done);
  }
  to.end_kernel();
}

}  // namespace warpmem::program::trace
