// SPDX-License-Identifier: Apache-2.0
// What an SM executes: a grid of CTAs whose warps deliver one instruction at a time. The PTX
// interpreter and the trace readers implement it; the SM never knows which.
//
// An instruction is executed functionally when the SM issues it; timing decides when, never what.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "base/types.hpp"

namespace warpmem::program {

/// Selects latency, initiation interval and unit in the SM.
enum class OpClass : std::uint8_t {
  int_alu,  ///< integer add, logic, shift, compare, select, move, convert between integers
  int_mul,  ///< integer multiply and multiply-add
  fp32,     ///< single-precision add, multiply, fused multiply-add, compare
  fp64,     ///< double-precision arithmetic
  sfu,      ///< reciprocal, square root, sine, exponent, logarithm
  div,      ///< division and remainder, integer or float
  memory,   ///< loads, stores, atomics of every space
  control,  ///< branch, call, return, exit
  barrier,  ///< CTA barrier
  fence,    ///< membar
  tensor,   ///< matrix multiply-accumulate
  texture,  ///< texture and surface instructions: a fixed latency, no traffic (traces only)
  uniform,  ///< the uniform datapath of Turing and later (traces only)
  count
};
inline constexpr std::size_t kOpClasses = static_cast<std::size_t>(OpClass::count);

enum class Space : std::uint8_t {
  none,
  global,
  shared,
  local,
  constant,
  param,
  generic,
  cluster  ///< shared memory of any CTA of the cluster (program/cluster.hpp)
};
inline constexpr std::size_t kSpaces = static_cast<std::size_t>(Space::cluster) + 1;

enum class MemOp : std::uint8_t { none, load, store, atomic, reduction };

/// Part of an instruction in asynchronous copies. Copies of up to 16 B a lane (cp.async, LDGSTS)
/// are loads without a register that a warp collects in groups and waits for by group; what comes
/// later in this list is told of in program/async.hpp.
enum class AsyncCopy : std::uint8_t {
  none,
  copy,            ///< a global load that belongs to the warp's open group
  close,           ///< closes the open group
  wait,            ///< holds the warp until at most `async_groups` closed groups are outstanding
  wait_all,        ///< holds the warp until no copy is outstanding, closed groups or not
  mbarrier,        ///< an operation on an mbarrier in shared memory: MbarrierOp(async_groups)
  bulk,            ///< copies of a lane between global and shared memory, whose size is an operand
  bulk_prefetch,   ///< the same from global memory to L2
  bulk_close,      ///< closes the warp's open group of bulk stores
  bulk_wait,       ///< holds the warp until at most `async_groups` closed groups are outstanding
  bulk_wait_read,  ///< the same, of groups that have not read all they store
  bulk_peer,       ///< copies of a lane from shared memory to that of a CTA of the cluster
  peer_write       ///< a lane's own value goes there; an mbarrier beside it is told of its bytes
};

inline constexpr bool is_bulk_copy(AsyncCopy part) {
  return part == AsyncCopy::bulk || part == AsyncCopy::bulk_peer ||
         part == AsyncCopy::bulk_prefetch;
}

/// Part of an instruction in the barrier of the cluster, at which every warp arrives once a phase;
/// it waits for the end of the phase at which it arrived last.
enum class ClusterBarrier : std::uint8_t {
  none,
  arrive,          ///< after what the warp has written before is there for the cluster
  arrive_relaxed,  ///< at once
  wait
};

enum class MbarrierOp : std::uint8_t;  // program/async.hpp
struct TileCopy;                       // program/tensor_map.hpp

/// Up to `most` scoreboard registers of an instruction, numbered from 0 below
/// KernelTraits::scoreboard_registers; predicates are registers too.
template <unsigned most>
class RegisterList {
 public:
  static constexpr unsigned kMost = most;

  /// Precondition: !full().
  void add(std::uint16_t reg) {
    list_[size_++] = reg;
    if (reg < 64) low_ |= std::uint64_t(1) << reg;
  }
  bool full() const { return size_ == most; }
  bool empty() const { return size_ == 0; }
  unsigned size() const { return size_; }
  std::uint16_t operator[](unsigned i) const { return list_[i]; }
  const std::uint16_t* begin() const { return list_.data(); }
  const std::uint16_t* end() const { return list_.data() + size_; }
  /// Returns those below 64, a bit for each: most kernels have no others.
  std::uint64_t low() const { return low_; }

