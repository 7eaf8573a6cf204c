// SPDX-License-Identifier: Apache-2.0
#include "gpu/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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

}  // namespace

Machine::Machine(sc_core::sc_module_name name, const MachineParams& params,
                 const mha::UnitFactories& units, const sm::UnitFactories& sm_units,
                 const cache::FrontendFactories& frontend_units,
                 const l1d::UnitFactories& l1d_units)
    : sc_module(name),
      params_(params),
      units_(units),
      sm_units_(sm_units),
      frontend_units_(frontend_units),
      l1d_units_(l1d_units),
      map_(params.map),
      data_check_(params.check_data ? std::make_unique<DataCheck>(program::DeviceMemory::kBase)
                                    : nullptr),
      sm_clock_(clock(params.sm_hertz)),
      noc_clock_(clock(params.noc.clock_hz)),
      l2_clock_(clock(params.l2_hertz)),
      dram_clock_(clock(params.dram.clock_hz)),
      sms_(params.sm_count),
      l1ds_(params.sm_count),
      l2s_(params.map.partitions),
      channels_(params.map.partitions) {
  construct();
  if (params_.uvm.enable) build_unified_memory();
  for (unsigned i = 0; i < sms_.size(); ++i) {
    connect_sm(i);
    l1ds_[i]->set_listener(sms_[i]->locality_listener());
    connect(l1ds_[i]->mem, crossbar_->input(i));
  }
  for (unsigned i = 0; i < l2s_.size(); ++i) {
    connect(crossbar_->output(i), l2s_[i]->in);
    connect(l2s_[i]->mem, channels_[i]->in);
  }

  connect_bucl();

  std::vector<sm::Sm*> sms;
  for (auto& sm : sms_) sms.push_back(sm.get());
  dispatcher_ = std::make_unique<CtaDispatcher>(sm_clock_, std::move(sms), [this] {
    // The machine is looked at in the next delta cycle, when every module of this instant has been
    // ticked.
    drain_check_.notify(sc_core::SC_ZERO_TIME);
  });
  if (params_.l1d.prefetch.enabled()) {
    dispatcher_->set_listener(
        [this](SmId sm, unsigned cta_slot) { l1ds_[sm.value]->cta_finished(cta_slot); });
  }
  Monitor::Hooks hooks;
  hooks.work_done = [this] { return work_done(); };
  hooks.waits_for_host = [this] { return unified_ != nullptr && unified_->waits_for_host(); };
  hooks.running = [this] { return !dispatcher_->finished(); };
  hooks.describe = [this] { return describe(); };
  hooks.progress = [this](Cycle now) {
    if (progress_)
      progress_({now - launch_cycle_, warp_instructions() - launch_instructions_,
                 dispatcher_->completed(), dispatcher_->total()});
  };
  const Monitor::Limits limits{params_.watchdog_cycles, params_.max_cycles};
  monitor_ = std::make_unique<Monitor>(sm_clock_, limits, std::move(hooks));
  SC_METHOD(on_drain_check);
  sensitive << drain_check_;
  dont_initialize();
  register_stats();
}

Machine::~Machine() = default;

ClockDomain& Machine::clock(std::uint64_t hertz) {
  std::unique_ptr<ClockDomain>& domain = clocks_[hertz];
  if (domain == nullptr) {
    domain = std::make_unique<ClockDomain>(fmt::format("clock_{}hz", hertz).c_str(), hertz,
                                           params_.tick_all);
  }
  return *domain;
}

// Nothing may depend on the order of construction.
void Machine::construct() {
  const bool reverse = params_.reverse_construction;
  const auto in_order = [reverse](unsigned count, auto&& build) {
    for (unsigned i = 0; i < count; ++i) build(reverse ? count - 1 - i : i);
  };
  const auto build_sms = [&] { in_order(params_.sm_count, [this](unsigned i) { build_sm(i); }); };
  if (!reverse) build_sms();
  crossbar_ =
      std::make_unique<noc::Crossbar>("noc", noc_clock_, params_.noc, map_, params_.sm_count);
  in_order(params_.map.partitions, [this](unsigned i) { build_partition(i); });
  if (reverse) build_sms();
}

