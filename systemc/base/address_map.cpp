// SPDX-License-Identifier: Apache-2.0
#include "base/address_map.hpp"

#include <string>

#include "base/assert.hpp"
#include "base/params.hpp"

namespace warpmem {
namespace {

constexpr IntRange kPartitions{1, 64};
// A line must not straddle partitions or rows, so neither unit is smaller than the longest line.
constexpr IntRange kInterleave{kMaxLineBytes, 1u << 20, true};
constexpr IntRange kBanks{1, 64, true};
constexpr IntRange kRow{kMaxLineBytes, 1u << 20, true};

constexpr unsigned kLineBits = 7;
static_assert(1u << kLineBits == kMaxLineBytes);

bool is_power_of_two(std::uint64_t v) { return v != 0 && (v & (v - 1)) == 0; }

unsigned log2_of(std::uint64_t v) {
  unsigned bits = 0;
  while ((v >> bits) > 1) ++bits;
  return bits;
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
            "memory partitions, each with one L2 bank and one DRAM channel; any number",
            "DL Table 2");
  s.size("interleave", interleave_bytes, kInterleave,
         "consecutive bytes that lie in one partition before the next one's turn",
         "GPGPU-Sim class, chosen");
  s.flag("partition_xor", partition_xor,
         "each round of partitions starts at a place hashed from its number, so that strides of a "
         "power of two do not all meet in one partition",
         "off: as GPGPU-Sim's Fermi map");
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

void AddressMapParams::validate(Problems& problems) const {
  check(problems, "partitions", partitions, kPartitions);
  check(problems, "interleave", interleave_bytes, kInterleave);
  check(problems, "banks", banks, kBanks);
  check(problems, "row", row_bytes, kRow);
}

AddressMap::AddressMap(const AddressMapParams& params)
    : partitions_(params.partitions),
      partition_bits_(
          is_power_of_two(params.partitions) ? static_cast<int>(log2_of(params.partitions)) : -1),
      banks_(params.banks),
      interleave_bits_(log2_of(params.interleave_bytes)),
      row_bits_(log2_of(params.row_bytes)),
      bank_bits_(log2_of(params.banks)),
      bank_xor_(params.bank_xor),
      lines_over_banks_(params.order == DramOrder::row_column_bank),
      partition_xor_(params.partition_xor) {
  assert(partitions_ >= 1 && is_power_of_two(params.interleave_bytes) && is_power_of_two(banks_) &&
         is_power_of_two(params.row_bytes));
}

// Returns where round `round` of the chunks starts: its number's bits in groups of three, XORed.
std::uint64_t AddressMap::rotation(Addr round) const {
  if (!partition_xor_) return 0;
  Addr folded = round;
  for (unsigned shift = 3; shift < 30; shift += 3) folded ^= round >> shift;
  return place_of(folded);
}

PartitionId AddressMap::partition(Addr address) const {
  const Addr chunk = address >> interleave_bits_;
  return PartitionId(static_cast<std::uint16_t>(place_of(chunk + rotation(round_of(chunk)))));
}

Addr AddressMap::local(Addr address) const {
  const Addr offset = address & ((Addr{1} << interleave_bits_) - 1);
  return (round_of(address >> interleave_bits_) << interleave_bits_) | offset;
}

Addr AddressMap::global(PartitionId partition, Addr local) const {
  const Addr offset = local & ((Addr{1} << interleave_bits_) - 1);
  const Addr round = local >> interleave_bits_;
  const Addr place = (partition.value + partitions_ - rotation(round)) % partitions_;
  const Addr chunk = round * partitions_ + place;
  return (chunk << interleave_bits_) | offset;
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
