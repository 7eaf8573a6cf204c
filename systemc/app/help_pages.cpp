// SPDX-License-Identifier: Apache-2.0
#include "app/help_pages.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/errors.hpp"
#include "base/nearest.hpp"
#include "base/text.hpp"
#include "base/version.hpp"

namespace warpmem::app {

namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_name().empty(); });
}

std::vector<const CLI::Option*> options_of(const CLI::App& app, bool positional) {
  return app.get_options([positional](const CLI::Option* option) {
    return option->get_positional() == positional && !option->get_group().empty();
  });
}

std::vector<std::string> names_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : commands_of(app)) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> long_options_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : options_of(app, false))
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

/// Returns the values that an option is limited to, which CLI11 writes as "TEXT:{sram,cam}".
std::vector<std::string> values_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t open = type.find('{'), close = type.find('}');
  if (open == std::string::npos || close == std::string::npos) return {};
  return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

/// Returns the name of an option's value, "" for a flag.
std::string value_name(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return "";
  const std::vector<std::string> values = values_of(option);
  if (!values.empty()) return fmt::format("{}", fmt::join(values, "|"));
  // CLI11 adds what is checked behind a colon: "UINT:INT in [1 - 256]".
  const std::string type = option.get_type_name();
  for (const char* plain : {"TEXT", "UINT", "INT", "FLOAT"})
    if (type.rfind(std::string(plain) + ":", 0) == 0) return plain;
  return type;
}

/// Returns `text` for troff: nothing in it is a request or an escape.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  if (!out.empty() && (out[0] == '.' || out[0] == '\'')) out.insert(0, "\\&");
  return out;
}

std::string manual_of_option(const CLI::Option& option, bool positional) {
  std::vector<std::string> names;
  if (positional) {
    names.push_back("\\fI" + roff(option.get_name(true)) + "\\fR");
  } else {
    for (const std::string& name : option.get_snames()) names.push_back("\\fB\\-" + name + "\\fR");
    for (const std::string& name : option.get_lnames())
      names.push_back("\\fB\\-\\-" + roff(name) + "\\fR");
  }
  std::string text = fmt::format(".TP\n{}", fmt::join(names, ", "));
  const std::string value = value_name(option);
  if (!positional && !value.empty()) text += " \\fI" + roff(value) + "\\fR";
  text += "\n" + roff(option.get_description());
  if (!option.get_default_str().empty())
    text += fmt::format(" (default: {})", roff(option.get_default_str()));
  return text + "\n";
}

std::string synopsis(const CLI::App& command, const std::string& name) {
  std::string text = "\\fB" + roff(name) + "\\fR";
  if (!options_of(command, false).empty()) text += " [\\fIOPTIONS\\fR]";
  for (const CLI::Option* option : options_of(command, true)) {
    const std::string shown = "\\fI" + roff(option->get_name(true)) + "\\fR" +
                              (option->get_items_expected_max() > 1 ? "..." : "");
    text += option->get_required() ? " " + shown : " [" + shown + "]";
  }
  const bool alone = !options_of(command, true).empty();  // it does something by itself, too
  if (!commands_of(command).empty() && !alone) text += " \\fICOMMAND\\fR ...";
  return text;
}

std::string manual_of_options(const CLI::App& command) {
  std::string text;
  for (const bool positional : {true, false})
    for (const CLI::Option* option : options_of(command, positional))
      text += manual_of_option(*option, positional);
  return text;
}

std::string heading(const std::string& name, const std::string& description) {
  std::string page = name;
  std::transform(page.begin(), page.end(), page.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return fmt::format(
      ".\\\" Printed by `warpmem help --man`; not edited by hand.\n"
      ".TH {} 1 \"\" \"warpmem {}\" \"warpmem\"\n.SH NAME\n{} \\- {}\n",
      roff(page), kVersion, roff(name), roff(description));
}

std::string exit_status() {
  return ".SH EXIT STATUS\n0 for success, 1 when the program that was run failed its own check, 2 "
         "for a mistake of the user, 3 when the simulation contradicted itself or stopped making "
         "progress, and 128 + n when signal n ended it or the program that was run.\n";
}

std::string manual_of(const CLI::App& command) {
  const std::string name = "warpmem-" + command.get_name();
  std::string text = heading(name, command.get_description());
  text += ".SH SYNOPSIS\n";
  const std::string call = "warpmem " + command.get_name();
  if (commands_of(command).empty())
    text += synopsis(command, call) + "\n";
  else if (!options_of(command, true).empty())
    text += synopsis(command, call) + "\n.br\n";
  for (const CLI::App* below : commands_of(command))
    text += synopsis(*below, call + " " + below->get_name()) + "\n.br\n";
  text += ".SH OPTIONS\n" + manual_of_options(command);
  for (const CLI::App* below : commands_of(command))
    text += fmt::format(".SH {} {}\n{}\n{}", roff(command.get_name()), roff(below->get_name()),
                        roff(below->get_description()), manual_of_options(*below));
  return text + exit_status() + ".SH SEE ALSO\n.BR warpmem (1)\n";
}

/// Returns one branch of the completion script: the words after a command.
std::string completion_of(const CLI::App& command, const std::string& path) {
  std::vector<std::string> words = long_options_of(command);
  const std::vector<std::string> below = names_of(command);
  words.insert(words.end(), below.begin(), below.end());
  std::string cases;
  for (const CLI::Option* option : options_of(command, false)) {
    const std::vector<std::string> values = values_of(*option);
    if (values.empty()) continue;
    for (const std::string& name : option->get_lnames())
      cases += fmt::format("        \"{} --{}\") words=\"{}\" values=1 ;;\n", path, name,
                           fmt::join(values, " "));
  }
  for (const CLI::Option* option : options_of(command, true)) {
    const std::vector<std::string> values = values_of(*option);
    words.insert(words.end(), values.begin(), values.end());
  }
  return cases + fmt::format("        \"{} \"*) words=\"{}\" ;;\n", path, fmt::join(words, " "));
}

/// Returns what is said of a word that is none of a command's commands.
std::string no_such_command(const CLI::App& command, const std::string& word) {
  const std::vector<std::string> names = names_of(command);
  const std::string hint = did_you_mean(word, names);
  return fmt::format("{}: no such command{}", shown(word),
                     hint.empty() ? fmt::format("; allowed: {}", fmt::join(names, ", ")) : hint);
}

/// Returns what is said of a word that the command does not take.
std::string unknown_word_of(const CLI::App& command, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  if (word.rfind("--", 0) == 0)
    return shown(name) + ": no such option" + did_you_mean(name, long_options_of(command));
  if (word.rfind('-', 0) == 0) return shown(word) + ": no such option";
  if (!commands_of(command).empty()) return no_such_command(command, word);
  return shown(word) + ": unexpected argument";
}

}  // namespace

