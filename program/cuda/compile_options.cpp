// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/compile_options.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/errors.hpp"

namespace warpmem::program::cuda {

namespace {

using Arguments = CompileArguments;

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts;
  std::string part;
  for (char c : text) {
    if (c == ',' || c == ' ') {
      if (!part.empty()) parts.push_back(part);
      part.clear();
    } else {
      part += c;
    }
  }
  if (!part.empty()) parts.push_back(part);
  return parts;
}

void append(std::vector<std::string>& to, std::initializer_list<std::string> what) {
  to.insert(to.end(), what);
}

// Makefiles quote once more than their shell takes away.
std::string unquoted(const std::string& word) {
  for (const std::string quote : {"\"", "'", "\\\"", "\\'"})
    if (word.size() >= 2 * quote.size() && word.rfind(quote, 0) == 0 &&
        word.compare(word.size() - quote.size(), quote.size(), quote) == 0)
      return word.substr(quote.size(), word.size() - 2 * quote.size());
  return word;
}

// This takes the operand of -Xcompiler: a list with commas, unless they belong to the one option in
// it.
void add_host_options(Arguments& a, const std::string& list) {
  if (list.rfind("-Wl,", 0) == 0) return add_host_option(a, list);
  for (const std::string& option : split_at_commas(list))
    if (const std::string plain = unquoted(option); !plain.empty()) add_host_option(a, plain);
}

// CUDA's own runtime libraries are in ours. Of its other libraries those that are there lie where
// programs of other linkers find them, too.
void add_library(Arguments& a, const std::string& name) {
  for (const char* ours : {"cudart", "cudart_static", "cudadevrt", "cuda", "culibos", "cutil",
                           "cutil_x86_64", "nvToolsExt"})
    if (name == ours) return;
  for (const char* foreign : {"cublasLt",
                              "cublasLt_static",
                              "cufftw",
                              "cusparse",
                              "cusparse_static",
                              "cusolver",
                              "cusolver_static",
                              "cudnn",
                              "nvrtc",
                              "nvgraph",
                              "nvjpeg",
                              "npp",
                              "nppc",
                              "nppi",
                              "nppial",
                              "nppicc",
                              "nppif",
                              "nppig",
                              "nppist",
                              "npps"})
    if (name == foreign)
      throw UserError("warpmem cc: -l" + name + ": this library of CUDA is not part of warpmem");
  a.inputs.push_back({"-l" + name, InputKind::object});
}

void add_folders(Arguments& a, const std::string& option, const std::string& list) {
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    if (end > at) a.include.emplace_back(option, list.substr(at, end - at));
    at = end + 1;
  }
}

// Returns the number behind sm_ or compute_, 0 when any will do. Throws UserError when the word is
// no architecture.
int architecture_number(const std::string& option, std::string word) {
  for (const char* key : {"arch=", "code="})
    if (word.rfind(key, 0) == 0) word.erase(0, std::string(key).size());
  const auto is_bracket = [](char c) {
    return c == '[' || c == ']' || c == '"' || c == '\'' || c == '\\';
  };
  word.erase(std::remove_if(word.begin(), word.end(), is_bracket), word.end());
  for (const char* any : {"native", "all", "all-major"})
    if (word == any) return 0;
  for (const std::string prefix : {"sm_", "compute_", "lto_"}) {
    if (word.rfind(prefix, 0) != 0) continue;
    const int number = std::atoi(word.c_str() + prefix.size());
    if (number > 0) return number;
  }
  throw UserError("warpmem cc: " + option + ": '" + word +
                  "' is no GPU architecture (sm_60, compute_70, ...)");
}

// The oldest architecture asked for decides: sm_70 has instructions that sm_60 lacks.
void add_architectures(Arguments& a, const std::string& text) {
  for (const std::string& part : split_at_commas(text)) {
    const int number = architecture_number(text, part);
    if (number == 0) continue;
    a.arch = std::max(60, a.arch == 0 ? number : std::min(a.arch, number));
  }
}

// Of the assembler's options only the cache of global loads has an effect.
void add_assembler_options(Arguments& a, const std::string& list) {
  for (const std::string& option : split_at_commas(list)) {
    const std::size_t equals = option.find('=');
    const std::string name = option.substr(0, equals);
    if (name != "-dlcm" && name != "--def-load-cache") continue;
    const std::string cache = equals == std::string::npos ? "" : option.substr(equals + 1);
    if (cache != "ca" && cache != "cg" && cache != "cv")
      throw UserError("warpmem cc: -Xptxas " + option + ": allowed: " + name + "=ca, =cg, =cv");
    a.past_l1 = cache != "ca";
  }
}

void use_fast_math(Arguments& a) {
  append(a.device,
         {"-fcuda-approx-transcendentals", "-fcuda-flush-denormals-to-zero", "-mllvm",
          "-nvptx-prec-divf32=0", "-mllvm", "-nvptx-prec-sqrtf32=0", "-D__USE_FAST_MATH__=1"});
}

void refuse_option(const std::string& option) {
  throw UserError("warpmem cc: " + option + ": not supported; programs have 64 bits");
}

