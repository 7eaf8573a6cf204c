// SPDX-License-Identifier: Apache-2.0
// cuFFT: plans, and transforms as passes over one dimension after the other, between two arrays of
// the plan. Radices are the prime factors of a size, with 4 for two twos.
#include <cufft.h>

#include <map>
#include <vector>

#include "fft_kernels.cuh"

namespace {

using namespace warpmem_fft;

const long long kMostElements = 1ll << 30;
const int kBlock = 128;

struct Plan {
  int rank = 0;  ///< 0: not made yet
  Box box{1, 1, 1};
  int batch = 1;
  cufftType type = CUFFT_C2C;
  bool dense = true;  ///< the data lie densely, and these two do not count
  Layout in{}, out{};
  cudaStream_t stream = nullptr;
  void* work[2] = {nullptr, nullptr};

  long long elements() const { return static_cast<long long>(box.nx) * box.ny * box.nz * batch; }
  long long half_elements() const { return elements() / box.nz * (box.nz / 2 + 1); }
  bool is_double() const { return type == CUFFT_Z2Z || type == CUFFT_D2Z || type == CUFFT_Z2D; }
  size_t work_bytes() const {
    return static_cast<size_t>(elements()) *
           (is_double() ? sizeof(cufftDoubleComplex) : sizeof(cufftComplex));
  }
};

// They are never destroyed, since static objects of the program may still destroy plans.
std::map<cufftHandle, Plan>& plans() {
  static auto* const all = new std::map<cufftHandle, Plan>;
  return *all;
}

Plan* find(cufftHandle handle) {
  const auto found = plans().find(handle);
  return found == plans().end() ? nullptr : &found->second;
}

std::vector<int> radices_of(int n) {
  std::vector<int> radices;
  for (; n % 4 == 0; n /= 4) radices.push_back(4);
  for (int r = 2; n > 1; ++r) {
    if (r > n / r) r = n;  // what is left is a prime
    for (; n % r == 0; n /= r) radices.push_back(r);
  }
  return radices;
}

unsigned blocks_for(long long threads) {
  return static_cast<unsigned>((threads + kBlock - 1) / kBlock);
}

cufftResult launched() {
  return cudaPeekAtLastError() == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

/// Transforms work[0]; returns the array with the result.
template <class Complex>
Complex* transform(const Plan& plan, int direction) {
  Complex *from = static_cast<Complex*>(plan.work[0]), *to = static_cast<Complex*>(plan.work[1]);
  const Box& box = plan.box;
  const int lengths[] = {box.nz, box.ny, box.nx}, inners[] = {1, box.nz, box.ny * box.nz};
  for (int dimension = 0; dimension < 3; ++dimension) {
    const Lines lines{lengths[dimension], inners[dimension], plan.elements()};
    int left = lines.length;
    for (const int radix : radices_of(lines.length)) {
      pass<<<blocks_for(lines.elements), kBlock, 0, plan.stream>>>(to, from, lines, left, radix,
                                                                   direction);
      left /= radix;
      Complex* const swapped = from;
      from = to;
      to = swapped;
    }
  }
  return from;
}

template <class Complex>
cufftResult complex_to_complex(cufftHandle handle, cufftType type, Complex* in, Complex* out,
                               int direction) {
  const Plan* const plan = find(handle);
  if (plan == nullptr || plan->rank == 0) return CUFFT_INVALID_PLAN;
  if (plan->type != type) return CUFFT_INVALID_TYPE;
  if (in == nullptr || out == nullptr || (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE))
    return CUFFT_INVALID_VALUE;
  const size_t bytes = plan->work_bytes();
  const long long n = plan->elements();
  if (!plan->dense)
    gather<<<blocks_for(n), kBlock, 0, plan->stream>>>(static_cast<Complex*>(plan->work[0]), in,
                                                       plan->in, plan->box, n);
  else if (cudaMemcpyAsync(plan->work[0], in, bytes, cudaMemcpyDeviceToDevice, plan->stream) !=
           cudaSuccess)
    return CUFFT_EXEC_FAILED;
  const Complex* const result = transform<Complex>(*plan, direction);
  if (!plan->dense)
    scatter<<<blocks_for(n), kBlock, 0, plan->stream>>>(out, result, plan->out, plan->box, n);
  else if (cudaMemcpyAsync(out, result, bytes, cudaMemcpyDeviceToDevice, plan->stream) !=
           cudaSuccess)
    return CUFFT_EXEC_FAILED;
  return launched();
}

Layout dense_rows(const Plan& plan, int columns) {
  return {static_cast<long long>(plan.box.nx) * plan.box.ny * columns, plan.box.ny, columns, 1};
}
/// Of the real numbers and of the complex ones of a plan, of which `given` are the program's. In
/// place, dense rows of real numbers have room for the complex ones.
Layout real_layout(const Plan& plan, const Layout& given, const void* real, const void* complex) {
  if (!plan.dense) return given;
  return dense_rows(plan, real == complex ? 2 * (plan.box.nz / 2 + 1) : plan.box.nz);
}
Layout half_layout(const Plan& plan, const Layout& given) {
  return plan.dense ? dense_rows(plan, plan.box.nz / 2 + 1) : given;
}

template <class Complex>
cufftResult real_to_complex(cufftHandle handle, cufftType type,
                            const typename Parts<Complex>::Real* in, Complex* out) {
  const Plan* const plan = find(handle);
  if (plan == nullptr || plan->rank == 0) return CUFFT_INVALID_PLAN;
  if (plan->type != type) return CUFFT_INVALID_TYPE;
  if (in == nullptr || out == nullptr) return CUFFT_INVALID_VALUE;
  const long long n = plan->elements(), half = plan->half_elements();
  widen<<<blocks_for(n), kBlock, 0, plan->stream>>>(static_cast<Complex*>(plan->work[0]), in,
                                                    real_layout(*plan, plan->in, in, out),
                                                    plan->box, n);
  const Complex* const result = transform<Complex>(*plan, CUFFT_FORWARD);
  halve<<<blocks_for(half), kBlock, 0, plan->stream>>>(out, result, half_layout(*plan, plan->out),
                                                       plan->box, half);
  return launched();
}

template <class Complex>
cufftResult complex_to_real(cufftHandle handle, cufftType type, const Complex* in,
                            typename Parts<Complex>::Real* out) {
  const Plan* const plan = find(handle);
  if (plan == nullptr || plan->rank == 0) return CUFFT_INVALID_PLAN;
  if (plan->type != type) return CUFFT_INVALID_TYPE;
  if (in == nullptr || out == nullptr) return CUFFT_INVALID_VALUE;
  const long long n = plan->elements();
  complete<<<blocks_for(n), kBlock, 0, plan->stream>>>(static_cast<Complex*>(plan->work[0]), in,
                                                       half_layout(*plan, plan->in), plan->box, n);
  const Complex* const result = transform<Complex>(*plan, CUFFT_INVERSE);
  real_parts<<<blocks_for(n), kBlock, 0, plan->stream>>>(
      out, result, real_layout(*plan, plan->out, out, in), plan->box, n);
  return launched();
}

bool is_type(cufftType type) {
  return type == CUFFT_C2C || type == CUFFT_R2C || type == CUFFT_C2R || type == CUFFT_Z2Z ||
         type == CUFFT_D2Z || type == CUFFT_Z2D;
}

/// What a plan is made of.
struct Request {
  int rank;
  Box box;
  cufftType type;
  int batch;
  bool dense;
  Layout in, out;
};
Request dense(int rank, const Box& box, cufftType type, int batch) {
  return {rank, box, type, batch, true, {}, {}};
}

/// Reads one side of an advanced layout, whose rows have `columns` elements.
cufftResult read_layout(Layout& layout, const Request& request, int columns, const int* embed,
                        int stride, int distance) {
  if (stride < 1 || distance < (request.batch > 1 ? 1 : 0)) return CUFFT_INVALID_VALUE;
  layout = {distance, request.rank > 1 ? embed[request.rank - 2] : 1, embed[request.rank - 1],
            stride};
  // The outermost size only says how much memory there is.
  if (request.rank == 1) layout.columns = columns;
  if (layout.columns < columns || (request.rank == 3 && layout.rows < request.box.ny))
    return CUFFT_INVALID_SIZE;
  return CUFFT_SUCCESS;
}

cufftResult make(cufftHandle handle, const Request& request) {
  Plan* const plan = find(handle);
  if (plan == nullptr || plan->rank != 0) return CUFFT_INVALID_PLAN;
  if (!is_type(request.type)) return CUFFT_INVALID_TYPE;
  const Box& box = request.box;
  if (box.nx <= 0 || box.ny <= 0 || box.nz <= 0 || request.batch <= 0) return CUFFT_INVALID_SIZE;
  const long long rows = static_cast<long long>(box.nx) * box.ny;
  if (rows > kMostElements || rows * box.nz > kMostElements ||
      rows * box.nz > kMostElements / request.batch)
    return CUFFT_INVALID_SIZE;
  Plan made;
  made.box = box;
  made.batch = request.batch;
  made.type = request.type;
  made.dense = request.dense;
  made.in = request.in;
  made.out = request.out;
  made.stream = plan->stream;
  for (void*& work : made.work)
    if (cudaMalloc(&work, made.work_bytes()) != cudaSuccess) {
      cudaFree(made.work[0]);
      return CUFFT_ALLOC_FAILED;
    }
  made.rank = request.rank;
  *plan = made;
  return CUFFT_SUCCESS;
}

/// The request of an advanced layout, which is a dense one where no sizes are given.
cufftResult read_many(Request& request, int rank, const int* n, const int* in_embed, int in_stride,
                      int in_distance, const int* out_embed, int out_stride, int out_distance,
                      cufftType type, int batch) {
  if (n == nullptr || rank < 1 || rank > 3) return CUFFT_INVALID_VALUE;
  request = dense(rank,
                  {rank == 3 ? n[0] : 1,
                   rank == 3   ? n[1]
                   : rank == 2 ? n[0]
                               : 1,
                   n[rank - 1]},
                  type, batch);
  if (in_embed == nullptr || out_embed == nullptr) return CUFFT_SUCCESS;
  request.dense = false;
  const int nz = request.box.nz;
  const bool half_in = type == CUFFT_C2R || type == CUFFT_Z2D;
  const bool half_out = type == CUFFT_R2C || type == CUFFT_D2Z;
  const cufftResult result =
      read_layout(request.in, request, half_in ? nz / 2 + 1 : nz, in_embed, in_stride, in_distance);
  return result != CUFFT_SUCCESS ? result
                                 : read_layout(request.out, request, half_out ? nz / 2 + 1 : nz,
                                               out_embed, out_stride, out_distance);
}

cufftResult plan_of(cufftHandle* handle, const Request& request) {
  cufftResult result = cufftCreate(handle);
  if (result != CUFFT_SUCCESS) return result;
  result = make(*handle, request);
  if (result != CUFFT_SUCCESS) plans().erase(*handle);
  return result;
}

cufftResult with_size(cufftResult result, cufftHandle handle, size_t* work) {
  return result != CUFFT_SUCCESS || work == nullptr ? result : cufftGetSize(handle, work);
}

}  // namespace

extern "C" {

cufftResult cufftCreate(cufftHandle* handle) {
  if (handle == nullptr) return CUFFT_INVALID_VALUE;
  *handle = plans().empty() ? 1 : plans().rbegin()->first + 1;
  plans()[*handle] = Plan();
  return CUFFT_SUCCESS;
}

cufftResult cufftPlan1d(cufftHandle* handle, int nx, cufftType type, int batch) {
  return plan_of(handle, dense(1, {1, 1, nx}, type, batch));
}
cufftResult cufftPlan2d(cufftHandle* handle, int nx, int ny, cufftType type) {
  return plan_of(handle, dense(2, {1, nx, ny}, type, 1));
}
cufftResult cufftPlan3d(cufftHandle* handle, int nx, int ny, int nz, cufftType type) {
  return plan_of(handle, dense(3, {nx, ny, nz}, type, 1));
}
cufftResult cufftPlanMany(cufftHandle* handle, int rank, int* n, int* in_embed, int in_stride,
                          int in_distance, int* out_embed, int out_stride, int out_distance,
                          cufftType type, int batch) {
  Request request;
  const cufftResult result = read_many(request, rank, n, in_embed, in_stride, in_distance,
                                       out_embed, out_stride, out_distance, type, batch);
  return result != CUFFT_SUCCESS ? result : plan_of(handle, request);
}

cufftResult cufftMakePlan1d(cufftHandle handle, int nx, cufftType type, int batch, size_t* work) {
  return with_size(make(handle, dense(1, {1, 1, nx}, type, batch)), handle, work);
}
cufftResult cufftMakePlan2d(cufftHandle handle, int nx, int ny, cufftType type, size_t* work) {
  return with_size(make(handle, dense(2, {1, nx, ny}, type, 1)), handle, work);
}
cufftResult cufftMakePlan3d(cufftHandle handle, int nx, int ny, int nz, cufftType type,
                            size_t* work) {
  return with_size(make(handle, dense(3, {nx, ny, nz}, type, 1)), handle, work);
}

cufftResult cufftMakePlanMany(cufftHandle handle, int rank, int* n, int* in_embed, int in_stride,
                              int in_distance, int* out_embed, int out_stride, int out_distance,
                              cufftType type, int batch, size_t* work) {
  Request request;
  const cufftResult result = read_many(request, rank, n, in_embed, in_stride, in_distance,
                                       out_embed, out_stride, out_distance, type, batch);
  return result != CUFFT_SUCCESS ? result : with_size(make(handle, request), handle, work);
}

cufftResult cufftGetSize(cufftHandle handle, size_t* work) {
  const Plan* const plan = find(handle);
  if (plan == nullptr || plan->rank == 0) return CUFFT_INVALID_PLAN;
  if (work == nullptr) return CUFFT_INVALID_VALUE;
  *work = 2 * plan->work_bytes();
  return CUFFT_SUCCESS;
}

cufftResult cufftDestroy(cufftHandle handle) {
  Plan* const plan = find(handle);
  if (plan == nullptr) return CUFFT_INVALID_PLAN;
  for (void* const work : plan->work) cudaFree(work);
  plans().erase(handle);
  return CUFFT_SUCCESS;
}

cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream) {
  Plan* const plan = find(handle);
  if (plan == nullptr) return CUFFT_INVALID_PLAN;
  plan->stream = stream;
  return CUFFT_SUCCESS;
}

cufftResult cufftGetVersion(int* version) {
  if (version == nullptr) return CUFFT_INVALID_VALUE;
  *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}

cufftResult cufftExecC2C(cufftHandle handle, cufftComplex* in, cufftComplex* out, int direction) {
  return complex_to_complex(handle, CUFFT_C2C, in, out, direction);
}
cufftResult cufftExecZ2Z(cufftHandle handle, cufftDoubleComplex* in, cufftDoubleComplex* out,
                         int direction) {
  return complex_to_complex(handle, CUFFT_Z2Z, in, out, direction);
}
cufftResult cufftExecR2C(cufftHandle handle, cufftReal* in, cufftComplex* out) {
  return real_to_complex(handle, CUFFT_R2C, in, out);
}
cufftResult cufftExecD2Z(cufftHandle handle, cufftDoubleReal* in, cufftDoubleComplex* out) {
  return real_to_complex(handle, CUFFT_D2Z, in, out);
}
cufftResult cufftExecC2R(cufftHandle handle, cufftComplex* in, cufftReal* out) {
  return complex_to_real(handle, CUFFT_C2R, in, out);
}
cufftResult cufftExecZ2D(cufftHandle handle, cufftDoubleComplex* in, cufftDoubleReal* out) {
  return complex_to_real(handle, CUFFT_Z2D, in, out);
}

}  // extern "C"
