// SPDX-License-Identifier: Apache-2.0
#include "program/trace/line_reader.hpp"

#include <lzma.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

#include "base/text.hpp"

namespace warpmem::program::trace {
namespace {

constexpr std::size_t kBlock = 256 * 1024;
constexpr std::uint64_t kDecoderMemory = std::uint64_t(256) << 20;  // xz -9 wants 65 MiB
constexpr std::string_view kXzMagic(
    "\xFD"
    "7zXZ\0",
    6);
/// This is how files begin that hold no text and no xz, which is all that is read here.
constexpr std::pair<std::string_view, const char*> kOtherFormats[] = {
    {"\x1f\x8b", "gzip"}, {"\x28\xb5\x2f\xfd", "zstd"}, {"BZh", "bzip2"}, {"PK\x03\x04", "zip"}};
constexpr std::string_view kLfsPointer = "version https://git-lfs.github.com/spec/";

}  // namespace

class ByteSource {
 public:
  explicit ByteSource(const std::string& path) : path_(path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
      throw UserError(path + ": a directory; a trace file is needed");
    file_ = std::fopen(path.c_str(), "rb");
    if (file_ == nullptr) throw UserError(path + ": cannot be read: " + std::strerror(errno));
    in_.resize(kBlock);
    fill();
    const std::string_view head(in_.data(), size_);
    if (head.substr(0, kLfsPointer.size()) == kLfsPointer) {
      std::fclose(file_);
      throw UserError(
          path + ":1: a pointer of Git LFS, not the trace itself; fetch it with `git lfs pull`");
    }
    for (const auto& [magic, name] : kOtherFormats) {
      if (head.substr(0, magic.size()) != magic) continue;
      std::fclose(file_);
      throw UserError(path + ":1: compressed by " + name + "; allowed: text, or text in xz");
    }
    compressed_ = head.substr(0, kXzMagic.size()) == kXzMagic;
    if (compressed_ && lzma_stream_decoder(&xz_, kDecoderMemory, LZMA_CONCATENATED) != LZMA_OK) {
      std::fclose(file_);
      throw UserError(path + ": the xz decoder does not start");
    }
  }
  ~ByteSource() {
    lzma_end(&xz_);
    std::fclose(file_);
  }
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// Returns the bytes read, 0 at the end; sets `problem` when the file is damaged.
  std::size_t read(char* out, std::size_t room, std::string& problem) {
    if (!compressed_) {
      if (at_ == size_) {
        const std::size_t n = std::fread(out, 1, room, file_);
        check_disk(problem);
        return n;
      }
      const std::size_t n = std::min(room, size_ - at_);
      std::memcpy(out, in_.data() + at_, n);
      at_ += n;
      check_disk(problem);
      return n;
    }
    if (done_) return 0;
    xz_.next_out = reinterpret_cast<std::uint8_t*>(out);
    xz_.avail_out = room;
    while (xz_.avail_out == room && !done_) {
      if (at_ == size_) fill();
      xz_.next_in = reinterpret_cast<const std::uint8_t*>(in_.data()) + at_;
      xz_.avail_in = size_ - at_;
      const lzma_ret r = lzma_code(&xz_, size_ == 0 ? LZMA_FINISH : LZMA_RUN);
      at_ = size_ - xz_.avail_in;
      if (r == LZMA_STREAM_END) {
        done_ = true;
      } else if (r != LZMA_OK) {
        problem = r == LZMA_BUF_ERROR        ? "the xz data end early (truncated file)"
                  : r == LZMA_MEMLIMIT_ERROR ? "the xz data want more than 256 MiB to be decoded"
                                             : "the xz data are damaged";
        done_ = true;
      }
    }
    check_disk(problem);
    return room - xz_.avail_out;
  }

 private:
  void fill() {
    size_ = std::fread(in_.data(), 1, in_.size(), file_);
    at_ = 0;
  }
  void check_disk(std::string& problem) const {
    if (std::ferror(file_) != 0) problem = "cannot be read to its end";
  }

  std::string path_;
  std::FILE* file_ = nullptr;
  std::vector<char> in_;
  std::size_t at_ = 0, size_ = 0;
  bool compressed_ = false, done_ = false;
  lzma_stream xz_ = LZMA_STREAM_INIT;
};

LineReader::LineReader(const std::string& path)
    : path_(path),
      source_(std::make_unique<ByteSource>(path)),
      buffer_(kBlock + kMaxLine + 1, '\n') {}
LineReader::~LineReader() = default;

void LineReader::fail(const std::string& what) const { throw UserError(place() + ": " + what); }

// Moves the unread bytes to the front and reads on; false when there is nothing more.
bool LineReader::refill() {
  if (at_end_) return false;
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  std::string problem;
  const std::size_t n = source_->read(buffer_.data() + end_, buffer_.size() - 1 - end_, problem);
  if (!problem.empty()) {
    ++line_;
    fail(problem);
  }
  at_end_ = n == 0;
  zero_ = zero_ || std::memchr(buffer_.data() + end_, '\0', n) != nullptr;
  end_ += n;
  buffer_[end_] = '\n';
  return n != 0;
}

bool LineReader::next(std::string_view& line) {
  std::size_t searched = 0;
  const char* newline = nullptr;
  for (;;) {
    newline = static_cast<const char*>(
        std::memchr(buffer_.data() + begin_ + searched, '\n', end_ - begin_ - searched));
    if (newline != nullptr) break;
    searched = end_ - begin_;
    if (searched > kMaxLine) {
      ++line_;
      fail("a line of more than " + std::to_string(kMaxLine) + " bytes; not a trace");
    }
    if (!refill()) break;
  }
  const std::size_t length =
      newline != nullptr ? static_cast<std::size_t>(newline - buffer_.data()) - begin_ : searched;
  if (newline == nullptr && length == 0) return false;
  line = {buffer_.data() + begin_, length};
  begin_ += length + (newline != nullptr ? 1 : 0);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  ++line_;
  if (zero_ && std::memchr(line.data(), '\0', line.size()) != nullptr)
    fail("a zero byte; not the text of a trace");
  return true;
}

}  // namespace warpmem::program::trace
