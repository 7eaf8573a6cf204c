// SPDX-License-Identifier: Apache-2.0
// This is the command line tool. Its exit status is 0 for success, 1 when the program that was run
// failed its own check, 2 for a mistake of the user, 3 when the simulation contradicted itself or
// stopped making progress, and 128 + n when signal n ended it or the program that was run.
#include <cerrno>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <new>
#include <string>
#include <system_error>
#include <systemc>

#include "app/commands.hpp"
#include "app/help_pages.hpp"
#include "app/plugins.hpp"
#include "base/added_part.hpp"
#include "base/end_record.hpp"
#include "base/environment_error.hpp"
#include "base/interrupt.hpp"
#include "base/version.hpp"

namespace {

/// Returns what is wrong with the value of an option of this type, or nothing. The numbers that
/// CLI11 reads wrap around, and not a number is in every range.
std::string wrong_value(const std::string& type, const std::string& value) {
  if (value.empty()) return "an empty value";
  errno = 0;
  if (type.rfind("UINT", 0) == 0) {
    const unsigned long long number = std::strtoull(value.c_str(), nullptr, 0);
    if (value[0] == '-' || (number == ULLONG_MAX && errno == ERANGE))
      return value + " is no number from 0 to " + std::to_string(ULLONG_MAX);
  } else if (type.rfind("FLOAT", 0) == 0 && !std::isfinite(std::strtod(value.c_str(), nullptr))) {
    return value + " is no finite number";
  }
  return std::string();
}

/// Refuses values that no option has, in this command and those below it. `--json --functional`
/// would write a file of the name `--functional`: an option in the place of a value is one. A flag
/// has no value: CLI11 would read that of `--table=3` as true.
void check_values(CLI::App* command) {
  for (CLI::Option* option : command->get_options()) {
    if (!option->nonpositional()) continue;
    if (option->get_items_expected_max() == 0) {
      option->check([](const std::string& value) {
        const bool usual = value == "true" || value == "false";  // what the flag stands for
        return usual ? std::string() : value + " is given to a flag, which takes no value";
      });
      continue;
    }
    const std::string type = option->get_type_name();
    option->check([command, type](const std::string& value) {
      const bool is_option = value.rfind('-', 0) == 0 && command->get_option_no_throw(value);
      return is_option ? value + " is an option, and not its value" : wrong_value(type, value);
    });
  }
  for (CLI::App* below : command->get_subcommands({})) check_values(below);
}

/// Parses the command line and runs its command. Throws UserError for what the parser refuses, and
/// where what is printed does not get to its place.
void run_command(CLI::App& app, int argc, char** argv) {
  try {
    warpmem::app::load_plugins();
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) throw warpmem::UserError(warpmem::app::mistake(app, error));
    app.exit(error);  // prints what --help and --version ask for
  }
  std::cout.flush();
  if (!std::cout || std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    throw std::system_error(errno, std::generic_category(), "standard output: cannot be written");
}

}  // namespace

int sc_main(int, char**) { return 0; }  // libsystemc wants the symbol; main below is the entry

int main(int argc, char** argv) {
  warpmem::say_end_at_exit();
  CLI::App app{"warpmem: a GPU memory-system model with RTL co-simulation", "warpmem"};
  app.set_version_flag("--version", warpmem::kVersion);
  app.require_subcommand(1);
  int status = 0;
  warpmem::app::add_run(app, status);
  warpmem::app::add_cc(app, status);
  warpmem::app::add_toolkit(app, status);
  warpmem::app::add_cosim(app, status);
  warpmem::app::add_synth(app, status);
  warpmem::app::add_formal(app, status);
  warpmem::app::add_mutate(app, status);
  warpmem::app::add_report(app, status);
  warpmem::app::add_correlate(app, status);
  warpmem::app::add_sweep(app, status);
  warpmem::app::add_reproduce(app, status);
  warpmem::app::add_explore(app, status);
  warpmem::app::add_config(app, status);
  warpmem::app::add_trace(app, status);
  warpmem::app::add_list(app, status);
  warpmem::app::add_help(app, status);
  check_values(&app);
  try {
    run_command(app, argc, argv);
    return status;
  } catch (const warpmem::Interrupted& interrupt) {
    std::fprintf(stderr, "warpmem: error: %s\n", interrupt.what());
    return 128 + interrupt.signal();
  } catch (const warpmem::EnvironmentError& error) {
    std::fprintf(stderr, "warpmem: error: %s\n", error.what());
    return warpmem::environment_exit_status();
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "warpmem: error: out of memory\n");
    return warpmem::environment_exit_status();
  } catch (const warpmem::UserError& error) {
    std::fprintf(stderr, "warpmem: error: %s\n", error.what());
    return 2;
  } catch (const std::filesystem::filesystem_error& error) {
    std::fprintf(stderr, "warpmem: error: %s: %s\n", error.path1().c_str(),
                 error.code().message().c_str());
    return 2;
  } catch (const std::system_error& error) {
    std::fprintf(stderr, "warpmem: error: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "warpmem: error: %s\n", error.what());
    return 3;
  } catch (...) {  // only a part from outside the tree throws such
    std::fprintf(stderr, "warpmem: error: %s%s\n", warpmem::text_of_exception().c_str(),
                 warpmem::loaded_plugins().c_str());
    return 3;
  }
}
