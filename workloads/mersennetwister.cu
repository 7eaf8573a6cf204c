// SPDX-License-Identifier: Apache-2.0
// mersennetwister [numbers = 64]: so many random numbers from each of 4096 small Mersenne Twisters,
// a thread each, and normal ones from them by Box and Muller.
//
// Stands for: MersenneTwister of the CUDA SDK samples.
// Memory: the state of a twister is an array of 19 words in local memory, which three loads and a
// store of a number go round; numbers are written and read in streams, a number of each twister
// after the other. Few threads: 32 blocks.
// In the papers: KI (docs/references.md).
// Measured (256): un-coalesced, primary-miss-predominant, type 0.
#include <algorithm>

#include "common/check.hpp"

constexpr int kTwisters = 4096, kBlock = 128;
constexpr int kWords = 19, kMiddle = 9;  // of the state; Matsumoto and Nishimura's N and M
constexpr float kPi = 3.14159265358979f;

struct Parameters {
  unsigned matrix, mask_b, mask_c, seed;
};

/// Calls use(number, i) for so many numbers of a twister.
template <class Use>
__host__ __device__ void twist(const Parameters& p, int numbers, Use&& use) {
  unsigned state[kWords];
  state[0] = p.seed;
  for (int i = 1; i < kWords; ++i) state[i] = 1812433253u * (state[i - 1] ^ state[i - 1] >> 30) + i;
  unsigned next = state[0];
  for (int i = 0, at = 0; i < numbers; ++i) {
    const int after = at + 1 < kWords ? at + 1 : 0;
    const int middle = at + kMiddle < kWords ? at + kMiddle : at + kMiddle - kWords;
    const unsigned here = next;
    next = state[after];
    const unsigned joined = (here & 0xfffffffeu) | (next & 1u);
    unsigned x = state[middle] ^ joined >> 1 ^ (joined & 1u ? p.matrix : 0u);
    state[at] = x;
    at = after;
    x ^= x >> 12;
    x ^= x << 7 & p.mask_b;
    x ^= x << 15 & p.mask_c;
    use(x ^ x >> 18, i);
  }
}

__global__ void mersenne_twister(float* random, const Parameters* parameters, int numbers) {
  const int twister = blockIdx.x * kBlock + threadIdx.x;
  twist(parameters[twister], numbers, [&](unsigned x, int i) {
    random[twister + i * kTwisters] = (static_cast<float>(x) + 1.0f) / 4294967296.0f;
  });
}

// Pairs of a twister's numbers.
__global__ void mersenne_box_muller(float* random, int numbers) {
  const int twister = blockIdx.x * kBlock + threadIdx.x;
  for (int i = 0; i + 1 < numbers; i += 2) {
    float& first = random[twister + i * kTwisters];
    float& second = random[twister + (i + 1) * kTwisters];
    const float radius = sqrtf(-2.0f * logf(first)), angle = 2.0f * kPi * second;
    first = radius * cosf(angle);
    second = radius * sinf(angle);
  }
}

int main(int argc, char** argv) {
  const int numbers = workload::size_argument(argc, argv, 1, 64, 2, 1 << 16);
  workload::no_more_arguments(argc, argv, 1);
  std::vector<Parameters> all(kTwisters);
  workload::Random random(1);
  for (Parameters& p : all)
    p = {random.next() | 0x80000000u, random.next() & ~0x7fu, random.next() & ~0x7fffu,
         random.next()};
  const workload::DeviceArray<Parameters> parameters(all);
  const workload::DeviceArray<float> out(std::size_t(numbers) * kTwisters);

  mersenne_twister<<<kTwisters / kBlock, kBlock>>>(out, parameters, numbers);
  workload::finish_kernels();
  const std::vector<float> uniform = out.download();
  mersenne_box_muller<<<kTwisters / kBlock, kBlock>>>(out, numbers);
  workload::finish_kernels();

  std::vector<float> expected(uniform.size());
  for (int t = 0; t < kTwisters; ++t)
    twist(all[t], numbers, [&](unsigned x, int i) {
      expected[t + std::size_t(i) * kTwisters] = (static_cast<float>(x) + 1.0f) / 4294967296.0f;
    });
  std::vector<double> normal(uniform.begin(), uniform.end());
  for (int i = 0; i + 1 < numbers; i += 2)
    for (int t = 0; t < kTwisters; ++t) {
      double& first = normal[t + std::size_t(i) * kTwisters];
      double& second = normal[t + std::size_t(i + 1) * kTwisters];
      const double radius = std::sqrt(-2.0 * std::log(first)), angle = 2.0 * kPi * second;
      first = radius * std::cos(angle);
      second = radius * std::sin(angle);
    }
  workload::Verdict verdict;
  verdict.close("uniform", uniform, expected, 0);
  verdict.close("normal", out.download(), normal, 1e-3);
  return verdict.done();
}
