// SPDX-License-Identifier: Apache-2.0
// Fourier transforms on the device, of one to three dimensions and any size: kernels in
// program/cuda/libraries. Link with -lcufft. Results are not scaled, as with cuFFT.
#ifndef _CUFFT_H_
#define _CUFFT_H_

#include "cuComplex.h"
#include "cuda_runtime_api.h"
#include "library_types.h"

#define CUFFT_VER_MAJOR 10
#define CUFFT_VER_MINOR 6
#define CUFFT_VERSION 10600
#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1

typedef enum cufftResult_t {
  CUFFT_SUCCESS = 0,
  CUFFT_INVALID_PLAN = 1,
  CUFFT_ALLOC_FAILED = 2,
  CUFFT_INVALID_TYPE = 3,
  CUFFT_INVALID_VALUE = 4,
  CUFFT_INTERNAL_ERROR = 5,
  CUFFT_EXEC_FAILED = 6,
  CUFFT_SETUP_FAILED = 7,
  CUFFT_INVALID_SIZE = 8,
  CUFFT_NOT_SUPPORTED = 16
} cufftResult;
typedef enum cufftType_t {
  CUFFT_R2C = 0x2a,
  CUFFT_C2R = 0x2c,
  CUFFT_C2C = 0x29,
  CUFFT_D2Z = 0x6a,
  CUFFT_Z2D = 0x6c,
  CUFFT_Z2Z = 0x69
} cufftType;
typedef int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;

#if defined(__cplusplus)
extern "C" {
#endif

cufftResult cufftPlan1d(cufftHandle* plan, int nx, cufftType type, int batch);
cufftResult cufftPlan2d(cufftHandle* plan, int nx, int ny, cufftType type);
cufftResult cufftPlan3d(cufftHandle* plan, int nx, int ny, int nz, cufftType type);
/// Element (x, y, z) of batch b is at b * distance + ((x * embed[1] + y) * embed[2] + z) * stride,
/// and in fewer dimensions likewise. Where either embed is NULL, the data lie densely and strides
/// and distances do not count. CUFFT_INVALID_SIZE: a row or plane is larger than its place;
/// CUFFT_INVALID_VALUE: a stride below 1, or a distance below 1 of several batches.
cufftResult cufftPlanMany(cufftHandle* plan, int rank, int* n, int* in_embed, int in_stride,
                          int in_distance, int* out_embed, int out_stride, int out_distance,
                          cufftType type, int batch);
cufftResult cufftCreate(cufftHandle* plan);
cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, size_t* work);
cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t* work);
cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t* work);
cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int* n, int* in_embed, int in_stride,
                              int in_distance, int* out_embed, int out_stride, int out_distance,
                              cufftType type, int batch, size_t* work);
cufftResult cufftGetSize(cufftHandle plan, size_t* work);
cufftResult cufftDestroy(cufftHandle plan);
cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream);
cufftResult cufftGetVersion(int* version);

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex* in, cufftComplex* out, int direction);
cufftResult cufftExecR2C(cufftHandle plan, cufftReal* in, cufftComplex* out);
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex* in, cufftReal* out);
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex* in, cufftDoubleComplex* out,
                         int direction);
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal* in, cufftDoubleComplex* out);
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex* in, cufftDoubleReal* out);

#if defined(__cplusplus)
}
#endif

#endif
