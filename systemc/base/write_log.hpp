// SPDX-License-Identifier: Apache-2.0
// The writes of one launch that may have left their value: for each byte, those after which no
// later write is ordered (data_check.hpp says what that means).
//
// Nearly every word has one such write, so a page keeps a 32-bit reference to it for each word, and
// the bytes' values in line. A word whose bytes have several, or different ones, lives in a side
// table. Writes are kept once for each call of add() and counted by the words that refer to them.
// So memory is bounded by the bytes written, however long the launch: 2 bytes a byte, plus 36 for
// each distinct write still visible, plus at most kMostWriters entries for each byte of a racing
// word.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/data_check.hpp"
#include "base/memory_image.hpp"
#include "base/types.hpp"

namespace warpmem {

class WriteLog {
 public:
  struct Write {
    Actor actor;
    std::uint32_t sequence = 0;  ///< sequence of an atomic, else 0
    Femtoseconds time = 0;       ///< time of issue
  };
  static constexpr unsigned kPageBytes = MemoryImage::kPageBytes;
  /// Writers of one byte that are remembered by name. Of earlier ones only the value is remembered.
  static constexpr unsigned kMostWriters = 8;

  /// Addresses below `first_shared` belong to one thread at a time, so there the latest write
  /// counts.
  explicit WriteLog(Addr first_shared) : first_shared_(first_shared) {}

  void clear();
  /// `place`: as for DataCheck::begin_launch().
  void name_places(DataCheck::Place place) { place_ = std::move(place); }
  /// Returns a text like "pc 0x40", or "pc 0x40 (sum.cu:12)" where the line is known.
  std::string place_of(std::uint32_t pc) const;
  /// Calls come in an order that agrees with the program's: no write is ordered before an earlier
  /// one.
  void add(Addr address, unsigned bytes, const std::uint8_t* data, const Write& write);

  /// Returns the pages written to, ascending.
  std::vector<Addr> pages() const;
  /// Returns the number of bytes of the page that several writes may have left.
  unsigned racy_bytes(Addr page) const;
  /// Returns the first byte of the page of which several writes may have left different values.
  std::optional<Addr> first_conflict(Addr page) const;
  /// Returns true when the byte was written and one of its writes may have left `value`.
  bool allows(Addr address, std::uint8_t value) const;
  /// Returns true when a load of `actor` may miss the latest value: a warp other than its own wrote
  /// the word, and no later write of its own must have hidden that one.
  bool may_be_stale(Addr address, const Actor& actor) const;
  /// Returns a text like "written by CTA 3 warp 12 at pc 0x40, 1234.567 ns (0x2a)", for each
  /// writer.
  std::string describe(Addr address) const;

 private:
  static constexpr unsigned kWordBytes = 4;
  static constexpr unsigned kWords = kPageBytes / kWordBytes;
  static constexpr std::uint32_t kSide = std::uint32_t(1) << 31;  // the rest indexes side_

  struct Page {
    std::array<std::uint32_t, kWords> owner{};  // 0: not written; kSide | i; else a write's index
    std::array<std::uint64_t, kWords / 64> several{};  // more than one warp has written the word
    std::array<std::uint8_t, kPageBytes> value{};
    unsigned side_words = 0;
  };
  struct Record {
    Write write;
    std::uint32_t references = 0;
  };
  struct Entry {
    std::uint32_t write;
    std::uint8_t byte;  // place of the byte in the word
    std::uint8_t value;
  };
  using Forgotten = std::array<std::bitset<256>, kWordBytes>;  // values of old writers, by byte
  struct SideWord {
    std::vector<Entry> entries;  // entries, oldest first
    std::unique_ptr<Forgotten> forgotten;
  };

  bool ordered(Addr address, const Write& before, const Write& after) const;
  Page& page_at(Addr base);
  const Page* find_page(Addr base) const;
  void add_words(Page& page, Addr address, unsigned words, const std::uint8_t* data,
                 std::uint32_t id);
  void add_run(Page& page, Addr address, unsigned words, const std::uint8_t* data,
               std::uint32_t id);
  void add_to_side(Page& page, Addr address, unsigned bytes, const std::uint8_t* data,
                   std::uint32_t id);
  void move_to_side(Page& page, unsigned word);
  void put_entry(SideWord& side, Addr address, const Entry& entry);
  /// Calls visitor(write, value) for every write that may have left its value in the byte.
  template <class Visitor>
  void visit(Addr address, Visitor&& visitor) const;
  const std::bitset<256>* forgotten(Addr address) const;

  std::uint32_t new_record(const Write& write);
  void release(std::uint32_t id, std::uint32_t references);

  Addr first_shared_;
  DataCheck::Place place_;
  std::unordered_map<Addr, std::unique_ptr<Page>> pages_;
  Addr last_base_ = 0;
  Page* last_page_ = nullptr;
  std::vector<Record> records_{1};  // index 0 means none
  std::vector<std::uint32_t> free_records_;
  std::vector<SideWord> side_;
  std::vector<std::uint32_t> free_side_;
};

}  // namespace warpmem
