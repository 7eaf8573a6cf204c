// SPDX-License-Identifier: Apache-2.0
// The payload of a migration: a run of whole pages that is read from host memory or written to it.
#pragma once

#include <cstdint>
#include <memory>
#include <tlm>
#include <vector>

#include "base/types.hpp"

namespace warpmem::uvm {

/// Size of the longest transfer; a longer run of pages takes several.
inline constexpr std::uint64_t kMaxTransferBytes = 2u << 20;

class DmaTransfer : public tlm::tlm_generic_payload {
 public:
  std::uint32_t job = 0;  ///< private to who made the transfer
  std::vector<unsigned char> data;

 private:
  friend class DmaPool;
  explicit DmaTransfer(tlm::tlm_mm_interface* pool) : tlm_generic_payload(pool) {}
};

/// Recycles transfers and their buffers.
class DmaPool : public tlm::tlm_mm_interface {
 public:
  DmaPool() = default;
  ~DmaPool() override {
    for (const auto& transfer : all_) transfer->reset();
  }
  DmaPool(const DmaPool&) = delete;
  DmaPool& operator=(const DmaPool&) = delete;

  /// Returns a transfer with reference count 1, whose bytes are what its last user left.
  DmaTransfer& get(tlm::tlm_command command, Addr address, std::uint64_t bytes) {
    if (free_.empty()) {
      all_.emplace_back(new DmaTransfer(this));
      free_.push_back(all_.back().get());
    }
    DmaTransfer& t = *free_.back();
    free_.pop_back();
    if (t.data.size() < bytes) t.data.resize(bytes);
    t.set_command(command);
    t.set_address(address);
    t.set_data_ptr(t.data.data());
    t.set_data_length(static_cast<unsigned>(bytes));
    t.set_streaming_width(static_cast<unsigned>(bytes));
    t.set_byte_enable_ptr(nullptr);
    t.set_byte_enable_length(0);
    t.set_dmi_allowed(false);
    t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    t.job = 0;
    t.acquire();
    return t;
  }
  void free(tlm::tlm_generic_payload* payload) override {
    free_.push_back(static_cast<DmaTransfer*>(payload));
  }
  /// Number of transfers that are handed out.
  std::size_t outstanding() const { return all_.size() - free_.size(); }

 private:
  std::vector<std::unique_ptr<DmaTransfer>> all_;
  std::vector<DmaTransfer*> free_;
};

}  // namespace warpmem::uvm
