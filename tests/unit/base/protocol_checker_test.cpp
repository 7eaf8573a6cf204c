// SPDX-License-Identifier: Apache-2.0
// These are phases: order, exclusion, return values. A legal pair of modules is in
// plain_modules_test.
#include "protocol_puppets.hpp"

namespace warpmem {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// ---- Legal -------------------------------------------------------------------------------------

TEST_F(ProtocolCheckerTest, FourPhasesPass) {
  Transaction& t = make();
  EXPECT_EQ(fw(t, tlm::BEGIN_REQ), tlm::TLM_ACCEPTED);
  EXPECT_EQ(checker->outstanding(), 1u);
  EXPECT_EQ(bw(t, tlm::END_REQ), tlm::TLM_ACCEPTED);
  EXPECT_EQ(respond(t), tlm::TLM_ACCEPTED);
  EXPECT_EQ(fw(t, tlm::END_RESP), tlm::TLM_ACCEPTED);
  EXPECT_EQ(checker->outstanding(), 0u);
  EXPECT_EQ(checker->count(), 1u);
}

TEST_F(ProtocolCheckerTest, ReturnPathsPass) {
  Transaction& a = make();
  target->answer = update_to(tlm::END_REQ);
  EXPECT_EQ(fw(a, tlm::BEGIN_REQ), tlm::TLM_UPDATED);
  initiator->answer = update_to(tlm::END_RESP);
  EXPECT_EQ(respond(a), tlm::TLM_UPDATED);

  Transaction& b = make();
  target->answer = [](Payload& p, tlm_phase& phase, sc_time& delay) {
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    phase = tlm::BEGIN_RESP;
    delay += sc_time(3, sc_core::SC_NS);
    return tlm::TLM_UPDATED;
  };
  EXPECT_EQ(fw(b, tlm::BEGIN_REQ), tlm::TLM_UPDATED);
  target->answer = complete;
  EXPECT_EQ(fw(b, tlm::END_RESP, 3), tlm::TLM_COMPLETED);

  Transaction& c = make();
  target->answer = [](Payload& p, tlm_phase&, sc_time&) {
    p.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return tlm::TLM_COMPLETED;
  };
  EXPECT_EQ(fw(c, tlm::BEGIN_REQ), tlm::TLM_COMPLETED);

  Transaction& d = make();
  target->answer = accept;
  initiator->answer = complete;
  fw(d, tlm::BEGIN_REQ);
  EXPECT_EQ(respond(d), tlm::TLM_COMPLETED) << "BEGIN_RESP implies END_REQ";
  EXPECT_EQ(checker->outstanding(), 0u);
  EXPECT_EQ(checker->count(), 4u);
}

TEST_F(ProtocolCheckerTest, RequestsMayOverlapResponsesAndComeBackInAnyOrder) {
  Transaction& a = make();
  Transaction& b = make();
  target->answer = update_to(tlm::END_REQ);
  fw(a, tlm::BEGIN_REQ);
  fw(b, tlm::BEGIN_REQ);
  target->answer = accept;
  respond(b);
  fw(b, tlm::END_RESP);
  respond(a);
  fw(a, tlm::END_RESP);
  EXPECT_EQ(checker->outstanding(), 0u);
}

TEST_F(ProtocolCheckerTest, ATransactionMayBeUsedAgainOnceItEnded) {
  Transaction& t = make();
  initiator->answer = complete;
  for (int n = 0; n < 3; ++n) {
    t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    fw(t, tlm::BEGIN_REQ);
    respond(t);
  }
  EXPECT_EQ(checker->count(), 3u);
}

TEST_F(ProtocolCheckerTest, OtherCallsAreForwarded) {
  Transaction& t = make();
  EXPECT_EQ(initiator->socket->transport_dbg(t), 128u);
  tlm::tlm_dmi dmi;
  EXPECT_TRUE(initiator->socket->get_direct_mem_ptr(t, dmi));
  EXPECT_EQ(dmi.get_start_address(), 0x40u);
  target->socket->invalidate_direct_mem_ptr(0, 99);
  EXPECT_EQ(initiator->invalidated, 100u);
  sc_time delay = sc_core::SC_ZERO_TIME;
  initiator->socket->b_transport(t, delay);
  EXPECT_TRUE(t.is_response_ok());
  EXPECT_EQ(checker->outstanding(), 0u);
  tlm_phase ignorable(42);
  EXPECT_EQ(initiator->socket->nb_transport_fw(t, ignorable, delay), tlm::TLM_ACCEPTED);
  EXPECT_EQ(checker->count(), 1u);
}

TEST_F(ProtocolCheckerTest, ALostTransactionStaysOutstanding) {
  fw(make(), tlm::BEGIN_REQ);
  EXPECT_EQ(checker->outstanding(), 1u);
}

// ---- Phase order -------------------------------------------------------------------------------

TEST_F(ProtocolCheckerTest, TheMessageNamesPlaceTransactionAndTime) {
  Transaction& t = make();
  EXPECT_THAT(complaint([&] { fw(t, tlm::END_RESP); }),
              AllOf(HasSubstr("read of 128 B at 0x1000"), HasSubstr("at 5.000000 ns")));
}

TEST_F(ProtocolCheckerTest, PhasesFromTheWrongSide) {
  Transaction& t = make();
  EXPECT_THAT(complaint([&] { fw(t, tlm::END_REQ); }),
              Breaks("phase order", "END_REQ from the initiator"));
  EXPECT_THAT(complaint([&] { fw(t, tlm::BEGIN_RESP); }),
              Breaks("phase order", "BEGIN_RESP from the initiator"));
  EXPECT_THAT(complaint([&] { bw(t, tlm::BEGIN_REQ); }),
              Breaks("phase order", "BEGIN_REQ from the target"));
  EXPECT_THAT(complaint([&] { bw(t, tlm::END_RESP); }),
              Breaks("phase order", "END_RESP from the target"));
}

TEST_F(ProtocolCheckerTest, PhasesOfATransactionNotInFlight) {
  Transaction& t = make();
  for (const tlm_phase phase : {tlm::END_REQ, tlm::BEGIN_RESP})
    EXPECT_THAT(complaint([&] { bw(t, phase); }), Breaks("phase order", "not in flight"));
  EXPECT_THAT(complaint([&] { fw(t, tlm::END_RESP); }), Breaks("phase order", "not in flight"));
}

TEST_F(ProtocolCheckerTest, ATransactionBegunTwice) {
  Transaction& t = make();
  target->answer = update_to(tlm::END_REQ);
  fw(t, tlm::BEGIN_REQ);
  EXPECT_THAT(complaint([&] { fw(t, tlm::BEGIN_REQ); }),
              Breaks("phase order", "BEGIN_REQ for a transaction in flight"));
}

TEST_F(ProtocolCheckerTest, EndReqTwice) {
  Transaction& t = make();
  fw(t, tlm::BEGIN_REQ);
  bw(t, tlm::END_REQ);
  EXPECT_THAT(complaint([&] { bw(t, tlm::END_REQ); }), Breaks("phase order", "END_REQ"));
}

TEST_F(ProtocolCheckerTest, EndReqAfterBeginResp) {
  Transaction& t = make();
  fw(t, tlm::BEGIN_REQ);
  respond(t);
  EXPECT_THAT(complaint([&] { bw(t, tlm::END_REQ); }), Breaks("phase order", "END_REQ"));
}

TEST_F(ProtocolCheckerTest, BeginRespTwice) {
  Transaction& t = make();
  fw(t, tlm::BEGIN_REQ);
  respond(t);
  EXPECT_THAT(complaint([&] { respond(t); }), Breaks("phase order", "BEGIN_RESP twice"));
}

TEST_F(ProtocolCheckerTest, EndRespBeforeBeginResp) {
  Transaction& t = make();
  fw(t, tlm::BEGIN_REQ);
  EXPECT_THAT(complaint([&] { fw(t, tlm::END_RESP); }),
              Breaks("phase order", "END_RESP before BEGIN_RESP"));
}

TEST_F(ProtocolCheckerTest, EndRespAfterTheInitiatorCompleted) {
  Transaction& t = make();
  initiator->answer = complete;
  fw(t, tlm::BEGIN_REQ);
  respond(t);
  EXPECT_THAT(complaint([&] { fw(t, tlm::END_RESP); }), Breaks("phase order", "not in flight"));
}

// ---- Exclusion ---------------------------------------------------------------------------------

TEST_F(ProtocolCheckerTest, ARequestBeforeTheLastEnded) {
  Transaction& a = make();
  Transaction& b = make();
  fw(a, tlm::BEGIN_REQ);
  EXPECT_THAT(complaint([&] { fw(b, tlm::BEGIN_REQ); }), Breaks("exclusion", "waits for END_REQ"));
}

TEST_F(ProtocolCheckerTest, AResponseBeforeTheLastEnded) {
  Transaction& a = make();
  Transaction& b = make();
  target->answer = update_to(tlm::END_REQ);
  fw(a, tlm::BEGIN_REQ);
  fw(b, tlm::BEGIN_REQ);
  respond(a);
  EXPECT_THAT(complaint([&] { respond(b); }), Breaks("exclusion", "waits for END_RESP"));
}

TEST_F(ProtocolCheckerTest, AResponseOnTheReturnPathBeforeTheLastEnded) {
  Transaction& a = make();
  fw(a, tlm::BEGIN_REQ);
  respond(a);
  Transaction& b = make();
  target->answer = [](Payload& p, tlm_phase& phase, sc_time&) {
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    phase = tlm::BEGIN_RESP;
    return tlm::TLM_UPDATED;
  };
  EXPECT_THAT(complaint([&] { fw(b, tlm::BEGIN_REQ); }), Breaks("exclusion", "waits for END_RESP"));
}

// ---- Return values -----------------------------------------------------------------------------

TEST_F(ProtocolCheckerTest, UpdatedToAPhaseOfTheOtherSide) {
  target->answer = update_to(tlm::END_RESP);
  EXPECT_THAT(complaint([&] { fw(make(), tlm::BEGIN_REQ); }),
              Breaks("return value", "TLM_UPDATED to END_RESP"));
}

TEST_F(ProtocolCheckerTest, UpdatedWithoutANewPhase) {
  target->answer = [](Payload&, tlm_phase&, sc_time&) { return tlm::TLM_UPDATED; };
  EXPECT_THAT(complaint([&] { fw(make(), tlm::BEGIN_REQ); }),
              Breaks("return value", "TLM_UPDATED to BEGIN_REQ"));
}

TEST_F(ProtocolCheckerTest, AcceptedWithAnotherPhase) {
  target->answer = [](Payload&, tlm_phase& phase, sc_time&) {
    phase = tlm::END_REQ;
    return tlm::TLM_ACCEPTED;
  };
  EXPECT_THAT(complaint([&] { fw(make(), tlm::BEGIN_REQ); }),
              Breaks("return value", "TLM_ACCEPTED to BEGIN_REQ with another phase or delay"));
}

TEST_F(ProtocolCheckerTest, AcceptedWithAnotherDelay) {
  target->answer = [](Payload&, tlm_phase&, sc_time& delay) {
    delay += sc_time(1, sc_core::SC_NS);
    return tlm::TLM_ACCEPTED;
  };
  EXPECT_THAT(complaint([&] { fw(make(), tlm::BEGIN_REQ); }),
              Breaks("return value", "another phase or delay"));
}

TEST_F(ProtocolCheckerTest, EndReqAnsweredByMoreThanAccepted) {
  Transaction& t = make();
  fw(t, tlm::BEGIN_REQ);
  initiator->answer = complete;
  EXPECT_THAT(complaint([&] { bw(t, tlm::END_REQ); }),
              Breaks("return value", "END_REQ not answered by TLM_ACCEPTED"));
}

TEST_F(ProtocolCheckerTest, BeginRespUpdatedToAnotherPhase) {
  Transaction& t = make();
  fw(t, tlm::BEGIN_REQ);
  initiator->answer = update_to(tlm::BEGIN_REQ);
  EXPECT_THAT(complaint([&] { respond(t); }), Breaks("return value", "TLM_UPDATED to BEGIN_REQ"));
}

TEST_F(ProtocolCheckerTest, EndRespUpdated) {
  Transaction& t = make();
  fw(t, tlm::BEGIN_REQ);
  respond(t);
  target->answer = update_to(tlm::BEGIN_REQ);
  EXPECT_THAT(complaint([&] { fw(t, tlm::END_RESP); }),
              Breaks("return value", "TLM_UPDATED in answer to END_RESP"));
}

}  // namespace
}  // namespace warpmem
