// SPDX-License-Identifier: Apache-2.0
// Results of an earlier run in the directory of a new one.
#pragma once

#include <filesystem>
#include <utility>
#include <vector>

namespace warpmem::app {

/// While one lives, the files that a run may write stand aside under hidden names. In the end they
/// are deleted when the new run has written any, and else, as for a run that is refused at its
/// beginning, they are back. For what was killed before its end, the next one does this first.
class EarlierResults {
 public:
  /// `files`: all that the new run may write into its directory. Devices, pipes and links stay.
  explicit EarlierResults(std::vector<std::filesystem::path> files);
  ~EarlierResults();
  EarlierResults(const EarlierResults&) = delete;
  EarlierResults& operator=(const EarlierResults&) = delete;

 private:
  std::vector<std::filesystem::path> files_;
  /// The file, which a link may have named, and where it stands.
  std::vector<std::pair<std::filesystem::path, std::filesystem::path>> aside_;
};

}  // namespace warpmem::app
