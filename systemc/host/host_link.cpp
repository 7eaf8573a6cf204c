// SPDX-License-Identifier: Apache-2.0
#include "host/host_link.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/payload_bytes.hpp"
#include "base/transaction.hpp"

namespace warpmem::host {

namespace {

constexpr Femtoseconds kNanosecond = 1'000'000;
const std::vector<std::uint64_t> kLatencyBounds{500,  750,  1000,  1250,  1500,  2000,
                                                3000, 5000, 10000, 20000, 50000, 100000};

}  // namespace

HostLink::HostLink(sc_core::sc_module_name name, ClockDomain& domain, const LinkParams& params,
                   unsigned slices)
    : sc_module(name),
      Clocked(domain),
      params_(params),
      latency_(params.latency_nanoseconds * kNanosecond),
      at_host_(params.reads),
      landing_(params.reads),
      latency_histogram_(kLatencyBounds) {
  for (unsigned s = 0; s < slices; ++s) {
    ports_.push_back(std::make_unique<ServicePort>(fmt::format("slice{}", s), *this, params.queue));
    ports_.back()->watch(active_, s);
    ports_.back()->on_debug([this](Payload& payload) { return debug(payload); });
    ports_.back()->on_blocking(
        [this](Payload& payload, sc_core::sc_time& delay) { blocking(payload, delay); });
  }
}

HostLink::~HostLink() = default;

Femtoseconds HostLink::time_for(std::uint64_t bytes) const {
  return std::max<Femtoseconds>(1,
                                bytes * (kFemtosecondsPerSecond / 1'000'000) / params_.megabytes);
}

// Downstream first: answers that have come, answers that begin, requests that leave.
Cycle HostLink::tick(Cycle now) {
  const Femtoseconds edge = simulation_now();
  const Femtoseconds next_edge = domain().time_of(now + 1);
  active_.for_each([&](unsigned s) {
    ports_[s]->begin_cycle();
    if (ports_[s]->queued() == 0) active_.clear(s);
  });
  answer(edge, now);
  acknowledge(edge);
  start_answer(edge, next_edge);
  start_request(edge, next_edge);
  bool waits_for_tag = false;
  const bool waits = has_request(waits_for_tag);
  if (waits_since_ != kNever && !waits_for_tag) {
    stats_.tag_wait_cycles += now - waits_since_;
    waits_since_ = kNever;
  } else if (waits_since_ == kNever && waits_for_tag) {
    waits_since_ = now;
  }
  const Cycle next = next_work(now);
  return waits ? std::min(next, edge_before(out_free_, now)) : next;
}

void HostLink::answer(Femtoseconds edge, Cycle now) {
  while (!landing_.empty() && landing_.front().ready <= edge &&
         ports_[landing_.front().slice]->can_respond()) {
    const Flight flight = landing_.pop();
    --reads_;
    ++stats_.responses;
    ++stats_.reads_answered;
    stats_.read_cycles += now - flight.since;
    latency_histogram_.add(now - flight.since);
    mark(*flight.payload, Stage::dram_done, edge);
    ports_[flight.slice]->respond(*flight.payload);
  }
}

void HostLink::acknowledge(Femtoseconds edge) {
  while (!written_.empty() && written_.front().ready <= edge &&
         ports_[written_.front().slice]->can_respond()) {
    const Flight flight = written_.front();
    written_.pop_front();
    ++stats_.responses;
    mark(*flight.payload, Stage::dram_done, edge);
    ports_[flight.slice]->respond(*flight.payload);
  }
}

// A direction that gets free before the next edge takes its next packet at that very time.
void HostLink::start_answer(Femtoseconds edge, Femtoseconds next_edge) {
  while (!at_host_.empty()) {
    const Femtoseconds begin = std::max({at_host_.front().ready, in_free_, edge});
    if (begin >= next_edge) break;
    Flight flight = at_host_.pop();
    const std::uint64_t bytes = params_.header_bytes + flight.payload->get_data_length();
    in_free_ = begin + time_for(bytes);
    flight.ready = in_free_;
    stats_.bytes_in += bytes;
    landing_.push(flight);
  }
}

void HostLink::start_request(Femtoseconds edge, Femtoseconds next_edge) {
  if (active_.none() || std::max(out_free_, edge) >= next_edge) return;
  PortSet passed;
  const auto after = [&](unsigned s) {
    return active_.next((s + 1) % static_cast<unsigned>(ports_.size()), passed);
  };
  for (unsigned s = after(last_); s != PortSet::kNone; s = after(s)) {
    passed.set(s);
    const Payload* const head = ports_[s]->request();
    if (head == nullptr || (head->is_read() && reads_ == params_.reads)) continue;
    last_ = s;
    return depart(s, edge);
  }
}

void HostLink::depart(unsigned slice, Femtoseconds edge) {
  ServicePort& port = *ports_[slice];
  const Cycle since = port.visible_since(0);
  Payload& payload = *port.take_request();
  const unsigned data = payload.get_data_length();
  const bool read = payload.is_read();
  const std::uint64_t bytes = params_.header_bytes + (read ? 0 : data);
  out_free_ = std::max(out_free_, edge) + time_for(bytes);
  ++stats_.requests;
  stats_.bytes_out += bytes;
  mark(payload, Stage::dram_service, edge);
  access(payload);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  const Flight flight{&payload, slice, since, out_free_ + latency_};
  if (read) {
    ++stats_.reads;
    stats_.read_bytes += data;
    stats_.reads_under_way = std::max<std::uint64_t>(stats_.reads_under_way, ++reads_);
    at_host_.push(flight);
    return;
  }
  stats_.write_bytes += data;
  if (kind_of(payload) == AccessKind::atomic) {
    ++stats_.atomics;
    stats_.atomic_operations += std::max<unsigned>(1, access_of(payload).atomic_groups);
  } else {
    ++stats_.writes;
  }
  written_.push_back(flight);
}

void HostLink::access(Payload& payload) {
  if (!params_.carry_data) return;
  const Addr address = payload.get_address();
  const unsigned bytes = payload.get_data_length();
  std::array<std::uint8_t, kMaxLineBytes> there;
  image_.read(address, bytes, there.data());
  if (payload.is_read()) return store_to_payload(payload, there.data());
  if (kind_of(payload) == AccessKind::atomic) {
    atomics_.apply(payload, access_of(payload).atomic_sequence, there.data());
  } else {
    load_from_payload(payload, there.data());
  }
  image_.write(address, bytes, there.data());
}

Cycle HostLink::edge_at(Femtoseconds t, Cycle now) const {
  Cycle c = domain().cycle_at(t);
  if (domain().time_of(c) < t) ++c;
  return std::max(c, now + 1);
}

Cycle HostLink::edge_before(Femtoseconds t, Cycle now) const {
  return std::max(domain().cycle_at(t), now + 1);
}

// Whether a request that is there could leave if the link were free; `waits_for_tag`: a read is
// there that could not.
bool HostLink::has_request(bool& waits_for_tag) const {
  bool any = false;
  active_.for_each([&](unsigned s) {
    const Payload* const head = ports_[s]->request();
    if (head == nullptr) return;
    if (head->is_read() && reads_ == params_.reads) {
      waits_for_tag = true;
    } else {
      any = true;
    }
  });
  return any;
}

// What a port does not take now, though the initiator does not hold it back, goes in a next cycle.
Cycle HostLink::next_work(Cycle now) const {
  Cycle next = kNever;
  if (!at_host_.empty()) next = edge_before(std::max(at_host_.front().ready, in_free_), now);
  if (!landing_.empty() && !ports_[landing_.front().slice]->held())
    next = std::min(next, edge_at(landing_.front().ready, now));
  if (!written_.empty() && !ports_[written_.front().slice]->held())
    next = std::min(next, edge_at(written_.front().ready, now));
  return next;
}

// ---- what takes no time ------------------------------------------------------------------------

unsigned HostLink::debug(Payload& payload) {
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  const unsigned bytes = payload.get_data_length();
  if (!params_.carry_data) return bytes;
  if (payload.is_read()) image_.read(payload.get_address(), bytes, payload.get_data_ptr());
  if (payload.is_write()) image_.write(payload.get_address(), bytes, payload.get_data_ptr());
  return bytes;
}

void HostLink::blocking(Payload& payload, sc_core::sc_time& delay) {
  const Femtoseconds time =
      latency_ + time_for(2 * params_.header_bytes + payload.get_data_length());
  delay += sc_core::sc_time::from_value(time);
  access(payload);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

void HostLink::host_wrote(Addr address, std::uint64_t bytes, const std::uint8_t* data) {
  if (!params_.carry_data) return;
  constexpr std::uint64_t kPiece = 1u << 20;
  for (std::uint64_t done = 0; done < bytes; done += kPiece)
    image_.write(address + done, static_cast<unsigned>(std::min(kPiece, bytes - done)),
                 data + done);
}

void HostLink::begin_launch() {
  atomics_.clear();
  image_.take_written_pages();
}

std::vector<Addr> HostLink::take_written_pages() { return image_.take_written_pages(); }

// ---- reports -----------------------------------------------------------------------------------

bool HostLink::idle() const {
  return at_host_.empty() && landing_.empty() && written_.empty() &&
         std::all_of(ports_.begin(), ports_.end(), [](const auto& port) { return port->idle(); });
}

std::string HostLink::describe() const {
  std::string text = fmt::format("{}: {} reads at the host, {} on their way back, {} writes",
                                 name(), at_host_.size(), landing_.size(), written_.size());
  for (const auto& port : ports_)
    if (!port->idle()) text += "\n    " + port->describe();
  return text;
}

void HostLink::register_stats(StatRegistry& registry) {
  StatGroup& g = registry.group("host");
  const Stats& s = stats_;
  g.only_when_used(s.requests);
  g.before_snapshot([this] {
    const double seconds =
        static_cast<double>(simulation_now()) / static_cast<double>(kFemtosecondsPerSecond);
    stats_.most_bytes = static_cast<std::uint64_t>(seconds * params_.megabytes * 1e6);
  });
  g.counter("requests", s.requests, "requests",
            "requests of the L2 slices to memory of the host that left over the link");
  g.counter("responses", s.responses, "responses", "of these, answered or acknowledged");
  g.counter("reads", s.reads, "requests", "requests that read");
  g.counter("writes", s.writes, "requests", "stores, and write-backs of L1D");
  g.counter("atomics", s.atomics, "requests", "atomics, which the host performs");
  g.counter("read_bytes", s.read_bytes, "bytes", "bytes that reads asked for");
  g.counter("write_bytes", s.write_bytes, "bytes",
            "bytes that writes and atomics brought, bytes without effect included");
  g.counter("out.bytes", s.bytes_out, "bytes", "bytes moved to the host, headers included");
  g.counter("in.bytes", s.bytes_in, "bytes", "bytes moved from the host, headers included");
  g.ratio("out.utilization", s.bytes_out, s.most_bytes, "out.bytes / what the link could move");
  g.ratio("in.utilization", s.bytes_in, s.most_bytes, "in.bytes / what the link could move");
  g.ratio("read_latency", s.read_cycles, s.reads_answered,
          "mean cycles of the SMs' clock from the arrival of a read at the link to its answer");
  g.histogram("read_cycles", latency_histogram_, "cycles", "reads by these cycles");
  g.counter("tag_wait_cycles", s.tag_wait_cycles, "cycles",
            "cycles in which a read waited because host.reads were under way");
  g.peak("reads_under_way", stats_.reads_under_way, "reads", "the most reads under way at a time");

  g.law("requests by kind", [&s] {
    return expect_equal("requests", s.requests, "reads + writes + atomics",
                        s.reads + s.writes + s.atomics);
  });
  g.law("each request is answered",
        [&s] { return expect_equal("requests", s.requests, "responses", s.responses); });
  g.law("bytes to the host", [this, &s] {
    return expect_equal("out.bytes", s.bytes_out, "headers of requests + write_bytes",
                        s.requests * params_.header_bytes + s.write_bytes);
  });
  g.law("bytes from the host", [this, &s] {
    return expect_equal("in.bytes", s.bytes_in, "headers of answers + read_bytes",
                        s.reads * params_.header_bytes + s.read_bytes);
  });
  g.law("no direction moves more than it can", [&s] {
    const std::uint64_t most = std::max(s.bytes_out, s.bytes_in);
    return most <= s.most_bytes + 2 * (64 + kMaxLineBytes)
               ? std::string()
               : fmt::format("{} bytes > {} that the link could move", most, s.most_bytes);
  });
}

}  // namespace warpmem::host
