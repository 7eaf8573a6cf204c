// SPDX-License-Identifier: Apache-2.0
// warpmem config: look at the configuration without running anything.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/commands.hpp"
#include "app/configuration.hpp"
#include "app/implied_figures.hpp"
#include "app/value_meanings.hpp"
#include "base/config_text.hpp"
#include "base/text.hpp"
#include "files/schema_json.hpp"

namespace warpmem::app {
namespace {

constexpr const char* kReferenceIntroduction =
    "# Configuration keys\n"
    "\n"
    "Printed by `warpmem config --reference`; one table a group. The last column says where the\n"
    "default comes from: a paper by its key in `references.md`, `mechanisms N` for section N of\n"
    "`mechanisms.md`, or *chosen* where no source gives a value.\n"
    "\n";

/// Returns what each value of a choice means; "" for a key of another type, or a group.
std::string explain_values(const Schema& schema, const std::string& key) {
  const Param* const param = schema.find(trimmed(key));
  if (param == nullptr || param->choices.empty()) return "";
  std::size_t width = 0;
  for (const std::string& value : param->choices) width = std::max(width, value.size());
  std::string out = "  values\n";
  for (const std::string& value : param->choices) {
    const std::string meaning = value_meaning(param->name, value);
    out += fmt::format("    {:<{}}  {}\n", value, width,
                       meaning.empty() ? "added by a plugin" : meaning);
  }
  return out;
}

}  // namespace

void add_config(CLI::App& app, int&) {
  struct ConfigOptions {
    ConfigurationOptions configuration;
    bool dump = false;
    bool docs = false;
    bool reference = false;
    bool schema = false;
    bool implied = false;
    std::string explain;
  };
  auto options = std::make_shared<ConfigOptions>();
  CLI::App* command = app.add_subcommand("config", "show, explain or check a configuration");
  add_configuration_options(*command, options->configuration);
  CLI::Option* const dump_flag =
      command->add_flag("--dump", options->dump, "print every key with its value, as YAML");
  command->add_flag("--docs", options->docs, "with --dump: add meaning, range and source")
      ->needs(dump_flag);
  const std::vector<CLI::Option*> prints = {
      dump_flag,
      command->add_option("--explain", options->explain, "say what KEY (or a group) means")
          ->type_name("KEY"),
      command->add_flag("--reference", options->reference, "print the reference page, as Markdown"),
      command->add_flag("--schema", options->schema,
                        "print every key with type, allowed values, default and value, as JSON"),
      command->add_flag("--implied", options->implied,
                        "print the latencies and bandwidths that the configuration implies")};
  for (CLI::Option* const print : prints)
    for (CLI::Option* const other : prints)
      if (print != other) print->excludes(other);
  command->callback([options] {
    if (options->reference) {
      gpu::MachineParams params;
      Schema schema;
      params.describe(schema);
      fmt::print("{}{}", kReferenceIntroduction, reference_markdown(schema));
      return;
    }
    const Configuration configuration(options->configuration);
    for (const std::string& note : configuration.config().notes())
      fmt::print(stderr, "warpmem: note: {}\n", note);
    if (!options->explain.empty())
      fmt::print("{}{}", explain(configuration.config(), options->explain),
                 explain_values(configuration.schema(), options->explain));
    if (options->dump) fmt::print("{}", dump(configuration.schema(), options->docs));
    if (options->schema) fmt::print("{}", schema_json(configuration.config()));
    if (options->implied) fmt::print("{}", implied_figures(configuration.params()));
    if (options->explain.empty() && !options->dump && !options->schema && !options->implied)
      fmt::print("configuration is valid\n");
  });
}

}  // namespace warpmem::app
