// SPDX-License-Identifier: Apache-2.0
#include "base/memory_image.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace warpmem {

void MemoryImage::read(Addr address, unsigned bytes, std::uint8_t* out) const {
  while (bytes != 0) {
    const unsigned offset = address % kPageBytes;
    const unsigned n = std::min(bytes, kPageBytes - offset);
    const auto page = pages_.find(address - offset);
    if (page == pages_.end()) {
      std::memset(out, 0, n);
    } else {
      std::memcpy(out, page->second->bytes.data() + offset, n);
    }
    address += n;
    out += n;
    bytes -= n;
  }
}

void MemoryImage::write(Addr address, unsigned bytes, const std::uint8_t* in,
                        const std::uint8_t* enable) {
  while (bytes != 0) {
    const unsigned offset = address % kPageBytes;
    const unsigned n = std::min(bytes, kPageBytes - offset);
    std::unique_ptr<Page>& page = pages_[address - offset];
    if (page == nullptr) page = std::make_unique<Page>();
    if (!page->written) {
      page->written = true;
      written_.push_back(address - offset);
    }
    std::uint8_t* to = page->bytes.data() + offset;
    if (enable == nullptr) {
      std::memcpy(to, in, n);
    } else {
      for (unsigned i = 0; i < n; ++i)
        if (enable[i] != 0) to[i] = in[i];
      enable += n;
    }
    address += n;
    in += n;
    bytes -= n;
  }
}

std::vector<Addr> MemoryImage::take_written_pages() {
  for (const Addr address : written_) pages_.at(address)->written = false;
  std::sort(written_.begin(), written_.end());
  return std::exchange(written_, {});
}

}  // namespace warpmem
