// SPDX-License-Identifier: Apache-2.0
// How a program ended, in a file, for whoever comes when the process that started it is gone.
//
// While anything of the program lives, the file NAME.open is there and locked (flock) by the
// program, by all that it starts and by its keeper (base/process.hpp). When the program has ended
// the keeper writes the status into it and gives it the name NAME. So NAME is there as a whole or
// not at all, and where neither is locked nothing of the program lives.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace warpmem {

struct RecordedEnd {
  int status;      ///< exit status; 128 + n when signal n ended the program
  double seconds;  ///< of wall time that the program took
};

/// Returns how the program ended; nothing when its keeper did not live to see that.
std::optional<RecordedEnd> read_end(const std::filesystem::path& name);

/// Returns whether anything of the program still lives, or has not closed what it inherited.
bool lives(const std::filesystem::path& name);

/// The open file of a record, on the side of the one that starts a program.
class EndRecord {
 public:
  /// Opens and locks `name`.open, or does nothing when the name is empty. What an earlier program
  /// left under both names is removed. Throws UserError when the file cannot be written or locked.
  explicit EndRecord(const std::filesystem::path& name);
  /// Closes the file here; the program and its keeper hold it, and the lock.
  ~EndRecord();
  EndRecord(const EndRecord&) = delete;
  EndRecord& operator=(const EndRecord&) = delete;

  /// Returns the descriptor; -1 when there is no record.
  int descriptor() const { return descriptor_; }
  /// Writes the end, as waitpid() told it, and gives the file its name. Safe after a fork of a
  /// process that has several threads, and in a signal handler.
  void write(int wait_status, std::int64_t nanoseconds) const;
  /// Takes the file away, so that write() does nothing. As safe as that.
  void withdraw() const;

 private:
  std::string name_, open_;  // absolute
  int descriptor_ = -1;
};

/// Returns the exit status that a status of waitpid() means, 128 + n for signal n.
int exit_status(int wait_status);

}  // namespace warpmem
