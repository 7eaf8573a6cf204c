// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/compiler.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "base/errors.hpp"
#include "base/interrupt.hpp"
#include "base/process.hpp"
#include "base/text_file.hpp"
#include "base/work_folder.hpp"
#include "files/sha256.hpp"
#include "program/cuda/compile_arguments.hpp"
#include "program/cuda/compiled_text.hpp"
#include "program/cuda/compiler_answers.hpp"
#include "program/cuda/device_link.hpp"
#include "program/cuda/device_symbols.hpp"
#include "program/cuda/host_options.hpp"
#include "program/cuda/launch_syntax.hpp"
#include "program/cuda/other_cuda.hpp"
#include "program/cuda/source_name.hpp"
#include "program/cuda/source_overlay.hpp"

namespace warpmem::program::cuda {

namespace {

namespace fs = std::filesystem;
using Command = std::vector<std::string>;

// GCC's options of warnings and optimization are many; none of those that clang lacks is an error.
constexpr const char* kLenient[] = {"-Wno-unknown-warning-option",
                                    "-Wno-ignored-optimization-argument",
                                    "-Wno-unused-command-line-argument"};
// Programs ask for a GCC that knows C++14. What glibc gives later ones clang does not read.
constexpr const char* kAsGcc = "-fgnuc-version=10.2.1";
constexpr std::size_t kUnitNumberDigits = 16;
constexpr int kDefaultArch = 60;

// What clang compiles for. It would make the same code for later ones, and does not know them all;
// the program is told what it asked for.
std::string compiled_arch(int arch) { return arch < 70 ? "sm_60" : "sm_70"; }

class Driver {
 public:
  Driver(CompileArguments arguments, const CompilerPaths& paths)
      : arguments_(std::move(arguments)), paths_(paths) {
    make_toolkit();
    leave_out_other_cuda(arguments_, paths_);
    arguments_.host = known_host_options(paths_.clang, arguments_.host, temporary_.path());
    if (arguments_.verbose) describe();
  }

  int run() {
    if (arguments_.clean) return clean();
    Command objects;
    for (const CompileInput& input : arguments_.inputs) {
      if (input.kind == InputKind::object) {
        objects.push_back(input.path);
        continue;
      }
      const fs::path object = output_of(input);
      const int status = compile(input, object);
      if (status != 0) {
        std::fprintf(stderr, "warpmem: error: %s: does not compile (messages above)\n",
                     input.path.c_str());
        return status;
      }
      objects.push_back(object.string());
    }
    switch (arguments_.stage) {
      case CompileStage::link:
        return link_and_run(objects);
      case CompileStage::device_link:
        return device_link();
      case CompileStage::library:
        return archive(objects);
      default:
        return 0;
    }
  }

 private:
  // clang asks the toolkit beside it for its version and takes the launch ABI from that. It finds
  // this one: what another CUDA on the machine is like has no effect.
  void make_toolkit() {
    const fs::path kit = temporary_.path() / "toolkit";
    for (const char* folder : {"bin", "include", "lib", "lib64"})
      fs::create_directories(kit / folder);
    write_text(kit / "include" / "cuda.h", "#define CUDA_VERSION 10020\n");
  }

  // What nvcc says of itself, as far as build systems look for it.
  void describe() const {
    std::fprintf(stderr,
                 "#$ PATH=%s\n#$ LIBRARIES=-L%s\n#$ INCLUDES=-I%s\n"
                 "#$ device code for -arch compute_%d\n",
                 std::getenv("PATH") != nullptr ? std::getenv("PATH") : "", link_folder().c_str(),
                 include_folder().c_str(), arch());
  }

  int arch() const { return arguments_.arch == 0 ? kDefaultArch : arguments_.arch; }

  std::string include_folder() const {
    return fs::absolute(paths_.include).lexically_normal().string();
  }
  std::string link_folder() const {
    return paths_.link_folder.empty() ? "" : fs::absolute(paths_.link_folder).string();
  }

