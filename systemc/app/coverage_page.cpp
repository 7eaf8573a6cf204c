// SPDX-License-Identifier: Apache-2.0
#include "app/coverage_page.hpp"

#include "app/places.hpp"
#include "base/errors.hpp"
#include "base/process.hpp"
#include "base/text_file.hpp"
#include "base/work_folder.hpp"
#include "files/json_text.hpp"

namespace warpmem::app {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Json points_of(const cosim::CodeCoverage& code) {
  Json points = Json::array();
  for (const cosim::CodePoint& p : code.points())
    points.push_back({{"kind", p.toggle ? "toggle" : "line"},
                      {"file", p.file},
                      {"line", p.line},
                      {"scope", p.scope},
                      {"what", p.what},
                      {"count", p.count},
                      {"excluded", p.excluded}});
  return points;
}

/// The files that points are in, which lie below rtl/ or are a user's own.
Json sources_of(const cosim::CodeCoverage& code) {
  Json sources = Json::object();
  for (const cosim::CodePoint& p : code.points())
    if (!sources.contains(p.file)) sources[p.file] = read_text(places().rtl / p.file);
  return sources;
}

Json run_of(const CosimOutcome& outcome) {
  Json lists = Json::array();
  for (const auto& [name, counts] : outcome.lists) {
    Json rows = Json::array();
    for (const auto& [what, count] : counts) rows.push_back({{"what", what}, {"count", count}});
    lists.push_back({{"name", name}, {"rows", rows}});
  }
  Json run = {{"size", outcome.size},
              {"views", outcome.views},
              {"equal", outcome.equal},
              {"cycles", outcome.json["cycles"]},
              {"seed", outcome.json["seed"]},
              {"lists", lists},
              {"missing", outcome.missing},
              {"points", points_of(outcome.code)},
              {"counted", outcome.code.cycles()},
              {"sources", sources_of(outcome.code)}};
  return run;
}

}  // namespace

void write_coverage_page(const std::string& file, const std::string& unit,
                         const std::vector<CosimOutcome>& outcomes) {
  Json runs = Json::array();
  for (const CosimOutcome& outcome : outcomes) runs.push_back(run_of(outcome));
  const WorkFolder work;
  const fs::path data = work.path() / "coverage.json";
  write_text(data, json_text(Json{{"unit", unit}, {"runs", runs}}));
  const Process process{{"/usr/bin/python3", places().coverage_tool.string(), data.string(), "-o",
                         fs::absolute(file).string()}};
  if (const int status = run_process(process); status != 0)
    throw UserError(ending(process, status));
}

}  // namespace warpmem::app
