// SPDX-License-Identifier: Apache-2.0
#include "app/trace_run.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <vector>

#include "app/functional_run.hpp"
#include "app/timed_device.hpp"
#include "app/user_program.hpp"
#include "base/errors.hpp"
#include "files/sha256.hpp"
#include "program/trace/replay.hpp"
#include "program/trace/trace.hpp"

namespace warpmem::app {

namespace {

namespace fs = std::filesystem;

void add_file(Sha256& hash, const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw UserError(file.string() + ": cannot read");
  std::vector<char> buffer(1u << 16);
  while (in.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || in.gcount() != 0)
    hash.add({buffer.data(), static_cast<std::size_t>(in.gcount())});
}

}  // namespace

std::string trace_hash(const std::string& path) {
  Sha256 hash;
  const fs::path file = fs::is_directory(path) ? fs::path(path) / "kernelslist.g" : fs::path(path);
  add_file(hash, file);
  if (file.extension() == ".g") {
    std::ifstream list(file);
    for (std::string line; std::getline(list, line);) {
      while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
      if (line.rfind("kernel", 0) != 0) continue;
      // Either form of the file may be there, as for the reader.
      const fs::path named = file.parent_path() / line;
      const fs::path packed = named.string() + ".xz";
      const fs::path plain = file.parent_path() / fs::path(line).stem();
      for (const fs::path& candidate : {named, packed, plain}) {
        if (!fs::is_regular_file(candidate)) continue;
        add_file(hash, candidate);
        break;
      }
    }
  }
  return hash.hex();
}

void run_trace(const std::string& path, Environment environment, bool check_data_wanted) {
  const auto reader = program::trace::open_trace(path);
  if (environment.functional) {
    program::DeviceProperties any;  // what a machine cannot hold is none of its business
    any.memory_bytes = std::numeric_limits<std::uint64_t>::max();
    FunctionalRun device(environment.functional_json, any);
    const auto result = program::trace::replay(*reader, device);
    for (const std::string& note : reader->notes()) fmt::print(stderr, "warpmem: note: {}\n", note);
    fmt::print(stderr, "warpmem: the trace is whole: {} launches, {} warp instructions\n",
               result.launches, result.warp_instructions);
    device.finish();
    return;
  }
  const SignalsTakenOver signals;
  if (check_data_wanted) environment.assignments.emplace_back("check_data=false");
  TimedDevice device(environment, {fs::absolute(path), trace_hash(path), {}});
  if (check_data_wanted) device.add_note("check_data is off: a trace carries no values");
  program::trace::ReplayResult result;
  try {
    result = program::trace::replay(*reader, device);
  } catch (const std::exception& error) {
    device.fail(error.what());
    throw;
  }
  for (const std::string& note : reader->notes()) device.add_note(note);
  if (device.properties().managed_alignment != 0 && !result.any_managed)
    device.add_note(
        "uvm.enable: the trace says of no memory that it is managed; all of it was in device "
        "memory, and no page faulted");
  device.finish();
}

}  // namespace warpmem::app
