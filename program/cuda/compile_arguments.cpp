// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/compile_arguments.hpp"

#include <algorithm>
#include <filesystem>

#include "base/errors.hpp"
#include "base/output_file.hpp"
#include "program/cuda/compile_options.hpp"
#include "program/cuda/options_file.hpp"

namespace warpmem::program::cuda {

namespace {

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
         "\nOf -Xptxas only -dlcm=ca, =cg and =cv have an effect: the cache of global loads.\n"
         "Options of the host compiler (-f... -W... -m... -pthread) go to it as they are.\n"
         "Accepted without effect:\n" +
         without;
}

}  // namespace warpmem::program::cuda
