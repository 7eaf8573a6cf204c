// SPDX-License-Identifier: Apache-2.0
// What clang's host code calls before main() and after it: registration of the embedded PTX, of its
// kernels and of its variables.
#include <cstddef>

#include "program/cuda/api.hpp"
#include "program/cuda/named_sections.hpp"

namespace {

using namespace warpmem::program::cuda;

/// This is clang's wrapper around the file given to -fcuda-include-gpubinary, here PTX text with a
/// NUL.
struct FatBinaryWrapper {
  unsigned magic, version;
  const void* data;
  void* unused;
};

}  // namespace

extern "C" {

void** __cudaRegisterFatBinary(const void* wrapper) {
  Binary* binary = nullptr;
  api([&](Runtime& runtime) {
    binary = runtime.register_binary(
        static_cast<const char*>(static_cast<const FatBinaryWrapper*>(wrapper)->data), false);
    return cudaSuccess;
  });
  return reinterpret_cast<void**>(binary);
}

void __cudaRegisterFatBinaryEnd(void** handle) {
  api([&](Runtime& runtime) {
    runtime.registered(*reinterpret_cast<Binary*>(handle));
    return cudaSuccess;
  });
}

/// Objects for separate device compilation call this (the compile driver sees to the name); the
/// call back registers their kernels and variables.
void __warpmemRegisterLinkedBinary(void (*register_all)(void*), const void* wrapper, const void*,
                                   void (*)(void*)) {
  Binary* binary = nullptr;
  api([&](Runtime& runtime) {
    binary = runtime.register_binary(
        static_cast<const char*>(static_cast<const FatBinaryWrapper*>(wrapper)->data), true);
    return cudaSuccess;
  });
  register_all(binary);
  __cudaRegisterFatBinaryEnd(reinterpret_cast<void**>(binary));
}

void __cudaUnregisterFatBinary(void** handle) {
  api([&](Runtime& runtime) {
    runtime.unregister_binary(reinterpret_cast<Binary*>(handle));
    return cudaSuccess;
  });
}

void __cudaRegisterFunction(void** handle, const char* host, char*, const char* device_name, int,
                            void*, void*, void*, void*, int*) {
  api([&](Runtime& runtime) {
    runtime.register_kernel(reinterpret_cast<Binary*>(handle), host, device_name);
    return cudaSuccess;
  });
}

void __cudaRegisterVar(void** handle, char* host, char*, const char* device_name, int,
                       std::size_t bytes, int, int) {
  api([&](Runtime& runtime) {
    Binary* const binary = reinterpret_cast<Binary*>(handle);
    if (section_of(host, "warpmem.managed"))
      runtime.register_managed(binary, host, device_name, bytes);
    else
      runtime.register_variable(binary, host, device_name);
    return cudaSuccess;
  });
}

/// The device variable is a handle that cudaBindTexture fills.
void __cudaRegisterTexture(void** handle, const textureReference* host, const void**,
                           const char* device_name, int, int normalized, int) {
  api([&](Runtime& runtime) {
    runtime.register_variable(reinterpret_cast<Binary*>(handle), host, device_name);
    if (normalized != 0) note_normalized_reference(host);
    return cudaSuccess;
  });
}

void __cudaRegisterSurface(void** handle, const surfaceReference* host, const void**,
                           const char* device_name, int, int) {
  api([&](Runtime& runtime) {
    runtime.register_variable(reinterpret_cast<Binary*>(handle), host, device_name);
    return cudaSuccess;
  });
}

}  // extern "C"