std::vector<std::pair<std::string, std::string>> man_pages(const CLI::App& app) {
  const std::string about = app.get_description();
  std::string main = heading("warpmem", about.substr(about.find(": ") + 2));
  main += ".SH SYNOPSIS\n" + synopsis(app, "warpmem") + "\n.SH COMMANDS\n";
  std::vector<std::pair<std::string, std::string>> pages;
  for (const CLI::App* command : commands_of(app)) {
    main += fmt::format(".TP\n.BR warpmem\\-{} (1)\n{}\n", roff(command->get_name()),
                        roff(command->get_description()));
    pages.emplace_back("warpmem-" + command->get_name() + ".1", manual_of(*command));
  }
  main += ".SH OPTIONS\n" + manual_of_options(app) + exit_status();
  pages.emplace(pages.begin(), "warpmem.1", main);
  return pages;
}

std::string bash_completion(const CLI::App& app) {
  std::string cases;
  for (const CLI::App* command : commands_of(app)) {
    for (const CLI::App* below : commands_of(*command))
      cases += completion_of(*below, command->get_name() + " " + below->get_name());
    cases += completion_of(*command, command->get_name());
  }
  return fmt::format(R"(# Completion of warpmem's command line for bash. It is printed by
# `warpmem help --bash-completion`, not edited by hand. Read it with `. FILE`, or put it as
# `warpmem` into ~/.local/share/bash-completion/completions.

_warpmem() {{
  local program=${{COMP_WORDS[0]}} word=${{COMP_WORDS[COMP_CWORD]}}
  local before=${{COMP_WORDS[COMP_CWORD-1]}}
  local command="" words="" values="" i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; ++i)); do
    [[ ${{COMP_WORDS[i]}} == -- ]] && return  # the program's own arguments
    case "$command ${{COMP_WORDS[i]}}" in
{}    esac
  done
  case $before in
    -c | --config) words=$("$program" list configs --names 2>/dev/null) ;;
    --set | --explain) words=$("$program" list keys --names 2>/dev/null) ;;
    *)
      case "$command $before" in
{}        " "*) words="{}" ;;
      esac
      if [[ -z $values && $word != -* ]]; then
        case $command in
          run) words=$("$program" list workloads --names 2>/dev/null) ;;
          cosim | formal | mutate | synth) words=$("$program" list units --names 2>/dev/null) ;;
        esac
      fi
      ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}}
complete -o default -F _warpmem warpmem
)",
                     [&] {
                       std::string steps;
                       for (const CLI::App* command : commands_of(app)) {
                         steps +=
                             fmt::format("      \" {0}\") command={0} ;;\n", command->get_name());
                         for (const CLI::App* below : commands_of(*command))
                           steps += fmt::format("      \"{0} {1}\") command=\"{0} {1}\" ;;\n",
                                                command->get_name(), below->get_name());
                       }
                       return steps;
                     }(),
                     cases,
                     fmt::join(
                         [&] {
                           std::vector<std::string> all = names_of(app);
                           const std::vector<std::string> options = long_options_of(app);
                           all.insert(all.end(), options.begin(), options.end());
                           return all;
                         }(),
                         " "));
}

const CLI::App& find_command(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* found = &app;
  for (const std::string& word : words) {
    const std::vector<const CLI::App*> below = commands_of(*found);
    const auto next = std::find_if(below.begin(), below.end(), [&](const CLI::App* command) {
      return command->get_name() == word;
    });
    if (next == below.end()) throw UserError(no_such_command(*found, word));
    found = *next;
  }
  return *found;
}

std::string mistake(const CLI::App& app, const CLI::ParseError& error) {
  std::vector<const CLI::App*> commands = {&app};
  std::string command = app.get_name();
  while (!commands.back()->get_subcommands().empty()) {
    commands.push_back(commands.back()->get_subcommands().back());
    command += " " + commands.back()->get_name();
  }
  // Beside a value that an option does not have, whatever else is left is no mistake.
  const bool of_a_word = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr ||
                         dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  for (const CLI::App* const one : commands)
    for (const std::string& word : one->remaining())
      if (of_a_word && word != "--") return unknown_word_of(*one, word);
  return as_line(error.what()) + " (" + command + " --help says more)";
}

}  // namespace warpmem::app
