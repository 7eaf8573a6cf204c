// SPDX-License-Identifier: Apache-2.0
// The memory system of a GPU: L1Ds, crossbar, L2 banks and DRAM channels, put together from a
// configuration, for whatever is bound to its ports.
//
//   cpu(i) --> L1d i --mem--> Crossbar --output(s)--> L2Bank s --mem--> Channel p, or memory(s)
//
// with a Coalescer s before L2Bank s when l2.coalescer.entries is not 0;
// where slices s = p * l2.slices, ..., p * l2.slices + l2.slices - 1 belong to partition p.
//
// Where params.host_memory is not empty, each L2Bank has a port to a HostLink beside the one to
// DRAM.
//
// With uvm.enable a TLB stands between each port and its L1D (unified_memory.hpp). L1Ds and TLBs
// have the SMs' clock; crossbar, L2 and DRAM have one each. Clocks of one frequency are one domain:
// their edges coincide, and nothing depends on the order within an edge.
//
// Ports. cpu(i) takes the TLM-2.0 base protocol from anybody's initiator:
//   nb_transport   four phases, with the exclusion rules and a memory manager; a payload that lacks
//                  our extension (Access) is a load or store of global memory by SM 0, warp 0
//   b_transport    the same access in no simulated time: what is found on the way down is used,
//                  nothing is brought in, no statistic counts it; `delay` grows by the latencies on
//                  the way, without queues. It is not ordered with requests under way to its line
//   transport_dbg  reads the newest bytes and writes what every level of the path sees
//   get_direct_mem_ptr   refused for all addresses
// A request lies within one line (l1d.line) and its streaming width is no less than its length;
// others are answered with TLM_BURST_ERROR_RESPONSE (transport_dbg takes any length). As in GPUs,
// the L1Ds of other ports may keep older bytes of what one writes, until prepare_launch().
//
// Every cpu(i) must be bound: sm.count is the number of initiators.
//
// A launch of a GPU calls, between launches and with everything idle, prepare_launch(), then
// move_ahead(), then begin_launch(), and end_launch() when it has drained. A system without SMs
// needs these calls only with uvm.enable and with l1d.bypass.kind: bucl_dyn or bucl_prf.
//
// Never starts the simulation. What a module finds wrong while time passes is kept: call
// rethrow_tick_failure() after sc_start().
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/clock_domain.hpp"
#include "base/memory_image.hpp"
#include "base/protocol_checker.hpp"
#include "base/stats.hpp"
#include "base/transaction.hpp"
#include "host/host_link.hpp"
#include "l1d/l1d.hpp"
#include "l2/coalescer.hpp"
#include "l2/l2_bank.hpp"
#include "memory/bucl_periods.hpp"
#include "memory/bucl_profile.hpp"
#include "memory/idle_watch.hpp"
#include "memory/params.hpp"
#include "memory/unified_memory.hpp"

namespace warpmem::memory {

/// Hardware units in views other than the class; empty: only the class is available.
struct UnitFactories {
  mha::UnitFactories miss_handlers;
  cache::FrontendFactories frontends;
  l1d::UnitFactories l1d;
};

class MemorySystem : public sc_core::sc_module {
 public:
  /// `params` must have passed validate() and derive(), as those of read_params() have. Needs
  /// set_simulation_resolution() before.
  MemorySystem(sc_core::sc_module_name name, const MemoryParams& params,
               const UnitFactories& units = {});
  ~MemorySystem() override;

  unsigned cpus() const { return static_cast<unsigned>(l1ds_.size()); }
  unsigned partitions() const { return map_.partitions(); }
  /// L2 slices of all partitions.
  unsigned slices() const { return map_.slices(); }
  /// Bind initiator i here. Precondition: i < cpus().
  tlm::tlm_target_socket<>& cpu(unsigned i) { return *cpu_sockets_.at(i); }
  /// Bind the target of slice s here; the slices of a partition may have one target between them,
  /// which says who goes first. It sees global addresses, requests within one line, and answers at
  /// its own pace; it may be loosely timed. It should answer transport_dbg: the data check and the
  /// host's accesses use it. Precondition: s < slices(); UserError unless dram.kind: external.
  tlm::tlm_initiator_socket<>& memory(unsigned s);
  /// Which slice and partition an address belongs to.
  const AddressMap& map() const { return map_; }

