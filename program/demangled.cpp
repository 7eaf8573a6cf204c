// SPDX-License-Identifier: Apache-2.0
#include "program/demangled.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace warpmem::program {

std::string demangled(const std::string& name) {
  if (name.rfind("_Z", 0) != 0) return name;  // "f" would be the type float
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? std::string(text.get()) : name;
}

}  // namespace warpmem::program
