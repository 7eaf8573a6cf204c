// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/errors.hpp"
#include "program/cuda/compile_arguments.hpp"
#include "support/scratch_folder.hpp"

namespace warpmem::program::cuda {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;
using testing::UnorderedElementsAre;

std::string error_of(const std::vector<std::string>& arguments) {
  try {
    parse_compile_arguments(arguments);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(CompileArguments, PlainLink) {
  const auto a = parse_compile_arguments({"app.cu"});
  EXPECT_EQ(a.stage, CompileStage::link);
  EXPECT_EQ(a.output, "");
  EXPECT_EQ(a.arch, 0);
  ASSERT_EQ(a.inputs.size(), 1u);
  EXPECT_EQ(a.inputs[0].kind, InputKind::cuda);
}

TEST(CompileArguments, OperandsAttachedAndApart) {
  const auto a = parse_compile_arguments({"-Ione", "-I", "two", "--include-path=three", "-DA=1",
                                          "-D", "B", "-UC", "-std=c++17", "-oout", "x.cu"});
  EXPECT_THAT(a.compile, ElementsAre("-DA=1", "-DB", "-UC", "-std=c++17"));
  EXPECT_THAT(a.include, ElementsAre(Pair("-I", "one"), Pair("-I", "two"), Pair("-I", "three")));
  EXPECT_EQ(a.output, "out");
}

TEST(CompileArguments, InputsKeepTheirOrderWithLibraries) {
  const auto a =
      parse_compile_arguments({"a.o", "-lfirst", "b.cpp", "-L/lib", "-l", "second", "c.a", "d.c"});
  ASSERT_EQ(a.inputs.size(), 6u);
  EXPECT_EQ(a.inputs[1].path, "-lfirst");
  EXPECT_EQ(a.inputs[2].kind, InputKind::cpp);
  EXPECT_EQ(a.inputs[3].path, "-lsecond");
  EXPECT_EQ(a.inputs[5].kind, InputKind::c);
  EXPECT_THAT(a.link, ElementsAre("-L/lib"));
}

TEST(CompileArguments, CudaLibrariesAreOurs) {
  const auto a = parse_compile_arguments({"x.cu", "-lcudart", "-lcudadevrt", "-lcuda", "-lm"});
  ASSERT_EQ(a.inputs.size(), 2u);
  EXPECT_EQ(a.inputs[1].path, "-lm");
}

TEST(CompileArguments, Architectures) {
  const auto arch = [](std::vector<std::string> options) {
    options.push_back("x.cu");
    return parse_compile_arguments(options).arch;
  };
  EXPECT_EQ(arch({"-arch=sm_35"}), 60);
  EXPECT_EQ(arch({"-arch", "sm_70"}), 70);
  EXPECT_EQ(arch({"--gpu-architecture=compute_86"}), 86);
  EXPECT_EQ(arch({"-gencode", "arch=compute_80,code=sm_80"}), 80);
  EXPECT_EQ(arch({"-gencode", "arch=compute_35,code=sm_35", "-gencode=arch=compute_70,code=sm_70"}),
            60);
  EXPECT_EQ(arch({"-gencode=arch=compute_70,code=sm_70", "-gencode", "arch=compute_35,code=sm_35"}),
            60);
  EXPECT_EQ(arch({"-gencode", "arch=compute_90,code=sm_90", "-gencode=arch=compute_75,code=sm_75"}),
            75);
  EXPECT_EQ(arch({"-arch=sm_90a"}), 90);
  for (const char* any : {"-arch=native", "-arch=all", "-arch=all-major"})
    EXPECT_EQ(arch({any}), 0);
}

TEST(CompileArguments, ArchitecturesInQuotesAndBrackets) {
  EXPECT_EQ(
      parse_compile_arguments({"-gencode=arch=compute_70,code=\\\"sm_70,compute_70\\\"", "x.cu"})
          .arch,
      70);
  EXPECT_EQ(
      parse_compile_arguments({"-gencode", "arch=compute_35,code=[sm_35,sm_37]", "x.cu"}).arch, 60);
  EXPECT_THAT(error_of({"-arch=volta", "x.cu"}), HasSubstr("'volta' is no GPU architecture"));
  EXPECT_THAT(error_of({"-gencode", "arch=sm70", "x.cu"}), HasSubstr("'sm70'"));
}

TEST(CompileArguments, SeparateDeviceCompilation) {
  EXPECT_TRUE(parse_compile_arguments({"-dc", "x.cu"}).relocatable);
  EXPECT_EQ(parse_compile_arguments({"-dc", "x.cu"}).stage, CompileStage::object);
  EXPECT_TRUE(parse_compile_arguments({"-rdc=true", "x.cu"}).relocatable);
  EXPECT_FALSE(parse_compile_arguments({"-rdc", "false", "x.cu"}).relocatable);
  EXPECT_EQ(parse_compile_arguments({"-dlink", "a.o", "b.o"}).stage, CompileStage::device_link);
  EXPECT_THAT(error_of({"-lib", "a.o"}), HasSubstr("-o LIBRARY"));
}

TEST(CompileArguments, WordsFromFiles) {
  const test::ScratchFolder folder;
  const std::string path = folder / "arguments.options";
  std::ofstream(path) << "-DA=1 '-DB=two words'\n  -Idir\n";
  EXPECT_THAT(parse_compile_arguments({"@" + path, "x.cu"}).compile,
              ElementsAre("-DA=1", "-DB=two words"));
  EXPECT_THAT(parse_compile_arguments({"--options-file", path, "x.cu"}).compile, Contains("-DA=1"));
  EXPECT_THAT(error_of({"@/nowhere"}), HasSubstr("/nowhere"));
}

TEST(CompileArguments, WordsOfTheEnvironment) {
  setenv("NVCC_PREPEND_FLAGS", "-DA=1 '-DB=two words'", 1);
  setenv("NVCC_APPEND_FLAGS", "-arch=sm_80", 1);
  const auto a = parse_compile_arguments({"-DC", "x.cu"});
  EXPECT_THAT(a.compile, ElementsAre("-DA=1", "-DB=two words", "-DC"));
  EXPECT_EQ(a.arch, 80);
}

TEST(CompileArguments, CacheOfGlobalLoads) {
  EXPECT_TRUE(parse_compile_arguments({"-Xptxas", "-v,-dlcm=cg", "x.cu"}).past_l1);
  EXPECT_TRUE(parse_compile_arguments({"--ptxas-options=-dlcm=cg", "x.cu"}).past_l1);
  EXPECT_FALSE(parse_compile_arguments({"-Xptxas", "-dlcm=ca", "x.cu"}).past_l1);
  EXPECT_FALSE(parse_compile_arguments({"-Xptxas", "-v", "x.cu"}).past_l1);
  EXPECT_THAT(error_of({"-Xptxas", "-dlcm=zz", "x.cu"}), HasSubstr("=ca, =cg, =cv"));
  EXPECT_THAT(error_of({"-Xptxas", "-dlcm", "x.cu"}), HasSubstr("-dlcm=ca"));
}

TEST(CompileArguments, HelpNamesWhatHasNoEffect) {
  const std::string help = compile_help();
  const std::string without = help.substr(help.find("without effect"));
  EXPECT_THAT(without, HasSubstr("-maxrregcount"));
  EXPECT_THAT(without, HasSubstr("-lineinfo"));
  EXPECT_THAT(without, Not(HasSubstr("--gpu-architecture")));
}

TEST(CompileArguments, LibrariesThatAreMissingHere) {
  EXPECT_THAT(error_of({"x.cu", "-lcusparse"}), HasSubstr("-lcusparse"));
  EXPECT_THAT(error_of({"x.cu", "-lnppc_static"}), HasSubstr("-lnppc_static"));
  EXPECT_EQ(parse_compile_arguments({"x.cu", "-lcublas"}).inputs[1].path, "-lcublas");
  EXPECT_EQ(parse_compile_arguments({"x.cu", "-lcufft_static_nocallback"}).inputs[1].path,
            "-lcufft");
  EXPECT_EQ(parse_compile_arguments({"x.cu", "-lmy_static"}).inputs[1].path, "-lmy_static");
}

TEST(CompileArguments, FoldersOfHeadersKeepTheirOrderAndKind) {
  const auto a = parse_compile_arguments({"-isystem=a", "-I", "b,c", "-isystem", "d", "x.cu"});
  EXPECT_THAT(a.include, ElementsAre(Pair("-isystem", "a"), Pair("-I", "b"), Pair("-I", "c"),
                                     Pair("-isystem", "d")));
}

TEST(CompileArguments, OldDialectsAreTheOldestThatTheHeadersTake) {
  const auto dialect = [](const std::string& option) {
    return parse_compile_arguments({option, "x.cu"}).compile.at(0);
  };
  EXPECT_EQ(dialect("-std=c++03"), "-std=c++14");
  EXPECT_EQ(dialect("-std=gnu++98"), "-std=gnu++14");
  EXPECT_EQ(dialect("-std=c++11"), "-std=c++14");
  EXPECT_EQ(dialect("-std=c++17"), "-std=c++17");
}

TEST(CompileArguments, MachineCodeIsPtx) {
  EXPECT_EQ(parse_compile_arguments({"-cubin", "x.cu"}).stage, CompileStage::ptx);
  EXPECT_EQ(parse_compile_arguments({"-cubin", "x.cu"}).ptx_extension, ".cubin");
  EXPECT_EQ(parse_compile_arguments({"--fatbin", "x.cu"}).ptx_extension, ".fatbin");
  EXPECT_EQ(parse_compile_arguments({"-ptx", "x.cu"}).ptx_extension, ".ptx");
  EXPECT_EQ(parse_compile_arguments({"-cuda", "x.cu"}).stage, CompileStage::host_source);
}

TEST(CompileArguments, QuotesOfMakefiles) {
  EXPECT_THAT(parse_compile_arguments({"-Xcompiler", "\\\"-O3\\\",'-Wall'", "x.cu"}).host,
              ElementsAre("-O3", "-Wall"));
}

TEST(CompileArguments, HostCompilerOptions) {
  const auto a = parse_compile_arguments({"-O3", "-Xcompiler", "-Wall,-fPIC", "-Xcompiler=-march=x",
                                          "-Xcompiler", "-Wl,-rpath,/here", "-fno-inline", "x.cu",
                                          "--compiler-options", "-pthread -g"});
  EXPECT_THAT(a.host,
              ElementsAre("-O3", "-Wall", "-fPIC", "-march=x", "-fno-inline", "-pthread", "-g"));
  EXPECT_THAT(a.link, ElementsAre("-Wl,-rpath,/here", "-pthread"));
}

TEST(CompileArguments, OpenMpOnlyLinks) {
  const auto a = parse_compile_arguments({"-Xcompiler", "-fopenmp", "x.cu"});
  EXPECT_THAT(a.host, IsEmpty());
  EXPECT_THAT(a.link, IsEmpty());
  EXPECT_THAT(a.link_after, Contains("-lgomp"));
}

TEST(CompileArguments, FastMathIsForTheDevice) {
  const auto math = [](std::vector<std::string> options) {
    options.push_back("x.cu");
    return clang_options(parse_compile_arguments(options).math);
  };
  EXPECT_THAT(math({}), IsEmpty());
  const auto fast = math({"--use_fast_math", "-fmad=false"});
  EXPECT_THAT(fast, Contains("-fcuda-approx-transcendentals"));
  EXPECT_THAT(fast, Contains("-ffp-contract=off"));
  // clang takes each of its options for the back end once.
  EXPECT_THAT(math({"-use_fast_math", "-use_fast_math", "-prec-sqrt=false", "--prec-div=false"}),
              UnorderedElementsAre("-fcuda-approx-transcendentals", "-D__USE_FAST_MATH__=1",
                                   "-fcuda-flush-denormals-to-zero", "-mllvm",
                                   "-nvptx-prec-divf32=0", "-DWARPMEM_APPROXIMATE_ROOT=1"));
  EXPECT_THAT(math({"-use_fast_math", "-prec-sqrt=true", "-ftz=false", "-prec-div", "true"}),
              ElementsAre("-fcuda-approx-transcendentals", "-D__USE_FAST_MATH__=1"));
  EXPECT_THAT(error_of({"-ftz=maybe", "x.cu"}), HasSubstr("-ftz=maybe: allowed: true, false"));
}

TEST(CompileArguments, PreprocessorOptionsOfTheHostAreForBothParts) {
  const auto a = parse_compile_arguments({"-Xcompiler", "-DA=1,-UB", "-Xcompiler", "-Ione -I two",
                                          "-Xcompiler=-include,first.h", "-Xcompiler", "-D",
                                          "-Xcompiler", "C", "-Xcompiler=-std=c++11", "x.cu"});
  EXPECT_THAT(a.compile, ElementsAre("-DA=1", "-UB", "-include", "first.h", "-DC", "-std=c++14"));
  EXPECT_THAT(a.include, ElementsAre(Pair("-I", "one"), Pair("-I", "two")));
  EXPECT_THAT(a.host, IsEmpty());
  EXPECT_THAT(error_of({"-Xcompiler", "-D", "x.cu"}), HasSubstr("-D: its operand is missing"));
}

TEST(CompileArguments, StepsByName) {
  EXPECT_EQ(parse_compile_arguments({"-link", "x.o"}).inputs.size(), 1u);
  EXPECT_EQ(parse_compile_arguments({"-lto", "-objtemp", "x.cu"}).output, "");
  EXPECT_EQ(parse_compile_arguments({"-dw", "x.cu"}).stage, CompileStage::object);
  EXPECT_TRUE(parse_compile_arguments({"--save-temps", "x.cu"}).keep);
  EXPECT_TRUE(parse_compile_arguments({"-clean", "x.cu"}).clean);
  const auto a = parse_compile_arguments({"-run", "--run-args", "1,two", "x.cu"});
  EXPECT_TRUE(a.run);
  EXPECT_THAT(a.run_arguments, ElementsAre("1", "two"));
  EXPECT_THAT(parse_compile_arguments({"-ftemplate-depth", "1000", "x.cu"}).compile,
              ElementsAre("-ftemplate-depth=1000"));
}

TEST(CompileArguments, MacrosOfOptions) {
  const auto a = parse_compile_arguments({"--expt-extended-lambda", "-expt-relaxed-constexpr", "-G",
                                          "-default-stream=per-thread", "x.cu"});
  EXPECT_THAT(a.cuda,
              ElementsAre("-D__CUDACC_EXTENDED_LAMBDA__=1", "-D__CUDACC_RELAXED_CONSTEXPR__=1",
                          "-D__CUDACC_DEBUG__=1", "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1"));
  EXPECT_THAT(error_of({"-default-stream", "none", "x.cu"}), HasSubstr("legacy, null, per-thread"));
}

TEST(CompileArguments, OptionsWithoutEffectTakeTheirOperands) {
  const auto a =
      parse_compile_arguments({"-Xptxas", "-v", "-ccbin", "g++", "-maxrregcount=32", "-rdc=true",
                               "-lineinfo", "-G", "-m64", "--expt-extended-lambda", "-c", "x.cu"});
  EXPECT_EQ(a.stage, CompileStage::object);
  EXPECT_EQ(a.inputs.size(), 1u);
  // Fewer registers would let more blocks share an SM, so that who asks for them is told.
  EXPECT_THAT(a.notes, ElementsAre(HasSubstr("-maxrregcount=32 has no effect")));
}

TEST(CompileArguments, ForeignExtensionsAsCuda) {
  const auto a = parse_compile_arguments({"-x", "cu", "a.cpp", "b.c", "c.o"});
  EXPECT_EQ(a.inputs[0].kind, InputKind::cuda);
  EXPECT_EQ(a.inputs[1].kind, InputKind::cuda);
  EXPECT_EQ(a.inputs[2].kind, InputKind::object);
  EXPECT_EQ(parse_compile_arguments({"-x", "c++", "a.cu"}).inputs[0].kind, InputKind::cpp);
  EXPECT_THAT(error_of({"-x", "fortran", "a.cu"}), HasSubstr("-x fortran: allowed: cu, c++, c"));
}

TEST(CompileArguments, Mistakes) {
  EXPECT_THAT(error_of({}), HasSubstr("no input"));
  EXPECT_THAT(error_of({"x.cu", "-o"}), HasSubstr("-o: its operand is missing"));
  EXPECT_THAT(error_of({"x.cu", "--nonsense"}), HasSubstr("--nonsense: no such option"));
  EXPECT_THAT(error_of({"x.txt"}), HasSubstr("x.txt: what is this?"));
  EXPECT_THAT(error_of({"-c", "a.cu", "b.cu", "-o", "c.o"}), HasSubstr("-o names one file"));
  EXPECT_THAT(error_of({"-c", "a.o"}), HasSubstr("no source file"));
  EXPECT_THAT(error_of({"-m32", "a.cu"}), HasSubstr("-m32: not supported"));
  EXPECT_THAT(error_of({"-time", "t.csv", "a.cu"}), HasSubstr("-time: not supported: no table"));
  EXPECT_THAT(error_of({"-rdc=yes", "a.cu"}), HasSubstr("-rdc=yes: allowed: true, false"));
}

}  // namespace
}  // namespace warpmem::program::cuda