  /// Nothing queued or in flight, write-backs and pages included.
  bool idle() const;
  /// `call` runs whenever the system has become idle, in the delta cycle after the edge of the SMs'
  /// clock that finds it so; the last answer has left then, though its initiator may look at it
  /// later. It may call sc_pause() or sc_stop() and must not throw. Empty: nobody is called.
  void on_idle(std::function<void()> call);
  /// State of every module that is not idle; empty when all are.
  std::string describe() const;
  /// Registers the statistics of all modules and the laws between them.
  void register_stats(StatRegistry& registry);

  // ---- what a GPU needs ---------------------------------------------------------------------
  ClockDomain& cpu_clock() { return cpu_clock_; }
  /// For payloads of those who are bound here, so that a leak shows in the laws.
  TransactionPool& pool() { return pool_; }
  const l1d::L1d::Stats& l1d_stats(unsigned i) const { return l1ds_[i]->stats(); }
  // The modules, for those who watch them.
  l1d::L1d& l1d(unsigned i) { return *l1ds_[i]; }
  noc::Crossbar& crossbar() { return *crossbar_; }
  l2::L2Bank& l2(unsigned slice) { return *l2s_[slice]; }
  /// Number of DRAM channels: 0 with dram.kind: external.
  unsigned channels() const { return static_cast<unsigned>(channels_.size()); }
  dram::Channel& channel(unsigned partition) { return *channels_[partition]; }
  /// nullptr without uvm.enable.
  UnifiedMemory* unified() { return unified_.get(); }
  /// Requests that the L1Ds, and the TLBs if there are any, have taken from cpu(i).
  std::uint64_t l1d_requests() const;
  std::uint64_t port_requests() const;
  /// Operations that the atomic units of the L2 banks have done.
  std::uint64_t atomic_operations() const;
  void set_locality_listener(unsigned i, LocalityListener* listener) {
    l1ds_[i]->set_listener(listener);
  }
  /// What BUCL-Prf compares the ports by, read twice a launch; the requests of their L1Ds unless
  /// set.
  void set_activity(std::function<std::vector<std::uint64_t>()> read) {
    activity_ = std::move(read);
  }
  /// A block of the grid has left place `cta_slot` of SM i.
  void cta_finished(unsigned i, unsigned cta_slot) { l1ds_[i]->cta_finished(cta_slot); }

  /// Empties the L1Ds, and with `flush_l2` L2 too, which writes back; atomics are numbered from 1
  /// again. Precondition: idle().
  void prepare_launch(bool flush_l2 = false);
  /// l1d.unified other than 0: `bytes` of each L1 are shared memory from now on, one of
  /// l1d.carveout_steps. Before the first call they are those of a kernel without shared memory.
  /// Precondition: nothing has happened since prepare_launch().
  void set_carveout(std::uint64_t bytes);
  /// uvm.enable: gives out device memory; true: pages move ahead of the launch, `moved` is called
  /// from a tick when they have, and end_moves() is due then.
  bool move_ahead(std::function<void()> moved);
  void end_moves();
  /// The present cycle is the launch's first one.
  void begin_launch();
  /// Precondition: idle().
  void end_launch();

