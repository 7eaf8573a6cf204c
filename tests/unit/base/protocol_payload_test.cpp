// SPDX-License-Identifier: Apache-2.0
// What the checker asks of the payload and of the annotated times.
#include <vector>

#include "protocol_puppets.hpp"

namespace warpmem {
namespace {

using ProtocolPayloadTest = ProtocolCheckerTest;

// ---- References --------------------------------------------------------------------------------

TEST_F(ProtocolPayloadTest, NoMemoryManager) {
  Payload p;
  std::uint32_t data = 0;
  p.set_command(tlm::TLM_READ_COMMAND);
  p.set_data_ptr(reinterpret_cast<unsigned char*>(&data));
  p.set_data_length(4);
  p.set_streaming_width(4);
  EXPECT_THAT(complaint([&] { fw(p, tlm::BEGIN_REQ); }),
              Breaks("reference count", "no memory manager"));
}

TEST_F(ProtocolPayloadTest, NobodyHoldsAReference) {
  Transaction& t = make();
  fw(t, tlm::BEGIN_REQ);
  t.release();
  EXPECT_THAT(complaint([&] { respond(t); }), Breaks("reference count", "nobody holds"));
}

// ---- Attributes --------------------------------------------------------------------------------

TEST_F(ProtocolPayloadTest, SenselessAttributes) {
  const std::vector<std::pair<std::function<void(Payload&)>, std::string>> cases = {
      {[](Payload& p) { p.set_data_ptr(nullptr); }, "no data pointer, or length 0"},
      {[](Payload& p) { p.set_data_length(0); }, "no data pointer, or length 0"},
      {[](Payload& p) { p.set_streaming_width(0); }, "streaming width 0"},
      {[](Payload& p) { p.set_byte_enable_ptr(p.get_data_ptr()); }, "byte enables of length 0"}};
  for (const auto& [change, what] : cases) {
    Transaction& t = make();
    change(t);
    EXPECT_THAT(complaint([&] { fw(t, tlm::BEGIN_REQ); }), Breaks("attributes", what));
    sc_time delay = sc_core::SC_ZERO_TIME;
    EXPECT_THAT(complaint([&] { initiator->socket->b_transport(t, delay); }),
                Breaks("attributes", what));
  }
}

TEST_F(ProtocolPayloadTest, ChangedAttributesAreSeenAtTheResponse) {
  const std::vector<std::pair<std::function<void(Payload&)>, std::string>> cases = {
      {[](Payload& p) { p.set_command(tlm::TLM_WRITE_COMMAND); }, "command"},
      {[](Payload& p) { p.set_address(4); }, "address"},
      {[](Payload& p) { p.set_data_length(64); }, "data length"},
      {[](Payload& p) { p.set_data_ptr(p.get_data_ptr() + 4); }, "data pointer"},
      {[](Payload& p) { p.set_byte_enable_ptr(p.get_data_ptr()); }, "byte enable pointer"},
      {[](Payload& p) { p.set_byte_enable_length(4); }, "byte enable length"},
      {[](Payload& p) { p.set_streaming_width(4); }, "streaming width"}};
  target->answer = update_to(tlm::END_REQ);
  for (const auto& [change, what] : cases) {
    Transaction& t = make();
    fw(t, tlm::BEGIN_REQ);
    change(t);
    EXPECT_THAT(complaint([&] { respond(t); }),
                Breaks("attributes", what + " changed since BEGIN_REQ"));
  }
}

TEST_F(ProtocolPayloadTest, ChangedAttributesAreSeenAtEndReqAndEndResp) {
  Transaction& a = make();
  fw(a, tlm::BEGIN_REQ);
  a.set_address(4);
  EXPECT_THAT(complaint([&] { bw(a, tlm::END_REQ); }), Breaks("attributes", "address changed"));
  a.set_address(0x1000);
  respond(a);
  a.set_data_length(1);
  EXPECT_THAT(complaint([&] { fw(a, tlm::END_RESP); }),
              Breaks("attributes", "data length changed"));
}

// ---- Response status ---------------------------------------------------------------------------

TEST_F(ProtocolPayloadTest, ARequestWithAResponseStatus) {
  Transaction& t = make();
  t.set_response_status(tlm::TLM_OK_RESPONSE);
  EXPECT_THAT(complaint([&] { fw(t, tlm::BEGIN_REQ); }),
              Breaks("response status", "BEGIN_REQ with TLM_OK_RESPONSE"));
}

TEST_F(ProtocolPayloadTest, AResponseWithoutAStatus) {
  Transaction& t = make();
  fw(t, tlm::BEGIN_REQ);
  EXPECT_THAT(complaint([&] { bw(t, tlm::BEGIN_RESP); }),
              Breaks("response status", "TLM_INCOMPLETE_RESPONSE"));
}

TEST_F(ProtocolPayloadTest, ACompletionWithoutAStatus) {
  target->answer = complete;
  EXPECT_THAT(complaint([&] { fw(make(), tlm::BEGIN_REQ); }),
              Breaks("response status", "TLM_INCOMPLETE_RESPONSE"));
}

TEST_F(ProtocolPayloadTest, ABlockingCallWithoutAStatus) {
  target->blocking = [](Payload&, sc_time&) {};
  sc_time delay = sc_core::SC_ZERO_TIME;
  EXPECT_THAT(complaint([&] { initiator->socket->b_transport(make(), delay); }),
              Breaks("response status", "b_transport returned"));
}

TEST_F(ProtocolPayloadTest, AStatusChangedAfterTheResponse) {
  Transaction& t = make();
  fw(t, tlm::BEGIN_REQ);
  respond(t);
  t.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_THAT(complaint([&] { fw(t, tlm::END_RESP); }),
              Breaks("response status", "changed since BEGIN_RESP to TLM_ADDRESS_ERROR_RESPONSE"));
}

// ---- Timing ------------------------------------------------------------------------------------

TEST_F(ProtocolPayloadTest, APhaseThatTakesEffectBeforeTheLast) {
  Transaction& t = make();
  fw(t, tlm::BEGIN_REQ, 10);
  pass(4);
  EXPECT_THAT(complaint([&] { bw(t, tlm::END_REQ, 5); }), Breaks("timing", "1000000 fs before"));
}

TEST_F(ProtocolPayloadTest, EndRespBeforeTheAnnotatedResponse) {
  Transaction& t = make();
  fw(t, tlm::BEGIN_REQ);
  respond(t, 10);
  pass(9);
  EXPECT_THAT(complaint([&] { fw(t, tlm::END_RESP); }), Breaks("timing", "1000000 fs before"));
}

TEST_F(ProtocolPayloadTest, ADelayThatShrinks) {
  target->answer = [](Payload&, tlm_phase& phase, sc_time& delay) {
    phase = tlm::END_REQ;
    delay = sc_core::SC_ZERO_TIME;
    return tlm::TLM_UPDATED;
  };
  EXPECT_THAT(complaint([&] { fw(make(), tlm::BEGIN_REQ, 2); }),
              Breaks("timing", "the delay shrank in answer to BEGIN_REQ"));
}

TEST_F(ProtocolPayloadTest, ANegativeDelay) {
  Transaction& t = make();
  tlm_phase phase = tlm::BEGIN_REQ;
  sc_time delay = sc_time::from_value(~std::uint64_t(0));
  EXPECT_THAT(complaint([&] { initiator->socket->nb_transport_fw(t, phase, delay); }),
              Breaks("timing", "negative delay"));
}

TEST_F(ProtocolPayloadTest, ABlockingCallThatReturnsBeforeItBegan) {
  target->blocking = [](Payload& p, sc_time& delay) {
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    delay = sc_core::SC_ZERO_TIME;
  };
  sc_time delay(2, sc_core::SC_NS);
  EXPECT_THAT(complaint([&] { initiator->socket->b_transport(make(), delay); }),
              Breaks("timing", "b_transport returned before it was called"));
}

}  // namespace
}  // namespace warpmem
