// SPDX-License-Identifier: Apache-2.0
// Waveforms of units: inputs, outputs and decoded state, over the time of a run of the whole
// machine or over the cycles of lockstep.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/clock_domain.hpp"
#include "cosim/wave_file.hpp"

namespace warpmem::cosim {

/// These are the ports of one side of a unit, in a scope of a waveform. Of a port of more than 64
/// bits its 64 lowest are shown, as the unit's class has them.
template <class Ports>
class PortSignals {
 public:
  PortSignals(WaveFile& file, const std::string& scope, const typename Ports::Size& size)
      : file_(file) {
    file.begin_scope(scope);
    Ports::fields(
        [&](const char* name, auto, unsigned bits, const char* = nullptr) {
          bits_.push_back(std::min(bits, 64u));
          signals_.push_back(file.number(name, bits_.back()));
        },
        size);
    file.end_scope();
  }
  void set(const Ports& ports, const typename Ports::Size& size) {
    std::size_t i = 0;
    Ports::fields(
        [&](const char*, auto field, unsigned, const char* = nullptr) {
          const auto value = static_cast<std::uint64_t>(ports.*field);
          const unsigned bits = bits_[i];
          file_.set(signals_[i++], bits == 64 ? value : value & ((std::uint64_t{1} << bits) - 1));
        },
        size);
  }

 private:
  WaveFile& file_;
  std::vector<unsigned> signals_;
  std::vector<unsigned> bits_;
};

/// This is what a unit shows of its state, in the scope "state" of a waveform.
template <class State, class Size>
class StateSignals {
 public:
  StateSignals(WaveFile& file, const Size& size) : file_(file) {
    std::string open;
    State::signals(
        [&](const char* group, unsigned number, const char* name, unsigned bits, auto) {
          const std::string scope = fmt::format("{}_{}", group, number);
          if (open.empty()) file.begin_scope("state");
          if (scope != open) {
            if (!open.empty()) file.end_scope();
            file.begin_scope(scope);
            open = scope;
          }
          signals_.push_back(bits == 0 ? file.text(name) : file.number(name, bits));
        },
        size);
    if (open.empty()) return;
    file.end_scope();
    file.end_scope();
  }
  void set(const State& state, const Size& size) {
    std::size_t i = 0;
    State::signals(
        [&](const char*, unsigned, const char*, unsigned, auto get) {
          const auto value = get(state);
          if constexpr (std::is_convertible_v<decltype(value), const char*>) {
            file_.set(signals_[i++], value);
          } else {
            file_.set(signals_[i++], static_cast<std::uint64_t>(value));
          }
        },
        size);
  }

 private:
  WaveFile& file_;
  std::vector<unsigned> signals_;
};

/// What of a machine's units goes to a waveform.
struct WaveRequest {
  std::string instance;    ///< as the user wrote it, "l1d.3.mshr.dau"
  std::string key;         ///< what chooses its view, "l1d.mshr.dau"
  std::string module;      ///< the module that has it, "l1d3"
  unsigned number = 0;     ///< of the module's units of that name, in order of construction
  Femtoseconds begin = 0;  ///< first and last time of the window
  Femtoseconds end = kNever;
  std::filesystem::path file;
};

/// Returns whether a key, "l1d.frontend.mrpb.unit", chooses the view of the units whose
/// descriptions have this kViewKey, "mrpb.unit".
bool chooses(const std::string& key, const std::string& view_key);

/// Parses "l1d.3.mshr.dau=FILE" or "l2.0.frontend.cart_unit:5=FILE"; the window is all time. Throws
/// UserError.
WaveRequest parse_waves(const std::string& text);

class UnitWavesBase {
 public:
  explicit UnitWavesBase(const WaveRequest& request) : request_(request), file_(request.file) {}
  virtual ~UnitWavesBase() = default;
  /// Writes the files and returns a line that says so.
  virtual std::string finish() = 0;

 protected:
  WaveRequest request_;
  WaveFile file_;
};

/// This takes the cycles of one unit of the machine. `Unit` is its description. A unit is clocked
/// only in cycles in which its module has work; in between its inputs are idle. Further edges of a
/// cycle, of a file that needs two or of a module that makes up for cycles that it slept through,
/// stand in the middle of the cycle.
template <class Unit>
class UnitWaves final : public UnitWavesBase {
 public:
  using In = typename Unit::In;
  using Size = typename Unit::Size;