  fs::path output_of(const CompileInput& input) const {
    const std::string stem = fs::path(input.path).stem().string();
    const fs::path folder = arguments_.output_folder;
    switch (arguments_.stage) {
      case CompileStage::link:
      case CompileStage::device_link:
      case CompileStage::library:
        return temporary_.path() /
               (stem + "-" + std::to_string(&input - arguments_.inputs.data()) + ".o");
      case CompileStage::object:
        return arguments_.output.empty() ? folder / (stem + ".o") : fs::path(arguments_.output);
      case CompileStage::ptx:
        return arguments_.output.empty() ? folder / (stem + arguments_.ptx_extension)
                                         : fs::path(arguments_.output);
      case CompileStage::host_source:
        return arguments_.output.empty() ? folder / (stem + ".cu.cpp.ii")
                                         : fs::path(arguments_.output);
      case CompileStage::preprocess:
        return arguments_.output.empty() ? "-" : arguments_.output;
    }
    return {};
  }

  int compile(const CompileInput& input, const fs::path& output) {
    if (input.kind != InputKind::cuda) return compile_host_source(input, output);
    if (arguments_.stage == CompileStage::preprocess) return host_part(input, "", output, "-E");
    const fs::path ptx = arguments_.stage == CompileStage::ptx ? output
                         : arguments_.keep
                             ? arguments_.keep_folder / fs::path(input.path).stem().concat(".ptx")
                             : temporary_.path() / "device.ptx";
    const int status = device_part(input, ptx);
    if (status == 0 && !arguments_.dry_run) {
      std::string text = with_target(read_text(ptx), arch());
      if (arguments_.relocatable) text = with_one_name(std::move(text));
      write_text(ptx, arguments_.past_l1 ? with_loads_past_l1(text) : text);
    }
    if (status != 0 || arguments_.stage == CompileStage::ptx) return status;
    // The runtime reads the text up to its NUL.
    const fs::path embedded = temporary_.path() / "device.embedded";
    if (!arguments_.dry_run) write_text(embedded, read_text(ptx) + source_note(input.path) + '\0');
    const bool as_source = arguments_.stage == CompileStage::host_source;
    if (!arguments_.relocatable && !as_source) return host_part(input, embedded, output, "-c");
    const fs::path assembly = temporary_.path() / "host.s";
    // Other assemblers do not know clang's tables of symbols that are compared.
    if (as_source) arguments_.host.emplace_back("-fno-addrsig");
    const int assembled = host_part(input, embedded, assembly, "-S");
    if (assembled != 0 || arguments_.dry_run) return assembled;
    std::string text = with_common_registration(read_text(assembly));
    if (arguments_.relocatable) text += device_symbols(read_text(ptx));
    if (as_source) return write_text(output, assembly_as_source(text)), 0;
    write_text(assembly, text);
    // With -g it would warn of what clang wrote itself: files with and without a checksum.
    return execute({paths_.clang, "-Wa,--no-warn", "-c", assembly.string(), "-o", output.string()});
  }

  std::vector<fs::path> files_of(const CompileInput& input) const {
    std::vector<fs::path> folders;
    for (const auto& [option, folder] : arguments_.include) folders.emplace_back(folder);
    return included_files(input.path, folders, "/usr/include");
  }

  Command cuda_command(const CompileInput& input) const {
    Command c = {paths_.clang, "-x", "cuda",
                 "--cuda-path=" + (temporary_.path() / "toolkit").string(), "-nocudainc",
                 "-nocudalib", "--cuda-gpu-arch=" + compiled_arch(arch()),
                 "-D__CUDA_ARCH_LIST__=" + std::to_string(10 * arch()),
                 // nvcc takes gnu++14 and only warns of narrowing.
                 "-std=gnu++14", "-Wno-c++11-narrowing", "-Wno-unknown-cuda-version",
                 "-Wno-reserved-user-defined-literal", kAsGcc, "-include",
                 include_folder() + "/cuda_runtime.h",
                 // Headers (libcu++) declare functions with an ellipsis to choose overloads by.
                 "-Xclang", "-fcuda-allow-variadic-functions"};
    c.insert(c.end(), arguments_.cuda.begin(), arguments_.cuda.end());
    // The number keeps static kernels and variables of two files apart. The driver does not hand it
    // on where it compiles for the host alone.
    if (arguments_.relocatable) {
      const std::string number =
          "-cuid=" + sha256_hex(fs::absolute(input.path).string()).substr(0, kUnitNumberDigits);
      c.insert(c.end(), {"-fgpu-rdc", number, "-Xclang", number, "-D__CUDACC_RDC__=1"});
    }
    const std::vector<fs::path> files = files_of(input);
    if (any_mentions(files, {"__int128"}))
      c.insert(c.end(), {"-include", include_folder() + "/warpmem/wide_division.h"});
    c.insert(c.end(), arguments_.compile.begin(), arguments_.compile.end());
    add_folders(c);
    const Command joined = overlay_options(files, temporary_.path());
    c.insert(c.end(), joined.begin(), joined.end());
    c.push_back(input.path);
    return c;
  }

