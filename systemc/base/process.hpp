// SPDX-License-Identifier: Apache-2.0
// Other programs, started without a shell. They end with this process, whatever ends it, and so
// does everything that they have started themselves.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace warpmem {

/// What to run and where. With both `log` and `output` empty the program works on our standard
/// streams, otherwise it reads an empty standard input. It has a process group of its own unless it
/// reads from a terminal, where it stays in ours. Relative paths start at our directory.
struct Process {
  /// The program and its arguments. argv[0] is a path with a slash in it, or one of the programs in
  /// tools/packages.txt, which is looked up in PATH.
  std::vector<std::string> argv;
  std::filesystem::path directory = {};  ///< working directory of the program
  std::filesystem::path log = {};        ///< receives stdout and stderr; replaced
  std::filesystem::path output = {};     ///< receives stdout instead; replaced
  /// Receives how the program ended, whatever becomes of us (base/end_record.hpp); replaced.
  std::filesystem::path record = {};
  /// NAME=VALUE; added to ours, or instead of one of it.
  std::vector<std::string> environment = {};
  /// Programs that it starts itself, which must be there, too.
  std::vector<std::string> needs = {};
  /// Limit of its run time; 0: none. It needs a process group.
  std::chrono::seconds limit{0};
};

/// The status of a program that was ended because its time was over.
constexpr int kOutOfTime = -1;

/// A program that has been started. The thread that starts it must outlive it.
class RunningProcess {
 public:
  /// Throws UserError that names the Debian package when a program is not installed, and UserError
  /// when the directory does not exist or a file cannot be written.
  explicit RunningProcess(const Process& process);
  ~RunningProcess();  ///< does what kill() does
  RunningProcess(const RunningProcess&) = delete;
  RunningProcess& operator=(const RunningProcess&) = delete;

  /// Returns the exit status (128 + n when signal n ended it), or nothing when it still runs after
  /// `at_most`. What it leaves behind in its process group is killed. Throws UserError when it
  /// could not be started.
  std::optional<int> wait(std::chrono::milliseconds at_most);
  int wait();
  /// Ends the program, with all of its process group; wait() tells the end of one that had ended.
  void kill();

 private:
  struct Report;
  /// Waits for the keeper's end; ends its group when it has not `told` how the program ended.
  void reap(bool told);
  int status_of(const Report& report) const;
  int status_without_report() const;

  std::string program_;
  std::filesystem::path record_;  ///< absolute, or empty
  pid_t keeper_ = 0;              ///< 0: the keeper has ended
  int report_ = -1;               ///< where the keeper tells the end
  bool own_group_ = false;
  int status_ = 0;
};

/// Runs the program to its end and returns its exit status, as RunningProcess does, or kOutOfTime.
int run_process(const Process& process);

/// Returns what to say of a program that ended otherwise than it should: "yosys (Debian package
/// yosys) ended with exit status 3".
std::string ending(const Process& process, int status);

}  // namespace warpmem
