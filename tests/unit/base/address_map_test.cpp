// SPDX-License-Identifier: Apache-2.0
#include "base/address_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "base/params.hpp"

namespace warpmem {
namespace {

AddressMapParams params(std::uint32_t partitions, std::uint64_t interleave = 256,
                        std::uint32_t banks = 16, std::uint64_t row = 2048, bool bank_xor = true) {
  AddressMapParams p;
  p.partitions = partitions;
  p.interleave_bytes = interleave;
  p.banks = banks;
  p.row_bytes = row;
  p.bank_xor = bank_xor;
  return p;
}

TEST(AddressMap, PartitionsTakeTurns) {
  const AddressMap map(params(6));
  EXPECT_EQ(map.partition(0).value, 0);
  EXPECT_EQ(map.partition(255).value, 0);
  EXPECT_EQ(map.partition(256).value, 1);
  EXPECT_EQ(map.partition(5 * 256).value, 5);
  EXPECT_EQ(map.partition(6 * 256).value, 0);
  EXPECT_EQ(map.local(6 * 256), 256u);
  EXPECT_EQ(map.local(6 * 256 + 7), 256u + 7);
}

// Every address has a (partition, local) of its own, and local addresses leave no gap.
TEST(AddressMap, LocalIsDenseAndInvertible) {
  for (const std::uint32_t partitions : {1u, 2u, 3u, 5u, 6u, 7u, 8u, 12u, 63u, 64u, 80u}) {
    for (const std::uint64_t interleave : {128u, 256u, 4096u}) {
      AddressMapParams p = params(partitions, interleave);
      p.partition_hash = interleave == 128   ? AddressHash::linear
                         : interleave == 256 ? AddressHash::xor_fold
                                             : AddressHash::polynomial;
      const AddressMap map(p);
      const Addr chunks = 4;
      std::vector<std::set<Addr>> seen(partitions);
      for (Addr a = 0; a < partitions * interleave * chunks; a += 32) {
        const PartitionId at = map.partition(a);
        ASSERT_LT(at.value, partitions);
        ASSERT_TRUE(seen[at.value].insert(map.local(a)).second) << a;
        ASSERT_EQ(map.global(at, map.local(a)), a);
      }
      for (const auto& locals : seen) {
        ASSERT_EQ(locals.size(), interleave * chunks / 32);
        ASSERT_EQ(*locals.begin(), 0u);
        ASSERT_EQ(*locals.rbegin(), interleave * chunks - 32);
      }
    }
  }
}

TEST(AddressMap, HashedPartitionsSpreadPowerOfTwoStrides) {
  for (const AddressHash hash :
       {AddressHash::linear, AddressHash::xor_fold, AddressHash::polynomial}) {
    AddressMapParams p = params(8);
    p.partition_hash = hash;
    const AddressMap map(p);
    for (const Addr stride : {2048u, 4096u, 8192u, 65536u}) {
      std::vector<unsigned> hits(8, 0);
      for (Addr i = 0; i < 4096; ++i) ++hits[map.partition(i * stride).value];
      if (hash == AddressHash::polynomial) {
        EXPECT_EQ(*std::max_element(hits.begin(), hits.end()), 4096u / 8) << stride;
      } else if (hash == AddressHash::xor_fold) {
        EXPECT_LT(*std::max_element(hits.begin(), hits.end()), 2 * 4096u / 8) << stride;
      } else {
        EXPECT_EQ(hits[0], 4096u);  // partition camping
      }
    }
  }
}

// With 80 partitions of 256 B chunks, by strides of powers of two and of whole rounds: linear meets
// few partitions, xor most, and polynomial all, none of them with more than a quarter above its
// share.
TEST(AddressMap, AnyNumberOfPartitionsIsBalanced) {
  for (const std::uint32_t partitions : {6u, 10u, 40u, 80u, 96u}) {
    AddressMapParams p = params(partitions);
    p.partition_hash = AddressHash::polynomial;
    const AddressMap map(p);
    for (Addr stride : {1u, 2u, 64u, 1024u, 80u, 96u, 160u, 480u, 4096u}) {
      std::vector<unsigned> hits(partitions, 0);
      for (Addr i = 0; i < Addr{partitions} * 256; ++i)
        ++hits[map.partition(i * stride * 256).value];
      EXPECT_LE(*std::max_element(hits.begin(), hits.end()), 256u * 5 / 4)
          << partitions << " partitions, stride " << stride;
    }
  }
}

// Four partitions: the numbers of the rounds, 0 to 4, are XORed in, without their higher bits.
TEST(AddressMap, XorOfTheLowBits) {
  AddressMapParams p = params(4);
  p.partition_hash = AddressHash::xor_low;
  const AddressMap map(p);
  const std::vector<unsigned> partitions{0, 1, 2, 3, 1, 0, 3, 2, 2, 3,
                                         0, 1, 3, 2, 1, 0, 0, 1, 2, 3};
  for (unsigned chunk = 0; chunk < partitions.size(); ++chunk) {
    EXPECT_EQ(map.partition(chunk * 256 + 9).value, partitions[chunk]) << chunk;
    EXPECT_EQ(map.local(chunk * 256 + 9), chunk / 4 * 256 + 9) << chunk;
  }
  // Strides of four rounds meet in one partition, strides of one round in none.
  EXPECT_EQ(map.partition(16 * 256 * 5).value, 0);
  EXPECT_EQ(map.partition(4 * 256 * 5).value, 1);
}

TEST(AddressMap, XorOfTheLowBitsIsOneToOne) {
  std::mt19937_64 random(8);
  for (int i = 0; i < 20000; ++i) {
    AddressMapParams p = params(1u << (random() % 11), Addr{128} << (random() % 10));
    p.partition_hash = p.slice_hash = AddressHash::xor_low;
    const AddressMap map(p);
    const Addr a = random() >> (random() % 40);
    ASSERT_EQ(map.global(map.partition(a), map.local(a)), a);
  }
  // Two partitions of four slices: the eight places have their chunks without a gap.
  AddressMapParams p = params(2);
  p.slices = 4;
  p.partition_hash = p.slice_hash = AddressHash::xor_low;
  const AddressMap map(p);
  std::set<std::pair<unsigned, Addr>> seen;
  for (Addr chunk = 0; chunk < 256; ++chunk) {
    ASSERT_LT(map.slice_local(chunk * 256), Addr{32} * 256);
    seen.insert({map.slice(chunk * 256).value, map.slice_local(chunk * 256)});
  }
  EXPECT_EQ(seen.size(), 256u);
}

TEST(AddressMap, XorOfTheLowBitsIsForPowersOfTwo) {
  AddressMapParams p = params(6);
  p.slices = 3;
  p.partition_hash = p.slice_hash = AddressHash::xor_low;
  Problems problems;
  p.validate(problems);
  ASSERT_EQ(problems.list().size(), 2u);
  EXPECT_EQ(problems.list()[0],
            "memory.partition_hash: xor_low with 6 in memory.partitions; allowed: linear, xor, "
            "polynomial, or a power of two in memory.partitions");
  EXPECT_EQ(problems.list()[1],
            "l2.slice_hash: xor_low with 3 in l2.slices; allowed: linear, xor, polynomial, or a "
            "power of two in l2.slices");
}

// Two partitions of two slices, chunks of 256 B, nothing hashed:
//
//   chunk             0  1  2  3  4  5  6  7
//   partition         0  1  0  1  0  1  0  1
//   slice             0  2  1  3  0  2  1  3
//   chunk in a slice  0  0  0  0  1  1  1  1
TEST(AddressMap, SlicesTakeTurnsWithinTheirPartition) {
  AddressMapParams p = params(2);
  p.slices = 2;
  p.slice_hash = AddressHash::linear;
  const AddressMap map(p);
  EXPECT_EQ(map.slices(), 4u);
  const std::vector<unsigned> slices{0, 2, 1, 3, 0, 2, 1, 3};
  for (unsigned chunk = 0; chunk < 8; ++chunk) {
    EXPECT_EQ(map.slice(chunk * 256 + 9).value, slices[chunk]) << chunk;
    EXPECT_EQ(map.slice(chunk * 256).value / 2, map.partition(chunk * 256).value) << chunk;
    EXPECT_EQ(map.slice_local(chunk * 256 + 9), chunk / 4 * 256 + 9) << chunk;
  }
}

// With two slices the residue is by x + 1, the parity: rounds 1 and 2 begin at slice 1.
TEST(AddressMap, HashedSlices) {
  AddressMapParams p = params(1);
  p.slices = 2;
  const AddressMap map(p);
  const std::vector<unsigned> slices{0, 1, 1, 0, 1, 0, 0, 1};
  for (unsigned chunk = 0; chunk < 8; ++chunk)
    EXPECT_EQ(map.slice(chunk * 256).value, slices[chunk]) << chunk;
}

TEST(AddressMap, OneSliceIsThePartition) {
  const AddressMap map(params(6));
  for (Addr a = 0; a < 100'000; a += 128) {
    ASSERT_EQ(map.slice(a).value, map.partition(a).value);
    ASSERT_EQ(map.slice_local(a), map.local(a));
  }
}

TEST(AddressMap, AddressesOfASliceAreDense) {
  for (const std::uint32_t partitions : {1u, 3u, 8u})
    for (const std::uint32_t slices : {2u, 3u, 4u, 5u})
      for (unsigned hash = 0; hash < 3; ++hash) {
        AddressMapParams p = params(partitions, 128);
        p.partition_hash = p.slice_hash = static_cast<AddressHash>(hash);
        p.slices = slices;
        const AddressMap map(p);
        const Addr chunks = 6;
        std::vector<std::set<Addr>> seen(map.slices());
        for (Addr a = 0; a < map.slices() * 128 * chunks; a += 32) {
          const SliceId at = map.slice(a);
          ASSERT_EQ(at.value / slices, map.partition(a).value);
          ASSERT_TRUE(seen[at.value].insert(map.slice_local(a)).second) << a;
        }
        for (const auto& locals : seen) {
          ASSERT_EQ(locals.size(), 128 * chunks / 32);
          ASSERT_EQ(*locals.rbegin(), 128 * chunks - 32);
        }
      }
}

// As 40 partitions of two slices, 32 of two, and 10 of eight: with both choices hashed no slice has
// more than a quarter above its share, whatever the stride.
TEST(AddressMap, SlicesAreBalanced) {
  for (const auto& [partitions, slices] : {std::pair{40u, 2u}, {32u, 2u}, {10u, 8u}, {5u, 3u}}) {
    AddressMapParams p = params(partitions);
    p.partition_hash = AddressHash::polynomial;
    p.slices = slices;
    const AddressMap map(p);
    for (Addr stride : {1u, 2u, 8u, 64u, 1024u, 40u, 80u, 160u, 4096u}) {
      std::vector<unsigned> hits(map.slices(), 0);
      for (Addr i = 0; i < Addr{map.slices()} * 256; ++i) ++hits[map.slice(i * stride * 256).value];
      EXPECT_LE(*std::max_element(hits.begin(), hits.end()), 256u * 5 / 4)
          << partitions << " x " << slices << ", stride " << stride;
    }
  }
}

TEST(AddressMap, TooManySlicesAreOneErrorWithBothKeys) {
  AddressMapParams p = params(64);
  p.slices = 17;
  Problems problems;
  p.validate(problems);
  ASSERT_EQ(problems.list().size(), 1u);
  EXPECT_EQ(
      problems.list()[0],
      "l2.slices: 17 slices in each of memory.partitions 64; allowed: 1..32, and no more than "
      "1024 in all");
}

TEST(AddressMap, RandomHighAddressesInvert) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    AddressMapParams p =
        params(1 + static_cast<std::uint32_t>(random() % 1024), Addr{128} << (random() % 10));
    p.partition_hash = static_cast<AddressHash>(i % 3);
    const AddressMap map(p);
    const Addr a = random() >> (random() % 40);
    ASSERT_EQ(map.global(map.partition(a), map.local(a)), a);
  }
}

