// SPDX-License-Identifier: Apache-2.0
#include "app/plugins.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <sstream>

#include "base/added_part.hpp"
#include "base/errors.hpp"
#include "base/text_file.hpp"
#include "files/sha256.hpp"
#include "gpu/parts.hpp"

namespace warpmem::app {

namespace {

constexpr const char* kVariable = "WARPMEM_PLUGINS";

template <class Symbol>
Symbol* symbol_of(void* plugin, const std::string& file, const char* name) {
  void* const symbol = dlsym(plugin, name);
  if (symbol == nullptr)
    throw UserError(fmt::format(
        "{}: {}: not a plugin, for it lacks {}; allowed: shared objects made with WARPMEM_PLUGIN "
        "(docs/extending.md)",
        kVariable, file, name));
  return reinterpret_cast<Symbol*>(symbol);
}

Plugin load(const std::string& file) {
  Plugin plugin{file, sha256_hex(read_text(file))};
  // A name without a slash would be looked for where libraries are.
  const std::string path = file.find('/') == std::string::npos ? "./" + file : file;
  // Symbols are bound lazily: `warpmem` itself only wants the names of the parts and has not all
  // that they call.
  void* const object = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (object == nullptr)
    throw UserError(fmt::format("{}: cannot be loaded: {}", kVariable, dlerror()));
  const std::string version = *symbol_of<const char*>(object, file, "warpmem_plugin_version");
  if (version != kVersion)
    throw UserError(fmt::format("{}: {}: built for warpmem {}, this is {}; build it again",
                                kVariable, file, version, kVersion));
  const std::string headers = *symbol_of<const char*>(object, file, "warpmem_plugin_headers");
  if (headers != kHeaderHash)
    throw UserError(
        fmt::format("{}: {}: built with other headers of warpmem {} than this was; build it again",
                    kVariable, file, version));
  auto* const add = symbol_of<void(const Parts&)>(object, file, "warpmem_add_parts");
  const Parts all = parts();
  call_added(file, [&] { add(all); });
  all.replacements.come_from(file);
  all.miss_handlers.come_from(file);
  all.frontends.come_from(file);
  all.schedulers.come_from(file);
  all.dram_schedulers.come_from(file);
  plugin_files().push_back(file);
  return plugin;
}

std::vector<Plugin> load_all() {
  std::vector<Plugin> plugins;
  const char* const files = std::getenv(kVariable);
  std::istringstream list(files == nullptr ? "" : files);
  for (std::string file; std::getline(list, file, ':');)
    if (!file.empty()) plugins.push_back(load(file));
  return plugins;
}

}  // namespace

const std::vector<Plugin>& load_plugins() {
  static const std::vector<Plugin> plugins = load_all();
  return plugins;
}

}  // namespace warpmem::app