 private:
  std::uint64_t low_ = 0;
  std::uint8_t size_ = 0;
  std::array<std::uint16_t, most> list_{};
};

/// What is known of an instruction before it executes.
struct InstInfo {
  std::uint32_t pc = 0;           ///< bytes from the start of the kernel
  std::uint32_t line = 0;         ///< source line in the PTX or trace file
  std::uint32_t source_line = 0;  ///< line of the CUDA source, where the PTX tells (.loc); else 0
  OpClass op_class = OpClass::int_alu;
  MemOp mem = MemOp::none;
  Space space = Space::none;     ///< generic: resolved when executed
  std::uint8_t bytes = 0;        ///< bytes a lane, all vector elements together (1..16)
  bool volatile_access = false;  ///< .volatile or .cg/.cv: does not hit in L1D
  bool tile = false;             ///< a bulk copy of tiles of tensors: Issue::tiles
  AsyncCopy async = AsyncCopy::none;
  /// Of a wait for groups: youngest groups that may be outstanding; mbarrier: its operation; bulk
  /// copies and peer_write that reduce (MemOp::reduction): Reduction::code(), of tiles with any
  /// element, since the tensor map says which.
  std::uint8_t async_groups = 0;
  ClusterBarrier cluster_barrier = ClusterBarrier::none;
  RegisterList<8> destinations;
  RegisterList<12> sources;

  /// Code of what a bulk copy or peer_write does with the bytes where they go; 0: it writes them.
  std::uint8_t reduction() const {
    return mem == MemOp::reduction ? async_groups : std::uint8_t(0);
  }
};

/// What executing one warp instruction did. Valid until the next execute() in the
/// same grid.
struct Issue {
  const InstInfo* inst = nullptr;
  LaneMask lanes = 0;         ///< lanes that executed (active and predicated on)
  Space space = Space::none;  ///< space after resolving generic
  /// There is one address per lane, for `lanes` of memory instructions. In global and constant
  /// memory it is a device address, in shared memory an offset in the CTA's, in that of another CTA
  /// of the cluster a cluster_address(), in local memory an offset of the thread's own.
  const Addr* address = nullptr;
  /// Each lane has `inst->bytes` bytes at data + lane * kLaneBytes: what a store wrote, what a
  /// load read, what an atomic left in memory. It is nullptr when the source carries no values
  /// (traces).
  const std::uint8_t* data = nullptr;
  static constexpr unsigned kLaneBytes = 16;
  bool exited = false;  ///< the warp has no lanes left
  /// These belong to a barrier instruction with lanes: which barrier, whether the warp waits there
  /// (bar.sync, bar.red) or only counts (bar.arrive), and how many warps complete it; 0: all that
  /// have not exited.
  std::uint8_t barrier = 0;
  bool barrier_waits = true;
  std::uint16_t barrier_warps = 0;
  /// These belong to operations on mbarriers, of which each lane has a number at operand[lane], to
  /// peer_write, of which it has the address of the mbarrier there, and to bulk copies, of which it
  /// has kBulkOperands from operand[lane * kBulkOperands] on (program/async.hpp). The address of a
  /// bulk copy is that in global memory, or, from one CTA to another, where it goes. An operation
  /// on another CTA's mbarrier (Space::cluster) takes effect when the machine calls
  /// Cta::peer_mbarrier() there.
  const std::uint32_t* operand = nullptr;
  /// CTAs of the cluster to which each lane's bulk copy goes, a bit for each rank; nullptr: to the
  /// CTA itself.
  const std::uint16_t* ranks = nullptr;
  /// What each lane's bulk copy copies in global memory where that is not in one piece: a tile of a
  /// tensor, whose address is the tensor's; nullptr: it is.
  const TileCopy* tiles = nullptr;
  std::uint8_t phases_ended = 0;  ///< phases of mbarriers of the CTA that have ended
  bool wait_failed = false;       ///< the answer of a wait was false in some lane
  /// The warp waits within the instruction. The same execute() is to be called again when an
  /// mbarrier of the CTA has ended a phase, or after Cta::stop_waiting() when `most_wait_ns` (0: a
  /// limit of the machine's) have passed.
  bool suspended = false;
  std::uint32_t most_wait_ns = 0;
};

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  std::uint64_t count() const { return std::uint64_t(x) * y * z; }
};

