// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/early_end.hpp"

#include <fmt/format.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "base/end_record.hpp"
#include "base/interrupt.hpp"
#include "program/cuda/api.hpp"

namespace warpmem::program::cuda {
namespace {

/// These are sent from outside: the launch that is running stops, and the process ends.
constexpr int kRequests[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGXCPU};
/// These strike a thread, which must not go on.
constexpr int kFaults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGPIPE};

/// How long the writer waits for the call of the API that is in progress. A request makes every
/// launch end by itself; a faulty thread may be the one that is in the call.
constexpr std::chrono::milliseconds kPatience{10000}, kPatienceAfterFault{100};
constexpr std::size_t kHandlerStackBytes = 64 * 1024;

pid_t owner = 0;
bool has_writer = false;
sem_t asked, written;
std::atomic<bool> ending{false};
std::atomic<int> fault{0};
std::atomic<int> exit_status{0};

void wait_for(sem_t& semaphore) {
  while (sem_wait(&semaphore) != 0) {
  }
}

bool lock_within(std::unique_lock<std::recursive_mutex>& lock, std::chrono::milliseconds patience) {
  constexpr std::chrono::milliseconds kStep{10};
  for (; !lock.try_lock(); patience -= kStep) {
    if (patience.count() <= 0) return false;
    std::this_thread::sleep_for(kStep);
  }
  return true;
}

/// This is the thread's body. Its own signals are blocked; a fault in it ends the process.
void write_when_asked() {
  wait_for(asked);
  const int request = fault == 0 ? requested_interrupt() : 0;
  std::unique_lock<std::recursive_mutex> lock(api_mutex(), std::defer_lock);
  const bool between_calls = lock_within(lock, request != 0 ? kPatience : kPatienceAfterFault);
  try {
    if (request != 0) {
      Runtime::instance().abandon(Interrupted(request).what());
    } else if (fault != 0) {
      Runtime::instance().abandon("ended by " + signal_text(fault));
    } else if (between_calls) {
      Runtime::instance().finish_after_exit(fmt::format("_exit({})", exit_status.load()));
    } else {
      Runtime::instance().abandon(fmt::format("left by _exit({}) during a launch", exit_status));
    }
  } catch (const UserError& error) {
    fail(kExitUserError, error.what());
  } catch (const std::exception& error) {
    fail(kExitSimulationError, error.what());
  }
  if (request != 0) end_by_signal(request);
  sem_post(&written);
}

/// A thread that is about to end the process has the results written first. When another thread is
/// at it, that one ends the process.
void have_results_written() {
  if (ending.exchange(true))
    for (;;) pause();
  sem_post(&asked);
  wait_for(written);
}

void on_request(int signal) {
  if (getpid() != owner) return end_by_signal(signal);
  request_interrupt(signal);
  if (!ending.exchange(true)) sem_post(&asked);
}

void on_fault(int signal) {
  if (getpid() == owner) {
    int none = 0;
    fault.compare_exchange_strong(none, signal);
    have_results_written();
  }
  end_by_signal(signal);
}

/// A stack overflow leaves no room for a handler. Other threads of the program have none.
void give_handler_stack() {
  stack_t now{};
  if (sigaltstack(nullptr, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0) return;
  static char memory[kHandlerStackBytes];
  stack_t stack{};
  stack.ss_sp = memory;
  stack.ss_size = sizeof memory;
  sigaltstack(&stack, nullptr);
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction now {};
  if (sigaction(signal, nullptr, &now) != 0 || (now.sa_flags & SA_SIGINFO) != 0 ||
      now.sa_handler != SIG_DFL)
    return;  // the program's own, or ignored
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_ONSTACK | SA_RESTART;
  sigaction(signal, &action, nullptr);
}

}  // namespace

// Registered before every handler of the program, it is the last that exit() calls.
[[gnu::constructor]] static void say_end_last() { say_end_at_exit(); }

void watch_for_early_end(bool results) {
  owner = getpid();
  std::at_quick_exit(finish_at_exit);
  if (!results) return;

  has_writer = true;
  sem_init(&asked, 0, 0);
  sem_init(&written, 0, 0);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread(write_when_asked).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);

  give_handler_stack();
  for (const int signal : kRequests) handle(signal, on_request);
  for (const int signal : kFaults) handle(signal, on_fault);
}

bool owns_results() { return getpid() == owner; }

void left_by_exit(int status) {
  if (owns_results() && !Runtime::instance().finished()) {
    exit_status = status;
    if (has_writer)
      have_results_written();
    else
      finish_at_exit();
  }
  leave(status);
}

void leave(int status) {
  say_end(status);
  for (;;) syscall(SYS_exit_group, status);
}

}  // namespace warpmem::program::cuda
