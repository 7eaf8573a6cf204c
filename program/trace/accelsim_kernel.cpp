// SPDX-License-Identifier: Apache-2.0
#include "program/trace/accelsim_kernel.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "program/trace/tokens.hpp"

namespace warpmem::program::trace {
namespace {

bool starts_with(std::string_view text, std::string_view head) {
  return text.substr(0, head.size()) == head;
}

std::string_view after_equals(std::string_view line) {
  const std::size_t equals = line.find('=');
  return equals == std::string_view::npos ? std::string_view() : trimmed(line.substr(equals + 1));
}

}  // namespace

AccelsimKernel::AccelsimKernel(const std::string& path, Notes& notes)
    : lines_(path), notes_(notes), header_(read_accelsim_header(lines_, notes)) {
  traits_.name = header_.name;
  traits_.grid = header_.grid;
  traits_.block = header_.block;
  traits_.warps_per_cta =
      static_cast<unsigned>((header_.block.count() + kWarpLanes - 1) / kWarpLanes);
  traits_.registers_per_thread = header_.registers;
  traits_.shared_bytes = header_.shared_bytes;
  // The number of words is odd, so that warps' local memories do not all fall into the same sets.
  traits_.local_bytes = kLocalBytes + 4;
  traits_.scoreboard_registers = kSassRegisters;
  if (const ExactKernel& exact = header_.exact; exact.known) {
    traits_.registers_per_thread = exact.registers_per_thread;
    traits_.local_bytes = exact.local_bytes;
    traits_.scoreboard_registers = exact.scoreboard_registers;
  }
  warps_.resize(traits_.warps_per_cta);
}

LaneMask AccelsimKernel::block_lanes(unsigned warp) const {
  const std::uint64_t left = header_.block.count() - std::uint64_t(warp) * kWarpLanes;
  return left >= kWarpLanes ? ~LaneMask(0) : (LaneMask(1) << left) - 1;
}

std::string AccelsimKernel::where() const {
  return fmt::format("thread block {}, warp {}", block_name_.empty() ? "?" : block_name_, warp_);
}

// Looks for #BEGIN_TB; false at the end of a complete file.
bool AccelsimKernel::find_block() {
  const std::uint64_t total = header_.grid.count();
  std::string_view line;
  while (lines_.next(line)) {
    line = trimmed(line);
    if (line.empty()) continue;
    if (starts_with(line, "#BEGIN_TB")) {
      if (blocks_ == total)
        fail(fmt::format("thread block {} of the file; allowed: the {} of `grid dim`", blocks_ + 1,
                         total));
      return true;
    }
    if (starts_with(line, "#END_TB")) fail("#END_TB without #BEGIN_TB");
    if (line[0] == '#') continue;
    fail(fmt::format("`{}` between thread blocks; allowed: #BEGIN_TB", shown(line)));
  }
  if (blocks_ != total)
    fail(fmt::format("the file ends after {} thread blocks; `grid dim` has {}", blocks_, total));
  return false;
}

bool AccelsimKernel::next_cta(CtaTrace& cta) {
  if (!find_block()) return false;
  cta.warps.resize(traits_.warps_per_cta);
  for (WarpTrace& w : cta.warps) w.clear();
  for (unsigned w = 0; w < warps_.size(); ++w) warps_[w] = {block_lanes(w), false};
  warp_ = -1;
  named_ = false;
  block_name_.clear();
  std::string_view line;
  for (;;) {
    while (counted_ && read_again(cta.warps[static_cast<unsigned>(warp_)])) continue;
    if (!lines_.next(line)) break;
    while (!line.empty() && Tokens::blank(line.front())) line.remove_prefix(1);
    if (line.empty()) continue;
    switch (line[0]) {
      case '#':
        if (starts_with(line, "#BEGIN_TB"))
          fail("#BEGIN_TB within a thread block; allowed: #END_TB first");
        if (!starts_with(line, "#END_TB")) break;
        close_block();
        return true;
      case 't':
        read_block_name(line);
        break;
      case 'w':
        close_warp();
        read_warp(line);
        break;
      case 'i':
        read_count(line);
        break;
      default:
        if (warp_ < 0) fail(fmt::format("`{}` before a line `warp = N`", shown(line)));
        if (!counted_) fail(where() + ": an instruction before `insts = N`");
        read_step(line, cta.warps[static_cast<unsigned>(warp_)]);
    }
  }
  fail(fmt::format("the file ends within thread block {} (truncated); #END_TB is missing",
                   block_name_.empty() ? std::to_string(blocks_) : block_name_));
}

void AccelsimKernel::read_block_name(std::string_view line) {
  std::array<std::uint32_t, 3> at{};
  std::string_view rest = after_equals(line);
  if (!starts_with(line, "thread block") || named_)
    fail(fmt::format("`{}`; allowed: one line `thread block = x,y,z` a block", shown(line)));
  bool good = true;
  for (unsigned i = 0; i < 3; ++i) {
    const std::size_t comma = rest.find(',');
    good = good && (comma == std::string_view::npos) == (i == 2) &&
           parse_decimal(trimmed(rest.substr(0, comma)), at[i]);
    rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
  }
  const Dim3& g = header_.grid;
  if (!good || at[0] >= g.x || at[1] >= g.y || at[2] >= g.z)
    fail(fmt::format("`{}`; allowed: `thread block = x,y,z` within grid ({},{},{})", shown(line),
                     g.x, g.y, g.z));
  block_name_ = fmt::format("{},{},{}", at[0], at[1], at[2]);
  named_ = true;
  const std::uint64_t index = at[0] + std::uint64_t(g.x) * (at[1] + std::uint64_t(g.y) * at[2]);
  if (index < prefix_ || !out_of_order_.insert(index).second)
    fail(fmt::format("thread block {} for the second time; allowed: once", block_name_));
  if (index != blocks_)
    notes_.of(traits_.name +
              ": thread blocks are not in the order of the grid; they start in the "
              "order of the file");
  while (out_of_order_.erase(prefix_) != 0) ++prefix_;
}

void AccelsimKernel::read_warp(std::string_view line) {
  unsigned warp = 0;
  if (!starts_with(line, "warp") || !parse_decimal(after_equals(line), warp) ||
      warp >= warps_.size())
    fail(fmt::format("`{}`; allowed: `warp = N`, N from 0 to {} in a block of {} threads",
                     shown(line), warps_.size() - 1, header_.block.count()));
  if (warps_[warp].seen) fail(fmt::format("warp {} for the second time in this block", warp));
  warps_[warp].seen = true;
  warp_ = static_cast<int>(warp);
  counted_ = false;
}

void AccelsimKernel::read_count(std::string_view line) {
  if (warp_ < 0 || counted_)
    fail(fmt::format("`{}`; allowed: once after each line `warp = N`", shown(line)));
  if (!starts_with(line, "insts") || !parse_decimal(after_equals(line), expected_) ||
      expected_ == 0)
    fail(fmt::format("`{}`; allowed: `insts = N`, N at least 1", shown(line)));
  counted_ = true;
  steps_ = 0;
}

void AccelsimKernel::close_warp() {
  if (warp_ < 0) return;
  const WarpState& state = warps_[static_cast<unsigned>(warp_)];
  if (!counted_) fail(where() + ": no line `insts = N`");
  if (steps_ != expected_)
    fail(fmt::format("{}: {} instructions; `insts` says {}", where(), steps_, expected_));
  if (state.live != 0)
    fail(
        fmt::format("{}: ends with lanes {:08x} that have not executed EXIT", where(), state.live));
}

void AccelsimKernel::close_block() {
  close_warp();
  for (unsigned w = 0; w < warps_.size(); ++w)
    if (!warps_[w].seen)
      fail(fmt::format("thread block {} has no warp {}; allowed: all {} warps of {} threads",
                       block_name_, w, warps_.size(), header_.block.count()));
  if (!named_) fail("a thread block without a line `thread block = x,y,z`");
  ++blocks_;
}

}  // namespace warpmem::program::trace
