// SPDX-License-Identifier: Apache-2.0
#include "gpu/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/unit_failure.hpp"
#include "program/device_memory.hpp"

namespace warpmem::gpu {

namespace {

/// Rethrows what a tick threw; to a unit's failure it adds the place and the time.
void rethrow_failure(const ClockDomain& sm_clock) {
  try {
    rethrow_tick_failure();
  } catch (const UnitFailure& failure) {
    throw SimulationError(fmt::format("{} of {}, GPU cycle {}: {}", failure.unit, failure.instance,
                                      sm_clock.cycle_at(simulation_now()), failure.what()));
  }
}

void check_bulk_copies(const program::KernelTraits& traits, const sm::SmParams& params) {
  if (!params.bulk && !traits.bulk_copy.empty())
    throw UserError(
        fmt::format("kernel {}, {}: this machine has no bulk copy engine; set "
                    "sm.bulk.enable to true",
                    traits.name, traits.bulk_copy));
}

void check_shape(const program::KernelTraits& traits) {
  if (traits.grid.count() == 0 || traits.block.count() == 0)
    throw UserError(fmt::format("kernel {}: empty grid or block", traits.name));
  if (traits.block.count() > 1024)
    throw UserError(fmt::format("kernel {}: {} threads in a block; allowed: at most 1024",
                                traits.name, traits.block.count()));
}

/// Writes are known by their PC, so of kernels that run together no line is named.
DataCheck::Place places_of(const std::vector<program::Grid*>& grids) {
  if (grids.size() != 1) return {};
  return [grid = grids.front()](std::uint32_t pc) { return grid->place(pc); };
}

}  // namespace

Machine::Machine(sc_core::sc_module_name name, const MachineParams& params,
                 const memory::UnitFactories& units, const sm::UnitFactories& sm_units)
    : sc_module(name),
      params_(params),
      sm_units_(sm_units),
      memory_("memory", params, units),
      sm_clock_(memory_.cpu_clock()),
      data_check_(params.check_data ? std::make_unique<DataCheck>(program::DeviceMemory::kBase)
                                    : nullptr),
      sms_(params.sm_count),
      drain_check_("drain_check", AfterTicks::Does::looks, [this] { on_drain_check(); }) {
  build_sms();
  build_gpcs();
  build_run_control();
  register_stats();
}

Machine::~Machine() = default;

// Nothing may depend on the order of construction.
void Machine::build_sms() {
  for (unsigned n = 0; n < params_.sm_count; ++n) {
    const unsigned i = params_.reverse_construction ? params_.sm_count - 1 - n : n;
    sms_[i] = std::make_unique<sm::Sm>(fmt::format("sm{}", i).c_str(), params_.sm,
                                       SmId(static_cast<std::uint16_t>(i)), params_.sm_count,
                                       sm_clock_, memory_.pool(), data_check_.get(), sm_units_);
    sms_[i]->port().socket.bind(memory_.cpu(i));
    memory_.set_locality_listener(i, sms_[i]->locality_listener());
  }
  memory_.set_activity([this] { return instructions_by_sm(); });
}

void Machine::build_gpcs() {
  const GpcOrder order(params_.sm_count, params_.gpc.sms);
  gpcs_.resize(order.gpcs());
  for (unsigned n = 0; n < gpcs_.size(); ++n) {
    const unsigned i = params_.reverse_construction ? order.gpcs() - 1 - n : n;
    std::vector<sm::Sm*> sms;
    for (unsigned k = 0; k < order.sms(i); ++k) sms.push_back(sms_[order.first(i) + k].get());
    gpcs_[i] = std::make_unique<Gpc>(fmt::format("gpc{}", i), params_.gpc, sm_clock_,
                                     memory_.pool(), std::move(sms), params_.check_protocol);
  }
}

void Machine::build_run_control() {
  std::vector<sm::Sm*> sms;
  for (auto& sm : sms_) sms.push_back(sm.get());
  const CtaDispatcher::Limits at_once{params_.launch_latency, params_.concurrent_kernels,
                                      params_.gpc.sms, params_.ctas_a_cycle};
  dispatcher_ = std::make_unique<CtaDispatcher>(sm_clock_, std::move(sms), at_once,
                                                [this] { drain_check_.request(); });
  if (params_.l1d.prefetches()) {
    dispatcher_->set_listener(
        [this](SmId sm, unsigned cta_slot) { memory_.cta_finished(sm.value, cta_slot); });
  }
  Monitor::Hooks hooks;
  hooks.work_done = [this] { return work_done(); };
  hooks.waits_for_host = [this] { return memory_.waits_for_host() || dispatcher_->launching(); };
  hooks.running = [this] { return !dispatcher_->finished(); };
  hooks.has_ctas = [this] { return dispatcher_->completed() != dispatcher_->total(); };
  hooks.describe = [this] { return describe(); };
  hooks.progress = [this](Cycle now) {
    if (progress_)
      progress_({now - launch_cycle_, warp_instructions() - launch_instructions_,
                 dispatcher_->completed(), dispatcher_->total()});
  };
  const Monitor::Limits limits{params_.watchdog_cycles, params_.max_cycles};
  monitor_ = std::make_unique<Monitor>(sm_clock_, limits, std::move(hooks));
}

void Machine::register_stats() {
  StatGroup& g = stats_.group("gpu");
  g.before_snapshot([this] {
    totals_ = {};
    totals_.cycles = dispatcher_->cycles();
    for (const auto& sm : sms_) {
      totals_.warp_instructions += sm->stats().warp_instructions;
      totals_.thread_instructions += sm->stats().thread_instructions;
    }
  });
  g.counter("cycles", totals_.cycles, "cycles",
            "SM cycles from the launch to the end of the last CTA");
  g.counter("launch_cycles", dispatcher_->launch_cycles(), "cycles",
            "cycles from the launch of a kernel until its first CTA may be dispatched, over all "
            "kernels");
  g.law("launches take their latency", [this] {
    return expect_equal("launch_cycles", dispatcher_->launch_cycles(),
                        "kernels x gpu.launch_latency",
                        dispatcher_->kernels_launched() * params_.launch_latency);
  });
  g.counter("warp_inst", totals_.warp_instructions, "instructions", "warp instructions");
  g.counter("thread_inst", totals_.thread_instructions, "instructions", "thread instructions");
  g.ratio("ipc", totals_.thread_instructions, totals_.cycles, "thread instructions a cycle");
  g.ratio("warp_ipc", totals_.warp_instructions, totals_.cycles, "warp instructions a cycle");
  if (data_check_ != nullptr) {
    g.counter("data.bytes_compared", data_check_->bytes_compared(), "bytes",
              "bytes that the data check compared with the program's memory");
    g.counter("data.racy_bytes", data_check_->racy_bytes(), "bytes",
              "bytes that the program itself wrote without an order");
    g.counter("data.stale_loads", data_check_->stale_loads(), "loads",
              "loads that saw an older value of a byte that another warp wrote");
  }
  g.law("LSU to memory system", [this] {
    return expect_equal("requests of the LSUs", requests_of_sms(), "requests of the ports",
                        memory_.port_requests());
  });
  g.law("atomics of the LSUs at L2", [this] {
    std::uint64_t groups = 0;
    for (const auto& sm : sms_) groups += sm->atomic_groups();
    return expect_equal("operations of the LSUs' atomics", groups,
                        "operations of the L2 banks' atomic units", memory_.atomic_operations());
  });
  for (unsigned i = 0; i < sms_.size(); ++i) sms_[i]->register_stats(stats_.group("sm", i));
  for (unsigned i = 0; i < gpcs_.size(); ++i) gpcs_[i]->register_stats(stats_, i);
  memory_.register_stats(stats_);
}

void Machine::launch(std::vector<Launch> launches,
                     const std::function<void(const Progress&)>& progress) {
  if (launches.empty()) return;
  number(launches);
  begin_launch(launches);
  progress_ = progress;
  sc_core::sc_start();
  progress_ = {};
  rethrow_failure(sm_clock_);
  if (!dispatcher_->finished()) {
    throw SimulationError(
        "the simulation ran out of events before the kernel ended; state of the "
        "machine:\n" +
        describe());
  }
  end_launch(launches);
}

void Machine::number(std::vector<Launch>& launches) {
  for (Launch& launch : launches) {
    if (launch.number == 0) launch.number = last_number_ + 1;
    last_number_ = launch.number;
  }
}

void Machine::begin_launch(const std::vector<Launch>& launches) {
  std::vector<program::Grid*> grids;
  std::string names;
  for (const Launch& launch : launches) {
    check_shape(launch.grid->traits());
    check_bulk_copies(launch.grid->traits(), params_.sm);
    grids.push_back(launch.grid);
    names += (names.empty() ? "" : " + ") + launch.grid->traits().name;
  }
  // The first sc_start() elaborates, so that domains can take wake-ups.
  if (sc_core::sc_get_status() == sc_core::SC_ELABORATION) sc_core::sc_start(sc_core::SC_ZERO_TIME);
  memory_.prepare_launch(params_.flush_l2_between_kernels);
  if (data_check_ != nullptr) data_check_->begin_launch(places_of(grids));
  stats_.begin_kernel(names, launches.front().number);
  watchers_.tell([](LaunchWatch& watch) { watch.account_begins(); });
  if (memory_.move_ahead(pause_simulation)) {
    sc_core::sc_start();
    rethrow_failure(sm_clock_);
    memory_.end_moves();
    stats_.leave_out_time();
  }
  divide_l1(grids);
  launch_cycle_ = sm_clock_.next_cycle();
  launch_instructions_ = warp_instructions();
  dispatcher_->begin(grids);
  memory_.begin_launch();
  monitor_->begin_launch();
  watchers_.tell([&](LaunchWatch& watch) { watch.launch_begins(launches); });
}

// A unified L1 gives the blocks what they need of it, of kernels that run together those that need
// most, and L1D the rest.
void Machine::divide_l1(const std::vector<program::Grid*>& grids) {
  if (params_.l1d.unified == 0) return;
  const l1d::Carveout division = params_.l1d.division();
  for (auto& sm : sms_) sm->set_shared_bytes(division.largest());
  std::uint64_t bytes = 0;
  for (const program::Grid* grid : grids) {
    const unsigned blocks = sms_.front()->occupancy(grid->traits());
    if (blocks == 0) return;  // the dispatcher will say why
    bytes =
        std::max(bytes, division.of(sms_.front()->needs_of(grid->traits()).shared_bytes, blocks));
  }
  for (auto& sm : sms_) sm->set_shared_bytes(bytes);
  memory_.set_carveout(bytes);
}

void Machine::on_drain_check() {
  if (dispatcher_->finished() || !drained()) return;
  dispatcher_->end();
  memory_.end_launch();
  pause_simulation();
}

void Machine::end_launch(const std::vector<Launch>& launches) {
  if (data_check_ != nullptr) check_data();
  std::vector<KernelRun> together;
  const std::vector<CtaDispatcher::Run> runs = dispatcher_->runs();
  watchers_.tell([&](LaunchWatch& watch) { watch.launch_ends(launches, runs); });
  for (std::size_t i = 0; launches.size() > 1 && i < launches.size(); ++i)
    together.push_back(
        {launches[i].grid->traits().name, launches[i].number, runs[i].begin, runs[i].end});
  stats_.end_kernel(std::move(together));
}

bool Machine::drained() const {
  const auto idle = [](const auto& part) { return part->idle(); };
  return std::all_of(sms_.begin(), sms_.end(), idle) &&
         std::all_of(gpcs_.begin(), gpcs_.end(), idle) && memory_.idle();
}

void Machine::host_wrote(Addr address, std::uint64_t bytes, bool copied) {
  memory_.host_wrote(address, bytes, program::DeviceMemory::host(address), copied);
}

void Machine::released(Addr address, std::uint64_t bytes) {
  memory_.released(address, bytes, program::DeviceMemory::host(address));
}

void Machine::check_data() {
  std::vector<Addr> pages = memory_.take_written_pages();
  const auto outside = [](Addr page) {  // local memory is dropped with its CTA
    return page < program::DeviceMemory::kBase;
  };
  pages.erase(std::remove_if(pages.begin(), pages.end(), outside), pages.end());
  data_check_->compare(
      pages,
      [this](Addr address, unsigned bytes, std::uint8_t* out) {
        memory_.read_newest(address, bytes, out);
      },
      program::DeviceMemory::read);
}

std::vector<std::uint64_t> Machine::instructions_by_sm() const {
  std::vector<std::uint64_t> executed;
  for (const auto& sm : sms_) executed.push_back(sm->stats().warp_instructions);
  return executed;
}

std::uint64_t Machine::warp_instructions() const {
  std::uint64_t sum = 0;
  for (const auto& sm : sms_) sum += sm->stats().warp_instructions;
  return sum;
}

std::uint64_t Machine::requests_of_sms() const {
  std::uint64_t sum = 0;
  for (const auto& sm : sms_) sum += sm->requests();
  return sum;
}

std::uint64_t Machine::work_done() const {
  std::uint64_t sum = dispatcher_->completed() + memory_.work_done();
  for (const auto& sm : sms_) sum += sm->useful_instructions() + sm->phases() + sm->responses();
  return sum;
}

double Machine::simulated_seconds() const {
  return static_cast<double>(simulation_now()) / static_cast<double>(kFemtosecondsPerSecond);
}

std::string Machine::describe() const {
  std::string text;
  for (const auto& sm : sms_)
    if (!sm->idle()) text += "  " + sm->describe() + "\n";
  for (const auto& gpc : gpcs_)
    if (!gpc->idle()) text += gpc->describe();
  text += memory_.describe();
  return text.empty() ? "  every module is idle\n" : text;
}

}  // namespace warpmem::gpu
