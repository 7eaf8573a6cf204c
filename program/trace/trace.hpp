// SPDX-License-Identifier: Apache-2.0
// A recorded run as a stream of host commands: what every reader (Accel-Sim, own format) delivers
// and what the replay and the converter take. Nothing here holds more than one CTA.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "program/async.hpp"
#include "program/program.hpp"
#include "program/tensor_map.hpp"

namespace warpmem::program::trace {

/// Registers of a thread, or of the scoreboard, that a kernel of a trace may have.
inline constexpr std::uint32_t kMostRegisters = 1u << 16;

/// This is one executed warp instruction.
struct Step {
  std::uint32_t inst = 0;           ///< index for KernelTrace::inst()
  LaneMask lanes = 0;               ///< lanes that executed; 0: predicated off altogether
  std::uint32_t first_address = 0;  ///< index into WarpTrace::addresses, if it accesses memory
  Space space = Space::none;        ///< generic resolved
  bool exited = false;              ///< the warp has no lanes left
  /// These belong to a barrier instruction with lanes and mean what they do in program::Issue.
  std::uint8_t barrier = 0;
  bool barrier_waits = true;
  std::uint16_t barrier_warps = 0;
};

/// Returns whether a step of that resolved space has addresses. Constant accesses of SASS traces
/// have none.
inline constexpr bool has_addresses(Space space) {
  return space == Space::global || space == Space::shared || space == Space::local ||
         space == Space::cluster;
}

/// Returns whether an access of that resolved space is one that no GPU has.
inline constexpr bool is_atomic_in_local(const InstInfo& inst, Space space) {
  return (inst.mem == MemOp::atomic || inst.mem == MemOp::reduction) && space == Space::local;
}

/// Numbers that a lane's copy of a tile has beside those of a bulk copy: the index of its tensor
/// map in KernelTrace::tensor_maps(), and the coordinates of its first element, each in 32 bits, 0
/// for dimensions that there are not.
inline constexpr unsigned kTileOperands = 1 + TensorMap::kRanks;
/// Numbers that each lane of an instruction has besides its address. In kernels with clusters a
/// bulk copy has one more behind the first kBulkOperands, the ranks to which it goes.
inline constexpr unsigned operands_a_lane(const InstInfo& inst, bool clustered) {
  if (is_bulk_copy(inst.async))
    return kBulkOperands + (clustered ? 1 : 0) + (inst.tile ? kTileOperands : 0);
  return inst.async == AsyncCopy::mbarrier || inst.async == AsyncCopy::peer_write ? 1 : 0;
}

/// Returns the number of lanes. Most masks have all of them; counting the bits of others is a call
/// on machines that any x86-64 can stand for.
inline unsigned lane_count(LaneMask lanes) {
  return lanes == ~LaneMask(0) ? kWarpLanes : static_cast<unsigned>(__builtin_popcount(lanes));
}

/// Everything one warp of a CTA did, in order.
struct WarpTrace {
  std::vector<Step> steps;
  /// There is one address for each set lane of each step with has_addresses(), lanes ascending; it
  /// means what it does in program::Issue::address. After them come the lanes' operands_a_lane(),
  /// lane by lane, as in program::Issue::operand and ranks.
  std::vector<Addr> addresses;
  void clear() {
    steps.clear();
    addresses.clear();
  }
};

/// This is one CTA; `warps` has KernelTraits::warps_per_cta elements.
struct CtaTrace {
  std::vector<WarpTrace> warps;
};

/// This is the trace of one launch, read from front to back.
class KernelTrace {
 public:
  virtual ~KernelTrace() = default;
  virtual const KernelTraits& traits() const = 0;
  /// Returns one of the static instructions seen so far; a reference stays valid as long as this
  /// object.
  virtual const InstInfo& inst(std::uint32_t index) const = 0;
  virtual std::uint32_t inst_count() const = 0;
  /// Returns the mnemonic of an instruction as its source spells it ("LDG.E.SYS", "ld.global.f32").
  virtual const std::string& mnemonic(std::uint32_t index) const = 0;
  /// Returns the tensor maps seen so far, which copies of tiles name by their index.
  virtual const std::vector<TensorMap>& tensor_maps() const {
    static const std::vector<TensorMap> kNone;
    return kNone;
  }
  /// Reads the next CTA into `cta`, whose memory is reused: x fastest, in kernels with clusters
  /// cluster by cluster and by rank. Returns false after the last one. Throws UserError (file, line
  /// or byte offset) for whatever is wrong with the file.
  virtual bool next_cta(CtaTrace& cta) = 0;
};

/// What the host did.
struct Command {
  enum class Kind : std::uint8_t {
    allocate,    ///< device memory [address, address + bytes), `managed` if by cudaMallocManaged
    release,     ///< the allocation at `address`
    host_wrote,  ///< memcpy or memset to [address, address + bytes)
    host_read,   ///< memcpy from there
    prefetch,    ///< cudaMemPrefetchAsync of it, `to_device` or to the host
    launch       ///< `kernel`
  };
  Kind kind = Kind::launch;
  Addr address = 0;
  std::uint64_t bytes = 0;
  bool managed = false;
  bool to_device = false;
  std::string
      place;  ///< where the file says so, "FILE:LINE" or the like; launches say it themselves
  std::unique_ptr<KernelTrace> kernel;
};

class TraceReader {
 public:
  virtual ~TraceReader() = default;
  /// Reads the next command; false at the end. The kernel of the previous command must be gone.
  virtual bool next(Command& command) = 0;
  /// Sentences for the user, each said once: unknown opcodes, what the format cannot tell.
  virtual std::vector<std::string> notes() const = 0;
};

/// Opens what `path` names: a folder with a kernelslist.g, such a list, a single .traceg or
/// .traceg.xz, or a file of our own format (recognised by its first bytes). Throws UserError.
std::unique_ptr<TraceReader> open_trace(const std::string& path);
/// Whether `path` looks like one of those (a program does not).
bool is_trace(const std::string& path);
/// Returns the files that such a trace is read from: itself, or a list with the kernels that it
/// names, each in both forms that a reader takes, there or not. A list names nothing behind what is
/// wrong in it, which its reader says.
std::vector<std::filesystem::path> files_of_trace(const std::string& path);

}  // namespace warpmem::program::trace
