// SPDX-License-Identifier: Apache-2.0
// Bandwidth of lines that lie STRIDE bytes apart, each read by a whole warp past L1D (volatile), by
// all SMs, in blocks of 8 warps. A stride of the partitions times memory.interleave brings all
// of them to one partition, one of a row of every bank besides to one bank, unless the machine
// hashes the addresses.
//   l2    each block reads all of LINES lines, which have been read before, ROUNDS times over
//   dram  the blocks together read ROUNDS * LINES lines that nobody has read; fewer blocks, where
//         they would have less than 64 lines each (128 lines an SM: at most two)
// Launches of ROUNDS and of 3 * ROUNDS are compared, so that beginning and end do not count.
//
// arguments: [l2|dram [STRIDE [LINES [ROUNDS [BLOCKS of an SM]]]]] (l2, 2048, 64, 4, 1)
#include <string>

#include "micro.hpp"

constexpr unsigned kThreads = 256, kWarps = kThreads / 32;
constexpr unsigned kLoads = 8;  // of a warp at a time

// The last loads of a warp are added up. A warp reads lines first, first + step, ... modulo
// `lines`, `count` of them.
__global__ void read_lines(const char* base, std::size_t stride, unsigned lines, unsigned count,
                           unsigned block_step, unsigned step, unsigned* sums, micro::Span* spans) {
  unsigned line = (blockIdx.x * block_step + threadIdx.x / 32) % lines;
  unsigned v[kLoads];
  micro::begin_span(spans);
  for (unsigned n = 0; n < count; n += kLoads) {
#pragma unroll
    for (unsigned i = 0; i < kLoads; ++i) {
      asm volatile("ld.volatile.global.u32 %0, [%1];"
                   : "=r"(v[i])
                   : "l"(base + line * stride + threadIdx.x % 32 * 4)
                   : "memory");
      line += step;
      if (line >= lines) line -= lines;
    }
    __syncthreads();  // the warps keep together
  }
  unsigned sum = 0;
#pragma unroll
  for (unsigned i = 0; i < kLoads; ++i) sum += v[i];
  micro::end_span(spans);
  sums[blockIdx.x * kThreads + threadIdx.x] = sum;
}

int main(int argc, char** argv) {
  const std::string level = argc > 1 ? argv[1] : "l2";
  if (level != "l2" && level != "dram") {
    std::fprintf(stderr, "%s: level %s; it is l2 or dram\n", argv[0], level.c_str());
    return 1;
  }
  const bool in_dram = level == "dram";
  const std::size_t stride = workload::size_argument(argc, argv, 2, 2048, 128);
  const unsigned lines = workload::size_argument(argc, argv, 3, 64, kWarps);
  const unsigned rounds = workload::size_argument(argc, argv, 4, 4);
  const unsigned share = kWarps * kLoads;  // lines of a block in a round
  const unsigned most = micro::sms() * workload::size_argument(argc, argv, 5, 1);
  const unsigned blocks = in_dram ? std::min(most, lines / share) : most;
  if (in_dram && (blocks == 0 || lines % (blocks * share) != 0)) {
    std::fprintf(stderr, "%s: %u lines; they are a multiple of %u, of so many for each SM in use\n",
                 argv[0], lines, share);
    return 1;
  }
  // Loads of a warp in a round, and lines of all launches.
  const unsigned loads =
      in_dram ? lines / blocks / kWarps : (lines / kWarps + kLoads - 1) / kLoads * kLoads;
  const unsigned all = in_dram ? 4 * rounds * lines : lines;

  micro::DeviceArray<char> memory((all - 1) * stride + 128);
  const auto word = [](unsigned line, unsigned lane) { return line * 37 + lane * 5 + 1; };
  for (unsigned line = 0; line < all; ++line) {
    unsigned words[32];
    for (unsigned lane = 0; lane < 32; ++lane) words[lane] = word(line, lane);
    CHECK_CUDA(cudaMemcpy(memory + line * stride, words, sizeof(words), cudaMemcpyHostToDevice));
  }
  micro::DeviceArray<unsigned> sums(blocks * kThreads);
  micro::DeviceArray<micro::Span> spans(blocks);
  for (unsigned sector = 0; !in_dram && sector < 128; sector += 32)
    micro::touch<<<workload::blocks_for(lines, 256), 256>>>(memory + sector, lines,
                                                            static_cast<unsigned>(stride));
  workload::Verdict verdict;
  const auto launch = [&](unsigned first, unsigned n) {
    const unsigned of_launch = in_dram ? n * lines : lines;
    const unsigned block_step = in_dram ? kWarps : std::max(1u, lines / blocks);
    const unsigned step = (in_dram ? blocks * kWarps : kWarps) % of_launch;
    read_lines<<<blocks, kThreads>>>(memory + first * stride, stride, of_launch, n * loads,
                                     block_step, step, sums, spans);
    workload::finish_kernels();
    std::vector<unsigned> expected(blocks * kThreads);
    for (unsigned t = 0; t < expected.size(); ++t) {
      unsigned line = (t / kThreads * block_step + t % kThreads / 32) % of_launch;
      for (unsigned i = 0; i < n * loads; ++i, line = (line + step) % of_launch)
        if (i + kLoads >= n * loads) expected[t] += word(first + line, t % 32);
    }
    verdict.equal("sums", sums.download(), expected);
    return micro::cycles_of(spans);
  };
  const double shorter = launch(0, rounds);
  const double cycles = launch(in_dram ? rounds * lines : 0, 3 * rounds) - shorter;
  micro::report(2.0 * rounds * loads * blocks * kWarps * 128, cycles, "bytes a cycle");
  return verdict.done();
}
