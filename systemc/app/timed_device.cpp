// SPDX-License-Identifier: Apache-2.0
#include "app/timed_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <sstream>
#include <utility>

#include "app/huge_heap.hpp"
#include "app/own_units.hpp"
#include "app/plugins.hpp"
#include "app/wave_options.hpp"
#include "base/config_text.hpp"
#include "base/errors.hpp"
#include "base/interrupt.hpp"
#include "base/text.hpp"
#include "base/text_file.hpp"
#include "cosim/unit_factories.hpp"
#include "files/sha256.hpp"
#include "program/device_memory.hpp"
#include "program/fast_forward.hpp"

namespace warpmem::app {

namespace {

std::vector<std::string> own_words() {
  std::istringstream text(read_text("/proc/self/cmdline"));
  std::vector<std::string> words;
  for (std::string word; std::getline(text, word, '\0');) words.push_back(word);
  return words;
}

std::string as_command(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + shell_quoted(word);
  return text;
}

std::vector<cosim::RecordingRequest> recordings_of(const std::vector<std::string>& texts) {
  std::vector<cosim::RecordingRequest> requests;
  for (const std::string& text : texts) requests.push_back(cosim::parse_recording(text));
  return requests;
}

/// Returns about how much memory the modules of a machine take.
std::size_t bytes_of(const gpu::MachineParams& params) {
  // Measured: 0.4 MiB idle, 1 and more busy.
  constexpr std::size_t kQueuesOfAnSm = std::size_t(1) << 20;
  const std::size_t an_sm = std::max(params.l1d.unified, params.l1d.size) +
                            sizeof(std::uint32_t) * params.sm.registers + kQueuesOfAnSm;
  return params.sm_count * an_sm + params.l2.size * params.map.partitions * params.map.slices;
}

}  // namespace

program::DeviceProperties device_properties(const gpu::MachineParams& params) {
  program::DeviceProperties p;
  p.memory_bytes = params.memory_bytes;
  if (params.uvm.enable) {
    p.host_bytes = params.uvm.host_bytes;
    // The driver manages memory in regions of this size: a tree of the prefetcher never spans two
    // allocations.
    p.managed_alignment = 2u << 20;
    p.manage_all = params.uvm.manage_all;
  }
  p.sm_count = params.sm_count;
  p.threads_per_sm = params.sm.warps * kWarpLanes;
  p.ctas_per_sm = params.sm.ctas;
  p.shared_bytes_per_cta = params.sm.most_shared_bytes();
  p.registers_per_sm = params.sm.registers;
  p.l2_bytes = params.l2.size * params.map.partitions * params.map.slices;
  p.clock_hertz = params.sm_hertz;
  p.concurrent_kernels = params.concurrent_kernels;
  p.bulk_reaches_registered = false;
  p.early_loads = params.early_loads;
  return p;
}

RunProgram own_program() {
  std::vector<std::string> words = own_words();
  if (!words.empty()) words.erase(words.begin());
  return {std::filesystem::read_symlink("/proc/self/exe"), sha256_hex(read_text("/proc/self/exe")),
          std::move(words)};
}

TimedDevice::TimedDevice(const Environment& environment, RunProgram program)
    : environment_(environment),
      configuration_({environment.config, environment.assignments}),
      selection_(environment.kernels),
      cta_limit_(parse_cta_limit(environment.ctas)),
      run_(environment.run_dir, environment.run_dir_is_new),
      unit_recordings_(recordings_of(environment.unit_recordings),
                       wave_requests(environment.waves, environment.wave_cycles,
                                     configuration_.params().sm_hertz)),
      progress_(environment.progress) {
  const gpu::MachineParams& params = configuration_.params();
  if (params.dram_kind == memory::DramKind::external)
    throw UserError(
        "dram.kind: external has nobody here to answer for DRAM; allowed: gddr5 (a memory of one's "
        "own is bound with the library, docs/library.md)");
  manifest_.command = environment.command.empty() ? as_command(own_words()) : environment.command;
  manifest_.arguments = std::move(program.arguments);
  manifest_.kernels = environment.kernels;
  manifest_.ctas = environment.ctas;
  manifest_.program = std::move(program.file);
  manifest_.program_hash = std::move(program.hash);
  manifest_.notes = configuration_.config().notes();
  for (const std::string& note : manifest_.notes)
    std::fprintf(stderr, "warpmem: note: %s\n", note.c_str());

  set_simulation_resolution();
  if (load_plugins().empty()) run_ahead_of_kernel();  // a plugin may hold a module with processes
  cosim::UnitPlaces where = cosim::default_places();
  where.own = OwnRtl(environment.own_rtl);
  manifest_.own_rtl = own_rtl_hashes(where.own);
  memory::UnitFactories units{cosim::unit_factories(where, &unit_recordings_),
                              cosim::frontend_unit_factories(where, &unit_recordings_),
                              cosim::l1d_unit_factories(where, &unit_recordings_)};
  units.miss_handlers.file_edges = &file_edges_;
  expect_heap(bytes_of(params));
  machine_ = std::make_unique<gpu::Machine>("gpu", params, units,
                                            cosim::sm_unit_factories(where, &unit_recordings_));
  unit_recordings_.require_all();
  observation_ =
      std::make_unique<Observation>(*machine_, parse_observations(environment.observations));

  properties_ = device_properties(params);
  properties_.forgive_out_of_range = environment.forgive_out_of_range;
  run_.write("config.yaml", dump(configuration_.schema(), true));
}

void TimedDevice::launch_together(const std::vector<program::Grid*>& grids) {
  std::vector<gpu::Launch> timed;
  std::vector<program::Grid*> functional;
  std::deque<program::FirstCtas> parts;
  const bool cooperative = std::exchange(cooperative_, false);
  for (program::Grid* grid : grids) {
    const std::uint64_t number = ++launches_;
    if (selection_.selects(number, grid->traits().name)) {
      if (cooperative && cta_limit_ < grid->ctas()) refuse_part(*grid);
      timed.push_back({&parts.emplace_back(*grid, cta_limit_), number});
      const program::KernelTraits& traits = grid->traits();
      shapes_[number] = {{traits.grid.x, traits.grid.y, traits.grid.z},
                         {traits.block.x, traits.block.y, traits.block.z}};
    } else {
      functional.push_back(grid);
    }
  }
  try {
    throw_if_interrupted();
    if (!timed.empty()) launch_timed(timed);
    for (program::Grid* grid : functional) launch_functional(*grid, 0);
    for (program::FirstCtas& part : parts)
      if (cta_limit_ < part.whole().ctas()) launch_functional(part.whole(), cta_limit_);
  } catch (const std::exception& error) {
    progress_.clear();
    write_what_there_is();
    write_results(error.what());
    throw;
  }
}

/// The blocks of the part would wait for those that are not there.
void TimedDevice::refuse_part(const program::Grid& grid) {
  const std::string why = fmt::format(
      "kernel {}: --ctas {} times a part of a cooperative launch, whose {} blocks wait for each "
      "other; allowed: --ctas of at least {}, or --kernels without this launch",
      grid.traits().name, cta_limit_, grid.ctas(), grid.ctas());
  write_results(why);
  throw UserError(why);
}

void TimedDevice::launch_timed(const std::vector<gpu::Launch>& launches) {
  std::string kernel = launches.front().grid->traits().name;
  if (launches.size() > 1) kernel += fmt::format(", first of {}", launches.size());
  launch_start_ = WallClock::now();
  const auto progress = [&](const gpu::Progress& p) {
    throw_if_interrupted();
    if (progress_.due()) show_progress(kernel, p);
  };
  machine_->launch(launches, progress);
  progress_.clear();
  tell_race(kernel, launches.front().number);
  manifest_.wall_seconds += std::chrono::duration<double>(WallClock::now() - launch_start_).count();
}

/// Results that depend on an order may differ from those of a functional run, or of another
/// machine: the first of them is named.
void TimedDevice::tell_race(const std::string& kernel, std::uint64_t number) {
  const std::string race = machine_->first_race();
  if (race_told_ || race.empty()) return;
  race_told_ = true;
  add_note(
      fmt::format("data check: kernel {}, launch {}: {}. The program races there: a functional "
                  "run, or another machine, may end otherwise (gpu.data.racy_bytes, "
                  "gpu.data.stale_loads)",
                  kernel, number, race));
}

// Lines that only the interpreter wrote are new to the machine: its memory takes their bytes and L2
// drops its copies. The rest of L2 stays. It keeps no lines of memory of the host, which is told of
// at its next access.
void TimedDevice::launch_functional(program::Grid& grid, std::uint64_t first_cta) {
  const program::FastForward done = program::fast_forward(grid, first_cta);
  for (const program::WrittenRange& range : done.written)
    if (range.address < program::DeviceMemory::kHostBase)
      machine_->host_wrote(range.address, range.bytes, false);
  manifest_.functional_warp_instructions += done.executed.warp_instructions;
  if (first_cta == 0)
    ++manifest_.functional_launches;
  else
    ++manifest_.partial_launches;
}

// Large copies take a while.
void TimedDevice::host_wrote(Addr address, std::uint64_t bytes) {
  try {
    machine_->host_wrote(address, bytes);
  } catch (const Interrupted& interrupt) {
    abandon(interrupt.what());
    throw;
  }
}

void TimedDevice::show_progress(const std::string& kernel, const gpu::Progress& p) {
  const double elapsed = std::chrono::duration<double>(WallClock::now() - launch_start_).count();
  std::string eta;
  if (p.ctas_done != 0) {
    const double left =
        elapsed * static_cast<double>(p.ctas - p.ctas_done) / static_cast<double>(p.ctas_done);
    eta = fmt::format(", {:.0f} s left", left);
  }
  constexpr std::size_t kName = 24;  // its parameters and the rest of a long one are left out
  progress_.show(fmt::format("{}: cycle {}, {}/{} CTAs, {:.0f} k inst/s{}",
                             fitted(kernel.substr(0, kernel.find('(')), kName), p.cycle,
                             p.ctas_done, p.ctas,
                             static_cast<double>(p.warp_instructions) / elapsed / 1000, eta));
}

void TimedDevice::write_results(const std::string& status) {
  manifest_.status = status;
  manifest_.simulated_seconds = machine_->simulated_seconds();
  manifest_.launches = launches_;
  manifest_.warp_instructions = machine_->warp_instructions();
  manifest_.cycles = machine_->cycles();
  run_.write("stats.json", stats_json(machine_->stats(), false, shapes_));
  run_.write("stats.csv", machine_->stats().csv());
  run_.write("stats.txt", machine_->stats().table());
  run_.write_manifest(manifest_);
}

void TimedDevice::add_note(const std::string& note) {
  manifest_.notes.push_back(note);
  std::fprintf(stderr, "warpmem: note: %s\n", note.c_str());
}

void TimedDevice::abandon(const std::string& reason) {
  progress_.clear();
  write_what_there_is();
  write_results(reason);
}

// What went wrong may be seen in what there is by now.
void TimedDevice::write_what_there_is() {
  for (const std::string& line : unit_recordings_.waves().finish())
    std::fprintf(stderr, "warpmem: %s\n", line.c_str());
  observation_->finish(run_, false);
}

void TimedDevice::finish() {
  if (file_edges_.all != 0)
    add_note(
        fmt::format("MSHR files: {} clock edges, of which {} were a further one in a cycle of "
                    "their cache{}",
                    file_edges_.all, file_edges_.second,
                    file_edges_.not_shown == 0
                        ? ""
                        : fmt::format("; {} refused requests were not shown, for another one "
                                      "followed in their cycle",
                                      file_edges_.not_shown)));
  const std::string storage = machine_->added_storage();
  if (!storage.empty()) add_note(storage);
  if (const std::string note = observation_->note(); !note.empty()) add_note(note);
  try {
    selection_.require_all_used();
  } catch (const UserError& error) {
    write_results(error.what());
    throw;
  }
  for (const std::string& line : unit_recordings_.finish())
    std::fprintf(stderr, "warpmem: %s\n", line.c_str());
  try {
    observation_->finish(run_, true);
  } catch (const std::exception& error) {
    write_results(error.what());
    throw;
  }
  write_results("complete");
}

}  // namespace warpmem::app
