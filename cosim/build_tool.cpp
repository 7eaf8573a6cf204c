// SPDX-License-Identifier: Apache-2.0
#include "cosim/build_tool.hpp"

#include <fstream>

#include "base/errors.hpp"
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

int run(const Process& process, const std::string& what) {
  try {
    return run_process(process);
  } catch (const UserError& error) {
    throw UserError(what + ": " + error.what());
  }
}

}  // namespace

void run_tool(const std::vector<std::string>& argv, const std::filesystem::path& directory,
              const std::string& log, const std::string& debian_package, const std::string& what) {
  const std::filesystem::path file = directory / log;
  if (run({argv, debian_package, directory, file}, what) != 0)
    throw UserError(what + ": " + argv[0] + " failed:" + first_lines(file));
}

}  // namespace warpmem::cosim
