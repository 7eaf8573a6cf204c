// SPDX-License-Identifier: Apache-2.0
#include "trace_checks.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "program/functional.hpp"
#include "program/trace/own_format.hpp"
#include "program/trace/summary.hpp"
#include "program/trace/trace_grid.hpp"
#include "target.hpp"

namespace warpmem::fuzz {
namespace {

namespace fs = std::filesystem;
using namespace program::trace;

class Folder {
 public:
  Folder()
      : path_((fs::temp_directory_path() / ("warpmem-fuzz-" + std::to_string(getpid()))).string()) {
    fs::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

void execute(TraceReader& reader) {
  Command command;
  while (reader.next(command)) {
    if (command.kind != Command::Kind::launch) continue;
    TraceGrid grid(*command.kernel);
    try {
      program::run_functional(grid);
    } catch (const UserError& e) {
      // Barriers that nobody completes are the recorded program's mistake, found by the machine.
      if (std::string_view(e.what()).find(": deadlock: ") == std::string_view::npos) throw;
      return;
    }
    grid.check_complete();
  }
}

void copy(TraceReader& reader, const std::string& to) {
  OwnFormatWriter writer(to);
  Command command;
  while (reader.next(command)) copy_command(command, writer);
  for (const std::string& note : reader.notes()) writer.note(note);
  writer.finish();
}

bool equal(const Summary& a, const Summary& b) {
  return a.warp_instructions == b.warp_instructions &&
         a.thread_instructions == b.thread_instructions && a.by_class == b.by_class &&
         a.by_mnemonic == b.by_mnemonic && a.degree == b.degree &&
         a.allocated_bytes == b.allocated_bytes && a.footprint_lines == b.footprint_lines &&
         a.notes == b.notes && a.kernels.size() == b.kernels.size();
}

/// Does what a trace that has been read once must not fail at.
void must(const char* what, const std::function<void()>& body) {
  try {
    body();
  } catch (const std::exception& e) {
    violated(std::string(what) + ": " + e.what());
  }
}

}  // namespace

const std::string& scratch_folder() {
  static const Folder folder;
  return folder.path();
}

std::string scratch_file(const std::string& name, const std::uint8_t* data, std::size_t size) {
  const std::string path = scratch_folder() + "/" + name;
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  require(out.good(), "the scratch folder cannot be written");
  return path;
}

void check_trace(const Opener& open) {
  const Summary summary = summarize(*open());
  must("a trace that can be read cannot be executed", [&] { execute(*open()); });
  const std::string path = scratch_folder() + "/copy.wmtrace";
  must("a trace that can be read cannot be copied", [&] { copy(*open(), path); });
  must("a copy cannot be read", [&] {
    require(equal(summary, summarize(*open_own_format(path))), "a copy differs from its original");
  });
}

}  // namespace warpmem::fuzz
