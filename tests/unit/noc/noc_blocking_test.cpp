// SPDX-License-Identifier: Apache-2.0
// b_transport through the crossbar, between modules of tlm_utils.
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <memory>
#include <vector>

#include "noc/crossbar.hpp"

namespace warpmem::noc {
namespace {

/// Takes 7 ns and remembers what it saw.
class PlainTarget : public sc_core::sc_module {
 public:
  explicit PlainTarget(sc_core::sc_module_name name) : sc_module(name), socket("socket") {
    socket.register_b_transport(this, &PlainTarget::b_transport);
  }
  tlm_utils::simple_target_socket<PlainTarget> socket;
  std::vector<Addr> seen;

 private:
  void b_transport(Payload& payload, sc_core::sc_time& delay) {
    seen.push_back(payload.get_address());
    delay += sc_core::sc_time(7, sc_core::SC_NS);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

class PlainInitiator : public sc_core::sc_module {
 public:
  explicit PlainInitiator(sc_core::sc_module_name name) : sc_module(name), socket("socket") {}
  tlm_utils::simple_initiator_socket<PlainInitiator> socket;

  tlm::tlm_response_status read(Addr address, unsigned bytes, sc_core::sc_time& delay) {
    std::vector<unsigned char> data(bytes);
    Payload payload;
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_address(address);
    payload.set_data_ptr(data.data());
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
    socket->b_transport(payload, delay);
    return payload.get_response_status();
  }
};

TEST(CrossbarBlocking, GoesToThePartitionInTheTimeOfEmptyPipelines) {
  set_simulation_resolution();
  ClockDomain clock("clock", 1'000'000'000);
  AddressMapParams addresses;
  addresses.partitions = 2;
  const AddressMap map(addresses);
  Crossbar::Params params;
  params.latency = 10;
  Crossbar crossbar("crossbar", clock, params, map, 1);
  PlainInitiator initiator("initiator");
  initiator.socket.bind(crossbar.input(0).socket);
  PlainTarget even("even"), odd("odd");
  crossbar.output(0).socket.bind(even.socket);
  crossbar.output(1).socket.bind(odd.socket);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);

  sc_core::sc_time delay(1, sc_core::SC_NS);
  EXPECT_EQ(initiator.read(256, 128, delay), tlm::TLM_OK_RESPONSE);
  EXPECT_TRUE(even.seen.empty());
  EXPECT_EQ(odd.seen, std::vector<Addr>{256});
  // 10 cycles each way, a flit of header there, five of 136 B back, and the target's 7 ns.
  EXPECT_EQ(delay, sc_core::sc_time(1 + 20 + 1 + 5 + 7, sc_core::SC_NS));

  EXPECT_EQ(initiator.read(192, 128, delay), tlm::TLM_BURST_ERROR_RESPONSE) << "two partitions";
  EXPECT_EQ(even.seen.size() + odd.seen.size(), 1u);
  EXPECT_TRUE(crossbar.idle());
}

// The far slice is five cycles further each way; 64 B a flit make three of 136 B.
TEST(CrossbarBlocking, CountsTheWayToTheFarHalf) {
  set_simulation_resolution();
  ClockDomain clock("clock", 1'000'000'000);
  AddressMapParams addresses;
  addresses.partitions = 2;
  const AddressMap map(addresses);
  Crossbar::Params params;
  params.latency = 10;
  params.far_latency = 5;
  params.response_flit_bytes = 64;
  Crossbar crossbar("crossbar", clock, params, map, 1);
  PlainInitiator initiator("initiator");
  initiator.socket.bind(crossbar.input(0).socket);
  PlainTarget even("even"), odd("odd");
  crossbar.output(0).socket.bind(even.socket);
  crossbar.output(1).socket.bind(odd.socket);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  EXPECT_EQ(initiator.read(0, 128, delay), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(delay, sc_core::sc_time(20 + 1 + 3 + 7, sc_core::SC_NS));
  delay = sc_core::SC_ZERO_TIME;
  EXPECT_EQ(initiator.read(256, 128, delay), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(delay, sc_core::sc_time(20 + 10 + 1 + 3 + 7, sc_core::SC_NS));
}

}  // namespace
}  // namespace warpmem::noc
