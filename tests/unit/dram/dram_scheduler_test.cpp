// SPDX-License-Identifier: Apache-2.0
// Order of service: FR-FCFS and FCFS, the age cap, and random streams against a slow reference that
// tries every cycle and asks the timing checker what is legal.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>

#include "base/random.hpp"
#include "dram/timing_checker.hpp"
#include "unit/dram/dram_bench.hpp"

namespace warpmem::dram {
namespace {

using Order = std::vector<std::size_t>;

Channel::Params with(Policy policy, Cycle age_cap = 10'000) {
  Channel::Params params = DramBench::defaults();
  params.policy = policy;
  params.age_cap = age_cap;
  return params;
}

TEST(DramOrder, RowHitsGoFirstUnderFrFcfs) {
  DramBench b("b", with(Policy::fr_fcfs));
  b.initiator->script = {{0, at(0, 1)}, {0, at(0, 2)}, {0, at(0, 1, 128)}, {0, at(0, 2, 128)}};
  b.run();
  EXPECT_EQ(b.initiator->response_order, (Order{0, 2, 1, 3}));
  EXPECT_EQ(b.log.text(), "ACT RD RD PRE ACT RD RD");
}

TEST(DramOrder, ArrivalOrderUnderFcfs) {
  DramBench b("b", with(Policy::fcfs));
  b.initiator->script = {{0, at(0, 1)}, {0, at(0, 2)}, {0, at(0, 1, 128)}, {0, at(1, 1)}};
  b.run();
  EXPECT_EQ(b.initiator->response_order, (Order{0, 1, 2, 3}));
  EXPECT_EQ(b.log.text(), "ACT RD PRE ACT RD PRE ACT RD ACT RD");
}

TEST(DramOrder, OlderHitFirstAmongReadyBanks) {
  DramBench b("b", with(Policy::fr_fcfs));
  // Both rows open early; then hits to bank 1 and bank 0 in turn, in order of age.
  b.initiator->script = {{0, at(0, 1)},       {0, at(1, 1)},       {80, at(1, 1, 128)},
                         {80, at(0, 1, 128)}, {80, at(1, 1, 256)}, {80, at(0, 1, 256)}};
  b.run();
  EXPECT_EQ(b.initiator->response_order, (Order{0, 1, 2, 3, 4, 5}));
}

TEST(DramOrder, BanksOpenRowsInParallel) {
  DramBench b("b", with(Policy::fr_fcfs));
  for (unsigned bank = 0; bank < 4; ++bank) b.initiator->script.push_back({0, at(bank, 3)});
  b.run();
  // tRRD apart, but the command bus belongs to the first READ in cycle 14.
  EXPECT_EQ(b.log.cycles(Command::read)[0], 14u);
  EXPECT_EQ(b.log.cycles(Command::activate), (std::vector<Cycle>{2, 8, 15, 21}));
}

/// Sends a request to row 2 while a stream keeps row 1 of the same bank busy; returns its wait in
/// cycles.
Cycle wait_behind_hits(DramBench& b, bool victim_writes) {
  b.initiator->script = {{0, at(0, 1)}};
  for (unsigned i = 1; i < 10; ++i) b.initiator->script.push_back({0, at(0, 1, 128 * i)});
  b.initiator->script.push_back({0, at(0, 2), victim_writes});
  for (unsigned i = 0; i < 500; ++i) b.initiator->script.push_back({0, at(0, 1, 128 * (i % 16))});
  b.run();
  for (const CommandRecord& r : b.log.records)
    if (r.row == 2 && (r.command == Command::read || r.command == Command::write))
      return r.cycle - r.arrival;
  return kNever;
}

TEST(DramOrder, WithoutAnAgeCapHitsStarveAConflict) {
  DramBench b("b", with(Policy::fr_fcfs, 0));
  EXPECT_GT(wait_behind_hits(b, false), 490u * 16);
}

TEST(DramOrder, TheAgeCapEndsStarvation) {
  DramBench b("b", with(Policy::fr_fcfs, 1000));
  const Cycle wait = wait_behind_hits(b, false);
  EXPECT_GT(wait, 1000u);
  EXPECT_LE(wait, 1000u + 1 + 14 + 12 + 12);  // a READ just gone: its tRTP, then tRP and tRCD
}

TEST(DramOrder, TheAgeCapEndsStarvationOfAWrite) {
  DramBench b("b", with(Policy::fr_fcfs, 1000));
  EXPECT_LE(wait_behind_hits(b, true), 1000u + 1 + 14 + 12 + 12);
}

TEST(DramOrder, ReadHitsOfOtherBanksDoNotStarveAWriteHit) {
  DramBench b("b", with(Policy::fr_fcfs, 500));
  // The write is a row hit itself, but the bus could serve reads for ever.
  b.initiator->script = {{0, at(0, 1)}, {0, at(1, 1)}, {100, at(1, 1, 128), true}};
  for (unsigned i = 0; i < 200; ++i) b.initiator->script.push_back({100, at(0, 1, 128 * (i % 16))});
  b.run();
  const auto writes = b.log.cycles(Command::write);
  ASSERT_EQ(writes.size(), 1u);
  EXPECT_LE(writes[0], 101u + 500 + 1 + 26);  // the beats of the READ before, and the turn
}

// ---- the slow reference ------------------------------------------------------------------------

struct Waiting {
  Cycle arrival = 0;
  Addr address = 0;
  unsigned bank = 0;
  std::uint32_t row = 0;
  unsigned beats = 0;
  bool write = false;
  unsigned commands = 0;  ///< column commands that it still needs
};

class SlowReference {
 public:
  SlowReference(const Channel::Params& params, std::vector<Waiting> arrivals)
      : params_(params),
        arrivals_(std::move(arrivals)),
        checker_(params.timing, 16, params),
        rows_(16, -1) {
    for (unsigned p = 0; p < channels(); ++p) refreshes_.push_back(p);
  }

