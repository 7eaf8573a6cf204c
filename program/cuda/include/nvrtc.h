// SPDX-License-Identifier: Apache-2.0
// A library of CUDA that is not here.
#error "nvrtc.h: warpmem has no compiler at run time (cuModuleLoadData takes PTX text)"
