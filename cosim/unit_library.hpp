// SPDX-License-Identifier: Apache-2.0
// Views of hardware units that need a compiler: the synthesizable C++ core, the SC_MODULE around it
// and the Verilated RTL, for any parameters, built when first asked for (some seconds) and kept in
// a cache.
#pragma once

#include <filesystem>
#include <string>

#include "base/errors.hpp"
#include "base/unit_failure.hpp"
#include "base/view.hpp"
#include "cosim/unit_recording.hpp"
#include "cosim/unit_wrapper.hpp"
#include "cosim/verilator.hpp"
#include "cosim/wrappers/unit_abi.hpp"
#include "files/own_rtl.hpp"

namespace warpmem::cosim {

/// These say where the sources of the units are, and what the RTL view is made of.
struct UnitPlaces {
  std::filesystem::path rtl;     ///< the folder of the RTL units
  OwnRtl own = {};               ///< the user's, instead of those of the same names
  std::filesystem::path source;  ///< root of the source tree: systemc/, cosim/
  std::filesystem::path
      library;             ///< a finished library that stands in for the RTL view; else empty
  bool coverage = false;   ///< the RTL view counts lines and toggles
  bool use_cache = true;   ///< false: libraries are built anew
  bool short_run = false;  ///< building counts for more than running: libraries are not optimised
};

/// Returns the source tree that this program was built from, or $WARPMEM_HOME.
UnitPlaces default_places();

/// Returns the unit as a view of it is built: the user's RTL shows no state unless it has all pins
/// for it. Throws UserError when its ports are not those of the unit.
UnitShape shape_of_view(View view, const UnitShape& unit, const UnitPlaces& places);

/// Returns what is known of a unit's RTL view without its sources: its name and what drives it.
VerilatedUnit verilated_unit(const UnitShape& shape, const UnitPlaces& places);

/// Returns the path of the library with a view other than the class, which with `waves` can record
/// waveforms (rtl only). `unit` is what shape_of_view() returns. Throws UserError when a tool is
/// missing or the unit does not compile.
std::filesystem::path build_unit(View view, const UnitShape& unit, const UnitPlaces& places,
                                 bool waves = false);

/// Returns the address that the library's function `entry` returns. Libraries stay loaded: their
/// functions are in use for as long as any unit is. Throws UserError when there is none.
const void* load_unit(const std::filesystem::path& library, const char* entry = kUnitEntry);

/// Throws UnitFailure with `failure`, unless that is a nullptr.
inline void throw_failure(const std::string& unit, const char* failure) {
  if (failure != nullptr) throw UnitFailure(unit, failure);
}

/// This is a unit behind a library. `Unit` is its description.
template <class Unit>
class LibraryUnit {
 public:
  using Abi = UnitAbi<Unit>;
  using In = typename Unit::In;
  using Out = typename Unit::Out;
  using Size = typename Unit::Size;

  /// Makes a view other than the class. Throws UserError when it cannot be built.
  LibraryUnit(View view, const Size& size, const UnitPlaces& places, bool waves = false)
      : LibraryUnit(view, size, shape_of_view(view, shape_of<Unit>(size), places), places, waves) {}
  ~LibraryUnit() { abi_.destroy(unit_); }
  LibraryUnit(const LibraryUnit&) = delete;
  LibraryUnit& operator=(const LibraryUnit&) = delete;

  const Size& size() const { return size_; }
  /// Returns whether state() has a meaning.
  bool shows_state() const { return shows_state_; }
  Out eval(const In& in) const {
    Out out;
    abi_.eval(unit_, &in, &out);
    return out;
  }
  /// Throws UnitFailure in a unit that watch() has been told of.
  void commit(const In& in) {
    if (recorder_ != nullptr) recorder_->add(in);
    if (waves_ != nullptr) waves_->before_edge(in, *this);
    abi_.commit(unit_, &in);
    if (waves_ != nullptr) waves_->after_edge(*this);
    if (watched_) throw_failure(Unit::kName, abi_.failure());
  }
  void reset() { abi_.reset(unit_); }
  /// Returns what the unit shows beyond its outputs; valid until the next call.
  typename Unit::State state() const {
    typename Unit::State state;
    abi_.state(unit_, &state);
    return state;
  }
  /// Returns the first check in the RTL that failed in this process; empty when none has.
  std::string failure() const {
    const char* const text = abi_.failure();
    return text == nullptr ? "" : text;
  }
  /// Records a waveform from now on. Precondition: the unit was built with `waves`.
  void open_waves(const std::filesystem::path& file) {
    if (!abi_.open_waves(unit_, file.c_str()))
      throw UserError(file.string() + ": the waveform cannot be written");
  }
  /// Writes Verilator's counts of lines and toggles. Precondition: the unit was built with
  /// UnitPlaces::coverage.
  void write_coverage(const std::filesystem::path& file) {
    if (!abi_.write_coverage(unit_, file.c_str()))
      throw UserError(file.string() + ": the coverage cannot be written");
  }
  /// Prepares a unit of the machine: from now on a check that fails is an exception, and every
  /// clock edge is recorded where the unit is to be. `recordings` may be nullptr, when no unit is.
  /// To be called while the module that has the unit is constructed.
  void watch(UnitRecordings* recordings) {
    watched_ = true;
    if (recordings == nullptr) return;
    recorder_ = recordings->recorder<Unit>(parameters_of<Unit>(size_));
    waves_ = recordings->waves().waves<Unit>(size_);
  }

 private:
  LibraryUnit(View view, const Size& size, const UnitShape& shape, const UnitPlaces& places,
              bool waves)
      : size_(size),
        shows_state_(shape.shows_state),
        abi_(*static_cast<const Abi*>(load_unit(build_unit(view, shape, places, waves)))),
        unit_(abi_.create()) {}

  Size size_;
  bool shows_state_;
  const Abi& abi_;
  void* unit_;
  UnitRecorder<Unit>* recorder_ = nullptr;
  UnitWaves<Unit>* waves_ = nullptr;
  bool watched_ = false;  // else nobody waits for an exception
};

}  // namespace warpmem::cosim
