// SPDX-License-Identifier: Apache-2.0
// Read by clang alone, which asks a CUDA installation for its version; never included.
#define CUDA_VERSION 9020
