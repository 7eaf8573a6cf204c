// SPDX-License-Identifier: Apache-2.0
#include "cache/frontend/frontend.hpp"

namespace warpmem::cache {

void Frontend::take_note(Cycle now) {
  const std::size_t before = incoming_.size();
  const auto place = [this] { return static_cast<unsigned>(incoming_.size()); };
  while (Payload* const payload = in_.request(place())) {
    const Cycle since = in_.visible_since(place());
    mark(*payload, arrival_, since == now ? time_ : in_.clock().time_of(since));
    Waiting& w = incoming_.push_slot();
    w = {};
    w.payload = payload;
    w.line = payload->get_address() >> line_bits_;
    w.number = arrived_++;
    w.arrived = since;
    w.ready = since + arrival_latency();
    arrived(w);
  }
  if (incoming_.size() != before) report_use();
}

void Frontend::drop_oldest() {
  in_.take_request();
  incoming_.drop();
  report_use();
}

Waiting Frontend::take(std::size_t i) {
  in_.take_request(static_cast<unsigned>(i));
  const Waiting taken = i == 0 ? incoming_.pop() : incoming_.erase(i);
  report_use();
  return taken;
}

}  // namespace warpmem::cache
