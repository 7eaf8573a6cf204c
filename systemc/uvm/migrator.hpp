// SPDX-License-Identifier: Apache-2.0
// Moves pages between host and device memory, within the frames that there are.
//
//   in   fetch(): arriving   frames free: read over the link   bytes there: resident
//   out  evict(): leaving    no translation under way: shoot-down   every TLB drained, no cache at
//        work on a line: caches give up the lines; dirty pages are written over the link, clean
//        ones dropped   absent
//
// A run of adjoining pages in one state is one transfer. Runs that arrive take frames in the order
// of their requests, so that none waits for ever.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "base/tlm_ports.hpp"
#include "uvm/dma.hpp"
#include "uvm/hooks.hpp"
#include "uvm/page_table.hpp"

namespace warpmem::uvm {

class Migrator {
 public:
  /// What the machine and the GMMU do for the migrator.
  struct Hooks : MachineHooks {
    /// A page has a frame, and its bytes are asked for.
    std::function<void(PageNumber, Cycle)> starts;
    std::function<void(PageNumber, PageEntry&, Cycle)> arrived;
    std::function<void(PageNumber, PageEntry&, Cycle)> left;
    /// Tells that there is something for copy() to do.
    std::function<void()> copy_soon;
  };
  struct Stats {
    std::uint64_t pages_in = 0;
    std::uint64_t pages_out_dirty = 0;
    std::uint64_t pages_out_clean = 0;
    std::uint64_t pages_to_host = 0;  ///< pages brought back because the host used them
    std::uint64_t pages_freed = 0;    ///< pages that were in device memory when they were freed
    std::uint64_t resident = 0;       ///< pages resident now
    std::uint64_t resident_peak = 0;  ///< most frames in use at once
    std::uint64_t frames = 0;
  };

  Migrator(Clocked& owner, PageTable& table, unsigned tlbs, bool carry_data, Hooks hooks);

  RequestPort to_device;
  RequestPort to_host;

  /// A launch begins, with `frames` frames for managed pages; shortage() may say that more are in
  /// use. Pages that were taken back or freed since the last launch are counted from now on, and
  /// the peak begins at the frames in use: the registry has reset it.
  void begin_launch(std::uint64_t frames);
  std::uint64_t frames() const { return stats_.frames; }
  /// Number of frames that pages have or will have, at most all frames.
  std::uint64_t frames_used() const;
  /// Number of pages that must leave, besides those that are leaving, before all that shall arrive
  /// has a frame.
  std::uint64_t shortage() const;

  /// Lets absent pages arrive, given in ascending order and at most as many as there are frames.
  /// The run that holds `urgent` comes first.
  void fetch(const std::vector<PageNumber>& pages, PageNumber urgent);
  enum class Why : std::uint8_t {
    evicted,  ///< to make room
    wanted,   ///< the program wants them in host memory
  };
  /// Lets resident pages leave, given in ascending order.
  void evict(const std::vector<PageNumber>& pages, Why why);
  /// A TLB has drained the pages of departure `id`.
  void drained(unsigned id);

  /// Moves on; returns true when something has changed.
  bool tick(Cycle now);
  /// Returns the next cycle with work of its own, or kNever.
  Cycle next_work(Cycle now) const;
  /// Moves the bytes of what tick() has decided.
  void copy();

  /// A resident page goes back to the host in no time; returns whether it was dirty. The machine is
  /// drained, and moves the bytes itself.
  bool take_back(PageEntry& entry);
  /// Frees the frame of a page of a freed allocation.
  void freed(PageEntry& entry);

  bool idle() const;
  std::string describe() const;
  const Stats& stats() const { return stats_; }
  Stats& stats() { return stats_; }
  std::size_t transfers_open() const { return pool_.outstanding(); }

 private:
  struct Run {
    PageNumber first = 0;
    std::uint64_t count = 0;
  };
  enum class Step : std::uint8_t { granted, shooting, settling, writing };
  struct Departure {
    unsigned id = 0;
    Run run;
    Why why = Why::evicted;
    Step step = Step::granted;
    unsigned tlbs = 0;         // TLBs that have not drained
    Cycle visible = 0;         // cycle from which on the last report is seen
    bool settled = false;      // the caches are at rest, as copy() saw it
    std::uint64_t writes = 0;  // transfers that are not answered
  };
  struct Copy {
    Addr address = 0;
    unsigned bytes = 0;
    std::uint8_t* data = nullptr;
    bool to_device = false;
    DmaTransfer* transfer = nullptr;  // released when the bytes are in device memory
  };

  std::vector<Run> runs(const std::vector<PageNumber>& pages) const;
  bool receive(Cycle now);
  bool depart(Cycle now);
  void write_out(Departure& departure, Cycle now);
  bool start_arrivals(Cycle now);
  bool send();
  void gone(PageNumber page, Why why, Cycle now);
  bool granted(const Run& run) const;
  DmaTransfer& transfer(tlm::tlm_command command, const Run& run);

  Clocked& owner_;
  PageTable& table_;
  unsigned tlbs_;
  bool carry_data_;
  Hooks hooks_;
  DmaPool pool_;
  std::deque<Run> arrivals_;   // runs without frames yet
  std::uint64_t awaited_ = 0;  // pages of arrivals_
  std::uint64_t moving_ = 0;   // pages of transfers to the device
  std::uint64_t leaving_ = 0;
  std::vector<Departure> departures_;
  unsigned next_id_ = 0;
  std::deque<DmaTransfer*> reads_, writes_;  // transfers to be sent
  std::vector<Copy> copies_;
  std::uint64_t taken_back_ = 0, freed_ = 0;  // pages since the last launch
  Stats stats_;
};

}  // namespace warpmem::uvm
