// SPDX-License-Identifier: Apache-2.0
// thrash [kib = 1024] [form = 0] [rounds = 3]: goes over an array of kib KiB from end to end, round
// after round, and changes all of it.
//
// Pages: each is used once a round. As soon as memory is smaller than the array, an evictor by last
// use throws out what the next round needs first.
#include "managed.hpp"

__global__ void change(unsigned* a, int n, unsigned round) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 5 * a[i] + round;
}

int main(int argc, char** argv) {
  const int kib = workload::size_argument(argc, argv, 1, 1024, 1, 1 << 21);
  const workload::Form form = workload::form_argument(argc, argv, 2);
  const int rounds = workload::size_argument(argc, argv, 3, 3, 1, 1000);
  workload::no_more_arguments(argc, argv, 3);
  const int n = kib * 256;
  auto a = workload::numbers(n, 1);
  const workload::SharedArray<unsigned> da(a, form);

  constexpr unsigned kBlock = 256;
  for (int r = 0; r < rounds; ++r) {
    change<<<workload::blocks_for(n, kBlock), kBlock>>>(da, n, r);
    for (unsigned& value : a) value = 5 * value + r;
  }
  workload::finish_kernels();
  workload::Verdict verdict;
  verdict.equal("a", da.read(), a);
  return verdict.done();
}