/// These are the resources and the shape of one launch.
struct KernelTraits {
  std::string name;  ///< name as the user wrote it (demangled)
  Dim3 grid, block;
  Dim3 cluster;  ///< CTAs of a cluster; one: there are no clusters
  unsigned warps_per_cta = 1;
  unsigned registers_per_thread = 0;  ///< 32-bit registers, for occupancy (live-range estimate)
  std::uint64_t shared_bytes = 0;     ///< static + dynamic, a CTA
  std::uint64_t local_bytes = 0;      ///< a thread
  unsigned scoreboard_registers = 0;
  bool clustered() const { return cluster.count() > 1; }
  /// "FILE:LINE: `INSTRUCTION`" of a bulk copy; empty: there is none, or a trace will tell.
  std::string bulk_copy;
};

/// What the machine tells the program (special registers).
struct SmView {
  const std::uint64_t* clock = nullptr;  ///< cycle of the SM, for clock/clock64; nullptr reads 0
  std::uint32_t sm = 0;
  std::uint32_t sm_count = 1;
};

/// This is one resident CTA.
class Cta {
 public:
  virtual ~Cta() = default;
  /// The next instruction of a warp, or nullptr once it has finished.
  virtual const InstInfo* next(unsigned warp) const = 0;
  /// Executes it. Throws UserError (kernel, PC, line, thread, address) when the program is at
  /// fault. A barrier instruction returns at once; the SM holds the warp until the others have
  /// arrived (barriers.hpp counts them).
  virtual const Issue& execute(unsigned warp) = 0;

  /// The next execute() of a suspended warp answers that the phase has not ended, if so it is.
  virtual void stop_waiting(unsigned /*warp*/) {}
  /// Says at which mbarrier the warp's last wait failed or is suspended, and what that misses;
  /// empty when it was answered with true.
  virtual std::string waits_for(unsigned /*warp*/) const { return {}; }
  /// Returns the lanes of a warp that wait until the others of it come to where they are: lanes of
  /// one warp that have parted do not overtake each other.
  virtual LaneMask lanes_behind(unsigned /*warp*/) const { return 0; }
  /// The copies before the oldest cp.async.mbarrier.arrive of the warp that has not taken effect
  /// have their data. Returns how many phases of mbarriers have ended.
  virtual unsigned copies_arrived(unsigned /*warp*/) { return 0; }
  /// Returns the CTA's shared memory, which bulk copies fill and empty; nullptr when the source
  /// carries no values.
  virtual std::uint8_t* shared_memory() { return nullptr; }
  /// A bulk load of `lane` of the warp's instruction `inst` is complete: `bytes` for the mbarrier
  /// at that address in shared memory. Returns how many phases have ended.
  virtual unsigned bulk_arrived(unsigned /*warp*/, const InstInfo& /*inst*/, unsigned /*lane*/,
                                std::uint32_t /*mbarrier*/, std::uint32_t /*bytes*/) {
    return 0;
  }
  /// An operation that the instruction at `pc` in another CTA of the cluster asked of the mbarrier
  /// at that address in this CTA's shared memory is there. Returns how many phases have ended.
  virtual unsigned peer_mbarrier(std::uint32_t /*pc*/, std::uint32_t /*mbarrier*/, MbarrierOp,
                                 std::uint32_t /*number*/) {
    return 0;
  }
};

/// This is one kernel launch.
class Grid {
 public:
  virtual ~Grid() = default;
  virtual const KernelTraits& traits() const = 0;
  virtual std::uint64_t ctas() const { return traits().grid.count(); }
  /// Starts CTA `index` (x fastest) on the SM that `view` describes.
  virtual std::unique_ptr<Cta> start_cta(std::uint64_t index, const SmView& view) = 0;
  /// Returns an instruction of this grid as its source spells it ("ld.global.f32"); empty: it is
  /// not known.
  virtual std::string mnemonic(const InstInfo&) const { return {}; }
  /// Returns "FILE:LINE" of the source for the instruction at `pc`; empty: it is not known.
  virtual std::string place(std::uint32_t /*pc*/) const { return {}; }
};

}  // namespace warpmem::program
