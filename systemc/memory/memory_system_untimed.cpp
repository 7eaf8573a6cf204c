// SPDX-License-Identifier: Apache-2.0
// What the host does between launches, and pages that change their memory: no time passes.
#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "base/errors.hpp"
#include "base/interrupt.hpp"
#include "base/payload_bytes.hpp"
#include "memory/memory_system.hpp"

namespace warpmem::memory {

void MemorySystem::host_wrote(Addr address, std::uint64_t bytes, const std::uint8_t* data,
                              bool copied) {
  const l2::HostCopy way = copied ? params_.l2.memcpy : l2::HostCopy::drop;
  const auto store = [=](Addr begin, std::uint64_t n) {
    store_from_host(begin, n, data + (begin - address), way == l2::HostCopy::update);
    if (way == l2::HostCopy::keep) keep_in_l2(begin, n);
  };
  if (unified_ == nullptr) {
    store(address, bytes);
  } else {
    unified_->host_wrote(address, bytes, data, store);
  }
}

void MemorySystem::host_read(Addr address, std::uint64_t bytes) {
  if (unified_ != nullptr) unified_->host_read(address, bytes);
}

std::vector<Addr> MemorySystem::take_written_pages() {
  std::vector<Addr> pages = image_.take_written_pages();
  if (link_ != nullptr)
    for (const Addr page : link_->take_written_pages()) pages.push_back(page);
  return pages;
}

void MemorySystem::allocated(Addr address, std::uint64_t bytes, bool managed) {
  if (unified_ != nullptr) unified_->allocated(address, bytes, managed);
}

// The rest of the last page belongs to nobody and reads as zero to the program; frames that a page
// has left hold rubbish.
void MemorySystem::released(Addr address, std::uint64_t bytes, const std::uint8_t* data) {
  if (unified_ == nullptr) return;
  const std::uint64_t free = unified_->released(address, bytes);
  if (bytes < free) store_from_host(address + bytes, free - bytes, data + bytes, false);
}

void MemorySystem::prefetch(Addr address, std::uint64_t bytes, bool to_device) {
  if (unified_ != nullptr) unified_->prefetch(address, bytes, to_device);
}

// The lines of [address, address + bytes) have left L2, and DRAM has their bytes.
void MemorySystem::keep_in_l2(Addr address, std::uint64_t bytes) {
  const Addr line = params_.l2.line_bytes;
  by_blocks(address, bytes, line, [&](Addr begin, std::uint64_t) {
    const Addr block = begin & ~(line - 1);
    throw_if_interrupted();
    l2s_[map_.slice(block).value]->take_from_host(block);
    ++host_lines_;
    return true;
  });
}

// `update`: the lines that L2 has stay and take the bytes, too.
void MemorySystem::store_from_host(Addr address, std::uint64_t bytes, const std::uint8_t* data,
                                   bool update) {
  if (!update)
    for (auto& l2 : l2s_) l2->invalidate(address, bytes);
  if (!params_.carry_data) return;
  while (bytes != 0) {
    throw_if_interrupted();
    const unsigned n = static_cast<unsigned>(std::min<std::uint64_t>(bytes, 1u << 20));
    if (external() || update) {
      write_through_l2(address, n, data);
    } else {
      image_.write(address, n, data);
    }
    address += n;
    data += n;
    bytes -= n;
  }
}

// A memory of somebody else may not answer.
void MemorySystem::debug(Transaction& t) {
  const unsigned s = map_.slice(t.get_address()).value;
  if (l2s_[s]->debug(t) != t.get_data_length())
    throw SimulationError(std::string(name()) + ": the target at memory(" + std::to_string(s) +
                          ") does not answer transport_dbg, by which the host reaches its bytes");
}

void MemorySystem::read_through_l2(Addr address, unsigned bytes, std::uint8_t* out) {
  by_blocks(address, bytes, params_.l2.line_bytes, [&](Addr begin, std::uint64_t n) {
    Transaction& t = pool_.get(tlm::TLM_READ_COMMAND, begin, n);
    debug(t);
    std::memcpy(out + (begin - address), t.data.data(), n);
    t.release();
    return true;
  });
}

// Through L2, where a line that left it before may still be on its way to DRAM.
void MemorySystem::write_through_l2(Addr address, unsigned bytes, const std::uint8_t* in) {
  by_blocks(address, bytes, params_.l2.line_bytes, [&](Addr begin, unsigned n) {
    Transaction& t = pool_.get(tlm::TLM_WRITE_COMMAND, begin, n);
    std::memcpy(t.data.data(), in + (begin - address), n);
    debug(t);
    t.release();
    return true;
  });
}

// A page of managed memory may lie in host memory.
void MemorySystem::read_newest(Addr address, unsigned bytes, std::uint8_t* out) {
  if (unified_ == nullptr) return read_through_l2(address, bytes, out);
  by_blocks(address, bytes, unified_->page_bytes(), [&](Addr begin, unsigned n) {
    std::uint8_t* const to = out + (begin - address);
    if (unified_->in_host_memory(begin)) {
      unified_->read_host(begin, n, to);
    } else {
      read_through_l2(begin, n, to);
    }
    return true;
  });
}

// The frames hold rubbish afterwards, which the data check would find if somebody used them.
void MemorySystem::take_pages(Addr address, unsigned bytes, std::uint8_t* out) {
  if (out != nullptr) read_through_l2(address, bytes, out);
  for (auto& l1d : l1ds_) l1d->drop_lines(address, bytes);
  for (auto& l2 : l2s_) l2->drop_lines(address, bytes);
  if (!params_.carry_data) return;
  std::array<std::uint8_t, MemoryImage::kPageBytes> rubbish;
  rubbish.fill(0xd5);
  for (unsigned done = 0; done < bytes; done += MemoryImage::kPageBytes) {
    if (external()) {
      write_through_l2(address + done, MemoryImage::kPageBytes, rubbish.data());
    } else {
      image_.write(address + done, MemoryImage::kPageBytes, rubbish.data());
    }
  }
}

}  // namespace warpmem::memory
