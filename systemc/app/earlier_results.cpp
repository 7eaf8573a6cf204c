// SPDX-License-Identifier: Apache-2.0
#include "app/earlier_results.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>

#include "base/output_file.hpp"

namespace warpmem::app {

namespace fs = std::filesystem;

EarlierResults::EarlierResults(std::vector<fs::path> files) : files_(std::move(files)) {
  std::error_code error;
  for (const fs::path& file : files_) {
    if (!fs::is_regular_file(file, error)) continue;
    const fs::path there = behind_links(file);
    const fs::path aside =
        there.parent_path() / fmt::format(".warpmem-{}-{}", getpid(), there.filename().string());
    fs::rename(there, aside, error);  // what cannot be moved is told of when it is written
    if (!error) aside_.emplace_back(there, aside);
  }
}

EarlierResults::~EarlierResults() {
  std::error_code none;
  const bool begun = std::any_of(files_.begin(), files_.end(), [&none](const fs::path& file) {
    return fs::is_regular_file(file, none);
  });
  for (const auto& [there, aside] : aside_) {
    if (begun)
      fs::remove(aside, none);
    else
      fs::rename(aside, there, none);
  }
}

}  // namespace warpmem::app
