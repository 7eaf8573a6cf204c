// SPDX-License-Identifier: Apache-2.0
#include "cosim/process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/errors.hpp"

extern char** environ;

namespace warpmem::cosim {

namespace {

constexpr int kMostLogLines = 12;

std::string first_lines(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string text, line;
  for (int i = 0; i < kMostLogLines && std::getline(in, line); ++i) text += "\n  " + line;
  return text;
}

/// Starts the program; returns an error number.
int spawn(const std::vector<std::string>& argv, const std::filesystem::path& directory,
          const std::string& log, pid_t& child) {
  std::vector<char*> arguments;
  for (const std::string& a : argv) arguments.push_back(const_cast<char*>(a.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  const int error =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

}  // namespace

void run_tool(const std::vector<std::string>& argv, const std::filesystem::path& directory,
              const std::string& log, const std::string& debian_package, const std::string& what) {
  pid_t child = 0;
  const int error = spawn(argv, directory, log, child);
  if (error == ENOENT)
    throw UserError(what + ": the program " + argv[0] + " is not installed: apt-get install " +
                    debian_package);
  if (error != 0) throw UserError(what + ": cannot start " + argv[0] + ": " + std::strerror(error));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw UserError(what + ": " + argv[0] + " failed:" + first_lines(directory / log));
}

}  // namespace warpmem::cosim
