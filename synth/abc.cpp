// SPDX-License-Identifier: Apache-2.0
#include "synth/abc.hpp"

#include <fmt/format.h>

#include <sstream>

#include "base/errors.hpp"
#include "base/process.hpp"
#include "base/text_file.hpp"

namespace warpmem::synth {

namespace {

/// ABC's exit status is 0 whatever happens, but it leaves out what follows a failed command.
constexpr const char* kDone = "all commands done";

std::string last_line(const std::string& text) {
  std::istringstream in(text);
  std::string last = "it printed nothing";
  for (std::string line; std::getline(in, line);)
    if (!line.empty()) last = line;
  return last;
}

}  // namespace

std::string run_abc(const std::filesystem::path& work, const std::string& name,
                    const std::string& commands, unsigned limit_s) {
  Process process{{"yosys-abc", "-c", fmt::format("{}; echo {}", commands, kDone)}, work};
  process.log = work / (name + ".log");
  process.limit = std::chrono::seconds(limit_s + 2);
  const int status = run_process(process);
  const std::string text = read_text(process.log);
  if (status == kOutOfTime) return text;
  if (status != 0) throw UserError(fmt::format("{}: {}", ending(process, status), last_line(text)));
  // The first line repeats the commands, so it is left out.
  const std::size_t output = text.find('\n', text.find(kDone));
  if (output == std::string::npos || text.find(kDone, output) == std::string::npos)
    throw UserError(fmt::format("yosys-abc: \"{}\" failed: {}", commands, last_line(text)));
  return text;
}

}  // namespace warpmem::synth
