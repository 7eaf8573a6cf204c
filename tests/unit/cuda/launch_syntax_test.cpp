// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/launch_syntax.hpp"

#include <gtest/gtest.h>

#include "base/text_file.hpp"
#include "support/scratch_folder.hpp"

namespace warpmem::program::cuda {
namespace {

std::string joined(const std::string& source) {
  return with_joined_launches(source).value_or("as it is");
}

TEST(LaunchSyntax, BracketsComeTogether) {
  EXPECT_EQ(joined("k << <g, b>> >(x);"), "k <<< g, b>>> (x);");
  EXPECT_EQ(joined("k < < < 1, 2 > > >(x);"), "k <<<   1, 2 >>>  (x);");
  EXPECT_EQ(joined("k<<\n<1, f(a > b) >>>(x);"), "k<<<\n1, f(a > b) >>>(x);");
  EXPECT_EQ(joined("k << <n>>1, dim3(A<B>::v)>> >();"), "k <<< n>>1, dim3(A<B>::v)>>> ();");
}

TEST(LaunchSyntax, AllElseStays) {
  for (const char* source :
       {"k<<<g, b>>>(x);", "// k << <g, b>> >(x)", "/* k << <g, b>> > */", "\"k << <g, b>> >\"",
        "R\"x(k << <g, b>> >)x\"", "std::ostream& operator<< <int>(std::ostream&, A<B<C>> >);",
        "std::vector<std::vector<std::vector<int> > > v;", "a << b < c; d >> e > f;",
        "char c = '<'; int n = 1'000; k<<<1, 1>>>();"})
    EXPECT_EQ(joined(source), "as it is") << source;
}

TEST(LaunchSyntax, LengthAndLinesStay) {
  const std::string source = "a << <1,\n 2>> >();\nb << < 3, 4 >> >();\n";
  const std::string result = joined(source);
  EXPECT_EQ(result.size(), source.size());
  EXPECT_EQ(result, "a <<< 1,\n 2>>> ();\nb <<<  3, 4 >>> ();\n");
}

TEST(LaunchSyntax, FilesThatASourceIncludes) {
  const test::ScratchFolder folder;
  for (const char* name : {"part", "system/cuda/std", "system/other"})
    std::filesystem::create_directories(folder / name);
  write_text(folder / "a.cu",
             "#include \"b.cuh\"\n # include \"c.h\"\n#include <d.h>\n#include <e.h>\n"
             "#include <cuda/atomic>\n#include <other/f.h>\n#include <cut\n#include \n");
  write_text(folder / "b.cuh", "#include \"a.cu\"\n#include \"nowhere.h\"\n");
  write_text(folder / "part/c.h", "");
  write_text(folder / "d.h", "");  // angled names are not looked for beside the source
  write_text(folder / "part/e.h", "");
  write_text(folder / "system/cuda/atomic", "#include \"std/detail\"\n");
  write_text(folder / "system/cuda/std/detail", "");
  write_text(folder / "system/other/f.h", "");
  std::vector<std::string> names;
  for (const auto& file : included_files(folder / "a.cu", {folder / "part"}, folder / "system"))
    names.push_back(file.filename().string());
  EXPECT_EQ(names, (std::vector<std::string>{"a.cu", "b.cuh", "c.h", "e.h", "atomic", "detail"}));
}

}  // namespace
}  // namespace warpmem::program::cuda
