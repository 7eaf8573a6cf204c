// SPDX-License-Identifier: Apache-2.0
#include "app/wave_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <set>

#include "app/view_comparison.hpp"
#include "base/clock_edges.hpp"
#include "base/errors.hpp"

namespace warpmem::app {

namespace fs = std::filesystem;

void add_wave_options(CLI::App& command, WaveOptions& options) {
  command
      .add_option("--waves", options.waves,
                  "write the ports and the decoded state of one hardware unit to FILE (FST), and "
                  "FILE.gtkw for GTKWave; may be repeated (l1d.3.mshr.dau=dau.fst)")
      ->type_name("INSTANCE=FILE")
      ->allow_extra_args(false);
  command.add_option("--from-cycle", options.from,
                     "with --waves and --timeline: the first cycle of the SM clock (default: 0)");
  command.add_option(
      "--to-cycle", options.to,
      fmt::format("with --waves and --timeline: the last one (default: {} cycles from the first "
                  "on, and to the end)",
                  kUsualWaveCycles));
}

void check_window(const WaveOptions& options) {
  if (options.to && *options.to < options.first())
    throw UserError(
        fmt::format("--to-cycle {} is before --from-cycle {}", *options.to, options.first()));
}

std::vector<std::string> checked_waves(WaveOptions& options,
                                       const ConfigurationOptions& configuration, bool shared) {
  if (options.waves.empty()) {
    if (!shared && (options.from || options.to))
      throw UserError(
          "--from-cycle and --to-cycle are the window of --waves and --timeline; neither is given");
    return {};
  }
  const std::uint64_t left = std::numeric_limits<std::uint64_t>::max() - options.first();
  if (!options.to) options.to = options.first() + std::min(kUsualWaveCycles - 1, left);
  check_window(options);
  const Configuration checked(configuration);
  const std::vector<std::string> keys = view_keys(checked);
  std::vector<std::string> more;
  std::set<std::string> seen;
  for (std::string& text : options.waves) {
    const cosim::WaveRequest request = cosim::parse_waves(text);
    if (std::find(keys.begin(), keys.end(), request.key) == keys.end())
      throw UserError(
          fmt::format("--waves {}: {} has no effect in this configuration; units are "
                      "there for {}",
                      request.instance, request.key, fmt::join(keys, ", ")));
    if (checked.config().schema().find(request.key)->get() == "class")
      more.push_back(request.key + "=core");
    const std::string file = fs::absolute(request.file).lexically_normal().string();
    for (const std::string& one : {request.instance, file, file + ".gtkw"})
      if (!seen.insert(one).second)
        throw UserError(
            fmt::format("--waves {}: {} is there twice; each instance has a file of its "
                        "own",
                        text, one));
    text = fmt::format("{}={}", request.instance, file);
  }
  return more;
}

std::string wave_cycles(const WaveOptions& options) {
  return fmt::format("{}-{}", options.first(), options.to.value_or(0));
}

std::vector<cosim::WaveRequest> wave_requests(const std::vector<std::string>& texts,
                                              const std::string& cycles, std::uint64_t hertz) {
  std::uint64_t from = 0, to = 0;
  const char* const end = cycles.data() + cycles.size();
  const auto first = std::from_chars(cycles.data(), end, from);
  const bool dash = first.ec == std::errc() && first.ptr != end && *first.ptr == '-';
  const auto last = std::from_chars(dash ? first.ptr + 1 : end, end, to);
  if (!cycles.empty() && (!dash || last.ec != std::errc() || last.ptr != end || to < from))
    throw UserError("WARPMEM_WAVES_CYCLES: " + cycles + " is not FIRST-LAST");
  std::vector<cosim::WaveRequest> requests;
  for (const std::string& text : texts) {
    requests.push_back(cosim::parse_waves(text));
    if (cycles.empty()) continue;
    // Edges after the last one are at no time.
    const Cycle last_edge = edge_at(kNever - 1, hertz);
    requests.back().begin = time_of_edge(std::min(from, last_edge), hertz);
    requests.back().end = to < last_edge ? time_of_edge(to + 1, hertz) - 1 : kNever;
  }
  return requests;
}

}  // namespace warpmem::app
