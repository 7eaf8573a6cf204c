// SPDX-License-Identifier: Apache-2.0
// aes [blocks = 4096]: AES-128 encryption of 16-byte blocks (ECB), one block a thread, S-box and
// round keys in shared memory.
//
// Stands for: AES of the GPGPU-Sim benchmarks.
// Memory: 16-byte vector loads and stores, coalesced; table look-ups at data-dependent shared
// addresses (bank conflicts); arithmetic dominates.
// In the papers: KI (docs/references.md).
// Measured (131072): un-coalesced, primary-miss-predominant, type II.
#include <cstring>

#include "common/check.hpp"

constexpr int kRounds = 10;

// Multiplication by x in GF(2^8) with the AES polynomial.
__device__ __host__ inline unsigned char doubled(unsigned char v) {
  return static_cast<unsigned char>(v << 1 ^ (v & 0x80 ? 0x1b : 0));
}

__device__ __host__ inline void encrypt(unsigned char* s, const unsigned char* box,
                                        const unsigned char* key) {
  for (int i = 0; i < 16; ++i) s[i] ^= key[i];
  for (int round = 1; round <= kRounds; ++round) {
    unsigned char t[16];
    for (int column = 0; column < 4; ++column)
      for (int row = 0; row < 4; ++row)
        t[4 * column + row] = box[s[4 * ((column + row) & 3) + row]];
    for (int column = 0; column < 4; ++column) {
      unsigned char* const c = t + 4 * column;
      if (round < kRounds) {
        const unsigned char all = c[0] ^ c[1] ^ c[2] ^ c[3], first = c[0];
        for (int row = 0; row < 4; ++row)
          c[row] ^= all ^ doubled(c[row] ^ (row < 3 ? c[row + 1] : first));
      }
      for (int row = 0; row < 4; ++row)
        s[4 * column + row] = c[row] ^ key[16 * round + 4 * column + row];
    }
  }
}

__global__ void encrypt_blocks(const uint4* in, uint4* out, const unsigned char* tables,
                               int blocks) {
  __shared__ unsigned char shared[256 + 16 * (kRounds + 1)];
  for (int i = threadIdx.x; i < int(sizeof shared); i += blockDim.x) shared[i] = tables[i];
  __syncthreads();
  const int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b >= blocks) return;
  uint4 word = in[b];
  encrypt(reinterpret_cast<unsigned char*>(&word), shared, shared + 256);
  out[b] = word;
}

// The S-box: inverse in GF(2^8), then an affine map. 3 generates the field.
static std::vector<unsigned char> s_box() {
  std::vector<unsigned char> box(256);
  unsigned char p = 1, q = 1;  // q is the inverse of p
  do {
    p ^= doubled(p);
    q ^= q << 1;
    q ^= q << 2;
    q ^= q << 4;
    if (q & 0x80) q ^= 0x09;
    unsigned char affine = q;
    for (int i = 1; i <= 4; ++i) affine ^= static_cast<unsigned char>(q << i | q >> (8 - i));
    box[p] = affine ^ 0x63;
  } while (p != 1);
  box[0] = 0x63;
  return box;
}

static std::vector<unsigned char> expanded(const unsigned char* key,
                                           const std::vector<unsigned char>& box) {
  std::vector<unsigned char> w(key, key + 16);
  unsigned char constant = 1;
  for (int i = 4; i < 4 * (kRounds + 1); ++i) {
    unsigned char t[4];
    std::memcpy(t, &w[4 * (i - 1)], 4);
    if (i % 4 == 0) {
      const unsigned char first = t[0];
      for (int j = 0; j < 3; ++j) t[j] = box[t[j + 1]];
      t[3] = box[first];
      t[0] ^= constant;
      constant = doubled(constant);
    }
    for (int j = 0; j < 4; ++j) w.push_back(w[4 * (i - 4) + j] ^ t[j]);
  }
  return w;
}

int main(int argc, char** argv) {
  const int blocks = workload::size_argument(argc, argv, 1, 4096, 1, 1 << 24);
  workload::no_more_arguments(argc, argv, 1);
  // Key and first block of the worked example in FIPS 197, appendix B.
  const unsigned char key[16] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                 0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
  const unsigned char plain[16] = {0x32, 0x43, 0xf6, 0xa8, 0x88, 0x5a, 0x30, 0x8d,
                                   0x31, 0x31, 0x98, 0xa2, 0xe0, 0x37, 0x07, 0x34};
  const unsigned char cipher[16] = {0x39, 0x25, 0x84, 0x1d, 0x02, 0xdc, 0x09, 0xfb,
                                    0xdc, 0x11, 0x85, 0x97, 0x19, 0x6a, 0x0b, 0x32};
  workload::Random random(1);
  std::vector<uint4> in(blocks);
  for (uint4& v : in) v = make_uint4(random.next(), random.next(), random.next(), random.next());
  std::memcpy(&in[0], plain, 16);
  const std::vector<unsigned char> box = s_box(), keys = expanded(key, box);
  std::vector<unsigned char> tables(box);
  tables.insert(tables.end(), keys.begin(), keys.end());
  const workload::DeviceArray<uint4> din(in), dout(blocks);
  const workload::DeviceArray<unsigned char> dtables(tables);

  constexpr unsigned kBlock = 256;
  encrypt_blocks<<<workload::blocks_for(blocks, kBlock), kBlock>>>(din, dout, dtables, blocks);
  workload::finish_kernels();

  const std::vector<uint4> out = dout.download();
  workload::Verdict verdict;
  verdict.require(std::memcmp(&out[0], cipher, 16) == 0, "the example of FIPS 197");
  std::vector<unsigned> got, expected;
  for (int b = 0; b < blocks; ++b) {
    encrypt(reinterpret_cast<unsigned char*>(&in[b]), box.data(), keys.data());
    got.insert(got.end(), {out[b].x, out[b].y, out[b].z, out[b].w});
    expected.insert(expected.end(), {in[b].x, in[b].y, in[b].z, in[b].w});
  }
  verdict.equal("cipher", got, expected);
  return verdict.done();
}