TEST(AddressMap, BankRowColumn) {
  const AddressMap plain(params(1, 256, 4, 1024, false));
  const DramCoordinates at = plain.dram(((Addr{5} * 4 + 2) * 1024) + 100);
  EXPECT_EQ(at.row, 5u);
  EXPECT_EQ(at.bank.value, 2);
  EXPECT_EQ(at.column, 100u);
  const AddressMap mixed(params(1, 256, 4, 1024, true));
  EXPECT_EQ(mixed.dram(((Addr{5} * 4 + 2) * 1024) + 100).bank.value, 2 ^ (5 & 3));
}

// No two addresses of a partition share (bank, row, column), in either order of the fields, with
// and without the XOR.
TEST(AddressMap, DramCoordinatesAreUnique) {
  for (const DramOrder order : {DramOrder::row_bank_column, DramOrder::row_column_bank})
    for (const bool bank_xor : {false, true})
      for (const std::uint32_t banks : {1u, 4u, 16u}) {
        AddressMapParams p = params(3, 128, banks, 256, bank_xor);
        p.order = order;
        const AddressMap map(p);
        std::set<std::tuple<unsigned, unsigned, unsigned, unsigned>> seen;
        for (Addr a = 0; a < Addr{3} * 256 * banks * 20; a += 64) {
          const DramCoordinates at = map.dram(a);
          ASSERT_LT(at.bank.value, banks);
          ASSERT_LT(at.column, 256u);
          ASSERT_TRUE(
              seen.insert({map.partition(a).value, at.bank.value, at.row, at.column}).second);
        }
      }
}

