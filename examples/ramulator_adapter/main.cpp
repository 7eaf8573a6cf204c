// SPDX-License-Identifier: Apache-2.0
// The memory system over Ramulator 2, under an initiator that writes and reads words.
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "base/base.h"
#include "base/config.h"
#include "frontend/frontend.h"
#include "memory/memory_system.hpp"
#include "memory_system/memory_system.h"
#include "ramulator_memory.hpp"

namespace {

constexpr unsigned kWords = 2048;

/// Writes words, then reads them, with as many on the way as the pool has.
class Initiator : public sc_core::sc_module, public warpmem::Clocked {
 public:
  Initiator(sc_core::sc_module_name name, warpmem::ClockDomain& clock)
      : sc_module(name), Clocked(clock), out("out", *this, 8) {}
  warpmem::RequestPort out;
  unsigned right = 0;

 private:
  warpmem::Cycle tick(warpmem::Cycle now) override {
    out.begin_cycle();
    if (warpmem::Payload* payload = out.response() != nullptr ? out.take_response() : nullptr) {
      ++answered_;
      const auto& value = *reinterpret_cast<const std::uint32_t*>(payload->get_data_ptr());
      right += payload->is_read() && payload->is_response_ok() &&
               value == payload->get_address() / kStride;
      payload->release();
    }
    // The reads begin when every write is done.
    const unsigned end = answered_ < kWords ? kWords : 2 * kWords;
    if (sent_ < end && out.can_send()) {
      const bool write = sent_ < kWords;
      warpmem::Transaction& t = pool_.get(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND,
                                          kStride * (sent_ % kWords), sizeof(std::uint32_t));
      t.access.kind = write ? warpmem::AccessKind::store : warpmem::AccessKind::load;
      *reinterpret_cast<std::uint32_t*>(t.data.data()) = sent_ % kWords;
      ++sent_;
      out.send(t);
    }
    if (answered_ == 2 * kWords) sc_core::sc_pause();
    return answered_ == 2 * kWords ? warpmem::kNever : now + 1;
  }

  static constexpr warpmem::Addr kStride = 320;
  warpmem::TransactionPool pool_;
  unsigned sent_ = 0;
  unsigned answered_ = 0;
};

struct Instance {
  Ramulator::IFrontEnd* frontend;
  Ramulator::IMemorySystem* memory;
};

Instance make_ramulator(const std::string& file) {
  auto config = Ramulator::Config::parse_config_file(file, {});
  const Instance made{Ramulator::Factory::create_frontend(config),
                      Ramulator::Factory::create_memory_system(config)};
  made.frontend->connect_memory_system(made.memory);
  made.memory->connect_frontend(made.frontend);
  return made;
}

}  // namespace

int sc_main(int argc, char** argv) {
  try {
    const std::string file = argc > 1 ? argv[1] : "ramulator.yaml";
    const unsigned part_bytes = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 64;
    warpmem::set_simulation_resolution();
    warpmem::memory::MemorySystem memory(
        "memory",
        warpmem::memory::read_params("", {"sm.count=1", "memory.partitions=2", "l2.size=8KiB",
                                          "l2.ways=4", "dram.kind=external"}));
    std::vector<Instance> instances;
    std::vector<std::unique_ptr<RamulatorMemory>> memories;
    std::unique_ptr<warpmem::ClockDomain> clock;
    for (unsigned p = 0; p < memory.partitions(); ++p) {
      instances.push_back(make_ramulator(file));
      const double nanoseconds = instances.back().memory->get_tCK();
      if (clock == nullptr)
        clock = std::make_unique<warpmem::ClockDomain>(
            "ramulator_clock", static_cast<std::uint64_t>(1e9 / nanoseconds));
      memories.push_back(std::make_unique<RamulatorMemory>(
          ("ramulator" + std::to_string(p)).c_str(), *clock, *instances.back().frontend,
          *instances.back().memory, part_bytes,
          [&memory](warpmem::Addr address) { return memory.map().local(address); }));
      memory.memory(p).bind(memories.back()->in.socket);
    }
    Initiator initiator("initiator", memory.cpu_clock());
    initiator.out.socket.bind(memory.cpu(0));

    sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_MS));
    warpmem::rethrow_tick_failure();
    for (const Instance& instance : instances) {
      instance.frontend->finalize();
      instance.memory->finalize();
    }
    std::cout << initiator.right << " words read back by " << sc_core::sc_time_stamp() << "\n";
    return initiator.right == kWords ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << "\n";
    return 2;
  }
}
