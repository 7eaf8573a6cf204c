// SPDX-License-Identifier: Apache-2.0
// cuFFT against sums of the definition on the host: one to three dimensions, sizes that are powers
// of two, products and primes, batches, in place and not, and the way back.
#include <cufft.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

#include "numbers.h"

static int failures = 0;

static void same(const char* what, const std::vector<Number>& got,
                 const std::vector<Number>& expected, double most) {
  for (size_t i = 0; i < expected.size(); ++i) {
    if (std::abs(got[i] - expected[i]) <= most) continue;
    if (++failures < 10)
      std::printf("%s: element %zu is %g %g, expected %g %g\n", what, i, got[i].real(),
                  got[i].imag(), expected[i].real(), expected[i].imag());
    return;
  }
}
static void require(const char* what, cufftResult got, cufftResult expected = CUFFT_SUCCESS) {
  if (got != expected) std::printf("%s: result %d, expected %d\n", what, got, expected), ++failures;
}

/// The transform of each batch by the definition, one dimension after the other.
static std::vector<Number> on_host(std::vector<Number> data, const int (&n)[3], int sign) {
  const double pi = std::acos(-1.0);
  int inner = 1;
  for (int dimension = 2; dimension >= 0; --dimension) {
    const int length = n[dimension];
    std::vector<Number> to(data.size());
    for (size_t i = 0; i < data.size(); ++i) {
      const size_t place = i / inner % length, begin = i - place * inner;
      for (int k = 0; k < length; ++k)
        to[i] += data[begin + size_t(k) * inner] *
                 std::polar(1.0, sign * 2 * pi * double(place * k % length) / length);
    }
    data = to;
    inner *= length;
  }
  return data;
}

