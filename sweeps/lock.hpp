// SPDX-License-Identifier: Apache-2.0
// One sweep at a time works on a database: two would run everything twice, and each would take the
// other's points away. The kernel drops the lock with its holder, whatever ends that.
#pragma once

#include <string>

namespace warpmem::sweeps {

class DatabaseLock {
 public:
  /// Takes the lock and creates the file where there is none. Throws UserError that names the
  /// holder's pid when another process has the lock, and when the path cannot be a database.
  explicit DatabaseLock(const std::string& path);
  /// Removes the file if it is new and keep() was not called.
  ~DatabaseLock();
  DatabaseLock(const DatabaseLock&) = delete;
  DatabaseLock& operator=(const DatabaseLock&) = delete;

  /// Returns whether the file was not there before.
  bool is_new() const { return new_; }
  /// Says that there are results in the file now, so that it stays.
  void keep() { kept_ = true; }

 private:
  std::string path_;
  int descriptor_ = -1;
  bool new_ = false, kept_ = false;
};

}  // namespace warpmem::sweeps
