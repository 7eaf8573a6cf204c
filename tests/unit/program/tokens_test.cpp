// SPDX-License-Identifier: Apache-2.0
#include "program/trace/tokens.hpp"

#include <gtest/gtest.h>

namespace warpmem::program::trace {
namespace {

TEST(Tokens, HexadecimalNumbersAreAllOfTheText) {
  std::uint32_t value = 7;
  for (const auto& [text, number] : {std::pair<const char*, std::uint32_t>{"0", 0},
                                     {"00000000000000001f", 0x1f},
                                     {"ffffffff", 0xffffffff},
                                     {"0xAbCd", 0xabcd},
                                     {"0X1", 1}}) {
    EXPECT_TRUE(parse_hex(text, value)) << text;
    EXPECT_EQ(value, number) << text;
  }
  value = 7;
  for (const char* text : {"", "0x", "0x0x1", "-1", "+1", "g", "1 ", " 1", "100000000", "1\x80"})
    EXPECT_FALSE(parse_hex(text, value)) << text;
  EXPECT_EQ(value, 7u);  // as it was
  std::uint64_t wide = 0;
  EXPECT_TRUE(parse_hex("ffffffffffffffff", wide));
  EXPECT_EQ(wide, ~std::uint64_t(0));
  EXPECT_FALSE(parse_hex("10000000000000000", wide));
}

}  // namespace
}  // namespace warpmem::program::trace
