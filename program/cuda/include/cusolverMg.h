// SPDX-License-Identifier: Apache-2.0
// A library of CUDA that is not here.
#error "cusolverMg.h: warpmem has no cuSOLVER"
