// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "cosim/lockstep_unit.hpp"
#include "units/htsma/htsma_bench_model.hpp"
#include "units/htsma/htsma_unit.hpp"
#include "units/mshr_bench.hpp"

namespace warpmem::cosim::htsma {

namespace {

// The first five are the branches of the listing by which a primary miss was accepted.
enum Point : std::size_t {
  kArrayFull = 5,
  kSmallFull,
  kMergedInArray,
  kMergedInSmall,
  kNoSlotInArray,
  kNoSlotInSmall,
  kArrayDrains,
  kSmallDrains,
  kReturnWins,
  kFreeEntryNamed,
  kLeavesAsAskedFor,
  kDrained,
  kNotTaken,
  kReturnWaits,
  kBackToBack,  // of four: 2 * (the part that has drained is the s-MSHR) + (so is the next one)
  kFetchesMore = kBackToBack + 4,  // of two each: the array, the s-MSHR
  kSomeCome = kFetchesMore + 2,
  kBesideSome = kSomeCome + 2,
  kRequestBeside = kBesideSome + 2,
  kReturnBeside
};

CoverPoints cover_points(const MshrSize& size) {
  std::vector<std::string> names;
  for (const char* branch : {"last way", "hit line", "overflow", "compared", "array"})
    names.push_back(fmt::format("primary miss, {}", branch));
  for (const char* name :
       {"array refuses, room in the s-MSHR", "s-MSHR refuses, room in the array",
        "merged in the array", "merged in the s-MSHR", "refused, no slot in the array",
        "refused, no slot in the s-MSHR", "refused, the array drains", "refused, the s-MSHR drains",
        "refused, returns in this cycle", "refused, a free entry is named",
        "refused, the last request leaves the s-MSHR", "requests drained",
        "response waits for its taker", "return waits for a drain"})
    names.emplace_back(name);
  for (const char* of : {"array", "s-MSHR"})
    for (const char* next : {"array", "s-MSHR"})
      names.push_back(fmt::format("drain of the {} follows one of the {}", next, of));
  for (const char* of : {"array", "s-MSHR"})
    names.push_back(fmt::format("merge in the {} fetches further sectors", of));
  for (const char* of : {"array", "s-MSHR"})
    names.push_back(fmt::format("some sectors of the {} come", of));
  for (const char* of : {"array", "s-MSHR"})
    names.push_back(fmt::format("request of the {} beside some of its sectors", of));
  for (const char* what : {"request", "return"})
    names.push_back(fmt::format("{} one bit beside a block of the s-MSHR, of each bit", what));
  CoverPoints points(names);
  for (const bool small : {false, true}) {
    const bool merges = (small ? size.small_slots : size.slots) > 1;
    if (!merges) points.leave_out(small ? kMergedInSmall : kMergedInArray);
    if (size.sectors == 1) points.leave_out(kSomeCome + std::size_t{small});
    if (merges && size.sectors > 1) continue;
    points.leave_out(kFetchesMore + std::size_t{small});
    points.leave_out(kBesideSome + std::size_t{small});
  }
  if (size.entries == 1) points.leave_out(kBackToBack);
  if (size.small_entries == 1) points.leave_out(kBackToBack + 3);
  return points;
}

/// An odd factor keeps different numbers different, and uses all bits.
std::uint64_t address(const MshrSize& size, std::uint64_t block) {
  return block * 0x9e3779b97f4a7c15 & address_mask(size);
}

/// What the cache knows of a miss that is to take this branch.
enum class Line { fresh, hit, last_way, none };

/// Writes vectors while a model follows them. Blocks are numbers from 0 on.
class Script {
 public:
  explicit Script(const MshrSize& size) : size_(size), model_(size) {}

