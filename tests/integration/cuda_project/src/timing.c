// SPDX-License-Identifier: Apache-2.0
#include <sys/time.h>

#include "project.h"

double seconds(void) {
  struct timeval now;
  gettimeofday(&now, 0);
  return now.tv_sec + 1e-6 * now.tv_usec;
}
