// SPDX-License-Identifier: Apache-2.0
#include "base/data_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <map>
#include <random>

#include "base/errors.hpp"
#include "base/memory_image.hpp"
#include "base/write_log.hpp"

namespace warpmem {
namespace {

using testing::HasSubstr;

constexpr Addr kBase = 0x1'0000;
constexpr Femtoseconds kNs = 1'000'000;

/// This is the check with the two memories that it compares.
struct Bench {
  explicit Bench(Addr first_shared = 0) : check(first_shared) { check.begin_launch(); }

  /// The program writes; the hierarchy does the same unless told otherwise.
  void write(Addr address, std::uint32_t value, const Actor& actor, std::uint32_t sequence = 0,
             bool reaches_hierarchy = true) {
    std::array<std::uint8_t, 4> bytes;
    std::memcpy(bytes.data(), &value, 4);
    check.wrote(address, 4, bytes.data(), actor, sequence, 5 * kNs);
    program.write(address, 4, bytes.data());
    if (reaches_hierarchy) hierarchy.write(address, 4, bytes.data());
  }
  void settle(Addr address, std::uint32_t value) {
    std::array<std::uint8_t, 4> bytes;
    std::memcpy(bytes.data(), &value, 4);
    hierarchy.write(address, 4, bytes.data());
  }
  void compare(const std::vector<Addr>& pages = {}) {
    check.compare(
        pages, [this](Addr a, unsigned n, std::uint8_t* out) { hierarchy.read(a, n, out); },
        [this](Addr a, unsigned n, std::uint8_t* out) { program.read(a, n, out); });
  }
  std::string failure(const std::vector<Addr>& pages = {}) {
    try {
      compare(pages);
    } catch (const SimulationError& error) {
      return error.what();
    }
    return "";
  }
  std::string load(Addr address, std::uint32_t got, std::uint32_t expected, const Actor& actor) {
    std::array<std::uint8_t, 4> a, b;
    std::memcpy(a.data(), &got, 4);
    std::memcpy(b.data(), &expected, 4);
    try {
      check.loaded(address, 4, a.data(), b.data(), actor);
    } catch (const SimulationError& error) {
      return error.what();
    }
    return "";
  }

