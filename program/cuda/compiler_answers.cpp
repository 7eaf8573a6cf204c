// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/compiler_answers.hpp"

#include <cstdio>

namespace warpmem::program::cuda {

namespace {

namespace fs = std::filesystem;

// Those of kCudaVersion that are not taken for an older one's.
constexpr int kListedArchs[] = {60, 61, 62, 70, 72, 75, 80, 86, 87};

}  // namespace

bool answer(const CompileArguments& arguments, const CompilerPaths& paths) {
  if (arguments.version) {  // build systems look for these words
    const std::string version = kCudaVersion;
    std::printf(
        "nvcc: NVIDIA (R) Cuda compiler driver: its interface; this is warpmem cc, by %s\n"
        "Cuda compilation tools, release %s, V%s\n",
        paths.clang.c_str(), version.substr(0, version.rfind('.')).c_str(), version.c_str());
    return true;
  }
  if (arguments.help) {
    std::fputs(compile_help().c_str(), stdout);
    return true;
  }
  if (!arguments.list_prefix.empty()) {
    for (const int arch : kListedArchs) std::printf("%s%d\n", arguments.list_prefix.c_str(), arch);
    return true;
  }
  if (arguments.print_libdir) {
    std::printf("%s\n", fs::absolute(paths.link_folder).c_str());
    return true;
  }
  if (arguments.print_incdir) {
    std::printf("%s\n", fs::absolute(paths.include).lexically_normal().c_str());
    return true;
  }
  return false;
}

void tell_notes(const CompileArguments& arguments) {
  for (const std::string& note : arguments.notes)
    std::fprintf(stderr, "warpmem: note: %s\n", note.c_str());
}

}  // namespace warpmem::program::cuda
