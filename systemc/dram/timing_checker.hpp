// SPDX-License-Identifier: Apache-2.0
// Watches the command bus and objects to every command that breaks a timing rule or the state of a
// bank. It is written from the rules, as distances between pairs of past commands, without the
// "first legal cycle" registers of Device: the two must agree.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "dram/command.hpp"
#include "dram/timing.hpp"

namespace warpmem::dram {

class TimingChecker : public CommandObserver {
 public:
  /// `timing` is in cycles.
  TimingChecker(const Timing& timing, unsigned banks, const Organisation& organisation);

  /// Throws SimulationError naming the rule, both commands and the first legal cycle.
  void on_command(const CommandRecord& record) override;
  /// Returns the sentence that on_command() would throw, or "" when `record` is legal now; changes
  /// nothing.
  std::string violation(const CommandRecord& record) const;
  /// Returns whether `record` is legal now.
  bool legal(const CommandRecord& record) const { return broken(record).rule == nullptr; }

  std::uint64_t commands() const { return commands_; }

 private:
  struct Rule {
    const char* name;
    Cycle distance;
  };
  /// These are the rules between two commands; no pair has more than a handful.
  class Rules {
   public:
    void add(const char* name, Cycle distance) { list_.at(count_++) = {name, distance}; }
    const Rule* begin() const { return list_.data(); }
    const Rule* end() const { return list_.data() + count_; }

   private:
    std::array<Rule, 10> list_;
    std::size_t count_ = 0;
  };
  /// This is a rule that a command breaks, without the sentence about it.
  struct Broken {
    const char* rule = nullptr;              ///< nullptr: none
    const CommandRecord* because = nullptr;  ///< the earlier command, where one is to blame
    Cycle legal_from = 0;                    ///< 0: unknown
  };

  /// What two commands have in common, from the closest.
  struct Relation {
    bool bank = false;  ///< a command of all banks shares one with every other
    bool group = false;
    bool pseudo_channel = false;
  };

  Broken broken(const CommandRecord& record) const;
  Relation relation(const CommandRecord& a, const CommandRecord& b) const;
  bool share_a_bus(const CommandRecord& a, const CommandRecord& b) const;
  const char* bank_state(const CommandRecord& record) const;
  void pair_rules(const CommandRecord& earlier, const CommandRecord& later, Rules& rules) const;
  void activate_rules(const CommandRecord& earlier, const Relation& same, Rules& rules) const;
  void column_rules(const CommandRecord& earlier, const CommandRecord& later, const Relation& same,
                    Rules& rules) const;
  void precharge_rules(const CommandRecord& earlier, bool same_bank, Rules& rules) const;
  bool fifth_activate(const CommandRecord& record) const;
  const CommandRecord* on_the_data_bus(const CommandRecord& record) const;
  bool comes_in_place_of_refresh(const CommandRecord& record) const;
  std::string text(const CommandRecord& record) const;
  Cycle data_start(const CommandRecord& record) const;

  struct OpenRow {
    bool open = false;
    std::uint32_t row = 0;
    Cycle refreshed = 0;  // cycle of the bank's last REFRESH
  };
  unsigned group_of(const CommandRecord& record) const {
    return organisation_.group_of(record.bank, static_cast<unsigned>(rows_.size()));
  }
  /// Returns the cycle of the REFRESH of the bank that has waited longest for another.
  Cycle oldest_refresh() const;

  Timing timing_;
  Organisation organisation_;
  Cycle burst_cycles_;
  Cycle horizon_;  // no rule reaches further back
  std::vector<OpenRow> rows_;
  std::deque<CommandRecord> past_;
  std::uint64_t commands_ = 0;
};

}  // namespace warpmem::dram
