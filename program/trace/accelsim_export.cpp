// SPDX-License-Identifier: Apache-2.0
#include "program/trace/accelsim_export.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "base/errors.hpp"
#include "base/output_file.hpp"
#include "program/trace/accelsim_writer.hpp"
#include "program/trace/text_file_sink.hpp"

namespace warpmem::program::trace {
namespace {

namespace fs = std::filesystem;

void prepare(const fs::path& folder) {
  if (fs::exists(folder) && !fs::is_directory(folder))
    throw UserError(folder.string() + ": is a file; allowed: a new or an empty folder");
  fs::create_directories(folder);
  if (!fs::is_empty(folder))
    throw UserError(folder.string() + ": is not empty; allowed: a new or an empty folder");
}

/// The static instructions of a launch come with the CTAs that use them first.
StaticCode code_of(KernelTrace& kernel) {
  CtaTrace cta;
  while (kernel.next_cta(cta)) {
  }
  StaticCode code;
  for (std::uint32_t i = 0; i < kernel.inst_count(); ++i) {
    code.infos.push_back(kernel.inst(i));
    code.mnemonics.push_back(kernel.mnemonic(i));
  }
  return code;
}

}  // namespace

std::vector<std::string> export_accelsim(const std::string& input, const fs::path& folder,
                                         const AccelsimExport& options) {
  const auto ahead = open_trace(input), reader = open_trace(input);
  prepare(folder);
  Notes notes;
  AccelsimLaunch launch{options.architecture, 0, input};
  std::string list, copies;  // a reader wants a launch behind each copy
  Command command;
  for (Command same; reader->next(command);) {
    ahead->next(same);
    if (command.kind == Command::Kind::host_wrote)
      copies += fmt::format("MemcpyHtoD,0x{:016x},{}\n", command.address, command.bytes);
    if (command.kind != Command::Kind::launch) continue;
    const StaticCode code = code_of(*same.kernel);
    ++launch.number;
    const std::string name =
        fmt::format("kernel-{}.traceg{}", launch.number, options.compressed ? ".xz" : "");
    TextFileSink out(folder / name, options.compressed);
    AccelsimWriter writer(launch, command.kernel->traits(), code, out, notes);
    for (CtaTrace cta; command.kernel->next_cta(cta);) writer.cta(cta);
    out.commit();
    list += std::exchange(copies, {}) + name + '\n';
    command.kernel.reset();
    same.kernel.reset();
    if (options.each_launch) options.each_launch(launch.number);
  }
  if (launch.number == 0)
    throw UserError(input +
                    ": launches no kernel; allowed: what launches one, for a kernelslist.g without "
                    "any is taken for one that was cut short");
  OutputFile file(folder / "kernelslist.g");
  file.write(list);
  file.commit();
  std::vector<std::string> all = reader->notes();
  for (std::string& note : notes.list()) all.push_back(std::move(note));
  return all;
}

}  // namespace warpmem::program::trace
