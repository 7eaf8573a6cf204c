// SPDX-License-Identifier: Apache-2.0
#include "base/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <cstring>

#include "base/errors.hpp"
#include "base/text_file.hpp"

namespace warpmem {

namespace {

/// posix_spawn's list of what to do in the child before the program starts.
class FileActions {
 public:
  FileActions() { posix_spawn_file_actions_init(&actions_); }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;

  void open(int fd, const std::filesystem::path& path, int flags) {
    posix_spawn_file_actions_addopen(&actions_, fd, path.c_str(), flags, 0);
  }
  void duplicate(int from, int to) { posix_spawn_file_actions_adddup2(&actions_, from, to); }
  void change_directory(const std::filesystem::path& path) {
    posix_spawn_file_actions_addchdir_np(&actions_, path.c_str());
  }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

/// Ends with the null pointer that C wants.
std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> out;
  for (const std::string& s : strings) out.push_back(const_cast<char*>(s.c_str()));
  out.push_back(nullptr);
  return out;
}

std::vector<std::string> environment_with(const std::vector<std::string>& extra) {
  std::vector<std::string> all = extra;
  for (char** v = environ; *v != nullptr; ++v) {
    const std::string name(*v, std::strcspn(*v, "=") + 1);
    bool replaced = false;
    for (const std::string& e : extra) replaced = replaced || e.rfind(name, 0) == 0;
    if (!replaced) all.emplace_back(*v);
  }
  return all;
}

/// The child only says that something could not be opened, not what: files and the directory are
/// tried here, where the message can name them.
void redirect(const Process& process, FileActions& actions) {
  constexpr int kAppend = O_WRONLY | O_APPEND;
  if (!process.log.empty() || !process.output.empty()) actions.open(0, "/dev/null", O_RDONLY);
  if (!process.log.empty()) {
    write_text(process.log, "");
    actions.open(2, process.log, kAppend);
    if (process.output.empty()) actions.duplicate(2, 1);
  }
  if (!process.output.empty()) {
    write_text(process.output, "");
    actions.open(1, process.output, kAppend);
  }
  if (process.directory.empty()) return;
  if (!std::filesystem::is_directory(process.directory))
    throw UserError(fmt::format("{}: no such folder", process.directory.string()));
  actions.change_directory(process.directory);  // last: the paths above are relative to ours
}

}  // namespace

int run_process(const Process& process) {
  assert(!process.argv.empty());
  const std::string& program = process.argv[0];
  FileActions actions;
  redirect(process, actions);
  const std::vector<char*> argv = pointers(process.argv);
  const std::vector<std::string> variables = environment_with(process.environment);
  const std::vector<char*> environment = pointers(variables);

  pid_t child = 0;
  const int error =
      posix_spawnp(&child, argv[0], actions.get(), nullptr, argv.data(), environment.data());
  if (error == ENOENT && !process.debian_package.empty())
    throw UserError(fmt::format("{} is not installed: run 'apt-get install {}'", program,
                                process.debian_package));
  if (error != 0)
    throw UserError(fmt::format("{}: cannot be run: {}", program, std::strerror(error)));
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      throw UserError(fmt::format("{}: lost track of it: {}", program, std::strerror(errno)));
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace warpmem
