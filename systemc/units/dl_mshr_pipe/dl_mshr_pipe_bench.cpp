// SPDX-License-Identifier: Apache-2.0
// Lockstep of dl_mshr_pipe: the vectors that lead into each situation in which its stages must know
// of each other, and which of them a cycle is.
#include <fmt/format.h>

#include "units/dl_mshr_pipe/dl_mshr_pipe_bench_model.hpp"
#include "units/dl_mshr_pipe/dl_mshr_pipe_unit.hpp"
#include "units/mshr_bench.hpp"

namespace warpmem::cosim::dl_mshr_pipe {

namespace {

enum Point : std::size_t {
  kAccepted,
  kNoSet,
  kNoLink,
  kDrains,
  kReturnWins,
  kMerged,
  kLinked,
  kDrained,
  kNotTaken,
  kBackToBack,
  kReturnWaits,
  kReleaseWaits,
  kNobodyWaits,
  kReturnedTwice,
  kBehindItsHead,
  kReturnBehindHead,
  kReturnBehindLink,
  kAsDrainBegins,
  kAsItIsForgotten,
  kBesideItsReturn,
  kAsASetIsFreed,
  kFetchesMore,
  kAskedBefore,
  kSomeCome,
  kBesideSome,
  kFetchesBesideTheLast,
  kPortWaits,
  kRequestBeside,
  kReturnBeside
};

bool can_link(const MshrSize& size) { return size.entries > 1 && size.reserved < size.entries; }
/// Sets of a chain whose release lasts until one more chain than can wait has drained; the next one
/// may start while its last set is walked.
std::uint32_t long_chain(const MshrSize& size) { return size.releases + 2; }
bool release_can_wait(const MshrSize& size) {
  return size.entries >= long_chain(size) + size.releases + 1 &&
         size.entries - size.reserved >= long_chain(size) - (size.reserved != 0);
}

CoverPoints points_of(const MshrSize& size) {
  CoverPoints points({"accepted",
                      "refused, no set",
                      "refused, none to link",
                      "refused, draining",
                      "refused, its return waits",
                      "merged",
                      "sets linked",
                      "requests drained",
                      "response waits for its taker",
                      "return as the drain before ends",
                      "return waits for a drain",
                      "last request waits for a release",
                      "return of no chain",
                      "return of a chain that drains",
                      "request right behind the one that takes a set for its block",
                      "return right behind the request that takes a set for its block",
                      "return as a set is linked for its block",
                      "request as the drain of its block begins",
                      "request as its block is forgotten",
                      "request beside its block's return",
                      "request finds no set as one is freed",
                      "merge fetches further sectors",
                      "merge lacks what was asked for",
                      "some sectors come",
                      "merge beside some of its sectors",
                      "merge beside the last sector fetches more",
                      "slot waits while one is written",
                      "request one bit beside a block, of each bit",
                      "return one bit beside a block, of each bit"});
  const bool merges = size.slots > 1 || can_link(size);
  if (size.sectors == 1) points.leave_out(kSomeCome);
  if (size.sectors == 1 || !merges)
    for (const Point point : {kFetchesMore, kAskedBefore, kBesideSome, kFetchesBesideTheLast})
      points.leave_out(point);
  if (!merges) points.leave_out(kMerged);
  if (!size.one_port()) points.leave_out(kPortWaits);
  if (size.entries == 1) {
    points.leave_out(kBackToBack);
    points.leave_out(kReturnWaits);
    points.leave_out(kReturnWins);
  }
  if (!can_link(size)) {
    points.leave_out(kLinked);
    points.leave_out(kReturnBehindLink);
  }
  if (!release_can_wait(size)) points.leave_out(kReleaseWaits);
  return points;
}

/// Writes vectors while a model follows them. Blocks are numbers from 0 on.
class Script {
 public:
  explicit Script(const MshrSize& size) : size_(size), model_(size) {}

  /// Lets one cycle pass: an optional request and return, and whether a response is taken.
  void step(int asks, int returns, bool takes) {
    MshrIn in;
    if (asks >= 0) {
      in.req_valid = true;
      in.req_addr = name(asks);
      in.req_slot = static_cast<std::uint32_t>(vectors_.size()) & slot_mask(size_);
    }
    if (returns >= 0) {
      in.ret_valid = true;
      in.ret_addr = name(returns);
    }
    in.req_sectors = lacks_;
    in.ret_sectors = come_;
    in.rsp_ready = takes;
    taken_ = model_.eval(in).ret_ready;
    model_.commit(in);
    vectors_.push_back(in);
  }
  /// From now on requests lack these sectors, and these come.
  void sectors(std::uint32_t lacks, std::uint32_t come) {
    lacks_ = static_cast<std::uint8_t>(lacks & size_.sector_mask());
    come_ = static_cast<std::uint8_t>(come & size_.sector_mask());
  }
  void ask_often(int block, std::uint32_t times) {
    for (std::uint32_t i = 0; i < times; ++i) step(block, -1, false);
  }
  void give_back(int block) {
    do step(-1, block, true);
    while (!taken_);
  }
  void settle() {
    do step(-1, -1, true);
    while (!model_.idle());
  }
  /// While the block waits, those whose addresses differ from its own in one bit are returned,
  /// asked for and returned again, one after the other.
  void go_beside(int block) {
    constexpr unsigned kUntilForgotten = 8;
    for (std::uint32_t bit = 0; bit < size_.addr_bits; ++bit) {
      flipped_ = std::uint64_t{1} << bit;
      give_back(block);
      step(block, -1, true);
      step(-1, -1, true);
      give_back(block);
      for (unsigned i = 0; i < kUntilForgotten; ++i) step(-1, -1, true);
    }
    flipped_ = 0;
  }
  const DlPipeModel& model() const { return model_; }
  const std::vector<MshrIn>& vectors() const { return vectors_; }

