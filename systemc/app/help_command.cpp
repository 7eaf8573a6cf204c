// SPDX-License-Identifier: Apache-2.0
// warpmem help: the help of a command, as text, as pages for man(1), as completion for bash.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "app/commands.hpp"
#include "app/help_pages.hpp"
#include "base/errors.hpp"
#include "base/output_file.hpp"

namespace warpmem::app {

void add_help(CLI::App& app, int&) {
  struct HelpOptions {
    std::vector<std::string> command;
    std::string man;
    bool completion = false;
  };
  auto options = std::make_shared<HelpOptions>();
  CLI::App* command = app.add_subcommand("help", "show the help of a command");
  CLI::Option* of = command->add_option("COMMAND", options->command, "the command (trace convert)");
  CLI::Option* man =
      command->add_option("--man", options->man, "write all of it as pages for man(1) into FOLDER")
          ->type_name("FOLDER");
  CLI::Option* completion = command->add_flag("--bash-completion", options->completion,
                                              "print the completion of the command line for bash");
  of->excludes(man)->excludes(completion);
  man->excludes(completion);
  command->callback([options, &app] {
    if (options->completion) {
      fmt::print("{}", bash_completion(app));
    } else if (!options->man.empty()) {
      std::filesystem::create_directories(options->man);
      for (const auto& [file, text] : man_pages(app)) write_text(options->man + "/" + file, text);
    } else {
      std::string name = "warpmem";
      for (const std::string& word : options->command) name += " " + word;
      const CLI::App& found = find_command(app, options->command);
      fmt::print("{}", found.get_formatter()->make_help(&found, name, CLI::AppFormatMode::Normal));
    }
  });
}

}  // namespace warpmem::app
