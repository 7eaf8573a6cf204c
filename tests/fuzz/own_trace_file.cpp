// SPDX-License-Identifier: Apache-2.0
#include "own_trace_file.hpp"

#include <lzma.h>
#include <zstd.h>

#include <algorithm>

#include "program/trace/own_format_records.hpp"
#include "target.hpp"

namespace warpmem::fuzz {
namespace {

using namespace program::trace;

void put_u32(Bytes& out, std::uint32_t value) {
  for (unsigned k = 0; k < 4; ++k) out.push_back(static_cast<std::uint8_t>(value >> 8 * k));
}
std::uint32_t get_u32(const std::uint8_t* p) {
  return p[0] | std::uint32_t(p[1]) << 8 | std::uint32_t(p[2]) << 16 | std::uint32_t(p[3]) << 24;
}

}  // namespace

Bytes pack_trace(const std::uint8_t* records, std::size_t size) {
  Bytes file(kOwnMagic.begin(), kOwnMagic.end());
  put_u32(file, kOwnVersion);
  put_u32(file, 0);
  for (std::size_t at = 0; at < size;) {
    const std::size_t raw = std::min(size - at, kMostRawBytes);
    Bytes stored(ZSTD_compressBound(raw));
    const std::size_t n = ZSTD_compress(stored.data(), stored.size(), records + at, raw, 1);
    require(ZSTD_isError(n) == 0, "zstd does not compress");
    Bytes head;
    put_u32(head, static_cast<std::uint32_t>(n));
    put_u32(head, static_cast<std::uint32_t>(raw));
    put_u32(head, lzma_crc32(stored.data(), n, lzma_crc32(head.data(), head.size(), 0)));
    file.insert(file.end(), head.begin(), head.end());
    file.insert(file.end(), stored.begin(), stored.begin() + static_cast<std::ptrdiff_t>(n));
    at += raw;
  }
  return file;
}

Bytes unpack_trace(const std::uint8_t* file, std::size_t size) {
  Bytes records;
  for (std::size_t at = kOwnHeaderBytes; at + kBlockHeaderBytes <= size;) {
    const std::size_t stored = get_u32(file + at), raw = get_u32(file + at + 4);
    at += kBlockHeaderBytes;
    if (stored > size - at || raw > kMostRawBytes) break;
    Bytes block(raw);
    const std::size_t n = ZSTD_decompress(block.data(), raw, file + at, stored);
    if (ZSTD_isError(n) != 0) break;
    records.insert(records.end(), block.begin(), block.begin() + static_cast<std::ptrdiff_t>(n));
    at += stored;
  }
  return records;
}

}  // namespace warpmem::fuzz
