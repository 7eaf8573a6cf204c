// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <vector>

#include "base/random.hpp"
#include "cache/frontend/mrpb_drain.hpp"
#include "cosim/lockstep_unit.hpp"
#include "units/mrpb_drain/mrpb_drain_unit.hpp"

namespace warpmem::cosim::mrpb_drain {

using units::MrpbDrainIn;

namespace {

enum Point : std::size_t {
  kPlain,
  kAfterWrap,
  kStays,
  kStayedIsNotReady,
  kTie,
  kForcedByFull,
  kForcedByUnstored,
  kNeededIsNotReady,
  kNoneReady,
  kNotTaken,
  kFills,
  kEmpties,
  kEntersWhatWasFull,
  kEntersWhatDrains,
  kPassesBehindLast,
};

CoverPoints cover_points(const units::MrpbDrainSize& size) {
  CoverPoints points({
      "drain: by the policy",
      "drain: a queue up to the last one, round robin",
      "drain: the same queue goes on being emptied",
      "drain: another queue, the same one is not ready",
      "drain: several are the longest",
      "drain: the full queue of a waiting load",
      "drain: the queue of a waiting write",
      "the queue that the waiting request needs is not ready",
      "no queue is ready",
      "nothing is taken",
      "a queue is full now",
      "a queue is empty now",
      "a request enters the queue that was full",
      "a request enters the queue that drains",
      "the queue of a waiting write gives its last request",
  });
  const auto without = [&points](std::initializer_list<Point> list) {
    for (const Point p : list) points.leave_out(p);
  };
  const auto policy = static_cast<unsigned>(size.policy);
  if (policy % 3 != 1) without({kAfterWrap});
  if (policy < 3) without({kStays, kStayedIsNotReady});
  if (policy % 3 != 2) without({kTie});
  if (!size.flush) without({kForcedByFull, kForcedByUnstored});
  if (size.entries == 1) without({kStays, kStayedIsNotReady});
  if (size.queues == 1) without({kStayedIsNotReady, kTie});
  return points;
}

class MrpbDrainBench : public BenchOf<units::MrpbDrainDescription> {
 public:
  static std::string text_of(const Size& s) {
    return fmt::format("{} queues of {}, {}{}", s.queues, s.entries,
                       units::kMrpbDrainPolicies[static_cast<unsigned>(s.policy)],
                       s.flush ? ", flush" : "");
  }
  static CoverPoints coverage_of(const Size& size) { return cover_points(size); }

  MrpbDrainBench(const Size& size, std::uint64_t seed)
      : size_(size), class_(size), random_(seed), lengths_(size.queues) {}

  Out eval_class(const In& in) const { return class_.eval(in); }
  void commit_class(const In& in) { class_.commit(in); }
  void reset_class() {
    class_ = cache::FastMrpbDrain(size_);
    lengths_.assign(size_.queues, 0);
    last_ = size_.queues - 1;
    stays_ = false;
  }

  // Every queue is filled, with one load more than it takes, and emptied by a write.
  std::vector<In> directed() const {
    std::vector<In> list(2);
    for (unsigned q = 0; q < size_.queues; ++q) {
      In in;
      in.head_valid = true;
      in.head_stored = true;
      in.head_queue = static_cast<std::uint8_t>(q);
      in.enter = true;
      list.insert(list.end(), size_.entries, in);
      in.enter = false;
      list.push_back(in);  // no room, and nothing is ready
      in.ready = all();
      in.take = true;
      in.enter = size_.flush;
      if (size_.flush) list.push_back(in);  // the full queue gives one, and the load enters
      in.enter = false;
      in.head_stored = false;
      list.insert(list.end(), size_.entries, in);
    }
    return list;
  }

