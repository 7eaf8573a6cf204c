// SPDX-License-Identifier: Apache-2.0
// A unit as Yosys elaborates it with its properties, and the engines that judge one or all of them.
// Every step works in one folder with files of fixed names and leaves its log there.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/process.hpp"
#include "files/unit_sources.hpp"
#include "formal/equality.hpp"
#include "formal/proofs.hpp"

namespace warpmem::formal {

struct Property {
  std::string name;   ///< label in the RTL; of an instance `u_x`: u_x.label
  std::string place;  ///< "dau/dau.sv:213"
  bool cover = false;
};

enum class Verdict {
  kProved,     ///< holds in every cycle of every run
  kBounded,    ///< holds in all runs of `cycles` cycles
  kRefuted,    ///< does not hold; there is a run of `cycles` cycles
  kReached,    ///< cover: after `cycles` cycles
  kUnreached,  ///< cover: in no run of `cycles` cycles
  kUnknown,    ///< the time was over
};

struct Violation {
  Property property;
  unsigned cycles = 0;  ///< length of the run
};

struct Answer {
  Verdict verdict = Verdict::kUnknown;
  unsigned cycles = 0;
};

/// Returns the file with properties of a unit's ports alone, rtl/UNIT/UNIT_observer.sv, which not
/// every unit has.
std::filesystem::path observer_file(const UnitSources& ours);

class Model {
 public:
  /// Elaborates the unit. Throws UserError with Yosys' message when the unit or a parameter is
  /// refused. `work` must exist and be empty.
  Model(std::filesystem::path work, const UnitSources& sources, const Proof& proof);
  /// Elaborates a user's RTL of the unit with properties of its ports alone: those of
  /// rtl/UNIT/UNIT_observer.sv where the unit has choices, else that its outputs are those of
  /// `ours`, under what that assumes of the inputs; an output that Yosys finds to have the same
  /// gates has no property. What the user's RTL itself assumes is left out.
  Model(std::filesystem::path work, const UnitSources& ours, const UnitSources& own,
        const Proof& proof);

  /// The properties are sorted by kind, place and name.
  const std::vector<Property>& properties() const { return properties_; }

  /// Returns the first violation of an assertion that runs of up to `cycles` cycles show, any of
  /// them; nothing when there is none or the time was over.
  std::optional<Violation> first_violation(unsigned cycles, unsigned timeout_s) const;
  /// Returns whether PDR, induction or the bounded check shows at once all assertions but those
  /// left out; false says nothing.
  bool all_hold(const Proof& proof, unsigned timeout_s,
                const std::vector<std::string>& left_out = {}) const;
  /// Judges one property alone: by a search for a run up to `cycles` cycles, then by PDR unless
  /// `bounded`.
  Answer judge(const Property& property, unsigned cycles, bool bounded, unsigned timeout_s) const;
  /// Writes a run that violates or reaches the property, as VCD. Returns false when none was found
  /// in time.
  bool write_run(const Property& property, unsigned cycles, unsigned timeout_s,
                 const std::filesystem::path& vcd) const;

 private:
  /// Elaborates with a script that ends with the unit as `unit_`, and lists the properties.
  /// `after_prep`: further commands while an x is still an x.
  void elaborate(std::string script, const std::string& after_prep = "");
  /// Returns the ports that a unit has at the proof's parameters.
  UnitPorts ports_of(const UnitSources& sources, const Proof& proof) const;
  /// Writes our unit as gold.il and the user's as gate.il; returns the commands that read both and
  /// the module around them. `ports` are those of ours.
  std::string side_by_side(const UnitSources& ours, const UnitSources& own, const UnitPorts& ports,
                           const Proof& proof);
  void yosys(const std::string& name, const std::string& script) const;
  /// Throws UserError with what Yosys' log says, behind the unit's name.
  [[noreturn]] void refuse(const Process& process, int status) const;
  /// Runs yosys-smtbmc with z3; the result is false also when the time was over.
  bool passes(const std::string& name, const std::vector<std::string>& options,
              unsigned timeout_s) const;
  /// Writes joint.aig and joint.smt2, which have all assertions but those left out.
  void write_joint(const std::vector<std::string>& left_out) const;

  std::filesystem::path work_;
  std::string unit_;
  std::vector<Property> properties_;
  std::vector<Property> in_design_;  // they stand in the order of the outputs of joint.aig
};

}  // namespace warpmem::formal
