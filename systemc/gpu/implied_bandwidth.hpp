// SPDX-License-Identifier: Apache-2.0
// The bandwidth that a configuration implies: what each unit on the way can move at most, and the
// least of them. Nothing is taken off for conflicts or full queues but where packets wait for each
// other in the FIFOs of a crossbar (busy_outputs()), and what refreshes take of DRAM. What concerns
// DRAM may be asked of machines with has_dram() alone.
#pragma once

#include "gpu/implied_latency.hpp"

namespace warpmem::gpu {

/// A figure a second (bytes, or operations of atomics), and the unit that allows no more.
struct Limit {
  double per_second = 0;
  const char* unit = "";
};

/// Where the bytes of a stream are.
enum class Level : std::uint8_t { l1d, l2, dram };

// ---- one part of the machine, all of its copies together ----------------------------------------

/// L1D: a request a cycle, each of all the bytes that the coalescer puts into one.
Limit l1d_bandwidth(const MachineParams& params);
/// L2: a slice answers one lookup a cycle, over a port of the crossbar that moves a flit a cycle.
/// Each lookup is of what a load of neighbouring lanes makes L1D fetch.
Limit l2_bandwidth(const MachineParams& params);
/// The data buses of DRAM, and what refreshes leave of them.
double dram_peak_bandwidth(const MachineParams& params);
double dram_refreshed_bandwidth(const MachineParams& params);
/// Little's law: the misses that L1D can have outstanding, times the bytes of each, over the time
/// for which a miss that finds its bytes at `level` (l2 or dram, there in an open row) holds its
/// entry while nothing else is under way.
Limit l1d_miss_bandwidth(const MachineParams& params, Level level);
/// The same of L2 and DRAM.
Limit l2_miss_bandwidth(const MachineParams& params);

/// Returns how many of its `outputs` a crossbar keeps busy on average whose `inputs` have one queue
/// each: the packet at the head of each wants any output alike, and when another one holds it those
/// behind wait as well (Karol, Hluchyj, Morgan: Input versus output queueing on a space-division
/// packet switch. IEEE Trans. Comm. 1987; 0.586 of very many outputs with as many inputs). Found by
/// letting 4096 packet times pass.
double busy_outputs(unsigned inputs, unsigned outputs);

// ---- a program ----------------------------------------------------------------------------------

/// Loads of 16 B a lane by all SMs, of lines that are in `level`.
Limit stream_read(const MachineParams& params, Level level);
/// Stores of `lane_bytes` a lane by all SMs to lines that are in L2.
Limit stream_write(const MachineParams& params, unsigned lane_bytes);
/// Atomics by all lanes of all SMs, in lane operations a second: all on one word, or each lane of a
/// warp on a word of its own and each warp on a line of its own.
Limit atomics_on_one_word(const MachineParams& params);
Limit atomics_on_many_words(const MachineParams& params);

/// Lines that lie `stride` bytes apart from `base` on, each read once by a whole warp; they are in
/// `level` (l2 or dram).
struct Strided {
  Addr base = 0;
  std::uint64_t stride = 0;
  unsigned lines = 0;
};
Limit strided_read(const MachineParams& params, const Strided& strided, Level level);
/// The least stride whose lines all lie in one partition where memory.partition_hash does not
/// spread them; and one whose lines lie for long in one bank of each partition, each in a row of
/// its own, where memory.bank_xor does not spread them, but not in one set of L2.
std::uint64_t partition_stride(const MachineParams& params);
std::uint64_t bank_stride(const MachineParams& params);

}  // namespace warpmem::gpu
