// SPDX-License-Identifier: Apache-2.0
// The functions of cublas.h against plain loops on the host: letters in both cases, factors and
// results by value, errors that are asked for.
#include <cublas.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

static int failures = 0;
static void same(const char* what, double got, double expected) {
  if (std::fabs(got - expected) <= 1e-4 * (1 + std::fabs(expected))) return;
  std::printf("%s: %g, expected %g\n", what, got, expected);
  ++failures;
}
static void require(const char* what, cublasStatus got, cublasStatus expected) {
  if (got == expected) return;
  std::printf("%s: status %d, expected %d\n", what, got, expected);
  ++failures;
}

const int kN = 33;
static float a[kN * kN], b[kN * kN], c[kN * kN], x[kN], y[kN];

int main() {
  float* on_device;
  require("before cublasInit", cublasAlloc(4, 4, (void**)&on_device),
          CUBLAS_STATUS_NOT_INITIALIZED);
  cublasSscal(1, 2, nullptr, 1);
  require("a call before cublasInit", cublasGetError(), CUBLAS_STATUS_NOT_INITIALIZED);
  require("cublasInit", cublasInit(), CUBLAS_STATUS_SUCCESS);
  std::srand(3);
  for (int i = 0; i < kN * kN; ++i) {
    a[i] = std::rand() % 17 - 8;
    b[i] = std::rand() % 17 - 8;
    c[i] = std::rand() % 17 - 8;
  }
  for (int i = 0; i < kN; ++i) x[i] = i % 7 - 3, y[i] = i % 5 - 2;
  float *da, *db, *dc, *dx, *dy;
  cublasAlloc(kN * kN, sizeof(float), (void**)&da);
  cublasAlloc(kN * kN, sizeof(float), (void**)&db);
  cublasAlloc(kN * kN, sizeof(float), (void**)&dc);
  cublasAlloc(kN, sizeof(float), (void**)&dx);
  require("cublasAlloc", cublasAlloc(kN, sizeof(float), (void**)&dy), CUBLAS_STATUS_SUCCESS);
  cublasSetMatrix(kN, kN, sizeof(float), a, kN, da, kN);
  cublasSetMatrix(kN, kN, sizeof(float), b, kN, db, kN);
  cublasSetMatrix(kN, kN, sizeof(float), c, kN, dc, kN);
  cublasSetVector(kN, sizeof(float), x, 1, dx, 1);
  cublasSetVector(kN, sizeof(float), y, 1, dy, 1);

  double dot = 0, sum = 0, squares = 0;
  int most = 0;
  for (int i = 0; i < kN; ++i) {
    dot += x[i] * y[i];
    sum += std::fabs(x[i]);
    squares += x[i] * x[i];
    if (std::fabs(x[i]) > std::fabs(x[most])) most = i;
  }
  same("cublasSdot", cublasSdot(kN, dx, 1, dy, 1), dot);
  same("cublasSasum", cublasSasum(kN, dx, 1), sum);
  same("cublasSnrm2", cublasSnrm2(kN, dx, 1), std::sqrt(squares));
  same("cublasIsamax", cublasIsamax(kN, dx, 1), most + 1);

  cublasSaxpy(kN, 2, dx, 1, dy, 1);
  cublasSgemv('t', kN, kN, 0.5f, da, kN, dx, 1, 2, dy, 1);
  cublasSgemm('N', 't', kN, kN, kN, 1.5f, da, kN, db, kN, -1, dc, kN);
  float got_c[kN * kN], got_y[kN];
  cublasGetMatrix(kN, kN, sizeof(float), dc, kN, got_c, kN);
  cublasGetVector(kN, sizeof(float), dy, 1, got_y, 1);
  for (int i = 0; i < kN; ++i) {
    double product = 0;
    for (int k = 0; k < kN; ++k) product += a[k + i * kN] * x[k];
    same("cublasSgemv", got_y[i], 0.5 * product + 2 * (y[i] + 2 * x[i]));
    for (int j = 0; j < kN; ++j) {
      double expected = -c[i + j * kN];
      for (int k = 0; k < kN; ++k) expected += 1.5 * a[i + k * kN] * b[j + k * kN];
      same("cublasSgemm", got_c[i + j * kN], expected);
    }
  }

  require("so far", cublasGetError(), CUBLAS_STATUS_SUCCESS);
  cublasSgemm('N', 'x', kN, kN, kN, 1, da, kN, db, kN, 0, dc, kN);
  require("an unknown letter", cublasGetError(), CUBLAS_STATUS_INVALID_VALUE);
  require("the error is told once", cublasGetError(), CUBLAS_STATUS_SUCCESS);

  // A triangle of a unit diagonal times what it is solved for is the right side.
  cublasSetMatrix(kN, kN, sizeof(float), b, kN, db, kN);
  for (int i = 0; i < kN * kN; ++i) a[i] = (i % 3 - 1) / 8.0f;
  cublasSetMatrix(kN, kN, sizeof(float), a, kN, da, kN);
  cublasStrsm('L', 'l', 'n', 'U', kN, kN, 1, da, kN, db, kN);
  cublasGetMatrix(kN, kN, sizeof(float), db, kN, c, kN);
  for (int i = 0; i < kN; ++i)
    for (int j = 0; j < kN; ++j) {
      double right = c[i + j * kN];
      for (int k = 0; k < i; ++k) right += a[i + k * kN] * c[k + j * kN];
      same("cublasStrsm", right, b[i + j * kN]);
    }
  cublasFree(da), cublasFree(db), cublasFree(dc), cublasFree(dx);
  require("cublasFree", cublasFree(dy), CUBLAS_STATUS_SUCCESS);
  require("cublasShutdown", cublasShutdown(), CUBLAS_STATUS_SUCCESS);
  require("twice", cublasShutdown(), CUBLAS_STATUS_NOT_INITIALIZED);
  if (failures == 0) std::puts("PASS");
  return failures != 0;
}
