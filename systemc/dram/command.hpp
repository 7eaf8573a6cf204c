// SPDX-License-Identifier: Apache-2.0
// What travels on the command bus, and who may listen to it.
#pragma once

#include <cstdint>

#include "base/types.hpp"

namespace warpmem::dram {

enum class Command : std::uint8_t {
  none,
  activate,
  precharge,
  precharge_all,
  read,
  write,
  refresh,      ///< of all banks of a pseudo channel
  refresh_bank  ///< of one bank
};

/// The command's name as in a datasheet: "ACT", "PRE", "PREA", "RD", "WR", "REF", "REFPB", "-".
const char* name_of(Command command);

inline bool is_column(Command command) {
  return command == Command::read || command == Command::write;
}

/// One command as it was issued. `row` means something for ACT, RD and WR, `beats` (data-bus
/// cycles) for RD and WR. PREA and REF take all banks of the pseudo channel of `bank`. `address`
/// and `arrival` tell whose column command it is.
struct CommandRecord {
  Cycle cycle = 0;
  Command command = Command::none;
  unsigned bank = 0;
  std::uint32_t row = 0;
  unsigned beats = 0;
  Addr address = 0;
  Cycle arrival = 0;
  bool auto_precharge = false;  ///< RD, WR: the row closes at the first legal cycle after it
};

/// An observer sees every command in the order of issue.
class CommandObserver {
 public:
  virtual ~CommandObserver() = default;
  virtual void on_command(const CommandRecord& record) = 0;
};

}  // namespace warpmem::dram
