// SPDX-License-Identifier: Apache-2.0
#include "app/user_program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "base/errors.hpp"
#include "base/interrupt.hpp"
#include "program/trace/trace.hpp"

namespace warpmem::app {
namespace {

constexpr std::array kRequests{SIGINT, SIGTERM, SIGHUP};

volatile pid_t program = 0;  // the handler reads it
std::array<struct sigaction, kRequests.size()> saved;

void pass_on(int signal, siginfo_t* info, void*) {
  request_interrupt(signal);
  // A terminal sends it to the whole group by itself.
  if (program != 0 && info->si_code != SI_KERNEL) kill(program, signal);
}

/// Runs in the child and becomes the program.
[[noreturn]] void become(const std::vector<char*>& argv, pid_t parent, int report) {
  for (const int signal : kRequests) {
    struct sigaction now {};
    sigaction(signal, nullptr, &now);
    if ((now.sa_flags & SA_SIGINFO) != 0) std::signal(signal, SIG_DFL);
  }
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() == parent) execv(argv[0], argv.data());
  const int error = errno;
  if (write(report, &error, sizeof error) < 0) _exit(1);
  _exit(1);
}

}  // namespace

// Programs of binfmt_misc aside, the kernel runs files that begin so.
std::string why_no_program(const std::string& file) {
  namespace fs = std::filesystem;
  const std::string none = file + ": neither a program, a .cu file nor a trace";
  std::error_code ignored;
  if (fs::is_directory(file, ignored)) return none + "; a folder without kernelslist.g";
  if (!fs::is_regular_file(file, ignored)) return "";
  if (fs::path(file).extension() == ".wmtrace") {
    try {
      program::trace::open_trace(file);
    } catch (const UserError& error) {
      return error.what();
    }
  }
  std::ifstream in(file, std::ios::binary);
  std::array<char, 4> begin{};
  in.read(begin.data(), begin.size());
  const std::string_view read(begin.data(), static_cast<std::size_t>(in.gcount()));
  const bool may_be = in.bad() || !in.is_open() || read == "\177ELF" || read.substr(0, 2) == "#!";
  return may_be ? "" : none;
}

SignalsTakenOver::SignalsTakenOver() {
  struct sigaction action {};
  action.sa_sigaction = pass_on;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  for (std::size_t i = 0; i < kRequests.size(); ++i) {
    sigaction(kRequests[i], nullptr, &saved[i]);
    if (saved[i].sa_handler != SIG_IGN) sigaction(kRequests[i], &action, nullptr);
  }
}

SignalsTakenOver::~SignalsTakenOver() {
  for (std::size_t i = 0; i < kRequests.size(); ++i) sigaction(kRequests[i], &saved[i], nullptr);
}

ProgramEnd run_user_program(const std::vector<std::string>& argv,
                            const std::vector<std::string>& variables) {
  std::vector<char*> words;
  for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  for (const std::string& variable : variables) {
    const std::size_t equals = variable.find('=');
    setenv(variable.substr(0, equals).c_str(), variable.substr(equals + 1).c_str(), 1);
  }
  const auto cannot = [&](int error) {
    return UserError(fmt::format("{}: cannot be run: {}", argv[0], std::strerror(error)));
  };

  const SignalsTakenOver signals;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw cannot(errno);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) become(words, parent, ends[1]);
  const int fork_error = errno;
  close(ends[1]);
  program = child > 0 ? child : 0;
  // A signal that came before the line above has reached nobody, so it is passed on here.
  if (child > 0 && requested_interrupt() != 0) kill(child, requested_interrupt());
  int error = 0;
  const bool failed = child > 0 && read(ends[0], &error, sizeof error) == sizeof error;
  close(ends[0]);
  if (child < 0) throw cannot(fork_error);

  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  program = 0;
  if (failed) throw cannot(error);
  if (WIFSIGNALED(status)) return {128 + WTERMSIG(status), WTERMSIG(status)};
  return {WEXITSTATUS(status), 0};
}

}  // namespace warpmem::app
