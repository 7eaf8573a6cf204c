// SPDX-License-Identifier: Apache-2.0
// Rate of atomic additions whose result nobody reads, by all SMs, a block of 8 warps each:
//   one   every lane of every warp adds to one word
//   many  every lane has a word of its own; the warps go over LINES lines of 128 B (rounded down to
//         a power of two), each in an order of its own
// Launches of ROUNDS and of 3 * ROUNDS are compared, so that beginning and end do not count.
//
// arguments: [one|many [ROUNDS [LINES]]] (one, 4, 2048)
#include <string>

#include "micro.hpp"

constexpr unsigned kThreads = 256, kWarps = kThreads / 32;
constexpr unsigned kAdds = 8;  // of a warp in a round

// The line of add `i` of a warp in round `round`: the warps go over all lines in orders that have
// nothing in common. `line_bits` is the logarithm of their number. A round costs an exclusive or
// for each add, so that few warps keep the memory busy.
__host__ __device__ inline unsigned hashed(unsigned n, unsigned line_bits) {
  return (n + 1) * 2654435761u >> (32 - line_bits);
}
__host__ __device__ inline unsigned line_of(unsigned warp, unsigned i, unsigned round,
                                            unsigned line_bits) {
  return hashed(warp * kAdds + i, line_bits) ^ hashed(round * 7, line_bits);
}

// `words` begin at a multiple of all of them. All lanes of all warps add to the first, or, with
// `many`, each to its own.
__global__ void add(unsigned* words, unsigned line_bits, unsigned rounds, unsigned many,
                    micro::Span* spans) {
  const unsigned warp = blockIdx.x * kWarps + threadIdx.x / 32;
  const std::size_t line_bytes = many * 32 * sizeof(unsigned);
  std::size_t first[kAdds];
#pragma unroll
  for (unsigned i = 0; i < kAdds; ++i)
    first[i] = reinterpret_cast<std::size_t>(words + threadIdx.x % 32 * many) +
               hashed(warp * kAdds + i, line_bits) * line_bytes;
  micro::begin_span(spans);
  for (unsigned r = 0; r < rounds; ++r) {
    const std::size_t turn = hashed(r * 7, line_bits) * line_bytes;
    std::size_t p[kAdds];
#pragma unroll
    for (unsigned i = 0; i < kAdds; ++i) {
      p[i] = first[i] ^ turn;
      asm volatile("" : "+l"(p[i]));  // here, so that nothing is left to do between the adds
    }
#pragma unroll
    for (unsigned i = 0; i < kAdds; ++i) atomicAdd(reinterpret_cast<unsigned*>(p[i]), 1);
  }
  micro::end_span(spans);
}

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "one";
  if (mode != "one" && mode != "many") {
    std::fprintf(stderr, "%s: mode %s; it is one or many\n", argv[0], mode.c_str());
    return 1;
  }
  const unsigned rounds = workload::size_argument(argc, argv, 2, 4);
  unsigned line_bits = 1;
  while (2u << line_bits <= static_cast<unsigned>(workload::size_argument(argc, argv, 3, 2048, 2)))
    ++line_bits;
  const unsigned lines = 1u << line_bits;
  const unsigned blocks = micro::sms(), many = mode == "many";
  const std::size_t count = lines * 32;
  micro::DeviceArray<unsigned> memory(2 * count);
  memory.zero();
  const std::size_t bytes = count * sizeof(unsigned);
  const auto words = reinterpret_cast<unsigned*>(
      (reinterpret_cast<std::size_t>(memory.get()) + bytes - 1) / bytes * bytes);
  micro::DeviceArray<micro::Span> spans(blocks);
  micro::touch_all(words, bytes);

  std::vector<unsigned> expected(count);
  const auto launch = [&](unsigned n) {
    add<<<blocks, kThreads>>>(words, line_bits, n, many, spans);
    workload::finish_kernels();
    for (unsigned w = 0; w < blocks * kWarps; ++w)
      for (unsigned i = 0; i < n * kAdds; ++i)
        for (unsigned lane = 0; lane < 32; ++lane)
          ++expected[(line_of(w, i % kAdds, i / kAdds, line_bits) * 32 + lane) * many];
    return micro::cycles_of(spans);
  };
  const double shorter = launch(rounds);
  const double cycles = launch(3 * rounds) - shorter;
  workload::Verdict verdict;
  const std::vector<unsigned> all = memory.download();
  const auto begin = all.begin() + (words - memory.get());
  verdict.equal("words", std::vector<unsigned>(begin, begin + count), expected);
  micro::report(2.0 * rounds * kAdds * blocks * kThreads, cycles, "operations a cycle");
  return verdict.done();
}
