// SPDX-License-Identifier: Apache-2.0
#include "base/data_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/errors.hpp"
#include "base/write_log.hpp"

namespace warpmem {

struct DataCheck::Impl {
  explicit Impl(Addr first) : first_shared(first), log(first) {}

  bool settled_otherwise(Addr address, std::uint8_t value) const;
  unsigned compare_page(Addr page, const std::uint8_t* got, const std::uint8_t* expected,
                        std::string& first_wrong);

  Addr first_shared;
  WriteLog log;
  std::uint32_t atomics = 0;
  /// Racy bytes of this launch or earlier ones for which the hierarchy holds another of the right
  /// values than the program does.
  std::unordered_map<Addr, std::uint8_t> otherwise;
};

namespace {
std::string difference(Addr address, std::uint8_t got, std::uint8_t expected) {
  return fmt::format("address 0x{:x} holds 0x{:02x}, the program has 0x{:02x}", address, got,
                     expected);
}
}  // namespace

DataCheck::DataCheck(Addr first_shared) : impl_(std::make_unique<Impl>(first_shared)) {}
DataCheck::~DataCheck() = default;

void DataCheck::begin_launch(Place place) {
  impl_->log.clear();
  impl_->log.name_places(std::move(place));
  impl_->atomics = 0;
}

void DataCheck::wrote(Addr address, unsigned bytes, const std::uint8_t* data, const Actor& actor,
                      std::uint32_t atomic_sequence, Femtoseconds t) {
  impl_->log.add(address, bytes, data, {actor, atomic_sequence, t});
}

std::uint32_t DataCheck::next_atomic_sequence() { return ++impl_->atomics; }

bool DataCheck::Impl::settled_otherwise(Addr address, std::uint8_t value) const {
  if (otherwise.empty()) return false;
  const auto it = otherwise.find(address);
  return it != otherwise.end() && it->second == value;
}

void DataCheck::loaded(Addr address, unsigned bytes, const std::uint8_t* got,
                       const std::uint8_t* expected, const Actor& actor) {
  if (std::memcmp(got, expected, bytes) == 0) return;
  for (unsigned i = 0; i < bytes; ++i) {
    if (got[i] == expected[i] || impl_->log.may_be_stale(address + i, actor) ||
        impl_->settled_otherwise(address + i, got[i]))
      continue;
    throw SimulationError(fmt::format("data check: a load of CTA {} warp {} at {}: {}; {}",
                                      actor.cta, actor.warp, impl_->log.place_of(actor.pc),
                                      difference(address + i, got[i], expected[i]),
                                      impl_->log.describe(address + i)));
  }
  ++stale_loads_;
  if (!first_race_.empty()) return;
  const auto at = static_cast<unsigned>(std::mismatch(got, got + bytes, expected).first - got);
  first_race_ = fmt::format("a load of CTA {} warp {} at {} saw an older value: {}; {}", actor.cta,
                            actor.warp, impl_->log.place_of(actor.pc),
                            difference(address + at, got[at], expected[at]),
                            impl_->log.describe(address + at));
}

// Returns the number of wrong bytes; describes the first unless one is described already.
unsigned DataCheck::Impl::compare_page(Addr page, const std::uint8_t* got,
                                       const std::uint8_t* expected, std::string& first_wrong) {
  unsigned wrong = 0;
  for (unsigned i = 0; i < WriteLog::kPageBytes; ++i) {
    const Addr address = page + i;
    if (got[i] == expected[i]) {
      if (!otherwise.empty()) otherwise.erase(address);
    } else if (log.allows(address, got[i])) {
      otherwise[address] = got[i];
    } else if (!settled_otherwise(address, got[i])) {
      if (first_wrong.empty())
        first_wrong = difference(address, got[i], expected[i]) + "; " + log.describe(address);
      ++wrong;
    }
  }
  return wrong;
}

void DataCheck::compare(const std::vector<Addr>& extra_pages, const Reader& hierarchy,
                        const Reader& expected) {
  constexpr unsigned kBytes = WriteLog::kPageBytes;
  std::vector<Addr> pages = impl_->log.pages();
  for (const Addr page : extra_pages) pages.push_back(page - page % kBytes);
  std::sort(pages.begin(), pages.end());
  pages.erase(std::unique(pages.begin(), pages.end()), pages.end());

  std::array<std::uint8_t, kBytes> got;
  std::array<std::uint8_t, kBytes> want;
  std::string first_wrong;
  std::uint64_t wrong = 0;
  for (const Addr page : pages) {
    if (page < impl_->first_shared) continue;
    hierarchy(page, kBytes, got.data());
    expected(page, kBytes, want.data());
    bytes_compared_ += kBytes;
    const unsigned racy = impl_->log.racy_bytes(page);
    racy_bytes_ += racy;
    if (racy != 0 && first_race_.empty())
      if (const auto address = impl_->log.first_conflict(page))
        first_race_ = fmt::format("address 0x{:x} ends as the last of writes without an order: {}",
                                  *address, impl_->log.describe(*address));
    if (impl_->otherwise.empty() && std::memcmp(got.data(), want.data(), kBytes) == 0) continue;
    wrong += impl_->compare_page(page, got.data(), want.data(), first_wrong);
  }
  if (wrong != 0)
    throw SimulationError(fmt::format("data check: {} after the launch{}", first_wrong,
                                      wrong == 1 ? "" : fmt::format("; {} bytes wrong", wrong)));
}

}  // namespace warpmem
