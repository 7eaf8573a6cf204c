// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <utility>

#include "base/random.hpp"
#include "cache/mha/tsma/index_generator.hpp"
#include "cosim/lockstep_unit.hpp"
#include "units/tsma_index_gen/tsma_index_gen_unit.hpp"
namespace warpmem::cosim::tsma_index_gen {

using units::TsmaIndexGenIn;

namespace {

enum Point : std::size_t {
  kIdle,
  kTake,
  kRelease,
  kBoth,
  kTakesHighest,
  kTurnsFull,
  kLeavesFull,
  kTakeWhileFull,
  kTakeAsFullIsLeft,
  kReleaseBelow,
  kReleaseAbove,
  kStaysWithOneEntry,
  kTurnsEmpty,
  kReleaseAvailable,
  kReleaseOfTheTaken,
  kNoSuchEntry
};

/// Returns how many numbers the pins for an entry carry.
std::uint32_t numbers_for(std::uint32_t entries) {
  std::uint32_t numbers = 2;
  while (numbers < entries) numbers *= 2;
  return numbers;
}

CoverPoints cover_points(std::uint32_t entries) {
  CoverPoints points({
      "nothing",
      "take alone",
      "release alone",
      "take and release of another entry",
      "the highest entry is taken",
      "turns full",
      "leaves full",
      "take while full: no effect",
      "take while full, with the release that ends it",
      "release below idx: idx falls",
      "release above idx: idx stays",
      "take of the last entry with a release: never full",
      "all entries available again",
      "release of an available entry: no effect",
      "release of the entry that is taken: stays available",
      "release of a number that is no entry's: no effect",
  });
  // With one entry nothing but this entry can be released.
  if (entries == 1)
    for (const Point p : {kBoth, kReleaseBelow, kReleaseAbove, kStaysWithOneEntry})
      points.leave_out(p);
  if (numbers_for(entries) == entries) points.leave_out(kNoSuchEntry);
  return points;
}

class IndexGenBench : public BenchOf<units::TsmaIndexGenDescription> {
 public:
  static std::string text_of(const Size& s) { return fmt::format("{} entries", s.entries); }
  static CoverPoints coverage_of(const Size& size) { return cover_points(size.entries); }

  IndexGenBench(const Size& size, std::uint64_t seed)
      : entries_(size.entries),
        numbers_(numbers_for(size.entries)),
        class_(size.entries),
        random_(seed),
        available_((entries_ + 31) / 32) {
    reset_class();
  }

  Out eval_class(const In&) const {
    Out out;
    out.idx = static_cast<std::uint16_t>(class_.idx());
    out.full = class_.full();
    return out;
  }
  // The class takes legal inputs only: what has no effect does not reach it.
  void commit_class(const In& in) {
    const std::uint32_t idx = class_.idx();
    mha::IndexGenerator::In legal;
    legal.take = in.take && !class_.full();
    const bool back_at_once = legal.take && in.release && in.release_idx == idx;
    if (back_at_once) legal.take = false;
    legal.release = in.release && in.release_idx < entries_ && !class_.available(in.release_idx);
    legal.release_idx = in.release_idx;
    class_.commit(legal);
    if (legal.take) follow(idx);
    if (legal.release) follow(in.release_idx);
  }
  void reset_class() {
    class_.reset();
    taken_ = 0;
    for (std::uint32_t i = 0; i < entries_; ++i) follow(i);
    taken_ = 0;
  }

  std::vector<In> directed() const {
    std::vector<In> list;
    const auto step = [&list](bool take, bool release = false, std::uint32_t entry = 0) {
      list.push_back({take, release, static_cast<std::uint16_t>(entry)});
    };
    const std::uint32_t last = entries_ - 1;
    step(false);
    step(false, true, last);  // available
    step(true, true, 0);      // the entry is taken and released
    for (std::uint32_t i = 0; i < entries_; ++i) step(true);
    step(true);              // full
    step(true, true, last);  // leaves full
    step(true);
    step(false, true, numbers_ - 1);  // at times this is no entry's number
    step(true);
    for (std::uint32_t i = entries_; i-- > 0;) step(false, true, i);  // each release is below idx
    step(true);
    step(false, true, 0);
    for (std::uint32_t i = 0; i + 1 < entries_; ++i) step(true);
    step(true, true, 0);  // the last entry is taken, the first comes
    step(true);
    for (std::uint32_t i = 0; i < entries_; ++i) step(false, true, i);  // each release is above idx
    for (std::uint32_t i = 0; i < entries_; ++i) step(true);
    // Entries are taken and released while the index goes round.
    for (std::uint32_t i = 0; i < 2 * entries_; ++i) step(i % 3 != 0, true, (i * 7) % entries_);
    return list;
  }

