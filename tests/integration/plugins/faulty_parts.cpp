// SPDX-License-Identifier: Apache-2.0
// A plugin whose parts do what none may: plugin_test.py has the message for each.
#include <memory>
#include <stdexcept>

#include "cache/frontend/fifo.hpp"
#include "dram/fcfs.hpp"
#include "gpu/parts.hpp"

namespace {

using namespace warpmem;

struct OtherVictim : cache::Replacement {
  void touched(cache::LineId) override {}
  void inserted(cache::LineId) override {}
  unsigned victim(std::uint32_t, const cache::WayMask&) const override { return 1000; }
};

struct NoVictim : OtherVictim {
  unsigned victim(std::uint32_t, const cache::WayMask&) const override {
    throw std::out_of_range("the oldest line is nowhere");
  }
};

struct OtherWarp : sm::Scheduler {
  void started(unsigned) override {}
  void finished(unsigned) override {}
  unsigned pick(sm::WarpMask) override { return 64; }
  void issued(unsigned, bool) override {}
};

struct NoWarp : OtherWarp {
  unsigned pick(sm::WarpMask) override { throw 42; }
};

/// What FCFS says, for another slot or too early.
struct OtherCommand : dram::Scheduler {
  explicit OtherCommand(bool slot_) : slot(slot_) {}
  dram::Decision choose(const dram::RequestQueue& queue, const dram::Device& device, Cycle from,
                        bool columns) const override {
    dram::Decision chosen = fcfs.choose(queue, device, from, columns);
    if (slot) chosen.slot = 1000;
    if (chosen.command == dram::Command::read) chosen.at = 0;
    return chosen;
  }
  dram::Fcfs fcfs;
  bool slot;
};

struct Throwing : cache::Fifo {
  using cache::Fifo::Fifo;
  cache::Waiting* select(Cycle) override { throw 42; }
};

}  // namespace

WARPMEM_PLUGIN(parts) {
  parts.replacements.add("no_part", [](const cache::CacheShape&) { return nullptr; });
  parts.replacements.add(
      "fails", [](const cache::CacheShape&) -> std::unique_ptr<cache::Replacement> { throw 42; });
  parts.replacements.add("other_victim",
                         [](const cache::CacheShape&) { return std::make_unique<OtherVictim>(); });
  parts.replacements.add("no_victim",
                         [](const cache::CacheShape&) { return std::make_unique<NoVictim>(); });
  parts.miss_handlers.add("no_part", [](const mha::MhaParams&, const cache::TagArray&,
                                        cache::Allocate, const ClockDomain&) { return nullptr; });
  parts.frontends.add(
      "no_part", [](const cache::FrontendParams&, const cache::FrontendSite&) { return nullptr; });
  parts.frontends.add("throwing",
                      [](const cache::FrontendParams&, const cache::FrontendSite& site) {
                        return std::make_unique<Throwing>(site.in, site.line_bytes, site.arrival);
                      });
  parts.schedulers.add("no_part",
                       [](const sm::SmParams&, const sm::WarpObserver&) { return nullptr; });
  parts.schedulers.add("other_warp", [](const sm::SmParams&, const sm::WarpObserver&) {
    return std::make_unique<OtherWarp>();
  });
  parts.schedulers.add("no_warp", [](const sm::SmParams&, const sm::WarpObserver&) {
    return std::make_unique<NoWarp>();
  });
  parts.dram_schedulers.add("no_part", [] { return nullptr; });
  parts.dram_schedulers.add("other_slot", [] { return std::make_unique<OtherCommand>(true); });
  parts.dram_schedulers.add("too_early", [] { return std::make_unique<OtherCommand>(false); });
}
