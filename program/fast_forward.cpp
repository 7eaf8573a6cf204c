// SPDX-License-Identifier: Apache-2.0
#include "program/fast_forward.hpp"

#include <unordered_map>
#include <utility>

#include "base/interrupt.hpp"
#include "program/async.hpp"
#include "program/forwarded_cta.hpp"
#include "program/tensor_map.hpp"

namespace warpmem::program {
namespace {

/// These are the lines written, a bit each, a word of bits a page.
class WrittenLines {
 public:
  void add(Addr address, unsigned bytes) {
    const Addr last = address + bytes - 1;
    for (Addr line = address / kMaxLineBytes; line <= last / kMaxLineBytes; ++line) {
      if (line / kPageLines != page_number_ || page_ == nullptr) {
        page_number_ = line / kPageLines;
        page_ = &pages_[page_number_];  // stays where it is when others come
      }
      *page_ |= std::uint64_t(1) << line % kPageLines;
    }
  }

  std::vector<WrittenRange> ranges() const {
    std::vector<std::pair<Addr, std::uint64_t>> pages(pages_.begin(), pages_.end());
    std::sort(pages.begin(), pages.end());
    std::vector<WrittenRange> out;
    for (const auto& [number, lines] : pages) {
      for (unsigned bit = 0; bit < kPageLines; ++bit) {
        if ((lines >> bit & 1) == 0) continue;
        const Addr begin = (number * kPageLines + bit) * kMaxLineBytes;
        if (!out.empty() && out.back().address + out.back().bytes == begin)
          out.back().bytes += kMaxLineBytes;
        else
          out.push_back({begin, kMaxLineBytes});
      }
    }
    return out;
  }

 private:
  static constexpr unsigned kPageLines = 64;
  std::unordered_map<Addr, std::uint64_t> pages_;
  Addr page_number_ = 0;
  std::uint64_t* page_ = nullptr;
};

class WatchedCta final : public ForwardedCta {
 public:
  WatchedCta(std::unique_ptr<Cta> cta, WrittenLines& written)
      : ForwardedCta(std::move(cta)), written_(written) {}
  const Issue& execute(unsigned warp) override {
    throw_if_interrupted();
    const Issue& issue = watched().execute(warp);
    const InstInfo& inst = *issue.inst;
    const bool writes = inst.mem != MemOp::none && inst.mem != MemOp::load;
    if (writes && issue.tiles != nullptr)
      for (LaneMask left = issue.lanes; left != 0; left &= left - 1)
        for (const BulkPiece& piece : issue.tiles[__builtin_ctz(left)].pieces)
          if (piece.global != 0) written_.add(piece.global, piece.bytes);
    if (writes && issue.tiles == nullptr && issue.space == Space::global &&
        issue.address != nullptr)
      for (LaneMask left = issue.lanes; left != 0; left &= left - 1)
        written_.add(issue.address[__builtin_ctz(left)], bytes_of(issue, __builtin_ctz(left)));
    return issue;
  }

 private:
  static unsigned bytes_of(const Issue& issue, int lane) {
    if (issue.inst->async != AsyncCopy::bulk) return issue.inst->bytes;
    return issue.operand[static_cast<unsigned>(lane) * kBulkOperands + 1];
  }

  WrittenLines& written_;
};

class WatchedGrid final : public Grid {
 public:
  explicit WatchedGrid(Grid& grid) : grid_(grid) {}
  const KernelTraits& traits() const override { return grid_.traits(); }
  std::uint64_t ctas() const override { return grid_.ctas(); }
  std::unique_ptr<Cta> start_cta(std::uint64_t index, const SmView& view) override {
    return std::make_unique<WatchedCta>(grid_.start_cta(index, view), written_);
  }
  std::vector<WrittenRange> ranges() const { return written_.ranges(); }

 private:
  Grid& grid_;
  WrittenLines written_;
};

}  // namespace

FastForward fast_forward(Grid& grid, std::uint64_t first) {
  WatchedGrid watched(grid);
  FastForward result;
  result.executed = run_functional(watched, first);
  result.written = watched.ranges();
  return result;
}

}  // namespace warpmem::program
