// SPDX-License-Identifier: Apache-2.0
// wordcount [bytes = 65536] [slots = 4096] [piece = 16]: counts the words of a text in a hash
// table; a thread looks after the words that start in its piece (bytes) and inserts with
// compare-and-swap.
//
// Stands for: WC (word count) of Mars.
// Memory: byte loads of neighbouring addresses (hits and secondary misses; with pieces as long as a
// line, a line for every lane, thrashing in a small L1D), atomics at data-dependent addresses with
// collisions; divergent loops.
// In the papers: KI (docs/references.md).
// Measured (1835008 4096): un-coalesced, primary-miss-predominant, type II.
#include <algorithm>
#include <map>
#include <string>

#include "common/check.hpp"

__device__ __host__ inline unsigned hash_of(const char* text, int begin, int end) {
  unsigned h = 2166136261u;
  for (int i = begin; i < end; ++i) h = (h ^ static_cast<unsigned char>(text[i])) * 16777619u;
  return h | 1;  // 0 marks a free slot
}

__global__ void count_words(const char* text, int bytes, unsigned* key, unsigned* count, int slots,
                            int piece) {
  const int from = (blockIdx.x * blockDim.x + threadIdx.x) * piece;
  for (int i = from; i < min(from + piece, bytes); ++i) {
    if (text[i] == ' ' || (i > 0 && text[i - 1] != ' ')) continue;
    int end = i;
    while (end < bytes && text[end] != ' ') ++end;
    const unsigned h = hash_of(text, i, end);
    for (unsigned slot = h % slots;; slot = (slot + 1) % slots) {
      const unsigned there = atomicCAS(&key[slot], 0u, h);
      if (there != 0 && there != h) continue;
      atomicAdd(&count[slot], 1u);
      break;
    }
  }
}

int main(int argc, char** argv) {
  const int bytes = workload::size_argument(argc, argv, 1, 65536, 1, 1 << 28);
  const int slots = workload::size_argument(argc, argv, 2, 4096, 1024, 1 << 24);
  const int piece = workload::size_argument(argc, argv, 3, 16, 1, 65536);
  workload::no_more_arguments(argc, argv, 3);
  workload::Random random(1);
  std::vector<char> text;
  while (static_cast<int>(text.size()) < bytes) {  // 500 words at most, short ones more often
    const int word = static_cast<int>(random.below(500) * random.unit());
    for (const char c : std::to_string(word * 7919))
      text.push_back(static_cast<char>('a' + c - '0'));
    text.push_back(' ');
  }
  text.resize(bytes);
  const workload::DeviceArray<char> dtext(text);
  workload::DeviceArray<unsigned> dkey(slots), dcount(slots);
  dkey.zero();
  dcount.zero();

  constexpr unsigned kBlock = 128;
  count_words<<<workload::blocks_for(bytes, kBlock * piece), kBlock>>>(dtext, bytes, dkey, dcount,
                                                                       slots, piece);
  workload::finish_kernels();

  std::map<unsigned, unsigned> expected, got;
  for (int i = 0; i < bytes; ++i) {
    if (text[i] == ' ') continue;
    int end = i;
    while (end < bytes && text[end] != ' ') ++end;
    ++expected[hash_of(text.data(), i, end)];
    i = end;
  }
  const auto key = dkey.download(), count = dcount.download();
  for (int s = 0; s < slots; ++s)
    if (key[s] != 0) got[key[s]] += count[s];
  workload::Verdict verdict;
  verdict.require(got == expected, "the counts differ");
  return verdict.done();
}
