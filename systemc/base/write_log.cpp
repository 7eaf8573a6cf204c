// SPDX-License-Identifier: Apache-2.0
#include "base/write_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/assert.hpp"

namespace warpmem {

void WriteLog::clear() {
  pages_.clear();
  last_page_ = nullptr;
  records_.assign(1, {});
  free_records_.clear();
  side_.clear();
  free_side_.clear();
}

bool WriteLog::ordered(Addr address, const Write& before, const Write& after) const {
  if (before.actor.warp == after.actor.warp || address < first_shared_) return true;
  if (before.sequence != 0 && after.sequence != 0) return true;
  return before.actor.cta == after.actor.cta && before.actor.epoch < after.actor.epoch;
}

// ---- Pages and records -------------------------------------------------------------------------

WriteLog::Page& WriteLog::page_at(Addr base) {
  if (last_page_ == nullptr || last_base_ != base) {
    std::unique_ptr<Page>& page = pages_[base];
    if (page == nullptr) page = std::make_unique<Page>();
    last_base_ = base;
    last_page_ = page.get();
  }
  return *last_page_;
}

const WriteLog::Page* WriteLog::find_page(Addr base) const {
  if (last_page_ != nullptr && last_base_ == base) return last_page_;
  const auto it = pages_.find(base);
  return it == pages_.end() ? nullptr : it->second.get();
}

std::uint32_t WriteLog::new_record(const Write& write) {
  if (free_records_.empty()) {
    assert(records_.size() < kSide);
    free_records_.push_back(static_cast<std::uint32_t>(records_.size()));
    records_.emplace_back();
  }
  const std::uint32_t id = free_records_.back();
  free_records_.pop_back();
  records_[id] = {write, 0};
  return id;
}

void WriteLog::release(std::uint32_t id, std::uint32_t references) {
  Record& record = records_[id];
  assert(record.references >= references);
  record.references -= references;
  if (record.references == 0) free_records_.push_back(id);
}

// ---- Adding a write ----------------------------------------------------------------------------

void WriteLog::add(Addr address, unsigned bytes, const std::uint8_t* data, const Write& write) {
  const std::uint32_t id = new_record(write);
  records_[id].references = 1;  // held by this call
  while (bytes != 0) {
    const unsigned offset = address % kPageBytes;
    Page& page = page_at(address - offset);
    const unsigned in_word = address % kWordBytes;
    unsigned n = std::min(bytes, kPageBytes - offset);
    if (in_word != 0 || n < kWordBytes) {
      n = std::min(n, kWordBytes - in_word);
      add_to_side(page, address, n, data, id);
    } else {
      n -= n % kWordBytes;
      add_words(page, address, n / kWordBytes, data, id);
    }
    address += n;
    data += n;
    bytes -= n;
  }
  release(id, 1);
}

// Splits whole words into runs that had one owner.
void WriteLog::add_words(Page& page, Addr address, unsigned words, const std::uint8_t* data,
                         std::uint32_t id) {
  const unsigned first = address % kPageBytes / kWordBytes;
  for (unsigned i = 0; i < words;) {
    const std::uint32_t owner = page.owner[first + i];
    unsigned end = i + 1;
    while (end < words && page.owner[first + end] == owner) ++end;
    add_run(page, address + i * kWordBytes, end - i, data + i * kWordBytes, id);
    i = end;
  }
}

void WriteLog::add_run(Page& page, Addr address, unsigned words, const std::uint8_t* data,
                       std::uint32_t id) {
  const unsigned first = address % kPageBytes / kWordBytes;
  const std::uint32_t owner = page.owner[first];
  const bool in_side = (owner & kSide) != 0;
  if (in_side || (owner != 0 && !ordered(address, records_[owner].write, records_[id].write))) {
    for (unsigned i = 0; i < words; ++i)
      add_to_side(page, address + i * kWordBytes, kWordBytes, data + i * kWordBytes, id);
    return;
  }
  if (owner != 0) {
    if (records_[owner].write.actor.warp != records_[id].write.actor.warp)
      for (unsigned w = first; w < first + words; ++w)
        page.several[w / 64] |= std::uint64_t(1) << (w % 64);
    release(owner, words);
  }
  std::fill_n(page.owner.begin() + first, words, id);
  records_[id].references += words;
  std::memcpy(page.value.data() + address % kPageBytes, data, words * kWordBytes);
}

// Writes a word's one write out byte by byte.
void WriteLog::move_to_side(Page& page, unsigned word) {
  if (free_side_.empty()) {
    free_side_.push_back(static_cast<std::uint32_t>(side_.size()));
    side_.emplace_back();
  }
  const std::uint32_t index = free_side_.back();
  free_side_.pop_back();
  const std::uint32_t owner = std::exchange(page.owner[word], kSide | index);
  ++page.side_words;
  if (owner == 0) return;
  for (unsigned b = 0; b < kWordBytes; ++b)
    side_[index].entries.push_back(
        {owner, static_cast<std::uint8_t>(b), page.value[word * kWordBytes + b]});
  records_[owner].references += kWordBytes - 1;
}

void WriteLog::add_to_side(Page& page, Addr address, unsigned bytes, const std::uint8_t* data,
                           std::uint32_t id) {
  const unsigned word = address % kPageBytes / kWordBytes;
  const unsigned first = address % kWordBytes;
  if ((page.owner[word] & kSide) == 0) move_to_side(page, word);
  const std::uint32_t index = page.owner[word] & ~kSide;
  SideWord& side = side_[index];
  for (const Entry& entry : side.entries)
    if (records_[entry.write].write.actor.warp != records_[id].write.actor.warp)
      page.several[word / 64] |= std::uint64_t(1) << (word % 64);
  for (unsigned i = 0; i < bytes; ++i)
    put_entry(side, address, {id, static_cast<std::uint8_t>(first + i), data[i]});

  // When one write covers the word, its bytes need not be kept apart any more.
  if (side.forgotten != nullptr || side.entries.size() != kWordBytes) return;
  const std::uint32_t only = side.entries.front().write;
  for (const Entry& entry : side.entries)
    if (entry.write != only) return;
  for (const Entry& entry : side.entries) page.value[word * kWordBytes + entry.byte] = entry.value;
  side.entries.clear();
  release(only, kWordBytes - 1);
  page.owner[word] = only;
  --page.side_words;
  free_side_.push_back(index);
}

void WriteLog::put_entry(SideWord& side, Addr address, const Entry& entry) {
  const Write& write = records_[entry.write].write;
  unsigned writers = 0;
  std::size_t kept = 0;
  for (const Entry& other : side.entries) {
    if (other.byte == entry.byte) {
      if (ordered(address, records_[other.write].write, write)) {
        release(other.write, 1);
        continue;
      }
      ++writers;
    }
    side.entries[kept++] = other;
  }
  side.entries.resize(kept);
  if (writers == kMostWriters) {
    const auto oldest = std::find_if(side.entries.begin(), side.entries.end(),
                                     [&](const Entry& e) { return e.byte == entry.byte; });
    if (side.forgotten == nullptr) side.forgotten = std::make_unique<Forgotten>();
    (*side.forgotten)[entry.byte].set(oldest->value);
    release(oldest->write, 1);
    side.entries.erase(oldest);
  }
  side.entries.push_back(entry);
  ++records_[entry.write].references;
}

// ---- Questions ---------------------------------------------------------------------------------

std::vector<Addr> WriteLog::pages() const {
  std::vector<Addr> result;
  for (const auto& [base, page] : pages_) result.push_back(base);
  std::sort(result.begin(), result.end());
  return result;
}

unsigned WriteLog::racy_bytes(Addr base) const {
  const Page* page = find_page(base);
  if (page == nullptr || page->side_words == 0) return 0;
  unsigned racy = 0;
  for (const std::uint32_t owner : page->owner) {
    if ((owner & kSide) == 0) continue;
    const SideWord& side = side_[owner & ~kSide];
    for (unsigned b = 0; b < kWordBytes; ++b) {
      const auto writers = std::count_if(side.entries.begin(), side.entries.end(),
                                         [b](const Entry& e) { return e.byte == b; });
      racy += writers > 1 || (side.forgotten != nullptr && (*side.forgotten)[b].any());
    }
  }
  return racy;
}

std::optional<Addr> WriteLog::first_conflict(Addr base) const {
  const Page* page = find_page(base);
  if (page == nullptr || page->side_words == 0) return std::nullopt;
  for (unsigned word = 0; word < kWords; ++word) {
    if ((page->owner[word] & kSide) == 0) continue;
    const SideWord& side = side_[page->owner[word] & ~kSide];
    for (unsigned b = 0; b < kWordBytes; ++b) {
      std::bitset<256> values;
      if (side.forgotten != nullptr) values = (*side.forgotten)[b];
      for (const Entry& entry : side.entries)
        if (entry.byte == b) values.set(entry.value);
      if (values.count() > 1) return base + word * kWordBytes + b;
    }
  }
  return std::nullopt;
}

template <class Visitor>
void WriteLog::visit(Addr address, Visitor&& visitor) const {
  const unsigned offset = address % kPageBytes;
  const Page* page = find_page(address - offset);
  if (page == nullptr) return;
  const std::uint32_t owner = page->owner[offset / kWordBytes];
  if (owner == 0) return;
  if ((owner & kSide) == 0) {
    visitor(records_[owner].write, page->value[offset]);
    return;
  }
  for (const Entry& entry : side_[owner & ~kSide].entries)
    if (entry.byte == offset % kWordBytes) visitor(records_[entry.write].write, entry.value);
}

const std::bitset<256>* WriteLog::forgotten(Addr address) const {
  const unsigned offset = address % kPageBytes;
  const Page* page = find_page(address - offset);
  if (page == nullptr) return nullptr;
  const std::uint32_t owner = page->owner[offset / kWordBytes];
  if ((owner & kSide) == 0 || side_[owner & ~kSide].forgotten == nullptr) return nullptr;
  return &(*side_[owner & ~kSide].forgotten)[offset % kWordBytes];
}

bool WriteLog::allows(Addr address, std::uint8_t value) const {
  bool allowed = false;
  visit(address, [&](const Write&, std::uint8_t v) { allowed |= v == value; });
  const std::bitset<256>* old = forgotten(address);
  return allowed || (old != nullptr && old->test(value));
}

bool WriteLog::may_be_stale(Addr address, const Actor& actor) const {
  bool others = false;
  bool own = false;
  bool own_is_earlier = false;
  visit(address, [&](const Write& write, std::uint8_t) {
    if (write.actor.warp != actor.warp) {
      others = true;
    } else {
      own = true;
      own_is_earlier = write.actor.epoch < actor.epoch;
    }
  });
  if (others) return true;
  const std::bitset<256>* old = forgotten(address);
  if (old != nullptr && old->any()) return true;
  if (!own || own_is_earlier || address < first_shared_) return false;
  const unsigned word = address % kPageBytes / kWordBytes;
  const Page* page = find_page(address - address % kPageBytes);
  return (page->several[word / 64] >> (word % 64) & 1) != 0;
}

std::string WriteLog::place_of(std::uint32_t pc) const {
  const std::string place = place_ ? place_(pc) : std::string();
  return place.empty() ? fmt::format("pc 0x{:x}", pc) : fmt::format("pc 0x{:x} ({})", pc, place);
}

std::string WriteLog::describe(Addr address) const {
  std::string text;
  visit(address, [&](const Write& write, std::uint8_t value) {
    const bool engine = (write.actor.warp & Actor::kEngine) != 0;
    text +=
        fmt::format("{}written by {}CTA {} warp {} at {}, {}.{:06} ns (0x{:02x}{})",
                    text.empty() ? "" : "; ", engine ? "a bulk copy of " : "",
                    write.actor.cta & ~Actor::kEngine, write.actor.warp & ~Actor::kEngine,
                    place_of(write.actor.pc), write.time / 1'000'000, write.time % 1'000'000, value,
                    write.sequence == 0 ? "" : fmt::format(", atomic {}", write.sequence));
  });
  const std::bitset<256>* old = forgotten(address);
  if (old != nullptr && old->any()) text += "; and by others before";
  return text.empty() ? "not written in this launch" : text;
}

}  // namespace warpmem
