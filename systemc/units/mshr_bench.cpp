// SPDX-License-Identifier: Apache-2.0
#include "units/mshr_bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace warpmem::cosim {

namespace {

/// An odd factor keeps different numbers different, and uses all bits.
std::uint64_t address(const MshrSize& size, std::uint64_t block) {
  return block * 0x9e3779b97f4a7c15 & address_mask(size);
}

enum Point : std::size_t {
  kAccepted,
  kEntryFull,
  kMergeFull,
  kDraining,
  kMerged,
  kDrained,
  kNotTaken,
  kBackToBack,
  kReturnWaits,
  kLinked,
  kReleaseWaits,
  kFetchesMore,
  kAskedBefore,
  kSomeCome,
  kBesideSome,
  kPortWaits,
  kRequestBeside,
  kReturnBeside
};

/// Writes vectors while a model follows them. Blocks are numbers from 0 on.
template <class Model>
class Script {
 public:
  explicit Script(const MshrSize& size) : size_(size), model_(size) {}

  /// Lets one cycle pass: an optional request and return, and whether a response is taken.
  void step(int asks, int returns, bool takes) {
    MshrIn in;
    if (asks >= 0) ask(asks, &in);
    if (returns >= 0) {
      in.ret_valid = true;
      in.ret_addr = name(returns, &in.ret_valid);
    }
    in.req_sectors = sectors_.lacks;
    in.req_held = sectors_.held;
    in.ret_sectors = sectors_.come;
    in.rsp_ready = takes;
    const MshrOut out = model_.eval(in);
    if (size_.tagless()) follow(asks, in, out);
    taken_ = in.ret_valid && out.ret_ready;
    model_.commit(in);
    vectors_.push_back(in);
  }
  /// From now on requests lack these sectors, others are held, and these come.
  void sectors(unsigned lacks, unsigned held, unsigned come) {
    const unsigned all = size_.sector_mask();
    sectors_ = {static_cast<std::uint8_t>(lacks & all), static_cast<std::uint8_t>(held & all),
                static_cast<std::uint8_t>(come & all)};
  }
  void whole_lines() { sectors(kAll, 0, kAll); }
  void ask_often(int block, std::uint32_t times) {
    for (std::uint32_t i = 0; i < times; ++i) step(block, -1, false);
  }
  /// The block's data wait in front of the file until they are taken.
  void give_back(int block) {
    do step(-1, block, true);
    while (!taken_);
  }
  void drain() {
    while (!model_.names().empty() && model_.eval({}).rsp_valid) step(-1, -1, true);
  }
  /// While the block waits, those whose addresses differ from its own in one bit are returned,
  /// asked for and returned again, one after the other.
  void go_beside(int block) {
    for (std::uint32_t bit = 0; bit < size_.addr_bits; ++bit) {
      flipped_ = std::uint64_t{1} << bit;
      give_back(block);
      step(block, -1, true);
      give_back(block);
      drain();
    }
    flipped_ = 0;
  }
  void idle(std::uint32_t cycles) {
    for (std::uint32_t i = 0; i < cycles; ++i) step(-1, -1, true);
  }
  const std::vector<MshrIn>& vectors() const { return vectors_; }

  static constexpr unsigned kAll = ~0u;

 private:
  struct Sectors {
    std::uint8_t lacks, held, come;
  };

  /// Of a tsma the name is the entry, and a block without one has none.
  std::uint64_t name(int block, bool* there) const {
    if (!size_.tagless()) return address(size_, static_cast<std::uint64_t>(block)) ^ flipped_;
    const auto entry = entry_.find(block);
    *there = entry != entry_.end();
    return *there ? entry->second : 0;
  }
  void follow(int asks, const MshrIn& in, const MshrOut& out) {
    if (in.req_valid && out.req_ready) entry_[asks] = out.req_entry;
    if (!out.rsp_last || !in.rsp_ready) return;
    entry_.erase(std::find_if(entry_.begin(), entry_.end(),
                              [&](const auto& e) { return e.second == out.rsp_entry; }));
  }
  void ask(int block, MshrIn* in) const {
    in->req_valid = true;
    in->req_addr = name(block, &in->req_secondary);
    in->req_slot = static_cast<std::uint32_t>(vectors_.size()) & slot_mask(size_);
  }

