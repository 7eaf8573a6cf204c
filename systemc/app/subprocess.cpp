// SPDX-License-Identifier: Apache-2.0
#include "app/subprocess.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/errors.hpp"

namespace warpmem::app {

namespace {

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> out;
  for (std::string& s : strings) out.push_back(s.data());
  out.push_back(nullptr);
  return out;
}

}  // namespace

int run_program(const std::vector<std::string>& arguments,
                const std::vector<std::string>& environment) {
  std::vector<std::string> args = arguments;
  std::vector<std::string> variables = environment;
  for (char** v = environ; *v != nullptr; ++v) {
    const std::string name(*v, std::strcspn(*v, "=") + 1);
    bool replaced = false;
    for (const std::string& e : environment) replaced = replaced || e.rfind(name, 0) == 0;
    if (!replaced) variables.emplace_back(*v);
  }
  std::vector<char*> argv = pointers(args);
  std::vector<char*> envp = pointers(variables);
  pid_t pid = 0;
  const int error = posix_spawnp(&pid, argv[0], nullptr, nullptr, argv.data(), envp.data());
  if (error != 0) throw UserError(arguments[0] + ": cannot be run: " + std::strerror(error));
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) throw UserError(arguments[0] + ": " + std::strerror(errno));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace warpmem::app
