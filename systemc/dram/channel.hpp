// SPDX-License-Identifier: Apache-2.0
// A DRAM channel: request queue, command scheduler, device, and bytes. It issues at most one
// command a cycle, or one row and one column command; between commands the module sleeps to the
// next cycle at which one is legal. Pseudo channels share the queue and the command buses.
//
//   cycle a     : the request is visible at in(s), accepted into the queue
//   cycle a+1.. : PRECHARGE, ACTIVATE, READ as the device and the policy allow
//   cycle r     : READ;  data beats r+tCL .. r+tCL+beats-1
//   cycle r+tCL+beats (+ min_latency of a read): response
//
// Each L2 slice of the partition has a link in(s) of its own. One request is accepted a cycle, the
// links in turn; the responses to each slice wait apart, one leaving over its link a cycle. Column
// commands stop while one slice has no place left for a response.
//
// With `write_drain` writes wait in a queue of their own, which is served from its high to its low
// watermark, or while no read waits, so that the bus turns seldom. A request to a block that waits
// in the other queue waits at the input until that one has gone.
//
// Bytes move at the last column command. A request must lie within one aligned 128 B block and
// moves whole bursts; any other one gets TLM_BURST_ERROR_RESPONSE.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/address_map.hpp"
#include "base/clock_domain.hpp"
#include "base/memory_image.hpp"
#include "base/params.hpp"
#include "base/stats.hpp"
#include "base/tlm_ports.hpp"
#include "dram/device.hpp"
#include "dram/organisation.hpp"
#include "dram/request_queue.hpp"
#include "dram/scheduler.hpp"
#include "dram/stats.hpp"
#include "dram/timing.hpp"

namespace warpmem::dram {

class TimingChecker;

/// Whether a row without waiting requests stays open, or closes with its last column command.
enum class Page : std::uint8_t { open, closed };

class Channel : public sc_core::sc_module, public Clocked {
 public:
  struct Params : Organisation {
    std::uint64_t clock_hz = 924'000'000;  ///< command clock; the machine builds the domain from it
    std::uint32_t queue = 32;              ///< requests that wait, 1..256
    std::uint32_t response_queue = 8;      ///< finished requests that wait for a link, beyond
                                           ///< those whose data may be on their way, >= 1
    Policy policy = Policy::fr_fcfs;
    std::string added_policy;        ///< an added one, instead of `policy`; empty: none
    std::uint64_t age_cap = 10'000;  ///< DRAM cycles, 0 = no cap
    std::uint32_t min_latency = 0;   ///< DRAM cycles added to every read
    Page page = Page::open;
    bool write_drain = false;        ///< fr_fcfs: writes wait until there are many
    std::uint32_t write_queue = 32;  ///< write_drain: writes that wait, 1..256
    std::uint32_t write_high = 24;   ///< write_drain: waiting writes that start a drain
    std::uint32_t write_low = 8;     ///< write_drain: waiting writes that end it
    bool check_timing = false;       ///< every command goes through the timing checker
    Timing timing;
    bool carry_data = true;  ///< the machine sets it from check_data; it is not a key of this group

    void describe(Schema& schema);
    /// `banks` is the number of banks of a channel.
    void validate(Problems& problems, unsigned banks) const;
    /// Bytes a second that the data buses of a channel move at most.
    std::uint64_t peak_bandwidth() const { return clock_hz * bus_bytes * pseudo_channels; }
  };

  /// `map` gives the number of links, banks, rows and their addresses; `image` holds the bytes and
  /// may be shared by all channels of a machine. Both must outlive the channel.
  Channel(sc_core::sc_module_name name, ClockDomain& domain, const Params& params,
          const AddressMap& map, MemoryImage& image);
  ~Channel() override;

  /// The link from slice `s` of the partition.
  ServicePort& in(unsigned s = 0) { return links_[s]->port; }

  const ChannelStats& stats() const { return stats_; }
  /// Its parameters, with all times in cycles.
  const Params& params() const { return params_; }
  /// Returns whether nothing is queued or in flight.
  bool idle() const;
  std::string describe() const;
  void register_stats(StatRegistry& registry, unsigned index);
  /// `observer` sees every command from now on; it must outlive the channel.
  void observe(CommandObserver& observer) { observers_.push_back(&observer); }

 private:
  struct Done {
    Payload* payload = nullptr;
    Cycle ready = 0;
  };
  /// What belongs to one slice.
  struct Link {
    Link(const std::string& name, Channel& channel, std::size_t places);
    Ring<Done>* ready_response(Cycle now);