  /// Returns the commands up to cycle `last`.
  std::vector<CommandRecord> run(Cycle last) {
    std::size_t next = 0;
    for (Cycle now = 0; now <= last; ++now) {
      while (next < arrivals_.size() && arrivals_[next].arrival < now)
        queue_.push_back(arrivals_[next++]);
      cycle(now);
    }
    EXPECT_TRUE(next == arrivals_.size() && queue_.empty());
    return issued_;
  }

 private:
  void cycle(Cycle now) {
    row_bus_ = column_bus_ = true;
    std::vector<std::uint64_t> due;  // the next of each pseudo channel
    for (const std::uint64_t number : refreshes_)
      if (is_due(number, now)) due.push_back(number);
    std::sort(due.begin(), due.end());
    for (const std::uint64_t number : due) refresh(number, now);
    for (unsigned pass = 0; pass < 2; ++pass)
      if (row_bus_ || column_bus_) one_command(now);
  }
  unsigned units() const { return params_.refresh == Refresh::per_bank ? 16 : channels(); }
  unsigned channels() const { return params_.pseudo_channels; }
  bool is_due(std::uint64_t number, Cycle now) const {
    return params_.refresh != Refresh::none &&
           now >= (number + 1) * Cycle(params_.timing.t_refi) / units();
  }
  bool belongs_to(std::uint64_t number, unsigned bank) const {
    return bank % units() == number % units();
  }
  bool held(unsigned bank, Cycle now) const {
    const std::uint64_t number = refreshes_[bank % channels()];
    return is_due(number, now) && belongs_to(number, bank);
  }
  void refresh(std::uint64_t number, Cycle now) {
    bool open = false;
    for (unsigned b = 0; b < 16; ++b) open |= belongs_to(number, b) && rows_[b] >= 0;
    const bool one = params_.refresh == Refresh::per_bank;
    const Command command = open ? (one ? Command::precharge : Command::precharge_all)
                                 : (one ? Command::refresh_bank : Command::refresh);
    if (!issue({now, command, static_cast<unsigned>(number % units())})) return;
    for (unsigned b = 0; b < 16; ++b)
      if (belongs_to(number, b)) rows_[b] = -1;
    if (!open) refreshes_[number % channels()] += channels();
  }
  void one_command(Cycle now) {
    if (queue_.empty()) return;
    const bool capped = params_.age_cap != 0 && now - queue_.front().arrival > params_.age_cap;
    if (params_.policy == Policy::fcfs || capped) {
      if (!try_column(0, now)) try_row(0, now);
      return;
    }
    std::vector<bool> bank_has_hit(16, false);
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      if (rows_[queue_[i].bank] != static_cast<int>(queue_[i].row)) continue;
      if (bank_has_hit[queue_[i].bank]) continue;  // one row: in order of arrival
      bank_has_hit[queue_[i].bank] = true;
      if (try_column(i, now)) return;
    }
    std::vector<bool> seen = bank_has_hit;
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      if (seen[queue_[i].bank]) continue;
      seen[queue_[i].bank] = true;
      if (try_row(i, now)) return;
    }
  }
  bool try_column(std::size_t i, Cycle now) {
    Waiting& w = queue_[i];
    if (rows_[w.bank] != static_cast<int>(w.row) || held(w.bank, now)) return false;
    const bool closes = params_.page == Page::closed && w.commands == 1 &&
                        std::none_of(queue_.begin(), queue_.end(), [&w](const Waiting& other) {
                          return &other != &w && other.bank == w.bank && other.row == w.row;
                        });
    if (!issue({now, w.write ? Command::write : Command::read, w.bank, w.row, w.beats, w.address,
                w.arrival, closes}))
      return false;
    if (closes) rows_[w.bank] = -1;
    if (--w.commands == 0) queue_.erase(queue_.begin() + static_cast<long>(i));
    return true;
  }
  bool try_row(std::size_t i, Cycle now) {
    const Waiting& w = queue_[i];
    if (rows_[w.bank] == static_cast<int>(w.row) || held(w.bank, now)) return false;
    const bool open = rows_[w.bank] >= 0;
    if (!issue({now, open ? Command::precharge : Command::activate, w.bank, open ? 0 : w.row}))
      return false;
    rows_[w.bank] = open ? -1 : static_cast<int>(w.row);
    return true;
  }
  bool issue(const CommandRecord& record) {
    bool& bus = is_column(record.command) ? column_bus_ : row_bus_;
    if (!bus || !checker_.legal(record)) return false;
    checker_.on_command(record);
    issued_.push_back(record);
    bus = false;
    if (params_.command_bus == CommandBus::one) row_bus_ = column_bus_ = false;
    return true;
  }

