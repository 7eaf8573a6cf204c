// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/device_link.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/errors.hpp"
#include "program/ptx/module.hpp"

namespace warpmem::program::cuda {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kHead = ".version 6.4\n.target sm_60\n.address_size 64\n";
const std::string kTwice =
    ".visible .func (.param .b32 r) twice(.param .b32 p) {\n"
    "  .reg .b32 %r<3>;\n"
    "  .loc 1 7 0\n"
    "  ld.param.b32 %r1, [p]; add.s32 %r2, %r1, %r1; st.param.b32 [r], %r2; ret;\n}\n";
const std::string kCaller =
    ".extern .func (.param .b32 r) twice(.param .b32 p);\n"
    ".extern .global .align 4 .u32 total;\n"
    ".visible .entry kernel() {\n"
    "  .reg .b32 %r<3>; .reg .b64 %d<2>;\n"
    "  .loc 1 3 0\n"
    "  { .param .b32 a; st.param.b32 [a], 21; .param .b32 b;\n"
    "    call.uni (b), twice, (a); ld.param.b32 %r1, [b]; }\n"
    "  mov.u64 %d1, total; st.global.u32 [%d1], %r1; ret;\n}\n";

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(DeviceLink, DeclarationsMeetDefinitions) {
  const std::string a =
      kHead + ".visible .global .align 4 .u32 total = 5;\n" + kTwice + ".file 1 \"a.cu\"\n";
  const std::string b = kHead + kCaller + ".file 1 \"b.cu\"\n";
  for (const auto& [first, second] : {std::pair(a, b), std::pair(b, a)}) {
    const std::string linked = link_device_code({first, second}, {"a", "b"});
    EXPECT_THAT(linked, Not(HasSubstr(".extern")));
    EXPECT_EQ(count(linked, ".version"), 1u);
    EXPECT_THAT(linked, HasSubstr(".file 2 "));
    EXPECT_THAT(linked, HasSubstr(".loc 2 "));
    const ptx::Module module(linked, "linked");
    EXPECT_NE(module.find_entry("kernel"), nullptr);
    ASSERT_NE(module.find_variable("total"), nullptr);
    EXPECT_EQ(module.find_variable("total")->bytes, 4u);
  }
}

TEST(DeviceLink, WhatAUnitKeepsToItselfStaysApart) {
  const std::string a = kHead +
                        ".global .align 1 .b8 text[2] = {65, 0}; // one }\n"
                        ".visible .global .u64 first = text;\n";
  const std::string b = kHead +
                        ".global .align 1 .b8 text[3] = {66, 66, 0};\n"
                        ".visible .global .u64 second = text;\n";
  const ptx::Module module(link_device_code({a, b}, {"a", "b"}), "linked");
  ASSERT_NE(module.find_variable("text"), nullptr);
  ASSERT_NE(module.find_variable("text$unit1"), nullptr);
  EXPECT_EQ(module.find_variable("text")->bytes, 2u);
  EXPECT_EQ(module.find_variable("text$unit1")->bytes, 3u);
}

TEST(DeviceLink, AStaticVariableOfTheHostHasOneName) {
  const std::string unit = kHead +
                           ".extern .global .align 4 .u32 _ZL1x;\n"
                           ".visible .global .align 4 .u32 _ZL1x__static__0a1b = 3;\n"
                           ".extern .global .align 4 .u32 _ZL1xy;\n"
                           ".visible .entry k() { .reg .b64 %d<3>; mov.u64 %d1, _ZL1x; "
                           "mov.u64 %d2, _ZL1xy; ret; }\n";
  const std::string renamed = with_one_name(unit);
  EXPECT_EQ(count(renamed, "_ZL1x__static__0a1b"), 2u);
  EXPECT_EQ(count(renamed, "_ZL1xy"), 2u);
  EXPECT_EQ(count(renamed, ".extern"), 1u);
  const std::string other = kHead + kCaller;
  EXPECT_EQ(with_one_name(other), other);
}

TEST(DeviceLink, WeakDefinitionsOccurOnce) {
  const std::string weak = kHead +
                           ".weak .func shared_code() { ret; }\n"
                           ".extern .shared .align 4 .b8 dynamic[];\n";
  const std::string linked = link_device_code({weak, weak, weak}, {"a", "b", "c"});
  EXPECT_EQ(count(linked, "shared_code"), 1u);
  EXPECT_EQ(count(linked, "dynamic"), 1u);
}

TEST(DeviceLink, TwoDefinitionsAreAnError) {
  const std::string text = kHead + kTwice;
  try {
    link_device_code({text, text}, {"one.cu", "two.cu"});
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("twice is defined in one.cu and in two.cu"));
  }
}

TEST(DeviceLink, SectionsOfDebuggersAreLeftOut) {
  const std::string text = kHead +
                           ".visible .entry k() { ret; }\n"
                           "\t.section .debug_loc { .b8 1 }\n.file 1 \"a.cu\"\n";
  EXPECT_THAT(link_device_code({text}, {"a"}), Not(HasSubstr("debug_loc")));
}

}  // namespace
}  // namespace warpmem::program::cuda
