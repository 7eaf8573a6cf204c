// SPDX-License-Identifier: Apache-2.0
#include "watch/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/clock_edges.hpp"

namespace warpmem::watch {

namespace {

struct Shown {
  const char* path;
  const char* name;
};
constexpr Shown kOfMachine[] = {{"gpu", "ipc"},
                                {"sm", "warps.active"},
                                {"l1d", "hit_rate"},
                                {"l1d", "mshr.occupied"},
                                {"l1d", "reservation_fails.cycles"},
                                {"l2", "hit_rate"},
                                {"l2", "mshr.occupied"},
                                {"dram", "bytes"},
                                {"dram", "queue"},
                                {"dram", "row_hit_rate"},
                                {"sm", "laws.fair_now"},
                                {"sm", "throttle.allowed_warps"}};
constexpr Shown kOfSm[] = {{"sm", "warp_inst"},
                           {"sm", "warps.active"},
                           {"sm", "warps.ready"},
                           {"sm", "lsu.in_flight"},
                           {"sm", "throttle.allowed_warps"},
                           {"sm", "laws.fair_now"},
                           {"l1d", "hit_rate"},
                           {"l1d", "mshr.occupied"},
                           {"l1d", "input_queue"},
                           {"l1d", "reservation_fails.cycles"}};
constexpr Shown kOfSlice[] = {{"l2", "hit_rate"}, {"l2", "mshr.occupied"}, {"l2", "input_queue"}};
constexpr Shown kOfChannel[] = {{"dram", "bytes"}, {"dram", "queue"}, {"dram", "row_hit_rate"}};

unsigned number_in(const std::string& option, const std::string& all, const std::string& text) {
  unsigned value = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  if (read.ec != std::errc() || read.ptr != end)
    throw UserError(fmt::format("{} {}: `{}` is no number of an SM; allowed: a list such as 0-3,8",
                                option, all, text));
  return value;
}

std::vector<bool> drawn_sms(const gpu::Machine& machine, const TimelineOptions& options) {
  const unsigned count = machine.params().sm_count;
  std::vector<bool> drawn(count, options.sms.empty());
  for (const unsigned sm : options.sms) {
    if (sm >= count)
      throw UserError(
          fmt::format("--sm {}: the machine has {} SMs; allowed: 0-{}", sm, count, count - 1));
    drawn[sm] = true;
  }
  return drawn;
}

Femtoseconds time_after(Cycle last, std::uint64_t hertz) {
  return last == kNever ? kNever : time_of_edge(last + 1, hertz) - 1;
}

}  // namespace

std::vector<unsigned> parse_sm_list(const std::string& option, const std::string& text) {
  std::vector<unsigned> sms;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    const std::size_t dash = part.find('-');
    const unsigned first = number_in(option, text, part.substr(0, dash));
    const unsigned last =
        dash == std::string::npos ? first : number_in(option, text, part.substr(dash + 1));
    if (last < first || last - first >= 65536)
      throw UserError(fmt::format("{} {}: {}-{} is no range of SMs; allowed: a list such as 0-3,8",
                                  option, text, first, last));
    for (unsigned sm = first; sm <= last; ++sm) sms.push_back(sm);
    begin = end + 1;
  }
  return sms;
}

Timeline::Timeline(gpu::Machine& machine, const TimelineOptions& options)
    : machine_(machine),
      clock_(machine.memory().cpu_clock()),
      options_(options),
      file_(options.file),
      canvas_(time_of_edge(options.from, clock_.hertz()), time_after(options.to, clock_.hertz())),
      kernel_lanes_(canvas_, 0, "kernels"),
      kernel_category_(canvas_.name("kernel")),
      launch_key_(canvas_.name("launch")),
      cycles_key_(canvas_.name("cycles")),
      sampler_(machine.stats()),
      sample_clock_(
          "timeline", machine.memory().cpu_clock(), options.interval,
          [this](Cycle now) { sample(now); }, [this] { write(); }) {
  const std::vector<bool> drawn = drawn_sms(machine, options);
  RequestTracks::Groups groups;
  const TrackId counters = canvas_.track(0, "counters");
  for (const Shown& shown : kOfMachine) add_counter(counters, shown.path, shown.name, -1);
  build_sms(drawn, groups);
  build_memory(drawn, groups);
  if (machine.memory().unified() != nullptr) build_unified_memory();
  build_counters(drawn, groups);
  machine.watch(*this);
}

