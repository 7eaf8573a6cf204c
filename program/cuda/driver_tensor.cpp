// SPDX-License-Identifier: Apache-2.0
// Tensor maps, and functions of the driver API by their names, which is how programs that do not
// link the driver's library find them.
#include <dlfcn.h>

#include <cstdio>
#include <string>

#include "program/cuda/driver.hpp"
#include "program/tensor_map.hpp"

namespace {

using namespace warpmem::program;

struct ElementType {
  unsigned bytes;
  std::optional<Element> element;  // of reductions
};
// By CUtensorMapDataType. A reduction of single precision flushes subnormals in any case.
constexpr ElementType kElements[] = {{1, {}},
                                     {2, {}},
                                     {4, Element::u32},
                                     {4, Element::s32},
                                     {8, Element::u64},
                                     {8, Element::s64},
                                     {2, Element::f16},
                                     {4, Element::f32},
                                     {8, Element::f64},
                                     {2, Element::bf16},
                                     {4, Element::f32},
                                     {4, {}},
                                     {4, {}}};

CUresult refuse(const std::string& what, CUresult result = CUDA_ERROR_INVALID_VALUE) {
  std::fprintf(stderr, "warpmem: cuTensorMapEncodeTiled: %s\n", what.c_str());
  return result;
}

}  // namespace

extern "C" {

// The driver says nothing but "invalid value"; which one it was goes to standard error.
CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank,
                                void* address, const cuuint64_t* sizes, const cuuint64_t* strides,
                                const cuuint32_t* box, const cuuint32_t* element_strides,
                                CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
  if (map == nullptr || sizes == nullptr || box == nullptr || element_strides == nullptr ||
      (strides == nullptr && rank > 1))
    return refuse("a null pointer");
  if (reinterpret_cast<std::uintptr_t>(map) % alignof(CUtensorMap) != 0)
    return refuse("the map is not aligned to 64 bytes");
  if (static_cast<unsigned>(type) >= std::size(kElements)) return refuse("an unknown type");
  if (static_cast<unsigned>(swizzle) > CU_TENSOR_MAP_SWIZZLE_128B)
    return refuse("an unknown swizzle");
  if (static_cast<unsigned>(promotion) > CU_TENSOR_MAP_L2_PROMOTION_L2_256B)
    return refuse("an unknown promotion");
  if (interleave != CU_TENSOR_MAP_INTERLEAVE_NONE)
    return refuse("interleaved tensors are not supported", CUDA_ERROR_NOT_SUPPORTED);
  if (fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)
    return refuse("elements outside the tensor can only be zeros", CUDA_ERROR_NOT_SUPPORTED);
  TensorMap tensor;
  tensor.base = reinterpret_cast<warpmem::Addr>(address);
  tensor.rank = rank;
  tensor.element_bytes = kElements[type].bytes;
  tensor.element = kElements[type].element;
  tensor.stride[0] = tensor.element_bytes;
  tensor.swizzle = static_cast<Swizzle>(swizzle);
  for (unsigned d = 0; d < rank && d < TensorMap::kRanks; ++d) {
    tensor.size[d] = sizes[d];
    tensor.box[d] = box[d];
    if (d != 0) tensor.stride[d] = strides[d - 1];
    if (element_strides[d] != 1)
      return refuse("element strides other than 1 are not supported", CUDA_ERROR_NOT_SUPPORTED);
  }
  const std::string problem = tensor.problem();
  if (!problem.empty()) return refuse(problem);
  tensor.encode(reinterpret_cast<std::uint8_t*>(map->opaque));
  return CUDA_SUCCESS;
}

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* result) {
  if (symbol == nullptr || function == nullptr || flags > cudaEnablePerThreadDefaultStream)
    return cudaErrorInvalidValue;
  const std::string name = symbol;
  const bool driver = name.compare(0, 2, "cu") == 0 && name.compare(0, 4, "cuda") != 0;
  *function = driver ? dlsym(RTLD_DEFAULT, symbol) : nullptr;
  if (result != nullptr)
    *result =
        *function != nullptr ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  return *function != nullptr || result != nullptr ? cudaSuccess : cudaErrorSymbolNotFound;
}

}  // extern "C"