  Channel::Params params_;
  std::vector<Waiting> arrivals_;
  TimingChecker checker_;
  std::vector<int> rows_;
  std::deque<Waiting> queue_;
  std::vector<CommandRecord> issued_;
  std::vector<std::uint64_t> refreshes_;  // the next of each pseudo channel, all counted together
  bool row_bus_ = true;                   // free in this cycle
  bool column_bus_ = true;
};

/// Returns the requests of a run, in order of arrival: one a cycle at most.
std::vector<Waiting> requests_of(const CommandLog& log) {
  std::map<Cycle, Waiting> by_arrival;
  for (const CommandRecord& r : log.records) {
    if (!is_column(r.command)) continue;
    Waiting& w = by_arrival[r.arrival];
    w = {r.arrival, r.address, r.bank, r.row, r.beats, r.command == Command::write, w.commands + 1};
  }
  std::vector<Waiting> all;
  for (const auto& [arrival, waiting] : by_arrival) all.push_back(waiting);
  return all;
}

/// Runs a random stream and compares every command and its cycle with the reference. The arrivals
/// are those of the run: a full queue holds requests back, which the reference need not model.
void compare_with_reference(const Channel::Params& params, std::uint64_t seed, unsigned requests,
                            unsigned rows, unsigned pause_percent) {
  DramBench b("b", params);
  Random random(seed);
  Cycle t = 0;
  for (unsigned i = 0; i < requests; ++i) {
    if (random.chance(pause_percent)) t += random.below(random.chance(2) ? 5000 : 100);
    const unsigned sizes[] = {32, 64, 128, 128};
    const unsigned bytes = sizes[random.below(4)];
    const Addr address =
        at(static_cast<unsigned>(random.below(16)), static_cast<unsigned>(random.below(rows)),
           static_cast<unsigned>(random.below(2048 / bytes)) * bytes);
    b.initiator->script.push_back({t, address, random.chance(30), bytes});
  }
  b.run(requests * 200 + t);
  const std::vector<Waiting> arrivals = requests_of(b.log);
  ASSERT_EQ(arrivals.size(), requests);
  const auto expected = SlowReference(params, arrivals).run(b.log.records.back().cycle);
  ASSERT_EQ(b.log.records.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const CommandRecord& got = b.log.records[i];
    ASSERT_TRUE(got.cycle == expected[i].cycle && got.command == expected[i].command &&
                got.bank == expected[i].bank && got.row == expected[i].row &&
                got.address == expected[i].address)
        << "command " << i << " seed " << seed << ": " << name_of(got.command) << " bank "
        << got.bank << " cycle " << got.cycle << ", reference " << name_of(expected[i].command)
        << " bank " << expected[i].bank << " cycle " << expected[i].cycle;
  }
}

