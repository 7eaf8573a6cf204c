// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/spawn.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/errors.hpp"

namespace warpmem::program::cuda {

int spawn_and_wait(const std::vector<std::string>& arguments) {
  std::vector<std::string> copy = arguments;
  std::vector<char*> argv;
  for (std::string& argument : copy) argv.push_back(argument.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  const int error = posix_spawnp(&child, argv[0], nullptr, nullptr, argv.data(), environ);
  if (error != 0)
    throw UserError(arguments[0] + ": cannot be run: " + std::strerror(error) +
                    " (it is in Debian's package clang-14)");
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) throw UserError(arguments[0] + ": " + std::strerror(errno));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace warpmem::program::cuda
