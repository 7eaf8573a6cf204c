// SPDX-License-Identifier: Apache-2.0
// The host timer of programs in the style of the CUDA samples. It measures wall time of the host,
// that is of the simulation; cudaEvent measures simulated time.
#pragma once
#define COMMON_HELPER_TIMER_H_

#include <chrono>

class StopWatchInterface {
 public:
  void start() {
    begin_ = Clock::now();
    running_ = true;
  }
  void stop() {
    if (!running_) return;
    total_ms_ += running_ms();
    ++sessions_;
    running_ = false;
  }
  void reset() {
    total_ms_ = 0;
    sessions_ = 0;
    if (running_) begin_ = Clock::now();
  }
  /// Returns the milliseconds in all, the running session included.
  float getTime() const { return static_cast<float>(total_ms_ + (running_ ? running_ms() : 0)); }
  /// Returns the milliseconds of a finished session on average.
  float getAverageTime() const {
    return sessions_ > 0 ? static_cast<float>(total_ms_ / sessions_) : 0.0f;
  }

 private:
  using Clock = std::chrono::steady_clock;
  double running_ms() const {
    return std::chrono::duration<double, std::milli>(Clock::now() - begin_).count();
  }
  Clock::time_point begin_{};
  double total_ms_ = 0;
  int sessions_ = 0;
  bool running_ = false;
};

inline bool sdkCreateTimer(StopWatchInterface** timer) {
  *timer = new StopWatchInterface;
  return true;
}
inline bool sdkDeleteTimer(StopWatchInterface** timer) {
  delete *timer;
  *timer = nullptr;
  return true;
}
inline bool sdkStartTimer(StopWatchInterface** timer) {
  if (*timer) (*timer)->start();
  return *timer != nullptr;
}
inline bool sdkStopTimer(StopWatchInterface** timer) {
  if (*timer) (*timer)->stop();
  return *timer != nullptr;
}
inline bool sdkResetTimer(StopWatchInterface** timer) {
  if (*timer) (*timer)->reset();
  return *timer != nullptr;
}
inline float sdkGetTimerValue(StopWatchInterface** timer) {
  return *timer ? (*timer)->getTime() : 0.0f;
}
inline float sdkGetAverageTimerValue(StopWatchInterface** timer) {
  return *timer ? (*timer)->getAverageTime() : 0.0f;
}
