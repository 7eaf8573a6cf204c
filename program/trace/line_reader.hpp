// SPDX-License-Identifier: Apache-2.0
// Lines of a text file, plain or compressed with xz, in blocks of a fixed size.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.hpp"

namespace warpmem::program::trace {

/// Reads bytes; tells whether the file is compressed by its first bytes, not by its name.
class ByteSource;

class LineReader {
 public:
  static constexpr std::size_t kMaxLine = 64 * 1024;  ///< bytes

  /// Throws UserError when the file cannot be read or is a pointer of Git LFS.
  explicit LineReader(const std::string& path);
  ~LineReader();

  /// Gives the next line without its end ("\n" or "\r\n"; the last line may lack it), valid until
  /// the next call; false at the end of the file.
  bool next(std::string_view& line);
  /// Returns what has been read of the file behind the last line, as far as it goes; a "\n" stands
  /// behind it, which is not of the file.
  std::string_view ahead() const { return {buffer_.data() + begin_, end_ - begin_}; }
  /// Takes the next line, which is the first `bytes` of ahead(), with the "\n" that follows them
  /// there.
  void take(std::size_t bytes) {
    begin_ += bytes + 1;
    ++line_;
  }
  /// Returns the number of the line that was returned or taken last, from 1.
  std::uint64_t line() const { return line_; }
  const std::string& path() const { return path_; }
  /// Returns "path:line".
  std::string place() const { return path_ + ":" + std::to_string(line_); }
  /// Throws UserError "path:line: what".
  [[noreturn]] void fail(const std::string& what) const;

 private:
  bool refill();

  std::string path_;
  std::unique_ptr<ByteSource> source_;
  std::vector<char> buffer_;  ///< one byte more than is read, for the end of ahead()
  std::size_t begin_ = 0, end_ = 0;
  bool at_end_ = false;
  bool zero_ = false;  ///< there is a zero byte between begin_ and end_
  std::uint64_t line_ = 0;
};

}  // namespace warpmem::program::trace
