// SPDX-License-Identifier: Apache-2.0
// Where an address lives: memory partition (one L2 bank and one DRAM channel), DRAM bank, row and
// column. This is pure arithmetic, shared by the crossbar (partition), L2 (set index within the
// partition) and the DRAM channel (bank, row, column).
#pragma once

#include <cstdint>

#include "base/errors.hpp"
#include "base/types.hpp"

namespace warpmem {

class Schema;

/// The fields of an address within its partition, from the highest bit down.
enum class DramOrder : std::uint8_t {
  row_bank_column,  ///< a row's bytes are consecutive: a stream hits its row
  row_column_bank   ///< consecutive lines of kMaxLineBytes go to the banks in turn
};

/// Keys of the group "memory". The caller opens the group; problems are reported under that name.
struct AddressMapParams {
  std::uint32_t partitions = 8;  ///< memory partitions, 1..64, any number
  /// Bytes of one partition before the next one's turn, a power of two.
  std::uint64_t interleave_bytes = 256;
  bool partition_xor = false;      ///< the order of the partitions is hashed
  std::uint32_t banks = 16;        ///< DRAM banks of a channel, 1..64, a power of two
  std::uint64_t row_bytes = 2048;  ///< bytes of one DRAM row, a power of two
  bool bank_xor = true;            ///< bank index XOR low row bits
  DramOrder order = DramOrder::row_bank_column;

  void describe(Schema& schema);
  /// Checks the same limits again, for structs that code fills in without a Schema.
  void validate(Problems& problems) const;
};

struct DramCoordinates {
  BankId bank;
  std::uint32_t row = 0;     ///< modulo 2^32
  std::uint32_t column = 0;  ///< byte offset in the row
};

/// Chunks of `interleave_bytes` go to the partitions in turn. Within a partition the local
/// addresses are dense, and from the lowest bit up hold column, bank, row:
///
///   address = (chunk, offset), partition = chunk mod partitions
///   local   = (chunk div partitions, offset) = (row, bank, column), or with row_column_bank
///             (row, line of the row, bank, byte of the line)
///
/// With `partition_xor` round r of chunks starts at partition h(r): partition = (chunk + h(chunk
/// div partitions)) mod partitions, still one-to-one. With `bank_xor` the bank is exchanged for
/// bank XOR (row mod banks), so that addresses a multiple of banks * row_bytes apart do not all
/// meet in one bank; still one-to-one for a given row.
class AddressMap {
 public:
  /// Precondition: params.validate() finds no problem.
  explicit AddressMap(const AddressMapParams& params);
  PartitionId partition(Addr address) const;
  /// Returns the address within its partition. It is dense: partition p holds local addresses 0, 1,
  /// 2, ...
  Addr local(Addr address) const;
  /// Returns the inverse: the address whose partition and local address these are.
  Addr global(PartitionId partition, Addr local) const;
  /// Returns bank, row and column within the partition's channel.
  DramCoordinates dram(Addr address) const;

  unsigned partitions() const { return static_cast<unsigned>(partitions_); }
  unsigned banks() const { return banks_; }  ///< DRAM banks of a channel
  std::uint64_t interleave_bytes() const { return std::uint64_t{1} << interleave_bits_; }

 private:
  /// These are chunk div and chunk mod partitions, without a division where partitions is a power
  /// of two.
  Addr round_of(Addr chunk) const {
    return partition_bits_ >= 0 ? chunk >> partition_bits_ : chunk / partitions_;
  }
  std::uint64_t place_of(Addr chunk) const {
    return partition_bits_ >= 0 ? chunk & (partitions_ - 1) : chunk % partitions_;
  }
  std::uint64_t rotation(Addr round) const;

  std::uint64_t partitions_;
  int partition_bits_;  // log2 of partitions; -1: not a power of two
  std::uint32_t banks_;
  unsigned interleave_bits_;
  unsigned row_bits_;
  unsigned bank_bits_;
  bool bank_xor_;
  bool lines_over_banks_;  // row_column_bank
  bool partition_xor_;
};

}  // namespace warpmem
