// SPDX-License-Identifier: Apache-2.0
// TLM-2.0 modules made with nothing but tlm_utils: they know neither clock domains nor the payload
// extension, as a third party's would not.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <systemc>
#include <tlm>
#include <vector>

namespace warpmem::plain {

using Payload = tlm::tlm_generic_payload;

/// How a target answers BEGIN_REQ.
enum class Answer {
  completed,         ///< TLM_COMPLETED, the latency as annotation
  updated_response,  ///< TLM_UPDATED to BEGIN_RESP, the latency as annotation
  updated_end_req,   ///< TLM_UPDATED to END_REQ, later BEGIN_RESP
  accepted,          ///< TLM_ACCEPTED, END_REQ after half the latency, later BEGIN_RESP
  accepted_no_end    ///< TLM_ACCEPTED, later BEGIN_RESP, which implies END_REQ
};

/// This is a memory of 64 KiB with one response at a time.
class Target : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Target);
  Target(sc_core::sc_module_name name, Answer answer, sc_core::sc_time latency)
      : sc_module(name), socket("socket"), answer_(answer), latency_(latency), bytes_(1 << 16) {
    socket.register_nb_transport_fw(this, &Target::nb_transport_fw);
    SC_METHOD(work);
    sensitive << event_;
    dont_initialize();
  }
  tlm_utils::simple_target_socket<Target> socket;
  std::vector<sc_core::sc_time> requests;  ///< arrival times

 private:
  tlm::tlm_sync_enum nb_transport_fw(Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase == tlm::END_RESP) {
      responding_ = false;
      event_.notify(sc_core::SC_ZERO_TIME);
      return tlm::TLM_COMPLETED;
    }
    const sc_core::sc_time now = sc_core::sc_time_stamp();
    requests.push_back(now);
    if (answer_ == Answer::completed || answer_ == Answer::updated_response) {
      access(p);
      delay += latency_;
      if (answer_ == Answer::completed) return tlm::TLM_COMPLETED;
      phase = tlm::BEGIN_RESP;
      return tlm::TLM_UPDATED;
    }
    p.acquire();
    todo_.insert({now + latency_, {&p, tlm::BEGIN_RESP}});
    if (answer_ == Answer::accepted) todo_.insert({now + 0.5 * latency_, {&p, tlm::END_REQ}});
    arm();
    if (answer_ != Answer::updated_end_req) return tlm::TLM_ACCEPTED;
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  void work() {
    while (!todo_.empty() && todo_.begin()->first <= sc_core::sc_time_stamp()) {
      auto [payload, phase] = todo_.begin()->second;
      if (phase == tlm::BEGIN_RESP && responding_) return;  // END_RESP comes back here
      todo_.erase(todo_.begin());
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      if (phase == tlm::END_REQ) {
        socket->nb_transport_bw(*payload, phase, delay);
        continue;
      }
      access(*payload);
      responding_ = socket->nb_transport_bw(*payload, phase, delay) == tlm::TLM_ACCEPTED;
      payload->release();
    }
    arm();
  }
  void arm() {
    if (todo_.empty()) return;
    const sc_core::sc_time now = sc_core::sc_time_stamp();
    const sc_core::sc_time at = todo_.begin()->first;
    event_.notify(at > now ? at - now : sc_core::SC_ZERO_TIME);
  }
  void access(Payload& p) {
    unsigned char* memory = bytes_.data() + p.get_address() % bytes_.size();
    if (p.is_read()) std::memcpy(p.get_data_ptr(), memory, p.get_data_length());
    if (p.is_write()) std::memcpy(memory, p.get_data_ptr(), p.get_data_length());
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  Answer answer_;
  sc_core::sc_time latency_;
  std::vector<unsigned char> bytes_;
  std::multimap<sc_core::sc_time, std::pair<Payload*, tlm::tlm_phase>> todo_;
  sc_core::sc_event event_;
  bool responding_ = false;
};

/// How an initiator answers BEGIN_RESP.
enum class Finish {
  completed,         ///< TLM_COMPLETED
  updated_end_resp,  ///< TLM_UPDATED to END_RESP
  accepted           ///< TLM_ACCEPTED, END_RESP after 10 ns
};

/// Writes a word to each of `count` addresses and reads it back, as fast as the link takes them.
class Initiator : public sc_core::sc_module, public tlm::tlm_mm_interface {
 public:
  SC_HAS_PROCESS(Initiator);
  Initiator(sc_core::sc_module_name name, Finish finish, unsigned count)
      : sc_module(name), socket("socket"), finish_(finish), count_(count) {
    socket.register_nb_transport_bw(this, &Initiator::nb_transport_bw);
    SC_THREAD(run);
  }
  tlm_utils::simple_initiator_socket<Initiator> socket;
  unsigned written = 0;
  std::map<sc_dt::uint64, std::uint32_t> read;  ///< what was read, by address
  unsigned in_use = 0;                          ///< payloads not freed

  void free(Payload* p) override {
    delete reinterpret_cast<std::uint32_t*>(p->get_data_ptr());
    delete p;
    --in_use;
  }

 private:
  Payload* make(tlm::tlm_command command, unsigned i) {
    auto* p = new Payload(this);
    ++in_use;
    p->acquire();
    p->set_command(command);
    p->set_address(128 * i);
    p->set_data_ptr(reinterpret_cast<unsigned char*>(new std::uint32_t(i + 1)));
    p->set_data_length(4);
    p->set_streaming_width(4);
    return p;
  }
  void run() {
    for (const tlm::tlm_command command : {tlm::TLM_WRITE_COMMAND, tlm::TLM_READ_COMMAND}) {
      for (unsigned i = 0; i < count_; ++i) {
        begin(*make(command, i));
        while (waiting_ != nullptr) wait(changed_);
        wait(1, sc_core::SC_NS);
      }
      while (in_use != 0) wait(changed_);  // the reads must see the writes
    }
  }
  void begin(Payload& p) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    waiting_ = &p;
    if (socket->nb_transport_fw(p, phase, delay) == tlm::TLM_UPDATED && phase == tlm::END_REQ)
      waiting_ = nullptr;
  }
  tlm::tlm_sync_enum nb_transport_bw(Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (waiting_ == &p) waiting_ = nullptr;
    changed_.notify(sc_core::SC_ZERO_TIME);
    if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
    switch (finish_) {
      case Finish::completed:
        finish(p);
        return tlm::TLM_COMPLETED;
      case Finish::updated_end_resp:
        finish(p);
        phase = tlm::END_RESP;
        return tlm::TLM_UPDATED;
      case Finish::accepted:
        sc_core::sc_spawn([this, &p] {
          sc_core::wait(10, sc_core::SC_NS);
          tlm::tlm_phase end = tlm::END_RESP;
          sc_core::sc_time none = sc_core::SC_ZERO_TIME;
          socket->nb_transport_fw(p, end, none);
          finish(p);
          changed_.notify(sc_core::SC_ZERO_TIME);
        });
        break;
    }
    return tlm::TLM_ACCEPTED;
  }
  void finish(Payload& p) {
    if (p.is_write()) {
      ++written;
    } else {
      std::memcpy(&read[p.get_address()], p.get_data_ptr(), 4);
    }
    p.release();
  }

  Finish finish_;
  unsigned count_;
  Payload* waiting_ = nullptr;
  sc_core::sc_event changed_;
};

}  // namespace warpmem::plain
