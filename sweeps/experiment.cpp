// SPDX-License-Identifier: Apache-2.0
#include "sweeps/experiment.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "base/errors.hpp"
#include "base/nearest.hpp"
#include "base/text.hpp"
#include "base/yaml_source.hpp"

namespace warpmem::sweeps {

namespace {

const std::vector<std::pair<std::string, Aggregate>> kAggregates = {
    {"gain", Aggregate::gain},
    {"reduction", Aggregate::reduction},
    {"percent", Aggregate::percent},
    {"loss", Aggregate::loss},
    {"mean", Aggregate::mean}};

class ExperimentReader {
 public:
  explicit ExperimentReader(const std::string& file) : file_(file) {
    experiment_.file = experiment_.sweep = file;
  }

  Experiment read() {
    std::string error;
    const auto text = read_text_file(file_, error);
    if (!text) throw UserError(file_ + ": " + error);
    Problems syntax;
    const auto root = parse_yaml(*text, file_, syntax);
    for (const std::string& line : syntax.list()) problems_.push_back(line);
    const YamlMember* found = nullptr;
    if (root)
      for (const YamlMember& m : root->members)
        if (m.key == "experiment") found = &m;
    if (root && found == nullptr) fail(1, "experiment: missing; this file is a plain sweep");
    if (found != nullptr) top(*found);
    if (!problems_.empty()) throw UserError(fmt::format("{}", fmt::join(problems_, "\n")));
    return std::move(experiment_);
  }

 private:
  void top(const YamlMember& experiment) {
    if (!is(experiment, YamlNode::Kind::map, "a map")) return;
    // The common measure comes first, since rows start from it.
    for (const YamlMember& m : experiment.value.members)
      if (m.key == "measure") measure(m, common_);
    for (const YamlMember& m : experiment.value.members) {
      if (m.key == "sweep")
        experiment_.sweep = (std::filesystem::path(file_).parent_path() / scalar(m)).string();
      else if (m.key == "id")
        id(m);
      else if (m.key == "source")
        experiment_.source = scalar(m);
      else if (m.key == "title")
        experiment_.title = scalar(m);
      else if (m.key == "analysis")
        experiment_.analysis = scalar(m);
      else if (m.key == "band")
        band(m);
      else if (m.key == "rows")
        rows(m);
      else if (m.key == "reference")
        reference(m);
      else if (m.key == "decisive")
        decisive(m);
      else if (m.key != "measure")
        unknown(m, {"id", "source", "title", "sweep", "band", "measure", "rows", "reference",
                    "decisive", "analysis"});
    }
    if (experiment_.id.empty()) fail(experiment.line, "experiment: it needs an id");
    if (experiment_.rows.empty()) fail(experiment.line, "experiment: it needs rows");
  }

  void id(const YamlMember& m) {
    experiment_.id = scalar(m);
    if (!experiment_.id.empty() && !is_experiment_id(experiment_.id))
      fail(m.line, fmt::format("id: {}: it names files; allowed: letters, digits, - and _",
                               shown(experiment_.id)));
  }

  void reference(const YamlMember& m) {
    if (!is(m, YamlNode::Kind::map, "a map with file and point")) return;
    for (const YamlMember& part : m.value.members) {
      if (part.key == "file")
        experiment_.reference =
            (std::filesystem::path(file_).parent_path() / scalar(part)).string();
      else if (part.key == "point")
        labels(part, experiment_.reference_point);
      else
        unknown(part, {"file", "point"});
    }
    if (experiment_.reference.empty()) fail(m.line, "reference: it needs a file");
  }

  // Who says that a publication cannot be right names what everybody can run.
  void decisive(const YamlMember& m) {
    if (!is(m, YamlNode::Kind::map, "a map with run and shows")) return;
    for (const YamlMember& part : m.value.members) {
      if (part.key == "run")
        experiment_.decisive_run = scalar(part);
      else if (part.key == "shows")
        experiment_.decisive_shows = scalar(part);
      else
        unknown(part, {"run", "shows"});
    }
    const std::string& run = experiment_.decisive_run;
    if (run.empty() || experiment_.decisive_shows.empty())
      fail(m.line, "decisive: it needs run and shows");
    else if (run.rfind("warpmem ", 0) != 0 &&
             !std::filesystem::is_regular_file(std::filesystem::path(file_).parent_path() / run))
      fail(m.line, "decisive: no such file: " + run + "; a command begins with warpmem");
  }

  void band(const YamlMember& m) {
    const std::string text = scalar(m);
    if (text == "near") {
      experiment_.band = Band::near;
    } else if (text != "shape") {
      fail(m.line, "band: unknown value " + text + "; allowed: shape, near");
    }
  }

  void rows(const YamlMember& m) {
    if (!is(m, YamlNode::Kind::list, "a list of rows")) return;
    for (const YamlNode& item : m.value.items) {
      if (item.kind != YamlNode::Kind::map) {
        fail(item.line, "a row is a map with name, point and published");
        continue;
      }
      Row row;
      row.measure = common_;
      bool judged = false;
      for (const YamlMember& part : item.members) {
        if (part.key == "name")
          row.name = scalar(part);
        else if (part.key == "point")
          labels(part, row.point);
        else if (part.key == "variant")
          row.variant = scalar(part);
        else if (part.key == "published")
          judged = published(part, row);
        else if (part.key == "expect")
          judged = expect(part, row);
        else if (!measure_part(part, row.measure))
          unknown(part, {"name", "point", "variant", "published", "expect", "metric", "as", "over",
                         "best_of", "workloads"});
      }
      if (!judged) fail(item.line, "a row needs published or expect");
      if (row.measure.metric.numerator.empty()) fail(item.line, "metric: missing");
      experiment_.rows.push_back(std::move(row));
    }
  }

