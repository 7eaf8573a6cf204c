// SPDX-License-Identifier: Apache-2.0
#include "watch/request_tracks.hpp"

#include <fmt/format.h>

namespace warpmem::watch {

RequestTracks::RequestTracks(Canvas& canvas, const Groups& groups, const AddressMap& map,
                             bool translated, std::uint64_t sample)
    : canvas_(canvas), map_(map), translated_(translated), sample_(sample) {
  for (unsigned i = 0; i < groups.sms.size(); ++i) {
    sms_.emplace_back();
    const TrackId sm = groups.sms[i];
    if (sm == 0) continue;
    sms_[i] =
        std::make_unique<OfSm>(OfSm{{canvas, sm, "LSU: requests"},
                                    {canvas, sm, "LSU: coalescer"},
                                    {canvas, sm, "TLB"},
                                    {canvas, sm, "L1D: requests"},
                                    {canvas, groups.crossbar, fmt::format("requests of SM {}", i)},
                                    {canvas, groups.crossbar, fmt::format("responses to SM {}", i)},
                                    0});
  }
  for (const TrackId slice : groups.slices) slices_.emplace_back(canvas, slice, "requests");
  for (const TrackId channel : groups.channels) channels_.emplace_back(canvas, channel, "requests");
  const auto name = [&](const char* text) { return canvas.name(text); };
  keys_ = {name("fs"),      name("pc"),
           name("address"), name("bytes"),
           name("warp"),    name("cta"),
           name("request"), name("requests"),
           name("source"),  name("load"),
           name("store"),   name("atomic"),
           name("bulk"),    {}};
  for (std::size_t p = 0; p < sm::kParts; ++p) keys_.parts[p] = name(sm::kPartNames[p]);
}

Lanes& RequestTracks::lanes_of(sm::Part part, OfSm& sm, unsigned slice) {
  switch (part) {
    case sm::Part::coalescer:
      return sm.coalescer;
    case sm::Part::tlb:
    case sm::Part::walk:
    case sm::Part::fault:
    case sm::Part::transfer:
      return sm.tlb;
    case sm::Part::l1d_queue:
    case sm::Part::mshr_wait:
    case sm::Part::writeback:
      return sm.l1d;
    case sm::Part::crossbar:
      return sm.to_l2;
    case sm::Part::response_path:
      return sm.from_l2;
    case sm::Part::l2_queue:
    case sm::Part::l2_access:
      return slices_[slice];
    case sm::Part::dram_queue:
    case sm::Part::dram_service:
      break;
  }
  return channels_[slice / map_.slices_each()];
}

// "ld.global.f32 line 12", that of the CUDA source, as far as the program tells.
NameId RequestTracks::name_of(const program::Grid& grid, const program::InstInfo& instruction) {
  NameId& known = instructions_[&instruction];
  if (known != 0) return known;
  std::string text = grid.mnemonic(instruction);
  if (text.empty()) text = instruction.mem == program::MemOp::load ? "load" : "store";
  if (instruction.source_line != 0)
    text += fmt::format(" line {}", instruction.source_line);
  else
    text += fmt::format(" pc 0x{:x}", instruction.pc);
  return known = canvas_.name(text);
}

NameId RequestTracks::category_of(const program::InstInfo& instruction) const {
  if (program::is_bulk_copy(instruction.async)) return keys_.bulk;
  switch (instruction.mem) {
    case program::MemOp::load:
    case program::MemOp::none:
      return keys_.load;
    case program::MemOp::store:
      return keys_.store;
    default:
      return keys_.atomic;
  }
}

void RequestTracks::answered(Packets& out, unsigned sm, const Kernels& kernels,
                             const program::InstInfo& instruction, const Payload& payload,
                             Femtoseconds now) {
  const Access& access = access_of(payload);
  const Femtoseconds issued = access.at(Stage::issue);
  OfSm& tracks = *sms_[sm];
  if (!canvas_.shows(issued, now) || tracks.answered++ % sample_ != 0) return;
  const unsigned slice = map_.slice(payload.get_address()).value;
  const NameId category = category_of(instruction);
  const std::uint64_t flow = ++flows_;
  const program::Grid& grid = kernels[kernels.of(access.cta)];
  out.slice(tracks.requests.take(out, issued, now), name_of(grid, instruction), category, issued,
            now,
            {{keys_.fs, now - issued},
             {keys_.pc, instruction.pc},
             {keys_.source, instruction.source_line},
             {keys_.address, payload.get_address()},
             {keys_.bytes, payload.get_data_length()},
             {keys_.cta, kernels.index_of(access.cta)},
             {keys_.warp, access.warp_in_cta},
             {keys_.number, access.ordinal},
             {keys_.of, access.requests}},
            flow);
  sm::for_each_part(access, now, translated_,
                    [&](sm::Part part, Femtoseconds begin, Femtoseconds end) {
                      if (begin == end) return;
                      out.slice(lanes_of(part, tracks, slice).take(out, begin, end),
                                keys_.parts[static_cast<std::size_t>(part)], category, begin, end,
                                {{keys_.fs, end - begin}}, flow);
                    });
}

}  // namespace warpmem::watch
