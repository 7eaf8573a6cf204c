// SPDX-License-Identifier: Apache-2.0
#include "watch/memory_tracks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/assert.hpp"

namespace warpmem::watch {

// ---- misses ------------------------------------------------------------------------------------

MissTracks::MissTracks(Canvas& canvas, TrackId group)
    : canvas_(canvas),
      lanes_(canvas, group, "MSHRs"),
      miss_(canvas.name("miss")),
      prefetch_(canvas.name("prefetch")),
      category_(canvas.name("MSHR")),
      address_(canvas.name("address")),
      pc_(canvas.name("pc")),
      sm_(canvas.name("sm")) {}

void MissTracks::miss_begins(Addr unit, const Access& origin) {
  const auto is_free = [](const Miss& miss) { return !miss.outstanding; };
  auto place = std::find_if(misses_.begin(), misses_.end(), is_free);
  if (place == misses_.end()) place = misses_.insert(place, Miss());
  *place = {true, unit, origin.pc, origin.sm, origin.prefetch, simulation_now()};
}

void MissTracks::miss_ends(Addr unit) {
  const auto place = std::find_if(misses_.begin(), misses_.end(), [unit](const Miss& miss) {
    return miss.outstanding && miss.unit == unit;
  });
  assert(place != misses_.end());
  place->outstanding = false;
  const Femtoseconds now = simulation_now();
  if (!canvas_.shows(place->since, now)) return;
  const auto lane = static_cast<std::size_t>(place - misses_.begin());
  out_.slice(lanes_.at(out_, lane), place->prefetch ? prefetch_ : miss_, category_, place->since,
             now, {{address_, unit}, {pc_, place->pc}, {sm_, place->sm}});
}

// ---- crossbar ----------------------------------------------------------------------------------

PortTracks::PortTracks(Canvas& canvas, TrackId group, const ClockDomain& clock, unsigned outputs,
                       const std::string& output, const std::string& input)
    : canvas_(canvas),
      clock_(clock),
      packet_(canvas.name("packet")),
      category_(canvas.name("crossbar port")),
      input_(canvas.name(input)),
      flits_(canvas.name("flits")) {
  for (unsigned i = 0; i < outputs; ++i)
    tracks_.push_back(canvas.track(group, fmt::format("{} {}", output, i)));
}

void PortTracks::granted(unsigned input, unsigned output, Cycle from, unsigned flits) {
  const Femtoseconds begin = clock_.time_of(from), end = clock_.time_of(from + flits);
  if (canvas_.shows(begin, end))
    out_.slice(tracks_[output], packet_, category_, begin, end, {{input_, input}, {flits_, flits}});
}

// ---- DRAM --------------------------------------------------------------------------------------

DramTracks::DramTracks(Canvas& canvas, TrackId group, const dram::Channel& channel, unsigned banks)
    : canvas_(canvas),
      clock_(channel.domain()),
      params_(channel.params()),
      pending_(banks),
      command_category_(canvas.name("DRAM command")),
      bus_category_(canvas.name("DRAM bus")),
      row_(canvas.name("row")),
      bank_(canvas.name("bank")),
      address_(canvas.name("address")),
      cycles_(canvas.name("cycles")) {
  for (unsigned i = 0; i < params_.pseudo_channels; ++i)
    bus_tracks_.push_back(canvas.track(
        group, params_.pseudo_channels == 1 ? "data bus" : fmt::format("data bus {}", i)));
  for (unsigned b = 0; b < banks; ++b)
    bank_tracks_.push_back(canvas.track(group, fmt::format("bank {:02}", b)));
  for (std::size_t c = 0; c < commands_.size(); ++c)
    commands_[c] = canvas.name(dram::name_of(static_cast<dram::Command>(c)));
}

Cycle DramTracks::length_of(const dram::CommandRecord& record) const {
  switch (record.command) {
    case dram::Command::activate:
      return params_.timing.t_rcd;
    case dram::Command::precharge:
    case dram::Command::precharge_all:
      return params_.timing.t_rp;
    case dram::Command::refresh:
      return params_.timing.t_rfc;
    case dram::Command::refresh_bank:
      return params_.timing.t_rfc_pb;
    default:
      return record.beats;
  }
}

void DramTracks::on_command(const dram::CommandRecord& record) {
  const bool all =
      record.command == dram::Command::precharge_all || record.command == dram::Command::refresh;
  if (!all) {
    begin(record.bank, record);
  } else {
    for (unsigned bank = 0; bank < pending_.size(); ++bank)
      if (params_.pseudo_channel_of(bank) == params_.pseudo_channel_of(record.bank))
        begin(bank, record);
  }
  if (!dram::is_column(record.command)) return;
  const bool write = record.command == dram::Command::write;
  const Cycle first = record.cycle + (write ? params_.timing.t_wl : params_.timing.t_cl);
  const Femtoseconds from = clock_.time_of(first), to = clock_.time_of(first + record.beats);
  if (canvas_.shows(from, to))
    out_.slice(bus_tracks_[params_.pseudo_channel_of(record.bank)],
               commands_[static_cast<std::size_t>(record.command)], bus_category_, from, to,
               {{bank_, record.bank}, {address_, record.address}, {cycles_, record.beats}});
}

void DramTracks::begin(unsigned bank, const dram::CommandRecord& record) {
  draw(bank, record.cycle);
  pending_[bank] = {record.command, record.cycle, record.cycle + length_of(record), record.row};
}

void DramTracks::draw(unsigned bank, Cycle before) {
  Pending& last = pending_[bank];
  if (last.command == dram::Command::none) return;
  const Femtoseconds from = clock_.time_of(last.cycle),
                     to = clock_.time_of(std::min(last.end, before));
  if (canvas_.shows(from, to))
    out_.slice(bank_tracks_[bank], commands_[static_cast<std::size_t>(last.command)],
               command_category_, from, to, {{row_, last.row}});
  last.command = dram::Command::none;
}

void DramTracks::end() {
  for (unsigned bank = 0; bank < pending_.size(); ++bank) draw(bank, kNever);
}

// ---- unified memory ----------------------------------------------------------------------------

LinkTracks::LinkTracks(Canvas& canvas, TrackId group, const ClockDomain& clock,
                       const std::string& name)
    : canvas_(canvas),
      clock_(clock),
      track_(canvas.track(group, name)),
      transfer_(canvas.name("transfer")),
      category_(canvas.name("link")),
      bytes_(canvas.name("bytes")) {}

void LinkTracks::transfer(Cycle from, Cycle to, std::uint64_t bytes) {
  const Femtoseconds begin = clock_.time_of(from), end = clock_.time_of(to);
  if (canvas_.shows(begin, end))
    out_.slice(track_, transfer_, category_, begin, end, {{bytes_, bytes}});
}

FaultTracks::FaultTracks(Canvas& canvas, TrackId group, const ClockDomain& clock)
    : canvas_(canvas),
      clock_(clock),
      lanes_(canvas, group, "page faults"),
      host_track_(canvas.track(group, "host")),
      fault_(canvas.name("page fault")),
      host_(canvas.name("handles faults")),
      category_(canvas.name("fault")),
      page_(canvas.name("page")),
      faults_(canvas.name("faults")) {}

void FaultTracks::fault_ended(uvm::PageNumber page, Femtoseconds since) {
  const Femtoseconds now = simulation_now();
  if (canvas_.shows(since, now))
    out_.slice(lanes_.take(out_, since, now), fault_, category_, since, now, {{page_, page}});
}

void FaultTracks::host_works(Cycle from, Cycle to, std::size_t faults) {
  const Femtoseconds begin = clock_.time_of(from), end = clock_.time_of(to);
  if (canvas_.shows(begin, end))
    out_.slice(host_track_, host_, category_, begin, end, {{faults_, faults}});
}

}  // namespace warpmem::watch
