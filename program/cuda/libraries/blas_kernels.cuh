// SPDX-License-Identifier: Apache-2.0
// Kernels of BLAS over any type of number. Matrices are stored by columns, as in Fortran.
#pragma once

#include <cuda_fp16.h>

#include "blas_numbers.cuh"

namespace warpmem_blas {

constexpr int kThreads = 256;    // of a block in one dimension
constexpr int kMostBlocks = 64;  // of a sum, which a last block adds up

/// A number that the program gives by value, or whose place in device memory it gives.
template <class T>
struct Scalar {
  T value;
  const T* place;
  __device__ T get() const { return place != nullptr ? *place : value; }
};

/// A vector as BLAS has it: with a negative step it begins at its end.
template <class T>
struct Vector {
  T* data;
  long long step;
  long long first;
  __device__ T& operator[](long long i) const { return data[first + i * step]; }
};

/// How an element of op(A) is found in A.
enum class Form { plain, transposed, conjugated, symmetric_upper, symmetric_lower, upper, lower };

template <class T>
struct Matrix {
  const T* data;
  const T* const* list;  // of a batch: the matrices' places in device memory; or nullptr
  long long lead, stride;
  Form form;
  bool unit;     // triangular: ones on the diagonal
  bool flipped;  // triangular: op(A) is transposed, `form` names what is stored

  __device__ const T* of(int batch) const {
    return list != nullptr ? list[batch] : data + batch * stride;
  }
  __device__ T at(const T* a, int row, int column) const {
    switch (form) {
      case Form::plain:
        return a[row + column * lead];
      case Form::transposed:
        return a[column + row * lead];
      case Form::conjugated:
        return conjugate(a[column + row * lead]);
      case Form::symmetric_upper:
        return row <= column ? a[row + column * lead] : a[column + row * lead];
      case Form::symmetric_lower:
        return row >= column ? a[row + column * lead] : a[column + row * lead];
      default: {
        const int r = flipped ? column : row, c = flipped ? row : column;
        if (r == c && unit) return one<T>();
        return (form == Form::upper ? r <= c : r >= c) ? a[r + c * lead] : T{};
      }
    }
  }
};

/// Which elements of the result are written.
enum class Part { all, upper, lower };

template <class T>
struct Product {
  int rows, columns, inner;
  Scalar<T> alpha, beta;
  Matrix<T> a, b;
  T* c;
  T* const* c_list;
  long long c_lead, c_stride;
  Part part;
};

constexpr int kTile = 32, kInner = 16, kSide = 16, kEach = kTile / kSide;

/// C = alpha op(A) op(B) + beta C: a block makes a tile of C, a thread four elements of it.
template <class T>
__global__ void __launch_bounds__(kSide* kSide) multiply(Product<T> p) {
  __shared__ T a_tile[kInner][kTile + 1], b_tile[kInner][kTile + 1];
  const T* const a = p.a.of(blockIdx.z);
  const T* const b = p.b.of(blockIdx.z);
  const int x = threadIdx.x, y = threadIdx.y, thread = y * kSide + x;
  const int first_row = blockIdx.x * kTile, first_column = blockIdx.y * kTile;
  typedef typename Sum<T>::type S;
  S sum[kEach][kEach] = {};
  for (int k = 0; k < p.inner; k += kInner) {
    for (int i = thread; i < kTile * kInner; i += kSide * kSide) {
      const int row = i % kTile, inner = i / kTile;
      a_tile[inner][row] = first_row + row < p.rows && k + inner < p.inner
                               ? p.a.at(a, first_row + row, k + inner)
                               : T{};
      b_tile[inner][row] = first_column + row < p.columns && k + inner < p.inner
                               ? p.b.at(b, k + inner, first_column + row)
                               : T{};
    }
    __syncthreads();
#pragma unroll
    for (int inner = 0; inner < kInner; ++inner)
#pragma unroll
      for (int i = 0; i < kEach; ++i)
#pragma unroll
        for (int j = 0; j < kEach; ++j)
          sum[i][j] = multiply_add(S(a_tile[inner][x + i * kSide]), S(b_tile[inner][y + j * kSide]),
                                   sum[i][j]);
    __syncthreads();
  }
  T* const c = p.c_list != nullptr ? p.c_list[blockIdx.z] : p.c + blockIdx.z * p.c_stride;
  const S alpha = S(p.alpha.get()), beta = S(p.beta.get());
  for (int j = 0; j < kEach; ++j)
    for (int i = 0; i < kEach; ++i) {
      const int row = first_row + x + i * kSide, column = first_column + y + j * kSide;
      if (row >= p.rows || column >= p.columns) continue;
      if (p.part == Part::upper ? row > column : p.part == Part::lower && row < column) continue;
      T& place = c[row + column * p.c_lead];
      // What C holds does not count where beta is zero; it may be no number.
      const S scaled = is_zero(beta) ? S{} : beta * S(place);
      place = T(multiply_add(alpha, sum[i][j], scaled));
    }
}

/// y = alpha op(A) x + beta y, a thread for each row of op(A).
template <class T>
__global__ void rows_times(int rows, int columns, Scalar<T> alpha, Matrix<T> a, Vector<const T> x,
                           Scalar<T> beta, Vector<T> y) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  T sum = {};
  for (int i = 0; i < columns; ++i) sum = multiply_add(a.at(a.data, row, i), x[i], sum);
  const T factor = beta.get();
  y[row] = multiply_add(alpha.get(), sum, is_zero(factor) ? T{} : factor * y[row]);
}
/// The same with a warp for each row: where op(A) is transposed, its lanes read a column together.
template <class T>
__global__ void rows_times_by_warps(int rows, int columns, Scalar<T> alpha, Matrix<T> a,
                                    Vector<const T> x, Scalar<T> beta, Vector<T> y) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  T sum = {};
  for (int i = lane; i < columns; i += 32) sum = multiply_add(a.at(a.data, row, i), x[i], sum);
  for (int reach = 16; reach > 0; reach /= 2) sum = sum + from_lane_below(sum, reach);
  if (lane != 0) return;
  const T factor = beta.get();
  y[row] = multiply_add(alpha.get(), sum, is_zero(factor) ? T{} : factor * y[row]);
}

