// SPDX-License-Identifier: Apache-2.0
#include "base/transaction.hpp"

#include "base/assert.hpp"

namespace warpmem {

namespace {
struct ClonedAccess : Access {
  explicit ClonedAccess(const Access& origin) : Access(origin) {}
  void free() override { delete this; }
};
}  // namespace

tlm::tlm_extension_base* Access::clone() const { return new ClonedAccess(*this); }

TransactionPool::~TransactionPool() {
  // The extension is a member of the transaction and is detached so that the payload does not free
  // it.
  for (auto& transaction : all_) transaction->clear_extension<Access>();
}

Transaction& TransactionPool::get(tlm::tlm_command command, Addr address, unsigned bytes) {
  static const Access kDefault;
  return get_for(kDefault, command, address, bytes);
}

Transaction& TransactionPool::get_for(const Access& origin, tlm::tlm_command command, Addr address,
                                      unsigned bytes) {
  assert(bytes >= 1 && bytes <= kMaxLineBytes);
  if (free_.empty()) {
    for (std::size_t i = 0; i < kBlock; ++i) {
      all_.emplace_back(new Transaction(this));
      free_.push_back(all_.back().get());
    }
  }
  Transaction& t = *free_.back();
  free_.pop_back();
  ++handed_out_;
  t.set_command(command);
  t.set_address(address);
  t.set_data_ptr(t.data.data());
  t.set_data_length(bytes);
  t.set_streaming_width(bytes);
  t.set_byte_enable_ptr(nullptr);
  t.set_byte_enable_length(0);
  t.set_dmi_allowed(false);
  t.set_gp_option(tlm::TLM_MIN_PAYLOAD);
  t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  t.access = origin;
  t.acquire();
  return t;
}

void TransactionPool::free(tlm::tlm_generic_payload* payload) {
  assert(handed_out_ > 0);
  --handed_out_;
  free_.push_back(static_cast<Transaction*>(payload));
}

const Access& default_access() {
  static const Access kDefault;
  return kDefault;
}

}  // namespace warpmem
