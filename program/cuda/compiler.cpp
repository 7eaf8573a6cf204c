// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/compiler.hpp"

#include <cstdio>
#include <regex>

#include "base/errors.hpp"
#include "base/process.hpp"
#include "base/text_file.hpp"
#include "base/work_folder.hpp"
#include "files/sha256.hpp"
#include "program/cuda/compile_arguments.hpp"
#include "program/cuda/source_name.hpp"

namespace warpmem::program::cuda {

namespace {

namespace fs = std::filesystem;
using Command = std::vector<std::string>;

constexpr std::size_t kUnitNumberDigits = 16;

// Objects for separate device compilation call a function whose name ends in a number of their own
// (nvcc's linker would define it); they call the runtime's one instead.
std::string with_common_registration(const std::string& assembly) {
  static const std::regex kName("__cudaRegisterLinkedBinary_[0-9A-Za-z_]+");
  return std::regex_replace(assembly, kName, "__warpmemRegisterLinkedBinary");
}

// Global loads that say nothing about caches get .cg, as ptxas -dlcm=cg reads them.
std::string with_loads_past_l1(const std::string& ptx) {
  static const std::regex kPlainLoad("\\bld\\.global\\.(?=(v[24]\\.)?[usfb][0-9]+\\b)");
  return std::regex_replace(ptx, kPlainLoad, "ld.global.cg.");
}

class Driver {
 public:
  Driver(CompileArguments arguments, const CompilerPaths& paths)
      : arguments_(std::move(arguments)), paths_(paths) {
    make_toolkit();
  }

  int run() {
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
        return link(objects);
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
    fs::copy_file(paths_.include / "cuda.h", kit / "include" / "cuda.h");
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
        return arguments_.output.empty() ? folder / (stem + ".ptx") : fs::path(arguments_.output);
      case CompileStage::preprocess:
        return arguments_.output.empty() ? "-" : arguments_.output;
    }
    return {};
  }

  int compile(const CompileInput& input, const fs::path& output) {
    if (input.kind != InputKind::cuda) return compile_host_source(input, output);
    if (arguments_.stage == CompileStage::preprocess) return host_part(input, "", output, "-E");
    const fs::path ptx = arguments_.stage == CompileStage::ptx ? output
                         : arguments_.keep ? fs::path(fs::path(input.path).stem().string() + ".ptx")
                                           : temporary_.path() / "device.ptx";
    const int status = device_part(input, ptx);
    if (status == 0 && arguments_.past_l1 && !arguments_.dry_run)
      write_text(ptx, with_loads_past_l1(read_text(ptx)));
    if (status != 0 || arguments_.stage == CompileStage::ptx) return status;
    // The runtime reads the text up to its NUL.
    const fs::path embedded = temporary_.path() / "device.embedded";
    write_text(embedded, read_text(ptx) + source_note(input.path) + '\0');
    if (!arguments_.relocatable) return host_part(input, embedded, output, "-c");
    const fs::path assembly = temporary_.path() / "host.s";
    const int assembled = host_part(input, embedded, assembly, "-S");
    if (assembled != 0 || arguments_.dry_run) return assembled;
    write_text(assembly, with_common_registration(read_text(assembly)));
    return execute({paths_.clang, "-c", assembly.string(), "-o", output.string()});
  }

  Command cuda_command(const CompileInput& input) const {
    Command c = {paths_.clang, "-x", "cuda",
                 "--cuda-path=" + (temporary_.path() / "toolkit").string(), "-nocudainc",
                 "-nocudalib", "--cuda-gpu-arch=" + arguments_.gpu_arch,
                 // nvcc takes gnu++14 and only warns of narrowing.
                 "-std=gnu++14", "-Wno-c++11-narrowing", "-Wno-unknown-cuda-version", "-I",
                 paths_.include.string(), "-include", "cuda_runtime.h"};
    // The number keeps static kernels of two files apart.
    if (arguments_.relocatable)
      c.insert(
          c.end(),
          {"-fgpu-rdc",
           "-cuid=" + sha256_hex(fs::absolute(input.path).string()).substr(0, kUnitNumberDigits)});
    c.insert(c.end(), arguments_.compile.begin(), arguments_.compile.end());
    c.push_back(input.path);
    return c;
  }

  int device_part(const CompileInput& input, const fs::path& ptx) const {
    Command c = cuda_command(input);
    // Line tables leave the code as it is; faults name the line of the source.
    c.insert(c.end(),
             {"-gline-tables-only",
              "-fdebug-prefix-map=" + fs::absolute(paths_.include).lexically_normal().string() +
                  "=/<warpmem>"});
    c.insert(c.end(), {"--cuda-device-only", "-S", "-O3", "-Xclang", "-target-feature", "-Xclang",
                       "+ptx64", "-o", ptx.string()});
    c.insert(c.end(), arguments_.device.begin(), arguments_.device.end());
    return execute(c);
  }

