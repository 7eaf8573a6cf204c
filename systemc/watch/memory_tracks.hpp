// SPDX-License-Identifier: Apache-2.0
// The memory system on a timeline: entries of miss handlers, ports of the crossbar, banks and data
// buses of DRAM, the link to the host and page faults. Each part has packets of its own, since the
// order of ticks among modules is not defined.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/clock_domain.hpp"
#include "cache/watch.hpp"
#include "dram/channel.hpp"
#include "noc/switch.hpp"
#include "uvm/watch.hpp"
#include "watch/canvas.hpp"

namespace warpmem::watch {

/// The misses that are outstanding at a cache, in as many lanes as there are at a time.
class MissTracks : public cache::CacheWatch {
 public:
  MissTracks(Canvas& canvas, TrackId group);
  void miss_begins(Addr unit, const Access& origin) override;
  void miss_ends(Addr unit) override;
  Packets& out() { return out_; }

 private:
  struct Miss {
    bool outstanding = false;
    Addr unit = 0;
    std::uint32_t pc = 0;
    unsigned sm = 0;
    bool prefetch = false;
    Femtoseconds since = 0;
  };
  Canvas& canvas_;
  Packets out_;
  Lanes lanes_;
  std::vector<Miss> misses_;  // by lane
  NameId miss_, prefetch_, category_, address_, pc_, sm_;
};

/// The outputs of one direction of the crossbar: which input's packet occupies them.
class PortTracks : public noc::SwitchWatch {
 public:
  /// `output` and `input` say what they are: "to slice", "SM port".
  PortTracks(Canvas& canvas, TrackId group, const ClockDomain& clock, unsigned outputs,
             const std::string& output, const std::string& input);
  void granted(unsigned input, unsigned output, Cycle from, unsigned flits) override;
  Packets& out() { return out_; }

 private:
  Canvas& canvas_;
  Packets out_;
  const ClockDomain& clock_;
  std::vector<TrackId> tracks_;
  NameId packet_, category_, input_, flits_;
};

/// The commands of a DRAM channel in its banks, and its data buses. A command lasts until the bank
/// may take what follows it (ACT: tRCD, PRE: tRP, REF: tRFC), or, of RD and WR, as long as its
/// data, unless the next one comes before.
class DramTracks : public dram::CommandObserver {
 public:
  DramTracks(Canvas& canvas, TrackId group, const dram::Channel& channel, unsigned banks);
  void on_command(const dram::CommandRecord& record) override;
  /// Draws the last command of each bank.
  void end();
  Packets& out() { return out_; }

 private:
  struct Pending {
    dram::Command command = dram::Command::none;
    Cycle cycle = 0, end = 0;
    std::uint32_t row = 0;
  };
  Cycle length_of(const dram::CommandRecord& record) const;
  void begin(unsigned bank, const dram::CommandRecord& record);
  void draw(unsigned bank, Cycle before);

  Canvas& canvas_;
  Packets out_;
  const ClockDomain& clock_;
  const dram::Channel::Params& params_;
  std::vector<TrackId> bank_tracks_, bus_tracks_;
  std::vector<Pending> pending_;  // by bank
  std::array<NameId, static_cast<std::size_t>(dram::Command::refresh_bank) + 1> commands_{};
  NameId command_category_, bus_category_, row_, bank_, address_, cycles_;
};

/// One direction of the link to the host.
class LinkTracks : public uvm::TransferWatch {
 public:
  LinkTracks(Canvas& canvas, TrackId group, const ClockDomain& clock, const std::string& name);
  void transfer(Cycle from, Cycle to, std::uint64_t bytes) override;
  Packets& out() { return out_; }

 private:
  Canvas& canvas_;
  Packets out_;
  const ClockDomain& clock_;
  TrackId track_;
  NameId transfer_, category_, bytes_;
};

/// Page faults, and the host at work on them.
class FaultTracks : public uvm::FaultWatch {
 public:
  FaultTracks(Canvas& canvas, TrackId group, const ClockDomain& clock);
  void fault_ended(uvm::PageNumber page, Femtoseconds since) override;
  void host_works(Cycle from, Cycle to, std::size_t faults) override;
  Packets& out() { return out_; }

 private:
  Canvas& canvas_;
  Packets out_;
  const ClockDomain& clock_;
  Lanes lanes_;
  TrackId host_track_;
  NameId fault_, host_, category_, page_, faults_;
};

}  // namespace warpmem::watch
