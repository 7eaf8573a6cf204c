// SPDX-License-Identifier: Apache-2.0
#include "sweeps/shard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "base/assert.hpp"
#include "base/errors.hpp"
#include "sweeps/database.hpp"

namespace warpmem::sweeps {

namespace fs = std::filesystem;

bool Shard::owns(const std::string& key) const {
  constexpr std::size_t kDigits = 15;  // fit into 64 bits
  std::uint64_t number = 0;
  const char* const end = key.data() + std::min(kDigits, key.size());
  const auto [stop, error] = std::from_chars(key.data(), end, number, 16);
  assert(stop == end && error == std::errc());
  return number % count == index - 1;
}

Shard parse_shard(const std::string& text) {
  Shard shard;
  const char* const end = text.data() + text.size();
  const auto [slash, first] = std::from_chars(text.data(), end, shard.index);
  if (first == std::errc() && slash != end && *slash == '/') {
    const auto [stop, second] = std::from_chars(slash + 1, end, shard.count);
    if (second == std::errc() && stop == end && shard.index >= 1 && shard.index <= shard.count)
      return shard;
  }
  throw UserError(fmt::format("--shard: {} is not INDEX/COUNT with INDEX from 1 to COUNT", text));
}

fs::path shard_folder(const fs::path& output) {
  fs::path folder = output;
  folder += ".shards";
  return folder;
}

fs::path shard_file(const fs::path& output, const Shard& shard) {
  return shard_folder(output) / fmt::format("{}-of-{}.sqlite", shard.index, shard.count);
}

std::vector<fs::path> shard_files(const fs::path& output) {
  std::vector<fs::path> files;
  if (!fs::is_directory(shard_folder(output))) return files;
  for (const auto& entry : fs::directory_iterator(shard_folder(output)))
    if (entry.path().extension() == ".sqlite" && has_content(entry.path()))
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace warpmem::sweeps
