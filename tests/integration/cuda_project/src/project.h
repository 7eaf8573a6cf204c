// SPDX-License-Identifier: Apache-2.0
#ifndef PROJECT_H
#define PROJECT_H

#ifdef __cplusplus
extern "C" {
#endif
double seconds(void);
#ifdef __cplusplus
}

struct Job {
  float factor;
  int n;
};

void saxpy_on_device(const Job& job, const float* x, float* y);
float filter_on_device(const float* image, float* out, int width, int height);
#endif

#endif
