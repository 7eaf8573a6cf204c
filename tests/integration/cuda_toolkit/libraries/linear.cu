// SPDX-License-Identifier: Apache-2.0
// cuBLAS against plain loops on the host: each function that is there, in float or double, with
// transposed operands, sizes that are no multiple of a tile, steps and both pointer modes.
#include <cublas_v2.h>

#include <cmath>
#include <cstdio>
#include <vector>

static int failures = 0;
static cublasHandle_t handle;

template <class T>
struct Device {
  T* data;
  size_t n;
  explicit Device(const std::vector<T>& host) : n(host.size()) {
    cudaMalloc(&data, n * sizeof(T));
    cudaMemcpy(data, host.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~Device() { cudaFree(data); }
  std::vector<T> get() const {
    std::vector<T> host(n);
    cudaMemcpy(host.data(), data, n * sizeof(T), cudaMemcpyDeviceToHost);
    return host;
  }
};

template <class T>
static std::vector<T> numbers(size_t n, unsigned seed) {
  std::vector<T> v(n);
  for (T& x : v)
    x = static_cast<T>(static_cast<int>((seed = seed * 1664525u + 1013904223u) >> 24) - 128) / 64;
  return v;
}
static void require(cublasStatus_t status, const char* what) {
  if (status != CUBLAS_STATUS_SUCCESS)
    std::printf("%s: %s\n", what, cublasGetStatusName(status)), ++failures;
}
template <class T>
static void same(const char* what, const std::vector<T>& got, const std::vector<T>& expected) {
  for (size_t i = 0; i < got.size(); ++i)
    if (!(std::fabs(got[i] - expected[i]) <= 2e-4 * (1 + std::fabs(expected[i])))) {
      std::printf("%s: element %zu is %g, expected %g\n", what, i, double(got[i]),
                  double(expected[i]));
      ++failures;
      return;
    }
}

template <class T>
static T at(const std::vector<T>& a, int lead, bool transposed, int i, int j) {
  return transposed ? a[j + i * lead] : a[i + j * lead];
}

static void check_products() {
  const int m = 45, n = 37, k = 50;
  const float alpha = 1.5f, beta = -0.5f;
  for (int ta = 0; ta < 2; ++ta)
    for (int tb = 0; tb < 2; ++tb) {
      const int lda = (ta ? k : m) + 3, ldb = (tb ? n : k) + 1, ldc = m + 2;
      const auto a = numbers<float>(lda * (ta ? m : k), 1),
                 b = numbers<float>(ldb * (tb ? k : n), 2);
      auto c = numbers<float>(ldc * n, 3);
      Device<float> da(a), db(b), dc(c);
      require(cublasSgemm(handle, ta ? CUBLAS_OP_T : CUBLAS_OP_N, tb ? CUBLAS_OP_T : CUBLAS_OP_N, m,
                          n, k, &alpha, da.data, lda, db.data, ldb, &beta, dc.data, ldc),
              "gemm");
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i) {
          float sum = 0;
          for (int l = 0; l < k; ++l) sum += at(a, lda, ta, i, l) * at(b, ldb, tb, l, j);
          c[i + j * ldc] = alpha * sum + beta * c[i + j * ldc];
        }
      same("gemm", dc.get(), c);
    }
  // A batch, by a stride and by a list.
  const int s = 9;
  const auto a = numbers<double>(3 * s * s, 4), b = numbers<double>(3 * s * s, 5);
  std::vector<double> c(3 * s * s);
  Device<double> da(a), db(b), dc(c), dl(c);
  const double one = 1, zero = 0;
  require(cublasDgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, s, s, s, &one, da.data, s,
                                    s * s, db.data, s, s * s, &zero, dc.data, s, s * s, 3),
          "batch");
  std::vector<double*> la, lb, lc;
  for (int i = 0; i < 3; ++i) {
    la.push_back(da.data + i * s * s);
    lb.push_back(db.data + i * s * s);
    lc.push_back(dl.data + i * s * s);
  }
  Device<double*> pa(la), pb(lb), pc(lc);
  require(cublasDgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, s, s, s, &one, pa.data, s, pb.data,
                             s, &zero, pc.data, s, 3),
          "list");
  for (int z = 0; z < 3; ++z)
    for (int j = 0; j < s; ++j)
      for (int i = 0; i < s; ++i)
        for (int l = 0; l < s; ++l)
          c[z * s * s + i + j * s] += a[z * s * s + i + l * s] * b[z * s * s + l + j * s];
  same("batch", dc.get(), c);
  same("list", dl.get(), c);
}

