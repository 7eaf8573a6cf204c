// SPDX-License-Identifier: Apache-2.0
#include "app/observe_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <filesystem>
#include <limits>
#include <optional>

#include "base/errors.hpp"
#include "base/output_file.hpp"

namespace warpmem::app {

namespace {

std::optional<std::uint64_t> number_of(const std::string& text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return value;
}

std::uint64_t checked_sample(const std::string& text) {
  if (text.empty()) return 1;
  const std::optional<std::uint64_t> n =
      text.rfind("1/", 0) == 0 ? number_of(text.substr(2)) : std::nullopt;
  if (!n || *n == 0)
    throw UserError(
        fmt::format("--sample {}: not a share of the requests; allowed: 1/N, such as 1/100", text));
  return *n;
}

std::uint64_t checked_interval(const std::string& text) {
  if (text.empty()) return kUsualInterval;
  const std::optional<std::uint64_t> cycles = number_of(text);
  if (!cycles || *cycles == 0)
    throw UserError(fmt::format("--interval {}: no number of SM cycles from 1 to {}", text,
                                std::numeric_limits<std::uint64_t>::max()));
  return *cycles;
}

}  // namespace

void add_observe_options(CLI::App& command, ObserveOptions& options) {
  command
      .add_option("--timeline", options.timeline,
                  "write the run as a trace for ui.perfetto.dev: warps, the lives of requests, "
                  "MSHRs, crossbar, DRAM commands, counters; see --from-cycle and --to-cycle")
      ->type_name("FILE");
  command
      .add_option("--sample", options.sample,
                  "with --timeline: draw one of N requests of each SM (default: 1/1)")
      ->type_name("1/N");
  command
      .add_option("--sm", options.sms,
                  "with --timeline: draw these SMs and their requests, 0-3,8 (default: all)")
      ->type_name("LIST");
  command
      .add_option("--interval", options.interval,
                  fmt::format("SM cycles between points of --series and of the counters of "
                              "--timeline (default: {})",
                              kUsualInterval))
      ->type_name("CYCLES");
  command.add_flag("--per-pc", options.per_pc,
                   "also write instructions.json and .csv: statistics by memory instruction");
  command.add_flag("--per-instance", options.per_instance,
                   "also write instances.json: every statistic of each SM, L1D, L2 slice and DRAM "
                   "channel, by launch");
  command.add_flag("--series", options.series,
                   "also write series.json and .csv: every statistic over time");
}

std::vector<std::string> checked_observations(const ObserveOptions& options,
                                              const WaveOptions& window, unsigned sms) {
  std::vector<std::string> lines;
  if (options.timeline.empty()) {
    for (const auto& [name, value] :
         {std::pair("--sample", &options.sample), std::pair("--sm", &options.sms)})
      if (!value->empty())
        throw UserError(fmt::format("{} says what --timeline draws, which is not given", name));
    if (!options.series && !options.interval.empty())
      throw UserError("--interval is that of --series and --timeline; neither is given");
  } else {
    check_window(window);
    if (!options.sms.empty())
      for (const unsigned sm : watch::parse_sm_list("--sm", options.sms))
        if (sm >= sms)
          throw UserError(fmt::format("--sm {}: this machine has {} SMs; allowed: 0-{}",
                                      options.sms, sms, sms - 1));
    check_output(options.timeline);
    lines.push_back("timeline=" + std::filesystem::absolute(options.timeline).string());
    lines.push_back(fmt::format("sample={}", checked_sample(options.sample)));
    lines.push_back(fmt::format("from={}", window.first()));
    if (window.to) lines.push_back(fmt::format("to={}", *window.to));
    if (!options.sms.empty()) lines.push_back("sm=" + options.sms);
  }
  if (options.any())
    lines.push_back(fmt::format("interval={}", checked_interval(options.interval)));
  if (options.per_pc) lines.emplace_back("per_pc=1");
  if (options.per_instance) lines.emplace_back("per_instance=1");
  if (options.series) lines.emplace_back("series=1");
  return lines;
}

Observations parse_observations(const std::vector<std::string>& lines) {
  Observations wanted;
  for (const std::string& line : lines) {
    const std::size_t equals = std::min(line.find('='), line.size());
    const std::string key = line.substr(0, equals);
    const std::string value = line.substr(std::min(equals + 1, line.size()));
    const std::optional<std::uint64_t> number = number_of(value);
    const auto positive = [&] { return number && *number != 0; };
    if (key == "timeline" && !value.empty()) {
      wanted.timeline.file = value;
    } else if (key == "sample" && positive()) {
      wanted.timeline.sample = *number;
    } else if (key == "from" && number) {
      wanted.timeline.from = *number;
    } else if (key == "to" && number) {
      wanted.timeline.to = *number;
    } else if (key == "sm") {
      wanted.timeline.sms = watch::parse_sm_list("WARPMEM_OBSERVE: sm", value);
    } else if (key == "interval" && positive()) {
      wanted.interval = wanted.timeline.interval = *number;
    } else if (key == "per_pc" && value == "1") {
      wanted.per_pc = true;
    } else if (key == "per_instance" && value == "1") {
      wanted.per_instance = true;
    } else if (key == "series" && value == "1") {
      wanted.series = true;
    } else {
      throw UserError(fmt::format(
          "WARPMEM_OBSERVE: {}: not understood; allowed: timeline=FILE, sample=N, from=CYCLE, "
          "to=CYCLE, sm=LIST, interval=CYCLES, per_pc=1, per_instance=1, series=1",
          line));
    }
  }
  return wanted;
}

}  // namespace warpmem::app
