// SPDX-License-Identifier: Apache-2.0
#include "cosim/build_tool.hpp"

#include <fstream>

#include "base/environment_error.hpp"
#include "base/process.hpp"

namespace warpmem::cosim {

namespace {

constexpr int kMostLogLines = 12;

std::string first_lines(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string text, line;
  for (int i = 0; i < kMostLogLines && std::getline(in, line); ++i) text += "\n  " + line;
  return text;
}

}  // namespace

void run_tool(const std::vector<std::string>& argv, const std::filesystem::path& directory,
              const std::string& log, const std::string& what) {
  const std::filesystem::path file = directory / log;
  Process process{argv, directory, file};
  // The output is read as well as shown, and in a locale that is not installed Perl tools complain
  // first.
  process.environment = {"LC_ALL=C.UTF-8"};
  int status = 0;
  try {
    status = run_process(process);
  } catch (const UserError& error) {
    throw EnvironmentError(what + ": " + error.what());
  }
  if (status != 0)
    throw EnvironmentError(what + ": " + ending(process, status) + ":" + first_lines(file));
}

}  // namespace warpmem::cosim
