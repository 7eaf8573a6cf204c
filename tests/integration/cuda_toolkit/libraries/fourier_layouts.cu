// SPDX-License-Identifier: Apache-2.0
// cufftPlanMany with strides, distances and embedded boxes: batches of one to three dimensions
// against the definition on the host, and what lies between the elements stays as it was.
#include <cufft.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

#include "numbers.h"

static int failures = 0;
const float kBetween = -77;  // what no element holds

struct Side {
  int embed[3], stride, distance;

  size_t place(int rank, int batch, const int (&at)[3]) const {
    size_t line = 0;
    for (int d = 0; d < rank; ++d) line = line * embed[d] + at[d];
    return size_t(batch) * distance + line * stride;
  }
};
struct Case {
  const char* what;
  int rank, n[3], batch;
  Side in, out;
};

static void require(const char* what, cufftResult got, cufftResult expected = CUFFT_SUCCESS) {
  if (got != expected) std::printf("%s: result %d, expected %d\n", what, got, expected), ++failures;
}

/// f(batch, index of the element, its place in each dimension), the last of which ends at `last`.
template <class F>
static void each(const Case& c, int last, F f) {
  int n[3] = {1, 1, 1};
  for (int d = 0; d < c.rank; ++d) n[d] = d == c.rank - 1 ? last : c.n[d];
  for (int b = 0, i = 0; b < c.batch; ++b)
    for (int x = 0; x < n[0]; ++x)
      for (int y = 0; y < n[1]; ++y)
        for (int z = 0; z < n[2]; ++z, ++i) f(b, i, {x, y, z});
}

/// Element `at` of the transform, by the definition.
static Number transformed(const Case& c, const std::vector<Number>& in, int batch,
                          const int (&at)[3], int sign) {
  const double pi = std::acos(-1.0);
  Number sum;
  each(c, c.n[c.rank - 1], [&](int b, int i, const int(&from)[3]) {
    if (b != batch) return;
    double turns = 0;
    for (int d = 0; d < c.rank; ++d) turns += double(at[d] * from[d] % c.n[d]) / c.n[d];
    sum += in[i] * std::polar(1.0, sign * 2 * pi * turns);
  });
  return sum;
}

static void put(float& to, const Number& v) { to = float(v.real()); }
static void put(cufftComplex& to, const Number& v) {
  to.x = float(v.real()), to.y = float(v.imag());
}
static Number got_of(float v) { return v; }
static Number got_of(const cufftComplex& v) { return Number(v.x, v.y); }
static void between(float& to) { to = kBetween; }
static void between(cufftComplex& to) { to.x = to.y = kBetween; }
static bool is_between(float v) { return v == kBetween; }
static bool is_between(const cufftComplex& v) { return v.x == kBetween && v.y == kBetween; }

/// Runs a plan on `in` (dense, rows of `in_last`), and compares with `expected` (of `out_last`).
template <class From, class To, class Exec>
static void check(const Case& c, cufftType type, const std::vector<Number>& in, int in_last,
                  const std::vector<Number>& expected, int out_last, Exec exec) {
  const size_t room = 4096;
  std::vector<From> from(room);
  std::vector<To> to(room);
  for (From& v : from) between(v);
  for (To& v : to) between(v);
  each(c, in_last,
       [&](int b, int i, const int(&at)[3]) { put(from[c.in.place(c.rank, b, at)], in[i]); });
  From* device_from;
  To* device_to;
  cudaMalloc(&device_from, room * sizeof(From));
  cudaMalloc(&device_to, room * sizeof(To));
  cudaMemcpy(device_from, from.data(), room * sizeof(From), cudaMemcpyHostToDevice);
  cudaMemcpy(device_to, to.data(), room * sizeof(To), cudaMemcpyHostToDevice);
  Case m = c;  // the arrays are not const for cuFFT
  cufftHandle plan = 0;
  require(c.what, cufftPlanMany(&plan, c.rank, m.n, m.in.embed, c.in.stride, c.in.distance,
                                m.out.embed, c.out.stride, c.out.distance, type, c.batch));
  require(c.what, exec(plan, device_from, device_to));
  require(c.what, cufftDestroy(plan));
  cudaMemcpy(to.data(), device_to, room * sizeof(To), cudaMemcpyDeviceToHost);
  cudaFree(device_from);
  cudaFree(device_to);
  std::vector<bool> written(room);
  each(c, out_last, [&](int b, int i, const int(&at)[3]) {
    const size_t place = c.out.place(c.rank, b, at);
    written[place] = true;
    if (std::abs(got_of(to[place]) - expected[i]) > 2e-4 && ++failures < 10)
      std::printf("%s: batch %d, element %d is %g, expected %g\n", c.what, b, i,
                  got_of(to[place]).real(), expected[i].real());
  });
  for (size_t i = 0; i < room; ++i)
    if (!written[i] && !is_between(to[i]) && ++failures < 10)
      std::printf("%s: place %zu between the elements is written\n", c.what, i);
}