void Machine::build_sm(unsigned i) {
  sms_[i] = std::make_unique<sm::Sm>(fmt::format("sm{}", i).c_str(), params_.sm,
                                     SmId(static_cast<std::uint16_t>(i)), params_.sm_count,
                                     sm_clock_, pool_, data_check_.get(), sm_units_);
  l1ds_[i] = std::make_unique<l1d::L1d>(fmt::format("l1d{}", i).c_str(), sm_clock_, params_.l1d,
                                        pool_, units_, frontend_units_);
}

void Machine::build_unified_memory() {
  UnifiedMemory::Hooks hooks;
  hooks.settled = [this](Addr address, std::uint64_t bytes) {
    const auto settled = [=](const auto& cache) { return !cache->awaits_fill(address, bytes); };
    return std::all_of(l1ds_.begin(), l1ds_.end(), settled) &&
           std::all_of(l2s_.begin(), l2s_.end(), settled);
  };
  hooks.take = [this](Addr address, unsigned bytes, std::uint8_t* out) {
    take_pages(address, bytes, out);
  };
  hooks.put = [this](Addr address, unsigned bytes, const std::uint8_t* in) {
    put_pages(address, bytes, in);
  };
  unified_ = std::make_unique<UnifiedMemory>(params_.uvm, params_.sm_count, sm_clock_, pool_,
                                             std::move(hooks));
  unified_->connect([this](auto& from, auto& to) { connect(from, to); });
}

void Machine::connect_sm(unsigned i) {
  if (unified_ == nullptr) {
    connect(sms_[i]->port(), l1ds_[i]->in);
    return;
  }
  connect(sms_[i]->port(), unified_->tlb(i).cpu);
  connect(unified_->tlb(i).mem, l1ds_[i]->in);
}

void Machine::build_partition(unsigned i) {
  l2s_[i] = std::make_unique<l2::L2Bank>(fmt::format("l2_{}", i).c_str(), l2_clock_, params_.l2,
                                         map_, pool_, units_, frontend_units_);
  channels_[i] = std::make_unique<dram::Channel>(fmt::format("dram{}", i).c_str(), dram_clock_,
                                                 params_.dram, map_, image_);
}

void Machine::connect_bucl() {
  if (!params_.l1d.uses_bucl()) return;
  l1d::Bucl::Params params = params_.l1d.bucl;
  params.profile = params_.l1d.bypass == cache::Bypass::bucl_prf;
  bucl_ = std::make_unique<l1d::Bucl>(params, map_, sm_clock_, l1d_units_);
  for (unsigned i = 0; i < l1ds_.size(); ++i) l1ds_[i]->set_bucl(bucl_.get(), i);
  for (unsigned i = 0; i < l2s_.size(); ++i) l2s_[i]->watch_input(bucl_->input_of(i));
  bucl_->register_stats(stats_.group("bucl"));
  bucl_periods_ =
      std::make_unique<BuclPeriods>(sm_clock_, *bucl_, [this] { return !dispatcher_->finished(); });
  if (!params.profile) return;
  bucl_profile_ = std::make_unique<BuclProfile>("bucl_profile", sm_clock_, *bucl_, [this] {
    std::vector<std::uint64_t> executed;
    for (const auto& sm : sms_) executed.push_back(sm->stats().warp_instructions);
    return executed;
  });
}

template <class Initiator, class Target>
void Machine::connect(Initiator& from, Target& to) {
  if (!params_.check_protocol) {
    from.socket.bind(to.socket);
    return;
  }
  checkers_.push_back(
      std::make_unique<ProtocolChecker>(fmt::format("checker{}", checkers_.size()).c_str()));
  from.socket.bind(checkers_.back()->target);
  checkers_.back()->initiator.bind(to.socket);
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
            "SM cycles from the first dispatch to the end of the last CTA");
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
  register_laws(g);
  for (unsigned i = 0; i < sms_.size(); ++i) {
    sms_[i]->register_stats(stats_.group("sm", i));
    l1ds_[i]->register_stats(stats_, i);
  }
  if (unified_ != nullptr) unified_->register_stats(stats_);
  crossbar_->register_stats(stats_);
  for (unsigned i = 0; i < l2s_.size(); ++i) {
    l2s_[i]->register_stats(stats_, i);
    channels_[i]->register_stats(stats_, i);
  }
}

void Machine::launch(program::Grid& grid, const std::function<void(const Progress&)>& progress,
                     std::uint64_t number) {
  begin_launch(grid, number);
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
  end_launch();
}