  // The phases fill the generator, empty it or keep it full; mostly taken entries are released.
  In random() {
    if (phase_left_ == 0) {
      phase_left_ = 16 + random_.below(6 * std::uint64_t{entries_});
      take_ = static_cast<unsigned>(random_.chance(25) ? 256 : random_.below(257));
      release_ = static_cast<unsigned>(random_.chance(25) ? 24 : random_.below(257));
    }
    --phase_left_;
    const std::uint64_t bits = random_.next();
    const auto chance = [bits](unsigned field, unsigned of_256) {
      return ((bits >> (8 * field)) & 255) < of_256;
    };
    In in;
    in.take = chance(0, take_);
    in.release = chance(1, release_);
    if (chance(2, 8)) {  // it is any number, now and then that of the entry on offer
      in.release_idx = static_cast<std::uint16_t>((bits >> 32) % numbers_);
      if (chance(3, 64)) in.release_idx = static_cast<std::uint16_t>(class_.idx());
    } else {
      in.release_idx = static_cast<std::uint16_t>(taken_from((bits >> 32) % entries_));
    }
    return in;
  }

  static std::string line(const In& in, const Out& out) {
    const std::string release =
        in.release ? fmt::format("release {}", in.release_idx) : std::string("-");
    return fmt::format("{:<5} {:<13} idx {:>4}{}", in.take ? "take" : "-", release, out.idx,
                       out.full ? " full" : "");
  }

  void before_edge(const In& in, const Out& out, CoverPoints& c) {
    before_ = out;
    const bool entry = in.release_idx < entries_;
    const bool available = entry && class_.available(in.release_idx);
    const bool takes = in.take && !out.full;
    const bool releases = in.release && entry && !available;
    c.hit_if(!in.take && !in.release, kIdle);
    c.hit_if(takes && !in.release, kTake);
    c.hit_if(!in.take && releases, kRelease);
    c.hit_if(takes && releases, kBoth);
    c.hit_if(takes && out.idx == entries_ - 1, kTakesHighest);
    c.hit_if(in.take && out.full && !in.release, kTakeWhileFull);
    c.hit_if(in.take && out.full && releases, kTakeAsFullIsLeft);
    c.hit_if(releases && !out.full && in.release_idx < out.idx, kReleaseBelow);
    c.hit_if(releases && !in.take && !out.full && in.release_idx > out.idx, kReleaseAbove);
    c.hit_if(takes && releases && taken_ == entries_ - 1, kStaysWithOneEntry);
    c.hit_if(in.release && available && !(in.take && in.release_idx == out.idx), kReleaseAvailable);
    c.hit_if(takes && in.release && in.release_idx == out.idx, kReleaseOfTheTaken);
    c.hit_if(in.release && !entry, kNoSuchEntry);
    some_taken_ = taken_ != 0;
  }
  template <class Differ>
  void compare_state(const State& systemc, const State& rtl, const Differ& differ) const {
    const std::uint32_t* const available = available_.data();
    if (std::equal(available_.begin(), available_.end(), systemc.available) &&
        std::equal(available_.begin(), available_.end(), rtl.available))
      return;
    for (std::uint32_t i = 0; i < entries_; ++i)
      differ(fmt::format("available[{}] after the cycle", i), bit(available, i),
             bit(systemc.available, i), bit(rtl.available, i));
  }
  void after_edge(const In&, CoverPoints& c) {
    c.hit_if(class_.full() && !before_.full, kTurnsFull);
    c.hit_if(!class_.full() && before_.full, kLeavesFull);
    c.hit_if(taken_ == 0 && some_taken_, kTurnsEmpty);
  }

 private:
  static std::int64_t bit(const std::uint32_t* words, std::uint32_t i) {
    return words[i / 32] >> i % 32 & 1;
  }
  /// Takes over one entry of the class.
  void follow(std::uint32_t entry) {
    const std::uint32_t mask = std::uint32_t{1} << entry % 32;
    const bool available = class_.available(entry);
    taken_ += available ? -1 : 1;
    available_[entry / 32] = (available_[entry / 32] & ~mask) | (available ? mask : 0);
  }
  /// Returns the first taken entry from `start` on, or `start` when none is near.
  std::uint32_t taken_from(std::uint64_t start) const {
    auto entry = static_cast<std::uint32_t>(start);
    for (unsigned i = 0; i < 64; ++i) {
      if (!class_.available(entry)) return entry;
      entry = entry + 1 == entries_ ? 0 : entry + 1;
    }
    return static_cast<std::uint32_t>(start);
  }

  std::uint32_t entries_;
  std::uint32_t numbers_;
  mha::FastIndexGenerator class_;
  Random random_;
  std::uint64_t phase_left_ = 0;
  unsigned take_ = 0, release_ = 0;       // probabilities in 1/256
  std::vector<std::uint32_t> available_;  // one bit for each entry
  std::uint32_t taken_ = 0;
  Out before_;
  bool some_taken_ = false;
};

}  // namespace

std::unique_ptr<HardwareUnit> bench() { return std::make_unique<LockstepUnit<IndexGenBench>>(); }

}  // namespace warpmem::cosim::tsma_index_gen
