// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/device_symbols.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmem::program::cuda {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(DeviceSymbols, WhatUnitsShareIsNamed) {
  const std::string text = device_symbols(
      ".version 6.4\n.target sm_60\n.address_size 64\n"
      ".extern .func (.param .b32 r) needed(.param .b32 p);\n"
      ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 v);\n"
      ".extern .func (.param .b32 r) cudaDeviceSynchronize();\n"
      ".extern .shared .align 4 .b8 dynamic[];\n"
      ".extern .global .align 4 .u32 counted;\n"
      ".visible .const .align 4 .u32 limit = 5;\n"
      ".weak .func inlined() { ret; }\n"
      ".func kept() { ret; }\n"
      ".func later();\n.visible .func later() { ret; }\n"
      ".visible .entry kernel() { ret; }\n");
  for (const char* name : {"needed", "counted"})
    EXPECT_THAT(text, HasSubstr("\t.quad \"" + std::string(name) + ".device\"\n"));
  for (const char* name : {"limit", "later"})
    EXPECT_THAT(text, HasSubstr("\t.globl \"" + std::string(name) + ".device\"\n"));
  EXPECT_THAT(text, HasSubstr("\t.weak \"inlined.device\"\n"));
  for (const char* name : {"vprintf", "cudaDeviceSynchronize", "dynamic", "kept", "kernel"})
    EXPECT_THAT(text, Not(HasSubstr(name)));
}

}  // namespace
}  // namespace warpmem::program::cuda