  /// Lets one cycle pass: an optional request and return (-1: none), and whether a response is
  /// taken. A block of the array is asked for by the entry that its line names.
  void step(int asks, Line line, int returns, bool takes) {
    MshrIn in;
    if (asks >= 0) ask(asks, line, &in);
    const auto back = entry_.find(returns);
    if (back != entry_.end()) {
      in.ret_valid = true;
      in.ret_entry = static_cast<std::uint16_t>(back->second);
      in.ret_addr = address(size_, static_cast<std::uint64_t>(returns));
    }
    in.req_sectors = lacks_;
    in.ret_sectors = come_;
    in.rsp_ready = takes;
    const MshrOut out = pass(in);
    taken_ = out.ret_ready;
    if (out.rsp_last && takes)
      entry_.erase(std::find_if(entry_.begin(), entry_.end(),
                                [&](const auto& e) { return e.second == out.rsp_entry; }));
    if (in.req_valid && out.req_ready) entry_[asks] = out.req_entry;
  }
  /// From now on requests lack these sectors, and these come.
  void sectors(std::uint32_t lacks, std::uint32_t come) {
    lacks_ = static_cast<std::uint8_t>(lacks & size_.sector_mask());
    come_ = static_cast<std::uint8_t>(come & size_.sector_mask());
  }
  void miss(int block, Line line) { step(block, line, -1, false); }
  /// The block's data wait in front of the file until they are taken; what leaves before is taken.
  void give_back(int block) {
    if (entry_.count(block) == 0) return;
    do step(-1, Line::fresh, block, true);
    while (!taken_);
  }
  void drain() {
    while (model_.draining() != nullptr) step(-1, Line::fresh, -1, true);
  }
  /// A block collects requests until no slot is left, and drains while it is asked for.
  void fill_and_drain(int block, std::uint32_t slots) {
    for (std::uint32_t i = 0; i < slots; ++i) miss(block, Line::fresh);
    step(block, Line::fresh, block, false);
    miss(block, Line::fresh);
    while (model_.draining() != nullptr) step(block, Line::fresh, -1, true);
  }
  /// A line names the first entry of the array, which is free.
  void name_free_entry() {
    MshrIn in;
    in.req_valid = in.req_secondary = true;
    pass(in);
  }
  /// While the block waits in the s-MSHR, those whose addresses differ from its own in one bit are
  /// returned, asked for and returned again, one after the other.
  void go_beside(int block) {
    for (std::uint32_t bit = 0; bit < size_.addr_bits; ++bit) {
      MshrIn back;
      back.ret_valid = back.rsp_ready = true;
      back.ret_entry = static_cast<std::uint16_t>(size_.entries);
      back.ret_addr = address(size_, static_cast<std::uint64_t>(block)) ^ std::uint64_t{1} << bit;
      back.ret_sectors = come_;
      pass(back);
      MshrIn request;
      request.req_valid = request.req_victim_valid = request.req_victim_hit = true;
      request.req_addr = back.ret_addr;
      request.req_sectors = lacks_;
      const MshrOut out = pass(request);
      if (!out.req_ready) continue;
      back.ret_entry = static_cast<std::uint16_t>(out.req_entry);
      while (!pass(back).ret_ready) continue;
      MshrIn take;
      take.rsp_ready = true;
      while (model_.draining() != nullptr) pass(take);
    }
  }
  const std::vector<MshrIn>& vectors() const { return vectors_; }

 private:
  MshrOut pass(const MshrIn& in) {
    const MshrOut out = model_.eval(in);
    model_.commit(in);
    vectors_.push_back(in);
    return out;
  }
  void ask(int block, Line line, MshrIn* in) const {
    in->req_valid = true;
    in->req_addr = address(size_, static_cast<std::uint64_t>(block));
    in->req_slot = static_cast<std::uint32_t>(vectors_.size()) & slot_mask(size_);
    // A count beyond the last way is nobody's, but where a set has one line there is no other.
    in->req_shared_count = static_cast<std::uint16_t>(line == Line::last_way ? size_.line_ways - 1
                                                      : size_.line_ways == 1 ? 1
                                                                             : 0);
    in->req_victim_valid = line != Line::none;
    in->req_victim_hit = line == Line::hit;
    const auto entry = entry_.find(block);
    if (entry == entry_.end() || model_.in_small(entry->second)) return;
    in->req_secondary = true;
    in->req_idx = static_cast<std::uint16_t>(entry->second);
  }

