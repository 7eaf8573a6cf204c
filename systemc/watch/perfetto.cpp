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

/// Writes one message, in storage that suffices for all but the texts.
class Message {
 public:
  explicit Message(std::string& out) : out_(out) {}
  void number(unsigned field, std::uint64_t value) {
    varint(field << 3 | kVarint);
    varint(value);
  }
  void fixed(unsigned field, std::uint64_t value) {
    varint(field << 3 | kFixed64);
    std::array<char, 8> bytes;
    for (unsigned i = 0; i < 8; ++i) bytes[i] = static_cast<char>(value >> 8 * i);
    out_.append(bytes.data(), bytes.size());
  }
  void text(unsigned field, std::string_view value) {
    varint(field << 3 | kBytes);
    varint(value.size());
    out_.append(value);
  }
  void varint(std::uint64_t value) {
    std::array<char, 10> bytes;
    unsigned count = 0;
    for (; value >= 0x80; value >>= 7) bytes[count++] = static_cast<char>(value | 0x80);
    bytes[count++] = static_cast<char>(value);
    out_.append(bytes.data(), count);
  }

 private:
  std::string& out_;
};

constexpr std::uint64_t picoseconds(Femtoseconds t) { return t / 1000; }

unsigned size_of_varint(std::uint64_t value) {
  unsigned bytes = 1;
  while (value >>= 7) ++bytes;
  return bytes;
}

/// Appends a packet of our sequence with a time and an event.
void append_event(std::string& out, Femtoseconds at, const std::string& body, bool uses_names) {
  const std::uint64_t time = picoseconds(at);
  Message message(out);
  message.varint(kTracePacket << 3 | kBytes);
  message.varint(1 + size_of_varint(time) + 2 + (uses_names ? 2 : 0) + 1 +
                 size_of_varint(body.size()) + body.size());
  message.number(packet::kTimestamp, time);
  message.number(packet::kSequence, kOurSequence);
  if (uses_names) message.number(packet::kFlags, kUsesTable);
  message.text(packet::kEvent, body);
}

}  // namespace

void Packets::describe(TrackId track, TrackId parent, std::string_view name, unsigned rank,
                       std::string_view counter_unit, bool is_counter) {
  std::string unit;
  if (!counter_unit.empty()) Message(unit).text(counter::kUnit, counter_unit);
  body_.clear();
  Message body(body_);
  body.number(track::kId, track);
  body.text(track::kName, name);
  if (parent != 0) body.number(track::kParent, parent);
  if (is_counter) body.text(track::kCounter, unit);
  body.number(track::kChildren, track::kByRank);
  body.number(track::kRank, rank);
  std::string whole;
  Message(whole).number(packet::kSequence, kOurSequence);
  Message(whole).text(packet::kTrack, body_);
  Message(bytes_).text(kTracePacket, whole);
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
  assert(begin <= end);
  body_.clear();
  Message body(body_);
  body.number(event::kType, event::kBegin);
  body.number(event::kTrack, track);
  body.number(event::kName, name);
  body.number(event::kCategory, category);
  for (const Note& n : notes) {
    const unsigned key = 1 + size_of_varint(n.key);
    const unsigned value = (n.is_text ? 2 : 1) + size_of_varint(n.value);
    body.varint(event::kNote << 3 | kBytes);
    body.varint(key + value);
    body.number(note::kName, n.key);
    body.number(n.is_text ? note::kText : note::kNumber, n.value);
  }
  if (flow != 0) body.fixed(event::kFlow, flow);
  append_event(bytes_, begin, body_, true);
  body_.clear();
  body.number(event::kType, event::kEnd);
  body.number(event::kTrack, track);
  append_event(bytes_, end, body_, false);
}

void Packets::counter(TrackId track, Femtoseconds at, double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  body_.clear();
  Message body(body_);
  body.number(event::kType, event::kCounter);
  body.number(event::kTrack, track);
  body.fixed(event::kValue, bits);
  append_event(bytes_, at, body_, false);
}

void Packets::name(NameId id, std::string_view text, bool first) {
  std::string entry;
  Message(entry).number(names::kId, id);
  Message(entry).text(names::kText, text);
  body_.clear();
  for (const unsigned table : names::kTables) Message(body_).text(table, entry);
  std::string whole;
  Message message(whole);
  message.number(packet::kSequence, kOurSequence);
  message.number(packet::kFlags, first ? kBeginsTable | kUsesTable : kUsesTable);
  message.text(packet::kNames, body_);
  Message(bytes_).text(kTracePacket, whole);
}

NameId Names::of(const std::string& text) {
  const auto [entry, is_new] = ids_.try_emplace(text, static_cast<NameId>(ids_.size() + 1));
  if (is_new) out_.name(entry->second, text, entry->second == 1);
  return entry->second;
}

}  // namespace warpmem::watch
