// SPDX-License-Identifier: Apache-2.0
// Packets of a trace in Perfetto's format (the protobuf message `Trace`), of the few kinds that a
// timeline needs: descriptions of tracks, slices with notes and flows, values of counters, and the
// table of names. https://perfetto.dev/docs/reference/trace-packet-proto has the fields.
//
// Times are whole picoseconds in the field that Perfetto reads as nanoseconds, so its viewer shows
// a thousandfold: a simulated nanosecond is its microsecond.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

#include "base/types.hpp"

namespace warpmem::watch {

/// A track of the viewer. 0 is none.
using TrackId = std::uint64_t;
/// A text of the name table, from 1.
using NameId = std::uint32_t;

/// Something said about a slice: a number, or a text.
struct Note {
  NameId key = 0;
  std::uint64_t value = 0;
  bool is_text = false;  ///< `value` is a NameId
};

/// Packets in the order of their making.
class Packets {
 public:
  /// Describes a track under `parent`. Of tracks with one parent the least `rank` is on top; those
  /// of one name are shown as one.
  void track(TrackId track, TrackId parent, std::string_view name, unsigned rank);
  /// Describes a track of a counter.
  void counter_track(TrackId track, TrackId parent, std::string_view name, std::string_view unit,
                     unsigned rank);
  /// Begin and end of a slice. Slices of a track must not overlap, and come in the order of time.
  /// Those with the same `flow` are one after the other on the way of something, which the viewer
  /// shows as arrows; 0: there is none. At most ten notes.
  void slice(TrackId track, NameId name, NameId category, Femtoseconds begin, Femtoseconds end,
             std::initializer_list<Note> notes, std::uint64_t flow = 0);
  void counter(TrackId track, Femtoseconds at, double value);
  /// Adds a text to the table. `first`: nothing has been added before.
  void name(NameId id, std::string_view text, bool first);

  const std::string& bytes() const { return bytes_; }
  void clear() { bytes_.clear(); }

 private:
  void describe(TrackId track, TrackId parent, std::string_view name, unsigned rank,
                std::string_view counter_unit, bool is_counter);
  std::string bytes_;
};

/// The table of names. Packets that refer to a name must come after those of the table.
class Names {
 public:
  explicit Names(Packets& out) : out_(out) {}
  NameId of(const std::string& text);

 private:
  Packets& out_;
  std::map<std::string, NameId> ids_;
};

}  // namespace warpmem::watch
