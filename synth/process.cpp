// SPDX-License-Identifier: Apache-2.0
#include "synth/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "base/errors.hpp"

extern char** environ;

namespace warpmem::synth {
namespace {

/// posix_spawn's list of what to do in the child before the program starts.
class FileActions {
 public:
  FileActions() { posix_spawn_file_actions_init(&actions_); }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;

  void open(int fd, const std::string& path, int flags) {
    posix_spawn_file_actions_addopen(&actions_, fd, path.c_str(), flags, 0644);
  }
  void duplicate(int from, int to) { posix_spawn_file_actions_adddup2(&actions_, from, to); }
  void change_directory(const std::string& path) {
    posix_spawn_file_actions_addchdir_np(&actions_, path.c_str());
  }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

}  // namespace

int run_command(const Command& command) {
  constexpr int kTruncate = O_WRONLY | O_CREAT | O_TRUNC;
  const std::string log = std::filesystem::absolute(command.log);
  write_text(log, "");  // a log that cannot be written is reported here, by name

  FileActions actions;
  actions.open(0, "/dev/null", O_RDONLY);
  actions.open(2, log, kTruncate | O_APPEND);
  if (command.output.empty()) {
    actions.duplicate(2, 1);
  } else {
    actions.open(1, std::filesystem::absolute(command.output), kTruncate);
  }
  actions.change_directory(command.directory);

  std::vector<char*> argv;
  for (const auto& word : command.argv) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);

  pid_t child = 0;
  const int error = posix_spawnp(&child, argv[0], actions.get(), nullptr, argv.data(), environ);
  if (error == ENOENT) {
    throw UserError(fmt::format("{} is not installed: run 'apt-get install {}'", command.argv[0],
                                command.debian_package));
  }
  if (error != 0) {
    throw UserError(fmt::format("cannot start {}: {}", command.argv[0], std::strerror(error)));
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) {
      throw UserError(fmt::format("lost track of {}: {}", command.argv[0], std::strerror(errno)));
    }
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

std::string read_text(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in || std::filesystem::is_directory(file)) {
    throw UserError(fmt::format("{}: cannot be read", file.string()));
  }
  return text.str();
}

void write_text(const std::filesystem::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (!out) throw UserError(fmt::format("{}: cannot be written", file.string()));
}

}  // namespace warpmem::synth
