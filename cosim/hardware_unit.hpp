// SPDX-License-Identifier: Apache-2.0
// The hardware units, all alike: what their descriptions say (units/NAME/NAME_unit.hpp), and their
// lockstep runs (units/NAME/NAME_bench.cpp). Whatever lists units walks hardware_units().
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cosim/lockstep.hpp"
#include "cosim/unit_size.hpp"
#include "cosim/unit_wrapper.hpp"

namespace warpmem::cosim {

/// So many cycles of random stimulus, at most, are run at a corner; the directed vectors come on
/// top.
inline constexpr std::uint64_t kCornerCycles = 50'000;

class HardwareUnit {
 public:
  virtual ~HardwareUnit() = default;

  virtual std::string name() const = 0;
  /// Returns another name under which the unit runs, together with others; empty: none.
  virtual std::string group() const = 0;
  /// Returns how the keys end that choose its view; empty: it has none.
  virtual std::string view_key() const = 0;
  /// Returns the value of the key `kind` beside it with which this unit is meant; empty: any.
  virtual std::string view_kind() const = 0;
  /// Returns the flag beside it that must be set for this unit; empty: all such flags are not.
  virtual std::string view_flag() const = 0;
  /// Returns its place where units are listed.
  virtual unsigned place() const = 0;
  /// Returns what lockstep compares.
  virtual std::string views(const LockstepOptions& options) const = 0;

  /// Returns the sizes of a lockstep run that is not told one: that which the shipped
  /// configurations use most, then the corners. A fault in a design of parameters often shows at
  /// some sizes alone: a priority encoder that ends at bit 63, a number cut to six bits, a counter
  /// that is kept with four slots. So the corners are both ends of each parameter, sizes that are
  /// no powers of two, sizes around 32 and 64, and the other sizes of configs/.
  virtual std::vector<SizeValues> sizes() const = 0;
  /// Returns the place in sizes() at which lines and toggles of the RTL are counted.
  virtual std::size_t counted() const = 0;
  /// Returns a size small enough for every entry, chain and bit to matter within a few cycles.
  virtual SizeValues attacked() const = 0;
  /// Returns outputs that mean something only while another one is 1, and that one.
  virtual std::map<std::string, std::string> valid_with() const = 0;

  virtual std::vector<SizeEntry> entries_of(const SizeValues& size) const = 0;
  virtual std::string text_of(const SizeValues& size) const = 0;
  virtual SizeValues size_of(const UnitParameters& parameters) const = 0;
  virtual UnitShape shape_of(const SizeValues& size) const = 0;

  /// Adds what is wrong with a size.
  virtual void check(const SizeValues& size, Problems& problems) const = 0;
  /// Runs the views. Throws UserError when one cannot be built or a file not written, and for a
  /// size that is not allowed.
  virtual LockstepResult run(const SizeValues& size, const LockstepOptions& options) const = 0;
};

/// Returns all units by their places.
const std::vector<std::unique_ptr<HardwareUnit>>& hardware_units();
/// Returns the unit. Throws UserError that names the units when there is none of that name.
const HardwareUnit& hardware_unit(const std::string& name);

/// Runs the unit of a description at a size of it.
template <class Unit>
LockstepResult run_unit(const typename Unit::Size& size, const LockstepOptions& options) {
  return hardware_unit(Unit::kName).run(values_of<Unit>(size), options);
}

/// Adds what the limits of a size's fields exclude.
void check_limits(const std::vector<SizeEntry>& entries, Problems& problems);

/// This is what follows from a unit's description.
template <class Unit>
class DescribedUnit : public HardwareUnit {
 public:
  using Size = typename Unit::Size;

  std::string name() const override { return Unit::kName; }
  std::string group() const override { return Unit::kGroup; }
  std::string view_key() const override { return Unit::kViewKey; }
  std::string view_kind() const override { return Unit::kViewKind; }
  std::string view_flag() const override { return Unit::kViewFlag; }
  unsigned place() const override { return Unit::kPlace; }
  std::vector<SizeValues> sizes() const override {
    std::vector<SizeValues> list;
    for (const Size& size : Unit::kSizes) list.push_back(values_of<Unit>(size));
    return list;
  }
  std::size_t counted() const override { return Unit::kCounted; }
  SizeValues attacked() const override { return values_of<Unit>(Unit::kAttacked); }
  std::map<std::string, std::string> valid_with() const override {
    std::map<std::string, std::string> pairs;
    for (const auto& [output, valid] : Unit::kValidWith)
      if (output != nullptr) pairs[output] = valid;
    return pairs;
  }
  std::vector<SizeEntry> entries_of(const SizeValues& size) const override {
    return size_entries<Unit>(cosim::size_of<Unit>(size));
  }
  SizeValues size_of(const UnitParameters& parameters) const override {
    return values_of<Unit>(cosim::size_of<Unit>(parameters));
  }
  UnitShape shape_of(const SizeValues& size) const override {
    return cosim::shape_of<Unit>(cosim::size_of<Unit>(size));
  }
};

}  // namespace warpmem::cosim
