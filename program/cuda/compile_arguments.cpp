// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/compile_arguments.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "base/errors.hpp"
#include "base/output_file.hpp"
#include "program/cuda/command_words.hpp"
#include "program/cuda/compile_options.hpp"
#include "program/cuda/host_options.hpp"
#include "program/cuda/other_options.hpp"

namespace warpmem::program::cuda {

namespace {

// The option an argument is, with its attached operand; {nullptr, ""} if it is none.
struct Match {
  const Option* option = nullptr;
  bool attached = false;
  std::string operand;
};

// Any but a letter may have one dash or two.
bool same_name(std::string_view given, std::string_view name) {
  if (given == name) return true;
  for (std::string_view* word : {&given, &name})
    word->remove_prefix(std::min(word->find_first_not_of('-'), word->size()));
  return given == name && name.size() > 1;
}

Match match(const std::string& argument) {
  const std::size_t equals = argument.find('=');
  const std::string_view before = std::string_view(argument).substr(0, equals);
  for (const auto* table : {&options(), &options_without_effect(), &refused_options()})
    for (const Option& o : *table)
      for (const std::string& name : o.names) {
        if (same_name(argument, name)) return {&o, false, ""};
        if (o.operand == Operand::one && equals != std::string::npos && same_name(before, name))
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

CompileInput classify(const std::string& path, const std::optional<InputKind>& language) {
  const std::string extension = std::filesystem::path(path).extension().string();
  const auto is = [&](std::initializer_list<const char*> list) {
    return std::any_of(list.begin(), list.end(), [&](const char* e) { return extension == e; });
  };
  if (is({".o", ".obj", ".a", ".so"}) || path.find(".so.") != std::string::npos)
    return {path, InputKind::object};
  if (language) return {path, *language};
  if (is({".cu"})) return {path, InputKind::cuda};
  if (is({".cpp", ".cc", ".cxx", ".C", ".c++"})) return {path, InputKind::cpp};
  if (is({".c"})) return {path, InputKind::c};
  throw UserError("warpmem cc: " + path +
                  ": what is this? Known are .cu .cpp .cc .cxx .c .o .a .so");
}

// Takes the option at `at`, and its operand there or behind it.
void take(CompileArguments& parsed, const Match& m, const std::vector<std::string>& arguments,
          std::size_t& at) {
  std::string operand = m.operand;
  if (m.option->operand == Operand::one && !m.attached) {
    if (at + 1 == arguments.size())
      throw UserError("warpmem cc: " + arguments[at] + ": its operand is missing");
    operand = arguments[++at];
  }
  if (m.option->act) m.option->act(parsed, operand);
}

// The host compiler is the preprocessor of both parts: what -Xcompiler says to it is as if nvcc had
// been told. The words may have come one by one.
void take_host_words(CompileArguments& parsed) {
  const auto of_preprocessor = [](const Option& o) {
    for (const char* name : {"-D", "-U", "-I", "-isystem", "-include", "-std", "-L", "-l"})
      if (o.names.front() == name) return true;
    return false;
  };
  const std::vector<std::string> words = std::move(parsed.host_words);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Match m = match(words[i]);
    if (m.option != nullptr && of_preprocessor(*m.option)) {
      take(parsed, m, words, i);
    } else {
      add_host_option(parsed, words[i]);
    }
  }
}

}  // namespace

CompileArguments parse_compile_arguments(const std::vector<std::string>& given) {
  CompileArguments parsed;
  const std::vector<std::string> arguments = all_words(given);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument.empty() || argument[0] != '-') {
      parsed.inputs.push_back({argument, InputKind::object});  // classified below, after -x
      continue;
    }
    const Match m = match(argument);
    if (m.option != nullptr) {
      take(parsed, m, arguments, i);
      continue;
    }
    if (!looks_like_host_option(argument))
      throw UserError("warpmem cc: " + argument + ": no such option");
    parsed.host_words.push_back(argument);
  }
  take_host_words(parsed);
  if (parsed.version || parsed.help || parsed.print_libdir || parsed.print_incdir ||
      !parsed.list_prefix.empty())
    return parsed;
  std::size_t sources = 0;
  for (CompileInput& input : parsed.inputs) {
    if (input.path[0] == '-') continue;
    input = classify(input.path, parsed.language);
    if (input.kind != InputKind::object) ++sources;
  }
  if (parsed.inputs.empty()) throw UserError("warpmem cc: no input files");
  for (const CompileInput& input : parsed.inputs)
    if (input.path[0] != '-') check_apart({parsed.output}, {input.path});
  if (parsed.stage == CompileStage::library && parsed.output.empty())
    throw UserError("warpmem cc: -lib: -o LIBRARY is missing");
  if (parsed.stage == CompileStage::object || parsed.stage == CompileStage::ptx ||
      parsed.stage == CompileStage::host_source || parsed.stage == CompileStage::preprocess) {
    if (sources == 0) throw UserError("warpmem cc: no source file to compile");
    if (sources > 1 && !parsed.output.empty() && parsed.stage != CompileStage::preprocess)
      throw UserError("warpmem cc: -o names one file, but " + std::to_string(sources) +
                      " sources are to be compiled");
  }
  return parsed;
}

std::string compile_help() {
  const auto lines = [](const std::vector<Option>& table) {
    std::string text;
    for (const Option& o : table) {
      std::string line;
      for (const std::string& name : o.names) line += (line.empty() ? "  " : ", ") + name;
      text += line + (o.operand == Operand::one ? " OPERAND\n" : "\n");
    }
    return text;
  };
  return "warpmem cc: compiles CUDA programs; the command line is nvcc's, names with one dash or "
         "two\n\n"
         "  @FILE, -optf FILE: the words in FILE\n"
         "  $NVCC_PREPEND_FLAGS, $NVCC_APPEND_FLAGS: words before and behind all others\n" +
         lines(options()) +
         "\nOf -Xptxas only -dlcm=ca, =cg and =cv have an effect: the cache of global loads.\n"
         "Options of the host compiler (-f... -W... -m... -pthread) go to it as they are; those\n"
         "that clang does not have are left out with a warning.\n"
         "Accepted without effect:\n" +
         lines(options_without_effect()) + "Refused:\n" + lines(refused_options());
}

}  // namespace warpmem::program::cuda