  MshrSize size_;
  Model model_;
  std::map<int, std::uint32_t> entry_;  // tsma: entry of each block
  bool taken_ = false;
  std::uint64_t flipped_ = 0;  // bits of addresses
  Sectors sectors_{};
  std::vector<MshrIn> vectors_;
};

/// A block's sectors are asked for and come one after the other.
template <class Model>
void write_parts(Script<Model>& script, std::uint32_t idle) {
  constexpr unsigned kAll = Script<Model>::kAll, kFirst = 1, kOthers = ~1u;
  const auto drain = [&] {
    script.whole_lines();
    script.give_back(0);
    script.drain();
    script.idle(idle);
  };
  // The second request fetches what the first one has not asked for.
  script.sectors(kFirst, 0, kFirst);
  script.step(0, -1, false);
  script.sectors(kAll, 0, kFirst);
  script.step(0, -1, false);
  script.step(-1, 0, false);
  drain();
  // What is on its way is not fetched again, and one sector does not make the block drain.
  script.sectors(kAll, 0, kFirst);
  script.step(0, -1, false);
  script.step(0, 0, false);
  script.sectors(kAll, 0, kOthers);
  script.step(-1, 0, false);
  script.drain();
  script.idle(idle);
  // Nor is what the cache keeps; data of no new sector change nothing.
  script.sectors(kFirst, kOthers, kFirst);
  script.step(0, -1, false);
  script.sectors(kAll, 0, kOthers);
  script.step(0, 0, false);
  drain();
}

template <class Model>
std::vector<MshrIn> write_script(const MshrSize& size) {
  Script<Model> script(size);
  script.whole_lines();
  const int entries = static_cast<int>(size.entries);
  const std::uint32_t longest =
      size.slots * (size.dl() ? size.entries - size.reserved + 1 : 1);  // slots of a block, or more
  // As in DL Fig 4 and 5 and KI Fig 5.2, a block collects requests until no slot is left, while
  // another one has an entry; then it drains, and takes nothing.
  if (entries > 1) script.step(1, -1, true);
  script.ask_often(0, longest + 1);
  script.step(0, 0, false);
  script.step(0, 0, false);
  if (entries > 1) script.give_back(1);
  script.drain();
  script.idle(size.entries + 2);
  // The file fills up, one more block finds it full, and all come back one after the other.
  for (int block = 0; block <= entries; ++block) script.step(block, entries + 1, true);
  for (int block = 0; block < entries; ++block) script.give_back(block);
  script.drain();
  // Another block's requests are stored while one drains, so that with one port its slots wait.
  script.idle(size.entries + 2);
  if (size.one_port()) {
    script.ask_often(0, 2);
    script.step(1, 0, true);
    script.step(1, -1, true);
    script.drain();
    script.idle(2);
    script.give_back(1);
    script.idle(size.entries + 2);
  }
  // Short chains behind a longer one wait for its release; the last of them finds no room.
  if (size.dl() && size.entries >= 2 * size.releases + 3) {
    const int last = static_cast<int>(size.releases) + 1;
    script.ask_often(0, (size.releases + 1) * size.slots + 1);
    for (int block = 1; block <= last; ++block) script.step(block, -1, true);
    for (int block = 0; block <= last; ++block) script.give_back(block);
    script.idle(4 * size.entries);
  }
  if (!size.tagless()) {
    script.step(0, -1, true);
    script.go_beside(0);
    script.give_back(0);
    script.drain();
    script.idle(size.entries + 2);
  }
  if (size.sectors > 1) write_parts(script, size.entries + 2);
  return script.vectors();
}

/// Whether a chain can have a second set.
bool can_link(const MshrSize& size) {
  return size.dl() && size.entries > 1 && size.reserved < size.entries;
}

}  // namespace

void choose_sectors(const MshrSize& size, Random& random, MshrIn* in) {
  const auto some = [&](unsigned one, unsigned all) {
    const std::uint64_t bits = random.next();
    if (random.chance(one)) return static_cast<std::uint8_t>(1u << bits % size.sectors);
    return static_cast<std::uint8_t>((random.chance(all) ? ~0u : bits >> 8) & size.sector_mask());
  };
  in->req_sectors = some(50, 10);
  in->req_held = random.chance(20) ? some(50, 0) : 0;
  in->ret_sectors = some(30, 50);
}

