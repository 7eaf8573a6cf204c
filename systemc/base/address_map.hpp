// SPDX-License-Identifier: Apache-2.0
// Where an address lives: memory partition (one DRAM channel), slice of its L2, DRAM bank, row and
// column. This is pure arithmetic, shared by the crossbar (slice), L2 (set index within the slice)
// and the DRAM channel (bank, row, column).
#pragma once

#include <cstdint>

#include "base/address_hash.hpp"
#include "base/errors.hpp"
#include "base/types.hpp"

namespace warpmem {

class Schema;

/// [begin, begin + bytes).
struct AddressRange {
  Addr begin = 0;
  std::uint64_t bytes = 0;
  bool empty() const { return bytes == 0; }
  bool contains(Addr address) const { return address - begin < bytes; }
};

/// The fields of an address within its partition, from the highest bit down.
enum class DramOrder : std::uint8_t {
  row_bank_column,  ///< a row's bytes are consecutive: a stream hits its row
  row_column_bank   ///< consecutive lines of kMaxLineBytes go to the banks in turn
};

/// Keys of the group "memory". The caller opens the group; problems are reported under that name.
struct AddressMapParams {
  std::uint32_t partitions = 8;  ///< memory partitions, 1..1024, any number
  /// Bytes of one partition before the next one's turn, a power of two.
  std::uint64_t interleave_bytes = 256;
  AddressHash partition_hash = AddressHash::linear;  ///< of the order of the partitions
  /// L2 slices of a partition, 1..32, any number; keys of the group "l2", as is the next.
  std::uint32_t slices = 1;
  AddressHash slice_hash = AddressHash::polynomial;  ///< of the order of a partition's slices
  std::uint32_t banks = 16;        ///< DRAM banks of a channel, 1..64, a power of two
  std::uint64_t row_bytes = 2048;  ///< bytes of one DRAM row, a power of two
  bool bank_xor = true;            ///< bank index XOR low row bits
  DramOrder order = DramOrder::row_bank_column;

  void describe(Schema& schema);
  /// The keys of the slices. The caller has opened the group "l2".
  void describe_slices(Schema& schema);
  /// Checks the same limits again, for structs that code fills in without a Schema.
  void validate(Problems& problems) const;
};

struct DramCoordinates {
  BankId bank;
  std::uint32_t row = 0;     ///< modulo 2^32
  std::uint32_t column = 0;  ///< byte offset in the row
};

/// Numbers dealt out to `count` places in turn, so that each place has the rounds 0, 1, 2, ... With
/// a hash h each round begins at a place of its own:
///
///   place = (number + h(number div count)) mod count, round = number div count
///
/// which is one-to-one whatever h is. With xor_low, for a power of two of places,
///
///   place = number mod count XOR round mod count
///
/// so that rounds go through the places in other orders. No division where the count is a power of
/// two.
class Turns {
 public:
  Turns(std::uint32_t count, AddressHash hash);

  std::uint64_t count() const { return count_; }
  std::uint64_t place(Addr number) const {
    if (hash_ == AddressHash::linear) return modulo(number);
    if (hash_ == AddressHash::xor_low) return modulo(number ^ round(number));
    return modulo(number + start(round(number)));
  }
  Addr round(Addr number) const { return bits_ >= 0 ? number >> bits_ : number / count_; }
  /// Returns the number whose place and round these are.
  Addr number(std::uint64_t place, Addr round) const {
    if (hash_ == AddressHash::xor_low) return round * count_ + modulo(place ^ round);
    return round * count_ + modulo(place + count_ - modulo(start(round)));
  }

 private:
  std::uint64_t modulo(Addr number) const {
    return bits_ >= 0 ? number & (count_ - 1) : number % count_;
  }
  /// Returns h(round). Precondition: not xor_low.
  Addr start(Addr round) const;

  std::uint64_t count_;
  int bits_;  // log2 of the count; -1: not a power of two
  AddressHash hash_;
  PolynomialHash polynomial_;
};

/// Chunks of `interleave_bytes` go to the partitions in turn, and those of a partition to its
/// slices in turn. Within a partition the local addresses are dense, and from the lowest bit up
/// hold column, bank, row:
///
///   address = (chunk, offset), partition = place of the chunk among the partitions
///   local   = (round of the chunk, offset) = (row, bank, column), or with row_column_bank
///             (row, line of the row, bank, byte of the line)
///   slice   = partition * slices + place of the round among the partition's slices
///   within the slice: (round of the round, offset), dense as well
///
/// With `bank_xor` the bank is exchanged for bank XOR (row mod banks), so that addresses a multiple
/// of banks * row_bytes apart do not all meet in one bank; still one-to-one for a given row.
class AddressMap {
 public:
  /// Precondition: params.validate() finds no problem.
  explicit AddressMap(const AddressMapParams& params);
  PartitionId partition(Addr address) const {
    return PartitionId(static_cast<std::uint16_t>(partitions_.place(address >> interleave_bits_)));
  }
  /// Returns the slice, counted over all partitions: those of partition p are p * slices_each(),
  /// ..., p * slices_each() + slices_each() - 1.
  SliceId slice(Addr address) const {
    const Addr chunk = address >> interleave_bits_;
    const std::uint64_t partition = partitions_.place(chunk);
    if (slices_.count() == 1) return SliceId(static_cast<std::uint16_t>(partition));
    return SliceId(static_cast<std::uint16_t>(partition * slices_.count() +
                                              slices_.place(partitions_.round(chunk))));
  }
  /// Returns the address within its partition. It is dense: partition p holds local addresses 0, 1,
  /// 2, ...
  Addr local(Addr address) const {
    return with_offset(partitions_.round(address >> interleave_bits_), address);
  }
  /// Returns the address within its slice, which is dense as well.
  Addr slice_local(Addr address) const {
    const Addr round = partitions_.round(address >> interleave_bits_);
    return with_offset(slices_.count() == 1 ? round : slices_.round(round), address);
  }
  /// Returns the inverse: the address whose partition and local address these are.
  Addr global(PartitionId partition, Addr local) const;
  /// Returns bank, row and column within the partition's channel.
  DramCoordinates dram(Addr address) const;

  unsigned partitions() const { return static_cast<unsigned>(partitions_.count()); }
  /// L2 slices of all partitions, and of one.
  unsigned slices() const { return partitions() * slices_each(); }
  unsigned slices_each() const { return static_cast<unsigned>(slices_.count()); }
  unsigned banks() const { return banks_; }  ///< DRAM banks of a channel
  std::uint64_t interleave_bytes() const { return std::uint64_t{1} << interleave_bits_; }

 private:
  Addr with_offset(Addr chunk, Addr address) const {
    return (chunk << interleave_bits_) | (address & ((Addr{1} << interleave_bits_) - 1));
  }

  Turns partitions_;
  Turns slices_;  // of one partition
  std::uint32_t banks_;
  unsigned interleave_bits_;
  unsigned row_bits_;
  unsigned bank_bits_;
  bool bank_xor_;
  bool lines_over_banks_;  // row_column_bank
};

}  // namespace warpmem
