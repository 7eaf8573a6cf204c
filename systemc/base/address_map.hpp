// SPDX-License-Identifier: Apache-2.0
// Where an address lives: memory partition (one L2 bank and one DRAM channel), DRAM bank, row and
// column. Pure arithmetic, shared by the crossbar (partition), L2 (set index within the partition)
// and the DRAM channel (bank, row, column).
#pragma once

#include <cstdint>

#include "base/errors.hpp"
#include "base/types.hpp"

namespace warpmem {

class Schema;

struct AddressMapParams {
  std::uint32_t partitions = 8;           ///< memory partitions, 1..64, any number
  std::uint64_t interleave_bytes = 256;   ///< bytes of one partition before the next
  std::uint32_t banks = 16;               ///< DRAM banks a channel, power of two
  std::uint64_t row_bytes = 2048;         ///< bytes of one DRAM row, power of two
  bool bank_xor = true;                   ///< bank index XOR low row bits

  void describe(Schema& schema);
  void validate(Problems& problems) const;
};

struct DramCoordinates {
  BankId bank;
  std::uint32_t row = 0;
  std::uint32_t column = 0;  ///< byte offset in the row
};

class AddressMap {
 public:
  explicit AddressMap(const AddressMapParams& params);
  PartitionId partition(Addr address) const;
  /// The address within its partition, dense: partition p holds local addresses 0, 1, 2, ...
  Addr local(Addr address) const;
  DramCoordinates dram(Addr address) const;
  const AddressMapParams& params() const { return params_; }

 private:
  AddressMapParams params_;
};

}  // namespace warpmem
