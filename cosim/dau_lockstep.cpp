// SPDX-License-Identifier: Apache-2.0
#include "cosim/dau_lockstep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <memory>
#include <vector>

#include "base/errors.hpp"
#include "cosim/dau_stimulus.hpp"
#include "mha/dl/fast_dau.hpp"

namespace warpmem::cosim {

using mha::Dau;
using mha::DauIn;
using mha::DauOut;
using mha::DauSets;
using mha::DauSize;
using mha::DauState;

namespace {

constexpr std::uint64_t kHistoryCycles = 20;
constexpr std::uint64_t kWavesBefore = 1000;  // recorded before a difference
constexpr std::uint64_t kMostWaves = 20'000;  // recorded without one

void check(const DauSize& size) {
  Problems problems;
  if (size.sets < 1 || size.sets > mha::kMostDauSets)
    problems.add("sets", fmt::format("{} is not 1 to {}", size.sets, mha::kMostDauSets));
  if (size.slots != 1 && size.slots != 2 && size.slots != 4 && size.slots != 8)
    problems.add("slots", fmt::format("{} is not 1, 2, 4 or 8", size.slots));
  if (size.reserved > size.sets)
    problems.add("reserved", fmt::format("{} is more than the {} sets", size.reserved, size.sets));
  problems.throw_if_any();
}

struct OutField {
  const char* name;
  std::uint32_t (*of)(const DauOut&);
};
constexpr OutField kOutFields[] = {
    {"req_ready", [](const DauOut& o) { return std::uint32_t{o.req_ready}; }},
    {"rf", [](const DauOut& o) { return std::uint32_t{o.rf}; }},
    {"req_set", [](const DauOut& o) { return o.req_set; }},
    {"req_slot", [](const DauOut& o) { return o.req_slot; }},
    {"req_link", [](const DauOut& o) { return std::uint32_t{o.req_link}; }},
    {"ret_ready", [](const DauOut& o) { return std::uint32_t{o.ret_ready}; }},
    {"release_busy", [](const DauOut& o) { return std::uint32_t{o.release_busy}; }},
    {"n_free", [](const DauOut& o) { return o.n_free; }},
    {"n_linkable", [](const DauOut& o) { return o.n_linkable; }},
};

struct StateField {
  const char* name;
  std::uint32_t (*of)(const DauSets&, std::uint32_t set);
};
constexpr StateField kStateFields[] = {
    {"state", [](const DauSets& s, std::uint32_t i) { return std::uint32_t(s.state[i]); }},
    {"count", [](const DauSets& s, std::uint32_t i) { return std::uint32_t{s.count[i]}; }},
    {"linked", [](const DauSets& s, std::uint32_t i) { return std::uint32_t{s.linked[i]}; }},
    {"next", [](const DauSets& s, std::uint32_t i) { return std::uint32_t{s.next[i]}; }},
    {"peer", [](const DauSets& s, std::uint32_t i) { return std::uint32_t{s.peer[i]}; }},
};

bool equal(const DauSets& a, const DauSets& b, std::size_t sets) {
  return std::memcmp(a.state, b.state, sets) == 0 && std::memcmp(a.count, b.count, sets) == 0 &&
         std::memcmp(a.linked, b.linked, sets) == 0 && std::memcmp(a.next, b.next, 2 * sets) == 0 &&
         std::memcmp(a.peer, b.peer, 2 * sets) == 0;
}

/// Inputs and the class's outputs of the last cycles.
class History {
 public:
  void add(std::uint64_t cycle, const DauIn& in, const DauOut& out) {
    entries_[cycle % kHistoryCycles] = {in, out};
  }
  std::string text(std::uint64_t last) const {
    std::string text;
    const std::uint64_t first = last < kHistoryCycles ? 0 : last - kHistoryCycles + 1;
    for (std::uint64_t cycle = first; cycle <= last; ++cycle) {
      const auto& [in, out] = entries_[cycle % kHistoryCycles];
      std::string request = "-";
      if (in.req_valid) {
        request = in.req_secondary ? fmt::format("secondary to {}", in.req_head) : "primary";
        request += out.req_ready ? fmt::format(": set {} slot {}{}", out.req_set, out.req_slot,
                                               out.req_link ? " linked" : "")
                                 : ": rf";
      }
      const std::string ret =
          in.ret_valid ? fmt::format("RET {}{}", in.ret_head, out.ret_ready ? "" : " waits") : "-";
      text += fmt::format("{:>10}  {:<34} {:<14} {} free, {} linkable{}\n", cycle, request, ret,
                          out.n_free, out.n_linkable, out.release_busy ? ", releasing" : "");
    }
    return text;
  }

 private:
  struct Entry {
    DauIn in;
    DauOut out;
  };
  std::array<Entry, kHistoryCycles> entries_{};
};

/// One run from reset: the units, the stimulus, and what has been seen.
class Lockstep {
 public:
  Lockstep(const DauLockstepOptions& options, bool waves)
      : size_(options.size),
        reference_(options.size),
        systemc_(make_library_dau(mha::View::systemc, options.size, options.places)),
        rtl_(make_library_dau(mha::View::rtl, options.size, options.places, waves)),
        random_(options.size, options.seed),
        before_(options.size.sets) {
    if (options.directed) directed_ = dau_directed_vectors(options.size);
  }

