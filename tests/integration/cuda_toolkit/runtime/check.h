// SPDX-License-Identifier: Apache-2.0
// What these programs check with: the first failures are named, and main() returns finish().
#pragma once

#include <cstdio>

static int failures = 0;

#define CHECK(condition)                                                      \
  do {                                                                        \
    if (!(condition) && ++failures < 10)                                      \
      std::printf("%s:%d: %s is not true\n", __FILE__, __LINE__, #condition); \
  } while (0)
#define EXPECT(status, call)                                                                   \
  do {                                                                                         \
    const int got_ = static_cast<int>(call), wanted_ = static_cast<int>(status);               \
    if (got_ != wanted_ && ++failures < 10)                                                    \
      std::printf("%s:%d: %s is %d, expected %d\n", __FILE__, __LINE__, #call, got_, wanted_); \
  } while (0)
#define OK(call) EXPECT(0, call)

static int finish() {
  if (failures == 0) std::puts("PASS");
  return failures != 0;
}
