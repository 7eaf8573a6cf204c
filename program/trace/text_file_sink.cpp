// SPDX-License-Identifier: Apache-2.0
#include "program/trace/text_file_sink.hpp"

#include <new>

#include "base/assert.hpp"

namespace warpmem::program::trace {

namespace {

constexpr std::uint32_t kPreset = 1;  // addresses gain little from the slow ones
constexpr std::size_t kBuffer = 1u << 16;

}  // namespace

TextFileSink::TextFileSink(const std::filesystem::path& path, bool compressed)
    : file_(path), compressed_(compressed), packed_(kBuffer) {
  if (compressed_ && lzma_easy_encoder(&xz_, kPreset, LZMA_CHECK_CRC64) != LZMA_OK)
    throw std::bad_alloc();
}

TextFileSink::~TextFileSink() { lzma_end(&xz_); }

void TextFileSink::write(std::string_view text) {
  if (text.empty()) return;
  if (compressed_)
    encode(text, LZMA_RUN);
  else
    file_.write(text);
}

void TextFileSink::commit() {
  if (compressed_) encode({}, LZMA_FINISH);
  file_.commit();
}

void TextFileSink::encode(std::string_view text, lzma_action action) {
  xz_.next_in = reinterpret_cast<const std::uint8_t*>(text.data());
  xz_.avail_in = text.size();
  lzma_ret status = LZMA_OK;
  do {  // once more where the output was full; LZMA_BUF_ERROR: nothing was left
    xz_.next_out = reinterpret_cast<std::uint8_t*>(packed_.data());
    xz_.avail_out = packed_.size();
    status = lzma_code(&xz_, action);
    if (status == LZMA_MEM_ERROR) throw std::bad_alloc();
    assert(status == LZMA_OK || status == LZMA_STREAM_END || status == LZMA_BUF_ERROR);
    file_.write({packed_.data(), packed_.size() - xz_.avail_out});
  } while (action == LZMA_FINISH ? status != LZMA_STREAM_END
                                 : xz_.avail_in != 0 || xz_.avail_out == 0);
}

}  // namespace warpmem::program::trace