 private:
  std::uint64_t name(int block) const {
    return (static_cast<std::uint64_t>(block) & address_mask(size_)) ^ flipped_;
  }

  MshrSize size_;
  DlPipeModel model_;
  bool taken_ = false;
  std::uint64_t flipped_ = 0;  // bits of addresses
  std::uint8_t lacks_ = 0, come_ = 0;
  std::vector<MshrIn> vectors_;
};

/// A block's sectors are asked for, and come, one after the other.
void write_parts(Script& script) {
  constexpr std::uint32_t kAll = ~0u, kFirst = 1, kOthers = ~1u;
  script.sectors(kFirst, kFirst);
  script.step(0, -1, true);
  script.sectors(kAll, kFirst);
  script.step(0, -1, true);
  script.give_back(0);
  script.sectors(kAll, kOthers);
  script.give_back(0);
  script.settle();
  // A request beside some of its sectors, which were all asked for.
  script.sectors(kAll, kFirst);
  script.step(0, -1, true);
  script.step(0, 0, true);
  script.sectors(kAll, kOthers);
  script.give_back(0);
  script.settle();
  // A request beside what would be the last sector, if it did not fetch the others.
  script.sectors(kFirst, kFirst);
  script.step(0, -1, true);
  script.sectors(kAll, kFirst);
  script.step(0, 0, true);
  script.sectors(kAll, kOthers);
  script.give_back(0);
  script.settle();
  script.sectors(kAll, kAll);
}

std::vector<MshrIn> directed_of(const MshrSize& size) {
  Script script(size);
  script.sectors(~0u, ~0u);
  if (size.sectors > 1) write_parts(script);
  const int entries = static_cast<int>(size.entries);
  const std::uint32_t longest = size.slots * (size.entries - size.reserved + 1);
  // A second request finds the set that the first one takes at the same edge, a return as well.
  script.ask_often(0, 2);
  script.give_back(0);
  script.settle();
  script.step(0, -1, true);
  script.give_back(0);
  script.step(-1, entries, true);
  script.settle();
  // A return, as the request before it links a set.
  script.ask_often(0, size.slots + 1);
  script.give_back(0);
  script.settle();
  // A block collects requests until there is no slot, beside another one; then its data come beside
  // a request, and again as the drain begins and while it goes on. Requests are refused until it is
  // forgotten.
  if (entries > 1) script.step(1, -1, true);
  script.ask_often(0, longest + 1);
  for (int again = 0; again < 3; ++again) script.step(0, 0, false);
  script.step(0, entries > 1 ? 1 : 0, false);
  if (entries > 1) script.ask_often(1, 2);
  while (script.model().drains(0)) script.step(0, -1, true);
  script.step(-1, -1, true);
  script.give_back(0);
  script.settle();
  // The file fills up, and one block more finds it full until a set is free. All come back.
  for (int block = 0; block <= entries; ++block) script.step(block, -1, true);
  script.step(entries, 0, true);
  for (int i = 0; i < 8; ++i) script.step(entries, -1, true);
  for (int block = 1; block <= entries; ++block) script.give_back(block);
  script.settle();
  script.step(0, -1, true);
  script.step(-1, -1, true);
  script.go_beside(0);
  script.give_back(0);
  script.settle();
  // Another block's requests are stored while one drains, so that with one port its slots wait.
  if (size.one_port()) {
    script.ask_often(0, 2);
    script.step(1, 0, true);
    script.step(1, -1, true);
    script.give_back(1);
    script.settle();
  }
  // Short chains behind a longer one wait for its release; the last of them finds no room.
  if (release_can_wait(size)) {
    const int last = static_cast<int>(size.releases) + 1;
    script.ask_often(0, (long_chain(size) - 1) * size.slots + 1);
    for (int block = 1; block <= last; ++block) script.step(block, -1, true);
    script.step(-1, -1, true);
    for (int block = 0; block <= last; ++block) script.give_back(block);
    script.settle();
  }
  return script.vectors();
}

class DlMshrPipeBench : public BenchOf<units::DlMshrPipeDescription> {
 public:
  static constexpr const char* kClass = "plain model";

