// SPDX-License-Identifier: Apache-2.0
// A plain tlm_utils initiator on the memory system: it knows nothing of warpmem's clocks, pools or
// payload extension.
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <cstdlib>
#include <deque>
#include <exception>
#include <iostream>
#include <string>
#include <systemc>
#include <tlm>

#include "memory/memory_system.hpp"

namespace {

/// A word to write or to read, and the payload that carries it.
struct Word {
  tlm::tlm_generic_payload payload;
  std::uint32_t value = 0;
};

class Initiator : public sc_core::sc_module, public tlm::tlm_mm_interface {
 public:
  SC_HAS_PROCESS(Initiator);
  Initiator(sc_core::sc_module_name name, unsigned words)
      : sc_module(name), socket("socket"), words_(words) {
    socket.register_nb_transport_bw(this, &Initiator::nb_transport_bw);
    SC_THREAD(run);
  }
  tlm_utils::simple_initiator_socket<Initiator> socket;
  bool right = true;

 private:
  static constexpr unsigned kStride = 96;  // words share lines

  void run() {
    report("untimed", [this](tlm::tlm_command command, std::uint32_t base) {
      for (unsigned i = 0; i < words_; ++i) {
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        Word word;
        prepare(word, command, i, base);
        socket->b_transport(word.payload, delay);
        check(word, i, base);
        wait(delay);  // without this line all of it takes no simulated time
      }
    });
    report("timed", [this](tlm::tlm_command command, std::uint32_t base) {
      for (unsigned i = 0; i < words_; ++i) {
        in_flight_.emplace_back();
        prepare(in_flight_.back(), command, i, base);
        begin(in_flight_.back());
      }
      while (answered_ != words_) wait(changed_);
      for (unsigned i = 0; i < words_; ++i) check(in_flight_[i], i, base);
      in_flight_.clear();
      answered_ = 0;
    });
  }

  template <class Access>
  void report(const char* what, Access&& access) {
    const std::uint32_t base = what[0] == 'u' ? 1000 : 2000;
    const sc_core::sc_time start = sc_core::sc_time_stamp();
    access(tlm::TLM_WRITE_COMMAND, base);
    access(tlm::TLM_READ_COMMAND, base);
    std::cout << what << ": " << words_ << (right ? " words read back" : " words, some WRONG")
              << " in " << sc_core::sc_time_stamp() - start << "\n";
  }

  void prepare(Word& word, tlm::tlm_command command, unsigned i, std::uint32_t base) {
    word.value = command == tlm::TLM_WRITE_COMMAND ? base + i : 0;
    word.payload.set_command(command);
    word.payload.set_address(std::uint64_t(kStride) * i);
    word.payload.set_data_ptr(reinterpret_cast<unsigned char*>(&word.value));
    word.payload.set_data_length(sizeof word.value);
    word.payload.set_streaming_width(sizeof word.value);
  }
  void check(const Word& word, unsigned i, std::uint32_t base) {
    right = right && word.payload.is_response_ok() && word.value == base + i;
  }

  // A timed request: the next one goes when this one has its END_REQ, one a nanosecond at most.
  void begin(Word& word) {
    word.payload.set_mm(this);
    word.payload.acquire();
    requesting_ = &word.payload;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    if (socket->nb_transport_fw(word.payload, phase, delay) == tlm::TLM_UPDATED)
      requesting_ = nullptr;
    while (requesting_ != nullptr) wait(changed_);
    wait(1, sc_core::SC_NS);
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time&) {
    if (requesting_ == &payload) requesting_ = nullptr;  // BEGIN_RESP implies END_REQ
    changed_.notify(sc_core::SC_ZERO_TIME);
    if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
    ++answered_;
    payload.release();
    return tlm::TLM_COMPLETED;
  }
  void free(tlm::tlm_generic_payload*) override {}  // in_flight_ owns them

  unsigned words_;
  std::deque<Word> in_flight_;
  unsigned answered_ = 0;
  tlm::tlm_generic_payload* requesting_ = nullptr;
  sc_core::sc_event changed_;
};

}  // namespace

int sc_main(int argc, char** argv) {
  try {
    const std::string file = argc > 1 ? argv[1] : "";
    const unsigned words = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 256;
    warpmem::set_simulation_resolution();
    warpmem::memory::MemorySystem memory("memory",
                                         warpmem::memory::read_params(file, {"sm.count=1"}));
    Initiator initiator("initiator", words);
    initiator.socket.bind(memory.cpu(0));
    warpmem::StatRegistry statistics;
    memory.register_stats(statistics);

    statistics.begin_kernel("words");
    sc_core::sc_start(10, sc_core::SC_MS);
    warpmem::rethrow_tick_failure();
    if (!memory.idle()) throw std::runtime_error("requests are left:\n" + memory.describe());
    std::cout << "the memory system is idle\n";
    statistics.end_kernel();  // evaluates the conservation laws
    std::cout << statistics.table();
    return initiator.right ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << "\n";
    return 2;
  }
}
