// SPDX-License-Identifier: Apache-2.0
#include "cache/frontend/frontend.hpp"

namespace warpmem::cache {

void Frontend::take_note(Cycle now) {
  const std::size_t before = incoming_.size();
  while (Payload* const payload = in_.request(static_cast<unsigned>(incoming_.size()))) {
    mark(*payload, arrival_, time_);
    Waiting w;
    w.payload = payload;
    w.line = payload->get_address() >> line_bits_;
    w.number = arrived_++;
    w.arrived = now;
    w.ready = now + arrival_latency();
    arrived(w);
    incoming_.push(w);
  }
  if (incoming_.size() != before) report_use();
}

Waiting Frontend::take(std::size_t i) {
  in_.take_request(static_cast<unsigned>(i));
  const Waiting taken = i == 0 ? incoming_.pop() : incoming_.erase(i);
  report_use();
  return taken;
}

}  // namespace warpmem::cache
