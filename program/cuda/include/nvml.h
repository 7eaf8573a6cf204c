// SPDX-License-Identifier: Apache-2.0
// A library of CUDA that is not here.
#error "nvml.h: warpmem has no NVML (cudaGetDeviceProperties describes the device)"
