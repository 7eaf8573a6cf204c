// SPDX-License-Identifier: Apache-2.0
#include "watch/perfetto.hpp"

#include <array>
#include <cstring>

#include "base/assert.hpp"

namespace warpmem::watch {

namespace {

enum Wire : unsigned { kVarint = 0, kFixed64 = 1, kBytes = 2 };

// Numbers of the fields, by message.
constexpr unsigned kTracePacket = 1;
namespace packet {
constexpr unsigned kTimestamp = 8, kSequence = 10, kEvent = 11, kNames = 12, kFlags = 13,
                   kTrack = 60;
}
namespace event {
constexpr unsigned kCategory = 3, kNote = 4, kType = 9, kName = 10, kTrack = 11, kValue = 44,
                   kFlow = 47;
constexpr std::uint64_t kBegin = 1, kEnd = 2, kCounter = 4;  // types
}  // namespace event
namespace note {
constexpr unsigned kName = 1, kNumber = 3, kText = 17;
}
namespace track {
constexpr unsigned kId = 1, kName = 2, kParent = 5, kCounter = 8, kChildren = 11, kRank = 12;
constexpr std::uint64_t kByRank = 3;  // how children are ordered
}  // namespace track
namespace counter {
constexpr unsigned kUnit = 6;
}
namespace names {
// An entry goes into each of the tables by which its number may be used.
constexpr std::array<unsigned, 4> kTables = {1, 2, 3, 29};  // categories, events, notes, texts
constexpr unsigned kId = 1, kText = 2;
}  // namespace names
// A packet that refers to names says so; the one that begins the table says that too.
constexpr std::uint64_t kBeginsTable = 1, kUsesTable = 2;
constexpr std::uint64_t kOurSequence = 1;

/// Fields of messages, in storage of their own: a timeline writes millions of them, so each packet
/// is put together here and appended at once.
class Fields {
 public:
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_[size_++] = static_cast<char>(value | 0x80);
    bytes_[size_++] = static_cast<char>(value);
  }
  void number(unsigned field, std::uint64_t value) {
    varint(field << 3 | kVarint);
    varint(value);
  }
  void fixed(unsigned field, std::uint64_t value) {
    varint(field << 3 | kFixed64);
    for (unsigned i = 0; i < 8; ++i) bytes_[size_++] = static_cast<char>(value >> 8 * i);
  }
  /// What follows are the `bytes` of a field that is a text or a message.
  void begin(unsigned field, std::size_t bytes) {
    varint(field << 3 | kBytes);
    varint(bytes);
  }
  std::string_view bytes() const {
    assert(size_ <= bytes_.size());
    return {bytes_.data(), size_};
  }

 private:
  // A slice with ten notes of the largest numbers has 300 bytes.
  std::array<char, 512> bytes_;
  unsigned size_ = 0;
};

void append_number(std::string& out, unsigned field, std::uint64_t value) {
  Fields fields;
  fields.number(field, value);
  out.append(fields.bytes());
}

void append_text(std::string& out, unsigned field, std::string_view value) {
  Fields fields;
  fields.begin(field, value.size());
  out.append(fields.bytes()).append(value);
}

constexpr std::uint64_t picoseconds(Femtoseconds t) { return t / 1000; }

constexpr unsigned size_of_varint(std::uint64_t value) {
  return (70u - static_cast<unsigned>(__builtin_clzll(value | 1))) / 7;
}

/// Size of a field whose number takes one byte.
constexpr unsigned size_of_number(std::uint64_t value) { return 1 + size_of_varint(value); }

constexpr unsigned size_of_note(const Note& n) {
  return size_of_number(n.key) + (n.is_text ? 2 : 1) + size_of_varint(n.value);
}

/// Begins a packet of our sequence with a time and an event of `bytes`.
void begin_event(Fields& out, Femtoseconds at, unsigned bytes, bool uses_names) {
  const std::uint64_t time = picoseconds(at);
  out.begin(kTracePacket,
            size_of_number(time) + 2 + (uses_names ? 2 : 0) + size_of_number(bytes) + bytes);
  out.number(packet::kTimestamp, time);
  out.number(packet::kSequence, kOurSequence);
  if (uses_names) out.number(packet::kFlags, kUsesTable);
  out.begin(packet::kEvent, bytes);
}

}  // namespace

void Packets::describe(TrackId track, TrackId parent, std::string_view name, unsigned rank,
                       std::string_view counter_unit, bool is_counter) {
  std::string unit, body, whole;
  if (!counter_unit.empty()) append_text(unit, counter::kUnit, counter_unit);
  append_number(body, track::kId, track);
  append_text(body, track::kName, name);
  if (parent != 0) append_number(body, track::kParent, parent);
  if (is_counter) append_text(body, track::kCounter, unit);
  append_number(body, track::kChildren, track::kByRank);
  append_number(body, track::kRank, rank);
  append_number(whole, packet::kSequence, kOurSequence);
  append_text(whole, packet::kTrack, body);
  append_text(bytes_, kTracePacket, whole);
}

void Packets::track(TrackId track, TrackId parent, std::string_view name, unsigned rank) {
  describe(track, parent, name, rank, {}, false);
}

void Packets::counter_track(TrackId track, TrackId parent, std::string_view name,
                            std::string_view unit, unsigned rank) {
  describe(track, parent, name, rank, unit, true);
}

void Packets::slice(TrackId track, NameId name, NameId category, Femtoseconds begin,
                    Femtoseconds end, std::initializer_list<Note> notes, std::uint64_t flow) {
  assert(begin <= end && notes.size() <= 10);
  const unsigned bytes_of_end = 2 + size_of_number(track);
  unsigned bytes = bytes_of_end + size_of_number(name) + size_of_number(category);
  for (const Note& n : notes) bytes += 2 + size_of_note(n);
  if (flow != 0) bytes += 10;
  Fields out;
  begin_event(out, begin, bytes, true);
  out.number(event::kType, event::kBegin);
  out.number(event::kTrack, track);
  out.number(event::kName, name);
  out.number(event::kCategory, category);
  for (const Note& n : notes) {
    out.begin(event::kNote, size_of_note(n));
    out.number(note::kName, n.key);
    out.number(n.is_text ? note::kText : note::kNumber, n.value);
  }
  if (flow != 0) out.fixed(event::kFlow, flow);
  begin_event(out, end, bytes_of_end, false);
  out.number(event::kType, event::kEnd);
  out.number(event::kTrack, track);
  bytes_.append(out.bytes());
}

void Packets::counter(TrackId track, Femtoseconds at, double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  Fields out;
  begin_event(out, at, 2 + size_of_number(track) + 10, false);
  out.number(event::kType, event::kCounter);
  out.number(event::kTrack, track);
  out.fixed(event::kValue, bits);
  bytes_.append(out.bytes());
}

void Packets::name(NameId id, std::string_view text, bool first) {
  std::string entry, table, whole;
  append_number(entry, names::kId, id);
  append_text(entry, names::kText, text);
  for (const unsigned kind : names::kTables) append_text(table, kind, entry);
  append_number(whole, packet::kSequence, kOurSequence);
  append_number(whole, packet::kFlags, first ? kBeginsTable | kUsesTable : kUsesTable);
  append_text(whole, packet::kNames, table);
  append_text(bytes_, kTracePacket, whole);
}

NameId Names::of(const std::string& text) {
  const auto [entry, is_new] = ids_.try_emplace(text, static_cast<NameId>(ids_.size() + 1));
  if (is_new) out_.name(entry->second, text, entry->second == 1);
  return entry->second;
}

}  // namespace warpmem::watch
