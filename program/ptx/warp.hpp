// SPDX-License-Identifier: Apache-2.0
// State of a resident CTA and its warps.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "program/async.hpp"
#include "program/barriers.hpp"
#include "program/cluster.hpp"
#include "program/device_memory.hpp"
#include "program/kernel_fault.hpp"
#include "program/program.hpp"
#include "program/ptx/inst.hpp"
#include "program/tensor_map.hpp"

namespace warpmem::program::ptx {

/// These are the per-thread bytes of a warp (local memory, function parameters), interleaved in
/// rows of 16 bytes a lane: it grows by appending, and an aligned access of up to 16 bytes is
/// contiguous.
class LaneMemory {
 public:
  static constexpr unsigned kRow = 16;
  /// Makes room for at least `bytes` a lane; new bytes are zero.
  void grow(std::uint64_t bytes) {
    const std::uint64_t need = (bytes + kRow - 1) / kRow * kRow * kWarpLanes;
    if (need > data_.size()) data_.resize(need);
  }
  void clear() { std::fill(data_.begin(), data_.end(), std::uint8_t(0)); }
  std::uint64_t bytes_per_lane() const { return data_.size() / kWarpLanes; }
  std::uint8_t* at(std::uint64_t offset, unsigned lane) {
    return data_.data() + offset / kRow * kRow * kWarpLanes + lane * kRow + offset % kRow;
  }

 private:
  std::vector<std::uint8_t> data_;
};

/// Registers and parameters of one call.
struct Frame {
  std::vector<ConstantLanes> registers;
  LaneMemory parameters;
  std::uint32_t function = 0;
  std::uint32_t call_site = 0;
  std::uint32_t caller = 0;       ///< index into Warp::frames
  std::uint32_t return_pc = 0;    ///< behind the call
  std::uint32_t local_base = 0;   ///< thread-private offset of the function's local variables
  std::uint64_t stack_bytes = 0;  ///< registers and parameters of the calls down to this one
};

/// This is one entry of the SIMT stack: `lanes` continue at `pc` and wait for the entry below at
/// `rpc`.
struct StackEntry {
  std::uint32_t pc = 0;
  std::uint32_t rpc = 0;
  LaneMask lanes = 0;
  std::uint32_t depth = 0;  ///< an index into Warp::frames; the call depth, unless Warp::apart
};
inline constexpr std::uint32_t kNoPc = ~std::uint32_t(0);

struct CtaState;

/// This is a cp.async.mbarrier.arrive whose copies have not all arrived.
struct PendingArrival {
  const Inst* inst = nullptr;
  LaneMask lanes = 0;
  std::array<std::uint32_t, kWarpLanes> address{};  ///< of each lane's mbarrier in shared memory
};
/// This is the latest wait at an mbarrier whose answer was not true in every lane.
struct FailedWait {
  const Inst* inst = nullptr;  ///< nullptr: there is none
  unsigned lane = 0;
  std::uint32_t address = 0;
  bool parity = false;
};

struct Warp {
  std::uint8_t* bank[2] = {nullptr, nullptr};  ///< registers of the current frame, constants
  LaneMask lanes = 0;                          ///< lanes of the instruction being executed
  StackEntry top;                              ///< current entry of the SIMT stack
  std::vector<StackEntry> stack;               ///< the entries below it
  std::vector<std::unique_ptr<Frame>> frames;  ///< frames by depth; kept for reuse
  /// Lanes have returned from a function that others are still in, so that a call must not take the
  /// next frame.
  bool apart = false;
  CtaState* cta = nullptr;
  LaneMask carry = 0;  ///< CC.CF, one bit a lane
  /// Lanes of a generic access that are still to do, or of a wait that has suspended the warp.
  LaneMask replay = 0;
  bool answers = false;  ///< the wait that has suspended the warp is to end
  FailedWait wait;
  std::vector<PendingArrival> arrivals;  ///< oldest first
  bool at_cluster = false;  ///< it has arrived at the cluster's barrier, and not waited since
  bool finished = false;
  std::uint32_t index = 0;
  LaneMask populated = 0;  ///< lanes that have a thread
  std::uint32_t tid[3][kWarpLanes] = {};
  LaneMemory local;

