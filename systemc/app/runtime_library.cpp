// SPDX-License-Identifier: Apache-2.0
// Ties libwarpmem_cuda.so together: the first CUDA call of a program builds the device that the
// environment asks for.
#include <systemc>

#include "app/environment.hpp"
#include "app/functional_run.hpp"
#include "app/plugins.hpp"
#include "app/timed_device.hpp"
#include "program/cuda/early_end.hpp"
#include "program/device.hpp"
#include "program/trace/recorder.hpp"

// libsystemc refers to sc_main although the CUDA program brings its own main().
int sc_main(int, char**) { return 0; }

// These stand in front of the C library's, so that a program that leaves by them has its results
// written, too.
extern "C" void _exit(int status) { warpmem::program::cuda::left_by_exit(status); }
extern "C" void _Exit(int status) { warpmem::program::cuda::left_by_exit(status); }

namespace warpmem::app {
namespace {

std::unique_ptr<program::Device> make_device() {
  const Environment environment = Environment::read();
  load_plugins();
  if (environment.functional) {
    program::DeviceProperties properties;
    properties.forgive_out_of_range = environment.forgive_out_of_range;
    return std::make_unique<FunctionalRun>(environment.functional_json, properties);
  }
  if (!environment.record.empty()) {
    const Configuration configuration({environment.config, environment.assignments});
    program::DeviceProperties properties = device_properties(configuration.params());
    properties.forgive_out_of_range = environment.forgive_out_of_range;
    return std::make_unique<program::trace::RecordingDevice>(environment.record, properties);
  }
  return std::make_unique<TimedDevice>(environment);
}

struct Registration {
  Registration() { program::set_device_factory(make_device); }
} const registration;

}  // namespace
}  // namespace warpmem::app
