// SPDX-License-Identifier: Apache-2.0
#include "cosim/unit_stream.hpp"

#include <fmt/format.h>
#include <zstd.h>

#include <array>
#include <memory>
#include <sstream>

#include "base/errors.hpp"

namespace warpmem::cosim {

namespace fs = std::filesystem;

namespace {

constexpr const char* kMagic = "warpmem unit stream 1";
constexpr int kCompressionLevel = 3;
constexpr std::uint32_t kMostBlockBytes = 1u << 24;  // a file with larger ones is broken

using Length = std::array<char, 4>;  // numbers are little-endian

Length length(std::size_t bytes) {
  Length text;
  for (unsigned i = 0; i < 4; ++i) text[i] = static_cast<char>(bytes >> (8 * i) & 0xff);
  return text;
}

}  // namespace

UnitStreamWriter::UnitStreamWriter(fs::path file, const std::string& unit,
                                   const UnitParameters& parameters)
    : file_(std::move(file)), out_(file_) {
  std::string header = fmt::format("{}\n{}\n", kMagic, unit);
  for (const auto& [name, value] : parameters) header += fmt::format("{} {}\n", name, value);
  out_.write(header + "\n");
}

void UnitStreamWriter::write_block() {
  std::string packed(ZSTD_compressBound(block_.size()), '\0');
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(),
                                                                     ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kCompressionLevel);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  const std::size_t bytes =
      ZSTD_compress2(context.get(), packed.data(), packed.size(), block_.data(), block_.size());
  if (ZSTD_isError(bytes) != 0) throw UserError(file_.string() + ": " + ZSTD_getErrorName(bytes));
  const Length size = length(bytes), whole = length(block_.size());
  out_.write({size.data(), size.size()});
  out_.write({whole.data(), whole.size()});
  out_.write({packed.data(), bytes});
  block_.clear();
}

// A block of no bytes marks the end: what ends without one was cut off.
void UnitStreamWriter::finish() {
  if (!block_.empty()) write_block();
  const Length end = length(0);
  out_.write({end.data(), end.size()});
  out_.commit();
}

UnitStreamReader::UnitStreamReader(fs::path file)
    : file_(std::move(file)), in_(file_, std::ios::binary) {
  if (!in_) throw UserError(file_.string() + ": cannot read");
  std::string line;
  if (!std::getline(in_, line) || line != kMagic)
    throw UserError(file_.string() + ": not a recording of a unit (warpmem run --record-unit)");
  std::getline(in_, unit_);
  while (std::getline(in_, line) && !line.empty()) {
    std::istringstream words(line);
    std::string name;
    std::uint32_t value = 0;
    if (!(words >> name >> value)) broken("a parameter without a value");
    parameters_.emplace_back(name, value);
  }
  if (!in_) broken("it ends in its header");
}

bool UnitStreamReader::read_block() {
  if (ended_) return false;
  const auto read_length = [this] {
    Length text;
    if (!in_.read(text.data(), text.size())) broken("it ends early");
    std::uint32_t bytes = 0;
    for (unsigned i = 0; i < 4; ++i)
      bytes |= std::uint32_t{static_cast<unsigned char>(text[i])} << (8 * i);
    if (bytes > kMostBlockBytes) broken("a block is too long");
    return bytes;
  };
  std::string packed(read_length(), '\0');
  if (packed.empty()) {
    ended_ = true;
    return false;
  }
  block_.resize(read_length());
  at_ = 0;
  if (!in_.read(packed.data(), static_cast<std::streamsize>(packed.size())))
    broken("it ends early");
  const std::size_t bytes =
      ZSTD_decompress(block_.data(), block_.size(), packed.data(), packed.size());
  if (ZSTD_isError(bytes) != 0 || bytes != block_.size() || bytes == 0) broken("a block is broken");
  return true;
}

std::uint64_t UnitStreamReader::number() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (at_ == block_.size()) broken("a record ends early");
    const auto byte = static_cast<unsigned char>(block_[at_++]);
    value |= std::uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80) return value;
  }
  broken("a number is too long");
}

void UnitStreamReader::broken(const char* how) const {
  throw UserError(fmt::format("{}: the recording is broken: {}", file_.string(), how));
}

}  // namespace warpmem::cosim
