// SPDX-License-Identifier: Apache-2.0
#include "app/kernel_selection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/errors.hpp"

namespace warpmem::app {
namespace {

using ::testing::HasSubstr;

TEST(KernelSelection, NumbersRangesAndNames) {
  KernelSelection selection("2, 4-5,name=gemm");
  EXPECT_FALSE(selection.all());
  const std::string other = "void other(float*)";
  EXPECT_FALSE(selection.selects(1, other));
  EXPECT_TRUE(selection.selects(2, other));
  EXPECT_FALSE(selection.selects(3, other));
  EXPECT_TRUE(selection.selects(4, other));
  EXPECT_TRUE(selection.selects(5, other));
  EXPECT_TRUE(selection.selects(6, "gemm(float*, float*)"));
  EXPECT_TRUE(selection.selects(7, "void gemm<float, 16>(float*)"));
  EXPECT_NO_THROW(selection.require_all_used());
}

TEST(KernelSelection, NothingGivenSelectsAll) {
  KernelSelection selection;
  EXPECT_TRUE(selection.all());
  EXPECT_TRUE(selection.selects(17, "f()"));
  EXPECT_NO_THROW(selection.require_all_used());
}

TEST(KernelSelection, AWholeNameWithCommas) {
  KernelSelection selection("name=void f<int, 2>(int*, int),3");
  EXPECT_TRUE(selection.selects(1, "void f<int, 2>(int*, int)"));
  EXPECT_FALSE(selection.selects(2, "void f<int, 3>(int*, int)"));
}

TEST(KernelSelection, MangledNames) {
  const std::string mangled = "_Z14forward_kernelIfEvPT_i";
  for (const char* text :
       {"name=forward_kernel", "name=forward_kernel<float>",
        "name=void forward_kernel<float>(float*, int)", "name=_Z14forward_kernelIfEvPT_i"})
    EXPECT_TRUE(KernelSelection(text).selects(1, mangled)) << text;
  EXPECT_FALSE(KernelSelection("name=forward").selects(1, mangled));
  EXPECT_TRUE(KernelSelection("name=f").selects(1, "f"));  // which is the type float, mangled
}

TEST(KernelSelection, PartsThatNoLaunchMatchedAreNamed) {
  KernelSelection selection("1,9,name=missing");
  EXPECT_TRUE(selection.selects(1, "first(int)"));
  EXPECT_FALSE(selection.selects(2, "second(int)"));
  try {
    selection.require_all_used();
    FAIL() << "accepted";
  } catch (const UserError& e) {
    EXPECT_THAT(e.what(), HasSubstr("'9', 'name=missing'"));
    EXPECT_THAT(e.what(), HasSubstr("2 launches, of first, second"));
  }
}

TEST(KernelSelection, BadPartsAreRefused) {
  for (const char* text :
       {"0", "x", "3-", "-3", "5-4", "name=", "1,,2", "1 2", "99999999999999999999"})
    EXPECT_THROW(KernelSelection{text}, UserError) << text;
}

TEST(KernelSelection, CtaLimit) {
  EXPECT_EQ(parse_cta_limit("12"), 12u);
  EXPECT_GT(parse_cta_limit(""), std::uint64_t(1) << 60);
  for (const char* text : {"0", "-1", "x", "1.5"}) EXPECT_THROW(parse_cta_limit(text), UserError);
}

}  // namespace
}  // namespace warpmem::app
