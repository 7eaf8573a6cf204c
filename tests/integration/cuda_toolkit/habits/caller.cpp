// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "shared_library.h"

int main() {
  int data[100];
  for (int i = 0; i < 100; ++i) data[i] = i - 50;
  bool good = square_all(data, 100) == 0;
  for (int i = 0; i < 100; ++i) good = good && data[i] == (i - 50) * (i - 50);
  std::puts(good ? "PASS" : "FAIL");
  return good ? 0 : 1;
}
