// SPDX-License-Identifier: Apache-2.0
#include "sweeps/database.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/errors.hpp"
#include "base/interrupt.hpp"
#include "base/text.hpp"
#include "files/json_text.hpp"
#include "sweeps/detail_tables.hpp"
#include "sweeps/sqlite.hpp"

namespace warpmem::sweeps {

namespace {

constexpr const char* kSchema = "2";
/// Results before launches, instructions, series and units were kept.
constexpr const char* kTotalsOnly = "1";

/// The tables of both schemas.
const std::vector<std::string> kTables = {
    "CREATE TABLE points(position INTEGER PRIMARY KEY, run TEXT, workload TEXT, arguments TEXT,"
    " labels TEXT)",
    "CREATE TABLE runs(key TEXT PRIMARY KEY, status TEXT, message TEXT, seconds REAL, config TEXT,"
    " manifest TEXT)",
    "CREATE TABLE stats(run TEXT, name TEXT, value REAL, PRIMARY KEY(run, name)) WITHOUT ROWID",
    "CREATE TABLE sweep(key TEXT PRIMARY KEY, value TEXT)"};

void create(Connection& connection, const std::vector<std::string>& tables) {
  for (const std::string& sql : tables) connection.execute(sql.c_str());
}

std::vector<std::string> tables_of(Connection& connection) {
  std::vector<std::string> tables;
  Statement listed(connection,
                   "SELECT sql FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name");
  while (listed.row()) tables.push_back(listed.text(0));
  listed.check();
  return tables;
}

bool is(const std::vector<std::string>& there, std::vector<std::string> expected) {
  std::vector<std::string> sorted = there;
  std::sort(sorted.begin(), sorted.end());
  std::sort(expected.begin(), expected.end());
  return sorted == expected;
}

std::vector<std::string> all_tables() {
  std::vector<std::string> all = kTables;
  all.insert(all.end(), detail_tables().begin(), detail_tables().end());
  return all;
}

constexpr std::chrono::seconds kReaderWaits(10);
constexpr std::chrono::seconds kSilence(10);  // a writer waits so long without a word
/// A signal does not end a shorter wait, since that would give away a result for nothing.
constexpr std::chrono::seconds kShortWait(1);

}  // namespace

bool has_content(const std::filesystem::path& file) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  return !error && size != 0;
}

struct Database::Impl : Connection {
  bool totals_only = false;  ///< the file is of the schema before, and only read

  using Clock = std::chrono::steady_clock;
  Clock::time_point waits_since;
  bool said = false;

  static int writer_waits(void* impl, int times) {
    return static_cast<Impl*>(impl)->wait_to_write(times);
  }
  int wait_to_write(int times);
};

// SQLite asks, while another process has the file, whether to try again; `times` counts since the
// beginning of this wait. What is to be written may be hours of work, and the reader will end.
int Database::Impl::wait_to_write(int times) {
  if (times == 0) {
    waits_since = Clock::now();
    said = false;
  }
  const Clock::duration waited = Clock::now() - waits_since;
  if (waited >= kShortWait && requested_interrupt() != 0) return 0;
  if (waited >= kSilence && !said) {
    fmt::print(stderr, "warpmem: {}: the database is locked by another process; waiting\n", path);
    said = true;
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(std::min(times + 1, 100)));
  return 1;
}

Database::Database(const std::string& path, Access access) : impl_(std::make_unique<Impl>()) {
  impl_->path = path;
  const int flags = SQLITE_OPEN_READWRITE | (access == Access::existing ? 0 : SQLITE_OPEN_CREATE);
  if (sqlite3_open_v2(path.c_str(), &impl_->db, flags, nullptr) != SQLITE_OK)
    impl_->fail("cannot be opened");
  if (access == Access::existing)
    sqlite3_busy_timeout(impl_->db, std::chrono::milliseconds(kReaderWaits).count());
  else
    sqlite3_busy_handler(impl_->db, Impl::writer_waits, impl_.get());
  if (access == Access::draft) impl_->execute("PRAGMA synchronous = OFF");
  const std::vector<std::string> tables = tables_of(*impl_);
  if (tables.empty() && access != Access::existing) {
    Transaction transaction(*impl_);
    create(*impl_, all_tables());
    set_fact("schema", kSchema);
    transaction.commit();
    return;
  }
  const bool before = is(tables, kTables);
  if (!before && !is(tables, all_tables()))
    throw UserError(path + ": not the results of a sweep; give another file");
  if (fact("schema") != (before ? kTotalsOnly : kSchema))
    throw UserError(path + ": results of another version of warpmem; give another file");
  impl_->totals_only = before && access == Access::existing;
  if (!before || impl_->totals_only) return;
  Transaction transaction(*impl_);
  create(*impl_, detail_tables());
  set_fact("schema", kSchema);
  transaction.commit();
}

