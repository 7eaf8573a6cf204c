// SPDX-License-Identifier: Apache-2.0
#include "base/interrupt.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cstring>

namespace warpmem {
namespace {

std::atomic<int> requested{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may not wait for a lock");

}  // namespace

Interrupted::Interrupted(int signal)
    : std::runtime_error("interrupted by " + signal_text(signal)), signal_(signal) {}

void request_interrupt(int signal) {
  int none = 0;
  requested.compare_exchange_strong(none, signal);
}

int requested_interrupt() { return requested.load(std::memory_order_relaxed); }

InterruptWatch::InterruptWatch() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    struct sigaction action = {};
    action.sa_handler = request_interrupt;
    sigaction(kSignals[i], nullptr, &before_[i]);
    // Who starts us with nohup wants us to go on.
    if (before_[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &action, nullptr);
  }
}

InterruptWatch::~InterruptWatch() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_[i], nullptr);
}

void throw_if_interrupted() {
  if (const int signal = requested_interrupt(); signal != 0) throw Interrupted(signal);
}

std::string signal_text(int signal) {
  const char* const name = sigabbrev_np(signal);
  if (name == nullptr) return fmt::format("signal {}", signal);
  return fmt::format("SIG{} ({})", name, sigdescr_np(signal));
}

void end_by_signal(int signal) {
  std::signal(signal, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  raise(signal);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
}

}  // namespace warpmem
