// SPDX-License-Identifier: Apache-2.0
// Bandwidth of lines that lie STRIDE bytes apart, each read by a whole warp past L1D (volatile), by
// all SMs, in blocks of 8 warps. A stride of the partitions times memory.interleave brings all
// of them to one partition, one of a row of every bank besides to one bank, unless the machine
// hashes the addresses.
//   l2    each block reads all of LINES lines, which have been read before, ROUNDS times over
//   dram  the blocks together read ROUNDS * LINES lines that nobody has read, 64 at a time; a block
//         that has read its lines takes the next ones, so that all end together although some are
//         nearer to what they read
// Launches of ROUNDS and of 3 * ROUNDS are compared, so that beginning and end do not count.
//
// arguments: [l2|dram [STRIDE [LINES [ROUNDS [BLOCKS of an SM]]]]] (l2, 2048, 64, 4, 1)
#include <string>

#include "micro.hpp"

constexpr unsigned kThreads = 256, kWarps = kThreads / 32;
constexpr unsigned kLoads = 8;  // of a warp at a time
constexpr unsigned kShare = kWarps * kLoads;

__device__ unsigned load_word(const char* line) {
  unsigned value;
  asm volatile("ld.volatile.global.u32 %0, [%1];"
               : "=r"(value)
               : "l"(line + threadIdx.x % 32 * 4)
               : "memory");
  return value;
}

__device__ unsigned sum_of(const unsigned (&v)[kLoads]) {
  unsigned sum = 0;
#pragma unroll
  for (unsigned i = 0; i < kLoads; ++i) sum += v[i];
  return sum;
}

// The last loads of a warp are added up. A warp reads `count` lines, kWarps apart, modulo `lines`.
__global__ void read_lines(const char* base, std::size_t stride, unsigned lines, unsigned count,
                           unsigned block_step, unsigned* sums, micro::Span* spans) {
  unsigned line = (blockIdx.x * block_step + threadIdx.x / 32) % lines;
  const unsigned step = kWarps % lines;
  unsigned v[kLoads];
  micro::begin_span(spans);
  for (unsigned n = 0; n < count; n += kLoads) {
#pragma unroll
    for (unsigned i = 0; i < kLoads; ++i) {
      v[i] = load_word(base + line * stride);
      line += step;
      if (line >= lines) line -= lines;
    }
    __syncthreads();  // the warps keep together
  }
  const unsigned sum = sum_of(v);
  micro::end_span(spans);
  sums[blockIdx.x * kThreads + threadIdx.x] = sum;
}

// `taken` counts the lines that blocks have taken beyond the first two shares of each. A block asks
// a share ahead, and a load waits for the one before it into its register only, so that each warp
// always has kLoads loads under way. Blocks begin at different lines of their shares, since all
// shares begin in the same partition of a machine that does not hash.
__global__ void share_lines(const char* base, std::size_t stride, unsigned lines, unsigned* taken,
                            unsigned* sums, micro::Span* spans) {
  __shared__ unsigned next[2];
  unsigned first = blockIdx.x * kShare;
  unsigned ahead = first + gridDim.x * kShare;  // of thread 0
  unsigned v[kLoads] = {}, sum = 0;
  micro::begin_span(spans);
  for (unsigned turn = 0; first < lines; turn ^= 1) {
    if (threadIdx.x == 0) {
      next[turn] = ahead;
      ahead = 2 * gridDim.x * kShare + atomicAdd(taken, kShare);
    }
    const char* const line = base + (first + threadIdx.x / 32) * stride;
#pragma unroll
    for (unsigned i = 0; i < kLoads; ++i) {
      sum += v[i];
      v[i] = load_word(line + (i + blockIdx.x) % kLoads * kWarps * stride);
    }
    __syncthreads();  // `next` of this turn is written, and read before it is written again
    first = next[turn];
  }
  sum += sum_of(v);
  micro::end_span(spans);
  sums[blockIdx.x * kThreads + threadIdx.x] = sum;
}

unsigned word(unsigned line, unsigned lane) { return line * 37 + lane * 5 + 1; }

