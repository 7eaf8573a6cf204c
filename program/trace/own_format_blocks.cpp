// SPDX-License-Identifier: Apache-2.0
#include "program/trace/own_format_blocks.hpp"

#include <fmt/format.h>
#include <lzma.h>

#include <algorithm>
#include <cstring>

#include "base/errors.hpp"
#include "program/trace/own_format.hpp"
#include "program/trace/own_format_records.hpp"

namespace warpmem::program::trace {
namespace {

std::uint32_t get_u32(const std::uint8_t* p) {
  return p[0] | std::uint32_t(p[1]) << 8 | std::uint32_t(p[2]) << 16 | std::uint32_t(p[3]) << 24;
}

}  // namespace

BlockReader::BlockReader(const std::string& path)
    : path_(path), in_(path, std::ios::binary), context_(ZSTD_createDCtx()) {
  if (!in_) throw UserError(path + ": cannot read");
  std::uint8_t header[kOwnHeaderBytes];
  if (!read(header, sizeof header, "the header")) fail("an empty file");
  block_offset_ = 0;
  if (std::memcmp(header, kOwnMagic.data(), kOwnMagic.size()) != 0)
    fail("not a warpmem trace: it does not begin with WMTRACE");
  const std::uint32_t version = get_u32(header + kOwnMagic.size());
  if (version != kOwnVersion)
    fail(fmt::format("format version {}; allowed: {}", version, kOwnVersion));
  if (get_u32(header + kOwnMagic.size() + 4) != 0) fail("bytes 12 to 15 of the header must be 0");
}

// False at the end of the file, when not a single byte is left.
bool BlockReader::read(std::uint8_t* to, std::size_t bytes, const char* what) {
  in_.read(reinterpret_cast<char*>(to), static_cast<std::streamsize>(bytes));
  const std::size_t got = static_cast<std::size_t>(in_.gcount());
  file_offset_ += got;
  if (in_.bad()) fail("cannot read");
  if (got == bytes) return true;
  if (got == 0) return false;
  throw UserError(fmt::format("{}: byte offset {}: truncated: the file ends within {}", path_,
                              file_offset_, what));
}

bool BlockReader::next_block() {
  std::uint8_t header[kBlockHeaderBytes];
  block_offset_ = file_offset_;
  next_ = end_ = raw_.data();
  if (!read(header, sizeof header, "the head of a block")) return false;
  const std::uint32_t stored = get_u32(header);
  const std::uint32_t raw = get_u32(header + 4);
  const std::size_t most = ZSTD_compressBound(kMostRawBytes);
  if (stored == 0 || stored > most)
    fail(fmt::format("a block of {} stored bytes; allowed: 1 to {}", stored, most));
  if (raw == 0 || raw > kMostRawBytes)
    fail(fmt::format("a block of {} bytes; allowed: 1 to {}", raw, kMostRawBytes));
  stored_.resize(stored);
  if (!read(stored_.data(), stored, "a block")) fail("truncated: the file ends within a block");
  const std::uint32_t crc = lzma_crc32(stored_.data(), stored, lzma_crc32(header, 8, 0));
  if (crc != get_u32(header + 8))
    fail(fmt::format("the block is damaged: its CRC-32 is {:08x}, the file says {:08x}", crc,
                     get_u32(header + 8)));
  raw_.resize(raw);
  const std::size_t got =
      ZSTD_decompressDCtx(context_.get(), raw_.data(), raw, stored_.data(), stored);
  if (ZSTD_isError(got) != 0)
    fail(std::string("the block does not decompress: ") + ZSTD_getErrorName(got));
  if (got != raw) fail(fmt::format("the block has {} bytes; its head says {}", got, raw));
  next_ = raw_.data();
  end_ = next_ + raw;
  return true;
}

bool BlockReader::next_record() { return next_ != end_ || next_block(); }

bool BlockReader::at_end() {
  return next_ == end_ && in_.peek() == std::ifstream::traits_type::eof();
}

std::uint64_t BlockReader::long_number() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const std::uint8_t b = byte();
    if (shift == 63 && b > 1) break;
    value |= std::uint64_t(b & 0x7f) << shift;
    if (b < 0x80) return value;
  }
  fail("a number of more than 64 bits");
}

std::string BlockReader::text(const char* what) {
  const std::uint64_t bytes = number(what, 0, OwnFormatLimits::kTextBytes);
  if (bytes > static_cast<std::size_t>(end_ - next_)) cut();
  std::string text(reinterpret_cast<const char*>(next_), bytes);
  if (text.find('\0') != std::string::npos) fail("a zero byte in a text");
  next_ += bytes;
  return text;
}

std::string BlockReader::place() const {
  const std::size_t within = raw_.empty() ? 0 : static_cast<std::size_t>(next_ - raw_.data());
  std::string where = fmt::format("{}: byte offset {}", path_, block_offset_);
  if (within != 0) where += fmt::format(" (byte {} of the unpacked block)", within);
  return where;
}

void BlockReader::fail(const std::string& what) const { throw UserError(place() + ": " + what); }

void BlockReader::cut() const { fail("a record that does not end within its block"); }

void BlockReader::out_of_range(const char* what, std::uint64_t value, std::uint64_t least,
                               std::uint64_t most) const {
  fail(fmt::format("{} {}; allowed: {} to {}", what, value, least, most));
}

}  // namespace warpmem::program::trace