  // The program's own headers come before ours.
  void add_folders(Command& c) const {
    for (const auto& [option, folder] : arguments_.include) c.insert(c.end(), {option, folder});
    c.insert(c.end(), {"-isystem", include_folder()});
  }

  int device_part(const CompileInput& input, const fs::path& ptx) const {
    Command c = cuda_command(input);
    const std::string macro = "__CUDA_ARCH__";
    c.insert(c.end(), {"-U" + macro, "-D" + macro + "=" + std::to_string(10 * arch())});
    // Line tables leave the code as it is; faults name the line of the source.
    c.insert(c.end(),
             {"-gline-tables-only", "-fdebug-prefix-map=" + include_folder() + "=/<warpmem>"});
    // With this model clang makes no tables of distances between addresses, which PTX cannot have.
    c.insert(c.end(), {"-Xclang", "-mcmodel=large"});
    c.insert(c.end(), {"--cuda-device-only", "-S", "-O3", "-Xclang", "-target-feature", "-Xclang",
                       "+ptx64", "-o", ptx.string()});
    // A variable that only the first lane sets may be an argument of a shuffle from that lane.
    // clang would conclude that every lane is the first; nvcc does not.
    if (any_mentions(files_of(input), {"shfl", "<cub/", "<thrust/"}))
      c.insert(c.end(), {"-Xclang", "-disable-noundef-analysis"});
    const Command math = clang_options(arguments_.math);
    c.insert(c.end(), math.begin(), math.end());
    if (isatty(STDERR_FILENO) != 0) c.emplace_back("-fcolor-diagnostics");
    const fs::path messages = temporary_.path() / "device-messages";
    const int status = execute(c, messages);
    if (!arguments_.dry_run) std::fputs(explained(read_text(messages)).c_str(), stderr);
    return status;
  }

  int host_part(const CompileInput& input, const fs::path& embedded, const fs::path& output,
                const char* step) const {
    Command c = cuda_command(input);
    // The device part has reported what both see.
    c.insert(c.end(), {"--cuda-host-only", step, "-O2", "-o", output.string()});
    if (!embedded.empty())
      c.insert(c.end(),
               {"-w", "-Xclang", "-fcuda-include-gpubinary", "-Xclang", embedded.string()});
    add_host_options(c);
    add_dependency_options(c, input);
    return execute(c);
  }

  int compile_host_source(const CompileInput& input, const fs::path& output) const {
    if (arguments_.stage == CompileStage::ptx || arguments_.stage == CompileStage::host_source)
      return 0;
    Command c = {paths_.clang, "-x", input.kind == InputKind::c ? "c" : "c++",
                 "-Wno-reserved-user-defined-literal"};
    add_folders(c);
    if (input.kind == InputKind::cpp) c.push_back(kAsGcc);
    for (const std::string& option : arguments_.compile)
      if (input.kind == InputKind::cpp || option.rfind("-std=", 0) != 0) c.push_back(option);
    c.insert(c.end(), {input.path, arguments_.stage == CompileStage::preprocess ? "-E" : "-c",
                       "-O2", "-o", output.string()});
    add_host_options(c);
    add_dependency_options(c, input);
    return execute(c);
  }

  std::string program() const { return arguments_.output.empty() ? "a.out" : arguments_.output; }

  // The compiler's output may be temporary; the rule is about what the user gets.
  void add_dependency_options(Command& c, const CompileInput& input) const {
    const bool object = arguments_.stage == CompileStage::object;
    const fs::path made = object ? output_of(input) : fs::path(input.path).stem().concat(".o");
    std::string file = arguments_.dependency_file;
    if (file.empty() && arguments_.dependencies_beside)
      file = fs::path(made).replace_extension(".d").string();
    if (!file.empty()) c.insert(c.end(), {"-MF", file});
    Command targets = arguments_.dependency_targets;
    if (targets.empty() && arguments_.dependencies_beside) targets = {"-MT", made.string()};
    c.insert(c.end(), targets.begin(), targets.end());
  }