// Launches over the lines of one array, and what they come to.
class Camping {
 public:
  Camping(std::size_t stride, unsigned lines, unsigned blocks)
      : stride_(stride),
        lines_(lines),
        blocks_(blocks),
        memory_((lines - 1) * stride + 128),
        sums_(blocks * kThreads),
        spans_(blocks) {
    for (unsigned line = 0; line < lines; ++line) {
      unsigned words[32];
      for (unsigned lane = 0; lane < 32; ++lane) words[lane] = word(line, lane);
      CHECK_CUDA(cudaMemcpy(memory_ + line * stride, words, sizeof(words), cudaMemcpyHostToDevice));
    }
  }

  void bring_to_l2() {
    for (unsigned sector = 0; sector < 128; sector += 32)
      micro::touch<<<workload::blocks_for(lines_, 256), 256>>>(memory_ + sector, lines_,
                                                               static_cast<unsigned>(stride_));
  }

  // Cycles in which each warp of each block reads `loads` lines.
  double read_all(unsigned loads) {
    const unsigned block_step = std::max(1u, lines_ / blocks_);
    read_lines<<<blocks_, kThreads>>>(memory_, stride_, lines_, loads, block_step, sums_, spans_);
    workload::finish_kernels();
    std::vector<unsigned> expected(blocks_ * kThreads);
    for (unsigned t = 0; t < expected.size(); ++t) {
      unsigned line = (t / kThreads * block_step + t % kThreads / 32) % lines_;
      for (unsigned i = 0; i < loads; ++i, line = (line + kWarps) % lines_)
        if (i + kLoads >= loads) expected[t] += word(line, t % 32);
    }
    verdict_.equal("sums", sums_.download(), expected);
    return micro::cycles_of(spans_);
  }

  // Cycles in which the blocks together read lines first, ..., first + count - 1.
  double read_once(unsigned first, unsigned count) {
    workload::DeviceArray<unsigned> taken(std::vector<unsigned>{0});
    share_lines<<<blocks_, kThreads>>>(memory_ + first * stride_, stride_, count, taken, sums_,
                                       spans_);
    workload::finish_kernels();
    unsigned sum = 0, expected = 0;
    for (const unsigned of_thread : sums_.download()) sum += of_thread;
    for (unsigned line = first; line < first + count; ++line)
      for (unsigned lane = 0; lane < 32; ++lane) expected += word(line, lane);
    verdict_.equal("sum", std::vector<unsigned>{sum}, std::vector<unsigned>{expected});
    return micro::cycles_of(spans_);
  }

  int done() { return verdict_.done(); }

 private:
  std::size_t stride_;
  unsigned lines_, blocks_;
  micro::DeviceArray<char> memory_;
  micro::DeviceArray<unsigned> sums_;
  micro::DeviceArray<micro::Span> spans_;
  workload::Verdict verdict_;
};

int main(int argc, char** argv) {
  const std::string level = argc > 1 ? argv[1] : "l2";
  if (level != "l2" && level != "dram") {
    std::fprintf(stderr, "%s: level %s; it is l2 or dram\n", argv[0], level.c_str());
    return 1;
  }
  const std::size_t stride = workload::size_argument(argc, argv, 2, 2048, 128);
  const unsigned lines = workload::size_argument(argc, argv, 3, 64, kWarps);
  const unsigned rounds = workload::size_argument(argc, argv, 4, 4);
  const unsigned blocks = micro::sms() * workload::size_argument(argc, argv, 5, 1);
  workload::no_more_arguments(argc, argv, 5);
  const char* const unit = "bytes a cycle";
  if (level == "dram") {
    if (lines % kShare != 0) {
      std::fprintf(stderr, "%s: %u lines; they are a multiple of %u\n", argv[0], lines, kShare);
      return 1;
    }
    const unsigned all = rounds * lines;
    Camping camping(stride, 4 * all, std::min(blocks, lines / kShare));
    const double shorter = camping.read_once(0, all);
    micro::report(2.0 * all * 128, camping.read_once(all, 3 * all) - shorter, unit);
    return camping.done();
  }
  Camping camping(stride, lines, blocks);
  camping.bring_to_l2();
  const unsigned loads = rounds * ((lines / kWarps + kLoads - 1) / kLoads * kLoads);
  const double shorter = camping.read_all(loads);
  micro::report(2.0 * loads * blocks * kWarps * 128, camping.read_all(3 * loads) - shorter, unit);
  return camping.done();
}
