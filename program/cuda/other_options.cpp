// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/other_options.hpp"

#include "base/errors.hpp"

namespace warpmem::program::cuda {

namespace {

Option refused(std::vector<std::string> names, const std::string& reason) {
  const std::string text = "warpmem cc: " + names.front() + ": not supported: " + reason;
  return {std::move(names), Operand::none,
          [text](CompileArguments&, const std::string&) { throw UserError(text); }};
}

}  // namespace

const std::vector<Option>& options_without_effect() {
  static const std::vector<Option> kOptions = {
      {{"-lineinfo",
        "--generate-line-info",
        "-m64",
        "--m64",
        "-res-usage",
        "--resource-usage",
        "-extra-device-vectorization",
        "-src-in-ptx",
        "--source-in-ptx",
        "-restrict",
        "-Wno-deprecated-gpu-targets",
        "-Wno-deprecated-declarations",
        "-Wreorder",
        "-Wdefault-stream-launch",
        "-Wmissing-launch-bounds",
        "-Wext-lambda-captures-this",
        "-allow-unsupported-compiler",
        "-no-align-double",
        "-no-compress",
        "-forward-unknown-to-host-compiler",
        "-forward-unknown-to-host-linker",
        "-forward-unknown-opts",
        "-lto",
        "-dlto",
        "--dlink-time-opt",
        "-gen-opt-lto",
        "-nodlink",
        "--no-device-link",
        "-noprof",
        "--dont-use-profile",
        "-no-host-device-initializer-list",
        "-no-host-device-move-forward",
        "-keep-device-functions",
        "-astoolspatch",
        "--compile-as-tools-patch",
        "-reloc-ptx",
        "--relocatable-ptx",
        "-objtemp",
        "--objdir-as-tempdir",
        "-use-local-env",
        "-err-no",
        "--display-error-number",
        "-no-err-no",
        "--no-display-error-number"},
       Operand::none,
       {}},
      {{"-Xcudafe",
        "--cudafe-options",
        "-Xnvlink",
        "--nvlink-options",
        "-Xfatbin",
        "--fatbin-options",
        "-Xarchive",
        "--archive-options",
        "-ccbin",
        "--compiler-bindir",
        "-arbin",
        "--archiver-binary",
        "-ldir",
        "--libdevice-directory",
        "-cudart",
        "-cudadevrt",
        "-machine",
        "-threads",
        "-t",
        "-diag-error",
        "-diag-suppress",
        "-diag-warn",
        "-brief-diag",
        "--brief-diagnostics",
        "-Werror",
        "-e",
        "--entries",
        "-jtd",
        "--jump-table-density",
        "-opt-info",
        "--optimization-info",
        "-Ofast-compile",
        "-Ofc",
        "-device-stack-protector",
        "-split-compile",
        "-dopt"},
       Operand::one,
       {}},
      {{"-maxrregcount"},
       Operand::one,
       [](CompileArguments& parsed, const std::string& most) {
         parsed.notes.push_back("-maxrregcount=" + most +
                                " has no effect: a kernel takes the registers that it needs");
       }},
  };
  return kOptions;
}

const std::vector<Option>& refused_options() {
  static const std::vector<Option> kOptions = {
      refused({"-m32"}, "programs have 64 bits"),
      refused({"-optix-ir"}, "there is no ray tracing"),
      refused({"-ltoir"}, "device code is PTX text (-ptx)"),
      refused({"-fdevice-syntax-only"}, "-ptx checks the device part"),
      refused({"-time"}, "no table of times is written"),
      refused({"-hls", "--host-linker-script", "-aug-hls", "--augment-host-linker-script"},
              "give the linker's script with -Xlinker -T,FILE"),
      refused({"-r", "--host-relocatable-link"}, "-lib joins objects in a library"),
      refused({"-target-dir", "-qpp-config"}, "programs are for this machine"),
      refused({"-dp", "--drive-prefix", "-ddp", "--dependency-drive-prefix", "-idp",
               "--input-drive-prefix"},
              "paths have no drives"),
  };
  return kOptions;
}

}  // namespace warpmem::program::cuda
