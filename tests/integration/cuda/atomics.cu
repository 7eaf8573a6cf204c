// SPDX-License-Identifier: Apache-2.0
// Every atomic function and type, on global and on shared memory.
#include "common/check.hpp"

constexpr int kThreads = 96;

struct Cells {
  int i_add, i_sub, i_exch, i_min, i_max, i_and, i_or, i_xor, i_cas;
  unsigned u_add, u_min, u_max, u_inc, u_dec, u_and, u_or, u_xor;
  float f_add, f_exch;
  double d_add;
  unsigned long long l_add, l_min, l_max, l_cas, l_and, l_or, l_xor;
  long long s_min, s_max;
};

__device__ void work(Cells* c, int t) {
  atomicAdd(&c->i_add, t);
  atomicSub(&c->i_sub, 2);
  atomicExch(&c->i_exch, 77);
  atomicMin(&c->i_min, -t);
  atomicMax(&c->i_max, t - 10);
  atomicAnd(&c->i_and, ~(1 << (t % 16)));
  atomicOr(&c->i_or, 1 << (t % 20));
  atomicXor(&c->i_xor, t);
  for (int seen = c->i_cas;;) {  // an addition made of compare-and-swap
    const int before = atomicCAS(&c->i_cas, seen, seen + 3);
    if (before == seen) break;
    seen = before;
  }
  atomicAdd(&c->u_add, 0xfffffff0u);
  atomicMin(&c->u_min, 0xffffff00u - t);
  atomicMax(&c->u_max, 0x80000000u + t);
  atomicInc(&c->u_inc, 9u);
  atomicDec(&c->u_dec, 9u);
  atomicAnd(&c->u_and, 0xfffffff0u);
  atomicOr(&c->u_or, 1u << 31);
  atomicXor(&c->u_xor, 1u << (t % 32));
  atomicAdd(&c->f_add, 0.5f);
  atomicExch(&c->f_exch, 2.5f);
  atomicAdd(&c->d_add, 0.25);
  atomicAdd(&c->l_add, 1ull << 33);
  atomicMin(&c->l_min, (1ull << 63) + t);
  atomicMax(&c->l_max, (1ull << 63) + t);
  for (unsigned long long seen = c->l_cas;;) {
    const unsigned long long before = atomicCAS(&c->l_cas, seen, seen + (1ull << 40));
    if (before == seen) break;
    seen = before;
  }
  atomicAnd(&c->l_and, ~(1ull << (t % 40)));
  atomicOr(&c->l_or, 1ull << (t % 50));
  atomicXor(&c->l_xor, 1ull << (t % 64));
  atomicMin(&c->s_min, -(1ll << 40) - t);
  atomicMax(&c->s_max, (1ll << 40) + t);
}

__global__ void in_global(Cells* c) { work(c, blockIdx.x * blockDim.x + threadIdx.x); }

__global__ void in_shared(Cells* c) {
  __shared__ Cells local;
  if (threadIdx.x == 0) local = *c;
  __syncthreads();
  work(&local, threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) *c = local;
}

static void compare(const Cells& c, const char* where, workload::Verdict& v) {
  const auto is = [&](bool good, const char* what) {
    if (!good) std::printf("%s: ", where);
    v.require(good, what);
  };
  is(c.i_add == kThreads * (kThreads - 1) / 2, "add int");
  is(c.i_sub == -2 * kThreads, "sub int");
  is(c.i_exch == 77, "exch int");
  is(c.i_min == 1 - kThreads, "min int");
  is(c.i_max == kThreads - 11, "max int");
  is(c.i_and == 0x7fff0000, "and int");
  is(c.i_or == (1 << 20) - 1, "or int");
  is(c.i_xor == 0, "xor int");  // 0 ^ 1 ^ ... ^ 95
  is(c.i_cas == 3 * kThreads, "cas int");
  is(c.u_add == 0u - 16u * kThreads, "add unsigned");
  is(c.u_min == 0xffffff00u - (kThreads - 1), "min unsigned");
  is(c.u_max == 0x80000000u + kThreads - 1, "max unsigned");
  is(c.u_inc == kThreads % 10, "inc");
  is(c.u_dec == (10 - kThreads % 10) % 10, "dec");
  is(c.u_and == 0xfffffff0u, "and unsigned");
  is(c.u_or == 1u << 31, "or unsigned");
  is(c.u_xor == 0xffffffffu, "xor unsigned");  // three times each bit
  is(c.f_add == 0.5f * kThreads, "add float");
  is(c.f_exch == 2.5f, "exch float");
  is(c.d_add == 0.25 * kThreads, "add double");
  is(c.l_add == (unsigned long long)kThreads << 33, "add long");
  is(c.l_min == 1ull << 63, "min unsigned long long");
  is(c.l_max == (1ull << 63) + kThreads - 1, "max unsigned long long");
  is(c.l_cas == (unsigned long long)kThreads << 40, "cas long");
  is(c.l_and == ~((1ull << 40) - 1), "and long");
  is(c.l_or == (1ull << 50) - 1, "or long");
  is(c.l_xor == 0xffffffff00000000ull, "xor long");  // bits 0-31 twice, 32-63 once
  is(c.s_min == -(1ll << 40) - (kThreads - 1), "min long long");
  is(c.s_max == (1ll << 40) + kThreads - 1, "max long long");
}

int main() {
  Cells start = {};
  start.i_and = 0x7fffffff;
  start.u_min = start.u_and = 0xffffffffu;
  start.l_min = start.l_and = ~0ull;
  workload::Verdict verdict;
  workload::DeviceArray<Cells> cells(std::vector<Cells>{start});
  in_global<<<3, kThreads / 3>>>(cells);
  workload::finish_kernels();
  compare(cells.download()[0], "global", verdict);
  cells.upload({start});
  in_shared<<<1, kThreads>>>(cells);
  workload::finish_kernels();
  compare(cells.download()[0], "shared", verdict);
  return verdict.done();
}
