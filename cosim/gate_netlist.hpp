// SPDX-License-Identifier: Apache-2.0
// A unit as Yosys elaborates it: its ports, and what leads from where to where through its gates.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "cosim/unit_parameters.hpp"
#include "files/unit_sources.hpp"

namespace warpmem::cosim {

struct NetlistPort {
  bool output = false;
  unsigned width = 1;
  std::string place;  ///< "dau.sv:37"
};

class GateNetlist {
 public:
  /// Elaborates the unit, with `gates` down to gates of one bit; else only its ports are known.
  /// Throws UserError with Yosys' message when it does not read the unit.
  GateNetlist(const UnitSources& sources, const UnitParameters& parameters, bool gates);

  /// Returns the place of the module.
  const std::string& place() const { return place_; }
  const std::map<std::string, NetlistPort>& ports() const { return ports_; }
  /// Returns "dau.sv:80: x" for each signal that a latch keeps.
  std::vector<std::string> latches() const;
  /// Returns "dau.sv:80: x has an asynchronous reset" and the like for each register that does not
  /// take its value at the rising edge of the input `clock` alone.
  std::vector<std::string> other_registers(const std::string& clock) const;
  /// Returns the signals of a loop without a register, with the place of the first; empty: none.
  std::vector<std::string> loop() const;
  /// Returns the inputs that an output depends on within the cycle.
  std::set<std::string> inputs_of(const std::string& output) const;

 private:
  using Bit = std::size_t;

  struct Gate {
    std::vector<Bit> in, out;
    std::string place;
  };

  /// A register of one bit.
  struct Register {
    std::string type;  // Yosys' name of the cell, "$_DFFE_PP_"
    std::string place;
    std::vector<Bit> clock, out;
  };

  std::string name_of(Bit bit) const;

  std::string place_;
  std::map<std::string, NetlistPort> ports_;
  std::map<std::string, std::vector<Bit>> port_bits_;
  std::vector<Gate> gates_;  // combinational ones
  std::vector<Gate> latches_;
  std::vector<Register> registers_;
  std::map<Bit, std::size_t> driver_;  // gate of each bit that one drives
  std::map<Bit, std::string> names_;   // of bits that have one in the source
};

}  // namespace warpmem::cosim
