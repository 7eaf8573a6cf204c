// SPDX-License-Identifier: Apache-2.0
// Bandwidth of loads at random places of memory that L2 does not hold, by all SMs with all of their
// warps. Each lane loads a word of a sector of 32 B; so many neighbouring lanes as PIECE bytes have
// sectors load those of one piece of PIECE bytes (32, 64 or 128), which may be anywhere in MIB MiB.
// Launches of ROUNDS and of 3 * ROUNDS are compared, so that beginning and end do not count.
//
// arguments: [MIB [ROUNDS [PIECE]]] (512, 1, 32)
#include "micro.hpp"

constexpr unsigned kThreads = 1024, kBlocks = 2;  // of an SM
constexpr unsigned kLoads = 8;                    // of a thread in a round
constexpr unsigned kSector = 32;

// A number that has nothing in common with that of the next n.
__host__ __device__ inline unsigned mixed(unsigned n) {
  n = (n ^ n >> 16) * 0x7feb352du;
  n = (n ^ n >> 15) * 0x846ca68bu;
  return n ^ n >> 16;
}

/// The sector of load `number` of a thread; there are 2^bits sectors.
__host__ __device__ inline unsigned sector_of(unsigned thread, unsigned number, unsigned threads,
                                              unsigned bits, unsigned sectors_of_piece) {
  const unsigned piece = mixed(number * (threads / sectors_of_piece) + thread / sectors_of_piece);
  return (piece & ((1u << bits) - 1)) / sectors_of_piece * sectors_of_piece +
         thread % sectors_of_piece;
}

__global__ void load(const unsigned* memory, unsigned bits, unsigned sectors_of_piece,
                     unsigned rounds, unsigned* sums, micro::Span* spans) {
  const unsigned threads = gridDim.x * blockDim.x, thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = 0;
  micro::begin_span(spans);
  for (unsigned r = 0; r < rounds; ++r) {
    unsigned value[kLoads];
#pragma unroll
    for (unsigned i = 0; i < kLoads; ++i)
      value[i] =
          memory[std::size_t(sector_of(thread, r * kLoads + i, threads, bits, sectors_of_piece)) *
                 (kSector / sizeof(unsigned))];
#pragma unroll
    for (unsigned i = 0; i < kLoads; ++i) sum += value[i];
  }
  sums[thread] = sum;
  micro::end_span(spans);
}

int main(int argc, char** argv) {
  const unsigned mebibytes = workload::size_argument(argc, argv, 1, 512, 1, 65536);
  const unsigned rounds = workload::size_argument(argc, argv, 2, 1);
  const unsigned piece = workload::size_argument(argc, argv, 3, kSector, kSector, 128);
  workload::no_more_arguments(argc, argv, 3);
  if (piece != 32 && piece != 64 && piece != 128) {
    std::fprintf(stderr, "%s: PIECE is 32, 64 or 128\n", argv[0]);
    return 1;
  }
  unsigned bits = 15;  // of a MiB
  while (2ull << bits <= std::uint64_t(mebibytes) << 15) ++bits;
  const std::size_t words = (std::size_t(kSector) << bits) / sizeof(unsigned);
  micro::DeviceArray<unsigned> memory(words);
  memory.zero();
  const unsigned blocks = kBlocks * micro::sms(), threads = blocks * kThreads;
  micro::DeviceArray<unsigned> sums(threads);
  micro::DeviceArray<micro::Span> spans(blocks);
  const auto launch = [&](unsigned n) {
    load<<<blocks, kThreads>>>(memory, bits, piece / kSector, n, sums, spans);
    workload::finish_kernels();
    return micro::cycles_of(spans);
  };
  const double shorter = launch(rounds);
  const double cycles = launch(3 * rounds) - shorter;
  workload::Verdict verdict;
  verdict.equal("sums", sums.download(), std::vector<unsigned>(threads));
  micro::report(2.0 * rounds * kLoads * threads, cycles, "sectors a cycle");
  return verdict.done();
}
