// SPDX-License-Identifier: Apache-2.0
#include "units/dl_mshr_pipe/dl_mshr_pipe_bench_model.hpp"

namespace warpmem::cosim {

using units::MshrFail;

std::vector<std::uint64_t> DlPipeModel::names() const {
  std::vector<std::uint64_t> list = ChainModel::names();
  if (drains_) list.push_back(draining_.addr);
  return list;
}

bool DlPipeModel::idle() const {
  return free_.size() == size_.entries && !ask_.req_valid && !back_valid_;
}

DlPipeModel::Answer DlPipeModel::answer() const {
  if (drains(ask_.req_addr)) return {MshrFail::draining};
  const Block* const block = find(ask_.req_addr);
  if (block != nullptr && back_waited_ && returned(ask_.req_addr)) return {MshrFail::draining};
  return answer_of(block);
}

bool DlPipeModel::whole() const {
  if (!legal() || !find(back_)->sectors.last(back_sectors_)) return false;
  const bool beside = ask_.req_valid && ask_.req_addr == back_ && answer().fail == MshrFail::none;
  return !beside || fetch() == 0;
}

DlPipeModel::Out DlPipeModel::eval(const In& in) const {
  Out out;
  if (ask_.req_valid) {
    const Answer given = answer();
    out.req_secondary = drains(ask_.req_addr) || waits(ask_.req_addr);
    out.req_ready = given.fail == MshrFail::none;
    out.rf = !out.req_ready;
    out.rf_cause = given.fail;
    out.req_entry = given.set;
    out.req_link = given.link;
    if (out.req_ready) out.req_fetch = fetch();
  }
  out.err = back_valid_ && !legal();
  out.ret_ready = !whole() || begins(in);
  if (responds()) respond(draining_, &out);
  count_free(&out);
  out.release_busy = !freed_.empty();
  return out;
}

void DlPipeModel::commit(const In& in) {
  const Out out = eval(in);
  const bool drain_begins = begins(in);
  const bool gone = leaves(in);
  const bool walk_starts = ready();
  const bool responded = responds() && in.rsp_ready;
  if (legal()) find(back_)->sectors.come(back_sectors_);
  if (out.req_ready) take(ask_, answer());

  if (responded) ++draining_.drained;
  if (gone) {
    waiting_.push_back(draining_.chain);
    drains_ = false;
  }
  if (!freed_.empty()) free_.insert(freed_.front());
  freed_.clear();
  if (!walked_.empty()) {
    freed_.push_back(walked_.front());
    walked_.pop_front();
  }
  if (walk_starts && !waiting_.empty()) {
    walked_.assign(waiting_.front().rbegin(), waiting_.front().rend());
    waiting_.pop_front();
  }
  if (drain_begins) {
    draining_ = *find(back_);
    blocks_.erase(blocks_.begin() + (find(back_) - blocks_.data()));
    drains_ = true;
  }
  // The one port writes first; what is to leave next is read when it is free.
  const bool reads = drain_begins || (responded && !gone) || slot_waits_;
  slot_waits_ = size_.one_port() && reads && out.req_ready;
  back_waited_ = !out.ret_ready;
  if (out.ret_ready) {
    back_valid_ = in.ret_valid;
    back_ = in.ret_addr;
    back_sectors_ = in.ret_sectors;
  }
  ask_ = in;
}

}  // namespace warpmem::cosim
