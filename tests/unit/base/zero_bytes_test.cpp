// SPDX-License-Identifier: Apache-2.0
#include "base/zero_bytes.hpp"

#include <gtest/gtest.h>

#include <new>

namespace warpmem {
namespace {

TEST(ZeroBytes, AreZeroAndKeepWhatIsWritten) {
  constexpr std::size_t kCount = 5000;  // no multiple of a page
  ZeroBytes bytes(kCount);
  for (std::size_t i = 0; i < kCount; ++i) ASSERT_EQ(bytes.data()[i], 0) << i;
  bytes.data()[kCount - 1] = 7;
  ZeroBytes others(kCount);
  EXPECT_EQ(others.data()[kCount - 1], 0);
  EXPECT_EQ(bytes.data()[kCount - 1], 7);
}

TEST(ZeroBytes, TakeNothingBeforeTheyAreWritten) {
  ZeroBytes bytes(std::size_t(1) << 40);  // more than a host has
  bytes.data()[std::size_t(1) << 39] = 1;
  EXPECT_EQ(bytes.data()[0], 0);
}

TEST(ZeroBytes, NoneAndTooMany) {
  EXPECT_EQ(ZeroBytes().data(), nullptr);
  EXPECT_EQ(ZeroBytes(0).data(), nullptr);
  EXPECT_THROW(ZeroBytes(std::size_t(1) << 62), std::bad_alloc);
}

}  // namespace
}  // namespace warpmem
