// SPDX-License-Identifier: Apache-2.0
#include "base/programs.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include "base/errors.hpp"

namespace warpmem {

namespace fs = std::filesystem;

std::string debian_package_of(std::string_view program) {
  constexpr std::string_view kSystem = "/usr/bin/";
  if (program.substr(0, kSystem.size()) == kSystem) program.remove_prefix(kSystem.size());
  std::istringstream lines{std::string(kPackagesText)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string package, word;
    words >> package;
    while (words >> word)
      if (word == program) return package;
  }
  return "";
}

fs::path program_in_path(const std::string& name) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path file = fs::absolute(fs::path(folder) / name);
    if (fs::is_regular_file(file) && access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

fs::path find_program(const std::string& program) {
  const std::string package = debian_package_of(program);
  if (program.find('/') != std::string::npos) {
    if (package.empty() || fs::exists(program)) return fs::absolute(program);
  } else {
    if (package.empty())
      throw std::logic_error(program + ": no package of tools/packages.txt has this program");
    if (fs::path file = program_in_path(program); !file.empty()) return file;
  }
  throw UserError(fmt::format("{} is not installed: run 'apt-get install {}'", program, package));
}

}  // namespace warpmem
