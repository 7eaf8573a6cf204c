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

// The line of add `i` of a warp: the warps go over all lines in orders that have nothing in common,
// for little work. `line_bits` is the logarithm of their number.
__host__ __device__ inline unsigned line_of(unsigned warp, unsigned i, unsigned line_bits) {
  const unsigned mixed = (warp + 1) * 2246822519u;
  return (i * 2654435761u >> (32 - line_bits)) ^ (mixed >> (32 - line_bits));
}

__global__ void add(unsigned* words, unsigned line_bits, unsigned rounds, unsigned many,
                    micro::Span* spans) {
  const unsigned warp = blockIdx.x * kWarps + threadIdx.x / 32;
  micro::begin_span(spans);
  for (unsigned r = 0; r < rounds; ++r) {
    unsigned* p[kAdds];
#pragma unroll
    for (unsigned i = 0; i < kAdds; ++i) {
      p[i] = words + (line_of(warp, r * kAdds + i, line_bits) * 32 + threadIdx.x % 32) * many;
      asm volatile("" : "+l"(p[i]));  // here, so that nothing is left to do between the adds
    }
#pragma unroll
    for (unsigned i = 0; i < kAdds; ++i) atomicAdd(p[i], 1);
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
  micro::DeviceArray<unsigned> words(lines * 32);
  words.zero();
  micro::DeviceArray<micro::Span> spans(blocks);
  micro::touch<<<workload::blocks_for(lines, 256), 256>>>(
      reinterpret_cast<const char*>(words.get()), lines, 128);

  std::vector<unsigned> expected(lines * 32);
  const auto launch = [&](unsigned n) {
    add<<<blocks, kThreads>>>(words, line_bits, n, many, spans);
    workload::finish_kernels();
    for (unsigned w = 0; w < blocks * kWarps; ++w)
      for (unsigned i = 0; i < n * kAdds; ++i)
        for (unsigned lane = 0; lane < 32; ++lane)
          ++expected[(line_of(w, i, line_bits) * 32 + lane) * many];
    return micro::cycles_of(spans);
  };
  const double shorter = launch(rounds);
  const double cycles = launch(3 * rounds) - shorter;
  workload::Verdict verdict;
  verdict.equal("words", words.download(), expected);
  micro::report(2.0 * rounds * kAdds * blocks * kThreads, cycles, "operations a cycle");
  return verdict.done();
}
