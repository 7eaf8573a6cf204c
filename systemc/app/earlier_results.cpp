// SPDX-License-Identifier: Apache-2.0
#include "app/earlier_results.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <regex>
#include <string>
#include <system_error>

#include "base/output_file.hpp"

namespace warpmem::app {

namespace fs = std::filesystem;

namespace {

using Aside = std::vector<std::pair<fs::path, fs::path>>;

std::string hidden_name(const std::string& process, const fs::path& file) {
  return fmt::format(".warpmem-{}-{}", process, file.filename().string());
}

bool is_gone(pid_t process) { return kill(process, 0) != 0 && errno == ESRCH; }

/// Returns what processes that were killed have left aside of these files.
Aside left_by_killed(const std::vector<fs::path>& files) {
  static const std::regex kOfProcess(R"(\.warpmem-([1-9][0-9]{0,8})-.*)");
  Aside left;
  std::error_code error;
  for (const fs::path& file : files) {
    const fs::path there = fs::absolute(behind_links(file));
    for (const fs::directory_entry& entry : fs::directory_iterator(there.parent_path(), error)) {
      const std::string name = entry.path().filename().string();
      std::smatch process;
      if (std::regex_match(name, process, kOfProcess) && name == hidden_name(process[1], there) &&
          is_gone(std::stoi(process[1])))
        left.emplace_back(there, entry.path());
    }
  }
  return left;
}

/// Deletes what stands aside if any of the files is there, and else puts it back.
void settle(const std::vector<fs::path>& files, const Aside& aside) {
  std::error_code none;
  const bool begun = std::any_of(files.begin(), files.end(), [&none](const fs::path& file) {
    return fs::is_regular_file(file, none);
  });
  for (const auto& [there, hidden] : aside) {
    if (begun)
      fs::remove(hidden, none);
    else
      fs::rename(hidden, there, none);
  }
}

}  // namespace

EarlierResults::EarlierResults(std::vector<fs::path> files) : files_(std::move(files)) {
  settle(files_, left_by_killed(files_));
  std::error_code error;
  for (const fs::path& file : files_) {
    if (!fs::is_regular_file(file, error)) continue;
    const fs::path there = behind_links(file);
    const fs::path aside = there.parent_path() / hidden_name(std::to_string(getpid()), there);
    fs::rename(there, aside, error);  // what cannot be moved is told of when it is written
    if (!error) aside_.emplace_back(there, aside);
  }
}

EarlierResults::~EarlierResults() { settle(files_, aside_); }

}  // namespace warpmem::app
