// SPDX-License-Identifier: Apache-2.0
// Views of the DAU that need a compiler: the Verilated RTL and the synthesizable SystemC core, for
// any size, built when first asked for (some seconds) and kept in a cache.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "cache/mha/dl/dau.hpp"
#include "cache/mha/params.hpp"
#include "cosim/unit_library.hpp"

namespace warpmem::cosim {

/// This is a DAU behind a library, with what lockstep needs beyond the interface.
class LibraryDau : public mha::Dau {
 public:
  /// Returns the first check in the RTL that failed in this process; empty when none has.
  virtual std::string failure() const = 0;
  /// Records a waveform from now on. Precondition: the unit was built with `waves`.
  virtual void open_waves(const std::filesystem::path& file) = 0;
  /// Writes Verilator's counts of lines and toggles. Precondition: the unit was built with
  /// UnitPlaces::coverage.
  virtual void write_coverage(const std::filesystem::path& file) = 0;
  /// Prepares a unit of the machine: from now on a check that fails is a UnitFailure, and every
  /// clock edge goes to `recorder`, which may be nullptr.
  virtual void watch(UnitRecorder<mha::DauIn>* recorder) = 0;
};

/// Returns a DAU in the view `systemc` or `rtl`, which with `waves` can record waveforms (rtl
/// only). Throws UserError when a tool is missing or the unit does not compile.
std::unique_ptr<LibraryDau> make_library_dau(View view, const mha::DauSize& size,
                                             const UnitPlaces& places, bool waves = false);

/// Returns a DAU as the miss handler uses it. `recordings` takes its inputs and may be nullptr.
std::unique_ptr<mha::Dau> make_dau(View view, const mha::DauSize& size, UnitRecordings* recordings);

mha::DauSize dau_size(const UnitParameters& parameters);

}  // namespace warpmem::cosim