  // ---- what takes no time: the host ---------------------------------------------------------
  /// The host wrote `data` there: L2 drops its copies, memory takes the bytes. Where `copied` tells
  /// of a copy or a memset, l2.memcpy says what becomes of L2's lines. Precondition for these:
  /// idle().
  void host_wrote(Addr address, std::uint64_t bytes, const std::uint8_t* data, bool copied = true);
  /// Pinned memory of the host holds `data` there.
  void host_memory_is(Addr address, std::uint64_t bytes, const std::uint8_t* data) {
    link_->host_wrote(address, bytes, data);
  }
  /// The host read there: managed pages go back to it.
  void host_read(Addr address, std::uint64_t bytes);
  /// Device memory was given out or given back (then `data` is what the program reads there and in
  /// the rest of the last page). Without unified virtual memory nothing happens.
  void allocated(Addr address, std::uint64_t bytes, bool managed);
  void released(Addr address, std::uint64_t bytes, const std::uint8_t* data);
  /// Managed memory is to move before the next launch.
  void prefetch(Addr address, std::uint64_t bytes, bool to_device);
  /// The newest bytes outside the L1Ds.
  void read_newest(Addr address, unsigned bytes, std::uint8_t* out);
  /// Pages of DRAM and of memory of the host (MemoryImage::kPageBytes) written since the last call;
  /// none with dram.kind: external, which nobody watches.
  std::vector<Addr> take_written_pages();

  /// Grows with every page moved; whether the host or the link is at work and will end at a known
  /// time; storage that a policy adds, as a sentence.
  std::uint64_t work_done() const { return unified_ ? unified_->work_done() : 0; }
  bool waits_for_host() const { return unified_ != nullptr && unified_->waits_for_host(); }
  std::string added_storage() const { return unified_ ? unified_->storage() : std::string(); }

 private:
  ClockDomain& clock(std::uint64_t hertz);
  void construct();
  void let_all_requests_go();
  void build_partition(unsigned index);
  void build_unified_memory();
  void connect_modules();
  template <class Initiator, class Target>
  void connect(Initiator& from, Target& to);
  ProtocolChecker& add_checker();
  ServicePort& port(unsigned i) { return unified_ ? unified_->tlb(i).cpu : l1ds_[i]->in; }
  void connect_bucl();
  void before_end_of_elaboration() override;
  void register_laws(StatGroup& group);
  bool external() const { return params_.dram_kind == DramKind::external; }

  void debug(Transaction& transaction);
  void read_through_l2(Addr address, unsigned bytes, std::uint8_t* out);
  void write_through_l2(Addr address, unsigned bytes, const std::uint8_t* in);
  void store_from_host(Addr address, std::uint64_t bytes, const std::uint8_t* data, bool update);
  void keep_in_l2(Addr address, std::uint64_t bytes);
  void take_pages(Addr address, unsigned bytes, std::uint8_t* out);

  MemoryParams params_;
  UnitFactories units_;
  AddressMap map_;
  TransactionPool pool_;
  MemoryImage image_;
  std::uint64_t host_lines_ = 0;  // lines that the host's copies put into L2

  std::map<std::uint64_t, std::unique_ptr<ClockDomain>> clocks_;  // by frequency
  ClockDomain &cpu_clock_, &noc_clock_, &l2_clock_;
  std::vector<std::unique_ptr<l1d::L1d>> l1ds_;
  std::unique_ptr<UnifiedMemory> unified_;     // with uvm.enable
  std::unique_ptr<l1d::Bucl> bucl_;            // with l1d.bypass.kind bucl_*
  std::unique_ptr<BuclPeriods> bucl_periods_;  // likewise
  std::unique_ptr<BuclProfile> bucl_profile_;  // with bucl_prf
  std::unique_ptr<noc::Crossbar> crossbar_;
  std::vector<std::unique_ptr<l2::L2Bank>> l2s_;            // by slice
  std::vector<std::unique_ptr<l2::Coalescer>> coalescers_;  // by slice, or none
  std::vector<std::unique_ptr<dram::Channel>> channels_;    // none with dram.kind: external
  std::unique_ptr<host::HostLink> link_;                    // where there is host memory
  std::vector<std::unique_ptr<ProtocolChecker>> checkers_;
  std::vector<tlm::tlm_target_socket<>*> cpu_sockets_;
  std::vector<tlm::tlm_initiator_socket<>*> memory_sockets_;  // with dram.kind: external
  std::unique_ptr<IdleWatch> idle_watch_;
  std::function<std::vector<std::uint64_t>()> activity_;
  bool launched_ = false;
};

}  // namespace warpmem::memory