  DataCheck check;
  MemoryImage program;
  MemoryImage hierarchy;
};

/// Returns warp w of CTA w / 8.
Actor warp(std::uint32_t w, std::uint32_t epoch = 0) { return {w, w / 8, epoch, 0x40}; }

TEST(DataCheck, EqualMemoriesPass) {
  Bench b;
  b.write(kBase, 1, warp(0));
  b.write(kBase + 0x8000, 2, warp(1));
  EXPECT_EQ(b.failure(), "");
  EXPECT_EQ(b.check.bytes_compared(), 2u * 4096);
  EXPECT_EQ(b.check.racy_bytes(), 0u);
}

TEST(DataCheck, ALostWriteNamesAddressValuesWriterAndTime) {
  Bench b;
  b.write(kBase + 8, 0x07060504, warp(9), 0, false);
  const std::string message = b.failure();
  EXPECT_EQ(message,
            "data check: address 0x10008 holds 0x00, the program has 0x04; written by CTA 1 warp 9 "
            "at pc 0x40, 5.000000 ns (0x04) after the launch; 4 bytes wrong");
}

TEST(DataCheck, MessagesNameTheLinesOfTheSource) {
  Bench b;
  b.check.begin_launch([](std::uint32_t pc) { return pc == 0x40 ? "sum.cu:12" : ""; });
  b.write(kBase, 1, warp(9), 0, false);
  EXPECT_THAT(b.failure(), HasSubstr("warp 9 at pc 0x40 (sum.cu:12), 5.000000 ns (0x01)"));
  EXPECT_THAT(b.load(kBase, 0, 5, warp(9)), HasSubstr("warp 9 at pc 0x40 (sum.cu:12): address"));
}

TEST(DataCheck, AWriteFromNowhereIsFoundOnExtraPages) {
  Bench b;
  b.settle(kBase, 1);
  EXPECT_EQ(b.failure(), "") << "nobody asked about the page";
  EXPECT_THAT(b.failure({kBase}), HasSubstr("not written in this launch"));
}

TEST(DataCheck, ReorderedWritesOfOneWarpAreWrong) {
  Bench b;
  b.write(kBase, 1, warp(0));
  b.write(kBase, 2, warp(0));
  b.settle(kBase, 1);
  EXPECT_THAT(b.failure(), HasSubstr("holds 0x01, the program has 0x02"));
}

TEST(DataCheck, UnorderedWritesMayEndEitherWay) {
  for (const std::uint32_t winner : {1u, 2u}) {
    Bench b;
    b.write(kBase, 1, warp(0));
    b.write(kBase, 2, warp(1));
    b.settle(kBase, winner);
    EXPECT_EQ(b.failure(), "") << winner;
    EXPECT_EQ(b.check.racy_bytes(), 4u);
  }
  Bench b;
  b.write(kBase, 1, warp(0));
  b.write(kBase, 2, warp(1));
  b.settle(kBase, 3);
  EXPECT_THAT(b.failure(), testing::AllOf(HasSubstr("warp 0"), HasSubstr("warp 1")));
}

TEST(DataCheck, TheFirstRaceIsNamed) {
  Bench b;
  b.write(kBase, 7, warp(0));
  b.write(kBase, 7, warp(1));  // whichever is last, the word is the same
  b.write(kBase + 64, 1, warp(0));
  b.write(kBase + 64, 2, warp(0));  // the warp's own order
  b.settle(kBase, 7);
  b.settle(kBase + 64, 2);
  EXPECT_EQ(b.failure(), "");
  EXPECT_GT(b.check.racy_bytes(), 0u);
  EXPECT_EQ(b.check.first_race(), "");

  b.check.begin_launch();
  b.write(kBase + 128, 0x100, warp(2));
  b.write(kBase + 128, 0x200, warp(3));
  b.settle(kBase + 128, 0x100);
  EXPECT_EQ(b.failure(), "");
  const std::string race = b.check.first_race();
  EXPECT_THAT(race, testing::StartsWith("address 0x10081 ends as the last of writes"));
  EXPECT_THAT(race, testing::AllOf(HasSubstr("warp 2"), HasSubstr("warp 3")));
  b.check.begin_launch();
  b.write(kBase, 1, warp(4));
  b.write(kBase, 2, warp(5));
  b.settle(kBase, 1);
  EXPECT_EQ(b.failure(), "");
  EXPECT_EQ(b.check.first_race(), race) << "only the first";
}

TEST(DataCheck, AnOlderValueIsARace) {
  Bench b;
  b.write(kBase, 5, warp(0));
  EXPECT_EQ(b.load(kBase, 5, 5, warp(1)), "");
  EXPECT_EQ(b.check.first_race(), "");
  EXPECT_EQ(b.load(kBase, 0, 5, warp(1)), "");
  EXPECT_THAT(b.check.first_race(),
              testing::AllOf(testing::StartsWith("a load of CTA 0 warp 1 at pc 0x"),
                             HasSubstr("holds 0x00, the program has 0x05"), HasSubstr("warp 0")));
}

TEST(DataCheck, ABarrierOrdersTheWritesOfACta) {
  Bench b;
  b.write(kBase, 1, warp(0, 0));
  b.write(kBase, 2, warp(1, 1));
  b.settle(kBase, 1);
  EXPECT_NE(b.failure(), "");

  Bench other_cta;
  other_cta.write(kBase, 1, warp(0, 0));
  other_cta.write(kBase, 2, warp(8, 1));
  other_cta.settle(kBase, 1);
  EXPECT_EQ(other_cta.failure(), "");
}

// A bulk copy is in no order with its warp, which may go on while it is under way.
TEST(DataCheck, ABulkCopyIsInNoOrderWithTheWarpThatMadeIt) {
  for (const std::uint32_t value : {1, 2}) {
    Bench b;
    b.write(kBase, 1, warp(0, 0).engine());
    b.write(kBase, 2, warp(0, 1));
    b.settle(kBase, value);
    EXPECT_EQ(b.failure(), "");
  }
  Bench lost;
  lost.write(kBase, 1, warp(0, 0).engine());
  lost.settle(kBase, 0);
  EXPECT_THAT(lost.failure(), HasSubstr("written by a bulk copy of CTA 0 warp 0"));
}

TEST(DataCheck, AtomicsAreOrderedByTheirSequence) {
  Bench b;
  b.write(kBase, 1, warp(0), b.check.next_atomic_sequence());
  b.write(kBase, 2, warp(100), b.check.next_atomic_sequence());
  b.settle(kBase, 1);
  EXPECT_THAT(b.failure(), HasSubstr("atomic 2"));
}

TEST(DataCheck, AnAtomicRacesWithAStore) {
  Bench b;
  b.write(kBase, 1, warp(0));
  b.write(kBase, 2, warp(100), b.check.next_atomic_sequence());
  b.settle(kBase, 1);
  EXPECT_EQ(b.failure(), "");
}

TEST(DataCheck, SequencesStartAgainWithTheLaunch) {
  DataCheck check;
  check.begin_launch();
  EXPECT_EQ(check.next_atomic_sequence(), 1u);
  EXPECT_EQ(check.next_atomic_sequence(), 2u);
  check.begin_launch();
  EXPECT_EQ(check.next_atomic_sequence(), 1u);
}

TEST(DataCheck, ARacyByteKeepsItsValueIntoTheNextLaunch) {
  Bench b;
  b.write(kBase, 1, warp(0));
  b.write(kBase, 2, warp(1));
  b.settle(kBase, 1);
  b.compare();
  b.check.begin_launch();
  EXPECT_EQ(b.load(kBase, 1, 2, warp(0)), "");
  EXPECT_EQ(b.failure({kBase}), "");
  b.settle(kBase, 3);
  EXPECT_NE(b.failure({kBase}), "") << "but only that value";
  b.settle(kBase, 2);
  EXPECT_EQ(b.failure({kBase}), "");
  b.settle(kBase, 1);
  EXPECT_NE(b.failure({kBase}), "") << "once it agrees, it must go on agreeing";
}

TEST(DataCheck, AStaleLoadNeedsAnotherWriter) {
  Bench b;
  b.write(kBase, 5, warp(0));
  EXPECT_EQ(b.load(kBase, 5, 5, warp(0)), "");
  EXPECT_THAT(b.load(kBase, 0, 5, warp(0)), HasSubstr("a load of CTA 0 warp 0 at pc 0x40: address"))
      << "a warp sees its own writes";
  EXPECT_EQ(b.check.stale_loads(), 0u);
  EXPECT_EQ(b.load(kBase, 0, 5, warp(1)), "");
  EXPECT_EQ(b.check.stale_loads(), 1u);
  EXPECT_NE(b.load(kBase + 64, 0, 5, warp(1)), "") << "nobody wrote there";
}

TEST(DataCheck, AnOwnWriteBeforeAPassedBarrierHidesTheOthers) {
  Bench b;
  b.write(kBase, 5, warp(1, 0));
  b.write(kBase, 6, warp(0, 1));
  EXPECT_EQ(b.load(kBase, 5, 0, warp(0, 0)), "") << "issued before the barrier, answered after";
  EXPECT_EQ(b.load(kBase, 5, 6, warp(0, 1)), "") << "may have been issued before the own write";
  EXPECT_NE(b.load(kBase, 5, 6, warp(0, 2)), "");
}

TEST(DataCheck, LocalMemoryHasOneOwnerAtATimeAndIsNotCompared) {
  Bench b(kBase);
  b.write(0x100, 1, warp(0), 0, false);
  b.write(0x100, 2, warp(500), 0, false);
  EXPECT_EQ(b.failure(), "");
  EXPECT_EQ(b.check.racy_bytes(), 0u);
  EXPECT_NE(b.load(0x100, 1, 2, warp(500)), "");
}

TEST(DataCheck, ManyWritersOfOneFlagTakeBoundedRoomAndStayRight) {
  Bench b;
  for (std::uint32_t w = 0; w < 20'000; ++w) b.write(kBase, w % 200, warp(w));
  for (const std::uint32_t value : {0u, 77u, 199u}) {
    b.settle(kBase, value);
    EXPECT_EQ(b.failure(), "") << value;
  }
  b.settle(kBase, 200);
  EXPECT_THAT(b.failure(), HasSubstr("and by others before"));
}

// ---- WriteLog against the definition
// -------------------------------------------------------------

struct Reference {
  struct Event {
    WriteLog::Write write;
    std::uint8_t value;
  };
  std::map<Addr, std::vector<Event>> bytes;

  static bool ordered(const WriteLog::Write& a, const WriteLog::Write& b) {
    return a.actor.warp == b.actor.warp ||
           (a.actor.cta == b.actor.cta && a.actor.epoch < b.actor.epoch) ||
           (a.sequence != 0 && b.sequence != 0);
  }
  std::vector<Event> maximal(Addr address) const {
    std::vector<Event> result;
    const auto it = bytes.find(address);
    if (it == bytes.end()) return result;
    for (std::size_t i = 0; i < it->second.size(); ++i) {
      bool hidden = false;
      for (std::size_t j = i + 1; j < it->second.size(); ++j)
        hidden |= ordered(it->second[i].write, it->second[j].write);
      if (!hidden) result.push_back(it->second[i]);
    }
    return result;
  }
};

TEST(WriteLog, RandomWritesAgreeWithTheDefinition) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    WriteLog log(0);
    Reference reference;
    const unsigned warps = 1 + random() % 7;  // fewer than kMostWriters: nothing is forgotten
    const Addr origin = 4096 - 64;            // across a page boundary
    std::array<std::uint32_t, 4> epoch{};
    std::uint32_t sequence = 0;
    for (int n = 0; n < 300; ++n) {
      const std::uint32_t w = random() % warps;
      const std::uint32_t cta = w / 2;
      if (random() % 16 == 0) ++epoch[cta];
      const bool atomic = random() % 4 == 0;
      const WriteLog::Write write{
          {w, cta, epoch[cta], 0}, atomic ? ++sequence : 0, static_cast<Femtoseconds>(n)};
      const bool aligned = random() % 2 != 0;
      const unsigned bytes = aligned ? 4 * (1 + random() % 16) : 1 + random() % 20;
      const Addr address = origin + (aligned ? 4 * (random() % 16) : random() % 100);
      std::vector<std::uint8_t> data(bytes);
      for (unsigned i = 0; i < bytes; ++i) {
        data[i] = static_cast<std::uint8_t>(random());
        reference.bytes[address + i].push_back({write, data[i]});
      }
      log.add(address, bytes, data.data(), write);
    }
    unsigned racy = 0;
    for (Addr a = origin - 8; a < origin + 200; ++a) {
      const std::vector<Reference::Event> maximal = reference.maximal(a);
      racy += maximal.size() > 1;
      std::array<bool, 256> right{};
      for (const auto& event : maximal) right[event.value] = true;
      for (unsigned v = 0; v < 256; ++v)
        ASSERT_EQ(log.allows(a, static_cast<std::uint8_t>(v)), right[v]) << a << " value " << v;
      const std::string text = log.describe(a);
      for (const auto& event : maximal)
        EXPECT_THAT(text, HasSubstr("warp " + std::to_string(event.write.actor.warp) + " "));
    }
    EXPECT_EQ(log.racy_bytes(0) + log.racy_bytes(4096), racy);
  }
}

TEST(WriteLog, ALineCostsAFewHundredNanoseconds) {
  WriteLog log(0);
  std::array<std::uint8_t, 128> line{};
  const auto start = std::chrono::steady_clock::now();
  constexpr unsigned kLines = 8192;  // 1 MiB, twice
  for (unsigned n = 0; n < 2 * kLines; ++n)
    log.add(Addr(n % kLines) * 128, 128, line.data(), {{n % 64, 0, n / kLines, 0}, 0, n});
  const std::chrono::duration<double, std::nano> wall = std::chrono::steady_clock::now() - start;
  const double ns = wall.count() / (2 * kLines);
  RecordProperty("ns_per_line", static_cast<int>(ns));
  std::printf("%.0f ns per 128 B write\n", ns);
  EXPECT_LT(ns, 20'000) << "a loaded machine may be slow, but not that slow";
}

}  // namespace
}  // namespace warpmem
