// SPDX-License-Identifier: Apache-2.0
// Signals for the programs on cuFFT: numbers in [-1, 1), the same each time.
#pragma once

#include <complex>
#include <vector>

typedef std::complex<double> Number;

static std::vector<Number> numbers(size_t count, bool real) {
  std::vector<Number> v(count);
  unsigned seed = 5;
  const auto next = [&] {
    return (static_cast<int>((seed = seed * 1664525u + 1013904223u) >> 20) - 2048) / 2048.0;
  };
  for (Number& x : v) {
    const double re = next();
    x = Number(re, real ? 0 : next());
  }
  return v;
}
