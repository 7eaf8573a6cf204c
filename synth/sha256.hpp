// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4), for names of cached results.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace warpmem::synth {

class Sha256 {
 public:
  Sha256();
  void add(std::string_view bytes);
  /// Adds the length before the bytes, so that neighbouring fields cannot run into each other.
  void add_field(std::string_view bytes);
  /// 64 hexadecimal digits; the object must not be used afterwards.
  std::string hex();

 private:
  void block(const unsigned char* bytes);

  std::array<std::uint32_t, 8> state_;
  std::array<unsigned char, 64> pending_{};
  std::uint64_t length_ = 0;  ///< bytes so far
};

/// Digest of one text.
std::string sha256_hex(std::string_view bytes);

}  // namespace warpmem::synth
