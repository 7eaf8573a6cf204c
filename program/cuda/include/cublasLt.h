// SPDX-License-Identifier: Apache-2.0
// A library of CUDA that is not here.
#error "cublasLt.h: warpmem has no cuBLASLt (cublas_v2.h has products of matrices)"