  Frame& frame() { return *frames[top.depth]; }
};

/// This is the last allocation that one static instruction touched.
struct CachedRange {
  Addr begin = 0;
  std::uint64_t bytes = 0;
};

/// This is what the warps at one barrier of the CTA brought along.
struct BarrierVotes {
  std::uint32_t count = 0;  ///< threads whose predicate was true (bar.red)
  std::uint32_t threads = 0;
  struct Waiting {
    Warp* warp = nullptr;
    const Inst* inst = nullptr;
    LaneMask lanes = 0;
    std::uint8_t* registers = nullptr;
  };
  std::vector<Waiting> reductions;
  Waiting last;  ///< the latest to wait, for messages
};

/// Where an instruction works and what it reports. One is enough for all CTAs of a launch, as
/// whoever executes an instruction is done with its report before the next one; so it stays in the
/// host's cache.
struct Scratch {
  Issue issue;
  alignas(64) std::array<Addr, kWarpLanes> address{};
  alignas(64) std::array<std::uint8_t*, kWarpLanes> place{};
  alignas(64) std::array<std::uint8_t, kWarpLanes * Issue::kLaneBytes> data{};
  alignas(16) std::array<std::uint8_t, Issue::kLaneBytes> dummy{};
  /// Where forgiven lanes read 0 and write, each for itself.
  alignas(16) std::array<std::uint8_t, kWarpLanes * Issue::kLaneBytes> forgiven{};
};

/// This is what all CTAs of a launch share.
struct Launch {
  const Program* program = nullptr;
  DeviceMemory* memory = nullptr;
  KernelTraits traits;
  std::uint64_t dynamic_shared_bytes = 0;
  std::vector<std::uint8_t> parameters;
  std::vector<CachedRange> ranges;  ///< parallel to Program::code
  Clusters clusters{KernelTraits{}};
  Addr grid_barrier = 0;          ///< of a cooperative launch: its word in device memory
  Addr heap = 0;                  ///< of malloc() in kernels; 0: there is none
  bool explicit_cluster = false;  ///< the kernel or its launch says how large a cluster is
  Scratch scratch;
};

/// The CTAs of a cluster by rank; nullptr: it has not started, or has ended.
struct ClusterState {
  std::array<CtaState*, kMostClusterCtas> ctas{};
  unsigned resident = 0;
  unsigned started = 0;  ///< a bit for each rank
};

struct CtaState {
  explicit CtaState(Launch& of)
      : launch(&of),
        issue(of.scratch.issue),
        address(of.scratch.address),
        place(of.scratch.place),
        data(of.scratch.data),
        dummy(of.scratch.dummy),
        forgiven(of.scratch.forgiven) {}

  Launch* launch;
  SmView view;
  Dim3 ctaid{0, 0, 0};
  std::vector<Warp> warps;
  ClusterState* cluster = nullptr;
  std::uint64_t cluster_number = 0;
  unsigned rank = 0;  ///< in the cluster
  unsigned live_warps = 0;
  std::vector<std::uint8_t> shared;
  CtaBarriers barriers;
  std::array<BarrierVotes, CtaBarriers::kBarriers> votes;

  // The launch's Scratch, and what only few instructions need beside it.
  Issue& issue;
  std::array<Addr, kWarpLanes>& address;
  std::array<std::uint8_t*, kWarpLanes>& place;
  std::array<std::uint8_t, kWarpLanes * Issue::kLaneBytes>& data;
  std::array<std::uint8_t, Issue::kLaneBytes>& dummy;
  std::array<std::uint8_t, kWarpLanes * Issue::kLaneBytes>& forgiven;
  std::array<std::uint32_t, kWarpLanes * kBulkOperands> operand{};
  std::array<std::uint16_t, kWarpLanes> ranks{};
  std::vector<TileCopy> tiles;  ///< of each lane, once a tile was copied
};

/// Returns where in the source the warp's instruction stands.
std::string place_of(const Warp& warp, const Inst& inst);
/// Returns kernel, PC, line, instruction, CTA and thread of `lane`, then `what`.
std::string fault_text(const Warp& warp, const Inst& inst, unsigned lane, const std::string& what);
/// Throws KernelFault with that text.
[[noreturn]] void fault(const Warp& warp, const Inst& inst, unsigned lane, const std::string& what,
                        KernelFault::Kind kind = KernelFault::Kind::launch_failure);

// ---- SIMT stack (simt_stack.cpp)
// -----------------------------------------------------------------

/// The lanes `taken` (some or none of Warp::lanes' entry) go to `target`, the other active lanes
/// on; these go first, or those with kTakenFirst in `option`.
void branch(Warp& warp, std::uint32_t target, LaneMask taken, std::int32_t reconverge,
            std::uint8_t option = 0);
/// All active lanes go their `n` ways (pc and lanes of each entry count), the last way first.
void diverge(Warp& warp, const StackEntry* ways, std::size_t n, std::int32_t reconverge);
/// Ends the lanes of `leaving`; the warp finishes when none is left.
void exit_lanes(Warp& warp, LaneMask leaving);
/// Lanes of `returning` leave the current function.
void return_lanes(Warp& warp, LaneMask returning);
/// The lanes enter `function` in a new frame.
void enter(Warp& warp, const Inst& inst, LaneMask entering, std::uint32_t call_site);
/// Moves on to the next entry while the top one is empty or has reached its reconvergence point.
void settle(Warp& warp);
/// Says that a warp has exited: this completes the barriers that waited for it alone. Throws
/// UserError when those that are left wait for each other (ops_barrier.cpp).
void barrier_progress(CtaState& cta);

// ---- mbarriers (ops_mbarrier.cpp)

/// As Cta::copies_arrived() and Cta::waits_for().
unsigned copies_arrived(Warp& warp);
/// `bytes` are there for the mbarrier at `address`, those of `lane` of `inst`.
unsigned bulk_arrived(Warp& warp, const Inst& inst, unsigned lane, std::uint32_t address,
                      std::uint32_t bytes);
/// As Cta::peer_mbarrier().
unsigned peer_mbarrier(CtaState& cta, std::uint32_t pc, std::uint32_t address, MbarrierOp op,
                       std::uint32_t number);
std::string waits_for(const Warp& warp);

}  // namespace warpmem::program::ptx
