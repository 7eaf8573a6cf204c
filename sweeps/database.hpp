// SPDX-License-Identifier: Apache-2.0
// Results of a sweep in one SQLite file. A run is committed whole when it ends, so that whatever
// ends the sweep loses at most the runs in flight.
//
//   sweep(key, value)      'schema', 'file', 'warpmem'; 'plan': hash of the points; 'programs':
//   what
//                          its sources make (JSON); of a sweep that is at work: 'work', its folder,
//                          and 'running', what it runs (JSON)
//   points(position, run, workload, arguments, labels)   labels: JSON object axis -> label
//   runs(key, status, message, seconds, config, manifest)   status 'complete' or 'failed'
//   stats(run, name, value)   scalars over all kernels
//   kernels, instructions, intervals, series, units   sweeps/detail_tables.hpp
//
// A file of schema 1, which has totals only, gets the further tables when it is opened to be
// written, and is read as it is otherwise: a sweep that an older warpmem works on is left alone.
//
// Points that ask for the same run share it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sweeps/run_details.hpp"

namespace warpmem::sweeps {

struct Point {
  std::string run;  ///< key
  std::string workload;
  std::string arguments;
  std::vector<std::pair<std::string, std::string>> labels;  ///< axis, label
};

struct RunResult {
  std::string key;
  bool complete = false;
  std::string message;  ///< why it failed; empty when it has not
  double seconds = 0;   ///< seconds of wall time
  std::string config;   ///< every key, resolved (YAML)
  std::string manifest;
  std::vector<std::pair<std::string, double>> stats;
};

/// What a complete run took, of a point that asks for it.
struct RunCost {
  std::string workload, arguments, config;
  double seconds;      ///< wall time
  double cpu_seconds;  ///< what its manifest says of itself; 0: nothing
};

/// Returns whether there is anything in a file: a sweep that is about to begin has an empty one,
/// and takes it away when it comes to nothing.
bool has_content(const std::filesystem::path& file);

class Database {
 public:
  enum class Access : std::uint8_t {
    create,
    existing,
    draft  ///< created; loses everything when the machine crashes, and is faster
  };

  /// Opens `path`, or creates it. Throws UserError when it is not a sweep's. While another process
  /// has locked the file, whoever may create it waits, and says so; Interrupted is thrown when a
  /// signal asks for an end. With Access::existing the wait is one of ten seconds.
  explicit Database(const std::string& path, Access access = Access::create);
  ~Database();

  /// Reads every page. Throws UserError when the file is damaged.
  void check_integrity();

  /// Returns a value of the table `sweep`; it is empty when there is none.
  std::string fact(const std::string& key) const;
  void set_fact(const std::string& key, const std::string& value);

  /// Replaces the list of points; results of runs stay.
  void set_points(const std::string& file, const std::string& version,
                  const std::vector<Point>& points);
  std::vector<Point> points() const;
  /// Calls `visit` for each complete run that a point asks for.
  void visit_costs(const std::function<void(const RunCost&)>& visit) const;

  /// Takes over all runs of another sweep's file that this one lacks, or that failed here and are
  /// complete there. Throws UserError, and changes nothing, when a run is complete in both and has
  /// other statistics in the other.
  void absorb(const std::string& path);

  void store(const RunResult& result, const RunDetails& details = {});
  void forget(const std::string& key);
  /// Returns the status of every run that has ended, by its key: true when it is complete.
  std::map<std::string, bool> ended() const;
  /// Returns all there is of a run; its key is empty when the run has not ended.
  RunResult result(const std::string& key) const;
  /// Returns what there is of a run beside that; nothing of one from a file of schema 1.
  RunDetails details(const std::string& key) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace warpmem::sweeps
