// SPDX-License-Identifier: Apache-2.0
#include "app/run_directory.hpp"

#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/plugins.hpp"
#include "base/errors.hpp"
#include "base/text_file.hpp"
#include "base/version.hpp"
#include "files/json_text.hpp"

namespace warpmem::app {

namespace {

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

}  // namespace

RunDirectory::RunDirectory(std::string path) : path_(std::move(path)) {
  std::error_code error;
  std::filesystem::create_directories(path_, error);
  if (error) throw UserError(path_ + ": cannot create the run directory: " + error.message());
}

void RunDirectory::write(const std::string& file, const std::string& text) const {
  write_text(path_ + "/" + file, text);
}

void RunDirectory::write_manifest(const Manifest& m) const {
  nlohmann::ordered_json json;
  json["warpmem"] = kVersion;
  json["status"] = m.status;
  json["command"] = m.command;
  json["arguments"] = m.arguments;
  json["program"] = m.program;
  json["program_hash"] = m.program_hash;
  json["host"] = host_name();
  json["wall_seconds"] = m.wall_seconds;
  json["simulated_seconds"] = m.simulated_seconds;
  json["warp_instructions"] = m.warp_instructions;
  json["cycles"] = m.cycles;
  if (m.wall_seconds > 0) {
    json["warp_instructions_per_second"] =
        static_cast<double>(m.warp_instructions) / m.wall_seconds;
    json["kilocycles_per_second"] = static_cast<double>(m.cycles) / m.wall_seconds / 1000;
  }
  for (const Plugin& plugin : load_plugins())
    json["plugins"].push_back({{"file", plugin.file}, {"hash", plugin.hash}});
  for (const auto& [file, hash] : m.own_rtl)
    json["own_rtl"].push_back({{"file", file}, {"hash", hash}});
  if (!m.kernels.empty() || !m.ctas.empty()) {
    auto& skipped = json["fast_forward"];
    skipped["kernels"] = m.kernels;
    skipped["ctas"] = m.ctas;
    skipped["launches"] = m.launches;
    skipped["launches_not_timed"] = m.functional_launches;
    skipped["launches_timed_in_part"] = m.partial_launches;
    skipped["warp_instructions_not_timed"] = m.functional_warp_instructions;
  }
  json["notes"] = m.notes;
  write("manifest.json", json_text(json));
}

}  // namespace warpmem::app
