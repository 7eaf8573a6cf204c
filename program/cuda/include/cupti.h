// SPDX-License-Identifier: Apache-2.0
// A library of CUDA that is not here.
#error "cupti.h: warpmem has no CUPTI (statistics are in the results of a run)"
