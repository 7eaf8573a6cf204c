// SPDX-License-Identifier: Apache-2.0
// A loosely timed memory in place of DRAM, under a memory system without SMs.
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <exception>
#include <iostream>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "memory/memory_system.hpp"
#include "own_memory.hpp"

namespace {

constexpr unsigned kWords = 1024;
constexpr unsigned kStride = 256;  // far more lines than the caches hold

/// Writes words and reads them back: timed requests, one a cycle.
class Initiator : public sc_core::sc_module, public warpmem::Clocked {
 public:
  Initiator(sc_core::sc_module_name name, warpmem::ClockDomain& clock)
      : sc_module(name), Clocked(clock), out("out", *this, 8) {}
  warpmem::RequestPort out;
  unsigned right = 0;

 private:
  warpmem::Cycle tick(warpmem::Cycle now) override {
    out.begin_cycle();
    if (out.response() != nullptr) take(*out.take_response());
    // The reads begin when every write is done.
    if (sent_ < (answered_ < kWords ? kWords : 2 * kWords) && out.can_send()) send();
    return answered_ < 2 * kWords ? now + 1 : warpmem::kNever;
  }
  void send() {
    const bool write = sent_ < kWords;
    const std::uint32_t word = sent_++ % kWords;
    warpmem::Transaction& t = pool_.get(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND,
                                        kStride * word, sizeof word);
    t.access.kind = write ? warpmem::AccessKind::store : warpmem::AccessKind::load;
    *reinterpret_cast<std::uint32_t*>(t.data.data()) = word;
    out.send(t);
  }
  void take(warpmem::Payload& payload) {
    ++answered_;
    const auto value = *reinterpret_cast<const std::uint32_t*>(payload.get_data_ptr());
    right +=
        payload.is_read() && payload.is_response_ok() && value == payload.get_address() / kStride;
    payload.release();
  }

  warpmem::TransactionPool pool_;
  unsigned sent_ = 0;
  unsigned answered_ = 0;
};

}  // namespace

int sc_main(int, char**) {
  try {
    warpmem::set_simulation_resolution();
    warpmem::memory::MemorySystem memory(
        "memory",
        warpmem::memory::read_params("", {"dram.kind=external", "sm.count=1", "memory.partitions=2",
                                          "l2.size=8KiB", "l2.ways=4"}));
    std::vector<std::unique_ptr<OwnMemory>> own;
    for (unsigned p = 0; p < memory.partitions(); ++p) {
      own.push_back(std::make_unique<OwnMemory>(("own" + std::to_string(p)).c_str()));
      memory.memory(p).bind(own.back()->socket);
    }
    Initiator initiator("initiator", memory.cpu_clock());
    initiator.out.socket.bind(memory.cpu(0));
    sc_core::sc_time idle_since;
    memory.on_idle([&idle_since] { idle_since = sc_core::sc_time_stamp(); });

    sc_core::sc_start(10, sc_core::SC_MS);
    warpmem::rethrow_tick_failure();
    std::uint64_t accesses = 0;
    for (const auto& memory_of_partition : own) accesses += memory_of_partition->accesses;
    std::cout << "memory system: " << initiator.right << " words read back by " << idle_since
              << ", " << accesses << " accesses of the own memory\n";
    return initiator.right == kWords && accesses > kWords ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << "\n";
    return 2;
  }
}
