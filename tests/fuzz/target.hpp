// SPDX-License-Identifier: Apache-2.0
// What a fuzz target is, for libFuzzer and for the driver that runs a corpus through it. Contract:
// any input ends in success or in a UserError that says where; never in a crash, undefined
// behaviour, a leak, more than 512 MiB or five seconds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/errors.hpp"

/// Takes one input, in whatever way the target reads it. The name is libFuzzer's.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace warpmem::fuzz {

/// A promise is broken: libFuzzer and the driver see the process abort.
[[noreturn]] inline void violated(const std::string& what) {
  std::fprintf(stderr, "contract violated: %s\n", what.c_str());
  std::abort();
}

inline void require(bool holds, const char* what) {
  if (!holds) violated(what);
}

/// Returns whether `message` has a place in it: ":12", "line 12" or "byte offset 12".
inline bool tells_place(std::string_view message) {
  for (const std::string_view before : {":", "line ", "byte offset "})
    for (auto at = message.find(before); at != message.npos; at = message.find(before, at + 1)) {
      const std::size_t digit = at + before.size();
      if (digit < message.size() && message[digit] >= '0' && message[digit] <= '9') return true;
    }
  return false;
}

/// Runs `body`; returns false when it threw a UserError, whose message must say where.
template <class Body>
bool succeeds(Body&& body) {
  try {
    body();
    return true;
  } catch (const UserError& e) {
    if (!tells_place(e.what())) violated(std::string("an error without a place: ") + e.what());
    return false;
  }
}

}  // namespace warpmem::fuzz
