// SPDX-License-Identifier: Apache-2.0
// Ports against modules that know nothing of warpmem.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "base/protocol_checker.hpp"
#include "base/tlm_ports.hpp"
#include "link_bench.hpp"
#include "support/plain_tlm.hpp"

namespace warpmem {
namespace {

using testing::ElementsAre;

class PlainModulesTest : public testing::Test {
 protected:
  PlainModulesTest() { set_simulation_resolution(); }
};

// --------------------------------------------------------

/// Writes, then checks when the responses came. The latency is 10.5 ns, so that a response to a
/// request of edge n shows at edge n + 11.
void check_plain_target(plain::Answer answer, const Pace& pace, Cycle first_response) {
  ClockDomain d("d", kGigahertz);
  Sender sender("sender", d, pace, 50);
  ProtocolChecker checker("checker");
  plain::Target target("target", answer, sc_core::sc_time(10.5, sc_core::SC_NS));
  sender.port.socket.bind(checker.target);
  checker.initiator.bind(target.socket);
  run_for(5000 * kNs);
  rethrow_tick_failure();
  const std::vector<Cycle> responses = cycles_of(sender.trace, Event::response);
  ASSERT_EQ(responses.size(), 50u);
  EXPECT_EQ(responses.front(), first_response);
  for (std::uint32_t i = 0; i < 50; ++i) EXPECT_EQ(sender.data[i], i) << "in order";
  EXPECT_TRUE(sender.port.idle());
  EXPECT_EQ(sender.pool.outstanding(), 0u);
  EXPECT_EQ(checker.count(), 50u);
  EXPECT_EQ(checker.outstanding(), 0u);
}

constexpr Pace kSlow{8, 2, 8, 8, 1, 1};

TEST_F(PlainModulesTest, ATargetThatCompletesAtOnce) {
  check_plain_target(plain::Answer::completed, {}, 11);
}
TEST_F(PlainModulesTest, ATargetThatCompletesAtOnceAndASlowSender) {
  check_plain_target(plain::Answer::completed, kSlow, 11);
}
TEST_F(PlainModulesTest, ATargetThatRespondsOnTheReturnPath) {
  check_plain_target(plain::Answer::updated_response, {}, 11);
}
TEST_F(PlainModulesTest, ATargetThatRespondsOnTheReturnPathAndASlowSender) {
  check_plain_target(plain::Answer::updated_response, kSlow, 11);
}
TEST_F(PlainModulesTest, ATargetThatEndsTheRequestAtOnce) {
  check_plain_target(plain::Answer::updated_end_req, {}, 11);
}
TEST_F(PlainModulesTest, ATargetThatEndsTheRequestAtOnceAndASlowSender) {
  check_plain_target(plain::Answer::updated_end_req, kSlow, 11);
}
TEST_F(PlainModulesTest, ATargetThatEndsTheRequestLater) {
  check_plain_target(plain::Answer::accepted, {}, 11);
}
TEST_F(PlainModulesTest, ATargetThatEndsTheRequestLaterAndASlowSender) {
  check_plain_target(plain::Answer::accepted, kSlow, 11);
}
TEST_F(PlainModulesTest, ATargetWhoseResponseEndsTheRequest) {
  check_plain_target(plain::Answer::accepted_no_end, {}, 11);
}

/// Answers BEGIN_REQ with END_REQ, annotated: the request is accepted only then.
class SlowAcceptTarget : public sc_core::sc_module {
 public:
  explicit SlowAcceptTarget(sc_core::sc_module_name name) : sc_module(name), socket("socket") {
    socket.register_nb_transport_fw(this, &SlowAcceptTarget::nb_transport_fw);
  }
  tlm_utils::simple_target_socket<SlowAcceptTarget> socket;

 private:
  tlm::tlm_sync_enum nb_transport_fw(Payload&, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    phase = tlm::END_REQ;
    delay += sc_core::sc_time(4.5, sc_core::SC_NS);
    return tlm::TLM_UPDATED;
  }
};

TEST_F(PlainModulesTest, AnAnnotatedEndReqHoldsTheNextRequestBack) {
  ClockDomain d("d", kGigahertz);
  Sender sender("sender", d, {}, 3);
  SlowAcceptTarget target("target");
  sender.port.socket.bind(target.socket);
  run_for(100 * kNs);
  EXPECT_THAT(cycles_of(sender.trace, Event::send), ElementsAre(0, 5, 10));
}

void check_plain_initiator(plain::Finish finish, const Pace& pace) {
  ClockDomain d("d", kGigahertz);
  plain::Initiator initiator("initiator", finish, 40);
  ProtocolChecker checker("checker");
  Receiver receiver("receiver", d, pace);
  initiator.socket.bind(checker.target);
  checker.initiator.bind(receiver.port.socket);
  run_for(10'000 * kNs);
  rethrow_tick_failure();
  EXPECT_EQ(initiator.written, 40u);
  ASSERT_EQ(initiator.read.size(), 40u);
  for (const auto& [address, value] : initiator.read) EXPECT_EQ(value, address / 128 + 1);
  EXPECT_EQ(initiator.in_use, 0u);
  EXPECT_TRUE(receiver.port.idle());
  EXPECT_EQ(checker.count(), 80u);
  EXPECT_EQ(checker.outstanding(), 0u);
}

TEST_F(PlainModulesTest, AnInitiatorThatCompletes) {
  check_plain_initiator(plain::Finish::completed, {});
}
TEST_F(PlainModulesTest, AnInitiatorThatEndsOnTheReturnPath) {
  check_plain_initiator(plain::Finish::updated_end_resp, {});
}
TEST_F(PlainModulesTest, AnInitiatorThatEndsTheResponseLater) {
  check_plain_initiator(plain::Finish::accepted, {});
}
TEST_F(PlainModulesTest, AnInitiatorThatEndsTheResponseLaterOnAFullQueue) {
  check_plain_initiator(plain::Finish::accepted, {8, 8, 3, 8, 1, 1});
}

TEST_F(PlainModulesTest, DebugAndBlockingCallsReachTheOwner) {
  ClockDomain d("d", kGigahertz);
  plain::Initiator initiator("initiator", plain::Finish::completed, 0);
  ProtocolChecker checker("checker");
  Receiver receiver("receiver", d, {});
  initiator.socket.bind(checker.target);
  checker.initiator.bind(receiver.port.socket);
  run_for(10 * kNs);
  TransactionPool pool;
  Transaction& t = pool.get(tlm::TLM_READ_COMMAND, 0, 16);
  EXPECT_EQ(initiator.socket->transport_dbg(t), 16u);
  sc_core::sc_time delay(1, sc_core::SC_NS);
  initiator.socket->b_transport(t, delay);
  EXPECT_EQ(delay, sc_core::sc_time(8, sc_core::SC_NS));
  EXPECT_TRUE(t.is_response_ok());
  EXPECT_EQ(checker.count(), 1u);
  t.release();
}

}  // namespace
}  // namespace warpmem
