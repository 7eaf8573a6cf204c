// SPDX-License-Identifier: Apache-2.0
// Dense matrices on the CPU, for references: row-major, summed in double precision.
#pragma once

#include "check.hpp"

namespace workload {

/// alpha * A B + beta * C for A (n x k), B (k x m), C (n x m).
template <class A, class B>
std::vector<double> multiply(const std::vector<A>& a, const std::vector<B>& b, int n, int k, int m,
                             double alpha = 1.0, double beta = 0.0,
                             const std::vector<float>& c = {}) {
  std::vector<double> out(std::size_t(n) * m, 0.0);
  for (int i = 0; i < n; ++i) {
    double* const row = &out[std::size_t(i) * m];
    for (int p = 0; p < k; ++p) {
      const double v = a[std::size_t(i) * k + p];
      for (int j = 0; j < m; ++j) row[j] += v * b[std::size_t(p) * m + j];
    }
    for (int j = 0; j < m; ++j)
      row[j] = alpha * row[j] + (c.empty() ? 0.0 : beta * c[std::size_t(i) * m + j]);
  }
  return out;
}

/// The transpose of an n x m matrix.
template <class T>
std::vector<T> transposed(const std::vector<T>& a, int n, int m) {
  std::vector<T> out(a.size());
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) out[std::size_t(j) * n + i] = a[std::size_t(i) * m + j];
  return out;
}

}  // namespace workload