  std::uint64_t directed_cycles() const { return directed_.size(); }
  LibraryDau& rtl() { return *rtl_; }

  /// Returns the cycles that were run; fewer than asked for when there is a difference.
  std::uint64_t run(std::uint64_t cycles, DauLockstepResult& result) {
    const std::uint64_t end = cycle_ + cycles;
    const std::uint64_t start = cycle_;
    while (cycle_ < end && !result.difference) {
      const DauIn in =
          cycle_ < directed_.size() ? directed_[cycle_] : random_.next(reference_.inspect().state);
      step(in, result);
      ++cycle_;
    }
    return cycle_ - start;
  }

 private:
  void step(const DauIn& in, DauLockstepResult& result) {
    const DauOut out = reference_.eval(in);
    const DauOut systemc = systemc_->eval(in);
    const DauOut rtl = rtl_->eval(in);
    history_.add(cycle_, in, out);
    if (out != systemc || out != rtl) {
      for (const OutField& f : kOutFields)
        differ(f.name, f.of(out), f.of(systemc), f.of(rtl), result);
      return;
    }
    std::copy_n(reference_.inspect().state, size_.sets, before_.begin());
    reference_.commit(in);
    systemc_->commit(in);
    rtl_->commit(in);
    const DauSets sets = reference_.inspect();
    const DauSets of_systemc = systemc_->inspect();
    const DauSets of_rtl = rtl_->inspect();
    if (!equal(sets, of_systemc, size_.sets) || !equal(sets, of_rtl, size_.sets)) {
      for (const StateField& f : kStateFields)
        for (std::uint32_t i = 0; i < size_.sets; ++i)
          differ(fmt::format("{}[{}] after the cycle", f.name, i), f.of(sets, i),
                 f.of(of_systemc, i), f.of(of_rtl, i), result);
    }
    result.coverage.add(before_.data(), sets.state);
    if (const std::string failure = rtl_->failure(); !failure.empty() && !result.difference)
      result.difference = DauDifference{cycle_, failure, "", "", "", history_.text(cycle_)};
  }

  /// Keeps the first difference of a cycle.
  void differ(const std::string& signal, std::uint32_t of_class, std::uint32_t of_systemc,
              std::uint32_t of_rtl, DauLockstepResult& result) const {
    if (result.difference || (of_class == of_systemc && of_class == of_rtl)) return;
    result.difference = DauDifference{cycle_,
                                      signal,
                                      std::to_string(of_class),
                                      std::to_string(of_systemc),
                                      std::to_string(of_rtl),
                                      history_.text(cycle_)};
  }

  DauSize size_;
  mha::FastDau reference_;
  std::unique_ptr<LibraryDau> systemc_;
  std::unique_ptr<LibraryDau> rtl_;
  std::vector<DauIn> directed_;
  DauRandomStimulus random_;
  History history_;
  std::vector<DauState> before_;
  std::uint64_t cycle_ = 0;
};

/// The same run again, recorded.
void record(const DauLockstepOptions& options, const std::filesystem::path& file,
            DauLockstepResult& result) {
  Lockstep again(options, true);
  DauLockstepResult ignored(options.size, options.seed);
  const std::uint64_t end = result.difference ? result.difference->cycle + 1 : result.cycles;
  const std::uint64_t start = result.difference && end > kWavesBefore ? end - kWavesBefore : 0;
  again.run(start, ignored);
  again.rtl().open_waves(file);
  again.run(std::min(end - start, kMostWaves), ignored);
  result.waves = file;
}

}  // namespace

DauLockstepResult run_dau_lockstep(const DauLockstepOptions& options) {
  check(options.size);
  DauLockstepResult result(options.size, options.seed);
  Lockstep lockstep(options, false);
  const auto start = std::chrono::steady_clock::now();
  const std::uint64_t directed = lockstep.directed_cycles();
  result.cycles = lockstep.run(directed + options.cycles, result);
  result.directed_cycles = std::min(directed, result.cycles);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const std::filesystem::path& file =
      options.waves.empty() && result.difference ? options.waves_of_difference : options.waves;
  if (!file.empty()) record(options, file, result);
  return result;
}

std::string DauLockstepResult::describe() const {
  std::string text =
      fmt::format("seed {}: {} cycles ({} directed), {:.1f} M cycles/s\n", seed, cycles,
                  directed_cycles, seconds > 0 ? static_cast<double>(cycles) / seconds / 1e6 : 0.0);
  if (difference) {
    text += fmt::format("DIFFERENCE in cycle {}: {}\n", difference->cycle, difference->signal);
    if (!difference->of_class.empty())
      text += fmt::format("  class {}, systemc {}, rtl {}\n", difference->of_class,
                          difference->of_systemc, difference->of_rtl);
    text += "last cycles:\n" + difference->history;
  }
  text += coverage.table();
  if (!waves.empty()) text += fmt::format("waveform: {}\n", waves.string());
  return text;
}

}  // namespace warpmem::cosim
