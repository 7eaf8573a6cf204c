// SPDX-License-Identifier: Apache-2.0
#include "base/address_map.hpp"

#include <string>

#include "base/assert.hpp"
#include "base/bit_set.hpp"
#include "base/params.hpp"
#include "base/quantity.hpp"

namespace warpmem {
namespace {

constexpr IntRange kPartitions{1, kMaxSlices};
constexpr IntRange kSlices{1, 32};
// A line must not straddle partitions or rows, so neither unit is smaller than the longest line.
constexpr IntRange kInterleave{kMaxLineBytes, 1u << 20, true};
constexpr IntRange kBanks{1, 64, true};
constexpr IntRange kRow{kMaxLineBytes, 1u << 20, true};

constexpr unsigned kLineBits = 7;
static_assert(1u << kLineBits == kMaxLineBytes);

unsigned log2_of(std::uint64_t v) {
  unsigned bits = 0;
  while ((v >> bits) > 1) ++bits;
  return bits;
}

std::vector<std::pair<std::string, AddressHash>> hash_names() {
  return {{"linear", AddressHash::linear},
          {"xor", AddressHash::xor_fold},
          {"polynomial", AddressHash::polynomial},
          {"xor_low", AddressHash::xor_low}};
}

void check(Problems& problems, const char* key, std::uint64_t value, const IntRange& range) {
  if (value >= range.min && value <= range.max && (!range.power_of_two || is_power_of_two(value)))
    return;
  problems.add(std::string("memory.") + key,
               std::to_string(value) + " is not allowed; allowed: " + std::to_string(range.min) +
                   ".." + std::to_string(range.max) +
                   (range.power_of_two ? ", a power of two" : ""));
}

}  // namespace

void AddressMapParams::describe(Schema& s) {
  s.integer("partitions", partitions, kPartitions,
            "memory partitions, each with a DRAM channel and the L2 banks before it; any number",
            "DL Table 2");
  s.size("interleave", interleave_bytes, kInterleave,
         "consecutive bytes that lie in one partition before the next one's turn",
         "GPGPU-Sim class, chosen");
  s.choice(
      "partition_hash", partition_hash, hash_names(),
      "where each round of partitions starts, so that strides of a power of two do not all "
      "meet in one partition: linear at the first, xor at the round's number XOR itself "
      "shifted by 3, 6, ... 27 bits, polynomial at its residue by an irreducible polynomial "
      "over GF(2); modulo the partitions. xor_low: a chunk lies in the partition of its number "
      "XOR its round's, for a power of two of partitions",
      "linear: as GPGPU-Sim's Fermi map; polynomial: Rau, ISCA 1991; xor_low: as the bitwise "
      "partition index of GPGPU-Sim 4");
  s.integer("banks", banks, kBanks, "DRAM banks of each channel", "mechanisms 1.5");
  s.size("row", row_bytes, kRow, "bytes of one DRAM row in a bank", "GDDR5 page of 2 KiB");
  s.choice("order", order,
           {{"row_bank_column", DramOrder::row_bank_column},
            {"row_column_bank", DramOrder::row_column_bank}},
           "order of an address's fields within its partition, from the highest bit down; "
           "memory.interleave says where the partition stands",
           "GPGPU-Sim class");
  s.flag("bank_xor", bank_xor,
         "the bank is the bank field of the address XOR the low bits of the row, against bank "
         "conflicts",
         "chosen");
}

void AddressMapParams::describe_slices(Schema& s) {
  s.integer("slices", slices, kSlices,
            "L2 banks of a memory partition, each with a port of the crossbar, MSHRs and a front "
            "end of its own; consecutive pieces of memory.interleave go to them in turn",
            "1: DL Table 2; 2 from GPGPU-Sim 3.2 on");
  s.only_if(
      "l2.slices > 1", [this] { return slices > 1; },
      [&] {
        s.choice("slice_hash", slice_hash, hash_names(),
                 "where each round of a partition's L2 slices starts, as memory.partition_hash",
                 "polynomial: Rau, ISCA 1991");
      });
}

void AddressMapParams::validate(Problems& problems) const {
  check(problems, "partitions", partitions, kPartitions);
  check(problems, "interleave", interleave_bytes, kInterleave);
  check(problems, "banks", banks, kBanks);
  check(problems, "row", row_bytes, kRow);
  const auto check_hash = [&](const char* key, AddressHash hash, std::uint32_t places,
                              const char* what) {
    if (hash == AddressHash::xor_low && !is_power_of_two(places))
      problems.add(key, "xor_low with " + std::to_string(places) + " in " + what +
                            "; allowed: linear, xor, polynomial, or a power of two in " + what);
  };
  check_hash("memory.partition_hash", partition_hash, partitions, "memory.partitions");
  check_hash("l2.slice_hash", slice_hash, slices, "l2.slices");
  if (slices < kSlices.min || slices > kSlices.max || partitions * slices > kMaxSlices)
    problems.add("l2.slices", std::to_string(slices) + " slices in each of memory.partitions " +
                                  std::to_string(partitions) + "; allowed: 1.." +
                                  std::to_string(kSlices.max) + ", and no more than " +
                                  std::to_string(kMaxSlices) + " in all");
}

Turns::Turns(std::uint32_t count, AddressHash hash)
    : count_(count),
      bits_(is_power_of_two(count) ? static_cast<int>(log2_of(count)) : -1),
      hash_(hash),
      polynomial_(count) {
  assert(count >= 1 && (hash != AddressHash::xor_low || is_power_of_two(count)));
}

Addr Turns::start(Addr round) const {
  switch (hash_) {
    case AddressHash::linear:
      return 0;
    case AddressHash::xor_fold: {
      Addr folded = round;
      for (unsigned shift = 3; shift < 30; shift += 3) folded ^= round >> shift;
      return folded;
    }
    case AddressHash::polynomial:
      return polynomial_(round);
    case AddressHash::xor_low:
      break;
  }
  return 0;
}

AddressMap::AddressMap(const AddressMapParams& params)
    : partitions_(params.partitions, params.partition_hash),
      slices_(params.slices, params.slice_hash),
      banks_(params.banks),
      interleave_bits_(log2_of(params.interleave_bytes)),
      row_bits_(log2_of(params.row_bytes)),
      bank_bits_(log2_of(params.banks)),
      bank_xor_(params.bank_xor),
      lines_over_banks_(params.order == DramOrder::row_column_bank) {
  assert(is_power_of_two(params.interleave_bytes) && is_power_of_two(banks_) &&
         is_power_of_two(params.row_bytes));
}

Addr AddressMap::global(PartitionId partition, Addr local) const {
  return with_offset(partitions_.number(partition.value, local >> interleave_bits_), local);
}

DramCoordinates AddressMap::dram(Addr address) const {
  const Addr in_partition = local(address);
  const Addr row = in_partition >> row_bits_ >> bank_bits_;
  const unsigned bank_at = lines_over_banks_ ? kLineBits : row_bits_;
  Addr bank = (in_partition >> bank_at) & (banks_ - 1);
  if (bank_xor_) bank ^= row & (banks_ - 1);
  DramCoordinates at;
  at.bank = BankId(static_cast<std::uint16_t>(bank));
  at.row = static_cast<std::uint32_t>(row);
  const Addr low = in_partition & ((Addr{1} << bank_at) - 1);
  const Addr above_bank = (in_partition >> bank_at >> bank_bits_) << bank_at;
  at.column = static_cast<std::uint32_t>((above_bank | low) & ((Addr{1} << row_bits_) - 1));
  return at;
}

}  // namespace warpmem
