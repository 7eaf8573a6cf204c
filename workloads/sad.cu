// SPDX-License-Identifier: Apache-2.0
// sad [width = 96] [height = width] [range = 4]: sums of absolute differences between each 4 x 4
// block of a frame and the blocks within +-range of it in a reference frame (motion estimation).
//
// Stands for: SAD of Parboil.
// Memory: byte and short loads, misaligned in the reference frame, strongly overlapping between
// lanes (hits and secondary misses); results are written with a stride between lanes.
// In the papers: KI (docs/references.md).
// Measured (512 512 4): un-coalesced, secondary-miss-predominant (no fails), type 0.
#include <algorithm>

#include "common/check.hpp"

constexpr int kEdge = 4;

__device__ __host__ inline int clamped(int v, int most) { return v < 0 ? 0 : v > most ? most : v; }

// A block of threads looks at one 4 x 4 block; each thread at one displacement.
__global__ void sums(const unsigned char* frame, const unsigned char* reference,
                     unsigned short* out, int width, int height, int range) {
  const int side = 2 * range + 1;
  const int bx = blockIdx.x * kEdge, by = blockIdx.y * kEdge;
  for (int d = threadIdx.x; d < side * side; d += blockDim.x) {
    const int dx = d % side - range, dy = d / side - range;
    int sum = 0;
    for (int y = 0; y < kEdge; ++y)
      for (int x = 0; x < kEdge; ++x) {
        const int here = frame[min(by + y, height - 1) * width + min(bx + x, width - 1)];
        const int there =
            reference[clamped(by + y + dy, height - 1) * width + clamped(bx + x + dx, width - 1)];
        sum += abs(here - there);
      }
    out[(blockIdx.y * gridDim.x + blockIdx.x) * side * side + d] = static_cast<unsigned short>(sum);
  }
}

int main(int argc, char** argv) {
  const int width = workload::size_argument(argc, argv, 1, 96, 4, 8192);
  const int height = workload::size_argument(argc, argv, 2, width, 4, 8192);
  const int range = workload::size_argument(argc, argv, 3, 4, 1, 16);
  workload::no_more_arguments(argc, argv, 3);
  const int side = 2 * range + 1;
  workload::Random random(1);
  std::vector<unsigned char> frame(std::size_t(width) * height), reference(frame.size());
  for (auto& v : frame) v = static_cast<unsigned char>(random.below(256));
  for (auto& v : reference) v = static_cast<unsigned char>(random.below(256));
  const dim3 grid(workload::blocks_for(width, kEdge), workload::blocks_for(height, kEdge));
  const workload::DeviceArray<unsigned char> dframe(frame), dreference(reference);
  const workload::DeviceArray<unsigned short> dout(std::size_t(grid.x) * grid.y * side * side);

  sums<<<grid, 64>>>(dframe, dreference, dout, width, height, range);
  workload::finish_kernels();

  std::vector<unsigned short> expected;
  for (int by = 0; by < int(grid.y) * kEdge; by += kEdge)
    for (int bx = 0; bx < int(grid.x) * kEdge; bx += kEdge)
      for (int dy = -range; dy <= range; ++dy)
        for (int dx = -range; dx <= range; ++dx) {
          int sum = 0;
          for (int y = by; y < by + kEdge; ++y)
            for (int x = bx; x < bx + kEdge; ++x)
              sum += std::abs(int(frame[std::size_t(std::min(y, height - 1)) * width +
                                        std::min(x, width - 1)]) -
                              int(reference[std::size_t(clamped(y + dy, height - 1)) * width +
                                            clamped(x + dx, width - 1)]));
          expected.push_back(static_cast<unsigned short>(sum));
        }
  workload::Verdict verdict;
  verdict.equal("sums", dout.download(), expected);
  return verdict.done();
}
