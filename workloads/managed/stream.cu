// SPDX-License-Identifier: Apache-2.0
// stream [kib = 1536] [form = 0]: c = 3 a + b over three arrays that take kib KiB together.
//
// Pages: each is used once, in ascending order, in three arrays side by side.
#include "managed.hpp"

__global__ void triad(const unsigned* a, const unsigned* b, unsigned* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = 3 * a[i] + b[i];
}

int main(int argc, char** argv) {
  const int kib = workload::size_argument(argc, argv, 1, 1536, 3, 1 << 21);
  const workload::Form form = workload::form_argument(argc, argv, 2);
  workload::no_more_arguments(argc, argv, 2);
  const int n = kib * 256 / 3;
  const auto a = workload::numbers(n, 1), b = workload::numbers(n, 99);
  const workload::SharedArray<unsigned> da(a, form), db(b, form), dc(n, 0u, form);

  constexpr unsigned kBlock = 256;
  triad<<<workload::blocks_for(n, kBlock), kBlock>>>(da, db, dc, n);
  workload::finish_kernels();

  std::vector<unsigned> expected(n);
  for (int i = 0; i < n; ++i) expected[i] = 3 * a[i] + b[i];
  workload::Verdict verdict;
  verdict.equal("c", dc.read(), expected);
  return verdict.done();
}