  int host_part(const CompileInput& input, const fs::path& embedded, const fs::path& output,
                const char* step) const {
    Command c = cuda_command(input);
    // The device part has reported what both see.
    c.insert(c.end(), {"--cuda-host-only", step, "-O2", "-o", output.string()});
    if (!embedded.empty())
      c.insert(c.end(),
               {"-w", "-Xclang", "-fcuda-include-gpubinary", "-Xclang", embedded.string()});
    c.insert(c.end(), arguments_.host.begin(), arguments_.host.end());
    return execute(c);
  }

  int compile_host_source(const CompileInput& input, const fs::path& output) const {
    if (arguments_.stage == CompileStage::ptx) return 0;
    Command c = {paths_.clang, "-x", input.kind == InputKind::c ? "c" : "c++", "-I",
                 paths_.include.string()};
    for (const std::string& option : arguments_.compile)
      if (input.kind == InputKind::cpp || option.rfind("-std=", 0) != 0) c.push_back(option);
    c.insert(c.end(), {input.path, arguments_.stage == CompileStage::preprocess ? "-E" : "-c",
                       "-O2", "-o", output.string()});
    c.insert(c.end(), arguments_.host.begin(), arguments_.host.end());
    return execute(c);
  }

  int link(const Command& objects) const {
    Command c = {paths_.clang};
    if (arguments_.shared) c.push_back("-shared");
    // A library with sanitizers needs their runtime before any other.
    if (!paths_.sanitizer.empty()) c.push_back(paths_.sanitizer.string());
    c.insert(c.end(), {"-o", arguments_.output.empty() ? "a.out" : arguments_.output});
    c.insert(c.end(), arguments_.link.begin(), arguments_.link.end());
    c.insert(c.end(), objects.begin(), objects.end());
    c.push_back(paths_.library.string());
    if (paths_.library.extension() == ".so")
      c.push_back("-Wl,-rpath," + fs::absolute(paths_.library).parent_path().string());
    c.insert(c.end(), paths_.link_after.begin(), paths_.link_after.end());
    c.insert(c.end(), {"-lm", "-lpthread"});
    const int status = execute(c);
    if (status != 0) std::fprintf(stderr, "warpmem: error: linking failed (messages above)\n");
    return status;
  }

  // Device code is linked when the program starts; the object that nvcc would make is empty.
  int device_link() const {
    const fs::path empty = temporary_.path() / "device_link.c";
    write_text(empty, "");
    const std::string output = arguments_.output.empty() ? "a_dlink.o" : arguments_.output;
    return execute({paths_.clang, "-x", "c", "-c", empty.string(), "-o", output});
  }

  int archive(const Command& objects) const {
    Command c = {"ar", "rcs", arguments_.output};
    for (const std::string& object : objects)
      if (object[0] != '-') c.push_back(object);
    return execute(c);
  }

  int execute(const Command& command) const {
    if (arguments_.verbose) {
      for (const std::string& word : command) std::fprintf(stderr, "%s ", word.c_str());
      std::fprintf(stderr, "\n");
    }
    return arguments_.dry_run ? 0 : run_process({command});
  }

  CompileArguments arguments_;
  const CompilerPaths& paths_;
  WorkFolder temporary_{fs::temp_directory_path() / "warpmem-cc-"};
};

}  // namespace

int compile(const std::vector<std::string>& arguments, const CompilerPaths& paths) {
  CompileArguments parsed = parse_compile_arguments(arguments);
  if (parsed.version) {  // makefiles look for "release"
    std::printf("warpmem cc: the interface of CUDA release 10.2, V10.2.0, by %s\n",
                paths.clang.c_str());
    return 0;
  }
  if (parsed.help) {
    std::fputs(compile_help().c_str(), stdout);
    return 0;
  }
  if (parsed.print_libdir) {
    std::printf("%s\n", fs::absolute(paths.link_folder).c_str());
    return 0;
  }
  if (parsed.print_incdir) {
    std::printf("%s\n", fs::absolute(paths.include).lexically_normal().c_str());
    return 0;
  }
  if (!fs::exists(paths.include / "cuda.h"))
    throw UserError(paths.include.string() + ": warpmem's CUDA headers are not there");
  for (const CompileInput& input : parsed.inputs)
    if (input.path[0] != '-' && !fs::exists(input.path))
      throw UserError(input.path + ": no such file");
  return Driver(std::move(parsed), paths).run();
}

}  // namespace warpmem::program::cuda
