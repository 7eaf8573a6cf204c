// SPDX-License-Identifier: Apache-2.0
#include "cosim/verilator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "base/errors.hpp"
#include "base/text_file.hpp"
#include "cosim/build_tool.hpp"
#include "cosim/precompiled.hpp"
#include "files/kept_files.hpp"
#include "files/named_files.hpp"
#include "files/sha256.hpp"

namespace warpmem::cosim {

namespace fs = std::filesystem;

namespace {

// One process holds several libraries with equal names in them, so nothing of one may be bound to
// another: hidden symbols, no unique ones.
const std::vector<std::string> kCompile = {
    "g++",     "-std=c++17", "-O2", "-fPIC", "-pthread", "-fvisibility=hidden", "-fno-gnu-unique",
    "-DNDEBUG"};  // a later -O takes the place of this one

// The wrapper has its own vl_stop() and vl_fatal(), and takes what would be printed.
const std::vector<std::string> kRuntimeMacros = {"-DVL_USER_STOP", "-DVL_USER_FATAL",
                                                 "-DVL_PRINTF=warpmem_verilated_print"};
/// So many bytes of C++ with counters are compiled without optimising.
constexpr std::uintmax_t kLargeSources = 32U << 20U;
constexpr const char* kPrint = "verilated_print.hpp";  // beside the wrappers

void append(std::vector<std::string>& to, const std::vector<std::string>& words) {
  to.insert(to.end(), words.begin(), words.end());
}

void hash_words(Sha256& hash, const std::vector<std::string>& words) {
  for (const std::string& word : words) hash.add_field(word);
}

std::string one_line(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

/// Builds a file of Verilator's runtime, which is the same for all units, and the larger part of
/// the compile time of a small one.
fs::path runtime_object(const std::string& file, const fs::path& include, const fs::path& wrappers,
                        bool short_run) {
  Sha256 hash;
  hash.add_field(read_text(wrappers / kPrint));
  hash_with_named_files(hash, include, {include / file}, {include, include / "vltstd"});
  std::vector<std::string> compile = library_compile_command(short_run);
  append(compile, kRuntimeMacros);
  hash_words(hash, compile);
  return cached_file(fs::path(file).stem(), hash.hex(), ".o", [&](const fs::path& work) {
    append(compile, {"-include", (wrappers / kPrint).string()});
    append(compile, {"-w", "-I" + include.string(), "-I" + (include / "vltstd").string(), "-c",
                     (include / file).string(), "-o", "runtime.o"});
    run_tool(compile, work, "compile.log", "compiling Verilator's runtime");
    return work / "runtime.o";
  });
}

std::vector<std::string> runtime_objects(const VerilatedUnit& unit, const fs::path& include,
                                         const fs::path& wrappers) {
  std::vector<std::string> files = {"verilated.cpp", "verilated_threads.cpp"};
  if (unit.waves) files.emplace_back("verilated_fst_c.cpp");
  if (unit.coverage) files.emplace_back("verilated_cov.cpp");
  std::vector<std::string> objects;
  for (const std::string& file : files)
    objects.push_back(runtime_object(file, include, wrappers, unit.short_run).string());
  return objects;
}

/// Returns the options for what Verilator writes, all but the names of files of this unit.
std::vector<std::string> unit_options(const VerilatedUnit& unit, const fs::path& include,
                                      bool large) {
  std::vector<std::string> options = kRuntimeMacros;
  if (unit.waves) append(options, {"-DWARPMEM_TRACE", "-DVM_TRACE=1", "-DVM_TRACE_FST=1"});
  // Every bit has its counter, and at -O2 many sets of a DAU compile for minutes.
  if (unit.coverage)
    append(options, {"-DWARPMEM_COVERAGE", "-DVM_COVERAGE=1", large ? "-O0" : "-O1"});
  append(options, {"-w", "-I" + include.string(), "-I" + (include / "vltstd").string()});
  return options;
}

/// Returns whether Verilator has written so much that even -O1 takes many minutes and gigabytes:
/// the counters of all bits of 128 slot sets are 100 MB of C++.
bool too_large_to_optimise(const fs::path& verilated) {
  std::uintmax_t bytes = 0;
  for (const auto& entry : fs::directory_iterator(verilated))
    if (entry.path().extension() == ".cpp") bytes += entry.file_size();
  return bytes > kLargeSources;
}

/// Returns Verilator's own headers, as the compiler reads them for this unit.
fs::path runtime_headers(const VerilatedUnit& unit, const fs::path& include, const fs::path& work,
                         bool large) {
  std::vector<std::string> names = {"verilated.h"};
  if (unit.waves) names.emplace_back("verilated_fst_c.h");
  if (unit.coverage) names.emplace_back("verilated_cov.h");
  std::vector<fs::path> files;
  for (const std::string& name : names) files.push_back(include / name);
  Sha256 hash;
  hash_with_named_files(hash, include, files, {include, include / "vltstd"});
  std::vector<std::string> command = library_compile_command(unit.short_run);
  append(command, unit_options(unit, include, large));
  return precompiled("verilated", names, command, hash, work);
}

std::vector<fs::path> rtl_folders(const VerilatedUnit& unit) {
  std::vector<fs::path> folders = unit.own_folders;
  folders.push_back(unit.rtl);
  return folders;
}

void verilate(const VerilatedUnit& unit, const fs::path& work) {
  std::vector<std::string> command = {"verilator",    "--cc",    "--prefix",   "V" + unit.name,
                                      "--top-module", unit.name, "--Mdir",     "verilated",
                                      "--assert",     "-O3",     "--x-assign", "fast"};
  append(command, unit.netlist || unit.own
                      ? std::vector<std::string>{"-Wno-lint", "-Wno-style", "-Wno-fatal"}
                      : std::vector<std::string>{"-Wall"});
  // A loop that resets an array is refused unless it is unrolled; ours have none.
  if (unit.own) append(command, {"--unroll-count", "4096", "--unroll-stmts", "100000"});
  if (unit.waves) command.emplace_back("--trace-fst");
  // Split branches would look at their condition once more, behind their own assignments: the count
  // of `if (x > MOST) x = MOST;` would stay 0.
  if (unit.coverage) append(command, {"--coverage-line", "--coverage-toggle", "-fno-split"});
  for (const fs::path& folder : rtl_folders(unit)) command.push_back("-I" + folder.string());
  for (const auto& [name, value] : unit.parameters)
    command.push_back(fmt::format("-G{}={}", name, value));
  for (const std::string& source : unit.sources) command.push_back((unit.rtl / source).string());
  run_tool(command, work, "verilator.log", "verilating " + unit.name);
}

/// Writes one source that includes everything, so that the compiler sees the unit as a whole.
void write_unity(const VerilatedUnit& unit, const fs::path& work) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(work / "verilated"))
    if (entry.path().extension() == ".cpp") names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  std::ofstream out(work / "unity.cpp");
  for (const std::string& name : names) out << "#include \"" << name << "\"\n";
  write_text(work / "wrapper.cpp", unit.wrapper);
  out << "#include \"wrapper.cpp\"\n";
}

/// Returns the sources, and what Verilator would take modules from that none of them declares:
/// files of the include folder.
std::vector<fs::path> rtl_files(const VerilatedUnit& unit) {
  std::vector<fs::path> files;
  for (const std::string& source : unit.sources) files.push_back(unit.rtl / source);
  if (!fs::is_directory(unit.rtl)) return files;  // read_text names the missing source
  for (const auto& entry : fs::directory_iterator(unit.rtl))
    if (entry.path().extension() == ".sv" || entry.path().extension() == ".v")
      files.push_back(entry.path());
  return files;
}

}  // namespace

