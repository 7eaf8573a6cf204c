// SPDX-License-Identifier: Apache-2.0
// One sweep at a time works on a database: two would run everything twice, and each would take the
// other's points away. The kernel drops the lock with its holder, whatever ends that.
#pragma once

#include <string>

namespace warpmem::sweeps {

class DatabaseLock {
 public:
  /// Creates the file where there is none. UserError that names the holder's pid when another
  /// process has the lock, and when the path cannot be a database.
  explicit DatabaseLock(const std::string& path);
  /// Removes the file if it is new and keep() was not called.
  ~DatabaseLock();
  DatabaseLock(const DatabaseLock&) = delete;
  DatabaseLock& operator=(const DatabaseLock&) = delete;

  /// Whether the file was not there before.
  bool is_new() const { return new_; }
  /// There are results in it.
  void keep() { kept_ = true; }

 private:
  std::string path_;
  int descriptor_ = -1;
  bool new_ = false, kept_ = false;
};

}  // namespace warpmem::sweeps