    ServicePort port;
    // Requests whose data are on the way, and responses that wait, by when they are ready. Writes
    // are kept apart, since the minimum latency is not theirs.
    Ring<Done> done;
    Ring<Done> written;
    Cycle refused_since = kNever;
    std::uint64_t taken = 0;  // requests
  };

  /// When the next refresh of a pseudo channel is due, and whose turn it is.
  struct RefreshTimer {
    RefreshTimer(const Organisation& organisation, unsigned banks, Cycle interval, unsigned first);
    /// The unit that is next: a bank, or the pseudo channel.
    unsigned unit() const { return static_cast<unsigned>(number % units); }
    /// Goes on by as many refreshes of this pseudo channel.
    void skip(std::uint64_t refreshes);
    /// Returns how many refreshes of a unit are due by cycle `now`.
    std::uint64_t due_by(unsigned unit, Cycle now) const;

    Cycle interval;        ///< tREFI
    unsigned units;        ///< of the channel
    unsigned step;         ///< pseudo channels, which take turns
    std::uint64_t number;  ///< of the next refresh, counted over the channel
    Cycle due = kNever;    ///< cycle of the next refresh; kNever: there are none
  };

  Cycle tick(Cycle now) override;
  bool places_left() const;
  void respond(Link& link, Cycle now);
  void execute(Cycle now);
  void accept(Cycle now);
  bool accept_from(unsigned link, Cycle now);
  void count_refused(Link& link, Cycle now);
  void end_refusal(Link& link, Cycle now);
  bool reject(Link& link, Payload& payload, tlm::tlm_response_status status, Cycle now);
  void plan(Cycle from);
  void issue(const Decision& decision, Cycle now);
  Decision decide(Cycle from, bool columns);
  Decision decide_for_requests(Cycle from, bool columns);
  Decision decide_with_drain(Cycle from, bool columns);

  /// Number of requests in both queues.
  unsigned waiting() const { return queue_.size() + writes_.size(); }
  /// Returns whether another request waits for the row that is open in `bank`.
  bool row_is_wanted(unsigned bank) const {
    return queue_.oldest_hit(bank) != RequestQueue::kNone ||
           writes_.oldest_hit(bank) != RequestQueue::kNone;
  }
  bool waits_for_other_queue(const Payload& payload);
  void column(unsigned slot, Cycle now);
  void count_outcome(const Request& request);
  void finish(const Request& request, Cycle end);
  void bank_busy(unsigned bank, Cycle now);
  void note_queue_size(Cycle now);
  void row_closed(unsigned bank);
  std::string describe(const Request& request) const;
  void refresh_while_idle(Cycle now);
  void skip_refreshes(Cycle now);
  /// Returns the timer whose refresh is due first, or the one after it.
  RefreshTimer& refresh_due(bool after = false);
  std::uint64_t refresh_banks(const RefreshTimer& timer) const;
  Decision refresh_step(const RefreshTimer& timer, Cycle from) const;
  void count_refreshes(const RefreshTimer& timer, std::uint64_t refreshes);
  std::string refreshes_missing() const;
  void refresh_command(RefreshTimer& timer, Command command, Cycle now);
  void announce(const CommandRecord& record);
  tlm::tlm_response_status check(const Payload& payload) const;
  void move_bytes(Payload& payload);
  unsigned debug(Payload& payload);
  void blocking(Payload& payload, sc_core::sc_time& delay);

  Params params_;
  const AddressMap& map_;
  MemoryImage& image_;
  ChannelStats stats_;
  Device device_;
  RequestQueue queue_;
  RequestQueue writes_;              // with write_drain the waiting writes; else empty
  RequestQueue* planned_ = &queue_;  // the queue that plan_.slot refers to
  bool draining_ = false;
  std::unique_ptr<Scheduler> scheduler_;
  std::vector<std::unique_ptr<Link>> links_;  // by slice
  unsigned next_link_ = 0;                    // that is looked at first
  std::uint64_t link_wait_cycles_ = 0;
  std::unique_ptr<TimingChecker> checker_;
  std::vector<CommandObserver*> observers_;

  Decision plan_;  // the next command, valid while nothing changes
  bool replan_ = false;
  Cycle last_command_ = 0;                   // cycle of the last command + 1; 0: there was none
  std::vector<RefreshTimer> refresh_;        // by pseudo channel
  RefreshTimer* planned_refresh_ = nullptr;  // that plan_ is about when it names no request
  Cycle queue_since_ = 0;                    // cycle since which the queue has had its present size
  struct BankBusy {
    bool open = false;
    Cycle since = 0;
    Cycle until = 0;
  };
  std::vector<BankBusy> bank_busy_;
};

}  // namespace warpmem::dram
