// SPDX-License-Identifier: Apache-2.0
#include "uvm/pcie_link.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "uvm/bandwidth.hpp"

namespace warpmem::uvm {

PcieLink::PcieLink(sc_core::sc_module_name name, ClockDomain& domain, const UvmParams& params)
    : sc_module(name),
      Clocked(domain),
      in("in", *this, params.pcie_queue),
      host("host", *this, 1),
      megabytes_(params.pcie_megabytes) {
  in.on_debug([this](Payload& payload) { return host.socket->transport_dbg(payload); });
  in.on_blocking([this](Payload& payload, sc_core::sc_time& delay) {
    delay +=
        sc_core::sc_time::from_value(this->domain().time_of(occupancy(payload.get_data_length())));
    host.socket->b_transport(payload, delay);
  });
}

Cycle PcieLink::occupancy(std::uint64_t bytes) const {
  const double cycles =
      transfer_nanoseconds(bytes, megabytes_) * 1e-9 * static_cast<double>(domain().hertz());
  return std::max<Cycle>(1, static_cast<Cycle>(std::ceil(cycles)));
}

Cycle PcieLink::tick(Cycle now) {
  in.begin_cycle();
  host.begin_cycle();
  bool moved = false;
  if (payload_ != nullptr) moved = advance(now);
  if (payload_ == nullptr && in.request() != nullptr) {
    payload_ = in.take_request();
    moved_ = false;
    step_ = Step::ask_host;
    if (payload_->is_write()) start_moving(now);
    moved = true;
  }
  if (moved) return payload_ != nullptr && step_ == Step::move ? ready_ : now + 1;
  return payload_ != nullptr && step_ == Step::move && ready_ > now ? ready_ : kNever;
}

bool PcieLink::advance(Cycle now) {
  switch (step_) {
    case Step::ask_host:
      if (!host.can_send()) return false;
      host.send(*payload_);
      step_ = Step::wait_for_host;
      return true;
    case Step::wait_for_host:
      if (host.response() == nullptr) return false;
      host.take_response();
      if (moved_) {
        step_ = Step::answer;
      } else {
        start_moving(now);
      }
      return true;
    case Step::move:
      if (now < ready_) return false;
      count_busy(now);
      step_ = payload_->is_write() ? Step::ask_host : Step::answer;
      return true;
    case Step::answer:
      if (!in.can_respond()) return false;
      in.respond(*payload_);
      payload_ = nullptr;
      return true;
  }
  return false;
}

void PcieLink::start_moving(Cycle now) {
  const unsigned bytes = payload_->get_data_length();
  const Cycle cycles = occupancy(bytes);
  ready_ = now + cycles;
  counted_ = now;
  step_ = Step::move;
  moved_ = true;
  ++stats_.transfers;
  stats_.bytes += bytes;
  busy_.add_level(now, ready_, 1.0);
  watchers_.tell([&](TransferWatch& watch) { watch.transfer(now, ready_, bytes); });
}

// Counts the cycles before `now` of the present transfer, whose end is known from the start.
void PcieLink::count_busy(Cycle now) {
  const Cycle passed = std::min(now, ready_);
  stats_.busy_cycles += passed - counted_;
  counted_ = passed;
}

std::string PcieLink::describe() const {
  return fmt::format("{}: {}; {}; {}", name(),
                     payload_ == nullptr ? "no transfer"
                                         : fmt::format("transfer of {} B until cycle {}",
                                                       payload_->get_data_length(), ready_),
                     in.describe(), host.describe());
}

void PcieLink::register_stats(StatGroup& g, const std::string& direction) {
  const Stats& s = stats_;
  const std::string prefix = "pcie." + direction + ".";
  g.before_snapshot([this] {
    stats_.elapsed_cycles = domain().cycle_at(simulation_now());
    count_busy(stats_.elapsed_cycles);
  });
  g.counter(prefix + "transfers", s.transfers, "transfers",
            "runs of pages that this direction of the link moved, each as one transfer");
  g.counter(prefix + "bytes", s.bytes, "bytes", "bytes that this direction of the link moved");
  g.counter(prefix + "busy_cycles", s.busy_cycles, "cycles",
            "cycles in which this direction of the link was occupied");
  g.ratio(prefix + "utilization", s.busy_cycles, s.elapsed_cycles, "busy cycles / cycles");
  g.ratio(prefix + "transfer_bytes", s.bytes, s.transfers, "mean bytes of a transfer");
  g.series(prefix + "busy", busy_, "cycles",
           "cycles in which this direction of the link was occupied, over time", "sm");
}

}  // namespace warpmem::uvm