  MshrSize size_;
  HtsmaModel model_;
  std::map<int, std::uint32_t> entry_;  // of each block that has one
  bool taken_ = false;
  std::uint8_t lacks_ = 0, come_ = 0;
  std::vector<MshrIn> vectors_;
};

/// A block of each part asks for its sectors, and gets them, one after the other.
void write_parts(Script& script) {
  constexpr std::uint32_t kAll = ~0u, kFirst = 1, kOthers = ~1u;
  for (const Line line : {Line::fresh, Line::last_way}) {
    script.sectors(kFirst, kFirst);
    script.miss(0, line);
    script.sectors(kAll, kFirst);
    script.miss(0, line);
    script.give_back(0);
    script.sectors(kAll, kAll);
    script.give_back(0);
    script.drain();
    script.miss(0, line);
    script.sectors(kAll, kFirst);
    script.step(0, line, 0, false);
    script.sectors(kAll, kOthers);
    script.give_back(0);
    script.drain();
  }
  script.sectors(kAll, kAll);
}

// The table of rtl/htsma/README.md, which goes once through the listing of KI 5.2; then either
// part fills up, and drains in turns with the other.
std::vector<MshrIn> script_of(const MshrSize& size) {
  Script script(size);
  script.sectors(~0u, ~0u);
  if (size.sectors > 1) write_parts(script);
  script.miss(0, Line::fresh);     // the s-MSHR is empty: to the array
  script.miss(1, Line::hit);       // to the s-MSHR
  script.miss(2, Line::fresh);     // compared first: the critical path
  script.miss(1, Line::fresh);     // merges in the s-MSHR, whatever its line is
  script.miss(0, Line::fresh);     // merges in the array
  script.miss(3, Line::last_way);  // to the s-MSHR
  script.give_back(2);
  script.drain();
  script.fill_and_drain(1, size.small_slots);
  script.fill_and_drain(0, size.slots);
  script.give_back(3);
  script.drain();
  script.miss(1, Line::hit);  // alone in the s-MSHR, which is not empty while it drains
  script.step(-1, Line::fresh, 1, false);
  script.miss(1, Line::fresh);
  script.drain();
  script.name_free_entry();

  // The s-MSHR fills up: a line that was hit goes to the array, the last way nowhere.
  const int small = static_cast<int>(size.small_entries), first_of_array = small + 2;
  for (int block = 0; block <= small; ++block) script.miss(block, Line::last_way);
  script.miss(first_of_array, Line::hit);
  script.miss(first_of_array + 1, Line::none);
  // All but the first of them come back, then the array fills up.
  for (int block = 1; block < small; ++block) script.give_back(block);
  script.drain();
  const int end = first_of_array + static_cast<int>(size.entries);
  for (int block = first_of_array + 1; block <= end; ++block) script.miss(block, Line::fresh);
  script.give_back(small == 1 ? 0 : 1);
  script.drain();
  script.miss(end + 1, Line::fresh);
  for (int block = 1; block < small; ++block) script.miss(block, Line::hit);
  // Two of the array (the first has two requests, so that the next one waits), all of the s-MSHR,
  // the rest of the array.
  script.miss(first_of_array, Line::fresh);
  for (int block = first_of_array; block < first_of_array + 2; ++block) script.give_back(block);
  for (int block = 0; block <= small; ++block) script.give_back(block);
  for (int block = first_of_array + 2; block <= end; ++block) script.give_back(block);
  script.drain();
  script.miss(0, Line::fresh);
  script.miss(1, Line::hit);
  script.go_beside(1);
  for (const int block : {0, 1}) script.give_back(block);
  script.drain();
  if (size.entries > 1) return script.vectors();
  // With one entry the array's comes once more, before one of the s-MSHR.
  script.miss(0, Line::fresh);
  script.miss(1, Line::hit);
  script.give_back(0);
  script.give_back(1);
  script.drain();
  return script.vectors();
}

class HtsmaBench : public BenchOf<units::HtsmaDescription> {
 public:
  static constexpr const char* kClass = "plain model";

  static std::string text_of(const MshrSize& s) {
    return fmt::format("{} entries of {} slots, {} of {}, {} ways{}", s.entries, s.slots,
                       s.small_entries, s.small_slots, s.line_ways, sectors_text(s));
  }
  static CoverPoints coverage_of(const MshrSize& size) { return cover_points(size); }

  HtsmaBench(const MshrSize& size, std::uint64_t seed)
      : size_(size),
        model_(size),
        random_(seed),
        sectors_(~seed),
        requests_beside_(size),
        returns_beside_(size) {}

