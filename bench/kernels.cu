// SPDX-License-Identifier: Apache-2.0
// Kernels of the interpreter and whole-run benchmarks; compiled to PTX without any header.
#define __global__ __attribute__((global))

static __attribute__((device)) int global_id() {
  return __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() +
         __nvvm_read_ptx_sreg_tid_x();
}

extern "C" __global__ void vectoradd(const float* a, const float* b, float* c, int n) {
  const int i = global_id();
  if (i < n) c[i] = a[i] + b[i];
}

// One thread computes an element of C; rows and columns come from a linear index.
extern "C" __global__ void gemm(const float* a, const float* b, float* c, int n) {
  const int i = global_id();
  const int row = i / n;
  const int column = i % n;
  if (row >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[i] = sum;
}

// This is one level of a breadth-first search over a graph in compressed rows.
extern "C" __global__ void bfs_level(const int* rows, const int* columns, int* level, int depth,
                                     int nodes, int* changed) {
  const int node = global_id();
  if (node >= nodes || level[node] != depth) return;
  for (int e = rows[node]; e < rows[node + 1]; ++e) {
    const int neighbour = columns[e];
    if (level[neighbour] < 0) {
      level[neighbour] = depth + 1;
      *changed = 1;
    }
  }
}

// The kernel multiplies a matrix by a vector, one thread a row, so that the lanes of a warp are a
// row apart.
extern "C" __global__ void gemv(const float* a, const float* x, float* y, int n) {
  const int row = global_id();
  if (row >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * x[k];
  y[row] = sum;
}
