// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/source_name.hpp"

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

}  // namespace warpmem::program::cuda
