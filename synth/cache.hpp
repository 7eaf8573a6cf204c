// SPDX-License-Identifier: Apache-2.0
// The cache holds results by the hash of everything that went into them.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace warpmem::synth {

class Cache {
 public:
  /// An empty folder name stands for the cache of files/kept_files.hpp.
  explicit Cache(std::filesystem::path folder);

  /// Returns nothing when there is no such entry, or when it cannot be read as JSON.
  std::optional<nlohmann::json> find(const std::string& key) const;
  /// Stores an entry. A folder that cannot be written only costs the next run its time, which is no
  /// error.
  void store(const std::string& key, const nlohmann::json& document) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace warpmem::synth
