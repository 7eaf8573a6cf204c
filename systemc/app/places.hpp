// SPDX-License-Identifier: Apache-2.0
// Where the files of this installation are: in the source tree, or under WARPMEM_HOME if that is
// set; libraries beside the executable.
#pragma once

#include <filesystem>

namespace warpmem::app {

struct Places {
  std::filesystem::path configs;
  std::filesystem::path workloads;
  std::filesystem::path experiments;
  std::filesystem::path rtl;
  std::filesystem::path report_tool;       ///< the Python program behind `warpmem report`
  std::filesystem::path coverage_tool;     ///< the one behind `warpmem cosim --coverage-page`
  std::filesystem::path cuda_include;      ///< cuda_runtime.h and its like
  std::filesystem::path cuda_library;      ///< libwarpmem_cuda.so
  std::filesystem::path cuda_link_folder;  ///< libcudart.so and libcuda.so, names of the same
};

const Places& places();

}  // namespace warpmem::app