/// A += alpha x y^T
template <class T>
__global__ void add_outer(int rows, int columns, Scalar<T> alpha, Vector<const T> x,
                          Vector<const T> y, T* a, long long lead, Part part, bool conjugates) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y;
  if (row >= rows || (part == Part::upper ? row > column : part == Part::lower && row < column))
    return;
  const T other = conjugates ? conjugate(y[column]) : y[column];
  T& place = a[row + column * lead];
  place = multiply_add(alpha.get() * x[row], other, place);
}

/// Solves op(A) X = alpha B for a column of X in each thread, or X op(A) = alpha B for a row.
template <class T>
__global__ void solve(int n, int count, Scalar<T> alpha, Matrix<T> a, bool forwards, T* b,
                      long long along, long long across, bool from_right) {
  const int which = blockIdx.x * blockDim.x + threadIdx.x;
  if (which >= count) return;
  T* const x = b + which * across;
  const T factor = alpha.get();
  for (int step = 0; step < n; ++step) {
    const int i = forwards ? step : n - 1 - step;
    T sum = factor * x[i * along];
    for (int done = 0; done < step; ++done) {
      const int k = forwards ? done : n - 1 - done;
      const T element = from_right ? a.at(a.data, k, i) : a.at(a.data, i, k);
      sum = sum - element * x[k * along];
    }
    x[i * along] = a.unit ? sum : sum / a.at(a.data, i, i);
  }
}

/// C = alpha op(A) + beta op(B)
template <class T>
__global__ void add_matrices(int rows, int columns, Scalar<T> alpha, Matrix<T> a, Scalar<T> beta,
                             Matrix<T> b, T* c, long long lead) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y;
  if (row >= rows) return;
  const T one_factor = alpha.get(), other_factor = beta.get();
  T sum = {};
  if (!is_zero(one_factor)) sum = one_factor * a.at(a.data, row, column);
  if (!is_zero(other_factor)) sum = multiply_add(other_factor, b.at(b.data, row, column), sum);
  c[row + column * lead] = sum;
}
/// C = diag(x) A or A diag(x)
template <class T>
__global__ void scale_matrix(int rows, int columns, const T* a, long long a_lead, Vector<const T> x,
                             bool by_rows, T* c, long long lead) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y;
  if (row < rows) c[row + column * lead] = a[row + column * a_lead] * x[by_rows ? row : column];
}

