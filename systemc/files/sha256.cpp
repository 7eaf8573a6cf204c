// SPDX-License-Identifier: Apache-2.0
#include "files/sha256.hpp"

#include <fmt/format.h>

#include <array>

namespace warpmem {

void Sha256::add(std::string_view bytes) {
  sha256_update(&context_, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
}

void Sha256::add_field(std::string_view bytes) {
  add(fmt::format("{}:", bytes.size()));
  add(bytes);
}

std::string Sha256::hex() {
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
  sha256_digest(&context_, digest.size(), digest.data());
  std::string text;
  for (const std::uint8_t byte : digest) text += fmt::format("{:02x}", byte);
  return text;
}

std::string sha256_hex(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.hex();
}

}  // namespace warpmem
