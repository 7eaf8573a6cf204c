// SPDX-License-Identifier: Apache-2.0
// A text file that appears whole or not at all, plain or compressed by xz.
#pragma once

#include <lzma.h>

#include <filesystem>
#include <string_view>
#include <vector>

#include "base/output_file.hpp"
#include "program/trace/accelsim_writer.hpp"

namespace warpmem::program::trace {

class TextFileSink final : public TextSink {
 public:
  /// Throws EnvironmentError when the file cannot be written; so do the others.
  TextFileSink(const std::filesystem::path& path, bool compressed);
  ~TextFileSink() override;
  TextFileSink(const TextFileSink&) = delete;
  TextFileSink& operator=(const TextFileSink&) = delete;

  void write(std::string_view text) override;
  /// Must be the last call.
  void commit();

 private:
  void encode(std::string_view text, lzma_action action);

  OutputFile file_;
  bool compressed_;
  lzma_stream xz_ = LZMA_STREAM_INIT;
  std::vector<char> packed_;
};

}  // namespace warpmem::program::trace