  MshrOut eval_class(const MshrIn& in) const { return model_.eval(in); }
  void commit_class(const MshrIn& in) { model_.commit(in); }
  void reset_class() { model_.reset(); }
  /// Memories keep what was in them over a reset, and the model knows of no memories.
  static void forget_meaningless(MshrOut& out) {
    if (!out.rsp_valid) out.rsp_entry = out.rsp_slot = 0, out.rsp_addr = 0;
  }

  std::vector<MshrIn> directed() const { return script_of(size_); }
  MshrIn random();
  static std::string line(const MshrIn& in, const MshrOut& out);
  void before_edge(const MshrIn& in, const MshrOut& out, CoverPoints& points);

 private:
  std::uint64_t number(std::uint32_t values) {
    return random_.below(1u << units::bits_for(values));
  }
  const HtsmaModel::Block* any_block() {
    const auto& blocks = model_.blocks();
    return blocks.empty() ? nullptr : &blocks[random_.below(blocks.size())];
  }

  MshrSize size_;
  HtsmaModel model_;
  Random random_;
  Random sectors_;
  std::uint64_t cycle_ = 0;
  OneBitBeside requests_beside_, returns_beside_;
};

// Phases have misses for either part, slow and fast returns, and few blocks or many.
MshrIn HtsmaBench::random() {
  const bool calm = cycle_ / 1500 % 2 == 0;  // few misses for the s-MSHR, so that it is empty
  const unsigned returns = cycle_ / 4000 % 2 == 0 ? 3 : 60;
  const std::uint32_t blocks = size_.all_entries() / (cycle_ / 700 % 2 == 0 ? 4 : 1) + 2;
  ++cycle_;
  MshrIn in;
  in.req_valid = random_.chance(85);
  in.req_slot = static_cast<std::uint32_t>(random_.next()) & slot_mask(size_);
  in.req_addr = address(size_, random_.below(blocks));
  in.req_idx = static_cast<std::uint16_t>(number(size_.entries));
  in.req_secondary = random_.chance(3);  // the pins carry any number
  if (const auto* const block = any_block(); block != nullptr && random_.chance(50)) {
    in.req_secondary = !model_.in_small(block->entry);
    if (in.req_secondary) in.req_idx = static_cast<std::uint16_t>(block->entry);
    if (!in.req_secondary) in.req_addr = block->addr;
  }
  in.req_shared_count = static_cast<std::uint16_t>(number(size_.line_ways + 1));
  if (random_.chance(calm ? 2 : 30))
    in.req_shared_count = static_cast<std::uint16_t>(size_.line_ways - 1);
  in.req_victim_valid = !random_.chance(calm ? 1 : 10);
  in.req_victim_hit = random_.chance(calm ? 3 : 40);
  in.rsp_ready = random_.chance(80);
  in.ret_valid = random_.chance(returns);
  in.ret_entry = static_cast<std::uint16_t>(number(size_.all_entries()));
  in.ret_addr = address(size_, random_.below(blocks));  // also blocks that nobody asked for
  if (const auto* const block = any_block(); block != nullptr && random_.chance(70)) {
    in.ret_entry = static_cast<std::uint16_t>(block->entry);
    in.ret_addr = block->addr;
  }
  if (random_.chance(5)) in.ret_entry = in.req_idx, in.ret_addr = in.req_addr;
  // A single bit tells the address from that of a block.
  for (std::uint64_t* const addr : {&in.req_addr, &in.ret_addr})
    if (const auto* const block = any_block(); block != nullptr && random_.chance(6))
      *addr = block->addr ^ std::uint64_t{1} << random_.below(size_.addr_bits);
  choose_sectors(size_, sectors_, &in);
  return in;
}

std::string HtsmaBench::line(const MshrIn& in, const MshrOut& out) {
  static const char* const kAnswers[] = {"accepted", "no entry", "no slot", "drains"};
  std::string text;
  if (in.req_valid && in.req_secondary) text = fmt::format("entry {}: ", in.req_idx);
  if (in.req_valid && !in.req_secondary)
    text = fmt::format("{:#x}, {} shared{}{}: ", in.req_addr, in.req_shared_count,
                       in.req_victim_valid ? "" : ", no victim", in.req_victim_hit ? ", hit" : "");
  if (in.req_valid && !out.req_secondary)
    text += fmt::format("branch {}{}, ", out.req_steer, out.req_critical ? ", critical" : "");
  if (in.req_valid)
    text += out.req_ready
                ? fmt::format("{} {}", out.req_secondary ? "merged into" : "takes", out.req_entry)
                : kAnswers[static_cast<std::size_t>(out.rf_cause)];
  text += fetch_text(out);
  if (in.ret_valid)
    text += fmt::format("  return of {} ({:#x}{}){}", in.ret_entry, in.ret_addr,
                        come_text(Unit::kAttacked, in), out.ret_ready ? "" : " waits");
  if (out.rsp_valid)
    text += fmt::format("  {} leaves {}{}{}", out.rsp_slot, out.rsp_entry,
                        out.rsp_last ? ", the last" : "", in.rsp_ready ? "" : ", not taken");
  return text;
}

void HtsmaBench::before_edge(const MshrIn& in, const MshrOut& out, CoverPoints& points) {
  const HtsmaModel::Block* const drains = model_.draining();
  const HtsmaModel::Block* const back = model_.returning(in);
  const bool small = !in.req_secondary;  // of a secondary miss: its part
  const bool leaves = out.rsp_last && in.rsp_ready;
  const HtsmaModel::Block* const came = model_.came(in);
  const bool some_come = came != nullptr && back == nullptr;
  points.hit_if(some_come, kSomeCome + std::size_t{some_come && model_.in_small(came->entry)});
  if (in.req_valid && out.req_ready) {
    if (!out.req_secondary) points.hit(out.req_steer);
    points.hit_if(out.req_secondary, small ? kMergedInSmall : kMergedInArray);
    points.hit_if(out.req_secondary && out.req_fetch != 0, kFetchesMore + std::size_t{small});
    points.hit_if(out.req_secondary && some_come && came->entry == out.req_entry,
                  kBesideSome + std::size_t{small});
  }
  switch (out.rf_cause) {
    case MshrFail::none:
      break;
    case MshrFail::entry_full:
      points.hit_if(out.req_steer == 0 && !model_.full(false), kSmallFull);
      points.hit_if(out.req_steer != 0 && !model_.full(true), kArrayFull);
      break;
    case MshrFail::merge_full:
      points.hit(small ? kNoSlotInSmall : kNoSlotInArray);
      break;
    case MshrFail::draining: {
      const auto is_asked = [&](const HtsmaModel::Block* block) {
        return block != nullptr && model_.in_small(block->entry) == small &&
               (small ? block->addr == in.req_addr : block->entry == in.req_idx);
      };
      points.hit_if(is_asked(drains), small ? kSmallDrains : kArrayDrains);
      points.hit_if(is_asked(drains) && small && leaves, kLeavesAsAskedFor);
      points.hit_if(is_asked(back), kReturnWins);
      points.hit_if(!is_asked(drains) && !is_asked(back), kFreeEntryNamed);
      break;
    }
  }
  points.hit_if(out.rsp_valid && in.rsp_ready, kDrained);
  points.hit_if(out.rsp_valid && !in.rsp_ready, kNotTaken);
  points.hit_if(in.ret_valid && !out.ret_ready, kReturnWaits);
  std::vector<std::uint64_t> in_small;
  for (const HtsmaModel::Block& block : model_.blocks())
    if (model_.in_small(block.entry)) in_small.push_back(block.addr);
  points.hit_if(in.req_valid && small && requests_beside_.see(in.req_addr, in_small),
                kRequestBeside);
  points.hit_if(
      in.ret_valid && model_.in_small(in.ret_entry) && returns_beside_.see(in.ret_addr, in_small),
      kReturnBeside);
  if (leaves && back != nullptr)
    points.hit(kBackToBack + 2 * std::size_t{model_.in_small(drains->entry)} +
               std::size_t{model_.in_small(back->entry)});
}

}  // namespace

std::unique_ptr<HardwareUnit> bench() { return std::make_unique<LockstepUnit<HtsmaBench>>(); }

}  // namespace warpmem::cosim::htsma
