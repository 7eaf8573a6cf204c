// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/source_name.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

#include "base/text.hpp"

namespace warpmem::program::cuda {

namespace {

constexpr std::string_view kNote = "// warpmem source: ";

}  // namespace

std::string source_note(std::string_view source) {
  return "\n" + std::string(kNote) + as_line(source) + "\n";
}

std::string source_name(std::string_view ptx) {
  const std::size_t note = ptx.rfind(kNote);
  if (note == std::string_view::npos) return "PTX";
  const std::size_t begin = note + kNote.size();
  return std::string(ptx.substr(begin, ptx.find('\n', begin) - begin));
}

std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? std::string(text.get()) : name;
}

}  // namespace warpmem::program::cuda
