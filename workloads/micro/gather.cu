// SPDX-License-Identifier: Apache-2.0
// Time that an SM takes for a load that hits L1D and whose lanes touch LINES lines. Where the words
// lie in their lines is chosen by
//   apart     each lane reads another word of its line, so that no two lanes meet in a bank
//   together  the lanes of different lines read the same word of them
// Each word names the next of its line, so that each load waits for the one before; all warps of an
// SM, with two loads under way each, hide that.
//
// arguments: [LINES [apart|together]] (32, apart)
#include <cstring>

#include "micro.hpp"

constexpr unsigned kThreads = 1024, kSteps = 32, kLineWords = 32;

__device__ unsigned next(const unsigned* words, unsigned at) {
  unsigned after;
  asm volatile("ld.global.u32 %0, [%1];" : "=r"(after) : "l"(words + at) : "memory");
  return after;
}

// The word of a lane that is read first by its chain, of two that are half a line apart.
__host__ __device__ unsigned start(unsigned lane, unsigned lines, unsigned step, unsigned chain) {
  return lane % lines * kLineWords + (lane / step + chain * kLineWords / 2) % kLineWords;
}

__global__ void gather(const unsigned* words, unsigned lines, unsigned step, unsigned* last,
                       micro::Span* spans) {
  const unsigned lane = threadIdx.x % 32;
  unsigned first = start(lane, lines, step, 0), second = start(lane, lines, step, 1);
  // All lines come to L1D, and each chain takes a step.
  first = next(words, first);
  second = next(words, second);
  if (first == second) return;  // never: waits for both
  micro::begin_span(spans);
#pragma unroll
  for (unsigned i = 0; i < kSteps; ++i) {
    first = next(words, first);
    second = next(words, second);
  }
  // Storing the words is no part of what is measured.
  __syncthreads();
  if (threadIdx.x == 0) spans[0].end = micro::cycle_after(first);
  last[threadIdx.x] = first;
  last[threadIdx.x + kThreads] = second;
}

int main(int argc, char** argv) {
  const unsigned lines = workload::size_argument(argc, argv, 1, 32, 1, 32);
  workload::no_more_arguments(argc, argv, 2);
  const char* mode = argc > 2 ? argv[2] : "apart";
  const bool apart = std::strcmp(mode, "apart") == 0;
  if (!apart && std::strcmp(mode, "together") != 0) {
    std::fprintf(stderr, "%s: mode %s; it is apart or together\n", argv[0], mode);
    return 1;
  }
  const auto in_line = [](unsigned at, unsigned steps) {
    return at / kLineWords * kLineWords + (at + steps) % kLineWords;
  };
  std::vector<unsigned> host;
  for (unsigned i = 0; i < 32 * kLineWords; ++i) host.push_back(in_line(i, 1));
  const unsigned step = apart ? 1 : lines;
  workload::DeviceArray<unsigned> words(host), last(2 * kThreads);
  workload::DeviceArray<micro::Span> spans(1);
  gather<<<1, kThreads>>>(words, lines, step, last, spans);
  workload::finish_kernels();

  std::vector<unsigned> expected;
  for (unsigned i = 0; i < 2 * kThreads; ++i)
    expected.push_back(in_line(start(i % 32, lines, step, i / kThreads), kSteps + 1));
  workload::Verdict verdict;
  verdict.equal("last words", last.download(), expected);
  micro::report(micro::cycles_of(spans), 2.0 * kSteps * (kThreads / 32), "cycles a load");
  return verdict.done();
}
