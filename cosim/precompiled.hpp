// SPDX-License-Identifier: Apache-2.0
// Headers of other projects that every wrapper of a kind includes: the larger part of the compile
// time of a small unit. The compiler reads them once and keeps what it has read in the cache.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "files/sha256.hpp"

namespace warpmem::cosim {

/// Returns what `-include` takes for `headers`, written as in #include, when `command` goes before
/// it: compiler and options, with which the headers are also found. `hash` holds what identifies
/// their text. `work` is a folder for logs. Throws UserError as run_tool() does.
std::filesystem::path precompiled(const std::string& name, const std::vector<std::string>& headers,
                                  std::vector<std::string> command, Sha256 hash,
                                  const std::filesystem::path& work);

}  // namespace warpmem::cosim