  /// `module` is the whole name of the unit's module.
  UnitWaves(const WaveRequest& request, const std::string& module, const Size& size)
      : UnitWavesBase(request), module_(module), size_(size) {
    file_.begin_scope(request.instance);
    cycle_ = file_.number("cycle", 64);
    in_.emplace(file_, "in", size);
    out_.emplace(file_, "out", size);
    state_.emplace(file_, size);
    file_.end_scope();
  }

  /// `view` has eval() and state(); the edge with `in` follows.
  template <class View>
  void before_edge(const In& in, const View& view) {
    const Femtoseconds now = simulation_now();
    if (now < request_.begin || now > request_.end) return;
    const ClockDomain& clock = domain();
    if (cycles_ == 0 && now > request_.begin) {
      idle(clock.cycle_at(request_.begin), view);
      file_.at(request_.begin);
    } else if (cycles_ != 0 && now > idle_from_) {
      file_.at(idle_from_);  // what after_edge() has set
    }
    ++cycles_;
    file_.set(cycle_, clock.cycle_at(now));
    in_->set(in, size_);
    out_->set(view.eval(in), size_);
    if (view.shows_state()) state_->set(view.state(), size_);
    // A second edge in a cycle stands in its middle.
    const bool again = std::exchange(last_, now) == now;
    file_.at(again ? now + (clock.time_of(clock.cycle_at(now) + 1) - now) / 2 : now);
  }
  template <class View>
  void after_edge(const View& view) {
    const Femtoseconds now = simulation_now();
    if (cycles_ == 0 || now > request_.end) return;
    const Cycle next = domain().cycle_at(now) + 1;
    idle_from_ = domain().time_of(next);
    idle(next, view);
  }
  std::string finish() override {
    if (cycles_ != 0 && idle_from_ <= request_.end) file_.at(idle_from_);
    file_.finish();
    std::string line =
        fmt::format("{}: {} clock edges in {}", request_.instance, cycles_, request_.file.string());
    if (const std::filesystem::path& save = file_.save_file(); !save.empty())
      line += fmt::format(", with {} for GTKWave", save.filename().string());
    if (simulation_now() < request_.begin) line += "; the run ended before the window";
    return line;
  }

 private:
  template <class View>
  void idle(Cycle cycle, const View& view) {
    file_.set(cycle_, cycle);
    in_->set({}, size_);
    out_->set(view.eval({}), size_);
    if (view.shows_state()) state_->set(view.state(), size_);
  }
  // The unit's module is a Clocked of which nothing is known while it is constructed.
  const ClockDomain& domain() {
    if (domain_ == nullptr)
      domain_ = &dynamic_cast<const Clocked&>(*sc_core::sc_find_object(module_.c_str())).domain();
    return *domain_;
  }

  std::string module_;
  Size size_;
  unsigned cycle_ = 0;  // signal: the number of the module's cycle
  std::optional<PortSignals<In>> in_;
  std::optional<PortSignals<typename Unit::Out>> out_;
  std::optional<StateSignals<typename Unit::State, Size>> state_;
  const ClockDomain* domain_ = nullptr;
  std::uint64_t cycles_ = 0;  // edges in the window
  Femtoseconds idle_from_ = 0;
  Femtoseconds last_ = kNever;  // time of the last edge
};

/// These are the waveforms of one run.
class WaveRecordings {
 public:
  explicit WaveRecordings(std::vector<WaveRequest> requests);

  /// Returns what records the unit that the module under construction makes, or nullptr. Throws
  /// UserError when its file cannot be written. It lives as long as this object.
  template <class Unit>
  UnitWaves<Unit>* waves(const typename Unit::Size& size) {
    UnitWaves<Unit>* result = nullptr;
    for (Entry& entry : entries_) {
      if (!chooses(entry.request.key, Unit::kViewKey) || !in_construction(&entry)) continue;
      if (entry.made++ != entry.request.number || result != nullptr) continue;
      auto waves = std::make_unique<UnitWaves<Unit>>(entry.request, entry.module, size);
      result = waves.get();
      entry.waves = std::move(waves);
    }
    return result;
  }
  /// Throws UserError when a unit was asked for that the machine does not have.
  void require_all() const;
  /// Writes the files, once, and returns a line for each.
  std::vector<std::string> finish();

 private:
  struct Entry {
    WaveRequest request;
    std::string module;  // whole name
    unsigned made = 0;
    std::unique_ptr<UnitWavesBase> waves;
  };
  /// Returns whether the module that is being constructed is that of the entry, which then has its
  /// whole name.
  static bool in_construction(Entry* entry);

  std::vector<Entry> entries_;
};

}  // namespace warpmem::cosim