std::uint64_t MshrStimulus::block(std::uint32_t blocks) {
  return address(size_, random_.below(blocks));
}

MshrIn MshrStimulus::next(const std::vector<std::uint64_t>& names) {
  // The phases have few blocks (merges), many blocks (no entry), and slow and fast returns.
  const std::uint32_t blocks =
      cycle_ / 1000 % 2 == 0 ? size_.entries / 4 + 1 : size_.entries * 2 + 1;
  const unsigned returns = cycle_ / 3000 % 2 == 0 ? 2 : 60;
  ++cycle_;
  const std::uint32_t numbers = 1u << units::bits_for(size_.entries);
  MshrIn in;
  in.req_valid = random_.chance(85);
  in.req_slot = static_cast<std::uint32_t>(random_.next()) & slot_mask(size_);
  in.rsp_ready = random_.chance(80);
  in.ret_valid = random_.chance(returns);
  if (!size_.tagless()) {
    in.req_addr = block(blocks);
    in.ret_addr = block(blocks);  // also blocks that nobody asked for
  } else {
    const std::uint64_t pick = random_.below(blocks);
    in.req_secondary = pick < names.size();
    in.req_addr = in.req_secondary ? names[pick] : random_.below(numbers);
    if (random_.chance(3)) {  // the pins carry any number
      in.req_secondary = true;
      in.req_addr = random_.below(numbers);
    }
    in.ret_addr = random_.below(numbers);
  }
  if (!names.empty() && random_.chance(70)) in.ret_addr = names[random_.below(names.size())];
  if (!size_.tagless()) {
    // A single bit tells the address from that of a block, of the last request, of the other port.
    const auto other = [&](std::uint64_t otherwise) {
      return names.empty() || random_.chance(50) ? otherwise : names[random_.below(names.size())];
    };
    if (random_.chance(6)) in.req_addr = one_bit_beside(other(asked_));
    if (random_.chance(6)) in.ret_addr = one_bit_beside(other(in.req_addr));
    asked_ = in.req_addr;
  }
  choose_sectors(size_, sectors_, &in);
  return in;
}

std::vector<MshrIn> mshr_directed(const MshrSize& size) {
  return size.dl() ? write_script<DlMshrModel>(size) : write_script<MshrFileModel>(size);
}

CoverPoints mshr_coverage(const MshrSize& size) {
  CoverPoints points({"accepted", "refused, no entry", "refused, no slot", "refused, draining",
                      "merged", "requests drained", "response waits for its taker",
                      "return as the drain before ends", "return waits for a drain", "sets linked",
                      "last request waits for a release", "merge fetches further sectors",
                      "merge lacks what was asked for", "some sectors come",
                      "request beside some of its sectors", "slot waits while one is written",
                      "request one bit beside a block, of each bit",
                      "return one bit beside a block, of each bit"});
  if (size.tagless())
    for (const Point point : {kRequestBeside, kReturnBeside}) points.leave_out(point);
  const bool merges = size.slots > 1 || can_link(size);
  if (size.sectors == 1) {
    for (const Point point : {kFetchesMore, kAskedBefore, kSomeCome, kBesideSome})
      points.leave_out(point);
  } else if (!merges) {
    for (const Point point : {kFetchesMore, kAskedBefore, kBesideSome}) points.leave_out(point);
  }
  if (!merges) points.leave_out(kMerged);
  if (!size.one_port()) points.leave_out(kPortWaits);
  if (size.entries == 1) points.leave_out(kBackToBack);
  if (!can_link(size)) points.leave_out(kLinked);
  if (!can_link(size) || size.entries < 3 || size.releases == size.entries)
    points.leave_out(kReleaseWaits);
  return points;
}