  void add_host_options(Command& c) const {
    c.insert(c.end(), arguments_.host.begin(), arguments_.host.end());
    c.insert(c.end(), std::begin(kLenient), std::end(kLenient));
  }

  int link_and_run(const Command& objects) const {
    const int status = link(objects);
    if (status != 0 || !arguments_.run) return status;
    Command c = {fs::absolute(program()).string()};
    c.insert(c.end(), arguments_.run_arguments.begin(), arguments_.run_arguments.end());
    return execute(c);
  }

  // Deletes what the same command line would make.
  int clean() const {
    std::vector<fs::path> made;
    for (const CompileInput& input : arguments_.inputs)
      if (input.kind != InputKind::object) made.push_back(output_of(input));
    if (arguments_.stage == CompileStage::link) made.emplace_back(program());
    if (arguments_.stage == CompileStage::device_link) made.emplace_back(linked_device());
    if (arguments_.stage == CompileStage::library) made.emplace_back(arguments_.output);
    for (const fs::path& file : made) fs::remove(file);
    return 0;
  }

  int link(const Command& objects) const {
    Command c = {paths_.clang};
    if (arguments_.shared) c.push_back("-shared");
    // A library with sanitizers needs their runtime before any other.
    if (!paths_.sanitizer.empty()) c.push_back(paths_.sanitizer.string());
    c.insert(c.end(), {"-o", program()});
    c.insert(c.end(), arguments_.link.begin(), arguments_.link.end());
    if (!paths_.link_folder.empty()) c.push_back("-L" + link_folder());
    c.insert(c.end(), objects.begin(), objects.end());
    c.push_back(paths_.library.string());
    if (paths_.library.extension() == ".so")
      c.push_back("-Wl,-rpath," + fs::absolute(paths_.library).parent_path().string());
    c.insert(c.end(), paths_.link_after.begin(), paths_.link_after.end());
    c.insert(c.end(), {"-lm", "-lpthread"});
    c.insert(c.end(), arguments_.link_after.begin(), arguments_.link_after.end());
    const fs::path messages = temporary_.path() / "linker-messages";
    const int status = execute(c, messages);
    if (!arguments_.dry_run) std::fputs(linker_explained(read_text(messages)).c_str(), stderr);
    if (status != 0) std::fprintf(stderr, "warpmem: error: linking failed (messages above)\n");
    return status;
  }

  std::string linked_device() const {
    return arguments_.output.empty() ? "a_dlink.o" : arguments_.output;
  }

  // Device code is linked when the program starts; the object that nvcc would make is empty.
  int device_link() const {
    const fs::path empty = temporary_.path() / "device_link.c";
    write_text(empty, "");
    return execute({paths_.clang, "-x", "c", "-c", empty.string(), "-o", linked_device()});
  }

  int archive(const Command& objects) const {
    Command c = {"ar", "rcs", arguments_.output};
    for (const std::string& object : objects)
      if (object[0] != '-') c.push_back(object);
    return execute(c);
  }

  // The command's messages go to the log, if there is one.
  int execute(const Command& command, const fs::path& log = {}) const {
    if (arguments_.verbose) {
      std::fprintf(stderr, "#$ ");
      for (const std::string& word : command) std::fprintf(stderr, "%s ", word.c_str());
      std::fprintf(stderr, "\n");
    }
    if (arguments_.dry_run) return 0;
    Process process;
    process.argv = command;
    process.log = log;
    const int status = run_process(process);
    throw_if_interrupted();
    return status;
  }

  CompileArguments arguments_;
  const CompilerPaths& paths_;
  InterruptWatch watch_;  // so that the folder goes when a signal ends the compilation
  WorkFolder temporary_{temporary_folder() / "warpmem-cc-"};
};

}  // namespace

int compile(const std::vector<std::string>& arguments, const CompilerPaths& paths) {
  CompileArguments parsed = parse_compile_arguments(arguments);
  if (answer(parsed, paths)) return 0;
  tell_notes(parsed);
  if (!fs::exists(paths.include / "cuda.h"))
    throw UserError(paths.include.string() + ": warpmem's CUDA headers are not there");
  for (const CompileInput& input : parsed.inputs)
    if (input.path[0] != '-' && !fs::exists(input.path))
      throw UserError(input.path + ": no such file");
  return Driver(std::move(parsed), paths).run();
}

}  // namespace warpmem::program::cuda
