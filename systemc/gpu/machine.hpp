// SPDX-License-Identifier: Apache-2.0
// The GPU: SMs, L1Ds, crossbar, L2 banks and DRAM channels, put together from a configuration, and
// the run control of kernel launches.
//
//   Sm --port--> L1d --mem--> Crossbar --output(p)--> L2Bank p --mem--> Channel p
//
// With uvm.enable a TLB stands between each SM and its L1D (unified_memory.hpp).
//
// SM, L1D and dispatcher share the SM clock; crossbar, L2 and DRAM have one each. Clocks of one
// frequency are one domain: their edges coincide, and nothing depends on the order within an edge.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/clock_domain.hpp"
#include "base/data_check.hpp"
#include "base/memory_image.hpp"
#include "base/protocol_checker.hpp"
#include "base/stats.hpp"
#include "base/transaction.hpp"
#include "cache/mha/registry.hpp"
#include "gpu/bucl_periods.hpp"
#include "gpu/bucl_profile.hpp"
#include "gpu/cta_dispatcher.hpp"
#include "gpu/monitor.hpp"
#include "gpu/params.hpp"
#include "gpu/unified_memory.hpp"
#include "sm/sm.hpp"

namespace warpmem::gpu {

/// How far a launch is, for the application to show while it runs.
struct Progress {
  Cycle cycle = 0;  ///< SM cycles since the launch began
  std::uint64_t warp_instructions = 0;
  std::uint64_t ctas_done = 0;
  std::uint64_t ctas = 0;
};

class Machine : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Machine);

  /// `params` must have passed validate() and derive().
  Machine(sc_core::sc_module_name name, const MachineParams& params,
          const mha::UnitFactories& units, const sm::UnitFactories& sm_units = {},
          const cache::FrontendFactories& frontend_units = {},
          const l1d::UnitFactories& l1d_units = {});
  ~Machine() override;

  /// Runs one kernel until the machine has drained, then evaluates the conservation laws and the
  /// data check. `number` is that of the launch in the program, when not all of its launches come
  /// here; with 0 the launches are counted. Throws UserError (the program's fault) or
  /// SimulationError.
  void launch(program::Grid& grid, const std::function<void(const Progress&)>& progress = {},
              std::uint64_t number = 0);

  /// The host changed device memory: L2 drops its copies, and DRAM takes the bytes.
  void host_wrote(Addr address, std::uint64_t bytes);
  /// The host read device memory: managed pages go back to it.
  void host_read(Addr address, std::uint64_t bytes);
  /// The program got device memory, gave it back, or asks for managed memory to be moved before the
  /// next launch. Without unified virtual memory nothing happens.
  void allocated(Addr address, std::uint64_t bytes, bool managed);
  void released(Addr address, std::uint64_t bytes);
  void prefetch(Addr address, std::uint64_t bytes, bool to_device);

  StatRegistry& stats() { return stats_; }
  std::uint64_t cycles() const { return dispatcher_->cycles(); }
  std::uint64_t warp_instructions() const;
  /// Number of requests that the L1Ds have accepted.
  std::uint64_t l1d_requests() const;
  double simulated_seconds() const;
  /// Describes the storage that a policy adds to the hardware in a sentence; empty when there is
  /// none.
  std::string added_storage() const { return unified_ ? unified_->storage() : std::string(); }
  /// Describes the state of every module that is not idle.
  std::string describe() const;

 private:
  ClockDomain& clock(std::uint64_t hertz);
  void construct();
  void build_sm(unsigned index);
  void build_partition(unsigned index);
  template <class Initiator, class Target>
  void connect(Initiator& from, Target& to);
  void connect_bucl();
  void build_unified_memory();
  void connect_sm(unsigned index);
  void register_stats();
  void register_laws(StatGroup& group);
  void begin_launch(program::Grid& grid, std::uint64_t number);
  void begin_bucl();
  void end_launch();
  void check_data();
  void on_drain_check();
  bool drained() const;
  std::uint64_t work_done() const;
  void read_through_l2(Addr address, unsigned bytes, std::uint8_t* out);
  void read_newest(Addr address, unsigned bytes, std::uint8_t* out);
  void store_from_host(Addr address, std::uint64_t bytes);
  void take_pages(Addr address, unsigned bytes, std::uint8_t* out);
  void put_pages(Addr address, unsigned bytes, const std::uint8_t* in);

  MachineParams params_;
  mha::UnitFactories units_;
  sm::UnitFactories sm_units_;
  cache::FrontendFactories frontend_units_;
  l1d::UnitFactories l1d_units_;
  AddressMap map_;
  TransactionPool pool_;
  MemoryImage image_;
  std::unique_ptr<DataCheck> data_check_;
  StatRegistry stats_;

  std::map<std::uint64_t, std::unique_ptr<ClockDomain>> clocks_;  // by frequency
  ClockDomain &sm_clock_, &noc_clock_, &l2_clock_, &dram_clock_;
  std::vector<std::unique_ptr<sm::Sm>> sms_;
  std::vector<std::unique_ptr<l1d::L1d>> l1ds_;
  std::unique_ptr<l1d::Bucl> bucl_;  // not nullptr with l1d.bypass.kind bucl_*
  std::unique_ptr<BuclPeriods> bucl_periods_;
  std::unique_ptr<BuclProfile> bucl_profile_;  // not nullptr with l1d.bypass.kind bucl_prf
  std::unique_ptr<UnifiedMemory> unified_;     // not nullptr with uvm.enable
  std::unique_ptr<noc::Crossbar> crossbar_;
  std::vector<std::unique_ptr<l2::L2Bank>> l2s_;
  std::vector<std::unique_ptr<dram::Channel>> channels_;
  std::vector<std::unique_ptr<ProtocolChecker>> checkers_;
  std::unique_ptr<CtaDispatcher> dispatcher_;
  std::unique_ptr<Monitor> monitor_;

  sc_core::sc_event drain_check_;
  std::function<void(const Progress&)> progress_;
  Cycle launch_cycle_ = 0;
  std::uint64_t launch_instructions_ = 0;

  struct Totals {  // over all SMs, brought up to date before each snapshot
    std::uint64_t cycles = 0;
    std::uint64_t warp_instructions = 0;
    std::uint64_t thread_instructions = 0;
  };
  Totals totals_;
};

}  // namespace warpmem::gpu
