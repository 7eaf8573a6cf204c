// SPDX-License-Identifier: Apache-2.0
#ifndef POLYBENCH_LIKE_H
#define POLYBENCH_LIKE_H
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

#define SMALL_FLOAT_VAL 0.00000001f

static double wall_seconds() {
  struct timeval now;
  if (gettimeofday(&now, NULL) != 0) printf("no time of day");
  return now.tv_sec + now.tv_usec * 1.0e-6;
}

static float percent_apart(double a, double b) {
  if (fabs(a) < 0.01 && fabs(b) < 0.01) return 0.0f;
  return 100.0f * fabsf(fabsf((float)(a - b)) / fabsf((float)(a + SMALL_FLOAT_VAL)));
}
#endif
