// SPDX-License-Identifier: Apache-2.0
// kernelslist.g: the commands of a run in Accel-Sim's format.
#pragma once

#include <filesystem>

#include "program/trace/line_reader.hpp"
#include "program/trace/notes.hpp"
#include "program/trace/trace.hpp"

namespace warpmem::program::trace {

/// Returns the name of a kernel trace with ".xz" more or less; a list means either file by one of
/// the names.
std::filesystem::path other_form(const std::filesystem::path& file);

class AccelsimReader : public TraceReader {
 public:
  /// Opens `path`: a kernelslist.g, or with `single` one kernel trace. Throws UserError.
  AccelsimReader(const std::string& path, bool single);
  bool next(Command& command) override;
  std::vector<std::string> notes() const override { return notes_.list(); }

 private:
  void copy(std::string_view line, Command& command) const;

  std::string path_;
  std::unique_ptr<LineReader> list_;  // nullptr: a single kernel
  bool done_ = false;                 // a kernel has been read
  Notes notes_;
};

}  // namespace warpmem::program::trace
