// SPDX-License-Identifier: Apache-2.0
// Bytes that are zero until written, in pages of the host that take neither time nor memory before
// that. The lines of a machine of a hundred SMs are some ninety MiB, of which a short run uses
// little.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpmem {

class ZeroBytes {
 public:
  ZeroBytes() = default;
  /// Throws std::bad_alloc where the host has no room for `count` bytes.
  explicit ZeroBytes(std::size_t count);
  ZeroBytes(const ZeroBytes&) = delete;
  ZeroBytes& operator=(const ZeroBytes&) = delete;
  ~ZeroBytes();

  /// Begins at a page of the host; nullptr without a byte.
  std::uint8_t* data() { return bytes_; }

 private:
  std::uint8_t* bytes_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace warpmem
