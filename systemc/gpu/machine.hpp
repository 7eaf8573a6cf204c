// SPDX-License-Identifier: Apache-2.0
// The GPU: SMs at the ports of a memory system, and the run control of kernel launches.
//
//   Sm i --port--> MemorySystem cpu(i)
//
// SMs, dispatcher and monitor share the clock of the L1Ds.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/after_ticks.hpp"
#include "base/clock_domain.hpp"
#include "base/data_check.hpp"
#include "base/stats.hpp"
#include "base/watchers.hpp"
#include "gpu/cta_dispatcher.hpp"
#include "gpu/monitor.hpp"
#include "gpu/params.hpp"
#include "memory/memory_system.hpp"
#include "sm/sm.hpp"

namespace warpmem::gpu {

/// How far a launch is, for the application to show while it runs.
struct Progress {
  Cycle cycle = 0;  ///< SM cycles since the launch began
  std::uint64_t warp_instructions = 0;
  std::uint64_t ctas_done = 0;
  std::uint64_t ctas = 0;
};

/// A kernel to run, and the number of its launch in the program; with 0 it is one more than the
/// number of the launch before.
struct Launch {
  program::Grid* grid = nullptr;
  std::uint64_t number = 0;
};

/// Is told of launches.
class LaunchWatch {
 public:
  virtual ~LaunchWatch() = default;
  /// What is counted from now on belongs to a launch, for which pages may have to move first.
  virtual void account_begins() {}
  /// The first cycle of the kernels is the next one.
  virtual void launch_begins(const std::vector<Launch>&) = 0;
  /// The machine has drained, and nothing more is counted of the launch. `runs`: when each of them
  /// ran, in cycles since the launch.
  virtual void launch_ends(const std::vector<Launch>&,
                           const std::vector<CtaDispatcher::Run>& runs) = 0;
};

class Machine : public sc_core::sc_module {
 public:
  /// `params` must have passed validate() and derive().
  Machine(sc_core::sc_module_name name, const MachineParams& params,
          const memory::UnitFactories& units = {}, const sm::UnitFactories& sm_units = {});
  ~Machine() override;

  /// Runs kernels that do not depend on each other, gpu.concurrent_kernels at a time, until the
  /// machine has drained, then evaluates the conservation laws and the data check. They are one row
  /// of the results. Throws UserError (the program's fault) or SimulationError. Without
  /// a launch nothing happens.
  void launch(std::vector<Launch> launches,
              const std::function<void(const Progress&)>& progress = {});
  /// Runs one kernel.
  void launch(program::Grid& grid, const std::function<void(const Progress&)>& progress = {},
              std::uint64_t number = 0) {
    launch({{&grid, number}}, progress);
  }

  /// The host changed device memory: L2 drops its copies, and DRAM takes the bytes. `copied`: by a
  /// copy or a memset, whose lines L2 may keep.
  void host_wrote(Addr address, std::uint64_t bytes, bool copied = true);
  /// Pinned memory of the host, named as the machine does, holds what the host wrote. To be called
  /// before the first access of a launch.
  void host_memory_is(Addr address, std::uint64_t bytes, const std::uint8_t* data) {
    memory_.host_memory_is(address, bytes, data);
  }
  /// The host read device memory: managed pages go back to it.
  void host_read(Addr address, std::uint64_t bytes) { memory_.host_read(address, bytes); }
  /// The program got device memory, gave it back, or asks for managed memory to be moved before the
  /// next launch. Without unified virtual memory nothing happens.
  void allocated(Addr address, std::uint64_t bytes, bool managed) {
    memory_.allocated(address, bytes, managed);
  }
  void released(Addr address, std::uint64_t bytes);
  void prefetch(Addr address, std::uint64_t bytes, bool to_device) {
    memory_.prefetch(address, bytes, to_device);
  }

  /// With dram.kind: external its sockets memory(s) must be bound before the first launch.
  memory::MemorySystem& memory() { return memory_; }
  const MachineParams& params() const { return params_; }
  /// The SMs, for those who watch them.
  sm::Sm& sm(unsigned i) { return *sms_[i]; }
  /// `watch` is told of launches from now on; it must outlive the machine.
  void watch(LaunchWatch& watch) { watchers_.add(watch); }
  StatRegistry& stats() { return stats_; }
  std::uint64_t cycles() const { return dispatcher_->cycles(); }
  std::uint64_t warp_instructions() const;
  /// Number of requests that the L1Ds have accepted.
  std::uint64_t l1d_requests() const { return memory_.l1d_requests(); }
  double simulated_seconds() const;
  /// Returns where the program's result first depended on an order that nothing keeps, as the data
  /// check saw it; empty: nowhere, or there is no check.
  std::string first_race() const {
    return data_check_ != nullptr ? data_check_->first_race() : std::string();
  }
  /// Describes the storage that a policy adds to the hardware in a sentence; empty when there is
  /// none.
  std::string added_storage() const { return memory_.added_storage(); }
  /// Describes the state of every module that is not idle.
  std::string describe() const;

 private:
  void build_sms();
  void build_gpcs();
  void build_run_control();
  std::vector<std::uint64_t> instructions_by_sm() const;
  void register_stats();
  void number(std::vector<Launch>& launches);
  void begin_launch(const std::vector<Launch>& launches);
  void divide_l1(const std::vector<program::Grid*>& grids);
  void end_launch(const std::vector<Launch>& launches);
  void check_data();
  void on_drain_check();
  bool drained() const;
  std::uint64_t requests_of_sms() const;
  std::uint64_t work_done() const;

  MachineParams params_;
  sm::UnitFactories sm_units_;
  memory::MemorySystem memory_;
  ClockDomain& sm_clock_;
  std::unique_ptr<DataCheck> data_check_;
  StatRegistry stats_;
  std::vector<std::unique_ptr<sm::Sm>> sms_;
  std::vector<std::unique_ptr<Gpc>> gpcs_;
  std::unique_ptr<CtaDispatcher> dispatcher_;
  std::unique_ptr<Monitor> monitor_;

  Watchers<LaunchWatch> watchers_;

  AfterTicks drain_check_;
  std::function<void(const Progress&)> progress_;
  Cycle launch_cycle_ = 0;
  std::uint64_t launch_instructions_ = 0;
  std::uint64_t last_number_ = 0;

  struct Totals {  // over all SMs, brought up to date before each snapshot
    std::uint64_t cycles = 0;
    std::uint64_t warp_instructions = 0;
    std::uint64_t thread_instructions = 0;
  };
  Totals totals_;
};

}  // namespace warpmem::gpu
