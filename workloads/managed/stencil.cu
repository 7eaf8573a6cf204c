// SPDX-License-Identifier: Apache-2.0
// stencil [kib = 1024] [form = 0] [steps = 3]: each cell of a square grid becomes a mix of itself
// and its four neighbours; two grids take kib KiB together and change places after every step.
//
// Pages: a step streams over both grids; a page is used by the rows above and below too, soon after
// one another, and again in the next step.
#include <cmath>
#include <utility>

#include "managed.hpp"

__global__ void step(const unsigned* in, unsigned* out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  const int at = y * n + x;
  if (x == 0 || y == 0 || x == n - 1 || y == n - 1) {
    out[at] = in[at];
    return;
  }
  out[at] = 3 * in[at] + in[at - 1] + in[at + 1] + in[at - n] + in[at + n];
}

int main(int argc, char** argv) {
  const int kib = workload::size_argument(argc, argv, 1, 1024, 1, 1 << 21);
  const workload::Form form = workload::form_argument(argc, argv, 2);
  const int steps = workload::size_argument(argc, argv, 3, 3, 1, 1000);
  workload::no_more_arguments(argc, argv, 3);
  const int n = static_cast<int>(std::sqrt(kib * 128.0));
  auto now = workload::numbers(static_cast<std::size_t>(n) * n, 1), next = now;
  const workload::SharedArray<unsigned> a(now, form), b(now.size(), 0u, form);

  const dim3 block(32, 8);
  const dim3 grid(workload::blocks_for(n, block.x), workload::blocks_for(n, block.y));
  for (int s = 0; s < steps; ++s) {
    step<<<grid, block>>>(s % 2 ? b : a, s % 2 ? a : b, n);
    for (int y = 1; y < n - 1; ++y)
      for (int x = 1; x < n - 1; ++x) {
        const int at = y * n + x;
        next[at] = 3 * now[at] + now[at - 1] + now[at + 1] + now[at - n] + now[at + n];
      }
    std::swap(now, next);
  }
  workload::finish_kernels();
  workload::Verdict verdict;
  verdict.equal("grid", (steps % 2 ? b : a).read(), now);
  return verdict.done();
}