TEST(DramReference, RandomStreamFewRows) {
  compare_with_reference(with(Policy::fr_fcfs), 11, 20'000, 3, 5);
}
TEST(DramReference, RandomStreamManyRows) {
  compare_with_reference(with(Policy::fr_fcfs), 12, 20'000, 4096, 2);
}
TEST(DramReference, ShortAgeCap) {
  compare_with_reference(with(Policy::fr_fcfs, 150), 13, 20'000, 3, 5);
}
TEST(DramReference, Fcfs) { compare_with_reference(with(Policy::fcfs), 14, 10'000, 3, 5); }
TEST(DramReference, FourActivateWindowAndRefresh) {
  Channel::Params params = with(Policy::fr_fcfs, 2000);
  params.timing.t_faw = 40;
  params.refresh = Refresh::all_bank;
  params.timing.t_refi = 1756;
  compare_with_reference(params, 15, 20'000, 16, 5);
}
TEST(DramReference, ClosedPages) {
  Channel::Params params = with(Policy::fr_fcfs);
  params.page = Page::closed;
  compare_with_reference(params, 17, 20'000, 3, 5);
}
TEST(DramReference, ClosedPagesWithRefresh) {
  Channel::Params params = with(Policy::fcfs);
  params.page = Page::closed;
  params.refresh = Refresh::all_bank;
  params.timing.t_refi = 1756;
  params.timing.t_ras = 33;
  compare_with_reference(params, 18, 10'000, 8, 5);
}
// The order of a million requests is compared, in four streams.
TEST(DramReference, AMillionRequestsFewRows) {
  compare_with_reference(with(Policy::fr_fcfs, 3000), 19, 250'000, 4, 3);
}
TEST(DramReference, AMillionRequestsSomeRows) {
  compare_with_reference(with(Policy::fr_fcfs, 0), 20, 250'000, 64, 3);
}
TEST(DramReference, AMillionRequestsManyRows) {
  compare_with_reference(with(Policy::fr_fcfs), 21, 250'000, 4096, 0);
}
TEST(DramReference, AMillionRequestsClosedPages) {
  Channel::Params params = with(Policy::fr_fcfs, 3000);
  params.page = Page::closed;
  compare_with_reference(params, 22, 250'000, 16, 3);
}
/// Four bank groups with times of their own, and a column command for each burst.
Channel::Params with_groups(Policy policy, Cycle age_cap = 2000) {
  Channel::Params params = with(policy, age_cap);
  params.bus_bytes = 16;
  params.column_command = ColumnCommand::burst;
  params.bank_groups = 4;
  params.timing.t_rrd = 4;
  params.timing.t_rrd_l = 7;
  params.timing.t_ccd_l = 5;
  params.timing.t_wtr_l = 9;
  params.timing.t_faw = 30;
  return params;
}
TEST(DramReference, BankGroups) {
  compare_with_reference(with_groups(Policy::fr_fcfs), 31, 20'000, 3, 5);
}
TEST(DramReference, BankGroupsFcfs) {
  compare_with_reference(with_groups(Policy::fcfs), 32, 10'000, 3, 5);
}
TEST(DramReference, BurstsWithClosedPages) {
  Channel::Params params = with_groups(Policy::fr_fcfs);
  params.page = Page::closed;
  params.burst_bytes = 64;
  compare_with_reference(params, 33, 20'000, 4, 5);
}
TEST(DramReference, RowAndColumnBus) {
  Channel::Params params = with_groups(Policy::fr_fcfs, 300);
  params.command_bus = CommandBus::row_and_column;
  compare_with_reference(params, 34, 20'000, 16, 5);
}
TEST(DramReference, RowAndColumnBusFcfs) {
  Channel::Params params = with_groups(Policy::fcfs);
  params.command_bus = CommandBus::row_and_column;
  compare_with_reference(params, 35, 10'000, 4, 5);
}
TEST(DramReference, PseudoChannelsAndRefreshOfEach) {
  Channel::Params params = with_groups(Policy::fr_fcfs);
  params.pseudo_channels = 2;
  params.refresh = Refresh::all_bank;
  compare_with_reference(params, 36, 20'000, 8, 5);
}
TEST(DramReference, RefreshOfBanks) {
  Channel::Params params = with(Policy::fr_fcfs, 2000);
  params.refresh = Refresh::per_bank;
  compare_with_reference(params, 37, 20'000, 8, 5);
}
TEST(DramReference, RefreshOfBanksFcfs) {
  Channel::Params params = with(Policy::fcfs);
  params.refresh = Refresh::per_bank;
  compare_with_reference(params, 38, 10'000, 3, 5);
}
TEST(DramReference, EverythingTogether) {
  Channel::Params params = with_groups(Policy::fr_fcfs, 500);
  params.pseudo_channels = 2;
  params.command_bus = CommandBus::row_and_column;
  params.refresh = Refresh::per_bank;
  params.timing.t_rrefd = 11;
  compare_with_reference(params, 39, 30'000, 8, 5);
}
TEST(DramReference, EverythingTogetherWithClosedPages) {
  Channel::Params params = with_groups(Policy::fr_fcfs, 0);
  params.pseudo_channels = 2;
  params.command_bus = CommandBus::row_and_column;
  params.refresh = Refresh::per_bank;
  params.page = Page::closed;
  compare_with_reference(params, 40, 30'000, 64, 5);
}
TEST(DramReference, OtherTimings) {
  Channel::Params params = with(Policy::fr_fcfs, 700);
  params.bus_bytes = 16;
  params.queue = 7;
  params.timing.t_ccd = 11;
  params.timing.t_rtp = 9;
  params.timing.t_wl = 15;
  params.timing.t_rc = 60;
  compare_with_reference(params, 16, 20'000, 4, 10);
}

}  // namespace
}  // namespace warpmem::dram
