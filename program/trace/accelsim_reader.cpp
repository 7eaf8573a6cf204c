// SPDX-License-Identifier: Apache-2.0
#include "program/trace/accelsim_reader.hpp"

#include <filesystem>

#include "base/text.hpp"
#include "program/trace/accelsim_kernel.hpp"
#include "program/trace/tokens.hpp"

namespace warpmem::program::trace {

namespace fs = std::filesystem;

fs::path other_form(const fs::path& file) {
  fs::path other = file;
  if (file.extension() == ".xz")
    other.replace_extension();
  else
    other += ".xz";
  return other;
}

namespace {

fs::path existing(const fs::path& file) {
  std::error_code ignored;
  if (fs::exists(file, ignored)) return file;
  const fs::path other = other_form(file);
  return fs::exists(other, ignored) ? other : file;
}

}  // namespace

AccelsimReader::AccelsimReader(const std::string& path, bool single) : path_(path) {
  if (!single) list_ = std::make_unique<LineReader>(path);
}

// The line reads "MemcpyHtoD,0x<address>,<bytes>".
void AccelsimReader::copy(std::string_view line, Command& command) const {
  const std::size_t first = line.find(',');
  const std::size_t second = line.find(',', first + 1);
  Addr address = 0;
  std::uint64_t bytes = 0;
  if (first == std::string_view::npos || second == std::string_view::npos ||
      !parse_hex(trimmed(line.substr(first + 1, second - first - 1)), address) ||
      !parse_decimal(trimmed(line.substr(second + 1)), bytes) || address >> 48 != 0 ||
      bytes >> 48 != 0)
    list_->fail("`" + shown(line) +
                "`; allowed: MemcpyHtoD,0x<hexadecimal address below 2^48>,<decimal bytes>");
  command.kind = Command::Kind::host_wrote;
  command.address = address;
  command.bytes = bytes;
  command.place = list_->place();
}

bool AccelsimReader::next(Command& command) {
  command = Command();
  if (list_ == nullptr) {
    if (done_) return false;
    done_ = true;
    command.kernel = std::make_unique<AccelsimKernel>(path_, notes_);
    return true;
  }
  std::string_view line;
  while (list_->next(line)) {
    line = trimmed(line);
    if (line.empty()) continue;
    if (line.substr(0, 10) == "MemcpyHtoD") {
      copy(line, command);
      return true;
    }
    if (line.substr(0, 6) == "kernel") {
      const fs::path file = existing(fs::path(path_).parent_path() / std::string(line));
      std::error_code ignored;
      if (!fs::exists(file, ignored))
        list_->fail("`" + shown(line) + "`: neither " + file.string() +
                    " nor the same with or without .xz exists");
      command.kernel = std::make_unique<AccelsimKernel>(file.string(), notes_);
      done_ = true;
      return true;
    }
    const std::string_view name = line.substr(0, line.find(','));
    if (name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") !=
        std::string_view::npos)
      list_->fail("`" + shown(line) +
                  "`; allowed: MemcpyHtoD,0x<address>,<bytes>, names of kernel traces, other "
                  "commands as Name or Name,...");
    ++notes_.of("command " + shown(name) + " has no effect on the machine", "times").count;
  }
  if (!done_) throw UserError(path_ + ": no kernel is named; a tracer that was cut short ends so");
  return false;
}

}  // namespace warpmem::program::trace
