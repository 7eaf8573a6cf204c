// SPDX-License-Identifier: Apache-2.0
// The blocks of a trace file as a stream of checked bytes. No length in the file is believed before
// it is compared with its limit; every read ends at the end of the block.
#pragma once

#include <zstd.h>

#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace warpmem::program::trace {

class BlockReader {
 public:
  /// Reads the header. Throws UserError, like every other function, as "file: byte offset N: ...".
  explicit BlockReader(const std::string& path);

  /// Goes to the next record; false at the end of the file.
  bool next_record();
  /// Whether the block and the file are over.
  bool at_end();

  std::uint8_t byte() {
    if (next_ == end_) cut();
    return *next_++;
  }
  std::uint64_t number() {
    if (next_ != end_ && *next_ < 0x80) return *next_++;
    return long_number();
  }
  /// Reads a number from `least` to `most`; `what` names it in the error.
  std::uint64_t number(const char* what, std::uint64_t least, std::uint64_t most) {
    const std::uint64_t value = number();
    if (value < least || value > most) out_of_range(what, value, least, most);
    return value;
  }
  std::uint8_t byte(const char* what, std::uint8_t most) {
    const std::uint8_t value = byte();
    if (value > most) out_of_range(what, value, 0, most);
    return value;
  }
  std::string text(const char* what);

  /// Says where the reader is.
  std::string place() const;
  [[noreturn]] void fail(const std::string& what) const;

 private:
  [[noreturn]] void cut() const;
  [[noreturn]] void out_of_range(const char* what, std::uint64_t value, std::uint64_t least,
                                 std::uint64_t most) const;
  std::uint64_t long_number();
  bool read(std::uint8_t* to, std::size_t bytes, const char* what);
  bool next_block();

  struct Free {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };

  std::string path_;
  std::ifstream in_;
  std::unique_ptr<ZSTD_DCtx, Free> context_;
  std::vector<std::uint8_t> stored_, raw_;
  const std::uint8_t* next_ = nullptr;
  const std::uint8_t* end_ = nullptr;
  std::uint64_t block_offset_ = 0;  ///< offset of the current block in the file
  std::uint64_t file_offset_ = 0;   ///< bytes read so far
};

}  // namespace warpmem::program::trace