void Machine::begin_launch(program::Grid& grid, std::uint64_t number) {
  const program::KernelTraits& traits = grid.traits();
  if (traits.grid.count() == 0 || traits.block.count() == 0)
    throw UserError(fmt::format("kernel {}: empty grid or block", traits.name));
  if (traits.block.count() > 1024)
    throw UserError(fmt::format("kernel {}: {} threads in a block; allowed: at most 1024",
                                traits.name, traits.block.count()));
  // The first sc_start() elaborates, so that domains can take wake-ups.
  if (sc_core::sc_get_status() == sc_core::SC_ELABORATION) sc_core::sc_start(sc_core::SC_ZERO_TIME);
  if (params_.flush_l2_between_kernels)
    for (auto& l2 : l2s_) l2->flush();
  for (auto& l1d : l1ds_) l1d->invalidate_all();
  for (auto& l2 : l2s_) l2->begin_launch();
  if (data_check_ != nullptr) data_check_->begin_launch();
  stats_.begin_kernel(traits.name, number);
  if (unified_ != nullptr) unified_->begin_launch();
  launch_cycle_ = sm_clock_.next_cycle();
  launch_instructions_ = warp_instructions();
  dispatcher_->begin(grid);
  begin_bucl();
  monitor_->begin_launch();
}

// Sampling periods begin with the launch's first cycle and not while pages are moved ahead of it:
// they are those of the kernel, and they are ended in time only while one runs.
void Machine::begin_bucl() {
  if (bucl_ == nullptr) return;
  bucl_->begin_launch(sm_clock_.now());
  bucl_periods_->begin_launch(sm_clock_.now());
  if (bucl_profile_ != nullptr) bucl_profile_->begin_launch();
}

void Machine::on_drain_check() {
  if (dispatcher_->finished() || !drained()) return;
  dispatcher_->end();
  sc_core::sc_pause();
}

void Machine::end_launch() {
  if (data_check_ != nullptr) check_data();
  for (auto& l1d : l1ds_) l1d->end_launch();
  stats_.end_kernel();
}

bool Machine::drained() const {
  const auto idle = [](const auto& module) { return module->idle(); };
  return std::all_of(sms_.begin(), sms_.end(), idle) &&
         std::all_of(l1ds_.begin(), l1ds_.end(), idle) && crossbar_->idle() &&
         (unified_ == nullptr || unified_->idle()) && std::all_of(l2s_.begin(), l2s_.end(), idle) &&
         std::all_of(channels_.begin(), channels_.end(), idle);
}

void Machine::host_wrote(Addr address, std::uint64_t bytes) {
  const auto store = [this](Addr begin, std::uint64_t n) { store_from_host(begin, n); };
  if (unified_ == nullptr) {
    store(address, bytes);
  } else {
    unified_->host_wrote(address, bytes, store);
  }
}

void Machine::host_read(Addr address, std::uint64_t bytes) {
  if (unified_ != nullptr) unified_->host_read(address, bytes);
}

void Machine::store_from_host(Addr address, std::uint64_t bytes) {
  for (auto& l2 : l2s_) l2->invalidate(address, bytes);
  if (!params_.check_data) return;
  while (bytes != 0) {
    const unsigned n = static_cast<unsigned>(std::min<std::uint64_t>(bytes, 1u << 20));
    image_.write(address, n, program::DeviceMemory::host(address));
    address += n;
    bytes -= n;
  }
}

void Machine::read_through_l2(Addr address, unsigned bytes, std::uint8_t* out) {
  const unsigned line = params_.l2.line_bytes;
  while (bytes != 0) {
    const unsigned n = std::min(bytes, line - static_cast<unsigned>(address % line));
    Transaction& t = pool_.get(tlm::TLM_READ_COMMAND, address, n);
    l2s_[map_.partition(address).value]->debug(t);
    std::memcpy(out, t.data.data(), n);
    t.release();
    address += n;
    out += n;
    bytes -= n;
  }
}

