// SPDX-License-Identifier: Apache-2.0
// Passes of a Fourier transform (Stockham's, which needs no reordering), and the ways between real
// numbers and complex ones.
#pragma once

#include <cufft.h>

namespace warpmem_fft {

template <class Complex>
struct Parts;
template <>
struct Parts<cufftComplex> {
  typedef float Real;
};
template <>
struct Parts<cufftDoubleComplex> {
  typedef double Real;
};

static __device__ void unit(float turns, float* sine, float* cosine) {
  sincospif(2 * turns, sine, cosine);
}
static __device__ void unit(double turns, double* sine, double* cosine) {
  sincospi(2 * turns, sine, cosine);
}

/// The data as lines along one dimension: element i of line l is at
/// l / inner * length * inner + l % inner + i * inner.
struct Lines {
  int length, inner;
  long long elements;  ///< of all lines
};

/// One pass of radix r: sub-transforms of `left` elements, of which `done` = length / left lie
/// between each other, become r times as many. A thread makes one element.
template <class Complex>
__global__ void pass(Complex* to, const Complex* from, Lines lines, int left, int radix,
                     int direction) {
  typedef typename Parts<Complex>::Real Real;
  const long long index = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (index >= lines.elements) return;
  const long long before = index % lines.inner, line = index / lines.inner;
  const long long begin = line / lines.length * lines.length * lines.inner + before;
  const int o = static_cast<int>(line % lines.length);
  const int done = lines.length / left, part = left / radix;
  const int q = o % done, k = o / done % radix, p = o / (done * radix);
  Real x = 0, y = 0;
  for (int i = 0; i < radix; ++i) {
    const int place = p + i * part;
    const Complex a = from[begin + (q + static_cast<long long>(done) * place) * lines.inner];
    const long long turn = static_cast<long long>(k) * place % left;
    Real sine, cosine;
    unit(direction * static_cast<Real>(turn) / left, &sine, &cosine);
    x += a.x * cosine - a.y * sine;
    y += a.x * sine + a.y * cosine;
  }
  to[index].x = x;
  to[index].y = y;
}

struct Box {
  int nx, ny, nz;  ///< nz is the dimension whose elements lie side by side
};

/// Where the program has its data: element (x, y, z) of batch b is at
/// b * distance + ((x * rows + y) * columns + z) * stride.
struct Layout {
  long long distance;
  int rows, columns, stride;
};

/// The place of element `i` of boxes that follow one another.
static __device__ long long place_of(const Layout& layout, const Box& box, long long i) {
  const long long row = i / box.nz, plane = row / box.ny;
  const long long line = plane % box.nx * layout.rows + row % box.ny;
  return plane / box.nx * layout.distance + (line * layout.columns + i % box.nz) * layout.stride;
}

/// From the program's places to dense boxes, and the other way round; what is real has imaginary
/// parts of 0 there. A thread moves one element.
template <class Complex>
__global__ void gather(Complex* to, const Complex* from, Layout layout, Box box,
                       long long elements) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i < elements) to[i] = from[place_of(layout, box, i)];
}
template <class Complex>
__global__ void scatter(Complex* to, const Complex* from, Layout layout, Box box,
                        long long elements) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i < elements) to[place_of(layout, box, i)] = from[i];
}
template <class Complex>
__global__ void widen(Complex* to, const typename Parts<Complex>::Real* from, Layout layout,
                      Box box, long long elements) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= elements) return;
  to[i].x = from[place_of(layout, box, i)];
  to[i].y = 0;
}
template <class Complex>
__global__ void real_parts(typename Parts<Complex>::Real* to, const Complex* from, Layout layout,
                           Box box, long long elements) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i < elements) to[place_of(layout, box, i)] = from[i].x;
}

static __device__ Box half_of(const Box& box) { return {box.nx, box.ny, box.nz / 2 + 1}; }

/// Of a transform of real numbers the half that is not the mirror image of the other, or, from it,
/// the whole. A thread makes one element.
template <class Complex>
__global__ void halve(Complex* to, const Complex* from, Layout layout, Box box,
                      long long elements) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= elements) return;
  const Box half = half_of(box);
  to[place_of(layout, half, i)] = from[i / half.nz * box.nz + i % half.nz];
}
template <class Complex>
__global__ void complete(Complex* to, const Complex* from, Layout layout, Box box,
                         long long elements) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= elements) return;
  const Box half = half_of(box);
  const int z = static_cast<int>(i % box.nz);
  const long long row = i / box.nz;
  if (z < half.nz) {
    to[i] = from[place_of(layout, half, row * half.nz + z)];
    return;
  }
  const int y = static_cast<int>(row % box.ny), x = static_cast<int>(row / box.ny % box.nx);
  const long long batch = row / box.ny / box.nx;
  const long long mirror =
      (batch * box.nx + (box.nx - x) % box.nx) * box.ny + (box.ny - y) % box.ny;
  const Complex v = from[place_of(layout, half, mirror * half.nz + box.nz - z)];
  to[i].x = v.x;
  to[i].y = -v.y;
}

}  // namespace warpmem_fft
