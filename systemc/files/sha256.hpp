// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4) by Nettle, for names of cached results and the identity of programs.
#pragma once

#include <nettle/sha2.h>

#include <string>
#include <string_view>

namespace warpmem {

class Sha256 {
 public:
  Sha256() { sha256_init(&context_); }
  void add(std::string_view bytes);
  /// Adds the length before the bytes, so that neighbouring fields cannot run into each other.
  void add_field(std::string_view bytes);
  /// Returns 64 hexadecimal digits. The object must not be used afterwards.
  std::string hex();

 private:
  sha256_ctx context_;
};

/// Returns the digest of one text.
std::string sha256_hex(std::string_view bytes);

}  // namespace warpmem