// The headers need C++14, of which older programs are a part but for a literal like "a"F"b", which
// the driver lets pass.
std::string dialect(const std::string& asked) {
  for (const char* old : {"c++98", "c++03", "c++0x", "c++11"}) {
    if (asked == old) return "c++14";
    if (asked == "gnu" + std::string(old + 1)) return "gnu++14";
  }
  return asked;
}

// There is no machine code: what stands for it is the PTX text.
std::function<void(CompileArguments&, const std::string&)> ptx_as(const std::string& extension) {
  return [extension](Arguments& a, const std::string&) {
    a.stage = CompileStage::ptx;
    a.ptx_extension = extension;
  };
}

}  // namespace

const std::vector<Option>& options() {
  const auto none = Operand::none;
  const auto one = Operand::one;
  const auto stage = [](CompileStage s) {
    return [s](Arguments& a, const std::string&) { a.stage = s; };
  };
  static const std::vector<Option> kOptions = {
      {{"-c", "--compile"}, none, stage(CompileStage::object)},
      {{"-dc", "--device-c"},
       none,
       [](Arguments& a, const std::string&) {
         a.stage = CompileStage::object;
         a.relocatable = true;
       }},
      {{"-rdc", "--relocatable-device-code"},
       one,
       [](Arguments& a, const std::string& v) { a.relocatable = v == "true"; }},
      {{"-dlink", "--device-link"}, none, stage(CompileStage::device_link)},
      {{"-lib", "--lib"}, none, stage(CompileStage::library)},
      {{"-h", "--help"}, none, [](Arguments& a, const std::string&) { a.help = true; }},
      {{"--print-libdir"}, none, [](Arguments& a, const std::string&) { a.print_libdir = true; }},
      {{"--print-includedir"},
       none,
       [](Arguments& a, const std::string&) { a.print_incdir = true; }},
      {{"-ptx", "--ptx"}, none, ptx_as(".ptx")},
      {{"-cubin", "--cubin"}, none, ptx_as(".cubin")},
      {{"-fatbin", "--fatbin"}, none, ptx_as(".fatbin")},
      {{"-cuda", "--cuda"}, none, stage(CompileStage::host_source)},
      {{"-E", "--preprocess"}, none, stage(CompileStage::preprocess)},
      {{"-M", "--generate-dependencies"},
       none,
       [](Arguments& a, const std::string&) {
         a.stage = CompileStage::preprocess;
         a.host.emplace_back("-M");
       }},
      {{"-MM", "--generate-nonsystem-dependencies"},
       none,
       [](Arguments& a, const std::string&) {
         a.stage = CompileStage::preprocess;
         a.host.emplace_back("-MM");
       }},
      {{"-MF"},
       one,
       [](Arguments& a, const std::string& v) {
         append(a.host, {"-MF", v});
       }},
      {{"-MT"},
       one,
       [](Arguments& a, const std::string& v) {
         append(a.host, {"-MT", v});
       }},
      {{"-MQ"},
       one,
       [](Arguments& a, const std::string& v) {
         append(a.host, {"-MQ", v});
       }},
      {{"-odir", "--output-directory"},
       one,
       [](Arguments& a, const std::string& v) { a.output_folder = v; }},
      {{"-dryrun", "--dryrun"},
       none,
       [](Arguments& a, const std::string&) { a.dry_run = a.verbose = true; }},
      {{"-V", "--version"}, none, [](Arguments& a, const std::string&) { a.version = true; }},
      {{"-o", "--output-file"}, one, [](Arguments& a, const std::string& v) { a.output = v; }},
      {{"-I", "--include-path"},
       one,
       [](Arguments& a, const std::string& v) { add_folders(a, "-I", v); }},
      {{"-isystem", "--system-include"},
       one,
       [](Arguments& a, const std::string& v) { add_folders(a, "-isystem", v); }},
      {{"-include", "--pre-include"},
       one,
       [](Arguments& a, const std::string& v) {
         append(a.compile, {"-include", v});
       }},
      {{"-D", "--define-macro"},
       one,
       [](Arguments& a, const std::string& v) { a.compile.push_back("-D" + v); }},
      {{"-U", "--undefine-macro"},
       one,
       [](Arguments& a, const std::string& v) { a.compile.push_back("-U" + v); }},
      {{"-std", "--std"},
       one,
       [](Arguments& a, const std::string& v) { a.compile.push_back("-std=" + dialect(v)); }},
      {{"-O", "--optimize"},
       one,
       [](Arguments& a, const std::string& v) { a.host.push_back("-O" + v); }},
      {{"-L", "--library-path"},
       one,
       [](Arguments& a, const std::string& v) { a.link.push_back("-L" + v); }},
      {{"-l", "--library"}, one, add_library},
      {{"-Xcompiler", "--compiler-options"}, one, add_host_options},
      {{"-Xlinker", "--linker-options"},
       one,
       [](Arguments& a, const std::string& v) {
         for (const std::string& o : split_at_commas(v)) append(a.link, {"-Xlinker", o});
       }},
      {{"-arch", "--gpu-architecture", "-gencode", "--generate-code", "-code", "--gpu-code"},
       one,
       add_architectures},
      {{"-use_fast_math", "--use_fast_math"},
       none,
       [](Arguments& a, const std::string&) { use_fast_math(a); }},
      {{"-ftz", "--ftz"},
       one,
       [](Arguments& a, const std::string& v) {
         if (v == "true") a.device.emplace_back("-fcuda-flush-denormals-to-zero");
       }},
      {{"-prec-div", "--prec-div"},
       one,
       [](Arguments& a, const std::string& v) {
         if (v == "false") append(a.device, {"-mllvm", "-nvptx-prec-divf32=0"});
       }},
      {{"-prec-sqrt", "--prec-sqrt"},
       one,
       [](Arguments& a, const std::string& v) {
         if (v == "false") append(a.device, {"-mllvm", "-nvptx-prec-sqrtf32=0"});
       }},
      {{"-fmad", "--fmad"},
       one,
       [](Arguments& a, const std::string& v) {
         if (v == "false") a.device.emplace_back("-ffp-contract=off");
       }},
      {{"-g", "--debug"},
       none,
       [](Arguments& a, const std::string&) { a.host.emplace_back("-g"); }},
      {{"-pg", "--profile"},
       none,
       [](Arguments& a, const std::string&) {
         a.host.emplace_back("-pg"), a.link.emplace_back("-pg");
       }},
      {{"-w", "--disable-warnings"},
       none,
       [](Arguments& a, const std::string&) { a.compile.emplace_back("-w"); }},
      {{"-shared", "--shared"}, none, [](Arguments& a, const std::string&) { a.shared = true; }},
      {{"-keep", "--keep"}, none, [](Arguments& a, const std::string&) { a.keep = true; }},
      {{"-keep-dir", "--keep-dir"},
       one,
       [](Arguments& a, const std::string& v) { a.keep_folder = v; }},
      {{"-v", "--verbose"}, none, [](Arguments& a, const std::string&) { a.verbose = true; }},
      {{"-x", "--x"},
       one,
       [](Arguments& a, const std::string& v) { a.all_cuda = v == "cu" || v == "cuda"; }},
      {{"-m32"}, none, [](Arguments&, const std::string&) { refuse_option("-m32"); }},
      // These options have no effect here.
      {{"-G",
        "--device-debug",
        "-lineinfo",
        "--generate-line-info",
        "-m64",
        "-res-usage",
        "--resource-usage",
        "-expt-relaxed-constexpr",
        "--expt-relaxed-constexpr",
        "-expt-extended-lambda",
        "--expt-extended-lambda",
        "-extended-lambda",
        "--extended-lambda",
        "-extra-device-vectorization",
        "-src-in-ptx",
        "-restrict",
        "--restrict",
        "-Wno-deprecated-gpu-targets",
        "-allow-unsupported-compiler",
        "--allow-unsupported-compiler",
        "-Wno-deprecated-declarations",
        "-no-align-double",
        "--no-align-double",
        "-forward-unknown-to-host-compiler",
        "--forward-unknown-to-host-compiler",
        "-forward-unknown-to-host-linker",
        "--forward-unknown-to-host-linker",
        "-dlto",
        "--dlink-time-opt",
        "-ewp",
        "--extensible-whole-program",
        "-noprof",
        "--no-host-device-initializer-list",
        "--no-host-device-move-forward",
        "-err-no",
        "--display-error-number"},
       none,
       {}},
      {{"-Xptxas", "--ptxas-options"}, one, add_assembler_options},
      {{"-Xcudafe",
        "--cudafe-options",
        "-Xnvlink",
        "--nvlink-options",
        "-Xfatbin",
        "--fatbin-options",
        "-ccbin",
        "--compiler-bindir",
        "-maxrregcount",
        "--maxrregcount",
        "-cudart",
        "--cudart",
        "-machine",
        "--machine",
        "-default-stream",
        "--default-stream",
        "-threads",
        "--threads",
        "-t",
        "-diag-suppress",
        "--diag-suppress",
        "-Werror",
        "--Werror",
        "-Xarchive",
        "--archive-options",
        "-split-compile",
        "--split-compile",
        "-dopt"},
       one,
       {}},
  };
  return kOptions;
}

// With OpenMP the host part runs on one thread (clang's own runtime may not be installed); objects
// of other compilers find GCC's.
void add_host_option(CompileArguments& a, const std::string& option) {
  const auto starts = [&](const char* prefix) { return option.rfind(prefix, 0) == 0; };
  if (starts("-fopenmp")) {
    append(a.link, {"-Wl,--as-needed", "-lgomp"});
    return;
  }
  if (starts("-Wl,") || option == "-rdynamic" || starts("-L") || starts("-l")) {
    a.link.push_back(option);
    return;
  }
  a.host.push_back(option);
  if (option == "-pthread" || starts("-fsanitize")) a.link.push_back(option);
}

}  // namespace warpmem::program::cuda
