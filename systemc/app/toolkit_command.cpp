// SPDX-License-Identifier: Apache-2.0
// warpmem toolkit: a folder that looks like an installed CUDA toolkit, for makefiles with hard
// paths and for CMake (docs/own-program.md).
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "app/commands.hpp"
#include "app/places.hpp"
#include "base/errors.hpp"
#include "base/text.hpp"
#include "base/text_file.hpp"
#include "program/cuda/compiler.hpp"

namespace warpmem::app {

namespace {

namespace fs = std::filesystem;

// Only what this command has made before is replaced.
void make_place(const fs::path& folder) {
  if (fs::exists(folder) && !(fs::is_directory(folder) && fs::is_empty(folder)) &&
      !fs::exists(folder / "version.json"))
    throw UserError(folder.string() + ": is there and is no toolkit of warpmem's");
  if (fs::exists(folder / "version.json") &&
      read_text(folder / "version.json").find("warpmem") == std::string::npos)
    throw UserError(folder.string() + ": is there and is another CUDA toolkit");
  for (const char* part : {"bin", "lib64", "nvvm/libdevice"}) fs::create_directories(folder / part);
}

void link_to(const fs::path& target, const fs::path& link) {
  fs::remove(link);
  fs::create_symlink(fs::absolute(target).lexically_normal(), link);
}

void make_toolkit(const fs::path& folder) {
  make_place(folder);
  const fs::path nvcc = folder / "bin" / "nvcc";
  const std::string warpmem = fs::read_symlink("/proc/self/exe").string();
  const char* const home = std::getenv("WARPMEM_HOME");
  write_text(nvcc, "#!/bin/sh\n" +
                       (home == nullptr ? std::string()
                                        : fmt::format("export WARPMEM_HOME={}\n",
                                                      shell_quoted(fs::absolute(home).string()))) +
                       fmt::format("exec {} cc \"$@\"\n", shell_quoted(warpmem)));
  fs::permissions(nvcc, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                  fs::perm_options::add);
  link_to(places().cuda_include, folder / "include");
  for (const auto& entry : fs::directory_iterator(places().cuda_link_folder))
    link_to(entry.path(), folder / "lib64" / entry.path().filename());
  link_to("lib64", folder / "lib");
  const std::string version = program::cuda::kCudaVersion;
  write_text(folder / "version.txt", fmt::format("CUDA Version {}\n", version));
  write_text(folder / "version.json",
             fmt::format("{{\"cuda\": {{\"name\": \"warpmem in place of the CUDA SDK\", "
                         "\"version\": \"{}\"}}}}\n",
                         version));
}

}  // namespace

void add_toolkit(CLI::App& app, int&) {
  auto folder = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand(
      "toolkit", "make a folder that looks like a CUDA toolkit (bin/nvcc, include, lib64)");
  command->add_option("FOLDER", *folder, "the folder to make, or to make anew")->required();
  command->callback([folder] {
    make_toolkit(*folder);
    fmt::print("{}\n", fs::absolute(*folder).lexically_normal().string());
  });
}

}  // namespace warpmem::app
