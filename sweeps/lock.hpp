// SPDX-License-Identifier: Apache-2.0
// One sweep at a time works on a database: two would run everything twice, and each would take the
// other's points away. The kernel drops the lock with its holder, whatever ends that.
//
// Locked (flock) is a file beside the database, DATABASE.lock, and not the database: where locks of
// bytes stand for flock, as on NFS, SQLite's own would be refused. Its holder removes it at the
// end; one that a killed holder has left is locked, and removed, by the next.
#pragma once

#include <cstdint>
#include <string>

namespace warpmem::sweeps {

class DatabaseLock {
 public:
  enum class Patience : std::uint8_t { none, wait };

  /// Takes the lock and creates the database where there is none. When another process has the lock
  /// it waits, and says so, or throws UserError that names the holder's pid; UserError too when the
  /// path cannot be a database, Interrupted when a signal asks for an end.
  explicit DatabaseLock(const std::string& path, Patience patience = Patience::none);
  /// Removes the database if it is new and keep() was not called.
  ~DatabaseLock();
  DatabaseLock(const DatabaseLock&) = delete;
  DatabaseLock& operator=(const DatabaseLock&) = delete;

  /// Returns whether somebody has the lock now.
  static bool is_held(const std::string& path);

  /// Returns whether the database was not there before.
  bool is_new() const { return new_; }
  /// Says that there are results in the database now, so that it stays.
  void keep() { kept_ = true; }
  /// Returns where the database is: absolute, and no link.
  const std::string& path() const { return path_; }

 private:
  void take(const std::string& path, Patience patience);
  void release();

  std::string path_;
  int descriptor_ = -1;
  bool new_ = false, kept_ = false;
};

}  // namespace warpmem::sweeps
