// SPDX-License-Identifier: Apache-2.0
#include "cache/mha/checked_pipe.hpp"

#include <utility>

#include "base/assert.hpp"
#include "base/errors.hpp"
#include "base/unit_failure.hpp"

namespace warpmem::mha {

CheckedPipe::CheckedPipe(const MshrSize& size, const MhaParams& params, const TagArray& tags,
                         std::unique_ptr<MissHandler> handler, std::unique_ptr<MshrFile> file,
                         FileEdges* edges)
    : CheckedHandler(size, params, tags, std::move(handler), std::move(file), edges) {
  assert(size_.piped());
  for (Moment& moment : behind_) moment.free = size_.entries;
}

// The cycles since the last edge in which nothing happened are edges all the same, as long as the
// file has something under way. A return that waits already is of this cycle.
void CheckedPipe::begin_cycle(Cycle now) {
  for (; open_ != 0 && now_ + 1 < now; ++now_) {
    Moment idle;
    idle.free = behind_[0].free;
    idle.next = behind_[0].next;
    step(idle, false);
  }
  now_ = now;
  CheckedHandler::begin_cycle(now);
  moment_ = {};
}

// The handler takes one request a cycle. One that is refused and followed by another is not shown.
MshrOut CheckedPipe::ask(MshrIn miss, bool secondary, MshrFail expected, Payload& request) {
  assert(!moment_.asked || moment_.expected != MshrFail::none);
  assert(!free_tokens_.empty() || expected != MshrFail::none);
  if (edges_ != nullptr && moment_.asked) ++edges_->not_shown;
  moment_.asked = true;
  moment_.name = miss.req_addr;
  moment_.secondary = secondary;
  moment_.expected = expected;
  moment_.token = 0;
  moment_.given = handler_->placement();
  moment_.sectors = {};
  shown_ = true;
  if (expected != MshrFail::none) return {};
  sectors_due_ = true;
  moment_.token = free_tokens_.back();
  free_tokens_.pop_back();
  target_[moment_.token] = &request;
  return {};  // the file's answer comes later
}

void CheckedPipe::note_sectors(const MissSectors& sectors) {
  if (!sectors_due_) return;
  sectors_due_ = false;
  moment_.sectors = sectors;
}

void CheckedPipe::pop_target() {
  moment_.left = handler_->target();
  moment_.left_block = handler_->drain_block();
  const unsigned occupied = handler_->occupied();
  handler_->pop_target();
  moment_.last = handler_->occupied() < occupied;
  shown_ = true;
}

// When nothing is under way the rest is compared at once, so that a run cannot end before that.
void CheckedPipe::end_cycle() {
  const bool works = handler_->busy();
  handler_->end_cycle();
  if (works || shown_) open_ = kBehind + 1;
  if (open_ == 0) return;
  moment_.free = handler_->free_entries();
  moment_.next = handler_->target();
  step(moment_, true);
  while (handler_->empty() && open_ != 0) {
    Moment idle;
    idle.free = handler_->free_entries();
    step(idle, false);
    if (edges_ != nullptr) ++edges_->second;
  }
}

void CheckedPipe::step(const Moment& moment, bool returns) {
  const Moment& before = behind_[0];
  in_ = {};
  if (returns) show_return();
  const bool fetches = !before.secondary || (before.sectors.fetched & in_.ret_sectors) != 0;
  if (in_.ret_valid && before.asked && fetches && before.name == in_.ret_addr)
    throw UserError(
        "mshr.file_pipelined: the data of a miss came back in the next cycle, which a pipeline of "
        "two stages cannot follow; allowed: false, or slower clocks behind this cache");
  in_.req_valid = before.asked;
  in_.req_addr = before.name;
  in_.req_slot = before.token;
  in_.req_sectors = before.sectors.lacks;
  in_.req_held = before.sectors.held;
  in_.rsp_ready = before.left != nullptr;
  const MshrOut out = file_->eval(in_);
  if (before.left != nullptr) compare_departure(before, out);
  compare_answer_of(behind_[1], out);
  expect("err", 0, out.err);
  file_->commit(in_);
  if (in_.ret_valid && out.ret_ready) drop_return();
  if (edges_ != nullptr) ++edges_->all;
  compare_state();
  behind_[1] = behind_[0];
  behind_[0] = moment;
  --open_;
}

void CheckedPipe::compare_answer_of(const Moment& moment, const MshrOut& out) {
  if (!moment.asked) {
    expect("rf", 0, out.rf);
    expect("ans_ok", 0, out.req_ready);
    return;
  }
  if (!answers(out, moment.secondary, moment.expected))
    refute_answer(out, moment.secondary, moment.expected);
  expect("rf", moment.expected != MshrFail::none, out.rf);
  if (moment.expected != MshrFail::none) return;
  expect("ans_set", moment.given.entry, out.req_entry);
  expect("ans_link", moment.given.link, out.req_link);
  expect("ans_fetch", moment.sectors.fetched, out.req_fetch);
  entry_[moment.token] = out.req_entry;
}

void CheckedPipe::compare_departure(const Moment& moment, const MshrOut& out) {
  expect("rsp_valid", true, out.rsp_valid);
  if (out.rsp_slot >= target_.size() || target_[out.rsp_slot] != moment.left)
    throw UnitFailure(file_->name(), "rsp_slot is not of the target that leaves");
  expect("rsp_addr", name_of(moment.left_block, 0), out.rsp_addr);
  expect("rsp_set", entry_[out.rsp_slot], out.rsp_entry);
  expect("rsp_last", moment.last, out.rsp_last);
  target_[out.rsp_slot] = nullptr;
  free_tokens_.push_back(out.rsp_slot);
}

/// What leaves next, and how many sets are free, is known behind every edge.
void CheckedPipe::compare_state() const {
  const MshrOut out = file_->eval({});
  const Payload* const next = behind_[0].next;
  expect("rsp_valid", next != nullptr, out.rsp_valid);
  if (next != nullptr && (out.rsp_slot >= target_.size() || target_[out.rsp_slot] != next))
    throw UnitFailure(file_->name(), "rsp_slot is not of the target that leaves next");
  expect("n_free", behind_[1].free, out.n_free);
}

}  // namespace warpmem::mha
