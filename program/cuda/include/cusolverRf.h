// SPDX-License-Identifier: Apache-2.0
// A library of CUDA that is not here.
#error "cusolverRf.h: warpmem has no cuSOLVER"
