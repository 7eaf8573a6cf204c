// SPDX-License-Identifier: Apache-2.0
#include "app/places.hpp"

#include <cstdlib>

namespace warpmem::app {

const Places& places() {
  static const Places kPlaces = [] {
    namespace fs = std::filesystem;
    const char* home = std::getenv("WARPMEM_HOME");
    const fs::path root = home != nullptr ? home : WARPMEM_SOURCE_DIR;
    Places p;
    p.configs = root / "configs";
    p.workloads = root / "workloads";
    p.experiments = root / "experiments";
    p.rtl = root / "rtl";
    p.report_tool = root / "tools" / "report" / "report.py";
    p.coverage_tool = root / "tools" / "report" / "coverage.py";
    p.cuda_include = root / "program" / "cuda" / "include";
    p.cuda_library = fs::read_symlink("/proc/self/exe").parent_path() / "libwarpmem_cuda.so";
    p.cuda_link_folder = p.cuda_library.parent_path() / "cuda" / "lib64";
    return p;
  }();
  return kPlaces;
}

}  // namespace warpmem::app
