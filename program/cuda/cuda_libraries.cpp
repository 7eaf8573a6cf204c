// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/cuda_libraries.hpp"

#include <algorithm>
#include <initializer_list>

#include "base/errors.hpp"

namespace warpmem::program::cuda {

namespace {

bool is_one_of(std::initializer_list<const char*> names, const std::string& name) {
  return std::any_of(names.begin(), names.end(), [&](const char* n) { return name == n; });
}

// Static and shared libraries are the same here.
std::string without_static(const std::string& name) {
  const std::size_t at = name.find("_static");
  return name.substr(0, at);
}

}  // namespace

std::optional<std::string> linked_library(const std::string& name) {
  const std::string base = without_static(name);
  if (is_one_of({"cudart", "cudadevrt", "cuda", "culibos", "cutil", "cutil_x86_64", "nvToolsExt"},
                base))
    return std::nullopt;
  if (is_one_of({"cublas", "cufft", "curand"}, base)) return base;
  if (is_one_of(
          {"cublasLt", "cublas_device", "cufftw",  "cufile", "cupti",  "cusparse",  "cusolver",
           "cudnn",    "nvrtc",         "nvgraph", "nvjpeg", "nvblas", "nvJitLink", "nvidia-ml",
           "npp",      "nppc",          "nppi",    "nppial", "nppicc", "nppicom",   "nppidei",
           "nppif",    "nppig",         "nppim",   "nppist", "nppisu", "nppitc",    "npps"},
          base))
    throw UserError("warpmem cc: -l" + name + ": this library of CUDA is not part of warpmem");
  return name;
}

}  // namespace warpmem::program::cuda
