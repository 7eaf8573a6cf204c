// SPDX-License-Identifier: Apache-2.0
// The trace of one launch in Accel-Sim's text format (tracer versions 0 to 5).
#pragma once

#include <array>
#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "program/trace/accelsim_header.hpp"
#include "program/trace/repeated_line.hpp"
#include "program/trace/sass_instruction.hpp"
#include "program/trace/trace.hpp"
#include "program/trace/unique_pcs.hpp"

namespace warpmem::program::trace {

class AccelsimKernel : public KernelTrace {
 public:
  /// Generic addresses in [base, base + kWindow) are shared or local memory.
  static constexpr std::uint64_t kWindow = 1u << 24;
  /// This is the local memory of a thread: offsets are taken modulo this. The trace does not tell
  /// how much a thread has, only that its stack starts at the window's end.
  static constexpr std::uint64_t kLocalBytes = 16 * 1024;

  /// Reads the header. `notes` must outlive this. Throws UserError (file, line).
  AccelsimKernel(const std::string& path, Notes& notes);

  const KernelTraits& traits() const override { return traits_; }
  const InstInfo& inst(std::uint32_t index) const override { return code_[index]->info; }
  std::uint32_t inst_count() const override { return static_cast<std::uint32_t>(code_.size()); }
  const std::string& mnemonic(std::uint32_t index) const override { return code_[index]->mnemonic; }
  bool next_cta(CtaTrace& cta) override;

  /// Warp instructions read so far, by class.
  const std::array<std::uint64_t, kOpClasses>& read_by_class() const { return by_class_; }

 private:
  struct WarpState {
    LaneMask live = 0;  // lanes that have not exited
    bool seen = false;
  };
  enum class Mode { list = 0, stride = 1, delta = 2 };

  bool find_block();
  void read_block_name(std::string_view line);
  void read_warp(std::string_view line);
  void read_count(std::string_view line);
  void read_step(std::string_view line, WarpTrace& warp);
  bool read_again(WarpTrace& warp);
  void finish_step(SassInstruction& s, LaneMask lanes, Step& step);
  bool is_instruction(std::uint32_t index, std::string_view rest) const;
  std::uint32_t find_instruction(std::uint32_t pc, std::string_view& rest);
  void take_exact(std::uint32_t pc, SassInstruction& s) const;
  void read_addresses(std::string_view& rest, SassInstruction& s, LaneMask lanes, Step& step,
                      WarpTrace& warp);
  void place_addresses(SassInstruction& s, Step& step, WarpTrace& warp);
  void resolve_generic(SassInstruction& s, Step& step);
  void skip_no_access(Step& step);
  template <class Wanted>
  LaneMask lanes_with(const Step& step, Wanted&& wanted) const;
  void keep_lanes(Step& step, LaneMask lanes);
  void make_offsets(const Step& step);
  void close_warp();
  void close_block();
  LaneMask block_lanes(unsigned warp) const;
  [[noreturn]] void fail(const std::string& what) const { lines_.fail(what); }
  std::string where() const;

  LineReader lines_;
  Notes& notes_;
  AccelsimHeader header_;
  KernelTraits traits_;
  std::vector<std::unique_ptr<SassInstruction>> code_;  // readers keep references
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> by_pc_;
  UniquePcs pcs_;
  std::vector<RepeatedLine> again_;   // of each instruction
  std::vector<std::uint32_t> after_;  // of each instruction: the one that came last after it
  std::uint32_t last_ = 0;            // instruction
  std::array<std::uint64_t, kOpClasses> by_class_{};

  std::uint64_t blocks_ = 0;                        // read
  std::uint64_t prefix_ = 0;                        // blocks 0 .. prefix_ - 1 have been read
  std::unordered_set<std::uint64_t> out_of_order_;  // blocks read beyond that
  std::string block_name_;
  bool named_ = false;
  std::vector<WarpState> warps_;
  int warp_ = -1;                           // being read
  bool counted_ = false;                    // its `insts` has been read
  std::uint64_t steps_ = 0;                 // instructions of it read
  std::uint64_t expected_ = 0;              // its instructions
  std::array<Addr, kWarpLanes> address_{};  // addresses of the set lanes, in order
};

}  // namespace warpmem::program::trace
