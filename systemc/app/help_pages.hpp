// SPDX-License-Identifier: Apache-2.0
// Help in other forms, all from the parser's own definition: pages for man(1), completion for bash,
// and what to say of a command or an option that does not exist.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/cli_fwd.hpp"

namespace warpmem::app {

/// Returns (file name, text) of the pages: warpmem.1, and warpmem-COMMAND.1 for each command.
std::vector<std::pair<std::string, std::string>> man_pages(const CLI::App& app);

/// Returns the script that bash reads.
std::string bash_completion(const CLI::App& app);

/// Returns the command that `words` lead to from `app` ("trace", "convert"). Throws UserError with
/// the nearest name when there is none.
const CLI::App& find_command(const CLI::App& app, const std::vector<std::string>& words);

/// Returns what is wrong with a command line. `app` is the parser after its parse() has thrown.
std::string mistake(const CLI::App& app, const CLI::ParseError& error);

}  // namespace warpmem::app