  void measure(const YamlMember& m, Measure& into) {
    if (!is(m, YamlNode::Kind::map, "a map")) return;
    for (const YamlMember& part : m.value.members)
      if (!measure_part(part, into))
        unknown(part, {"metric", "as", "over", "best_of", "workloads"});
  }

  bool measure_part(const YamlMember& part, Measure& into) {
    if (part.key == "metric") {
      metric(part, into.metric);
    } else if (part.key == "as") {
      aggregate(part, into.as);
    } else if (part.key == "over") {
      over(part, into);
    } else if (part.key == "best_of") {
      into.best_of = scalar(part);
    } else if (part.key == "workloads") {
      into.workloads = texts(part);
    } else {
      return false;
    }
    return true;
  }

  void metric(const YamlMember& m, Metric& into) {
    into = {};
    if (m.value.kind != YamlNode::Kind::map) {
      into.numerator = texts(m);
      return;
    }
    for (const YamlMember& part : m.value.members) {
      if (part.key == "share") {
        into.numerator = texts(part);
      } else if (part.key == "of") {
        into.denominator = texts(part);
      } else {
        unknown(part, {"share", "of"});
      }
    }
  }

  void aggregate(const YamlMember& m, Aggregate& into) {
    const std::string text = scalar(m);
    std::vector<std::string> names;
    for (const auto& [name, value] : kAggregates) {
      names.push_back(name);
      if (name == text) {
        into = value;
        return;
      }
    }
    fail(m.line, fmt::format("as: unknown value {}; allowed: {}{}", text, fmt::join(names, ", "),
                             did_you_mean(text, names)));
  }

  void labels(const YamlMember& m, Labels& into) {
    if (!is(m, YamlNode::Kind::map, "a map of axis and label")) return;
    for (const YamlMember& part : m.value.members) into[part.key] = scalar(part);
  }

  void over(const YamlMember& m, Measure& into) {
    into.over.clear();
    into.over_axis.clear();
    into.over_labels.clear();
    if (!is(m, YamlNode::Kind::map, "a map of axis and label")) return;
    for (const YamlMember& part : m.value.members) {
      if (part.value.kind != YamlNode::Kind::list) {
        into.over[part.key] = scalar(part);
      } else if (!into.over_axis.empty() || part.value.items.empty()) {
        fail(part.line, "over: one axis may have a list of labels");
      } else {
        into.over_axis = part.key;
        into.over_labels = texts(part);
      }
    }
  }

  bool published(const YamlMember& m, Row& row) {
    if (m.value.kind == YamlNode::Kind::list && m.value.items.size() == 2) {
      row.low = number(m.value.items[0], m.line);
      row.high = number(m.value.items[1], m.line);
      if (row.low > row.high) fail(m.line, "published: the range is [LOW, HIGH]");
      return true;
    }
    row.low = row.high = number(m.value, m.line);
    return true;
  }

  bool expect(const YamlMember& m, Row& row) {
    if (!is(m, YamlNode::Kind::map, "{above: N} or {below: N}")) return true;
    for (const YamlMember& part : m.value.members) {
      if (part.key == "above")
        row.above = number(part.value, part.line);
      else if (part.key == "below")
        row.below = number(part.value, part.line);
      else
        unknown(part, {"above", "below"});
    }
    return true;
  }

  double number(const YamlNode& node, unsigned line) {
    double value = 0;
    const char* const end = node.text.data() + node.text.size();
    const auto [stop, error] = std::from_chars(node.text.data(), end, value);
    if (node.kind != YamlNode::Kind::scalar || error != std::errc() || stop != end)
      fail(line, "a number is needed");
    return value;
  }

  std::vector<std::string> texts(const YamlMember& m) {
    std::vector<std::string> list;
    if (m.value.kind == YamlNode::Kind::scalar) return {m.value.text};
    if (!is(m, YamlNode::Kind::list, "a list")) return list;
    for (const YamlNode& item : m.value.items) list.push_back(item.text);
    return list;
  }

  std::string scalar(const YamlMember& m) {
    is(m, YamlNode::Kind::scalar, "a text");
    return m.value.text;
  }
  bool is(const YamlMember& m, YamlNode::Kind kind, const char* what) {
    if (m.value.kind == kind) return true;
    fail(m.line, m.key + ": " + what + " is needed");
    return false;
  }
  void unknown(const YamlMember& m, const std::vector<std::string>& allowed) {
    fail(m.line, fmt::format("unknown entry {}; allowed: {}{}", m.key, fmt::join(allowed, ", "),
                             did_you_mean(m.key, allowed)));
  }
  void fail(unsigned line, const std::string& what) {
    problems_.push_back(fmt::format("{}:{}: {}", file_, line, what));
  }

  const std::string& file_;
  Experiment experiment_;
  Measure common_;
  std::vector<std::string> problems_;
};

}  // namespace

bool is_experiment_id(const std::string& text) {
  return !text.empty() && text.find_first_not_of(
                              "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") ==
                              std::string::npos;
}

Experiment read_experiment(const std::string& file) { return ExperimentReader(file).read(); }

}  // namespace warpmem::sweeps
