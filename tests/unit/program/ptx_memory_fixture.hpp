// SPDX-License-Identifier: Apache-2.0
// Kernels of one warp that have one buffer.
#pragma once

#include <memory>
#include <string>

#include "unit/program/ptx_fixture.hpp"

namespace warpmem::program::ptx {

/// Runs a kernel with one pointer parameter %p (also 32 bytes of module variables) on one warp.
class PtxMemory : public testing::Test {
 protected:
  DeviceMemory memory{std::uint64_t(1) << 24};
  Addr buffer = memory.allocate(4096);
  std::unique_ptr<Module> module;
  std::unique_ptr<Grid> grid;

  void prepare(const std::string& body, Dim3 block = {32}, std::uint64_t dynamic_shared = 0,
               const std::string& globals = "", Addr parameter = 0, Dim3 ctas = {1}) {
    grid.reset();
    module = std::make_unique<Module>(
        header() + globals +
            "\n.visible .entry k(.param .u64 ptr) {\n.reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 "
            "%r<30>; .reg .b64 %rd<20>;"
            ".reg .f32 %f<9>; .reg .f64 %fd<9>;\nld.param.u64 %rd0, [ptr]; mov.u32 %r0, %tid.x;\n"
            "mul.wide.u32 %rd1, %r0, 4; add.u64 %rd2, %rd0, %rd1;\n" +
            body + "\nret; }\n",
        "memory.ptx");
    module->bind(memory);
    grid = make_grid(*module, "k", ctas, block, dynamic_shared,
                     Arguments().add(parameter != 0 ? parameter : buffer).bytes(), memory);
  }
  void run(const std::string& body, Dim3 block = {32}, std::uint64_t dynamic_shared = 0,
           const std::string& globals = "") {
    prepare(body, block, dynamic_shared, globals);
    run_functional(*grid);
  }
  std::string fails(const std::string& body, Dim3 block = {32}, Addr parameter = 0) {
    return error_of([&] {
      prepare(body, block, 0, "", parameter);
      run_functional(*grid);
    });
  }
  template <class T>
  T* host(Addr address) {
    return reinterpret_cast<T*>(DeviceMemory::host(address));
  }
  template <class T>
  T* host() {
    return host<T>(buffer);
  }
};

}  // namespace warpmem::program::ptx