  // The phases fill or empty few queues, or all.
  In random() {
    if (phase_left_ == 0) {
      phase_left_ = 1 + random_.below(40 + 4 * std::uint64_t(size_.queues) * size_.entries);
      enters_ = static_cast<unsigned>(random_.below(101));
      takes_ = static_cast<unsigned>(random_.below(101));
      ready_ = random_.chance(50) ? 100 : static_cast<unsigned>(random_.below(100));
      writes_ = random_.chance(30) ? 30 : 3;
      queues_ = 1 + random_.below(size_.queues);
    }
    --phase_left_;
    In in;
    in.ready = random_.chance(ready_) ? all() : random_.next() & all();
    in.take = random_.chance(takes_);
    in.head_valid = random_.chance(enters_);
    in.head_stored = !random_.chance(writes_);
    in.head_queue = static_cast<std::uint8_t>(random_.below(queues_));
    in.enter = in.head_valid && in.head_stored && !class_.eval(in).head_full;
    return in;
  }

  static std::string line(const In& in, const Out& out) {
    return fmt::format(
        "held {:x} ready {:x} drain {:<3}{}{} {}", out.held, in.ready,
        out.drain_valid ? std::to_string(out.drain_queue) : "-",
        out.drain_forced ? "forced" : "      ", in.take ? " taken" : "      ",
        !in.head_valid ? ""
                       : fmt::format("waits: {} for {}{}{}{}", in.head_stored ? "load" : "write",
                                     in.head_queue, out.head_full ? " full" : "",
                                     out.head_empty ? " empty" : "", in.enter ? " enters" : ""));
  }

  void before_edge(const In& in, const Out& out, CoverPoints& c) {
    const bool leaves = in.take && out.drain_valid;
    const std::uint64_t may = in.ready & out.held;
    const bool needed =
        in.head_stored ? lengths_[in.head_queue] == size_.entries : lengths_[in.head_queue] != 0;
    c.hit_if(out.held != 0 && may == 0, kNoneReady);
    c.hit_if(out.drain_valid && !in.take, kNotTaken);
    c.hit_if(in.head_valid && needed && (may >> in.head_queue & 1) == 0, kNeededIsNotReady);
    if (out.drain_forced) c.hit(in.head_stored ? kForcedByFull : kForcedByUnstored);
    if (leaves && !out.drain_forced) cover_policy(may, out.drain_queue, c);
    const bool of_head = leaves && out.drain_queue == in.head_queue;
    c.hit_if(in.enter && of_head && lengths_[in.head_queue] == size_.entries, kEntersWhatWasFull);
    c.hit_if(in.enter && of_head, kEntersWhatDrains);
    c.hit_if(in.head_valid && !in.head_stored && of_head && out.head_empty, kPassesBehindLast);
    if (leaves) {
      last_ = out.drain_queue;
      stays_ = --lengths_[last_] != 0;
      c.hit_if(!stays_, kEmpties);
    }
    if (in.enter) c.hit_if(++lengths_[in.head_queue] == size_.entries, kFills);
  }

 private:
  std::uint64_t all() const { return ~std::uint64_t(0) >> (64 - size_.queues); }

  void cover_policy(std::uint64_t may, unsigned queue, CoverPoints& c) const {
    const auto policy = static_cast<unsigned>(size_.policy);
    c.hit(kPlain);
    if (policy >= 3 && stays_) {
      if (queue == last_) {
        c.hit(kStays);
        return;
      }
      c.hit(kStayedIsNotReady);
    }
    if (policy % 3 == 1) c.hit_if(queue <= last_, kAfterWrap);
    if (policy % 3 != 2) return;
    for (unsigned q = queue + 1; q < size_.queues; ++q)
      if ((may >> q & 1) != 0 && lengths_[q] == lengths_[queue]) {
        c.hit(kTie);
        return;
      }
  }

  Size size_;
  cache::FastMrpbDrain class_;
  Random random_;
  // The coverage counts by these.
  std::vector<std::uint32_t> lengths_;
  unsigned last_ = size_.queues - 1;
  bool stays_ = false;
  std::uint64_t phase_left_ = 0, queues_ = 1;
  unsigned enters_ = 0, takes_ = 0, ready_ = 0, writes_ = 0;  // percent
};

}  // namespace

std::unique_ptr<HardwareUnit> bench() { return std::make_unique<LockstepUnit<MrpbDrainBench>>(); }

}  // namespace warpmem::cosim::mrpb_drain
