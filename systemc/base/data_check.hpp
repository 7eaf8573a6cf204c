// SPDX-License-Identifier: Apache-2.0
// The data check: who wrote which byte during a launch, and which values a byte may hold at its
// end. A write w1 is ordered before w2 when both come from one warp, or from one CTA with a barrier
// between them, or when both are atomics (their sequence orders them). The byte must end as one of
// the writes that no other write is ordered after. With more than one such write the program itself
// races: either value is right, and the byte counts as racy.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/types.hpp"

namespace warpmem {

/// Who writes or reads, as far as the order of accesses is concerned.
struct Actor {
  std::uint32_t warp = 0;   ///< warp number in the grid, unique over the launch
  std::uint32_t cta = 0;    ///< linear CTA index
  std::uint32_t epoch = 0;  ///< barriers that the CTA has passed
  std::uint32_t pc = 0;     ///< PC of the instruction, for messages

  /// The bit of a bulk copy engine in the numbers of a warp and its CTA.
  static constexpr std::uint32_t kEngine = std::uint32_t{1} << 31;
  /// Returns the engine that copies for this warp: what it writes is in no order with what the warp
  /// and its CTA write themselves, whatever barriers they pass.
  Actor engine() const { return {warp | kEngine, cta | kEngine, 0, pc}; }
};

class DataCheck {
 public:
  /// Addresses below `first_shared` are local memory. It belongs to one thread at a time, so that
  /// nothing races there, and is not compared at the end, when it is gone.
  explicit DataCheck(Addr first_shared = 0);
  ~DataCheck();

  /// Forgets the launches before. `place` returns the line of the source ("FILE:LINE") of the
  /// instruction at a PC, or nothing; messages name it.
  using Place = std::function<std::string(std::uint32_t pc)>;
  void begin_launch(Place place = {});
  /// Tells that `actor` wrote `bytes` bytes at issue time `t`. Atomics pass their sequence (>= 1),
  /// stores 0.
  void wrote(Addr address, unsigned bytes, const std::uint8_t* data, const Actor& actor,
             std::uint32_t atomic_sequence, Femtoseconds t);
  /// Returns the sequence number of the next atomic request. The numbers are the issue order over
  /// the whole launch, from 1, so they also order the atomics to any one word.
  std::uint32_t next_atomic_sequence();

  /// Tells that a load of `actor` (its epoch is that of the issue) returned `got` where the program
  /// had read `expected`. Differences are right only on bytes that some other warp wrote in this
  /// launch (the load counts as stale), and not if the warp itself wrote them last, before a
  /// barrier that it has passed. Otherwise it throws SimulationError with address, values, writers
  /// and times.
  void loaded(Addr address, unsigned bytes, const std::uint8_t* got, const std::uint8_t* expected,
              const Actor& actor);

  /// Compares what the hierarchy holds with what the program left, page by page. `hierarchy` reads
  /// through the caches, `expected` from the functional memory. Pages are 4 KiB (MemoryImage);
  /// `extra_pages` are those that the hierarchy wrote to, besides the ones that the program did. A
  /// racy byte that came out otherwise than the program has it may keep that value in later
  /// launches. Throws SimulationError with the first wrong address, both values, its writers and
  /// their times, and how many bytes are wrong.
  using Reader = std::function<void(Addr address, unsigned bytes, std::uint8_t* out)>;
  void compare(const std::vector<Addr>& extra_pages, const Reader& hierarchy,
               const Reader& expected);

  /// Returns where the program's result first depended on an order that nothing keeps, in any
  /// launch: a byte that unordered writes may have left different, or a load that saw an older
  /// value; empty: nowhere.
  const std::string& first_race() const { return first_race_; }

  /// These count over all launches: bytes that several unordered writes may have left, whatever
  /// they hold; loads with a stale byte; and bytes that compare() has read.
  const std::uint64_t& racy_bytes() const { return racy_bytes_; }
  const std::uint64_t& stale_loads() const { return stale_loads_; }
  const std::uint64_t& bytes_compared() const { return bytes_compared_; }

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  std::string first_race_;
  std::uint64_t racy_bytes_ = 0;
  std::uint64_t stale_loads_ = 0;
  std::uint64_t bytes_compared_ = 0;
};

}  // namespace warpmem
