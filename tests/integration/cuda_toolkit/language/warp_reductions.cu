// SPDX-License-Identifier: Apache-2.0
// Reductions of a warp by one instruction, of all its lanes and of some; and a compare-and-swap of
// 16 bits.
#include <cstdio>

__global__ void reduce(int* out, unsigned* bits, unsigned short* small) {
  const int lane = threadIdx.x;
  const int value = 3 * lane - 20;
  if (lane % 2 == 0) {
    out[lane] = __reduce_add_sync(0x55555555, value);
  } else {
    out[lane] = __reduce_min_sync(0xaaaaaaaa, value) + 1000 * __reduce_max_sync(0xaaaaaaaa, value);
  }
  __syncwarp();
  const unsigned word = 1u << lane;
  bits[lane] = __reduce_or_sync(~0u, word) ^ __reduce_and_sync(~0u, ~word) ^
               __reduce_xor_sync(~0u, word | 1);
  // Every lane adds one to the same half of a word.
  unsigned short seen = small[1], before;
  do {
    before = seen;
    seen = atomicCAS(&small[1], before, static_cast<unsigned short>(before + 1));
  } while (seen != before);
}

int main() {
  int* out = nullptr;
  unsigned* bits = nullptr;
  unsigned short* small = nullptr;
  if (cudaMallocManaged(&out, 128) || cudaMallocManaged(&bits, 128) || cudaMallocManaged(&small, 4))
    return 1;
  small[0] = 7;
  small[1] = 65530;
  reduce<<<1, 32>>>(out, bits, small);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  int sum = 0, failures = 0;
  for (int lane = 0; lane < 32; lane += 2) sum += 3 * lane - 20;
  for (int lane = 0; lane < 32; ++lane) {
    failures += out[lane] != (lane % 2 == 0 ? sum : -17 + 1000 * (3 * 31 - 20));
    // Every bit is in the OR and none in the AND; the XOR lacks the lowest, which 32 words have.
    failures += bits[lane] != 1;
  }
  failures += small[0] != 7 || small[1] != static_cast<unsigned short>(65530 + 32);
  if (failures == 0) std::puts("PASS");
  return failures;
}
