// SPDX-License-Identifier: Apache-2.0
// Rate of atomic additions whose result nobody reads, by all SMs, a block of 8 warps each:
//   one      every lane of every warp adds to one word
//   many     every lane has a word of its own; the warps go over LINES lines of 128 B (rounded down
//            to a power of two), each in an order of its own
//   sectors  LANES neighbouring lanes add to one word, WORDS such words are in one sector of 32 B,
//            and the sectors are anywhere in LINES lines; what is counted are sectors
// Launches of ROUNDS and of 3 * ROUNDS are compared, so that beginning and end do not count.
//
// arguments: [one|many|sectors [ROUNDS [LINES [WORDS [LANES]]]]] (one, 4, 2048, 1, 1); WORDS is 1,
// 2, 4 or 8, LANES a power of two of at most 32 / WORDS
#include <string>

#include "micro.hpp"

constexpr unsigned kThreads = 256, kWarps = kThreads / 32;
constexpr unsigned kAdds = 8;  // of a warp in a round

// What the lanes of an instruction share: `lanes` a word, `words` in a unit of `unit` bytes, of
// which there are 2 to the power of `bits`.
struct Sharing {
  unsigned lanes, words, unit, bits;
  __host__ __device__ unsigned units() const { return 32 / (lanes * words); }  // an instruction
};

// Of add `i` of a warp in a round each unit of the instruction has a place of its own; the warps go
// over all places in orders that have nothing in common. A round costs an exclusive or for each
// add, so that few warps keep the memory busy.
__host__ __device__ inline unsigned hashed(unsigned n, unsigned bits) {
  return (n + 1) * 2654435761u >> (32 - bits);
}
__host__ __device__ inline unsigned first_place(const Sharing& sharing, unsigned warp, unsigned i,
                                                unsigned lane) {
  const unsigned unit = lane / (sharing.lanes * sharing.words);
  return hashed((warp * kAdds + i) * sharing.units() + unit, sharing.bits);
}
__host__ __device__ inline unsigned turn(const Sharing& sharing, unsigned round) {
  return hashed(round * 7, sharing.bits);
}

// `words` begin at a multiple of all of them.
__global__ void add(unsigned* words, Sharing sharing, unsigned rounds, micro::Span* spans) {
  const unsigned warp = blockIdx.x * kWarps + threadIdx.x / 32, lane = threadIdx.x % 32;
  std::size_t first[kAdds];
#pragma unroll
  for (unsigned i = 0; i < kAdds; ++i)
    first[i] = reinterpret_cast<std::size_t>(words + lane / sharing.lanes % sharing.words) +
               std::size_t(first_place(sharing, warp, i, lane)) * sharing.unit;
  micro::begin_span(spans);
  for (unsigned r = 0; r < rounds; ++r) {
    const std::size_t turned = std::size_t(turn(sharing, r)) * sharing.unit;
    std::size_t p[kAdds];
#pragma unroll
    for (unsigned i = 0; i < kAdds; ++i) {
      p[i] = first[i] ^ turned;
      asm volatile("" : "+l"(p[i]));  // here, so that nothing is left to do between the adds
    }
#pragma unroll
    for (unsigned i = 0; i < kAdds; ++i) atomicAdd(reinterpret_cast<unsigned*>(p[i]), 1);
  }
  micro::end_span(spans);
}

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "one";
  if (mode != "one" && mode != "many" && mode != "sectors") {
    std::fprintf(stderr, "%s: mode %s; it is one, many or sectors\n", argv[0], mode.c_str());
    return 1;
  }
  workload::no_more_arguments(argc, argv, mode == "sectors" ? 5 : 3);
  const unsigned rounds = workload::size_argument(argc, argv, 2, 4);
  unsigned line_bits = 1;
  while (2u << line_bits <= static_cast<unsigned>(workload::size_argument(argc, argv, 3, 2048, 2)))
    ++line_bits;
  Sharing sharing{32, 1, 0, line_bits};
  if (mode == "many") sharing = {1, 32, 128, line_bits};
  if (mode == "sectors") {
    sharing = {1, 1, 32, line_bits + 2};
    sharing.words = workload::size_argument(argc, argv, 4, 1, 1, 8);
    sharing.lanes = workload::size_argument(argc, argv, 5, 1, 1, 32 / sharing.words);
    const auto is_power = [](unsigned n) { return (n & (n - 1)) == 0; };
    if (!is_power(sharing.words) || !is_power(sharing.lanes)) {
      std::fprintf(stderr, "%s: WORDS and LANES are powers of two\n", argv[0]);
      return 1;
    }
  }
  const unsigned blocks = micro::sms();
  const std::size_t count = std::size_t(32) << line_bits;
  micro::DeviceArray<unsigned> memory(2 * count);
  memory.zero();
  const std::size_t bytes = count * sizeof(unsigned);
  const auto words = reinterpret_cast<unsigned*>(
      (reinterpret_cast<std::size_t>(memory.get()) + bytes - 1) / bytes * bytes);
  micro::DeviceArray<micro::Span> spans(blocks);
  micro::touch_all(words, bytes);

  std::vector<unsigned> expected(count);
  const auto launch = [&](unsigned n) {
    add<<<blocks, kThreads>>>(words, sharing, n, spans);
    workload::finish_kernels();
    for (unsigned w = 0; w < blocks * kWarps; ++w)
      for (unsigned r = 0; r < n; ++r)
        for (unsigned i = 0; i < kAdds; ++i)
          for (unsigned lane = 0; lane < 32; ++lane) {
            const unsigned place = first_place(sharing, w, i, lane) ^ turn(sharing, r);
            ++expected[place * (sharing.unit / sizeof(unsigned)) +
                       lane / sharing.lanes % sharing.words];
          }
    return micro::cycles_of(spans);
  };
  const double shorter = launch(rounds);
  const double cycles = launch(3 * rounds) - shorter;
  workload::Verdict verdict;
  const std::vector<unsigned> all = memory.download();
  const auto begin = all.begin() + (words - memory.get());
  verdict.equal("words", std::vector<unsigned>(begin, begin + count), expected);
  const double instructions = 2.0 * rounds * kAdds * blocks * kWarps;
  if (mode == "sectors")
    micro::report(instructions * sharing.units(), cycles, "sectors a cycle");
  else
    micro::report(instructions * 32, cycles, "operations a cycle");
  return verdict.done();
}
