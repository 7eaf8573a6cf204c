// SPDX-License-Identifier: Apache-2.0
// A library of CUDA that is not here.
#error "cublasXt.h: warpmem has no cuBLASXt (cublas_v2.h has products of matrices)"
