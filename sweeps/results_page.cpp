// SPDX-License-Identifier: Apache-2.0
#include "sweeps/results_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/errors.hpp"
#include "base/output_file.hpp"
#include "base/text_file.hpp"
#include "files/json_text.hpp"
#include "sweeps/figure.hpp"
#include "sweeps/record.hpp"
#include "sweeps/reference.hpp"

namespace warpmem::sweeps {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

fs::path folder_of_records(const std::string& folder) { return fs::path(folder) / "results"; }

Json read_record(const fs::path& file) {
  Json record = try_ordered_json(read_text(file));
  if (!is_record(record)) throw UserError(file.string() + ": not what `warpmem reproduce` writes");
  return record;
}

/// Numbers count as numbers: "C10" comes after "C9".
bool before(const Json& a, const Json& b) {
  const auto key = [](const Json& j) {
    const auto id = j["id"].get<std::string>();
    const std::size_t digits = id.find_first_of("0123456789");
    const std::string text = digits == std::string::npos ? "" : id.substr(digits);
    return std::make_tuple(id.substr(0, digits), text.size(), text);
  };
  return key(a) < key(b);
}

std::string number(const Json& row, const char* key) {
  return fmt::format("{:.1f}", row[key].get<double>());
}

// What a row's workloads say of its result: median, gains : losses, range, one left out.
std::vector<std::string> spread(const Json& row) {
  if (!row.contains("without_one")) return {"", "", "", ""};
  const Json& one = row["without_one"];
  return {number(row, "median"),
          row.contains("gain")
              ? fmt::format("{} : {}", row["gain"].get<int>(), row["lose"].get<int>())
              : "",
          number(row, "least") + " to " + number(row, "most"),
          fmt::format("{} ({})", number(one, "value"), one["workload"].get<std::string>())};
}

std::string listed(const Json& texts) {
  return fmt::format("{}", fmt::join(texts.get<std::vector<std::string>>(), "; "));
}

// The verdict for each value of what the publication leaves open; empty where it leaves nothing.
std::string by_variant(const Json& record) {
  std::vector<std::string> parts;
  if (record.contains("variants"))
    for (const auto& [name, verdict] : record["variants"].items())
      parts.push_back(fmt::format("{}: {}", name, verdict.get<std::string>()));
  return fmt::format("{}", fmt::join(parts, "; "));
}

// What keeps an experiment from a better verdict, beside rows that plainly differ.
std::string reasons(const Json& record) {
  std::string text;
  for (const Json& row : record["rows"])
    if (row["standing"] == "weak" || (row.contains("value") && row["standing"] == "not measured"))
      text +=
          fmt::format("- {}: {}.\n", row["name"].get<std::string>(), row["why"].get<std::string>());
    else if (!row.contains("value"))
      text += fmt::format("- {}: not among the stored values, or its runs failed.\n",
                          row["name"].get<std::string>());
  if (record.contains("ties"))
    text += fmt::format("- As good as equal here, in order there: {}.\n", listed(record["ties"]));
  if (record.contains("reversed"))
    text += fmt::format("- The other way round here: {}.\n", listed(record["reversed"]));
  return text.empty() ? "" : "\n" + text;
}

std::string workloads(const Json& record) {
  const bool bare = std::any_of(record["rows"].begin(), record["rows"].end(), [](const Json& row) {
    return row.contains("value") && !row.contains("values");
  });
  // Rows mostly share their workloads; the longest list is shown, and what a row lacks of it.
  std::vector<std::string> all;
  for (const Json& row : record["rows"])
    for (const auto& w : row["workloads"])
      if (std::find(all.begin(), all.end(), w) == all.end()) all.push_back(w);
  std::string text = fmt::format("\nWorkloads: {}.\n", fmt::join(all, ", "));
  if (bare)
    text +=
        "What each program contributes was not recorded: no median, range or mean without one.\n";
  for (const Json& row : record["rows"]) {
    if (!row.contains("without")) continue;
    text += fmt::format("{} leaves out {} (nothing to divide by, or the run failed).\n",
                        row["name"].get<std::string>(),
                        fmt::join(row["without"].get<std::vector<std::string>>(), ", "));
  }
  for (const Json& row : record["rows"]) {
    if (!row.contains("over")) continue;
    std::vector<std::string> best;
    for (const auto& [workload, label] : row["over"].items())
      best.push_back(fmt::format("{} {}", workload, label.get<std::string>()));
    text += fmt::format("{}: the best were {}.\n", row["name"].get<std::string>(),
                        fmt::join(best, ", "));
  }
  return text;
}

std::string section(const Json& r) {
  const auto id = r["id"].get<std::string>();
  std::string text = fmt::format(
      "\n## {0}: {1}\n\nSource: {2}. Command: `warpmem reproduce {0}`. Asked: {3}. Verdict: "
      "**{4}**.\n\n![{0}, published beside measured](results/{0}.svg)\n\n",
      id, r["title"].get<std::string>(), r["source"].get<std::string>(),
      r["band"].get<std::string>(), r["verdict"].get<std::string>());
  text +=
      "| row | published | measured | median | gain : lose | range | without one | verdict |\n"
      "|---|---|---|---|---|---|---|---|\n";
  for (const Json& row : r["rows"])
    text += fmt::format("| {} | {} | {} | {} | {} |\n", row["name"].get<std::string>(),
                        row["published"].get<std::string>(), row["measured"].get<std::string>(),
                        fmt::join(spread(row), " | "), row["standing"].get<std::string>());
  if (r.contains("variants")) text += "\nBy what is left open: " + by_variant(r) + ".\n";
  text += reasons(r);
  if (r.contains("decisive"))
    text += fmt::format("\nRefuted by `{}`: {}\n", r["decisive"]["run"].get<std::string>(),
                        r["decisive"]["shows"].get<std::string>());
  text += workloads(r);
  if (r.contains("reference")) text += reference_section(r["reference"]);
  if (r.contains("note")) text += fmt::format("\n{}\n", r["note"].get<std::string>());
  if (!r["analysis"].get<std::string>().empty()) text += "\n" + r["analysis"].get<std::string>();
  if (text.back() != '\n') text += "\n";
  return text;
}

constexpr const char* kHead =
    "# Published results, measured\n\n"
    "Written by `warpmem reproduce`; `docs/results/` holds the numbers of every program. A verdict "
    "says how\nmuch of the published effect is there:\n\n"
    "- **near**: every row has the published sign and is within 30 % of the published effect (of a "
    "percentage:\n  of its distance from 100; areas and powers: within 25 % of the published "
    "value), "
    "and no order is reversed.\n"
    "- **shape**: every sign, every order of rows over one baseline that are more than 1.5 apart "
    "in "
    "the\n  publication, and at least a quarter of the published effect, in median and geometric "
    "mean alike; the\n  sign survives leaving out any one program.\n"
    "- **weak**: the signs are right, the effect is smaller than that.\n"
    "- **differs**: a sign or an order is another one, or a quantity by itself (it has no sign) is "
    "not near.\n"
    "- **refuted**: differs, and the run that is named shows that the published figure cannot hold "
    "on the\n  machine as published.\n"
    "- **not measured**: an input or the values of the programs are missing. No verdict on the "
    "claim.\n\n"
    "Percentages less than 0.5 points apart are equal. Beside the mean over the programs "
    "(geometric "
    "where it\nis over a baseline): the median; how many programs gain and lose half a point or "
    "more; the range; and\nthe mean without the one program that carries it most. A row without a "
    "published number (*above*,\n*below*) holds or does not. What has a star has a note in its "
    "section.\n\n";

constexpr Standing kFromBest[] = {Standing::near,    Standing::shape,   Standing::weak,
                                  Standing::differs, Standing::refuted, Standing::not_measured};

// Returns the best verdict of a variant, or that of the result where it has none. A refuted
// publication is so with every value.
std::string best_verdict(const Json& r) {
  const auto all = r["verdict"].get<std::string>();
  if (!r.contains("variants") || all == word(Standing::refuted)) return all;
  for (const Standing s : kFromBest)
    for (const Json& verdict : r["variants"])
      if (verdict == word(s)) return word(s);
  return all;
}

template <class VerdictOf>
std::string counts(const std::vector<Json>& all, VerdictOf&& verdict_of) {
  std::map<std::string, int> times;
  for (const Json& r : all) ++times[verdict_of(r)];
  std::vector<std::string> parts;
  for (const Standing s : kFromBest)
    if (times[word(s)] != 0) parts.push_back(fmt::format("{} {}", times[word(s)], word(s)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string index(const std::vector<Json>& all) {
  std::string text =
      fmt::format("{} results: {}.\n\n", all.size(),
                  counts(all, [](const Json& r) { return r["verdict"].get<std::string>(); }));
  if (std::any_of(all.begin(), all.end(), [](const Json& r) { return r.contains("variants"); }))
    text += fmt::format(
        "A publication may leave open what decides, such as the width of links. A result then has "
        "rows and\na verdict for each value, and its own verdict counts all of them. With the "
        "value "
        "that suits each result\nbest, a choice made with the results in sight: {}.\n\n",
        counts(all, best_verdict));
  text += "![measured part of each published effect](results/overview.svg)\n\n";
  text +=
      "| | what | asked | verdict | by what is left open |\n"
      "|---|---|---|---|---|\n";
  for (const Json& r : all) {
    auto verdict = r["verdict"].get<std::string>();
    std::string picture = verdict;
    std::replace(picture.begin(), picture.end(), ' ', '-');
    text += fmt::format("| {} | {} | {} | ![](results/{}.svg) {}{} | {} |\n",
                        r["id"].get<std::string>(), r["title"].get<std::string>(),
                        r["band"].get<std::string>(), picture, verdict,
                        r.contains("note") ? " \\*" : "", by_variant(r));
  }
  return text;
}

}  // namespace

std::string text_of(const Experiment& experiment, const Verdict& verdict) {
  const Json record = record_of(experiment, verdict);
  std::string text =
      fmt::format("{}: {} ({})\n{:<28} {:>14} {:>14} {:>8} {:>9} {:>18} {:>22}  verdict\n",
                  experiment.id, experiment.title, experiment.source, "row", "published",
                  "measured", "median", "gain:lose", "range", "without one");
  for (const Json& row : record["rows"]) {
    const std::vector<std::string> s = spread(row);
    text += fmt::format("{:<28} {:>14} {:>14} {:>8} {:>9} {:>18} {:>22}  {}{}\n",
                        row["name"].get<std::string>(), row["published"].get<std::string>(),
                        row["measured"].get<std::string>(), s[0], s[1], s[2], s[3],
                        row["standing"].get<std::string>(),
                        row["standing"] == "weak" ? ": " + row["why"].get<std::string>() : "");
  }
  for (const std::string& pair : verdict.ties)
    text += "as good as equal, in order in the publication: " + pair + "\n";
  for (const std::string& pair : verdict.reversed) text += "the order is reversed: " + pair + "\n";
  if (!verdict.missing.empty())
    return text + experiment.id + ": not measured (an input is missing)\n";
  for (const VariantStanding& variant : verdict.variants)
    text += fmt::format("{}, {}: {}\n", experiment.id, variant.name, word(variant.standing));
  text += experiment.id + ": " + word(verdict.standing);
  if (verdict.standing == Standing::refuted) text += " by " + experiment.decisive_run;
  text += "\n";
  return verdict.reference.is_null() ? text : text + reference_text(verdict.reference);
}

void check_page(const std::string& folder, const std::vector<std::string>& ids) {
  std::vector<fs::path> files = {fs::path(folder) / "results.md"};
  for (const std::string& id : ids)
    for (const char* kind : {".json", ".svg"})
      files.push_back(folder_of_records(folder) / (id + kind));
  for (fs::path file : files) {
    // Where folders are missing, the first of them will be made.
    std::error_code none;
    while (file.has_parent_path() && !fs::exists(file.parent_path(), none))
      file = file.parent_path();
    check_output(file);
  }
}

void write_record(const std::string& folder, const Experiment& experiment, const Verdict& verdict) {
  const fs::path records = folder_of_records(folder);
  fs::create_directories(records);
  write_text(records / (experiment.id + ".json"), json_text(record_of(experiment, verdict)));
}

Verdict judge_again(const std::string& folder, const Experiment& experiment) {
  const fs::path file = folder_of_records(folder) / (experiment.id + ".json");
  if (!fs::exists(file))
    throw UserError(fmt::format("{}: no such file; `warpmem reproduce {} --page {}` measures it",
                                file.string(), experiment.id, folder));
  const Json before = read_record(file);
  Verdict verdict = judge(experiment, rows_of(experiment, before));
  if (before.contains("reference")) verdict.reference = before["reference"];
  Json after = record_of(experiment, verdict);
  if (before.contains("note")) after["note"] = before["note"];
  write_text(file, json_text(after));
  return verdict;
}

void write_page(const std::string& folder) {
  const fs::path records = folder_of_records(folder);
  std::vector<Json> all;
  for (const auto& entry : fs::directory_iterator(records))
    if (entry.path().extension() == ".json") all.push_back(read_record(entry.path()));
  std::sort(all.begin(), all.end(), before);
  std::string page = kHead + index(all);
  for (const Json& r : all) {
    page += section(r);
    write_text(records / (r["id"].get<std::string>() + ".svg"), figure_of(r));
  }
  write_text(records / "overview.svg", overview_of(all));
  for (const char* verdict : {"near", "shape", "weak", "differs", "refuted", "not measured"}) {
    std::string name = verdict;
    std::replace(name.begin(), name.end(), ' ', '-');
    write_text(records / (name + ".svg"), colour_of_verdict(verdict));
  }
  write_text(fs::path(folder) / "results.md", page);
}

}  // namespace warpmem::sweeps
