// SPDX-License-Identifier: Apache-2.0
#include "cache/mha/checked_handler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/assert.hpp"
#include "base/unit_failure.hpp"

namespace warpmem::mha {

namespace {

constexpr const char* kFails[] = {"accepted", "no entry", "no slot", "drains"};

units::MshrKind kind_of(const MhaParams& params) {
  switch (params.kind) {
    case Kind::conventional:
      return units::MshrKind::conventional;
    case Kind::set_associative:
      return units::MshrKind::set_assoc;
    case Kind::dl:
      return params.file_pipelined ? units::MshrKind::dl_pipe : units::MshrKind::dl;
    case Kind::tsma:
      return units::MshrKind::tsma;
    case Kind::htsma:
      break;
  }
  return units::MshrKind::htsma;
}

}  // namespace

MshrSize file_size(const MhaParams& params, std::uint32_t ways, std::uint32_t sectors) {
  MshrSize size;
  size.sectors = sectors;
  size.kind = kind_of(params);
  size.entries = params.entries;
  size.slots = params.slots;
  if (params.kind == Kind::set_associative) size.ways = params.associativity;
  if (params.kind == Kind::dl) {
    const DauSize dau = params.dau_size();
    size.entries = dau.sets;
    size.slots = dau.slots;
    size.reserved = dau.reserved;
    size.gating = params.comparator_gating;
    size.releases = dau.sets;  // as in the class, a chain never waits for another one's release
  }
  if (params.kind == Kind::htsma) {
    size.small_entries = params.small_entries;
    size.small_slots = params.small_slots;
    size.line_ways = ways;
  }
  size.addr_bits = kFileAddrBits;
  size.slot_bits = std::max(16u, static_cast<unsigned>(units::bits_for(size.all_slots())));
  return size;
}

CheckedHandler::CheckedHandler(const MshrSize& size, const MhaParams& params, const TagArray& tags,
                               std::unique_ptr<MissHandler> handler, std::unique_ptr<MshrFile> file,
                               FileEdges* edges)
    : MissHandler(tags, Allocate::on_miss),
      size_(size),
      line_bits_(static_cast<unsigned>(units::bits_for(tags.line_bytes()))),
      pipelined_(params.pipelined),
      handler_(std::move(handler)),
      file_(std::move(file)),
      edges_(edges),
      returns_(size_.all_entries()),
      target_(size_.all_slots()),
      entry_(target_.size()),
      used_(size_.all_entries()) {
  if (size_.hybrid()) shares_.emplace(tags, size_.entries);
  some_.reserve(size_.all_entries());
  for (auto token = static_cast<Token>(target_.size()); token-- > 0;) free_tokens_.push_back(token);
}

std::uint64_t CheckedHandler::name_of(Addr block, std::uint32_t index) const {
  if (size_.tagless()) return index;
  if (const auto known = names_.find(block); known != names_.end()) return known->second;
  return rotated(block);
}

void CheckedHandler::expect(const char* output, std::uint64_t of_class,
                            std::uint64_t of_file) const {
  if (of_class == of_file) return;
  throw UnitFailure(file_->name(),
                    fmt::format("{}: {} of the class, {} of the file", output, of_class, of_file));
}

void CheckedHandler::begin_cycle(Cycle now) {
  handler_->begin_cycle(now);
  in_ = {};
  shown_ = left_ = accepted_ = clocked_ = false;
  show_return();
}

// What waits in front of the file is shown in every cycle; it is no input that needs an edge, since
// it waits for a drain, during which there are edges.
void CheckedHandler::show_return() {
  const Return* const next = next_return();
  in_.ret_valid = next != nullptr;
  if (next == nullptr) return;
  in_.ret_addr = next->name;
  in_.ret_entry = static_cast<std::uint16_t>(next->entry);
  in_.ret_sectors = next->sectors;
}

// What is to drain goes first, as in the class. Sectors that others are still to follow decide
// nothing until then; when the last ones come they are all shown together.
const CheckedHandler::Return* CheckedHandler::next_return() const {
  if (!returns_.empty()) return &returns_.front();
  for (const Return& some : some_)
    if (!some.complete) return &some;
  return nullptr;
}

void CheckedHandler::drop_return() {
  if (!returns_.empty()) return returns_.drop();
  some_.erase(some_.begin() + (next_return() - some_.data()));
}

void CheckedHandler::clock_edge() {
  const MshrOut out = file_->eval(in_);
  file_->commit(in_);
  if (in_.ret_valid && out.ret_ready) drop_return();
  if (edges_ != nullptr) {
    ++edges_->all;
    edges_->second += clocked_;
  }
  in_ = {};
  shown_ = left_ = accepted_ = false;
  clocked_ = true;
  show_return();
}

void CheckedHandler::end_cycle() {
  const bool works = handler_->busy();
  handler_->end_cycle();
  if (!works && !shown_) return;
  clock_edge();
  compare_drain();
}

/// What leaves next, and how many entries are free, is known in every cycle.
void CheckedHandler::compare_drain() const {
  const MshrOut out = file_->eval({});
  const Payload* const next = handler_->target();
  expect("rsp_valid", next != nullptr, out.rsp_valid);
  if (next != nullptr && (out.rsp_slot >= target_.size() || target_[out.rsp_slot] != next))
    throw UnitFailure(file_->name(), "rsp_slot is not of the target that leaves next");
  if (size_.dl()) {
    expect("n_free", handler_->free_entries(), out.n_free);
  } else if (size_.all_entries() <= 64) {
    expect("entries not used", handler_->free_entries(),
           size_.all_entries() - static_cast<unsigned>(__builtin_popcountll(out.used)));
  }
}

// ---- requests ----------------------------------------------------------------------------------

MshrIn CheckedHandler::primary(const Miss& miss, LineId line) const {
  MshrIn in;
  in.req_addr =
      of_sets() ? rotated(miss.key + miss.block % tags_.line_bytes()) : name_of(miss.block, 0);
  if (!size_.hybrid()) return in;
  const std::uint32_t unused_ways = tags_.ways() - tags_.used_ways();
  in.req_shared_count =
      static_cast<std::uint16_t>(shares_->count(tags_.set_of(miss.key)) + unused_ways);
  in.req_victim_valid = line != kNoLine;
  in.req_victim_hit = line != kNoLine && miss.present == kNoLine &&
                      tags_.state(line) == LineState::valid && tags_.hit(line);
  return in;
}

MshrIn CheckedHandler::secondary(Where where) const {
  MshrIn in;
  in.req_addr = name_of(where.block, handler_->placement().entry);
  in.req_secondary = size_.tagless();
  if (!size_.hybrid()) return in;
  const std::uint32_t idx = shares_->idx(where.line);
  in.req_secondary = idx != FileShares::kNotShared;
  if (in.req_secondary) in.req_idx = static_cast<std::uint16_t>(idx);
  return in;
}

MshrIn CheckedHandler::beside(MshrIn request) const {
  request.ret_valid = in_.ret_valid;
  request.ret_addr = in_.ret_addr;
  request.ret_entry = in_.ret_entry;
  request.ret_sectors = in_.ret_sectors;
  request.rsp_ready = in_.rsp_ready;
  return request;
}

bool CheckedHandler::answers(const MshrOut& out, bool secondary, MshrFail expected) const {
  return out.req_ready == (expected == MshrFail::none) && out.rf_cause == expected &&
         (size_.tagless() || out.req_secondary == secondary);
}

void CheckedHandler::refute_answer(const MshrOut& out, bool secondary, MshrFail expected) const {
  throw UnitFailure(
      file_->name(),
      fmt::format("a {} miss: {} by the class; by the file it is {} and {}",
                  secondary ? "secondary" : "primary", kFails[static_cast<unsigned>(expected)],
                  size_.tagless()     ? "one as well"
                  : out.req_secondary ? "secondary"
                                      : "primary",
                  kFails[static_cast<unsigned>(out.rf_cause)]));
}

// In a hybrid an edge that is due may change the part and the branch alone.
bool CheckedHandler::answers_in_place(const MshrOut& out, bool secondary, MshrFail expected) const {
  if (!answers(out, secondary, expected)) return false;
  if (!size_.hybrid()) return true;
  const Placement given = handler_->placement();
  return (secondary || out.req_steer == given.branch) &&
         (!out.req_ready || out.req_entry == given.entry);
}

void CheckedHandler::compare_answer(const MshrOut& out, bool secondary, MshrFail expected) const {
  if (!answers(out, secondary, expected)) refute_answer(out, secondary, expected);
  expect("rf", expected != MshrFail::none, out.rf);
  const Placement given = handler_->placement();
  if (size_.hybrid() && !secondary) expect("req_steer", given.branch, out.req_steer);
  if (expected != MshrFail::none) return;
  if (given.entry != Placement::kUnknown) {
    expect("req_entry", given.entry, out.req_entry);
    expect("req_link", given.link, out.req_link);
  } else if (!secondary) {
    const std::uint64_t set = in_.req_addr % size_.sets();
    expect("set of req_entry", set, out.req_entry / size_.set_entries());
    expect("req_entry in use", 0, used_[out.req_entry]);
  } else {
    expect("req_entry in use", 1, out.req_entry < used_.size() && used_[out.req_entry]);
  }
}

// An entry that is free, or a block that is gone, since a last target has left in this cycle is so
// for the file after an edge. The DL-MSHR needs none: its DAU would release more than the class's.
MshrOut CheckedHandler::ask(MshrIn miss, bool secondary, MshrFail expected, Payload& request) {
  if (accepted_) clock_edge();  // another miss port of the cache; a refused request needs no edge
  assert(!free_tokens_.empty() || expected != MshrFail::none);
  const Token token = free_tokens_.empty() ? 0 : free_tokens_.back();
  miss.req_valid = true;
  miss.req_slot = token;
  MshrOut out = file_->eval(beside(miss));
  if (left_ && !size_.dl() && !answers_in_place(out, secondary, expected)) {
    in_ = beside({});
    clock_edge();
    out = file_->eval(beside(miss));
  }
  in_ = beside(miss);
  shown_ = true;
  compare_answer(out, secondary, expected);
  if (expected != MshrFail::none) return out;
  accepted_ = sectors_due_ = true;
  free_tokens_.pop_back();
  target_[token] = &request;
  entry_[token] = out.req_entry;
  used_[out.req_entry] = true;
  return out;
}

Allocation CheckedHandler::allocate(const Miss& miss, const Room& room, Payload& request) {
  const bool asks_for_line = size_.hybrid() && miss.present == kNoLine;
  const LineId line = asks_for_line ? tags_.victim(miss.key) : miss.present;
  const MshrIn pins = primary(miss, line);
  const Allocation allocation = handler_->allocate(miss, room, request);
  const Stall stall = allocation.refusal;
  if (stall == Stall::entry_full || stall == Stall::mshr_set_full)
    ask(pins, false, MshrFail::entry_full, request);
  if (stall != Stall::none) return allocation;
  const MshrOut out = ask(pins, false, MshrFail::none, request);
  if (of_sets()) names_[miss.block] = pins.req_addr;
  if (!size_.hybrid()) return allocation;
  if (!pipelined_) expect("req_critical", allocation.cycles == 2, out.req_critical);
  if (in_array(out.req_entry)) shares_->take(out.req_entry, line, tags_.set_of(miss.key));
  return allocation;
}

Stall CheckedHandler::merge(Where where, Payload& request) {
  const Stall stall = handler_->merge(where, request);
  if (stall == Stall::none)
    ask(secondary(where), true, MshrFail::none, request);
  else if (stall == Stall::merge_full)
    ask(secondary(where), true, MshrFail::merge_full, request);
  return stall;
}

// The request stands where the prefetch did; the file keeps the token and sees nothing.
Stall CheckedHandler::take_over(Where where, Payload& request) {
  const Payload* const prefetch = &handler_->first_target(where);
  const Stall stall = handler_->take_over(where, request);
  if (stall == Stall::none) *std::find(target_.begin(), target_.end(), prefetch) = &request;
  return stall;
}

// A request that takes over a prefetch, which has asked for everything, is not shown.
void CheckedHandler::note_sectors(const MissSectors& sectors) {
  if (!sectors_due_) return;
  sectors_due_ = false;
  in_.req_sectors = sectors.lacks;
  in_.req_held = sectors.held;
  expect("req_fetch", sectors.fetched, file_->eval(in_).req_fetch);
}

// ---- returns and departures --------------------------------------------------------------------

void CheckedHandler::note_arrival(Where where, SectorMask sectors, bool complete) {
  const std::uint64_t name = name_of(where.block, where.index);
  auto some = std::find_if(some_.begin(), some_.end(),
                           [name](const Return& waiting) { return waiting.name == name; });
  if (some == some_.end()) some = some_.insert(some, {name, where.index});
  some->sectors |= sectors;
  some->complete = complete;
  if (!complete) shown_ = true;
  show_return();
}

void CheckedHandler::fill(Where where) {
  handler_->fill(where);
  Return back{name_of(where.block, where.index), where.index};
  const auto some = std::find_if(some_.begin(), some_.end(), [&back](const Return& waiting) {
    return waiting.name == back.name;
  });
  if (some != some_.end()) {
    back.sectors = some->sectors;
    some_.erase(some);
  }
  returns_.push(back);
  shown_ = true;
  show_return();
}

void CheckedHandler::pop_target() {
  if (in_.rsp_ready) clock_edge();  // another target of the fill leaves in this cycle (l1d.drain)
  Payload* const target = handler_->target();
  const Addr block = handler_->drain_block();
  const unsigned occupied = handler_->occupied();
  handler_->pop_target();
  const bool last = handler_->occupied() < occupied;

  in_.rsp_ready = true;
  shown_ = true;
  const MshrOut out = file_->eval(in_);
  expect("rsp_valid", true, out.rsp_valid);
  if (out.rsp_slot >= target_.size() || target_[out.rsp_slot] != target)
    throw UnitFailure(file_->name(), "rsp_slot is not of the target that leaves");
  expect("rsp_entry", entry_[out.rsp_slot], out.rsp_entry);
  const bool of_array = size_.hybrid() && in_array(out.rsp_entry);  // which has no addresses
  if (!size_.tagless()) expect("rsp_addr", of_array ? 0 : name_of(block, 0), out.rsp_addr);
  expect("rsp_last", last, out.rsp_last);
  target_[out.rsp_slot] = nullptr;
  free_tokens_.push_back(out.rsp_slot);
  if (!last) return;
  names_.erase(block);
  left_ = !of_array;
  if (of_array) shares_->release(out.rsp_entry);
  if (!size_.dl()) used_[out.rsp_entry] = false;
}

std::string CheckedHandler::describe() const {
  const MshrOut out = file_->eval({});
  return handler_->describe() + fmt::format("\n    {}: {} returns wait, rsp_valid {}",
                                            file_->name(), returns_.size(), out.rsp_valid);
}

}  // namespace warpmem::mha