TEST(AddressMap, LinesOverBanks) {
  AddressMapParams p = params(1, 256, 4, 1024, false);
  p.order = DramOrder::row_column_bank;
  const AddressMap map(p);
  // The address is row 5, line 3 of the row, bank 2, byte 100 of the line.
  const DramCoordinates at = map.dram(((Addr{5} * 8 + 3) * 4 + 2) * 128 + 100);
  EXPECT_EQ(at.row, 5u);
  EXPECT_EQ(at.bank.value, 2);
  EXPECT_EQ(at.column, 3u * 128 + 100);
}

// A stride of one whole row of all banks meets one bank without the XOR and all of them with it.
TEST(AddressMap, XorSpreadsPowerOfTwoStrides) {
  for (const bool bank_xor : {false, true}) {
    const AddressMap map(params(1, 256, 16, 2048, bank_xor));
    std::map<unsigned, int> hits;
    for (Addr i = 0; i < 256; ++i) ++hits[map.dram(i * 16 * 2048).bank.value];
    if (bank_xor) {
      ASSERT_EQ(hits.size(), 16u);
      for (const auto& [bank, count] : hits) EXPECT_EQ(count, 16) << bank;
    } else {
      EXPECT_EQ(hits.size(), 1u);
    }
  }
}

TEST(AddressMap, SpreadIsUniform) {
  for (const std::uint32_t partitions : {6u, 8u, 11u}) {
    const AddressMap map(params(partitions));
    std::map<std::pair<unsigned, unsigned>, int> hits;
    const int per_bank = 40;
    const Addr lines = Addr{partitions} * 16 * (2048 / 128) * per_bank;
    for (Addr i = 0; i < lines; ++i)
      ++hits[{map.partition(i * 128).value, map.dram(i * 128).bank.value}];
    ASSERT_EQ(hits.size(), partitions * 16u);
    for (const auto& [where, count] : hits) EXPECT_EQ(count, per_bank * 2048 / 128) << where.second;
  }
}