template <class T>
__global__ void add_scaled(int n, Scalar<T> alpha, Vector<const T> x, Vector<T> y) {
  const T factor = alpha.get();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = multiply_add(factor, x[i], y[i]);
}
template <class T, class F>
__global__ void scale(int n, Scalar<F> alpha, Vector<T> x) {
  const F factor = alpha.get();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    x[i] = x[i] * factor;
}
template <class T>
__global__ void copy(int n, Vector<const T> x, Vector<T> y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = x[i];
}
template <class T>
__global__ void exchange(int n, Vector<T> x, Vector<T> y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const T old = x[i];
    x[i] = y[i];
    y[i] = old;
  }
}
template <class T>
__global__ void rotate(int n, Vector<T> x, Vector<T> y, Scalar<T> c, Scalar<T> s) {
  const T cosine = c.get(), sine = s.get();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const T a = x[i], b = y[i];
    x[i] = cosine * a + sine * b;
    y[i] = cosine * b - sine * a;
  }
}

/// What a sum is of, and what becomes of it in the end.
enum class Reduction { dot, dot_conjugated, absolute, squares };

template <class T, class R>
__device__ R term(Reduction what, const Vector<const T>& x, const Vector<const T>& y, int i) {
  switch (what) {
    case Reduction::absolute:
      return from_real<R>(magnitude1(x[i]));
    case Reduction::squares:
      return from_real<R>(square(x[i]));
    case Reduction::dot_conjugated:
      return cast<R>(conjugate(x[i]) * y[i]);
    default:
      return cast<R>(x[i] * y[i]);
  }
}

/// Adds up within a block, in the same order in every run.
template <class R>
__device__ R block_sum(R value) {
  __shared__ R parts[kThreads];
  parts[threadIdx.x] = value;
  for (int reach = kThreads / 2; reach > 0; reach /= 2) {
    __syncthreads();
    if (threadIdx.x < reach) parts[threadIdx.x] = parts[threadIdx.x] + parts[threadIdx.x + reach];
  }
  __syncthreads();
  return parts[0];
}
template <class T, class R>
__global__ void sum_blocks(int n, Reduction what, Vector<const T> x, Vector<const T> y, R* parts) {
  R sum = {};
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum = sum + term<T, R>(what, x, y, i);
  sum = block_sum(sum);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}
template <class R>
__global__ void sum_parts(int n, const R* parts, bool takes_root, R* result) {
  R sum = {};
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum = sum + parts[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) *result = takes_root ? root(sum) : sum;
}

/// The first place, from 1, of the element of the largest magnitude, or of the smallest; 0 in none.
template <class T>
__global__ void find_extreme(int n, Vector<const T> x, bool largest, int* result) {
  typedef typename Real<T>::type R;
  __shared__ R values[kThreads];
  __shared__ int places[kThreads];
  R best = R(0);
  int place = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const R value = magnitude1(x[i]);
    if (place == 0 || (largest ? value > best : value < best)) best = value, place = i + 1;
  }
  values[threadIdx.x] = best;
  places[threadIdx.x] = place;
  for (int reach = kThreads / 2; reach > 0; reach /= 2) {
    __syncthreads();
    if (threadIdx.x >= reach) continue;
    const R other = values[threadIdx.x + reach];
    const int other_place = places[threadIdx.x + reach], own_place = places[threadIdx.x];
    const R own = values[threadIdx.x];
    const bool better = largest ? other > own : other < own;
    if (other_place != 0 &&
        (own_place == 0 || better || (other == own && other_place < own_place))) {
      values[threadIdx.x] = other;
      places[threadIdx.x] = other_place;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) *result = places[0];
}

}  // namespace warpmem_blas