Timeline::~Timeline() = default;

void Timeline::build_sms(const std::vector<bool>& drawn, RequestTracks::Groups& groups) {
  memory::MemorySystem& memory = machine_.memory();
  for (unsigned i = 0; i < drawn.size(); ++i)
    groups.sms.push_back(drawn[i] ? canvas_.track(0, fmt::format("SM {}", i)) : 0);
  groups.crossbar = canvas_.track(0, "crossbar");
  for (unsigned s = 0; s < memory.slices(); ++s)
    groups.slices.push_back(canvas_.track(0, fmt::format("L2 slice {}", s)));
  for (unsigned c = 0; c < memory.partitions(); ++c)
    groups.channels.push_back(canvas_.track(0, fmt::format("DRAM channel {}", c)));
  requests_ = std::make_unique<RequestTracks>(canvas_, groups, memory.map(),
                                              machine_.params().uvm.enable, options_.sample);
  for (unsigned i = 0; i < drawn.size(); ++i) {
    if (!drawn[i]) continue;
    sms_.push_back(std::make_unique<SmTracks>(canvas_, groups.sms[i], i, machine_, kernels_,
                                              *requests_, of_sms_, [this] { write_sms(); }));
    machine_.sm(i).watch(*sms_.back());
  }
}

void Timeline::build_memory(const std::vector<bool>& drawn, RequestTracks::Groups& groups) {
  memory::MemorySystem& memory = machine_.memory();
  const auto watch_misses = [this](TrackId group, auto& cache) {
    misses_.push_back(std::make_unique<MissTracks>(canvas_, group));
    cache.watch(*misses_.back());
  };
  for (unsigned i = 0; i < drawn.size(); ++i)
    if (drawn[i]) watch_misses(groups.sms[i], memory.l1d(i));
  for (unsigned s = 0; s < memory.slices(); ++s) watch_misses(groups.slices[s], memory.l2(s));
  noc::Crossbar& crossbar = memory.crossbar();
  ports_.push_back(std::make_unique<PortTracks>(canvas_, groups.crossbar, crossbar.domain(),
                                                crossbar.outputs(), "port to slice", "SM port"));
  ports_.push_back(std::make_unique<PortTracks>(canvas_, groups.crossbar, crossbar.domain(),
                                                crossbar.sm_ports(), "port to SM", "slice"));
  crossbar.watch(*ports_[0], *ports_[1]);
  for (unsigned c = 0; c < memory.channels(); ++c) {
    channels_.push_back(std::make_unique<DramTracks>(canvas_, groups.channels[c], memory.channel(c),
                                                     memory.map().banks()));
    memory.channel(c).observe(*channels_.back());
  }
}

void Timeline::build_unified_memory() {
  memory::UnifiedMemory& unified = *machine_.memory().unified();
  const TrackId group = canvas_.track(0, "unified memory");
  faults_ = std::make_unique<FaultTracks>(canvas_, group, clock_);
  unified.gmmu().watch(*faults_);
  for (const char* name : {"PCIe to device", "PCIe to host"})
    links_.push_back(std::make_unique<LinkTracks>(canvas_, group, clock_, name));
  unified.link_in().watch(*links_[0]);
  unified.link_out().watch(*links_[1]);
}

// What a machine does not have has no track.
void Timeline::add_counter(TrackId parent, const std::string& path, const std::string& name,
                           int instance) {
  const StatSampler::Column* const column = sampler_.find(path, name);
  if (column == nullptr) return;
  const std::string unit =
      column->kind == StatSampler::Kind::counter ? column->unit + "/interval" : column->unit;
  counters_.push_back({canvas_.counter_track(parent, path + "." + name, unit), column, instance});
}

