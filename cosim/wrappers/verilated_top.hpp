// SPDX-License-Identifier: Apache-2.0
// A Verilated unit used as hardware is: inputs settle, outputs are read, the clock edge follows.
// Included by the wrappers that are compiled behind Verilator's output, once in each library.
#pragma once

#include <verilated.h>
#ifdef WARPMEM_TRACE
#include <verilated_fst_c.h>
#endif
#ifdef WARPMEM_COVERAGE
#include <verilated_cov.h>
#endif

#include <cstdarg>
#include <cstdio>
#include <memory>
#include <string>

#include "cosim/wrappers/verilated_print.hpp"

namespace warpmem::cosim {

inline std::string& first_failure() {
  static std::string text;
  return text;
}

/// Returns "dau.u_sets.fail_only_when_full: CONDITION" of the check that was printed last.
inline std::string& printed_check() {
  static std::string text;
  return text;
}

#ifdef WARPMEM_MUTANTS
/// Returns which fault of the netlist the units have that are made from now on; 0: none.
inline unsigned& selected_mutant() {
  static unsigned number = 0;
  return number;
}
#endif

/// `drive(top, in)` puts the inputs on the pins; In has operator==.
template <class Top, class In, void (*kDrive)(Top&, const In&)>
class VerilatedTop {
 public:
  VerilatedTop() {
#ifdef WARPMEM_MUTANTS
    top_.mutsel = selected_mutant();
#endif
    reset();
  }
  ~VerilatedTop() {
    // Verilator's destructors work on the context that this thread used last, whosesoever it is.
    Verilated::threadContextp(&context_);
    top_.final();
#ifdef WARPMEM_TRACE
    if (waves_) waves_->close();
#endif
  }
  VerilatedTop(const VerilatedTop&) = delete;
  VerilatedTop& operator=(const VerilatedTop&) = delete;

  Top& top() { return top_; }

  void settle(const In& in) {
    if (settled_ && in == in_) return;
    in_ = in;
    kDrive(top_, in_);
    top_.clk = 0;
    eval();
    settled_ = true;
  }
  void commit(const In& in) {
    settle(in);
    top_.clk = 1;
    eval();
    settled_ = false;
  }
  void reset() {
    top_.rst_n = 0;
    settled_ = false;
    commit(in_);  // reset wins over whatever the inputs are
    top_.rst_n = 1;
  }
  bool open_waves(const char* file) {
#ifdef WARPMEM_TRACE
    context_.traceEverOn(true);
    waves_ = std::make_unique<VerilatedFstC>();
    top_.trace(waves_.get(), 99);
    waves_->open(file);
    return waves_->isOpen();
#else
    return false;
#endif
  }
  /// These are counts of lines and toggles since the unit was made.
  bool write_coverage(const char* file) {
#ifdef WARPMEM_COVERAGE
    context_.coveragep()->write(file);
    return true;
#else
    return false;
#endif
  }

 private:
  void eval() {
    top_.eval();
#ifdef WARPMEM_TRACE
    if (waves_) waves_->dump(context_.time());
    context_.timeInc(1);
#endif
  }

  VerilatedContext context_;
  Top top_{&context_};
#ifdef WARPMEM_TRACE
  std::unique_ptr<VerilatedFstC> waves_;
#endif
  In in_;
  bool settled_ = false;  // outputs are those of in_ before the clock edge
};

/// Notes the file without its folder, since a library outlives the copy of the RTL that it was
/// built from.
inline void note_failure(const std::string& file, int line, const std::string& what) {
  if (first_failure().empty())
    first_failure() = file.substr(file.rfind('/') + 1) + ":" + std::to_string(line) + ": " + what;
}

}  // namespace warpmem::cosim

// CHECK of common/check.svh prints its name and its condition. Whatever else is printed, by
// $display for instance, goes on to standard output.
int warpmem_verilated_print(const char* format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, arguments);
  va_end(arguments);
  std::string text(length < 0 ? 0 : static_cast<std::size_t>(length) + 1, '\0');
  std::vsnprintf(text.data(), text.size(), format, again);
  va_end(again);
  if (!text.empty()) text.pop_back();                          // this was the terminator
  static const std::string mark = "Assertion failed in TOP.";  // the instance's path follows
  const std::size_t at = text.find(mark);
  if (at == std::string::npos) return std::fputs(text.c_str(), stdout);
  text.erase(0, at + mark.size());
  if (!text.empty() && text.back() == '\n') text.pop_back();
  warpmem::cosim::printed_check() = text;
  return length;
}

// A check of the RTL that fails is noted instead of ending the process.
void vl_stop(const char* file, int line, const char*) VL_MT_UNSAFE {
  const std::string check = warpmem::cosim::printed_check();
  warpmem::cosim::note_failure(file, line, "check failed: " + check);
}
void vl_fatal(const char* file, int line, const char*, const char* message) VL_MT_UNSAFE {
  warpmem::cosim::note_failure(file, line, message);
}

#ifdef WARPMEM_MUTANTS
extern "C" __attribute__((visibility("default"))) const void* warpmem_select_mutant() {
  return reinterpret_cast<const void*>(+[](unsigned number) {
    warpmem::cosim::selected_mutant() = number;
    warpmem::cosim::first_failure().clear();
  });
}
#endif
