// SPDX-License-Identifier: Apache-2.0
#include "cache/frontend/nonblocking.hpp"

#include <fmt/format.h>

namespace warpmem::cache {

std::string Nonblocking::describe() const { return fmt::format("nonblocking, turn {}", turn_); }

// Returns whether an older request to the same line waits.
bool Nonblocking::follows_its_line(std::size_t i) {
  for (std::size_t older = 0; older < i; ++older)
    if (incoming().at(older).line == incoming().at(i).line) return true;
  return false;
}

Waiting* Nonblocking::choose(Cycle now) {
  const std::size_t size = incoming().size();
  std::size_t first = 0;
  while (first < size && incoming().at(first).number < turn_) ++first;
  for (std::size_t step = 0; step < size; ++step) {
    const std::size_t i = first + step < size ? first + step : first + step - size;
    Waiting& w = incoming().at(i);
    if (can_try(w, now) && !follows_its_line(i)) return &w;
  }
  return nullptr;
}

Waiting* Nonblocking::find(std::uint64_t number) {
  std::size_t i = 0;
  while (incoming().at(i).number != number) ++i;
  return &incoming().at(i);
}

void Nonblocking::remove(Waiting& selected, Cycle) {
  turn_ = selected.number + 1;
  std::size_t i = 0;
  while (&incoming().at(i) != &selected) ++i;
  take(i);
}

}  // namespace warpmem::cache
