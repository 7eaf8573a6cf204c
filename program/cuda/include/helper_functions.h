// SPDX-License-Identifier: Apache-2.0
// The helpers of the CUDA samples in one.
#pragma once
#define COMMON_HELPER_FUNCTIONS_H_

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "helper_string.h"
#include "helper_timer.h"

/// Returns whether the largest difference and its relative L2 norm are below `epsilon`.
template <class Type_>
inline bool sdkCompareL2fe(const Type_* reference, const Type_* data, unsigned int n,
                           float epsilon) {
  double error = 0, norm = 0;
  for (unsigned int i = 0; i < n; ++i) {
    const double difference = static_cast<double>(reference[i]) - static_cast<double>(data[i]);
    error += difference * difference;
    norm += static_cast<double>(reference[i]) * static_cast<double>(reference[i]);
  }
  return norm > 0 && std::sqrt(error / norm) < epsilon;
}
