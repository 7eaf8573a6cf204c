// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/compile_arguments.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include "base/errors.hpp"
#include "program/cuda/options_file.hpp"

namespace warpmem::program::cuda {

namespace {

enum class Operand { none, one };

struct Option {
  std::vector<std::string> names;  // the operand follows, or is attached with =
  Operand operand;
  std::function<void(CompileArguments&, const std::string&)> act;  // empty: without effect
};

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

// With OpenMP the host part runs on one thread (clang's own runtime may not be installed); objects
// of other compilers find GCC's.
void add_host_option(Arguments& a, const std::string& option) {
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

// This takes the operand of -Xcompiler: a list with commas, unless they belong to the one option in
// it.
void add_host_options(Arguments& a, const std::string& list) {
  if (list.rfind("-Wl,", 0) == 0) return add_host_option(a, list);
  for (const std::string& option : split_at_commas(list)) add_host_option(a, option);
}

// CUDA's own runtime libraries are in ours; its mathematical libraries are nowhere.
void add_library(Arguments& a, const std::string& name) {
  for (const char* ours : {"cudart", "cudart_static", "cudadevrt", "cuda", "cutil", "cutil_x86_64"})
    if (name == ours) return;
  for (const char* foreign : {"cublas", "cublas_static", "cufft", "cufft_static", "curand",
                              "curand_static", "cusparse", "cusolver", "cudnn", "nvrtc", "npp"})
    if (name == foreign)
      throw UserError("warpmem cc: -l" + name + ": this library of CUDA is not part of warpmem");
  a.inputs.push_back({"-l" + name, InputKind::object});
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
    a.gpu_arch = number >= 70 && !a.old_arch ? "sm_70" : "sm_60";
    if (number < 70) a.old_arch = true;
  }
}

// Of the assembler's options only the cache of global loads has an effect.
void add_assembler_options(Arguments& a, const std::string& list) {
  for (const std::string& option : split_at_commas(list))
    if (option == "-dlcm=cg" || option == "--def-load-cache=cg" || option == "-dlcm=cv")
      a.past_l1 = true;
    else if (option == "-dlcm=ca" || option == "--def-load-cache=ca")
      a.past_l1 = false;
}

void use_fast_math(Arguments& a) {
  append(a.device,
         {"-fcuda-approx-transcendentals", "-fcuda-flush-denormals-to-zero", "-mllvm",
          "-nvptx-prec-divf32=0", "-mllvm", "-nvptx-prec-sqrtf32=0", "-D__USE_FAST_MATH__=1"});
}

void refuse(const std::string& option) {
  throw UserError("warpmem cc: " + option +
                  ": not supported; device code becomes PTX text inside "
                  "the object");
}

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
      {{"-ptx", "--ptx"}, none, stage(CompileStage::ptx)},
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
       [](Arguments& a, const std::string& v) {
         append(a.compile, {"-I", v});
       }},
      {{"-isystem", "--system-include"},
       one,
       [](Arguments& a, const std::string& v) {
         append(a.compile, {"-isystem", v});
       }},
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
       [](Arguments& a, const std::string& v) { a.compile.push_back("-std=" + v); }},
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
      {{"-v", "--verbose"}, none, [](Arguments& a, const std::string&) { a.verbose = true; }},
      {{"-x", "--x"},
       one,
       [](Arguments& a, const std::string& v) { a.all_cuda = v == "cu" || v == "cuda"; }},
      {{"-cubin", "--cubin"}, none, [](Arguments&, const std::string&) { refuse("-cubin"); }},
      {{"-fatbin", "--fatbin"}, none, [](Arguments&, const std::string&) { refuse("-fatbin"); }},
      {{"-m32"}, none, [](Arguments&, const std::string&) { refuse("-m32"); }},
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
        "-forward-unknown-to-host-compiler"},
       none,
       {}},
      {{"-Xptxas", "--ptxas-options"}, one, add_assembler_options},
      {{"-Xcudafe",
        "-Xnvlink",
        "--nvlink-options",
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
        "-keep-dir",
        "--keep-dir",
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

// The option an argument is, with its attached operand; {nullptr, ""} if it is none.
struct Match {
  const Option* option = nullptr;
  bool attached = false;
  std::string operand;
};

Match match(const std::string& argument) {
  const std::size_t equals = argument.find('=');
  for (const Option& o : options())
    for (const std::string& name : o.names) {
      if (argument == name) return {&o, false, ""};
      if (o.operand == Operand::one && equals == name.size() &&
          argument.compare(0, equals, name) == 0)
        return {&o, true, argument.substr(equals + 1)};
    }
  // These have one letter with the operand glued on.
  for (const char* letter : {"-I", "-D", "-U", "-O", "-L", "-l", "-o"})
    if (argument.rfind(letter, 0) == 0 && argument.size() > 2)
      for (const Option& o : options())
        if (o.names.front() == letter) return {&o, true, argument.substr(2)};
  return {};
}

// Options of the host compiler that people give nvcc, although it wants -Xcompiler before them.
bool looks_like_host_option(const std::string& argument) {
  for (const char* prefix : {"-f", "-W", "-m", "-pthread", "-pipe", "-ansi", "-pedantic", "-M"})
    if (argument.rfind(prefix, 0) == 0) return true;
  return false;
}

CompileInput classify(const std::string& path, bool all_cuda) {
  const std::string extension = std::filesystem::path(path).extension().string();
  const auto is = [&](std::initializer_list<const char*> list) {
    return std::any_of(list.begin(), list.end(), [&](const char* e) { return extension == e; });
  };
  if (is({".cu"}) || (all_cuda && is({".c", ".cpp", ".cc", ".cxx", ".C"})))
    return {path, InputKind::cuda};
  if (is({".cpp", ".cc", ".cxx", ".C", ".c++"})) return {path, InputKind::cpp};
  if (is({".c"})) return {path, InputKind::c};
  if (is({".o", ".obj", ".a", ".so"}) || path.find(".so.") != std::string::npos)
    return {path, InputKind::object};
  throw UserError("warpmem cc: " + path +
                  ": what is this? Known are .cu .cpp .cc .cxx .c .o .a .so");
}

}  // namespace

CompileArguments parse_compile_arguments(const std::vector<std::string>& given) {
  CompileArguments parsed;
  const std::vector<std::string> arguments = expand_files(given);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument.empty() || argument[0] != '-') {
      parsed.inputs.push_back({argument, InputKind::object});  // classified below, after -x
      continue;
    }
    const Match m = match(argument);
    if (m.option == nullptr) {
      if (!looks_like_host_option(argument))
        throw UserError("warpmem cc: " + argument + ": no such option");
      add_host_option(parsed, argument);
      continue;
    }
    std::string operand = m.operand;
    if (m.option->operand == Operand::one && !m.attached) {
      if (i + 1 == arguments.size())
        throw UserError("warpmem cc: " + argument + ": its operand is missing");
      operand = arguments[++i];
    }
    if (m.option->act) m.option->act(parsed, operand);
  }
  if (parsed.version || parsed.help || parsed.print_libdir || parsed.print_incdir) return parsed;
  std::size_t sources = 0;
  for (CompileInput& input : parsed.inputs) {
    if (input.path[0] == '-') continue;
    input = classify(input.path, parsed.all_cuda);
    if (input.kind != InputKind::object) ++sources;
  }
  if (parsed.inputs.empty()) throw UserError("warpmem cc: no input files");
  if (parsed.stage == CompileStage::library && parsed.output.empty())
    throw UserError("warpmem cc: -lib: -o LIBRARY is missing");
  if (parsed.stage == CompileStage::object || parsed.stage == CompileStage::ptx ||
      parsed.stage == CompileStage::preprocess) {
    if (sources == 0) throw UserError("warpmem cc: no source file to compile");
    if (sources > 1 && !parsed.output.empty() && parsed.stage != CompileStage::preprocess)
      throw UserError("warpmem cc: -o names one file, but " + std::to_string(sources) +
                      " sources are to be compiled");
  }
  return parsed;
}

std::string compile_help() {
  std::string with, without;
  for (const Option& o : options()) {
    std::string line = "  ";
    for (const std::string& name : o.names) line += (line.size() > 2 ? ", " : "") + name;
    line += o.operand == Operand::one ? " OPERAND\n" : "\n";
    if (o.act) {
      with += line;
    } else {
      for (const std::string& name : o.names)
        without += "  " + name + (o.operand == Operand::one ? " OPERAND\n" : "\n");
    }
  }
  return "warpmem cc: compiles CUDA programs; the command line is nvcc's\n\n"
         "  @FILE, -optf FILE: the words in FILE\n" +
         with +
         "\nOf -Xptxas only -dlcm=cg and -dlcm=ca have an effect: the cache of global loads.\n"
         "Options of the host compiler (-f... -W... -m... -pthread) go to it as they are.\n"
         "Accepted without effect:\n" +
         without;
}

}  // namespace warpmem::program::cuda
