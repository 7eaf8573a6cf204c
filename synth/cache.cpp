// SPDX-License-Identifier: Apache-2.0
#include "synth/cache.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "files/json_text.hpp"
#include "files/kept_files.hpp"

namespace warpmem::synth {

namespace fs = std::filesystem;

Cache::Cache(fs::path folder) : folder_(folder.empty() ? cache_folder() : std::move(folder)) {
  folder_ /= "synth";
}

std::optional<nlohmann::json> Cache::find(const std::string& key) const {
  const fs::path file = folder_ / (key + ".json");
  auto document = read_json(file);
  if (document.is_discarded()) return std::nullopt;
  used_from_cache(file);
  return document;
}

void Cache::store(const std::string& key, const nlohmann::json& document) const {
  std::error_code ignored;
  fs::create_directories(folder_, ignored);
  // The entry is written aside and renamed, so that a run that is stopped half-way leaves no half
  // entry.
  const fs::path aside = folder_ / fmt::format("{}.{}", key, getpid());
  std::ofstream out(aside);
  out << indented_json(document, 1) << '\n';
  out.close();
  if (out) {
    fs::rename(aside, folder_ / (key + ".json"), ignored);
  } else {
    fs::remove(aside, ignored);
  }
}

}  // namespace warpmem::synth