void mshr_count(const MshrIn& in, const MshrOut& out, const MshrSituation& situation,
                CoverPoints& points) {
  const bool merged = in.req_valid && out.req_ready && (out.req_secondary || in.req_secondary);
  if (in.req_valid) points.hit(static_cast<std::size_t>(out.rf_cause));
  points.hit_if(merged, kMerged);
  points.hit_if(out.rsp_valid && in.rsp_ready, kDrained);
  points.hit_if(out.rsp_valid && !in.rsp_ready, kNotTaken);
  points.hit_if(situation.back_to_back, kBackToBack);
  points.hit_if(in.ret_valid && !out.ret_ready, kReturnWaits);
  points.hit_if(in.req_valid && out.req_ready && out.req_link, kLinked);
  points.hit_if(situation.waits_for_release, kReleaseWaits);
  points.hit_if(merged && out.req_fetch != 0, kFetchesMore);
  points.hit_if(situation.sectored && merged && (in.req_sectors & ~out.req_fetch) != 0,
                kAskedBefore);
  points.hit_if(situation.some_come, kSomeCome);
  points.hit_if(situation.some_come && merged && in.req_addr == in.ret_addr, kBesideSome);
  points.hit_if(situation.waits_for_port, kPortWaits);
  points.hit_if(situation.request_beside, kRequestBeside);
  points.hit_if(situation.return_beside, kReturnBeside);
}

std::string sectors_text(const MshrSize& size) {
  return size.sectors == 1 ? "" : fmt::format(", {} sectors", size.sectors);
}

void mshr_check(const MshrSize& s, Problems& problems) {
  if (s.kind == units::MshrKind::set_assoc) {
    const std::uint32_t sets = s.ways == 0 || s.entries % s.ways != 0 ? 0 : s.entries / s.ways;
    if (sets == 0 || (sets & (sets - 1)) != 0)
      problems.add("WAYS", fmt::format("{} entries in sets of {}: allowed: a power of two of sets",
                                       s.entries, s.ways));
    else if (sets - 1 > address_mask(s))
      problems.add("ADDR_BITS", fmt::format("{} bits do not number {} sets", s.addr_bits, sets));
  }
  if (!s.piped() && s.slot_bits > 32)
    problems.add("SLOT_BITS", fmt::format("{} is not 1 to 32, which the other views keep of a slot",
                                          s.slot_bits));
  if (!s.dl()) return;
  if ((s.slots & (s.slots - 1)) != 0)
    problems.add("SLOTS", fmt::format("{} is not 1, 2, 4 or 8", s.slots));
  for (const auto& [key, value] : {std::pair{"RESERVED", s.reserved}, {"RELEASES", s.releases}})
    if (value > s.entries)
      problems.add(key, fmt::format("{} is more than the {} sets", value, s.entries));
}

std::string mshr_text(const MshrSize& s) {
  static constexpr const char* kStorage[] = {"", ", slots with one port",
                                             ", slots with split cycles"};
  const std::string sectors = sectors_text(s) + kStorage[s.storage];
  if (s.dl())
    return fmt::format("{} sets of {} slots, {} reserved{}{}", s.entries, s.slots, s.reserved,
                       s.releases == 0 ? "" : fmt::format(", {} releases wait", s.releases),
                       sectors);
  if (s.sets() > 1)
    return fmt::format("{} sets of {} entries of {} slots{}", s.sets(), s.ways, s.slots, sectors);
  return fmt::format("{} entries of {} slots{}", s.entries, s.slots, sectors);
}

std::string fetch_text(const MshrOut& out) {
  return out.req_fetch == 0 ? "" : fmt::format(", fetches sectors {:#b}", out.req_fetch);
}
std::string come_text(const MshrSize& size, const MshrIn& in) {
  return size.sectors == 1 ? "" : fmt::format(", sectors {:#b}", in.ret_sectors);
}

std::string mshr_line(const MshrSize& size, const MshrIn& in, const MshrOut& out) {
  static const char* const kAnswers[] = {"accepted", "no entry", "no slot", "drains"};
  std::string text;
  if (in.req_valid) {
    text = size.tagless() && !in.req_secondary ? "primary: " : fmt::format("{:#x}: ", in.req_addr);
    text += out.req_ready
                ? fmt::format("{} {}{}",
                              out.req_secondary || in.req_secondary ? "merged into" : "takes",
                              out.req_entry, out.req_link ? ", linked" : "")
                : kAnswers[static_cast<std::size_t>(out.rf_cause)];
  }
  text += fetch_text(out);
  if (in.ret_valid)
    text += fmt::format("  return of {:#x}{}{}", in.ret_addr, come_text(size, in),
                        out.ret_ready ? "" : " waits");
  if (out.rsp_valid)
    text += fmt::format("  {} leaves {}{}{}", out.rsp_slot, out.rsp_entry,
                        out.rsp_last ? ", the last" : "", in.rsp_ready ? "" : ", not taken");
  return text;
}

}  // namespace warpmem::cosim