static void check_vectors() {
  const int n = 1000;
  const auto x = numbers<double>(2 * n, 6);
  auto y = numbers<double>(n, 7);
  Device<double> dx(x), dy(y);
  double dot = 0, norm = 0, sum = 0, got = 0, alpha = 0.25;
  int largest = 0, place = 0;
  for (int i = 0; i < n; ++i) {
    dot += x[2 * i] * y[i], norm += x[2 * i] * x[2 * i], sum += std::fabs(x[2 * i]);
    if (std::fabs(x[2 * i]) > std::fabs(x[2 * largest])) largest = i;
  }
  require(cublasDdot(handle, n, dx.data, 2, dy.data, 1, &got), "dot");
  same<double>("dot", {got}, {dot});
  require(cublasDnrm2(handle, n, dx.data, 2, &got), "nrm2");
  same<double>("nrm2", {got}, {std::sqrt(norm)});
  require(cublasDasum(handle, n, dx.data, 2, &got), "asum");
  same<double>("asum", {got}, {sum});
  require(cublasIdamax(handle, n, dx.data, 2, &place), "amax");
  same<double>("amax", {double(place)}, {double(largest + 1)});
  require(cublasDaxpy(handle, n, &alpha, dx.data, 2, dy.data, -1), "axpy");
  for (int i = 0; i < n; ++i) y[n - 1 - i] += alpha * x[2 * i];
  same("axpy", dy.get(), y);
  require(cublasDscal(handle, n, &alpha, dy.data, 1), "scal");
  for (double& v : y) v *= alpha;
  same("scal", dy.get(), y);
  // Numbers in device memory.
  Device<double> factor({3.0}), result({0.0});
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
  require(cublasDscal(handle, n, factor.data, dy.data, 1), "scal");
  require(cublasDasum(handle, n, dy.data, 1, result.data), "asum");
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
  sum = 0;
  for (double v : y) sum += std::fabs(3 * v);
  same("asum", result.get(), {sum});
}

static void check_matrices() {
  const int m = 70, n = 41, lda = 73;
  const auto a = numbers<float>(lda * n, 8), x = numbers<float>(m, 9);
  auto y = numbers<float>(m, 10);
  const float alpha = 2, beta = 0.5f;
  Device<float> da(a), dx(x), dy(y);
  require(
      cublasSgemv(handle, CUBLAS_OP_N, m, n, &alpha, da.data, lda, dx.data, 1, &beta, dy.data, 1),
      "gemv");
  for (int i = 0; i < m; ++i) {
    float sum = 0;
    for (int j = 0; j < n; ++j) sum += a[i + j * lda] * x[j];
    y[i] = alpha * sum + beta * y[i];
  }
  same("gemv", dy.get(), y);
  require(
      cublasSgemv(handle, CUBLAS_OP_T, m, n, &alpha, da.data, lda, dx.data, 1, &beta, dy.data, 1),
      "gemv");
  for (int j = 0; j < n; ++j) {
    float sum = 0;
    for (int i = 0; i < m; ++i) sum += a[i + j * lda] * x[i];
    y[j] = alpha * sum + beta * y[j];
  }
  same("gemv, transposed", dy.get(), y);
  auto b = a;
  require(cublasSger(handle, m, n, &alpha, dx.data, 1, dy.data, 1, da.data, lda), "ger");
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) b[i + j * lda] += alpha * x[i] * y[j];
  same("ger", da.get(), b);

  // Triangles: solve, then multiply by the same.
  const int s = 33;
  auto t = numbers<double>(s * s, 11);
  for (int i = 0; i < s; ++i) t[i * s + i] = 8 + i % 3;
  for (double& v : t) v *= 0.25;
  const auto right = numbers<double>(s * 5, 12);
  const double one = 1;
  Device<double> dt(t), db(right), dc(right);
  for (auto fill : {CUBLAS_FILL_MODE_UPPER, CUBLAS_FILL_MODE_LOWER})
    for (auto op : {CUBLAS_OP_N, CUBLAS_OP_T}) {
      require(cublasDtrsm(handle, CUBLAS_SIDE_LEFT, fill, op, CUBLAS_DIAG_NON_UNIT, s, 5, &one,
                          dt.data, s, db.data, s),
              "trsm");
      require(cublasDtrmm(handle, CUBLAS_SIDE_LEFT, fill, op, CUBLAS_DIAG_NON_UNIT, s, 5, &one,
                          dt.data, s, db.data, s, dc.data, s),
              "trmm");
      same("trsm and trmm", dc.get(), right);
      require(cublasDcopy(handle, s * 5, dc.data, 1, db.data, 1), "copy");
    }
  require(cublasDtrsm(handle, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N,
                      CUBLAS_DIAG_UNIT, 5, s, &one, dt.data, s, db.data, 5),
          "trsm");
  require(cublasDtrmm(handle, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N,
                      CUBLAS_DIAG_UNIT, 5, s, &one, dt.data, s, db.data, 5, dc.data, 5),
          "trmm");
  same("trsm and trmm from the right", dc.get(), right);
  if (cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 8, 8, 8, &alpha, da.data, 4, da.data, 8, &beta,
                  da.data, 8) != CUBLAS_STATUS_INVALID_VALUE)
    std::puts("a leading dimension that is too small"), ++failures;
}

int main() {
  require(cublasCreate(&handle), "create");
  check_vectors();
  check_matrices();
  check_products();
  require(cublasDestroy(handle), "destroy");
  if (failures == 0) std::puts("PASS");
  return failures != 0;
}
