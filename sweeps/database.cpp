// SPDX-License-Identifier: Apache-2.0
#include "sweeps/database.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/errors.hpp"

namespace warpmem::sweeps {

namespace {

constexpr const char* kSchema = "1";
/// The tables stand in the order of their names.
const std::vector<std::string> kTables = {
    "CREATE TABLE points(position INTEGER PRIMARY KEY, run TEXT, workload TEXT, arguments TEXT,"
    " labels TEXT)",
    "CREATE TABLE runs(key TEXT PRIMARY KEY, status TEXT, message TEXT, seconds REAL, config TEXT,"
    " manifest TEXT)",
    "CREATE TABLE stats(run TEXT, name TEXT, value REAL, PRIMARY KEY(run, name)) WITHOUT ROWID",
    "CREATE TABLE sweep(key TEXT PRIMARY KEY, value TEXT)"};

}  // namespace

struct Database::Impl {
  std::string path;
  sqlite3* db = nullptr;

  ~Impl() { sqlite3_close(db); }

  [[noreturn]] void fail(const std::string& what) const {
    throw UserError(path + ": " + what + ": " + sqlite3_errmsg(db));
  }
  void execute(const char* sql) {
    if (sqlite3_exec(db, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail("cannot be written");
  }
};

namespace {

/// This is a prepared statement. Texts that are bound must live until the step is done.
class Statement {
 public:
  template <class Owner>
  Statement(Owner& owner, const char* sql) {
    if (sqlite3_prepare_v2(owner.db, sql, -1, &statement_, nullptr) != SQLITE_OK)
      owner.fail("not the results of a sweep");
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(const std::string& text) {
    sqlite3_bind_text(statement_, ++bound_, text.data(), static_cast<int>(text.size()),
                      SQLITE_STATIC);
    return *this;
  }
  Statement& bind(double number) {
    sqlite3_bind_double(statement_, ++bound_, number);
    return *this;
  }
  Statement& bind(std::int64_t number) {
    sqlite3_bind_int64(statement_, ++bound_, number);
    return *this;
  }
  bool row() {
    result_ = sqlite3_step(statement_);
    return result_ == SQLITE_ROW;
  }
  /// Checks what ended the rows: only their end may have done so, and no error.
  template <class Owner>
  void check(Owner& owner) const {
    if (result_ != SQLITE_ROW && result_ != SQLITE_DONE) owner.fail("cannot be read");
  }
  template <class Owner>
  void run(Owner& owner) {
    if (sqlite3_step(statement_) != SQLITE_DONE) owner.fail("cannot be written");
    sqlite3_reset(statement_);
    bound_ = 0;
  }
  std::string text(int column) const {
    const auto* const bytes = sqlite3_column_text(statement_, column);
    return bytes == nullptr ? "" : reinterpret_cast<const char*>(bytes);
  }
  double number(int column) const { return sqlite3_column_double(statement_, column); }

 private:
  sqlite3_stmt* statement_ = nullptr;
  int bound_ = 0;
  int result_ = SQLITE_DONE;
};

/// What is executed while one lives is written as a whole or not at all.
template <class Owner>
class Transaction {
 public:
  explicit Transaction(Owner& owner) : owner_(owner) { owner.execute("BEGIN IMMEDIATE"); }
  ~Transaction() {
    if (!done_) sqlite3_exec(owner_.db, "ROLLBACK", nullptr, nullptr, nullptr);
  }
  void commit() {
    owner_.execute("COMMIT");
    done_ = true;
  }

 private:
  Owner& owner_;
  bool done_ = false;
};

template <class Owner>
void set_schema(Owner& owner) {
  Statement fact(owner, "INSERT INTO sweep VALUES('schema', ?)");
  const std::string schema = kSchema;
  fact.bind(schema).run(owner);
}

}  // namespace

Database::Database(const std::string& path, Access access) : impl_(std::make_unique<Impl>()) {
  impl_->path = path;
  const int flags = SQLITE_OPEN_READWRITE | (access == Access::existing ? 0 : SQLITE_OPEN_CREATE);
  if (sqlite3_open_v2(path.c_str(), &impl_->db, flags, nullptr) != SQLITE_OK)
    impl_->fail("cannot be opened");
  sqlite3_busy_timeout(impl_->db, 10'000);
  if (access == Access::draft) impl_->execute("PRAGMA synchronous = OFF");
  std::vector<std::string> tables;
  Statement listed(*impl_, "SELECT sql FROM sqlite_master WHERE type = 'table' ORDER BY name");
  while (listed.row()) tables.push_back(listed.text(0));
  listed.check(*impl_);
  if (tables.empty() && access != Access::existing) {
    Transaction transaction(*impl_);
    for (const std::string& sql : kTables) impl_->execute(sql.c_str());
    set_schema(*impl_);
    transaction.commit();
    return;
  }
  if (tables != kTables) throw UserError(path + ": not the results of a sweep; give another file");
  if (fact("schema") != kSchema)
    throw UserError(path + ": results of another version of warpmem; give another file");
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
  select.check(*impl_);
  return value;
}

void Database::set_fact(const std::string& key, const std::string& value) {
  Statement(*impl_, "INSERT OR REPLACE INTO sweep VALUES(?, ?)").bind(key).bind(value).run(*impl_);
}

void Database::set_points(const std::string& file, const std::string& version,
                          const std::vector<Point>& points) {
  Transaction transaction(*impl_);
  impl_->execute("DELETE FROM points");
  Statement fact(*impl_, "INSERT OR REPLACE INTO sweep VALUES(?, ?)");
  fact.bind(std::string("file")).bind(file).run(*impl_);
  fact.bind(std::string("warpmem")).bind(version).run(*impl_);
  Statement insert(*impl_, "INSERT INTO points VALUES(?, ?, ?, ?, ?)");
  std::int64_t position = 0;
  for (const Point& point : points) {
    nlohmann::ordered_json labels = nlohmann::ordered_json::object();
    for (const auto& [axis, label] : point.labels) labels[axis] = label;
    const std::string text = labels.dump();
    insert.bind(position++).bind(point.run).bind(point.workload).bind(point.arguments).bind(text);
    insert.run(*impl_);
  }
  transaction.commit();
}

std::vector<Point> Database::points() const {
  std::vector<Point> points;
  Statement select(*impl_, "SELECT run, workload, arguments, labels FROM points ORDER BY position");
  while (select.row()) {
    Point point{select.text(0), select.text(1), select.text(2), {}};
    const auto labels = nlohmann::ordered_json::parse(select.text(3), nullptr, false);
    if (labels.is_object())
      for (const auto& [axis, label] : labels.items())
        point.labels.emplace_back(axis, label.get<std::string>());
    points.push_back(std::move(point));
  }
  select.check(*impl_);
  return points;
}

void Database::visit_costs(const std::function<void(const RunCost&)>& visit) const {
  Statement select(*impl_,
                   "SELECT p.workload, p.arguments, r.config, r.seconds FROM points p JOIN runs r"
                   " ON r.key = p.run WHERE r.status = 'complete' GROUP BY r.key");
  while (select.row()) visit({select.text(0), select.text(1), select.text(2), select.number(3)});
  select.check(*impl_);
}

void Database::absorb(const std::string& path) {
  Database(path, Access::existing).check_integrity();
  Statement(*impl_, "ATTACH ? AS other").bind(path).run(*impl_);
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
  differing.check(*impl_);
  impl_->execute(
      "CREATE TEMP TABLE news AS SELECT o.key FROM other.runs o LEFT JOIN runs r USING (key)"
      " WHERE r.key IS NULL OR (r.status = 'failed' AND o.status = 'complete')");
  for (const char* sql :
       {"INSERT OR REPLACE INTO runs SELECT o.* FROM other.runs o JOIN news USING (key)",
        "INSERT OR REPLACE INTO stats SELECT s.* FROM other.stats s JOIN news n ON n.key = s.run",
        "DROP TABLE news"})
    impl_->execute(sql);
  transaction.commit();
}

void Database::store(const RunResult& r) {
  Transaction transaction(*impl_);
  Statement run(*impl_, "INSERT OR REPLACE INTO runs VALUES(?, ?, ?, ?, ?, ?)");
  const std::string status = r.complete ? "complete" : "failed";
  run.bind(r.key).bind(status).bind(r.message).bind(r.seconds).bind(r.config).bind(r.manifest);
  run.run(*impl_);
  Statement stat(*impl_, "INSERT OR REPLACE INTO stats VALUES(?, ?, ?)");
  for (const auto& [name, value] : r.stats) stat.bind(r.key).bind(name).bind(value).run(*impl_);
  transaction.commit();
}

void Database::forget(const std::string& key) {
  Transaction transaction(*impl_);
  for (const char* sql : {"DELETE FROM runs WHERE key = ?", "DELETE FROM stats WHERE run = ?"})
    Statement(*impl_, sql).bind(key).run(*impl_);
  transaction.commit();
}

std::map<std::string, bool> Database::ended() const {
  std::map<std::string, bool> ended;
  Statement select(*impl_, "SELECT key, status FROM runs");
  while (select.row()) ended[select.text(0)] = select.text(1) == "complete";
  select.check(*impl_);
  return ended;
}

RunResult Database::result(const std::string& key) const {
  RunResult result;
  Statement select(*impl_,
                   "SELECT status, message, seconds, config, manifest FROM runs"
                   " WHERE key = ?");
  select.bind(key);
  const bool there = select.row();
  select.check(*impl_);
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
  stats.check(*impl_);
  return result;
}

}  // namespace warpmem::sweeps
