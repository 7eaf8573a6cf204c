// SPDX-License-Identifier: Apache-2.0
// A traffic generator with the DRAM channel alone.
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <systemc>

#include "base/clock_domain.hpp"
#include "base/memory_image.hpp"
#include "base/stats.hpp"
#include "base/tlm_ports.hpp"
#include "base/transaction.hpp"
#include "dram/channel.hpp"

namespace {

using warpmem::Addr;
using warpmem::Cycle;

constexpr unsigned kLineBytes = 128;

/// Reads lines, one request a cycle while the channel takes them.
class Generator : public sc_core::sc_module, public warpmem::Clocked {
 public:
  Generator(sc_core::sc_module_name name, warpmem::ClockDomain& clock)
      : sc_module(name), Clocked(clock), out("out", *this, 8) {}
  warpmem::RequestPort out;

  /// Reads `lines` lines, `stride` bytes apart, and pauses the simulation when the last has been
  /// answered.
  void start(unsigned lines, Addr stride) {
    left_to_send_ = left_to_receive_ = lines;
    next_ = 0;
    stride_ = stride;
    wake();
  }
  bool done() const { return left_to_receive_ == 0; }

 private:
  Cycle tick(Cycle now) override {
    out.begin_cycle();
    if (out.response() != nullptr) {
      static_cast<warpmem::Transaction&>(*out.take_response()).release();
      if (--left_to_receive_ == 0) sc_core::sc_pause();
    }
    if (left_to_send_ != 0 && out.can_send()) {
      --left_to_send_;
      out.send(pool_.get(tlm::TLM_READ_COMMAND, next_, kLineBytes));
      next_ += stride_;
    }
    return left_to_receive_ != 0 ? now + 1 : warpmem::kNever;
  }

  warpmem::TransactionPool pool_;
  unsigned left_to_send_ = 0;
  unsigned left_to_receive_ = 0;
  Addr next_ = 0;
  Addr stride_ = 0;
};

}  // namespace

int sc_main(int argc, char** argv) {
  try {
    const unsigned lines = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 4096;
    warpmem::set_simulation_resolution();
    warpmem::AddressMapParams addresses;
    addresses.partitions = 1;
    addresses.bank_xor = false;
    const warpmem::AddressMap map(addresses);
    const warpmem::dram::Channel::Params params;
    warpmem::ClockDomain clock("clock", params.clock_hz);
    warpmem::MemoryImage bytes;
    warpmem::dram::Channel channel("channel", clock, params, map, bytes);
    Generator generator("generator", clock);
    generator.out.socket.bind(channel.in().socket);

    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    const auto rate_of = [&](const char* pattern, Addr stride) {
      const std::uint64_t hits = channel.stats().row_hits;
      const sc_core::sc_time start = sc_core::sc_time_stamp();
      generator.start(lines, stride);
      sc_core::sc_start();
      warpmem::rethrow_tick_failure();
      if (!generator.done()) throw std::runtime_error(channel.describe());
      const double seconds = (sc_core::sc_time_stamp() - start).to_seconds();
      const double rate = lines * double(kLineBytes) / seconds / 1e9;
      std::cout << pattern << ": " << rate << " GB/s, "
                << 100 * (channel.stats().row_hits - hits) / lines << " % row hits\n";
      return rate;
    };
    const double sequence = rate_of("lines in sequence", kLineBytes);
    const double rows = rate_of("rows of one bank", addresses.row_bytes * addresses.banks);
    if (sequence < 2 * rows) return 1;
    std::cout << "the open row is worth more than half of the bandwidth\n";
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << "\n";
    return 2;
  }
}
