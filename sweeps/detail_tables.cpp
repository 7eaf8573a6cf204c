// SPDX-License-Identifier: Apache-2.0
#include "sweeps/detail_tables.hpp"

#include <fmt/format.h>

#include <array>
#include <type_traits>

namespace warpmem::sweeps {

namespace {

/// A table whose rows belong to runs.
struct DetailTable {
  const char* name;
  const char* key;   ///< of a row within its run
  const char* what;  ///< what a row is, for people
  const char* same;  ///< column that must be the same wherever the run is complete
};

constexpr std::array<DetailTable, 4> kOfRuns = {{{"kernels", "launch", "launch", "stats"},
                                                 {"instructions", "number", "instruction", "stats"},
                                                 {"intervals", "position", "interval", "end_cycle"},
                                                 {"series", "name", "series", "points"}}};

template <class Value>
std::optional<Value> unless_null(const Statement& row, int column) {
  if (row.is_null(column)) return std::nullopt;
  if constexpr (std::is_same_v<Value, std::string>)
    return row.text(column);
  else
    return row.integer(column);
}

}  // namespace

const std::vector<std::string>& detail_tables() {
  static const std::vector<std::string> tables = {
      ("CREATE VIEW instruction_stats AS SELECT i.run, i.number, j.key AS name, j.value AS value"
       " FROM instructions i, json_each(i.stats) j"),
      ("CREATE TABLE instructions(run TEXT, number INTEGER, kernel TEXT, launches INTEGER,"
       " pc INTEGER, text TEXT, op TEXT, space TEXT, lane_bytes INTEGER, source_line INTEGER,"
       " line INTEGER, stats TEXT, slowest TEXT, PRIMARY KEY(run, number))"),
      ("CREATE TABLE intervals(run TEXT, position INTEGER, begin_cycle INTEGER, end_cycle INTEGER,"
       " launch INTEGER, PRIMARY KEY(run, position)) WITHOUT ROWID"),
      ("CREATE VIEW kernel_stats AS SELECT k.run, k.launch, j.key AS name, j.value AS value"
       " FROM kernels k, json_each(k.stats) j"),
      ("CREATE TABLE kernels(run TEXT, launch INTEGER, name TEXT, grid TEXT, block TEXT,"
       " cycles INTEGER, stats TEXT, PRIMARY KEY(run, launch))"),
      "CREATE TABLE series(run TEXT, name TEXT, points TEXT, PRIMARY KEY(run, name))",
      ("CREATE VIEW series_points AS SELECT s.run, s.name, i.launch, i.begin_cycle, i.end_cycle,"
       " j.value AS value FROM series s, json_each(s.points) j JOIN intervals i ON i.run = s.run"
       " AND i.position = j.key"),
      "CREATE TABLE units(name TEXT PRIMARY KEY, kind TEXT, unit TEXT, meaning TEXT)"};
  return tables;
}

void store_details(Connection& connection, const std::string& run, const RunDetails& details) {
  Statement kernel(connection, "INSERT INTO kernels VALUES(?, ?, ?, ?, ?, ?, ?)");
  for (const LaunchDetail& d : details.launches) {
    kernel.bind(run).bind(d.launch).bind(d.name).bind(d.grid).bind(d.block).bind(d.cycles);
    kernel.bind(d.stats).run();
  }
  Statement instruction(connection,
                        "INSERT INTO instructions VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  std::int64_t number = 0;
  for (const InstructionDetail& d : details.instructions) {
    instruction.bind(run).bind(++number).bind(d.kernel).bind(d.launches).bind(d.pc).bind(d.text);
    instruction.bind(d.op).bind(d.space).bind(d.lane_bytes).bind(d.source_line).bind(d.line);
    instruction.bind(d.stats).bind(d.slowest).run();
  }
  Statement interval(connection, "INSERT INTO intervals VALUES(?, ?, ?, ?, ?)");
  std::int64_t position = 0;
  for (const IntervalDetail& d : details.intervals)
    interval.bind(run).bind(position++).bind(d.begin).bind(d.end).bind(d.launch).run();
  Statement series(connection, "INSERT INTO series VALUES(?, ?, ?)");
  for (const SeriesDetail& d : details.series) series.bind(run).bind(d.name).bind(d.points).run();
  Statement unit(connection, "INSERT OR REPLACE INTO units VALUES(?, ?, ?, ?)");
  for (const StatisticUnit& d : details.units)
    unit.bind(d.name).bind(d.kind).bind(d.unit).bind(d.meaning).run();
}

void forget_details(Connection& connection, const std::string& run) {
  for (const DetailTable& table : kOfRuns) {
    const std::string sql = fmt::format("DELETE FROM {} WHERE run = ?", table.name);
    Statement(connection, sql.c_str()).bind(run).run();
  }
}

RunDetails details_of(Connection& connection, const std::string& run) {
  RunDetails details;
  Statement kernels(connection,
                    "SELECT launch, name, grid, block, cycles, stats FROM kernels WHERE run = ?"
                    " ORDER BY launch");
  kernels.bind(run);
  while (kernels.row())
    details.launches.push_back({kernels.integer(0), kernels.text(1), kernels.text(2),
                                kernels.text(3), kernels.integer(4), kernels.text(5)});
  kernels.check();
  Statement instructions(connection,
                         "SELECT kernel, launches, pc, text, op, space, lane_bytes, source_line,"
                         " line, stats, slowest FROM instructions WHERE run = ? ORDER BY number");
  instructions.bind(run);
  while (instructions.row()) {
    const auto text = [&](int column) { return unless_null<std::string>(instructions, column); };
    const auto number = [&](int column) { return unless_null<std::int64_t>(instructions, column); };
    details.instructions.push_back({text(0), number(1), number(2), text(3), instructions.text(4),
                                    text(5), number(6), number(7), number(8), instructions.text(9),
                                    text(10)});
  }
  instructions.check();
  Statement intervals(connection,
                      "SELECT begin_cycle, end_cycle, launch FROM intervals WHERE run = ?"
                      " ORDER BY position");
  intervals.bind(run);
  while (intervals.row())
    details.intervals.push_back({intervals.integer(0), intervals.integer(1), intervals.integer(2)});
  intervals.check();
  Statement series(connection, "SELECT name, points FROM series WHERE run = ? ORDER BY name");
  series.bind(run);
  while (series.row()) details.series.push_back({series.text(0), series.text(1)});
  series.check();
  // What names mean is the same of all runs, and a run without launches has no names.
  if (details.launches.empty()) return details;
  Statement units(connection, "SELECT name, kind, unit, meaning FROM units ORDER BY name");
  while (units.row())
    details.units.push_back({units.text(0), units.text(1), units.text(2), units.text(3)});
  units.check();
  return details;
}

void absorb_details(Connection& connection) {
  for (const DetailTable& table : kOfRuns)
    connection.execute(
        fmt::format("INSERT OR IGNORE INTO {0} SELECT o.* FROM other.{0} o JOIN other.runs r"
                    " ON r.key = o.run WHERE r.status = 'complete'",
                    table.name)
            .c_str());
  connection.execute("INSERT OR IGNORE INTO units SELECT * FROM other.units");
}

std::string differing_detail(Connection& connection) {
  for (const DetailTable& table : kOfRuns) {
    const std::string sql = fmt::format(
        "SELECT h.run, h.{1} FROM {0} h JOIN other.{0} o ON o.run = h.run AND o.{1} = h.{1}"
        " WHERE h.{2} IS NOT o.{2} LIMIT 1",
        table.name, table.key, table.same);
    Statement differing(connection, sql.c_str());
    if (differing.row())
      return fmt::format("run {} has another {} {}", differing.text(0), table.what,
                         differing.text(1));
    differing.check();
  }
  return "";
}

}  // namespace warpmem::sweeps