static void complex_case(const Case& c) {
  const int last = c.n[c.rank - 1];
  size_t count = c.batch;
  for (int d = 0; d < c.rank; ++d) count *= c.n[d];
  const std::vector<Number> in = numbers(count, false);
  for (const int direction : {CUFFT_FORWARD, CUFFT_INVERSE}) {
    std::vector<Number> expected(count);
    each(c, last, [&](int b, int i, const int(&at)[3]) {
      expected[i] = transformed(c, in, b, at, direction);
    });
    check<cufftComplex, cufftComplex>(c, CUFFT_C2C, in, last, expected, last,
                                      [=](cufftHandle plan, cufftComplex* from, cufftComplex* to) {
                                        return cufftExecC2C(plan, from, to, direction);
                                      });
  }
}

/// There and back; `c.in` is of the real numbers.
static void real_case(const Case& c) {
  const int last = c.n[c.rank - 1], half = last / 2 + 1;
  size_t rows = c.batch, scale = last;
  for (int d = 0; d + 1 < c.rank; ++d) rows *= c.n[d], scale *= c.n[d];
  const std::vector<Number> in = numbers(rows * last, true);
  std::vector<Number> spectrum(rows * half), scaled(in);
  each(c, half, [&](int b, int i, const int(&at)[3]) {
    spectrum[i] = transformed(c, in, b, at, CUFFT_FORWARD);
  });
  for (Number& v : scaled) v *= double(scale);
  check<float, cufftComplex>(c, CUFFT_R2C, in, last, spectrum, half, cufftExecR2C);
  Case back = c;
  back.in = c.out;
  back.out = c.in;
  check<cufftComplex, float>(back, CUFFT_C2R, spectrum, half, scaled, last, cufftExecC2R);
}

int main() {
  complex_case({"columns", 1, {24}, 7, {{24}, 7, 1}, {{24}, 7, 1}});
  complex_case({"turned over", 1, {20}, 6, {{20}, 6, 1}, {{20}, 1, 20}});
  complex_case({"every third", 1, {15}, 3, {{0}, 3, 50}, {{0}, 2, 33}});
  complex_case({"a box in a box", 2, {6, 10}, 2, {{8, 13}, 2, 300}, {{6, 11}, 1, 70}});
  complex_case({"three dimensions", 3, {3, 4, 5}, 2, {{9, 5, 7}, 1, 110}, {{3, 6, 5}, 2, 190}});
  real_case({"real, overlapping windows apart", 1, {16}, 5, {{16}, 2, 40}, {{9}, 3, 30}});
  real_case({"real, turned over", 1, {18}, 4, {{18}, 4, 1}, {{10}, 4, 1}});
  real_case({"real, a box in a box", 2, {6, 9}, 2, {{6, 12}, 1, 80}, {{7, 6}, 2, 100}});

  // Windows that overlap are read, as those of a spectrogram are.
  const Case hop = {"hop", 1, {16}, 4, {{16}, 1, 4}, {{16}, 1, 16}};
  std::vector<Number> signal = numbers(28, false), windows(64), expected(64);
  each(hop, 16, [&](int b, int i, const int(&at)[3]) { windows[i] = signal[4 * b + at[0]]; });
  each(hop, 16, [&](int b, int i, const int(&at)[3]) {
    expected[i] = transformed(hop, windows, b, at, CUFFT_FORWARD);
  });
  check<cufftComplex, cufftComplex>(hop, CUFFT_C2C, windows, 16, expected, 16,
                                    [](cufftHandle plan, cufftComplex* from, cufftComplex* to) {
                                      return cufftExecC2C(plan, from, to, CUFFT_FORWARD);
                                    });

  cufftHandle plan = 0;
  int n[] = {8, 8}, small[] = {8, 7}, big[] = {9, 9};
  require("a row too long", cufftPlanMany(&plan, 2, n, small, 1, 64, big, 1, 81, CUFFT_C2C, 1),
          CUFFT_INVALID_SIZE);
  require("no stride", cufftPlanMany(&plan, 2, n, big, 0, 81, big, 1, 81, CUFFT_C2C, 1),
          CUFFT_INVALID_VALUE);
  require("no distance", cufftPlanMany(&plan, 2, n, big, 1, 81, big, 1, 0, CUFFT_C2C, 2),
          CUFFT_INVALID_VALUE);
  require("rank 4", cufftPlanMany(&plan, 4, n, big, 1, 81, big, 1, 81, CUFFT_C2C, 1),
          CUFFT_INVALID_VALUE);
  require("half a row", cufftPlanMany(&plan, 2, n, big, 1, 81, small, 1, 81, CUFFT_R2C, 1));
  require("its end", cufftDestroy(plan));
  size_t bytes = 0;
  require("a handle", cufftCreate(&plan));
  require("cufftMakePlanMany",
          cufftMakePlanMany(plan, 2, n, big, 1, 81, big, 1, 81, CUFFT_C2C, 3, &bytes));
  if (bytes != 2 * 3 * 64 * sizeof(cufftComplex)) std::printf("%zu bytes\n", bytes), ++failures;
  require("once", cufftMakePlanMany(plan, 2, n, big, 1, 81, big, 1, 81, CUFFT_C2C, 3, &bytes),
          CUFFT_INVALID_PLAN);
  require("its end", cufftDestroy(plan));
  if (failures == 0) std::puts("PASS");
  return failures != 0;
}
