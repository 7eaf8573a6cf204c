// SPDX-License-Identifier: Apache-2.0
// sha256 [leaves = 2048]: the Merkle tree of that many blocks of 64 bytes: SHA-256 of each, then of
// each pair of digests, until one is left; a digest without a partner is paired with itself.
//
// Stands for: hashing in storage and in ledgers.
// Memory: a thread reads its 64 bytes by four loads of 16 bytes, which for a warp are 16 lines
// each, used up by the four together; between them are thousands of integer operations. The upper
// levels of the tree leave the machine empty.
// Measured (8192): un-coalesced, primary-miss-predominant, type 0.
#include <utility>

#include "common/check.hpp"

constexpr int kThreads = 128;
constexpr int kWords = 8;   // of a digest
constexpr int kBlock = 16;  // words that one compression takes
constexpr int kRounds = 64;
constexpr unsigned kBits = kBlock * 32;  // of a message here

__constant__ unsigned round_constant[kRounds];
__constant__ unsigned start[kWords];

__host__ __device__ inline unsigned turned(unsigned v, int by) { return v >> by | v << (32 - by); }
__device__ unsigned bytes_turned(unsigned v) { return __byte_perm(v, 0, 0x0123); }

/// One compression; `w` is the block and becomes the window of the message schedule.
__device__ __forceinline__ void compress(unsigned (&state)[kWords], unsigned (&w)[kBlock]) {
  unsigned a = state[0], b = state[1], c = state[2], d = state[3];
  unsigned e = state[4], f = state[5], g = state[6], h = state[7];
  for (int first = 0; first < kRounds; first += kBlock) {
#pragma unroll
    for (int i = 0; i < kBlock; ++i) {  // places in w are constants, so that it lies in registers
      if (first > 0) {
        const unsigned x = w[(i + 1) % kBlock], y = w[(i + 14) % kBlock];
        w[i] += (turned(x, 7) ^ turned(x, 18) ^ x >> 3) + w[(i + 9) % kBlock] +
                (turned(y, 17) ^ turned(y, 19) ^ y >> 10);
      }
      const unsigned one = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) +
                           ((e & f) ^ (~e & g)) + round_constant[first + i] + w[i];
      const unsigned two =
          (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      h = g, g = f, f = e, e = d + one;
      d = c, c = b, b = a, a = one + two;
    }
  }
  state[0] += a, state[1] += b, state[2] += c, state[3] += d;
  state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

__device__ __forceinline__ void take(unsigned* w, uint4 v) {
  w[0] = bytes_turned(v.x), w[1] = bytes_turned(v.y);
  w[2] = bytes_turned(v.z), w[3] = bytes_turned(v.w);
}

/// Digests of n messages of 64 bytes side by side. When `alone`, the last one has only its first
/// half, which is taken twice.
__global__ void __launch_bounds__(kThreads) hash(const uint4* in, uint4* out, int n, bool alone) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= n) return;
  const bool twice = alone && i == n - 1;
  unsigned state[kWords], w[kBlock];
#pragma unroll
  for (int k = 0; k < kWords; ++k) state[k] = start[k];
#pragma unroll
  for (int k = 0; k < 4; ++k) take(w + 4 * k, in[4 * size_t(i) + (twice ? k % 2 : k)]);
  compress(state, w);
  // The padding is a block of its own: a one, zeros and the length.
#pragma unroll
  for (int k = 0; k < kBlock; ++k) w[k] = 0;
  w[0] = 0x80000000u;
  w[kBlock - 1] = kBits;
  compress(state, w);
  out[2 * size_t(i)] = make_uint4(bytes_turned(state[0]), bytes_turned(state[1]),
                                  bytes_turned(state[2]), bytes_turned(state[3]));
  out[2 * size_t(i) + 1] = make_uint4(bytes_turned(state[4]), bytes_turned(state[5]),
                                      bytes_turned(state[6]), bytes_turned(state[7]));
}

/// The first 32 bits behind the point of a root.
static unsigned fraction(double root) {
  return static_cast<unsigned>((root - std::floor(root)) * 4294967296.0);
}

/// SHA-256 as FIPS 180-4 writes it, for bytes.
class Reference {
 public:
  Reference() {
    for (unsigned p = 2; k_.size() < std::size_t(kRounds); ++p) {
      bool prime = true;
      for (unsigned q = 2; q * q <= p; ++q) prime = prime && p % q != 0;
      if (!prime) continue;
      k_.push_back(fraction(std::cbrt(double(p))));
      if (h_.size() < std::size_t(kWords)) h_.push_back(fraction(std::sqrt(double(p))));
    }
  }
  const std::vector<unsigned>& constants() const { return k_; }
  const std::vector<unsigned>& start() const { return h_; }