// Reads the newest bytes; a page of managed memory may lie in host memory.
void Machine::read_newest(Addr address, unsigned bytes, std::uint8_t* out) {
  while (unified_ != nullptr && bytes != 0) {
    const unsigned page = unified_->page_bytes();
    const unsigned n = std::min(bytes, page - static_cast<unsigned>(address % page));
    if (unified_->in_host_memory(address)) {
      unified_->read_host(address, n, out);
    } else {
      read_through_l2(address, n, out);
    }
    address += n;
    out += n;
    bytes -= n;
  }
  if (bytes != 0) read_through_l2(address, bytes, out);
}

void Machine::allocated(Addr address, std::uint64_t bytes, bool managed) {
  if (unified_ != nullptr) unified_->allocated(address, bytes, managed);
}

// The rest of the last page belongs to nobody and must read as zero to the program, while frames
// that a page has left hold rubbish.
void Machine::released(Addr address, std::uint64_t bytes) {
  if (unified_ == nullptr) return;
  const Addr end = address + unified_->released(address, bytes);
  if (address + bytes < end) store_from_host(address + bytes, end - (address + bytes));
}

void Machine::prefetch(Addr address, std::uint64_t bytes, bool to_device) {
  if (unified_ != nullptr) unified_->prefetch(address, bytes, to_device);
}

// Takes the bytes of pages out of device memory. The frames hold rubbish afterwards, which the data
// check would find if somebody used them.
void Machine::take_pages(Addr address, unsigned bytes, std::uint8_t* out) {
  if (out != nullptr) read_through_l2(address, bytes, out);
  for (auto& l1d : l1ds_) l1d->drop_lines(address, bytes);
  for (auto& l2 : l2s_) l2->drop_lines(address, bytes);
  if (!params_.check_data) return;
  std::array<std::uint8_t, MemoryImage::kPageBytes> rubbish;
  rubbish.fill(0xd5);
  for (unsigned done = 0; done < bytes; done += MemoryImage::kPageBytes)
    image_.write(address + done, MemoryImage::kPageBytes, rubbish.data());
}

// Puts the bytes of pages into device memory through L2, where a line that left earlier may still
// be on its way to DRAM.
void Machine::put_pages(Addr address, unsigned bytes, const std::uint8_t* in) {
  const unsigned line = params_.l2.line_bytes;
  for (unsigned done = 0; done < bytes; done += line) {
    Transaction& t = pool_.get(tlm::TLM_WRITE_COMMAND, address + done, line);
    std::memcpy(t.data.data(), in + done, line);
    l2s_[map_.partition(address + done).value]->debug(t);
    t.release();
  }
}

void Machine::check_data() {
  std::vector<Addr> pages = image_.take_written_pages();
  const auto outside = [](Addr page) {  // local memory is dropped with its CTA
    return page < program::DeviceMemory::kBase;
  };
  pages.erase(std::remove_if(pages.begin(), pages.end(), outside), pages.end());
  data_check_->compare(
      pages,
      [this](Addr address, unsigned bytes, std::uint8_t* out) { read_newest(address, bytes, out); },
      [](Addr address, unsigned bytes, std::uint8_t* out) {
        std::memcpy(out, program::DeviceMemory::host(address), bytes);
      });
}

std::uint64_t Machine::warp_instructions() const {
  std::uint64_t sum = 0;
  for (const auto& sm : sms_) sum += sm->stats().warp_instructions;
  return sum;
}

std::uint64_t Machine::l1d_requests() const {
  std::uint64_t sum = 0;
  for (const auto& l1d : l1ds_) sum += l1d->stats().requests;
  return sum;
}

std::uint64_t Machine::work_done() const {
  std::uint64_t sum = dispatcher_->completed();
  if (unified_ != nullptr) sum += unified_->work_done();
  for (const auto& sm : sms_) sum += sm->stats().warp_instructions + sm->responses();
  return sum;
}

double Machine::simulated_seconds() const {
  return static_cast<double>(simulation_now()) / static_cast<double>(kFemtosecondsPerSecond);
}

std::string Machine::describe() const {
  std::string text;
  const auto add = [&text](const auto& module) {
    if (!module->idle()) text += "  " + module->describe() + "\n";
  };
  for (const auto& sm : sms_) add(sm);
  for (const auto& l1d : l1ds_) add(l1d);
  if (unified_ != nullptr) text += unified_->describe();
  add(crossbar_);
  for (const auto& l2 : l2s_) add(l2);
  for (const auto& channel : channels_) add(channel);
  return text.empty() ? "  every module is idle\n" : text;
}

}  // namespace warpmem::gpu
