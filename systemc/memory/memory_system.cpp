// SPDX-License-Identifier: Apache-2.0
#include "memory/memory_system.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors.hpp"

namespace warpmem::memory {

MemorySystem::MemorySystem(sc_core::sc_module_name name, const MemoryParams& params,
                           const UnitFactories& units)
    : sc_module(name),
      params_(params),
      units_(units),
      map_(params.map),
      cpu_clock_(clock(params.sm_hertz)),
      noc_clock_(clock(params.noc.clock_hz)),
      l2_clock_(clock(params.l2_hertz)),
      l1ds_(params.sm_count),
      l2s_(map_.slices()),
      coalescers_(params.l2.coalescer.entries == 0 ? 0 : map_.slices()),
      channels_(external() ? 0 : params.map.partitions) {
  construct();
  let_all_requests_go();
  if (params_.uvm.enable) build_unified_memory();
  if (!params_.host_memory.empty())
    link_ = std::make_unique<host::HostLink>("host_link", cpu_clock_, params_.host, map_.slices());
  connect_modules();
  connect_bucl();
  idle_watch_ = std::make_unique<IdleWatch>("idle_watch", cpu_clock_, [this] { return idle(); });
}

MemorySystem::~MemorySystem() = default;

ClockDomain& MemorySystem::clock(std::uint64_t hertz) {
  std::unique_ptr<ClockDomain>& domain = clocks_[hertz];
  if (domain == nullptr) {
    domain = std::make_unique<ClockDomain>(fmt::format("clock_{}hz", hertz).c_str(), hertz,
                                           params_.tick_all);
  }
  return *domain;
}

// Nothing may depend on the order of construction.
void MemorySystem::construct() {
  const bool reverse = params_.reverse_construction;
  const auto in_order = [reverse](unsigned count, auto&& build) {
    for (unsigned i = 0; i < count; ++i) build(reverse ? count - 1 - i : i);
  };
  const auto build_l1ds = [&] {
    in_order(params_.sm_count, [this](unsigned i) {
      l1ds_[i] =
          std::make_unique<l1d::L1d>(fmt::format("l1d{}", i).c_str(), cpu_clock_, params_.l1d,
                                     pool_, units_.miss_handlers, units_.frontends);
    });
  };
  if (!reverse) build_l1ds();
  crossbar_ =
      std::make_unique<noc::Crossbar>("noc", noc_clock_, params_.noc, map_, params_.sm_count);
  in_order(params_.map.partitions, [this](unsigned i) { build_partition(i); });
  if (reverse) build_l1ds();
}

// The crossbar is not to hold up what the L1Ds can have under way.
void MemorySystem::let_all_requests_go() {
  std::uint64_t requests = 0;
  for (const auto& l1d : l1ds_) requests += l1d->most_requests();
  crossbar_->set_in_flight(
      static_cast<unsigned>(std::min<std::uint64_t>(requests, noc::OriginTable::kMost)));
}

void MemorySystem::build_partition(unsigned i) {
  for (unsigned s = i * map_.slices_each(); s < (i + 1) * map_.slices_each(); ++s) {
    l2s_[s] = std::make_unique<l2::L2Bank>(fmt::format("l2_{}", s).c_str(), l2_clock_, params_.l2,
                                           map_, pool_, units_.miss_handlers, units_.frontends);
    if (!coalescers_.empty())
      coalescers_[s] = std::make_unique<l2::Coalescer>(fmt::format("coalescer{}", s).c_str(),
                                                       l2_clock_, params_.l2, pool_);
  }
  if (external()) return;
  channels_[i] = std::make_unique<dram::Channel>(
      fmt::format("dram{}", i).c_str(), clock(params_.dram.clock_hz), params_.dram, map_, image_);
}

void MemorySystem::build_unified_memory() {
  uvm::DeviceHooks hooks;
  hooks.settled = [this](Addr address, std::uint64_t bytes) {
    const auto settled = [=](const auto& cache) { return !cache->awaits_fill(address, bytes); };
    return std::all_of(l1ds_.begin(), l1ds_.end(), settled) &&
           std::all_of(l2s_.begin(), l2s_.end(), settled);
  };
  hooks.take = [this](Addr address, unsigned bytes, std::uint8_t* out) {
    take_pages(address, bytes, out);
  };
  hooks.put = [this](Addr address, unsigned bytes, const std::uint8_t* in) {
    write_through_l2(address, bytes, in);
  };
  unified_ = std::make_unique<UnifiedMemory>(params_.uvm, params_.sm_count, cpu_clock_, pool_,
                                             std::move(hooks));
  unified_->connect([this](auto& from, auto& to) { connect(from, to); });
}

void MemorySystem::connect_modules() {
  for (unsigned i = 0; i < l1ds_.size(); ++i) {
    cpu_sockets_.push_back(&port(i).socket);
    if (params_.check_protocol) {
      ProtocolChecker& checker = add_checker();
      checker.initiator.bind(port(i).socket);
      cpu_sockets_.back() = &checker.target;
    }
    if (unified_ != nullptr) connect(unified_->tlb(i).mem, l1ds_[i]->in);
    connect(l1ds_[i]->mem, crossbar_->input(i));
  }
  for (unsigned s = 0; s < l2s_.size(); ++s) {
    if (coalescers_.empty()) {
      connect(crossbar_->output(s), l2s_[s]->in);
    } else {
      connect(crossbar_->output(s), coalescers_[s]->in);
      connect(coalescers_[s]->mem, l2s_[s]->in);
    }
    if (link_ != nullptr) connect(*l2s_[s]->host(), link_->port(s));
    if (!external()) {
      connect(l2s_[s]->mem, channels_[s / map_.slices_each()]->in(s % map_.slices_each()));
      continue;
    }
    memory_sockets_.push_back(&l2s_[s]->mem.socket);
    if (!params_.check_protocol) continue;
    ProtocolChecker& checker = add_checker();
    l2s_[s]->mem.socket.bind(checker.target);
    memory_sockets_.back() = &checker.initiator;
  }
}

ProtocolChecker& MemorySystem::add_checker() {
  checkers_.push_back(
      std::make_unique<ProtocolChecker>(fmt::format("checker{}", checkers_.size()).c_str()));
  return *checkers_.back();
}

template <class Initiator, class Target>
void MemorySystem::connect(Initiator& from, Target& to) {
  if (!params_.check_protocol) {
    from.socket.bind(to.socket);
    return;
  }
  ProtocolChecker& checker = add_checker();
  from.socket.bind(checker.target);
  checker.initiator.bind(to.socket);
}

void MemorySystem::connect_bucl() {
  if (!params_.l1d.uses_bucl()) return;
  l1d::Bucl::Params params = params_.l1d.bucl;
  params.profile = params_.l1d.bypass == cache::Bypass::bucl_prf;
  bucl_ = std::make_unique<l1d::Bucl>(params, map_, cpu_clock_, units_.l1d);
  for (unsigned i = 0; i < l1ds_.size(); ++i) l1ds_[i]->set_bucl(bucl_.get(), i);
  for (unsigned i = 0; i < l2s_.size(); ++i) l2s_[i]->watch_input(bucl_->input_of(i));
  bucl_periods_ = std::make_unique<BuclPeriods>(cpu_clock_, *bucl_, [this] { return launched_; });
  if (!params.profile) return;
  activity_ = [this] {
    std::vector<std::uint64_t> requests;
    for (const auto& l1d : l1ds_) requests.push_back(l1d->stats().requests);
    return requests;
  };
  bucl_profile_ = std::make_unique<BuclProfile>("bucl_profile", cpu_clock_, *bucl_,
                                                [this] { return activity_(); });
}

tlm::tlm_initiator_socket<>& MemorySystem::memory(unsigned s) {
  if (!external())
    throw UserError(std::string(name()) + ": memory(" + std::to_string(s) +
                    ") is taken by a DRAM channel; allowed with dram.kind: external");
  return *memory_sockets_.at(s);
}

// SystemC would say which of our inner ports has no channel.
void MemorySystem::before_end_of_elaboration() {
  for (unsigned s = 0; s < memory_sockets_.size(); ++s)
    if (memory_sockets_[s]->bind_count() == 0)
      throw UserError(fmt::format(
          "{}: nothing is bound to memory({}); dram.kind: external needs a "
          "target at each of {} {}",
          name(), s, memory_sockets_.size(), map_.slices_each() == 1 ? "partitions" : "L2 slices"));
}

// ---- launches ----------------------------------------------------------------------------------

void MemorySystem::prepare_launch(bool flush_l2) {
  if (flush_l2)
    for (auto& l2 : l2s_) l2->flush();
  for (auto& l1d : l1ds_) l1d->invalidate_all();
  for (auto& l2 : l2s_) l2->begin_launch();
  if (link_ != nullptr) link_->begin_launch();
}

void MemorySystem::set_carveout(std::uint64_t bytes) {
  for (auto& l1d : l1ds_) l1d->set_carveout(bytes);
}

bool MemorySystem::move_ahead(std::function<void()> moved) {
  if (unified_ == nullptr || !unified_->begin_launch(std::move(moved))) return false;
  idle_watch_->wake();
  return true;
}

void MemorySystem::end_moves() { unified_->end_moves(); }

// Sampling periods are those of the kernel, and they are ended in time only while one runs.
void MemorySystem::begin_launch() {
  launched_ = true;
  for (auto& l2 : l2s_) l2->count_host_lines();
  if (bucl_ == nullptr) return;
  bucl_->begin_launch(cpu_clock_.now());
  bucl_periods_->begin_launch(cpu_clock_.now());
  if (bucl_profile_ != nullptr) bucl_profile_->begin_launch();
}

void MemorySystem::end_launch() {
  launched_ = false;
  for (auto& l1d : l1ds_) l1d->end_launch();
}

// ---- reporting ---------------------------------------------------------------------------------

bool MemorySystem::idle() const {
  const auto idle = [](const auto& module) { return module->idle(); };
  return std::all_of(l1ds_.begin(), l1ds_.end(), idle) && crossbar_->idle() &&
         (unified_ == nullptr || unified_->idle()) && (link_ == nullptr || link_->idle()) &&
         std::all_of(coalescers_.begin(), coalescers_.end(), idle) &&
         std::all_of(l2s_.begin(), l2s_.end(), idle) &&
         std::all_of(channels_.begin(), channels_.end(), idle);
}

void MemorySystem::on_idle(std::function<void()> call) {
  idle_watch_->on_idle(std::move(call));
  for (unsigned i = 0; i < cpus(); ++i) port(i).wake_when_busy(*idle_watch_);
  idle_watch_->wake();
}

std::string MemorySystem::describe() const {
  std::string text;
  const auto add = [&text](const auto& module) {
    if (!module->idle()) text += "  " + module->describe() + "\n";
  };
  for (const auto& l1d : l1ds_) add(l1d);
  if (unified_ != nullptr) text += unified_->describe();
  add(crossbar_);
  for (const auto& coalescer : coalescers_) add(coalescer);
  for (const auto& l2 : l2s_) add(l2);
  for (const auto& channel : channels_) add(channel);
  if (link_ != nullptr) add(link_);
  return text;
}

void MemorySystem::register_stats(StatRegistry& registry) {
  register_laws(registry.group("memory"));
  if (bucl_ != nullptr) bucl_->register_stats(registry.group("bucl"));
  for (unsigned i = 0; i < l1ds_.size(); ++i) l1ds_[i]->register_stats(registry, i);
  if (unified_ != nullptr) unified_->register_stats(registry);
  crossbar_->register_stats(registry);
  for (unsigned i = 0; i < l2s_.size(); ++i) l2s_[i]->register_stats(registry, i);
  for (unsigned i = 0; i < coalescers_.size(); ++i) coalescers_[i]->register_stats(registry, i);
  for (unsigned i = 0; i < channels_.size(); ++i) channels_[i]->register_stats(registry, i);
  if (link_ != nullptr) link_->register_stats(registry);
}

std::uint64_t MemorySystem::l1d_requests() const {
  std::uint64_t sum = 0;
  for (const auto& l1d : l1ds_) sum += l1d->stats().requests;
  return sum;
}

std::uint64_t MemorySystem::atomic_operations() const {
  std::uint64_t sum = 0;
  for (const auto& l2 : l2s_) sum += l2->atomic_unit().stats().operations;
  if (link_ != nullptr) sum += link_->stats().atomic_operations;
  return sum;
}

std::uint64_t MemorySystem::port_requests() const {
  return unified_ != nullptr ? unified_->requests_from_sms() : l1d_requests();
}

}  // namespace warpmem::memory
