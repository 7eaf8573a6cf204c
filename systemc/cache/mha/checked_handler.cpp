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
    default:
      return units::MshrKind::tsma;
  }
}

}  // namespace

MshrSize file_size(const MhaParams& params) {
  MshrSize size;
  size.kind = kind_of(params);
  size.entries = params.entries;
  size.slots = params.slots;
  if (params.kind == Kind::set_associative) size.ways = params.associativity;
  if (params.kind == Kind::dl) {
    const DauSize dau = params.dau_size();
    size.entries = dau.sets;
    size.slots = dau.slots;
    size.reserved = dau.reserved;
    size.releases = dau.sets;  // as in the class, a chain never waits for another one's release
  }
  size.addr_bits = kFileAddrBits;
  size.slot_bits = std::max(16u, static_cast<unsigned>(units::bits_for(size.entries * size.slots)));
  return size;
}

CheckedHandler::CheckedHandler(const MhaParams& params, const TagArray& tags,
                               std::unique_ptr<MissHandler> handler, std::unique_ptr<MshrFile> file,
                               FileEdges* edges)
    : MissHandler(tags, Allocate::on_miss),
      size_(file_size(params)),
      line_bits_(static_cast<unsigned>(units::bits_for(tags.line_bytes()))),
      handler_(std::move(handler)),
      file_(std::move(file)),
      edges_(edges),
      returns_(size_.entries),
      target_(std::size_t{size_.entries} * size_.slots),
      entry_(target_.size()),
      used_(size_.entries) {
  for (auto token = static_cast<Token>(target_.size()); token-- > 0;) free_tokens_.push_back(token);
}

std::uint64_t CheckedHandler::name_of(Addr block, std::uint32_t index) const {
  if (size_.tagless()) return index;
  return block >> line_bits_ | block << (64 - line_bits_);
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
  in_.ret_valid = !returns_.empty();
  if (in_.ret_valid) in_.ret_addr = returns_.front();
}

void CheckedHandler::clock_edge() {
  const MshrOut out = file_->eval(in_);
  file_->commit(in_);
  if (in_.ret_valid && out.ret_ready) returns_.drop();
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
  } else if (size_.entries <= 64) {
    expect("entries not used", handler_->free_entries(),
           size_.entries - static_cast<unsigned>(__builtin_popcountll(out.used)));
  }
}

// ---- requests ----------------------------------------------------------------------------------

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

void CheckedHandler::compare_answer(const MshrOut& out, bool secondary, MshrFail expected) const {
  if (!answers(out, secondary, expected)) refute_answer(out, secondary, expected);
  expect("rf", expected != MshrFail::none, out.rf);
  if (expected != MshrFail::none) return;
  const Placement given = handler_->placement();
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
void CheckedHandler::ask(std::uint64_t name, bool secondary, MshrFail expected, Payload& request) {
  if (accepted_) clock_edge();  // another miss port of the cache; a refused request needs no edge
  assert(!free_tokens_.empty() || expected != MshrFail::none);
  const Token token = free_tokens_.empty() ? 0 : free_tokens_.back();
  MshrOut out;
  for (;;) {
    in_.req_valid = true;
    in_.req_secondary = size_.tagless() && secondary;
    in_.req_addr = name;
    in_.req_slot = token;
    out = file_->eval(in_);
    if (size_.dl() || !left_ || answers(out, secondary, expected)) break;
    in_.req_valid = in_.req_secondary = false;
    clock_edge();
  }
  shown_ = true;
  compare_answer(out, secondary, expected);
  if (expected != MshrFail::none) return;
  accepted_ = true;
  free_tokens_.pop_back();
  target_[token] = &request;
  entry_[token] = out.req_entry;
  used_[out.req_entry] = true;
}

Allocation CheckedHandler::allocate(const Miss& miss, const Room& room, Payload& request) {
  const Allocation allocation = handler_->allocate(miss, room, request);
  const Stall stall = allocation.refusal;
  if (stall == Stall::none)
    ask(name_of(miss.block, 0), false, MshrFail::none, request);
  else if (stall == Stall::entry_full || stall == Stall::mshr_set_full)
    ask(name_of(miss.block, 0), false, MshrFail::entry_full, request);
  return allocation;
}

Stall CheckedHandler::merge(Where where, Payload& request) {
  const Stall stall = handler_->merge(where, request);
  const std::uint64_t name = name_of(where.block, handler_->placement().entry);
  if (stall == Stall::none)
    ask(name, true, MshrFail::none, request);
  else if (stall == Stall::merge_full)
    ask(name, true, MshrFail::merge_full, request);
  return stall;
}

// The request stands where the prefetch did; the file keeps the token and sees nothing.
Stall CheckedHandler::take_over(Where where, Payload& request) {
  const Payload* const prefetch = &handler_->first_target(where);
  const Stall stall = handler_->take_over(where, request);
  if (stall == Stall::none) *std::find(target_.begin(), target_.end(), prefetch) = &request;
  return stall;
}

// ---- returns and departures --------------------------------------------------------------------

void CheckedHandler::fill(Where where) {
  handler_->fill(where);
  returns_.push(name_of(where.block, where.index));
  shown_ = true;
  if (!in_.ret_valid) show_return();
}

void CheckedHandler::pop_target() {
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
  if (!size_.tagless()) expect("rsp_addr", name_of(block, 0), out.rsp_addr);
  expect("rsp_entry", entry_[out.rsp_slot], out.rsp_entry);
  expect("rsp_last", last, out.rsp_last);
  target_[out.rsp_slot] = nullptr;
  free_tokens_.push_back(out.rsp_slot);
  if (!last) return;
  left_ = true;
  if (!size_.dl()) used_[out.rsp_entry] = false;
}

std::string CheckedHandler::describe() const {
  const MshrOut out = file_->eval({});
  return handler_->describe() + fmt::format("\n    {}: {} returns wait, rsp_valid {}",
                                            file_->name(), returns_.size(), out.rsp_valid);
}

}  // namespace warpmem::mha