fs::path verilator_include(const fs::path& work) {
  run_tool({"verilator", "--getenv", "VERILATOR_ROOT"}, work, "root.txt", "looking for Verilator");
  return fs::path(one_line(work / "root.txt")) / "include";
}

std::vector<std::string> library_compile_command(bool short_run) {
  std::vector<std::string> command = kCompile;
  if (short_run) command.emplace_back("-O0");
  return command;
}

std::vector<std::string> shared_library_command(bool short_run) {
  std::vector<std::string> command = library_compile_command(short_run);
  append(command, {"-shared", "-Wl,-Bsymbolic"});
  return command;
}

fs::path build_verilated(const VerilatedUnit& unit) {
  const fs::path wrappers = unit.wrapper_headers.front().parent_path();
  Sha256 hash;
  hash.add_field(unit.name);
  for (const std::string& source : unit.sources) hash.add_field(source);
  hash_with_named_files(hash, unit.rtl, rtl_files(unit), rtl_folders(unit));
  for (const auto& [name, value] : unit.parameters)
    hash.add_field(fmt::format("{}={}", name, value));
  hash.add_field(unit.wrapper);
  hash_with_named_files(hash, wrappers, unit.wrapper_headers, unit.include_folders);
  hash_words(hash, unit.macros);
  hash_words(hash, kRuntimeMacros);
  hash_words(hash, shared_library_command(unit.short_run));

  hash.add_field(unit.coverage ? "coverage without split branches, -O1, -O0 if large" : "");
  hash.add_field(unit.netlist ? "netlist" : unit.own ? "own" : "");
  const std::string name = unit.name + (unit.netlist    ? "-mutants"
                                        : unit.waves    ? "-rtl-waves"
                                        : unit.coverage ? "-rtl-coverage"
                                                        : "-rtl");
  return cached_file(
      name, hash.hex(), ".so",
      [&](const fs::path& work) {
        const fs::path include = verilator_include(work);
        const std::vector<std::string> runtime = runtime_objects(unit, include, wrappers);
        verilate(unit, work);
        write_unity(unit, work);
        std::vector<std::string> command = shared_library_command(unit.short_run);
        const bool large = unit.coverage && too_large_to_optimise(work / "verilated");
        append(command, unit_options(unit, include, large));
        append(command, {"-include", runtime_headers(unit, include, work, large).string()});
        append(command, unit.macros);
        command.emplace_back("-Iverilated");
        for (const fs::path& folder : unit.include_folders)
          command.push_back("-I" + folder.string());
        command.emplace_back("unity.cpp");
        append(command, runtime);
        append(command, {"-o", "unit.so"});
        if (unit.waves) command.emplace_back("-lz");
        run_tool(command, work, "compile.log", "compiling the RTL of " + unit.name);
        return work / "unit.so";
      },
      unit.anew);
}

}  // namespace warpmem::cosim
