// SPDX-License-Identifier: Apache-2.0
// Locks that every thread takes for itself, in the forms in which programs have them.
#include <cuda_runtime.h>

#include <cstdio>

struct Counter {
  int lock, count;
};

__device__ void work(volatile Counter *c) {
  c->count = c->count + 1;
  __threadfence();
}

__global__ void until_done(Counter *c) {
  bool done = false;
  while (!done) {
    if (atomicCAS(&c->lock, 0, 1) == 0) {
      work(c);
      atomicExch(&c->lock, 0);
      done = true;
    }
  }
}

__global__ void do_while(Counter *c) {
  int blocked = 1;
  do {
    if (atomicExch(&c->lock, 1) == 0) {
      work(c);
      blocked = 0;
      atomicExch(&c->lock, 0);
    }
  } while (blocked);
}

__global__ void leaves_loop(Counter *c) {
  for (;;)
    if (atomicCAS(&c->lock, 0, 1) == 0) {
      work(c);
      atomicExch(&c->lock, 0);
      break;
    }
  __syncthreads();
}

__device__ void acquire(int *lock) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
}

__global__ void one_of_two(Counter *c) {
  Counter *own = c + threadIdx.x % 2;
  acquire(&own->lock);
  if (threadIdx.x % 3 == 0)
    work(own);
  else
    work(own);
  atomicExch(&own->lock, 0);
}

int main() {
  Counter *c;
  cudaMallocManaged(&c, 2 * sizeof(Counter));
  void (*const kernels[])(Counter *) = {until_done, do_while, leaves_loop, one_of_two};
  for (auto kernel : kernels) {
    c[0] = c[1] = {0, 0};
    kernel<<<2, 64>>>(c);
    if (cudaDeviceSynchronize() != cudaSuccess || c[0].count + c[1].count != 128) {
      std::printf("FAIL %d %d\n", c[0].count, c[1].count);
      return 1;
    }
  }
  std::puts("PASS");
}