  std::vector<unsigned char> digest(std::vector<unsigned char> message) const {
    const std::uint64_t bits = message.size() * 8;
    message.push_back(0x80);
    while (message.size() % 64 != 56) message.push_back(0);
    for (int shift = 56; shift >= 0; shift -= 8)
      message.push_back(static_cast<unsigned char>(bits >> shift));
    std::vector<unsigned> state = h_;
    for (std::size_t at = 0; at < message.size(); at += 64) add(&message[at], state);
    std::vector<unsigned char> out;
    for (unsigned word : state)
      for (int shift = 24; shift >= 0; shift -= 8)
        out.push_back(static_cast<unsigned char>(word >> shift));
    return out;
  }

 private:
  void add(const unsigned char* block, std::vector<unsigned>& state) const {
    std::vector<unsigned> w(kRounds), v = state;
    for (int t = 0; t < kRounds; ++t) {
      if (t < kBlock) {
        for (int byte = 0; byte < 4; ++byte) w[t] = w[t] << 8 | block[4 * t + byte];
      } else {
        w[t] = (turned(w[t - 2], 17) ^ turned(w[t - 2], 19) ^ w[t - 2] >> 10) + w[t - 7] +
               (turned(w[t - 15], 7) ^ turned(w[t - 15], 18) ^ w[t - 15] >> 3) + w[t - 16];
      }
    }
    for (int t = 0; t < kRounds; ++t) {
      const unsigned t1 = v[7] + (turned(v[4], 6) ^ turned(v[4], 11) ^ turned(v[4], 25)) +
                          ((v[4] & v[5]) ^ (~v[4] & v[6])) + k_[t] + w[t];
      const unsigned t2 = (turned(v[0], 2) ^ turned(v[0], 13) ^ turned(v[0], 22)) +
                          ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
      for (int i = kWords - 1; i > 0; --i) v[i] = v[i - 1];
      v[4] += t1;
      v[0] = t1 + t2;
    }
    for (int i = 0; i < kWords; ++i) state[i] += v[i];
  }

  std::vector<unsigned> k_, h_;
};

int main(int argc, char** argv) {
  const int leaves = workload::size_argument(argc, argv, 1, 2048, 1, 1 << 24);
  workload::no_more_arguments(argc, argv, 1);
  constexpr int kLeaf = 64, kDigest = 32;  // bytes
  const Reference reference;
  CHECK_CUDA(
      cudaMemcpyToSymbol(round_constant, reference.constants().data(), sizeof round_constant));
  CHECK_CUDA(cudaMemcpyToSymbol(start, reference.start().data(), sizeof start));
  workload::Random random(1);
  std::vector<unsigned char> data(std::size_t(leaves) * kLeaf);
  for (unsigned char& byte : data) byte = static_cast<unsigned char>(random.next());

  // Levels take turns in two arrays; a level is at most half as long as the one before.
  const workload::DeviceArray<unsigned char> ddata(data);
  const workload::DeviceArray<unsigned char> one(std::size_t(leaves) * kDigest);
  const workload::DeviceArray<unsigned char> other(std::size_t(leaves + 1) / 2 * kDigest);
  const auto run = [](unsigned char* from, unsigned char* to, int n, bool alone) {
    hash<<<workload::blocks_for(n, kThreads), kThreads>>>(reinterpret_cast<const uint4*>(from),
                                                          reinterpret_cast<uint4*>(to), n, alone);
  };
  run(ddata, one, leaves, false);
  workload::finish_kernels();
  const std::vector<unsigned char> digests = one.download();
  unsigned char *from = one, *to = other;
  for (int n = leaves; n > 1; n = (n + 1) / 2) {
    run(from, to, (n + 1) / 2, n % 2 != 0);
    std::swap(from, to);
  }
  workload::finish_kernels();
  std::vector<unsigned char> root(kDigest);
  CHECK_CUDA(cudaMemcpy(root.data(), from, kDigest, cudaMemcpyDeviceToHost));

  workload::Verdict verdict;
  const std::vector<unsigned char> abc = reference.digest({'a', 'b', 'c'});
  verdict.require(abc[0] == 0xba && abc[1] == 0x78 && abc[30] == 0x15 && abc[31] == 0xad,
                  "the reference gives the digest of abc that FIPS 180-4 shows");
  std::vector<unsigned char> level;
  for (int i = 0; i < leaves; ++i) {
    const auto digest =
        reference.digest({&data[std::size_t(i) * kLeaf], &data[std::size_t(i) * kLeaf] + kLeaf});
    level.insert(level.end(), digest.begin(), digest.end());
  }
  verdict.equal("digests", digests, level);
  while (level.size() > std::size_t(kDigest)) {
    if (level.size() % kLeaf != 0) {
      const std::vector<unsigned char> last(level.end() - kDigest, level.end());
      level.insert(level.end(), last.begin(), last.end());
    }
    std::vector<unsigned char> next;
    for (std::size_t at = 0; at < level.size(); at += kLeaf) {
      const auto digest = reference.digest({level.begin() + at, level.begin() + at + kLeaf});
      next.insert(next.end(), digest.begin(), digest.end());
    }
    level = next;
  }
  verdict.equal("root", root, level);
  return verdict.done();
}
