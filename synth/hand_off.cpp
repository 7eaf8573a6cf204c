// SPDX-License-Identifier: Apache-2.0
#include "synth/hand_off.hpp"

#include "base/text_file.hpp"

namespace warpmem::synth {

namespace fs = std::filesystem;

void write_netlist(const Yosys& yosys, const fs::path& work, std::size_t index,
                   const std::string& unit, const Liberty& library, double period_ns,
                   const fs::path& folder) {
  write_timing(work, index, unit, library, period_ns);
  write_text(folder / (unit + ".v"), read_text(work / ("map" + std::to_string(index) + ".v")));
  write_text(folder / (unit + "_cells.v"), yosys.cells_verilog());
  for (const char* end : {".sdc", ".sdf"})
    write_text(folder / (unit + end), read_text(work / (unit + end)));
}

}  // namespace warpmem::synth
