// SPDX-License-Identifier: Apache-2.0
// One sweep at a time works on a database: two would run everything twice, and each would take the
// other's points away. The kernel drops the lock with its holder, whatever ends that.
#pragma once

#include <cstdint>
#include <string>

namespace warpmem::sweeps {

class DatabaseLock {
 public:
  enum class Patience : std::uint8_t { none, wait };

  /// Takes the lock and creates the file where there is none. When another process has the lock it
  /// waits, and says so, or throws UserError that names the holder's pid; UserError too when the
  /// path cannot be a database, Interrupted when a signal asks for an end.
  explicit DatabaseLock(const std::string& path, Patience patience = Patience::none);
  /// Removes the file if it is new and keep() was not called.
  ~DatabaseLock();
  DatabaseLock(const DatabaseLock&) = delete;
  DatabaseLock& operator=(const DatabaseLock&) = delete;

  /// Returns whether somebody has the lock now.
  static bool is_held(const std::string& path);

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
