// SPDX-License-Identifier: Apache-2.0
#include "base/memory_image.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

namespace warpmem {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(MemoryImage, UnwrittenBytesReadAsZero) {
  MemoryImage image;
  std::array<std::uint8_t, 64> out;
  out.fill(0xee);
  image.read(4096 - 32, 64, out.data());
  EXPECT_THAT(out, Each(0));
  EXPECT_THAT(image.take_written_pages(), IsEmpty()) << "reading allocates nothing";
}

TEST(MemoryImage, ByteEnablesChooseTheBytes) {
  MemoryImage image;
  const std::array<std::uint8_t, 4> in = {1, 2, 3, 4};
  const std::array<std::uint8_t, 4> enable = {0xff, 0, 0, 0xff};
  image.write(100, 4, in.data(), enable.data());
  std::array<std::uint8_t, 4> out;
  image.read(100, 4, out.data());
  EXPECT_THAT(out, ElementsAre(1, 0, 0, 4));
}

TEST(MemoryImage, WrittenPagesAreTakenOnceAndInOrder) {
  MemoryImage image;
  const std::uint8_t byte = 1;
  for (const Addr a : {Addr(9000), Addr(100), Addr(9001), Addr(0x2000'0000'0000)})
    image.write(a, 1, &byte);
  EXPECT_THAT(image.take_written_pages(), ElementsAre(0, 8192, 0x2000'0000'0000));
  EXPECT_THAT(image.take_written_pages(), IsEmpty());
  image.write(8192, 1, &byte);
  EXPECT_THAT(image.take_written_pages(), ElementsAre(8192));
}

TEST(MemoryImage, RandomAccessesAgreeWithAMapOfBytes) {
  MemoryImage image;
  std::map<Addr, std::uint8_t> reference;
  std::mt19937 random(7);
  for (int n = 0; n < 5000; ++n) {
    const Addr address = random() % (5 * MemoryImage::kPageBytes);
    const unsigned bytes = 1 + random() % 200;
    std::vector<std::uint8_t> data(bytes), enable(bytes);
    if (random() % 2 != 0) {
      const bool masked = random() % 2 != 0;
      for (unsigned i = 0; i < bytes; ++i) {
        data[i] = static_cast<std::uint8_t>(random());
        enable[i] = random() % 2 != 0 ? 0xff : 0;
        if (!masked || enable[i] != 0) reference[address + i] = data[i];
      }
      image.write(address, bytes, data.data(), masked ? enable.data() : nullptr);
    } else {
      image.read(address, bytes, data.data());
      for (unsigned i = 0; i < bytes; ++i) {
        const auto it = reference.find(address + i);
        ASSERT_EQ(data[i], it == reference.end() ? 0 : it->second) << address + i;
      }
    }
  }
}

}  // namespace
}  // namespace warpmem
