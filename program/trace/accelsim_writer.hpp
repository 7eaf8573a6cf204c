// SPDX-License-Identifier: Apache-2.0
// Writes the trace of one launch in Accel-Sim's text format, tracer version 5, with SASS names of
// a chosen architecture. The reader of that format takes one destination and four sources an
// instruction; lines of the header that it skips say the rest (exact_lines.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "program/trace/notes.hpp"
#include "program/trace/trace.hpp"

namespace warpmem::program::trace {

/// Where generic addresses of the shared memory of a CTA and of the local memory of a thread begin,
/// each 16 MiB long; heaps lie far above.
inline constexpr Addr kExportedSharedWindow = 0x1000000;
inline constexpr Addr kExportedLocalWindow = 0x2000000;
inline constexpr Addr kExportedWindowsEnd = 0x3000000;

/// Text that is collected until it is worth handing on.
class TextSink {
 public:
  virtual ~TextSink() = default;
  virtual void write(std::string_view text) = 0;
};

/// These are all static instructions of a launch, in the order of the trace's numbers.
struct StaticCode {
  std::vector<InstInfo> infos;
  std::vector<std::string> mnemonics;
};

/// Which launch is written, for which architecture (70, 75, 80, 86, 90).
struct AccelsimLaunch {
  unsigned architecture = 70;
  std::uint64_t number = 1;
  std::string source;  ///< the trace that it comes from, for messages
};

class AccelsimWriter {
 public:
  /// Writes the header. `traits` and `code` must outlive this. Throws UserError for an instruction
  /// that the format or the architecture cannot say. `notes` learns of what is only in the lines
  /// that other readers skip.
  AccelsimWriter(const AccelsimLaunch& launch, const KernelTraits& traits, const StaticCode& code,
                 TextSink& out, Notes& notes);

  /// Writes the next CTA, x fastest. Throws UserError when lanes of a warp do not exit.
  void cta(const CtaTrace& cta);

 private:
  /// An instruction as its lines spell it, between mask and addresses.
  struct Line {
    std::uint32_t pc = 0;
    std::string text;       ///< registers, mnemonic, bytes a lane
    std::string exit_text;  ///< the same where it retires its lanes; empty: it cannot
  };

  void make_lines(unsigned architecture, Notes& notes);
  void write_header(const AccelsimLaunch& launch);
  void write_warp(unsigned warp, const WarpTrace& trace);
  void write_step(const Step& step, const WarpTrace& trace, bool exits);
  void write_addresses(const InstInfo& inst, const Step& step, const Addr* address);
  void find_exits(unsigned warp, const WarpTrace& trace);
  LaneMask block_lanes(unsigned warp) const;

  const KernelTraits& traits_;
  const StaticCode& code_;
  TextSink& out_;
  std::string place_;  // for messages
  std::vector<Line> lines_;
  std::uint64_t ctas_ = 0;
  std::vector<bool> exits_;  // of the steps of one warp
  std::string text_;         // of one warp
};

}  // namespace warpmem::program::trace