template <class T>
struct Memory {
  T* data = nullptr;
  explicit Memory(size_t count) { cudaMalloc(&data, count * sizeof(T)); }
  ~Memory() { cudaFree(data); }
  void put(const std::vector<T>& v) {
    cudaMemcpy(data, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  }
  std::vector<T> get(size_t count) const {
    std::vector<T> v(count);
    cudaMemcpy(v.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost);
    return v;
  }
};

static cufftHandle plan_for(const int (&n)[3], int rank, cufftType type, int batch) {
  cufftHandle plan = 0;
  int sizes[3] = {n[3 - rank], rank > 1 ? n[4 - rank] : 0, n[2]};
  if (batch > 1 && rank > 1)
    require("cufftPlanMany",
            cufftPlanMany(&plan, rank, sizes, nullptr, 1, 0, nullptr, 1, 0, type, batch));
  else if (rank == 1)
    require("cufftPlan1d", cufftPlan1d(&plan, n[2], type, batch));
  else if (rank == 2)
    require("cufftPlan2d", cufftPlan2d(&plan, n[1], n[2], type));
  else
    require("cufftPlan3d", cufftPlan3d(&plan, n[0], n[1], n[2], type));
  return plan;
}

template <class Complex, class Exec>
static void check_complex(const char* what, const int (&n)[3], int rank, int batch, cufftType type,
                          double most, bool in_place, Exec exec) {
  const size_t count = size_t(n[0]) * n[1] * n[2] * batch;
  const std::vector<Number> in = numbers(count, false);
  std::vector<Complex> given(count);
  for (size_t i = 0; i < count; ++i) given[i].x = in[i].real(), given[i].y = in[i].imag();
  const cufftHandle plan = plan_for(n, rank, type, batch);
  for (const int direction : {CUFFT_FORWARD, CUFFT_INVERSE}) {
    Memory<Complex> from(count), to(count);
    from.put(given);
    require(what, exec(plan, from.data, in_place ? from.data : to.data, direction));
    std::vector<Number> got;
    for (const Complex& v : (in_place ? from : to).get(count)) got.emplace_back(v.x, v.y);
    same(what, got, on_host(in, n, direction), most);
  }
  require("cufftDestroy", cufftDestroy(plan));
}

template <class Complex, class Real, class Forth, class Back>
static void check_real(const char* what, const int (&n)[3], int rank, int batch, cufftType forth,
                       cufftType back, double most, bool in_place, Forth exec_forth,
                       Back exec_back) {
  const size_t rows = size_t(n[0]) * n[1] * batch, count = rows * n[2];
  const int half = n[2] / 2 + 1, step = in_place ? 2 * half : n[2];
  const std::vector<Number> in = numbers(count, true);
  const std::vector<Number> whole = on_host(in, n, CUFFT_FORWARD);
  std::vector<Real> given(rows * step);
  std::vector<Number> expected(rows * half), scaled(count);
  for (size_t row = 0; row < rows; ++row)
    for (int z = 0; z < n[2]; ++z) {
      given[row * step + z] = Real(in[row * n[2] + z].real());
      scaled[row * n[2] + z] = in[row * n[2] + z] * (double(count) / batch);
      if (z < half) expected[row * half + z] = whole[row * n[2] + z];
    }
  Memory<Complex> spectrum(rows * half);
  Memory<Real> real(rows * step);
  Real* const place = in_place ? reinterpret_cast<Real*>(spectrum.data) : real.data;
  cudaMemcpy(place, given.data(), given.size() * sizeof(Real), cudaMemcpyHostToDevice);
  const cufftHandle plan = plan_for(n, rank, forth, batch),
                    reverse = plan_for(n, rank, back, batch);
  require(what, exec_forth(plan, place, spectrum.data));
  std::vector<Number> got;
  for (const Complex& v : spectrum.get(rows * half)) got.emplace_back(v.x, v.y);
  same(what, got, expected, most);
  require(what, exec_back(reverse, spectrum.data, place));
  std::vector<Real> returned(rows * step);
  cudaMemcpy(returned.data(), place, returned.size() * sizeof(Real), cudaMemcpyDeviceToHost);
  got.assign(count, Number());
  for (size_t row = 0; row < rows; ++row)
    for (int z = 0; z < n[2]; ++z) got[row * n[2] + z] = returned[row * step + z];
  same(what, got, scaled, most * 20);
  cufftDestroy(plan);
  cufftDestroy(reverse);
}

int main() {
  check_complex<cufftComplex>("128", {1, 1, 128}, 1, 2, CUFFT_C2C, 1e-4, false, cufftExecC2C);
  check_complex<cufftComplex>("90 in place", {1, 1, 90}, 1, 1, CUFFT_C2C, 1e-4, true, cufftExecC2C);
  check_complex<cufftComplex>("prime", {1, 1, 37}, 1, 3, CUFFT_C2C, 1e-4, false, cufftExecC2C);
  check_complex<cufftComplex>("16 x 12", {1, 16, 12}, 2, 1, CUFFT_C2C, 1e-4, false, cufftExecC2C);
  check_complex<cufftComplex>("8 x 6, twice", {1, 8, 6}, 2, 2, CUFFT_C2C, 1e-4, true, cufftExecC2C);
  check_complex<cufftDoubleComplex>("4 x 6 x 5", {4, 6, 5}, 3, 1, CUFFT_Z2Z, 1e-11, false,
                                    cufftExecZ2Z);
  check_real<cufftComplex, float>("real 64", {1, 1, 64}, 1, 2, CUFFT_R2C, CUFFT_C2R, 1e-4, false,
                                  cufftExecR2C, cufftExecC2R);
  check_real<cufftComplex, float>("real 15 in place", {1, 1, 15}, 1, 1, CUFFT_R2C, CUFFT_C2R, 1e-4,
                                  true, cufftExecR2C, cufftExecC2R);
  check_real<cufftComplex, float>("real 6 x 16 in place", {1, 6, 16}, 2, 1, CUFFT_R2C, CUFFT_C2R,
                                  1e-4, true, cufftExecR2C, cufftExecC2R);
  check_real<cufftDoubleComplex, double>("real 5 x 7", {1, 5, 7}, 2, 1, CUFFT_D2Z, CUFFT_Z2D, 1e-11,
                                         false, cufftExecD2Z, cufftExecZ2D);
  cufftHandle plan;
  require("size 0", cufftPlan1d(&plan, 0, CUFFT_C2C, 1), CUFFT_INVALID_SIZE);
  require("no type", cufftPlan1d(&plan, 4, static_cast<cufftType>(1), 1), CUFFT_INVALID_TYPE);
  require("a plan", cufftPlan1d(&plan, 4, CUFFT_C2C, 1));
  require("another type", cufftExecR2C(plan, nullptr, nullptr), CUFFT_INVALID_TYPE);
  require("destroyed", cufftDestroy(plan));
  require("twice", cufftDestroy(plan), CUFFT_INVALID_PLAN);
  if (failures == 0) std::puts("PASS");
  return failures != 0;
}
