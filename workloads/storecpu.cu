// SPDX-License-Identifier: Apache-2.0
// storecpu [chunks = 2048] [words = 16]: a digest of every chunk of a buffer; a thread hashes one
// chunk word by word with four rotating accumulators, as MD5 does.
//
// Stands for: STO (StoreGPU) of the GPGPU-Sim benchmarks.
// Memory: each lane walks its own chunk, so a load touches 32 lines and returns to each for several
// iterations (un-coalesced, secondary misses); integer arithmetic between.
// In the papers: KI (docs/references.md).
// Measured (229376 16): un-coalesced, primary-miss-predominant, type II.
#include "common/check.hpp"

__device__ __host__ inline unsigned rotated(unsigned v, int by) { return v << by | v >> (32 - by); }

struct Digest {
  unsigned a, b, c, d;
};

__device__ __host__ inline void absorb(Digest& h, unsigned word, int i) {
  const unsigned mixed = (h.b & h.c) | (~h.b & h.d);
  const unsigned next = h.b + rotated(h.a + mixed + word + 0x9e3779b9u * (i + 1), 7 + 5 * (i & 3));
  h.a = h.d;
  h.d = h.c;
  h.c = h.b;
  h.b = next;
}

__global__ void digest_chunks(const unsigned* data, uint4* out, int chunks, int words) {
  const int chunk = blockIdx.x * blockDim.x + threadIdx.x;
  if (chunk >= chunks) return;
  Digest h{0x01234567u, 0x89abcdefu, 0xfedcba98u, 0x76543210u};
  for (int i = 0; i < words; ++i) absorb(h, data[chunk * words + i], i);
  out[chunk] = make_uint4(h.a, h.b, h.c, h.d);
}

int main(int argc, char** argv) {
  const int chunks = workload::size_argument(argc, argv, 1, 2048, 1, 1 << 22);
  const int words = workload::size_argument(argc, argv, 2, 16, 1, 256);
  workload::no_more_arguments(argc, argv, 2);
  workload::Random random(1);
  std::vector<unsigned> data(std::size_t(chunks) * words);
  for (unsigned& v : data) v = random.next();
  const workload::DeviceArray<unsigned> ddata(data);
  const workload::DeviceArray<uint4> dout(chunks);

  constexpr unsigned kBlock = 128;
  digest_chunks<<<workload::blocks_for(chunks, kBlock), kBlock>>>(ddata, dout, chunks, words);
  workload::finish_kernels();

  std::vector<unsigned> got, expected;
  for (const uint4& h : dout.download()) got.insert(got.end(), {h.x, h.y, h.z, h.w});
  for (int chunk = 0; chunk < chunks; ++chunk) {
    Digest h{0x01234567u, 0x89abcdefu, 0xfedcba98u, 0x76543210u};
    for (int i = 0; i < words; ++i) absorb(h, data[std::size_t(chunk) * words + i], i);
    expected.insert(expected.end(), {h.a, h.b, h.c, h.d});
  }
  workload::Verdict verdict;
  verdict.equal("digest", got, expected);
  return verdict.done();
}
