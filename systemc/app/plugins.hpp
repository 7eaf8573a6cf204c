// SPDX-License-Identifier: Apache-2.0
// Plugins: shared objects with parts of the machine (gpu/parts.hpp).
#pragma once

#include <string>
#include <vector>

namespace warpmem::app {

struct Plugin {
  std::string file;
  std::string hash;  ///< SHA-256 of its bytes
};

/// Loads the plugins that WARPMEM_PLUGINS names, separated by colons, when it is called for the
/// first time, and returns them. It is to be called before a configuration is read. Throws
/// UserError when one cannot be loaded, is none, was built for another version or
/// with other headers, or adds a name that
/// is taken.
const std::vector<Plugin>& load_plugins();

}  // namespace warpmem::app