Database::~Database() = default;

void Database::check_integrity() {
  Statement check(*impl_, "PRAGMA integrity_check(1)");
  const bool any = check.row();
  if (any && check.text(0) == "ok") return;
  std::string what = any ? check.text(0) : sqlite3_errmsg(impl_->db);
  std::replace(what.begin(), what.end(), '\n', ' ');
  throw UserError(
      fmt::format("{}: damaged ({}); give another file, or a copy from before", impl_->path, what));
}

std::string Database::fact(const std::string& key) const {
  Statement select(*impl_, "SELECT value FROM sweep WHERE key = ?");
  select.bind(key);
  const std::string value = select.row() ? select.text(0) : "";
  select.check();
  return value;
}

void Database::set_fact(const std::string& key, const std::string& value) {
  Statement(*impl_, "INSERT OR REPLACE INTO sweep VALUES(?, ?)").bind(key).bind(value).run();
}

void Database::set_points(const std::string& file, const std::string& version,
                          const std::vector<Point>& points) {
  Transaction transaction(*impl_);
  impl_->execute("DELETE FROM points");
  Statement fact(*impl_, "INSERT OR REPLACE INTO sweep VALUES(?, ?)");
  fact.bind(std::string("file")).bind(file).run();
  fact.bind(std::string("warpmem")).bind(version).run();
  Statement insert(*impl_, "INSERT INTO points VALUES(?, ?, ?, ?, ?)");
  std::int64_t position = 0;
  for (const Point& point : points) {
    nlohmann::ordered_json labels = nlohmann::ordered_json::object();
    for (const auto& [axis, label] : point.labels) labels[axis] = label;
    const std::string text = compact_json(labels);
    insert.bind(position++).bind(point.run).bind(point.workload).bind(point.arguments).bind(text);
    insert.run();
  }
  transaction.commit();
}

std::vector<Point> Database::points() const {
  std::vector<Point> points;
  Statement select(*impl_, "SELECT run, workload, arguments, labels FROM points ORDER BY position");
  while (select.row()) {
    Point point{select.text(0), select.text(1), select.text(2), {}};
    const auto labels = try_ordered_json(select.text(3));
    if (!labels.is_object() || !std::all_of(labels.begin(), labels.end(),
                                            [](const auto& label) { return label.is_string(); }))
      throw UserError(fmt::format(
          "{}: point {} of {}: its labels are {}; allowed: a JSON object of texts, as a sweep "
          "writes it",
          impl_->path, points.size() + 1, point.workload,
          select.is_null(3) ? "missing" : shown(select.text(3))));
    for (const auto& [axis, label] : labels.items())
      point.labels.emplace_back(axis, label.get<std::string>());
    points.push_back(std::move(point));
  }
  select.check();
  return points;
}

void Database::visit_costs(const std::function<void(const RunCost&)>& visit) const {
  Statement select(*impl_,
                   "SELECT p.workload, p.arguments, r.config, r.seconds, CASE WHEN"
                   " json_valid(r.manifest) THEN json_extract(r.manifest, '$.cpu_seconds') END"
                   " FROM points p JOIN runs r ON r.key = p.run WHERE r.status = 'complete'"
                   " GROUP BY r.key");
  while (select.row())
    visit({select.text(0), select.text(1), select.text(2), select.number(3), select.number(4)});
  select.check();
}

