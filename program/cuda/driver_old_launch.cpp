// SPDX-License-Identifier: Apache-2.0
// Launches of the driver API as before CUDA 4: a function keeps its block's shape and a block of
// parameters, into which values are put at their offsets.
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "program/cuda/driver.hpp"

namespace {

using namespace warpmem::program::cuda;

constexpr unsigned kMostParameterBytes = 4096;

/// Does `call`, which returns a CUresult, with what the function keeps.
template <class Call>
CUresult with_kept(CUfunction function, Call&& call) {
  if (!initialized()) return CUDA_ERROR_NOT_INITIALIZED;
  KeptLaunch* const kept = kept_launch(function);
  return kept == nullptr ? CUDA_ERROR_INVALID_HANDLE : call(*kept);
}

CUresult put(CUfunction function, int offset, const void* value, unsigned bytes) {
  return with_kept(function, [&](KeptLaunch& kept) {
    if (value == nullptr || offset < 0 || bytes > kMostParameterBytes ||
        static_cast<unsigned>(offset) > kMostParameterBytes - bytes)
      return CUDA_ERROR_INVALID_VALUE;
    const std::size_t end = static_cast<std::size_t>(offset) + bytes;
    kept.parameters.resize(std::max(kept.parameters.size(), end));
    std::memcpy(kept.parameters.data() + offset, value, bytes);
    return CUDA_SUCCESS;
  });
}

}  // namespace

extern "C" {

CUresult cuFuncSetBlockShape(CUfunction function, int x, int y, int z) {
  return with_kept(function, [&](KeptLaunch& kept) {
    if (x <= 0 || y <= 0 || z <= 0) return CUDA_ERROR_INVALID_VALUE;
    const int shape[] = {x, y, z};
    std::copy(shape, shape + 3, kept.block);
    return CUDA_SUCCESS;
  });
}

CUresult cuFuncSetSharedSize(CUfunction function, unsigned int bytes) {
  return with_kept(function, [&](KeptLaunch& kept) {
    kept.shared_bytes = bytes;
    return CUDA_SUCCESS;
  });
}

CUresult cuParamSetSize(CUfunction function, unsigned int bytes) {
  return with_kept(function, [&](KeptLaunch& kept) {
    if (bytes > kMostParameterBytes) return CUDA_ERROR_INVALID_VALUE;
    kept.parameters.resize(bytes);
    return CUDA_SUCCESS;
  });
}

CUresult cuParamSeti(CUfunction function, int offset, unsigned int value) {
  return put(function, offset, &value, sizeof value);
}
CUresult cuParamSetf(CUfunction function, int offset, float value) {
  return put(function, offset, &value, sizeof value);
}
CUresult cuParamSetv(CUfunction function, int offset, void* value, unsigned int bytes) {
  return put(function, offset, value, bytes);
}

CUresult cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream) {
  return with_kept(function, [&](KeptLaunch& kept) {
    if (width <= 0 || height <= 0) return CUDA_ERROR_INVALID_VALUE;
    std::size_t bytes = kept.parameters.size();
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, kept.parameters.data(),
                     CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
    const auto size = [](int side) { return static_cast<unsigned>(side); };
    return cuLaunchKernel(function, size(width), size(height), 1, size(kept.block[0]),
                          size(kept.block[1]), size(kept.block[2]), kept.shared_bytes, stream,
                          nullptr, kept.parameters.empty() ? nullptr : extra);
  });
}
CUresult cuLaunchGrid(CUfunction function, int width, int height) {
  return cuLaunchGridAsync(function, width, height, nullptr);
}
CUresult cuLaunch(CUfunction function) { return cuLaunchGrid(function, 1, 1); }

}  // extern "C"
