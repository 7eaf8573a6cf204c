// SPDX-License-Identifier: Apache-2.0
#include "base/added_part.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace warpmem {

std::string text_of_exception() {
  try {
    throw;
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    const char* const type = abi::__cxa_current_exception_type()->name();
    const std::unique_ptr<char, decltype(&std::free)> plain(
        abi::__cxa_demangle(type, nullptr, nullptr, nullptr), &std::free);
    return std::string("an exception of type ") + (plain ? plain.get() : type) +
           " was thrown; allowed: those derived from std::exception";
  }
}

std::vector<std::string>& plugin_files() {
  static std::vector<std::string> files;
  return files;
}

std::string loaded_plugins() {
  std::string text;
  for (const std::string& file : plugin_files()) text += (text.empty() ? "" : ", ") + file;
  return text.empty() ? text : " (plugins: " + text + ")";
}

}  // namespace warpmem