  static std::string text_of(const MshrSize& size) {
    return mshr_text(size) +
           (size.slot_bits > 32 ? fmt::format(" and slots of {} bits", size.slot_bits) : "") +
           (size.gating ? "" : ", no gates");
  }
  static void check(const MshrSize& size, Problems& problems) { mshr_check(size, problems); }
  static CoverPoints coverage_of(const MshrSize& size) { return points_of(size); }

  DlMshrPipeBench(const MshrSize& size, std::uint64_t seed)
      : size_(size),
        model_(size),
        stimulus_(size, seed),
        requests_beside_(size),
        returns_beside_(size) {}

  MshrOut eval_class(const MshrIn& in) const { return model_.eval(in); }
  void commit_class(const MshrIn& in) { model_.commit(in); }
  void reset_class() { model_.reset(); }
  /// Memories keep what was in them over a reset, and the model knows of no memories.
  static void forget_meaningless(MshrOut& out) {
    if (!out.rsp_valid) out.rsp_entry = out.rsp_slot = 0, out.rsp_addr = 0;
  }

  std::vector<MshrIn> directed() const { return directed_of(size_); }
  MshrIn random() { return stimulus_.next(model_.names()); }
  static std::string line(const MshrIn& in, const MshrOut& out) {
    return mshr_line(Unit::kAttacked, in, out);
  }

  void before_edge(const MshrIn& in, const MshrOut& out, CoverPoints& points) {
    const MshrIn& asked = model_.asked();
    const bool drains = model_.drains(asked.req_addr);
    points.hit_if(out.req_ready, kAccepted);
    points.hit_if(out.rf_cause == MshrFail::entry_full, kNoSet);
    points.hit_if(out.rf_cause == MshrFail::merge_full, kNoLink);
    points.hit_if(out.rf_cause == MshrFail::draining && drains, kDrains);
    points.hit_if(out.rf_cause == MshrFail::draining && !drains, kReturnWins);
    points.hit_if(out.req_ready && out.req_secondary, kMerged);
    points.hit_if(out.req_link, kLinked);
    points.hit_if(out.rsp_valid && in.rsp_ready, kDrained);
    points.hit_if(out.rsp_valid && !in.rsp_ready, kNotTaken);
    points.hit_if(model_.begins(in) && model_.leaves(in), kBackToBack);
    points.hit_if(in.ret_valid && !out.ret_ready, kReturnWaits);
    points.hit_if(model_.waits_for_release(), kReleaseWaits);
    points.hit_if(out.err, kNobodyWaits);
    const bool returns = in.ret_valid && out.ret_ready;
    points.hit_if(returns && model_.drains(in.ret_addr) && model_.drain_goes_on(in),
                  kReturnedTwice);
    // Stage 1 beside stage 2.
    const bool takes_set = out.req_ready && !out.req_secondary;
    const bool same = in.req_valid && in.req_addr == asked.req_addr;
    points.hit_if(takes_set && same, kBehindItsHead);
    points.hit_if(takes_set && returns && in.ret_addr == asked.req_addr, kReturnBehindHead);
    points.hit_if(out.req_link && returns && in.ret_addr == asked.req_addr, kReturnBehindLink);
    points.hit_if(in.req_valid && model_.begins(in) && model_.returned(in.req_addr),
                  kAsDrainBegins);
    points.hit_if(in.req_valid && model_.leaves(in) && model_.drains(in.req_addr),
                  kAsItIsForgotten);
    points.hit_if(returns && in.req_valid && in.req_addr == in.ret_addr &&
                      model_.waits(in.req_addr) && !model_.returned(in.req_addr),
                  kBesideItsReturn);
    points.hit_if(out.rf_cause == MshrFail::entry_full && out.release_busy, kAsASetIsFreed);
    const bool merged = out.req_ready && out.req_secondary;
    points.hit_if(merged && out.req_fetch != 0, kFetchesMore);
    points.hit_if(size_.sectors > 1 && merged && (asked.req_sectors & ~out.req_fetch) != 0,
                  kAskedBefore);
    points.hit_if(model_.some_come(), kSomeCome);
    points.hit_if(merged && model_.some_come() && model_.returned(asked.req_addr), kBesideSome);
    points.hit_if(model_.fetches_beside_the_last(), kFetchesBesideTheLast);
    points.hit_if(model_.waits_for_port(), kPortWaits);
    const std::vector<std::uint64_t> names = model_.names();
    points.hit_if(in.req_valid && requests_beside_.see(in.req_addr, names), kRequestBeside);
    points.hit_if(in.ret_valid && returns_beside_.see(in.ret_addr, names), kReturnBeside);
  }

 private:
  MshrSize size_;
  DlPipeModel model_;
  MshrStimulus stimulus_;
  OneBitBeside requests_beside_, returns_beside_;
};

}  // namespace

std::unique_ptr<HardwareUnit> bench() { return std::make_unique<LockstepUnit<DlMshrPipeBench>>(); }

}  // namespace warpmem::cosim::dl_mshr_pipe
