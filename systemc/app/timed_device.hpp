// SPDX-License-Identifier: Apache-2.0
// The machine as the CUDA runtime sees it: built from the configuration on first use, kernels run
// on it, results written when the program ends.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "app/configuration.hpp"
#include "app/environment.hpp"
#include "app/kernel_selection.hpp"
#include "app/observation.hpp"
#include "app/run_directory.hpp"
#include "base/progress_line.hpp"
#include "cosim/unit_recording.hpp"
#include "files/stats_json.hpp"
#include "gpu/machine.hpp"
#include "program/device.hpp"

namespace warpmem::app {

/// Returns what a program is told about the machine.
program::DeviceProperties device_properties(const gpu::MachineParams& params);

/// What runs, for the manifest: a program, or a trace.
struct RunProgram {
  std::string file;
  std::string hash;  ///< SHA-256 of it
  std::vector<std::string> arguments;
};
/// Returns the program of this process.
RunProgram own_program();

class TimedDevice : public program::Device {
 public:
  /// Builds the machine's parameters. Throws UserError with every problem of the configuration.
  explicit TimedDevice(const Environment& environment, RunProgram program = own_program());

  const program::DeviceProperties& properties() const override { return properties_; }
  void launch(program::Grid& grid) override { launch_together({&grid}); }
  void launch_together(const std::vector<program::Grid*>& grids) override;
  void expect_cooperative() override { cooperative_ = true; }
  void host_wrote(Addr address, std::uint64_t bytes) override;
  void host_read(Addr address, std::uint64_t bytes) override {
    machine_->host_read(address, bytes);
  }
  void host_memory_is(Addr address, std::uint64_t bytes, const std::uint8_t* data) override {
    machine_->host_memory_is(address, bytes, data);
  }
  void allocated(Addr address, std::uint64_t bytes, bool managed) override {
    machine_->allocated(address, bytes, managed);
  }
  void released(Addr address, std::uint64_t bytes) override { machine_->released(address, bytes); }
  void prefetch(Addr address, std::uint64_t bytes, bool to_device) override {
    machine_->prefetch(address, bytes, to_device);
  }
  double seconds() const override { return machine_->simulated_seconds(); }
  void finish() override;
  bool has_results() const override { return true; }
  void abandon(const std::string& reason) override;
  /// Writes what there is, with `message` as the status: the run ends here.
  void fail(const std::string& message) { write_results(message); }

  /// Takes a note for the manifest and, at once, for standard error.
  void add_note(const std::string& note) override;

 private:
  [[noreturn]] void refuse_part(const program::Grid& grid);
  void launch_timed(const std::vector<gpu::Launch>& launches);
  void launch_functional(program::Grid& grid, std::uint64_t first_cta);
  void tell_race(const std::string& kernel, std::uint64_t number);
  void show_progress(const std::string& kernel, const gpu::Progress& progress);
  void write_what_there_is();
  void write_results(const std::string& status);

  Environment environment_;
  Configuration configuration_;
  KernelSelection selection_;
  std::uint64_t cta_limit_;
  std::uint64_t launches_ = 0;
  bool cooperative_ = false;  ///< the next launch is
  bool race_told_ = false;
  RunDirectory run_;
  program::DeviceProperties properties_;
  cosim::UnitRecordings unit_recordings_;
  mha::FileEdges file_edges_;
  std::unique_ptr<gpu::Machine> machine_;
  std::unique_ptr<Observation> observation_;
  Manifest manifest_;
  LaunchShapes shapes_;  // of all timed launches
  using WallClock = std::chrono::steady_clock;
  WallClock::time_point launch_start_;
  ProgressLine progress_;
};

}  // namespace warpmem::app
