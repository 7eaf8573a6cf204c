// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/register_syntax.hpp"

#include <gtest/gtest.h>

namespace warpmem::program::cuda {
namespace {

std::string escaped(const std::string& source) {
  return with_escaped_registers(source).value_or("as it is");
}

TEST(RegisterSyntax, OneSignBecomesTwo) {
  EXPECT_EQ(escaped("asm(\"mov.u32 %0, %laneid;\" : \"=r\"(r));"),
            "asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(r));");
  EXPECT_EQ(escaped("asm volatile (\"mov.u64 %0, %clock64;\"\n : \"=l\"(t) :: \"memory\");"),
            "asm volatile (\"mov.u64 %0, %%clock64;\"\n : \"=l\"(t) :: \"memory\");");
  EXPECT_EQ(escaped("__asm__ __volatile__(\"{ mad.u32 %0, %ctaid.x, %ntid.x, 1;\" \\\n \"}\":"
                    "\"=r\"(r));"),
            "__asm__ __volatile__(\"{ mad.u32 %0, %%ctaid.x, %%ntid.x, 1;\" \\\n \"}\":"
            "\"=r\"(r));");
  EXPECT_EQ(escaped("a(); asm(\"mov.u32 %0, %smid;\":\"=r\"(x)); asm(\"mov.u32 %0, %%smid;\":"
                    "\"=r\"(x)); b();"),
            "a(); asm(\"mov.u32 %0, %%smid;\":\"=r\"(x)); asm(\"mov.u32 %0, %%smid;\":"
            "\"=r\"(x)); b();");
}

TEST(RegisterSyntax, RegistersOfTheAssemblyItself) {
  EXPECT_EQ(escaped("asm(\"{ .reg .pred %p;\"\n\"setp.eq.u32 %p, %1, 0; selp.u16 %0, 1, 0, %p; }\""
                    " : \"=h\"(r) : \"r\"(s));"),
            "asm(\"{ .reg .pred %%p;\"\n\"setp.eq.u32 %%p, %1, 0; selp.u16 %0, 1, 0, %%p; }\""
            " : \"=h\"(r) : \"r\"(s));");
  EXPECT_EQ(escaped("asm(\"{ .reg .b32 %tmp_1; mov.b32 %tmp_1, %0; }\" :: \"r\"(s));"),
            "asm(\"{ .reg .b32 %%tmp_1; mov.b32 %%tmp_1, %0; }\" :: \"r\"(s));");
}

TEST(RegisterSyntax, AllElseStays) {
  for (const char* source :
       {"asm(\"mov.u32 r, %laneid;\");", "asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(r));",
        "asm(\"movl %k0, %1\" : \"=r\"(r) : \"r\"(s));", "printf(\"%tid %laneid\", a);",
        "// asm(\"mov.u32 %0, %laneid;\" : \"=r\"(r));", "masm(\"%laneid\" : x);",
        "asm(\"mov %c[a], %[b], %=;\" : [b] \"=r\"(r));", "const char* s = \"asm(%laneid:\";",
        "asm(\"unfinished %laneid"})
    EXPECT_EQ(escaped(source), "as it is") << source;
}

}  // namespace
}  // namespace warpmem::program::cuda
