// SPDX-License-Identifier: Apache-2.0
// warpmem explore: the answer to a question about a design space, in words and on a page.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/commands.hpp"
#include "app/configured_handlers.hpp"
#include "app/places.hpp"
#include "app/report_tool.hpp"
#include "base/errors.hpp"
#include "base/output_file.hpp"
#include "base/text.hpp"
#include "base/text_file.hpp"
#include "files/json_text.hpp"
#include "sweeps/explore.hpp"
#include "sweeps/run_limit_options.hpp"

namespace warpmem::app {

namespace {

namespace fs = std::filesystem;
using sweeps::Exploration;
using sweeps::KneeSearch;

struct ExploreOptions {
  ConfigurationOptions configuration;
  sweeps::Question question;
  sweeps::EngineOptions engine;
  sweeps::RunLimitOptions limits;
  std::string knee, folder = "runs/explore", library;
  std::vector<std::string> pareto;
  double within = 5, node_nm = 0;
  bool less = false, every_value = false;
};

/// What is said, printed and on the page, and written as JSON.
struct Answer {
  std::vector<std::string> sentences;
  nlohmann::ordered_json json;
  std::vector<std::string> costs;  ///< files for the page
};

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

// One sentence on the knee of a workload.
std::string sentence(const KneeSearch& search, const Exploration& space, std::size_t w,
                     const std::string& metric) {
  const std::size_t knee = search.knee(), best = search.best();
  const auto label = [&](std::size_t v) { return space.points()[v].label; };
  std::string text = fmt::format("{}: {}, with {} {:.4g}", space.workloads()[w], label(knee),
                                 metric, space.value(w, knee));
  text += knee == best ? ", the best"
                       : fmt::format(", {} of the best ({:.4g} at {})", percent(search.share(knee)),
                                     space.value(w, best), label(best));
  if (knee != 0 && search.result(knee - 1))
    text += fmt::format("; {} has {}", label(knee - 1), percent(search.share(knee - 1)));
  if (knee == 0) text += "; it is the least value that was asked for";
  if (!search.monotone()) text += "; more hurts here, so every value ran";
  return text + ".";
}

Answer find_knees(const ExploreOptions& options, Exploration& space) {
  const std::string& metric = options.question.metric;
  const std::vector<KneeSearch> searches = space.knees(options.within / 100, options.every_value);
  Answer answer;
  std::size_t runs = 0, largest = 0;
  nlohmann::ordered_json found = nlohmann::ordered_json::array();
  for (std::size_t w = 0; w < searches.size(); ++w) {
    const KneeSearch& search = searches[w];
    answer.sentences.push_back(sentence(search, space, w, metric));
    runs += search.runs();
    largest = std::max(largest, search.knee());
    nlohmann::ordered_json item = {{"workload", space.workloads()[w]},
                                   {"knee", space.points()[search.knee()].label},
                                   {"share_of_best", search.share(search.knee())},
                                   {"best", space.points()[search.best()].label},
                                   {"monotone", search.monotone()}};
    for (std::size_t v = 0; v < space.points().size(); ++v)
      if (search.result(v)) item["measured"][space.points()[v].label] = *search.result(v);
    found.push_back(std::move(item));
  }
  const std::string axis = sweeps::axis_name(options.question.axes);
  const std::string knee = space.points()[largest].label;
  answer.sentences.insert(
      answer.sentences.begin(),
      fmt::format(
          "{} = {} is the knee for {}: the least value with which {} is within {:g} % of its "
          "best.",
          axis, knee, searches.size() == 1 ? space.workloads()[0] : "all of them", metric,
          options.within));
  const std::size_t all = searches.size() * space.points().size();
  answer.sentences.push_back(
      runs == all
          ? fmt::format("All {} points ran.", all)
          : fmt::format("{} of {} points ran; the others lie where more does not hurt by what "
                        "did run, and were not needed.",
                        runs, all));
  answer.json = {
      {"question", "knee"}, {"axis", axis},  {"metric", metric},   {"within", options.within / 100},
      {"knee", knee},       {"points", all}, {"points_run", runs}, {"workloads", found}};
  return answer;
}

/// Area in mm² of all miss handlers of each point; results go to files of the folder.
std::vector<double> areas_of(const ExploreOptions& options, const Exploration& space,
                             Answer& answer) {
  synth::MissHandlerOptions how;
  how.rtl_root = places().rtl;
  how.liberty = options.library;
  how.node_nm = options.node_nm > 0 ? options.node_nm : 180;
  if (isatty(STDERR_FILENO) != 0)
    how.progress = [](const std::string& step) { fmt::print(stderr, "{}\n", step); };
  std::map<std::string, double> known;  // by the keys on which the cost depends
  std::vector<double> areas;
  for (const sweeps::ExploredPoint& point : space.points()) {
    ConfigurationOptions machine = options.configuration;
    for (const auto& [key, value] : point.assignments)
      machine.assignments.push_back(key + "=" + value);
    const std::vector<ConfiguredHandler> handlers = configured_handlers(Configuration(machine));
    std::string keys;
    for (const ConfiguredHandler& handler : handlers)
      for (const auto& [key, value] : handler.keys) keys += key + "=" + value + "\n";
    if (const auto found = known.find(keys); found != known.end()) {
      areas.push_back(found->second);
      continue;
    }
    double area = 0;
    std::vector<synth::MissHandlerCost> costs;
    for (const ConfiguredHandler& handler : handlers) {
      costs.push_back(synth::cost_of(handler.design, how));
      area += 1e-6 * costs.back().area_um2() * handler.copies;
    }
    answer.costs.push_back(
        (fs::path(options.folder) / fmt::format("cost-{}.json", known.size())).string());
    write_text(answer.costs.back(), indented_json(to_json(handlers, costs, how)) + "\n");
    known[keys] = area;
    areas.push_back(area);
  }
  return areas;
}

Answer find_front(const ExploreOptions& options, Exploration& space) {
  Answer answer;
  // The cost first: a design without RTL is said before anything runs.
  const std::vector<double> areas = areas_of(options, space, answer);
  const std::vector<double> means = space.means();
  std::vector<std::pair<double, double>> designs;
  for (std::size_t p = 0; p < means.size(); ++p) designs.emplace_back(areas[p], means[p]);
  const std::vector<std::size_t> front = sweeps::pareto_front(designs);
  const auto& points = space.points();
  std::vector<std::string> told;
  for (const std::size_t p : front)
    told.push_back(fmt::format("{} ({:.3g} mm², {:.3g}×)", points[p].label, areas[p], means[p]));
  answer.sentences.push_back(
      fmt::format("By area of all miss handlers, {} of {} designs are beaten by none: {}.",
                  front.size(), points.size(), fmt::join(told, "; ")));
  const std::string of =
      space.workloads().size() == 1
          ? "of " + space.workloads()[0]
          : fmt::format("as geometric mean of {} workloads", space.workloads().size());
  answer.sentences.push_back(
      fmt::format("× is {} {}, over that of {}.", options.question.metric, of, points[0].label));
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (std::size_t p = 0; p < points.size(); ++p) {
    const bool in_front = std::find(front.begin(), front.end(), p) != front.end();
    nlohmann::ordered_json item = {{"design", points[p].label},
                                   {"area_mm2", areas[p]},
                                   {"mean", means[p]},
                                   {"front", in_front}};
    if (!in_front) {
      // The best of those that are no larger.
      std::size_t by = front[0];
      for (const std::size_t f : front)
        if (areas[f] <= areas[p]) by = f;
      item["beaten_by"] = points[by].label;
      answer.sentences.push_back(fmt::format("{} ({:.3g} mm², {:.3g}×) is beaten by {}.",
                                             points[p].label, areas[p], means[p],
                                             points[by].label));
    }
    list.push_back(std::move(item));
  }
  answer.json = {{"question", "pareto"},
                 {"metric", options.question.metric},
                 {"baseline", points[0].label},
                 {"designs", list}};
  return answer;
}

/// What is asked about would replace what was set.
void refuse_assignments_of_axes(const ExploreOptions& options) {
  const char* const question = options.knee.empty() ? "--pareto" : "--knee";
  for (const std::string& assignment : options.configuration.assignments) {
    const std::string key(trimmed(assignment.substr(0, assignment.find('='))));
    for (const sweeps::ExploredAxis& axis : options.question.axes)
      if (std::find(axis.keys.begin(), axis.keys.end(), key) != axis.keys.end())
        throw UserError(
            fmt::format("--set {}: {} gives this key its values; leave out one of the two",
                        shown(assignment), question));
  }
}

void check_explore_outputs(const ExploreOptions& options) {
  std::vector<fs::path> inputs = options.configuration.files();
  inputs.insert(inputs.end(), options.question.workloads.begin(), options.question.workloads.end());
  inputs.emplace_back(options.library);
  std::vector<fs::path> outputs;
  for (const char* const name : {"explore.yaml", "explore.sqlite", "answer.json", "explore.html"})
    outputs.push_back(fs::path(options.folder) / name);
  check_apart(outputs, inputs);
}

int explore(ExploreOptions& options) {
  sweeps::Question& question = options.question;
  if (options.knee.empty() == options.pareto.empty())
    throw UserError(
        "one question is needed; allowed: --knee KEY=VALUE,VALUE,... or --pareto "
        "KEY=VALUE,VALUE,...");
  if (!options.knee.empty()) {
    question.axes = {sweeps::parse_axis(options.knee)};
    sweeps::check_ascending(question.axes[0]);
  }
  for (const std::string& text : options.pareto) question.axes.push_back(sweeps::parse_axis(text));
  question.machine = options.configuration.file();
  question.assignments = options.configuration.assignments;
  question.more_is_better = !options.less;
  if (!options.library.empty() && options.node_nm == 0)
    throw UserError("--node: the feature size of " + options.library + " in nm is needed");
  refuse_assignments_of_axes(options);
  check_explore_outputs(options);
  Exploration space(question, options.folder, options.engine);
  const Answer answer =
      options.knee.empty() ? find_front(options, space) : find_knees(options, space);
  for (const std::string& line : answer.sentences) fmt::print("{}\n", line);
  const fs::path folder = options.folder;
  const std::string answer_file = (folder / "answer.json").string();
  write_text(answer_file, indented_json(answer.json) + "\n");
  std::vector<std::string> arguments = {
      space.database(), "-o", (folder / "explore.html").string(), "--metric=" + question.metric,
      options.knee.empty() ? std::string("--title=Designs that no other beats")
                           : "--title=Knee of " + sweeps::axis_name(question.axes)};
  if (!options.knee.empty()) arguments.push_back("--knees=" + answer_file);
  for (const std::string& line : answer.sentences) arguments.push_back("--answer=" + line);
  for (const std::string& file : answer.costs) {
    arguments.emplace_back("--synth");
    arguments.push_back(file);
  }
  const int status = run_report_tool(arguments);
  fmt::print(stderr, "warpmem: {} runs executed now; {}\n", space.executed(),
             (folder / "explore.html").string());
  return status;
}

}  // namespace

void add_explore(CLI::App& app, int& status) {
  auto options = std::make_shared<ExploreOptions>();
  options->engine.jobs = std::max(1u, std::thread::hardware_concurrency());
  CLI::App* command =
      app.add_subcommand("explore", "answer a question about a design space, with few runs");
  command
      ->add_option("WORKLOAD", options->question.workloads,
                   "workloads: NAME[:SIZE] of `warpmem list workloads` (small), a .cu file or a "
                   "trace")
      ->required();
  add_configuration_options(*command, options->configuration);
  CLI::Option* knee = command->add_option(
      "--knee", options->knee,
      "KEY=VALUE,VALUE,...: the least value that is nearly as good as the best; KEY+KEY=... where "
      "keys take the values together");
  CLI::Option* pareto =
      command
          ->add_option("--pareto", options->pareto,
                       "KEY=VALUE,VALUE,...: the designs that no other beats in "
                       "both the metric and the area of the miss handlers; may be "
                       "repeated")
          ->allow_extra_args(false);
  knee->excludes(pareto);
  command->add_option("--metric", options->question.metric, "the statistic")->capture_default_str();
  command->add_flag("--less", options->less, "less of the metric is better");
  command
      ->add_option("--within", options->within,
                   "with --knee: percent of the best that may be lacking")
      ->check(CLI::Range(0.01, 99.0))
      ->capture_default_str()
      ->needs(knee);
  command
      ->add_flag("--every-value", options->every_value,
                 "with --knee: run all values instead of bisecting")
      ->needs(knee);
  CLI::Option* lib =
      command
          ->add_option("--lib", options->library,
                       "with --pareto: standard-cell library, .lib or .lib.gz (default: osu018 of "
                       "Debian)")
          ->needs(pareto);
  command->add_option("--node", options->node_nm, "with --lib: its feature size in nm")
      ->check(CLI::Range(1.0, 1000.0))
      ->needs(lib);
  command->add_option("-o,--out", options->folder, "folder of the runs, the answer and the page")
      ->capture_default_str();
  command->add_option("-j,--jobs", options->engine.jobs, "runs at a time (default: one a core)")
      ->check(CLI::Range(1, 256));
  command->add_flag("--resume", options->engine.resume, "go on with the runs of the folder");
  sweeps::add_run_limits(*command, options->limits);
  command->callback([options, &status] {
    options->limits.apply(options->engine);
    status = explore(*options);
  });
}

}  // namespace warpmem::app
