// SPDX-License-Identifier: Apache-2.0
// hashjoin [build = 2048] [probe = 8192]: pairs of rows of two tables whose keys are equal, by a
// hash table with open addressing. Keys of the smaller table are unique.
//
// Stands for: the hash join of databases on GPUs, build and probe.
// Memory: building is an atomic compare-and-swap at a random slot, probing a load of eight bytes at
// one and, after a collision, at its neighbours: un-coalesced both, with one line a lane; table
// sizes decide between L2 and DRAM. Matches are counted and appended by warps.
// Measured (32768 131072): un-coalesced, primary-miss-predominant, type II.
#include <algorithm>
#include <unordered_map>

#include "common/check.hpp"

constexpr int kThreads = 256, kWarp = 32;

/// A slot, key in the upper half and payload in the lower, as one word of 64 bits. Keys have 31
/// bits, so that none looks like an empty slot.
using Slot = unsigned long long;
constexpr Slot kNoSlot = ~0ull;

/// Multiplicative hashing; the upper bits are good.
__device__ unsigned slot_of(unsigned key, unsigned shift) { return (key * 2654435769u) >> shift; }

__global__ void build(const unsigned* keys, const unsigned* payloads, int n, Slot* table,
                      unsigned shift, unsigned mask) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= n) return;
  const Slot mine = Slot(keys[i]) << 32 | payloads[i];
  unsigned at = slot_of(keys[i], shift);
  while (atomicCAS(&table[at], kNoSlot, mine) != kNoSlot) at = (at + 1) & mask;
}

__global__ void probe(const unsigned* keys, int n, const Slot* table, unsigned shift, unsigned mask,
                      uint2* out, int* found) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const int lane = threadIdx.x % kWarp;
  bool match = false;
  unsigned payload = 0;
  if (i < n) {
    const unsigned key = keys[i];
    unsigned at = slot_of(key, shift);
    for (Slot slot = table[at]; slot != kNoSlot; slot = table[at = (at + 1) & mask]) {
      if (slot >> 32 != key) continue;
      match = true;
      payload = static_cast<unsigned>(slot);
      break;
    }
  }
  const unsigned who = __ballot_sync(0xffffffff, match);
  int place = 0;
  if (lane == 0 && who != 0) place = atomicAdd(found, __popc(who));
  place = __shfl_sync(0xffffffff, place, 0) + __popc(who & ((1u << lane) - 1));
  if (match) out[place] = make_uint2(i, payload);
}

int main(int argc, char** argv) {
  const int build_rows = workload::size_argument(argc, argv, 1, 2048, 1, 1 << 24);
  const int probe_rows = workload::size_argument(argc, argv, 2, 8192, 1, 1 << 26);
  workload::no_more_arguments(argc, argv, 2);
  // At most half full: 2^bits slots.
  unsigned bits = 2;
  while ((1 << bits) < 2 * build_rows) ++bits;

  // Unique keys: an odd factor permutes the numbers; every second one is in the smaller table.
  workload::Random random(1);
  std::vector<unsigned> build_keys(build_rows), payloads(build_rows), probe_keys(probe_rows);
  for (int i = 0; i < build_rows; ++i) {
    build_keys[i] = 2u * i * 0x9e3779b1u & ~0x80000000u;
    payloads[i] = random.next();
  }
  for (unsigned& key : probe_keys) key = random.below(2 * build_rows) * 0x9e3779b1u & ~0x80000000u;

  const workload::DeviceArray<unsigned> dbuild(build_keys), dpayloads(payloads), dprobe(probe_keys);
  const workload::DeviceArray<Slot> table(std::size_t(1) << bits);
  CHECK_CUDA(cudaMemset(table, 0xff, table.size() * sizeof(Slot)));
  const workload::DeviceArray<uint2> out(probe_rows);
  workload::DeviceArray<int> found(1);
  found.zero();
  const unsigned mask = (1u << bits) - 1;
  build<<<workload::blocks_for(build_rows, kThreads), kThreads>>>(dbuild, dpayloads, build_rows,
                                                                  table, 32 - bits, mask);
  probe<<<workload::blocks_for(probe_rows, kThreads), kThreads>>>(dprobe, probe_rows, table,
                                                                  32 - bits, mask, out, found);
  workload::finish_kernels();

  // Which warp appends first is left open; the pairs in the order of the larger table are not.
  std::vector<uint2> pairs = out.download();
  pairs.resize(found.download()[0]);
  std::sort(pairs.begin(), pairs.end(), [](uint2 a, uint2 b) { return a.x < b.x; });
  std::unordered_map<unsigned, unsigned> payload_of;
  for (int i = 0; i < build_rows; ++i) payload_of.emplace(build_keys[i], payloads[i]);
  std::vector<unsigned> got, expected;
  for (const uint2& pair : pairs) got.insert(got.end(), {pair.x, pair.y});
  for (int i = 0; i < probe_rows; ++i) {
    const auto match = payload_of.find(probe_keys[i]);
    if (match != payload_of.end()) expected.insert(expected.end(), {unsigned(i), match->second});
  }
  workload::Verdict verdict;
  verdict.require(payload_of.size() == std::size_t(build_rows), "keys are unique");
  verdict.equal("pairs", got, expected);
  return verdict.done();
}
