// SPDX-License-Identifier: Apache-2.0
// How every output file is written. A regular file appears whole or stays as it was: the bytes go
// into a draft in the same folder, which takes the name at the end. Where the path is a link, the
// file behind it is written and the link stays. Devices, pipes and the standard streams are written
// as they are, and never replaced.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <string_view>
#include <vector>

namespace warpmem {

class OutputFile {
 public:
  /// Throws EnvironmentError when the file cannot be written. A pipe is opened when its reader is
  /// there.
  explicit OutputFile(std::filesystem::path path);
  /// Leaves a regular file as it was before unless commit() was called.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Throws EnvironmentError when the bytes find no room.
  void write(std::string_view bytes);
  /// Must be the last call: the file is there afterwards. Throws EnvironmentError when it cannot
  /// be.
  void commit();

 private:
  [[noreturn]] void fail(int error) const;
  bool is_standard_stream(const struct stat& found);
  void open_draft(bool replaces, mode_t mode);

  std::filesystem::path path_;    ///< as the user wrote it
  std::filesystem::path target_;  ///< the regular file that is replaced; empty: written directly
  std::filesystem::path draft_;   ///< empty while the draft has no name
  int descriptor_ = -1;
};

/// Returns the path behind a chain of links, whether or not there is a file.
std::filesystem::path behind_links(std::filesystem::path path);

/// Throws EnvironmentError when a regular file could not be written there, as where a folder is. It
/// leaves everything as it is, and serves outputs of long work before that begins. Devices and
/// pipes are not tried.
void check_output(const std::filesystem::path& file);

/// Throws UserError when an output would replace an input or another output. An output of no name
/// is none; devices and pipes may take several. Throws EnvironmentError for an output at a path
/// that no file can have.
void check_apart(const std::vector<std::filesystem::path>& outputs,
                 const std::vector<std::filesystem::path>& inputs);

/// Removes an output of an earlier run: a regular file, or the one that a link names; the link,
/// devices and pipes stay.
void remove_output(const std::filesystem::path& file);

}  // namespace warpmem