void Database::absorb(const std::string& path) {
  bool totals_only = false;
  {
    Database other(path, Access::existing);
    other.check_integrity();
    totals_only = other.impl_->totals_only;
  }
  Statement(*impl_, "ATTACH ? AS other").bind(path).run();
  const auto detach = [this](const void*) {
    sqlite3_exec(impl_->db, "DETACH other", nullptr, nullptr, nullptr);
  };
  const std::unique_ptr<const void, decltype(detach)> attached(this, detach);
  Transaction transaction(*impl_);
  Statement differing(*impl_,
                      "SELECT r.key, s.name FROM runs r JOIN other.runs o USING (key)"
                      " JOIN stats s ON s.run = r.key JOIN other.stats t ON t.run = r.key AND"
                      " t.name = s.name WHERE r.status = 'complete' AND o.status = 'complete' AND"
                      " s.value IS NOT t.value LIMIT 1");
  if (differing.row())
    throw UserError(fmt::format("{}: run {} has another {} than in the other results", path,
                                differing.text(0), differing.text(1)));
  differing.check();
  if (!totals_only)
    if (const std::string what = differing_detail(*impl_); !what.empty())
      throw UserError(fmt::format("{}: {} than in the other results", path, what));
  impl_->execute(
      "CREATE TEMP TABLE news AS SELECT o.key FROM other.runs o LEFT JOIN runs r USING (key)"
      " WHERE r.key IS NULL OR (r.status = 'failed' AND o.status = 'complete')");
  for (const char* sql :
       {"INSERT OR REPLACE INTO runs SELECT o.* FROM other.runs o JOIN news USING (key)",
        "INSERT OR REPLACE INTO stats SELECT s.* FROM other.stats s JOIN news n ON n.key = s.run",
        "DROP TABLE news"})
    impl_->execute(sql);
  if (!totals_only) absorb_details(*impl_);
  transaction.commit();
}

void Database::store(const RunResult& r, const RunDetails& details) {
  Transaction transaction(*impl_);
  Statement run(*impl_, "INSERT OR REPLACE INTO runs VALUES(?, ?, ?, ?, ?, ?)");
  const std::string status = r.complete ? "complete" : "failed";
  run.bind(r.key).bind(status).bind(r.message).bind(r.seconds).bind(r.config).bind(r.manifest);
  run.run();
  Statement stat(*impl_, "INSERT OR REPLACE INTO stats VALUES(?, ?, ?)");
  for (const auto& [name, value] : r.stats) stat.bind(r.key).bind(name).bind(value).run();
  forget_details(*impl_, r.key);
  store_details(*impl_, r.key, details);
  transaction.commit();
}

void Database::forget(const std::string& key) {
  Transaction transaction(*impl_);
  for (const char* sql : {"DELETE FROM runs WHERE key = ?", "DELETE FROM stats WHERE run = ?"})
    Statement(*impl_, sql).bind(key).run();
  forget_details(*impl_, key);
  transaction.commit();
}

std::map<std::string, bool> Database::ended() const {
  std::map<std::string, bool> ended;
  Statement select(*impl_, "SELECT key, status FROM runs");
  while (select.row()) ended[select.text(0)] = select.text(1) == "complete";
  select.check();
  return ended;
}

RunResult Database::result(const std::string& key) const {
  RunResult result;
  Statement select(*impl_,
                   "SELECT status, message, seconds, config, manifest FROM runs"
                   " WHERE key = ?");
  select.bind(key);
  const bool there = select.row();
  select.check();
  if (!there) return result;
  result.key = key;
  result.complete = select.text(0) == "complete";
  result.message = select.text(1);
  result.seconds = select.number(2);
  result.config = select.text(3);
  result.manifest = select.text(4);
  Statement stats(*impl_, "SELECT name, value FROM stats WHERE run = ? ORDER BY name");
  stats.bind(key);
  while (stats.row()) result.stats.emplace_back(stats.text(0), stats.number(1));
  stats.check();
  return result;
}

RunDetails Database::details(const std::string& key) const {
  return impl_->totals_only ? RunDetails() : details_of(*impl_, key);
}

}  // namespace warpmem::sweeps
