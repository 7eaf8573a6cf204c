// SPDX-License-Identifier: Apache-2.0
// A library of CUDA that is not here.
#error "cuda_fp8.h: warpmem has no numbers of 8 bits (cuda_fp16.h and cuda_bf16.h are there)"