// One bank and one partition still work: every bit field may be empty.
TEST(AddressMap, SmallestMachine) {
  const AddressMap map(params(1, 128, 1, 128));
  const DramCoordinates at = map.dram(128 * 9 + 5);
  EXPECT_EQ(at.bank.value, 0);
  EXPECT_EQ(at.row, 9u);
  EXPECT_EQ(at.column, 5u);
}

TEST(AddressMap, DescribesItself) {
  AddressMapParams p;
  Schema schema;
  schema.group("memory", "where an address lives", [&] { p.describe(schema); });
  ASSERT_EQ(schema.params().size(), 7u);
  EXPECT_EQ(schema.find("memory.interleave")->set("1 KiB"), "");
  EXPECT_EQ(p.interleave_bytes, 1024u);
  EXPECT_EQ(schema.find("memory.banks")->set("12"),
            "12 is not a power of two; allowed: 1..64, a power of two");
  EXPECT_EQ(schema.find("memory.partitions")->set("1025"),
            "1025 is out of range; allowed: 1..1024");
}

TEST(AddressMap, ValidateNamesWhatIsAllowed) {
  Problems good;
  AddressMapParams().validate(good);
  EXPECT_TRUE(good.empty());
  Problems bad;
  params(0, 100, 12, 64).validate(bad);
  ASSERT_EQ(bad.list().size(), 4u);
  EXPECT_EQ(bad.list()[0], "memory.partitions: 0 is not allowed; allowed: 1..1024");
  EXPECT_EQ(bad.list()[2], "memory.banks: 12 is not allowed; allowed: 1..64, a power of two");
}

}  // namespace
}  // namespace warpmem