void Timeline::build_counters(const std::vector<bool>& drawn, const RequestTracks::Groups& groups) {
  const auto add = [this](const auto& list, TrackId parent, std::size_t i) {
    for (const Shown& shown : list)
      add_counter(parent, shown.path, shown.name, static_cast<int>(i));
  };
  for (std::size_t i = 0; i < drawn.size(); ++i)
    if (drawn[i]) add(kOfSm, groups.sms[i], i);
  for (std::size_t s = 0; s < groups.slices.size(); ++s) add(kOfSlice, groups.slices[s], s);
  for (std::size_t c = 0; c < machine_.memory().channels(); ++c)
    add(kOfChannel, groups.channels[c], c);
}

void Timeline::launch_begins(const std::vector<gpu::Launch>& launches) {
  kernels_.begin(launches);
  requests_->begin_launch();
  launch_cycle_ = sampled_ = clock_.next_cycle();
  sample_clock_.begin();
}

void Timeline::launch_ends(const std::vector<gpu::Launch>& launches,
                           const std::vector<gpu::CtaDispatcher::Run>& runs) {
  sample_clock_.end();
  for (const auto& sm : sms_) sm->end();
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const Femtoseconds begin = clock_.time_of(launch_cycle_ + runs[i].begin);
    const Femtoseconds end = clock_.time_of(launch_cycle_ + runs[i].end);
    if (!canvas_.shows(begin, end)) continue;
    of_sms_.slice(kernel_lanes_.take(of_sms_, begin, end),
                  canvas_.name(launches[i].grid->traits().name), kernel_category_, begin, end,
                  {{launch_key_, launches[i].number}, {cycles_key_, runs[i].end - runs[i].begin}});
  }
  // Between launches nothing is shown of what the counters measure.
  for (const Counter& counter : counters_)
    if (canvas_.shows(clock_.time_of(clock_.now()), clock_.time_of(clock_.now())))
      of_counters_.counter(counter.track, clock_.time_of(clock_.now()), 0);
  collect();
  write();
}

// What an interval has added stands from its begin on, and a level from its end on.
void Timeline::sample(Cycle now) {
  if (now > sampled_) {
    sampler_.end(static_cast<double>(now - sampled_) / static_cast<double>(clock_.hertz()));
    const Femtoseconds begin = clock_.time_of(sampled_), end = clock_.time_of(now);
    sampled_ = now;
    for (const Counter& counter : counters_) {
      const StatSampler::Column& column = *counter.column;
      const double value = counter.instance < 0
                               ? sampler_.value(column)
                               : sampler_.value(column, static_cast<unsigned>(counter.instance));
      const Femtoseconds at = column.kind == StatSampler::Kind::level ? end : begin;
      if (!std::isnan(value) && canvas_.shows(at, at))
        of_counters_.counter(counter.track, at, value);
    }
  }
  collect();
}

void Timeline::collect() {
  const auto take = [this](Packets& packets) {
    collected_ += packets.bytes();
    packets.clear();
  };
  take(canvas_.table());
  take(of_sms_);
  for (const auto& part : misses_) take(part->out());
  for (const auto& part : ports_) take(part->out());
  for (const auto& part : channels_) take(part->out());
  for (const auto& part : links_) take(part->out());
  if (faults_) take(faults_->out());
  take(of_counters_);
}

// Most packets are those of SMs. They are written while the processor's caches have them, after all
// that was collected before: the same calls in the same order, so the same bytes.
void Timeline::write_sms() {
  constexpr std::size_t kMost = 256 << 10;
  if (of_sms_.bytes().size() < kMost) return;
  write();
  for (Packets* const packets : {&canvas_.table(), &of_sms_}) {
    file_.write(packets->bytes());
    packets->clear();
  }
}

void Timeline::write() {
  file_.write(collected_);
  collected_.clear();
}

void Timeline::finish() {
  for (const auto& sm : sms_) sm->end();
  for (const auto& channel : channels_) channel->end();
  collect();
  write();
  file_.commit();
}

}  // namespace warpmem::watch
