// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/compile_options.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "base/errors.hpp"
#include "program/cuda/cuda_libraries.hpp"
#include "program/cuda/host_options.hpp"
#include "program/cuda/word_list.hpp"

namespace warpmem::program::cuda {

namespace {

using Arguments = CompileArguments;
using Act = std::function<void(Arguments&, const std::string&)>;

void append(std::vector<std::string>& to, std::initializer_list<std::string> what) {
  to.insert(to.end(), what);
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
  for (const std::string& part : split_words(text)) {
    const int number = architecture_number(text, part);
    if (number == 0) continue;
    a.arch = std::max(60, a.arch == 0 ? number : std::min(a.arch, number));
  }
}

// Of the assembler's options only the cache of global loads has an effect.
void add_assembler_options(Arguments& a, const std::string& list) {
  for (const std::string& option : split_words(list)) {
    const std::size_t equals = option.find('=');
    const std::string name = option.substr(0, equals);
    if (name != "-dlcm" && name != "--def-load-cache") continue;
    const std::string cache = equals == std::string::npos ? "" : option.substr(equals + 1);
    if (cache != "ca" && cache != "cg" && cache != "cv")
      throw UserError("warpmem cc: -Xptxas " + option + ": allowed: " + name + "=ca, =cg, =cv");
    a.past_l1 = cache != "ca";
  }
}

bool truth(const std::string& option, const std::string& word) {
  if (word != "true" && word != "false")
    throw UserError("warpmem cc: " + option + "=" + word + ": allowed: true, false");
  return word == "true";
}

// An option of floating-point code, true or false.
Act sets(const std::string& option, std::optional<bool> DeviceMath::*part) {
  return [option, part](Arguments& a, const std::string& v) { a.math.*part = truth(option, v); };
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

void take_language(Arguments& a, const std::string& name) {
  if (name == "cu" || name == "cuda") {
    a.language = InputKind::cuda;
  } else if (name == "c++") {
    a.language = InputKind::cpp;
  } else if (name == "c") {
    a.language = InputKind::c;
  } else {
    throw UserError("warpmem cc: -x " + name + ": allowed: cu, c++, c");
  }
}

Act to_compiler(const std::string& option) {
  return [option](Arguments& a, const std::string& v) { a.compile.push_back(option + v); };
}

// A macro that says of which option CUDA sources are compiled with.
Act cuda_macro(const std::string& name) {
  return [name](Arguments& a, const std::string&) { a.cuda.push_back("-D" + name + "=1"); };
}

Act take_dependencies(const std::string& option) {
  return [option](Arguments& a, const std::string&) {
    a.host.push_back(option);
    a.dependencies_beside = true;
  };
}

// There is one default stream; the macro is what programs and libraries look at.
void take_default_stream(Arguments& a, const std::string& name) {
  if (name == "per-thread") {
    a.cuda.emplace_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
  } else if (name != "legacy" && name != "null") {
    throw UserError("warpmem cc: -default-stream " + name + ": allowed: legacy, null, per-thread");
  }
}

// There is no machine code: what stands for it is the PTX text.
Act ptx_as(const std::string& extension) {
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
       [](Arguments& a, const std::string& v) { a.relocatable = truth("-rdc", v); }},
      {{"-dw", "--device-w"}, none, stage(CompileStage::object)},
      {{"-link"}, none, stage(CompileStage::link)},
      {{"-run"}, none, [](Arguments& a, const std::string&) { a.run = true; }},
      {{"-run-args"},
       one,
       [](Arguments& a, const std::string& v) {
         for (std::string& word : split_words(v)) a.run_arguments.push_back(std::move(word));
       }},
      {{"-clean", "--clean-targets"},
       none,
       [](Arguments& a, const std::string&) { a.clean = true; }},
      {{"-dlink", "--device-link"}, none, stage(CompileStage::device_link)},
      {{"-lib"}, none, stage(CompileStage::library)},
      {{"-h", "--help"}, none, [](Arguments& a, const std::string&) { a.help = true; }},
      {{"-arch-ls", "--list-gpu-arch"},
       none,
       [](Arguments& a, const std::string&) { a.list_prefix = "compute_"; }},
      {{"-code-ls", "--list-gpu-code"},
       none,
       [](Arguments& a, const std::string&) { a.list_prefix = "sm_"; }},
      {{"--print-libdir"}, none, [](Arguments& a, const std::string&) { a.print_libdir = true; }},
      {{"--print-includedir"},
       none,
       [](Arguments& a, const std::string&) { a.print_incdir = true; }},
      {{"-ptx"}, none, ptx_as(".ptx")},
      {{"-cubin"}, none, ptx_as(".cubin")},
      {{"-fatbin"}, none, ptx_as(".fatbin")},
      {{"-cuda"}, none, stage(CompileStage::host_source)},
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
      {{"-MD", "--generate-dependencies-with-compile"}, none, take_dependencies("-MD")},
      {{"-MMD", "--generate-nonsystem-dependencies-with-compile"}, none, take_dependencies("-MMD")},
      {{"-MP", "--generate-dependency-targets"},
       none,
       [](Arguments& a, const std::string&) { a.host.emplace_back("-MP"); }},
      {{"-MF", "--dependency-output"},
       one,
       [](Arguments& a, const std::string& v) { a.dependency_file = v; }},
      {{"-MT", "--dependency-target-name"},
       one,
       [](Arguments& a, const std::string& v) {
         append(a.dependency_targets, {"-MT", v});
       }},
      {{"-MQ"},
       one,
       [](Arguments& a, const std::string& v) {
         append(a.dependency_targets, {"-MQ", v});
       }},
      {{"-odir", "--output-directory"},
       one,
       [](Arguments& a, const std::string& v) { a.output_folder = v; }},
      {{"-dryrun"}, none, [](Arguments& a, const std::string&) { a.dry_run = a.verbose = true; }},
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
      {{"-D", "--define-macro"}, one, to_compiler("-D")},
      {{"-U", "--undefine-macro"}, one, to_compiler("-U")},
      {{"-std"},
       one,
       [](Arguments& a, const std::string& v) { a.compile.push_back("-std=" + dialect(v)); }},
      {{"-O", "--optimize"},
       one,
       [](Arguments& a, const std::string& v) { a.host.push_back("-O" + v); }},
      {{"-L", "--library-path"},
       one,
       [](Arguments& a, const std::string& v) { a.link.push_back("-L" + v); }},
      {{"-l", "--library"},
       one,
       [](Arguments& a, const std::string& v) {
         if (const auto library = linked_library(v))
           a.inputs.push_back({"-l" + *library, InputKind::object});
       }},
      {{"-Xcompiler", "--compiler-options"},
       one,
       [](Arguments& a, const std::string& v) {
         for (std::string& word : host_words(v)) a.host_words.push_back(std::move(word));
       }},
      {{"-Xlinker", "--linker-options"},
       one,
       [](Arguments& a, const std::string& v) {
         for (const std::string& o : split_words(v)) append(a.link, {"-Xlinker", o});
       }},
      {{"-arch", "--gpu-architecture", "-gencode", "--generate-code", "-code", "--gpu-code"},
       one,
       add_architectures},
      {{"-use_fast_math"}, none, [](Arguments& a, const std::string&) { a.math.fast = true; }},
      {{"-ftz"}, one, sets("-ftz", &DeviceMath::flush_denormals)},
      {{"-prec-div"}, one, sets("-prec-div", &DeviceMath::exact_division)},
      {{"-prec-sqrt"}, one, sets("-prec-sqrt", &DeviceMath::exact_root)},
      {{"-fmad"}, one, sets("-fmad", &DeviceMath::contract)},
      {{"-Xptxas", "--ptxas-options"}, one, add_assembler_options},
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
      {{"-G", "--device-debug"}, none, cuda_macro("__CUDACC_DEBUG__")},
      {{"-expt-relaxed-constexpr"}, none, cuda_macro("__CUDACC_RELAXED_CONSTEXPR__")},
      {{"-extended-lambda", "-expt-extended-lambda"},
       none,
       cuda_macro("__CUDACC_EXTENDED_LAMBDA__")},
      {{"-ewp", "--extensible-whole-program"}, none, cuda_macro("__CUDACC_EWP__")},
      {{"-default-stream"}, one, take_default_stream},
      {{"-noeh", "--no-exceptions"},
       none,
       [](Arguments& a, const std::string&) { a.host.emplace_back("-fno-exceptions"); }},
      {{"-ftemplate-depth"}, one, to_compiler("-ftemplate-depth=")},
      {{"-ftemplate-backtrace-limit"}, one, to_compiler("-ftemplate-backtrace-limit=")},
      {{"-shared"}, none, [](Arguments& a, const std::string&) { a.shared = true; }},
      {{"-keep", "-save-temps"}, none, [](Arguments& a, const std::string&) { a.keep = true; }},
      {{"-keep-dir"}, one, [](Arguments& a, const std::string& v) { a.keep_folder = v; }},
      {{"-v", "--verbose"}, none, [](Arguments& a, const std::string&) { a.verbose = true; }},
      {{"-x"}, one, take_language},
  };
  return kOptions;
}

}  // namespace warpmem::program::cuda
