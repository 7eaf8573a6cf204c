// SPDX-License-Identifier: Apache-2.0
// A legal pair is in tlm_ports_test; here both ends are puppets, and each test breaks one rule.
#include "base/protocol_checker.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "base/clock_domain.hpp"
#include "base/errors.hpp"
#include "base/transaction.hpp"

namespace warpmem {
namespace {

using Payload = tlm::tlm_generic_payload;
using sc_core::sc_time;
using testing::AllOf;
using testing::HasSubstr;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;

using Answer = std::function<tlm_sync_enum(Payload&, tlm_phase&, sc_time&)>;

tlm_sync_enum accept(Payload&, tlm_phase&, sc_time&) { return tlm::TLM_ACCEPTED; }
tlm_sync_enum complete(Payload&, tlm_phase&, sc_time&) { return tlm::TLM_COMPLETED; }
Answer update_to(tlm_phase to) {
  return [to](Payload&, tlm_phase& phase, sc_time&) {
    phase = to;
    return tlm::TLM_UPDATED;
  };
}

struct PuppetInitiator : sc_core::sc_module {
  explicit PuppetInitiator(sc_core::sc_module_name n) : sc_module(n), socket("socket") {
    socket.register_nb_transport_bw(this, &PuppetInitiator::nb_transport_bw);
    socket.register_invalidate_direct_mem_ptr(this, &PuppetInitiator::invalidate);
  }
  tlm_sync_enum nb_transport_bw(Payload& p, tlm_phase& phase, sc_time& delay) {
    return answer(p, phase, delay);
  }
  void invalidate(sc_dt::uint64 begin, sc_dt::uint64 end) { invalidated = end - begin + 1; }
  tlm_utils::simple_initiator_socket<PuppetInitiator> socket;
  Answer answer = accept;
  std::uint64_t invalidated = 0;
};

struct PuppetTarget : sc_core::sc_module {
  explicit PuppetTarget(sc_core::sc_module_name n) : sc_module(n), socket("socket") {
    socket.register_nb_transport_fw(this, &PuppetTarget::nb_transport_fw);
    socket.register_b_transport(this, &PuppetTarget::b_transport);
    socket.register_transport_dbg(this, &PuppetTarget::transport_dbg);
    socket.register_get_direct_mem_ptr(this, &PuppetTarget::get_direct_mem_ptr);
  }
  tlm_sync_enum nb_transport_fw(Payload& p, tlm_phase& phase, sc_time& delay) {
    return answer(p, phase, delay);
  }
  void b_transport(Payload& p, sc_time& delay) { blocking(p, delay); }
  unsigned transport_dbg(Payload& p) { return p.get_data_length(); }
  bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi& dmi) {
    dmi.set_start_address(0x40);
    return true;
  }
  tlm_utils::simple_target_socket<PuppetTarget> socket;
  Answer answer = accept;
  std::function<void(Payload&, sc_time&)> blocking = [](Payload& p, sc_time&) {
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  };
};

class ProtocolCheckerTest : public testing::Test {
 protected:
  ProtocolCheckerTest() {
    set_simulation_resolution();
    initiator = std::make_unique<PuppetInitiator>("initiator");
    checker = std::make_unique<ProtocolChecker>("checker");
    target = std::make_unique<PuppetTarget>("target");
    initiator->socket.bind(checker->target);
    checker->initiator.bind(target->socket);
    pass(5);
  }
  void pass(double ns) { sc_core::sc_start(sc_time(ns, sc_core::SC_NS)); }

  Transaction& make() { return pool.get(tlm::TLM_READ_COMMAND, 0x1000, 128); }
  tlm_sync_enum fw(Payload& p, tlm_phase phase, double delay_ns = 0) {
    sc_time delay(delay_ns, sc_core::SC_NS);
    return initiator->socket->nb_transport_fw(p, phase, delay);
  }
  tlm_sync_enum bw(Payload& p, tlm_phase phase, double delay_ns = 0) {
    sc_time delay(delay_ns, sc_core::SC_NS);
    return target->socket->nb_transport_bw(p, phase, delay);
  }
  tlm_sync_enum respond(Payload& p, double delay_ns = 0) {
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    return bw(p, tlm::BEGIN_RESP, delay_ns);
  }
  /// What the checker says to the call, or "" when it is legal.
  static std::string complaint(const std::function<void()>& call) {
    try {
      call();
    } catch (const SimulationError& error) {
      return error.what();
    }
    return "";
  }
  static auto Breaks(const std::string& rule, const std::string& what) {
    return AllOf(HasSubstr("checker: TLM base protocol, rule '" + rule + "' broken"),
                 HasSubstr(what));
  }

  TransactionPool pool;
  std::unique_ptr<PuppetInitiator> initiator;
  std::unique_ptr<ProtocolChecker> checker;
  std::unique_ptr<PuppetTarget> target;
};

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

// ---- References --------------------------------------------------------------------------------

TEST_F(ProtocolCheckerTest, NoMemoryManager) {
  Payload p;
  std::uint32_t data = 0;
  p.set_command(tlm::TLM_READ_COMMAND);
  p.set_data_ptr(reinterpret_cast<unsigned char*>(&data));
  p.set_data_length(4);
  p.set_streaming_width(4);
  EXPECT_THAT(complaint([&] { fw(p, tlm::BEGIN_REQ); }),
              Breaks("reference count", "no memory manager"));
}

TEST_F(ProtocolCheckerTest, NobodyHoldsAReference) {
  Transaction& t = make();
  fw(t, tlm::BEGIN_REQ);
  t.release();
  EXPECT_THAT(complaint([&] { respond(t); }), Breaks("reference count", "nobody holds"));
}

// ---- Attributes --------------------------------------------------------------------------------

TEST_F(ProtocolCheckerTest, SenselessAttributes) {
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

TEST_F(ProtocolCheckerTest, ChangedAttributesAreSeenAtTheResponse) {
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

TEST_F(ProtocolCheckerTest, ChangedAttributesAreSeenAtEndReqAndEndResp) {
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

TEST_F(ProtocolCheckerTest, ARequestWithAResponseStatus) {
  Transaction& t = make();
  t.set_response_status(tlm::TLM_OK_RESPONSE);
  EXPECT_THAT(complaint([&] { fw(t, tlm::BEGIN_REQ); }),
              Breaks("response status", "BEGIN_REQ with TLM_OK_RESPONSE"));
}

TEST_F(ProtocolCheckerTest, AResponseWithoutAStatus) {
  Transaction& t = make();
  fw(t, tlm::BEGIN_REQ);
  EXPECT_THAT(complaint([&] { bw(t, tlm::BEGIN_RESP); }),
              Breaks("response status", "TLM_INCOMPLETE_RESPONSE"));
}

TEST_F(ProtocolCheckerTest, ACompletionWithoutAStatus) {
  target->answer = complete;
  EXPECT_THAT(complaint([&] { fw(make(), tlm::BEGIN_REQ); }),
              Breaks("response status", "TLM_INCOMPLETE_RESPONSE"));
}

TEST_F(ProtocolCheckerTest, ABlockingCallWithoutAStatus) {
  target->blocking = [](Payload&, sc_time&) {};
  sc_time delay = sc_core::SC_ZERO_TIME;
  EXPECT_THAT(complaint([&] { initiator->socket->b_transport(make(), delay); }),
              Breaks("response status", "b_transport returned"));
}

TEST_F(ProtocolCheckerTest, AStatusChangedAfterTheResponse) {
  Transaction& t = make();
  fw(t, tlm::BEGIN_REQ);
  respond(t);
  t.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_THAT(complaint([&] { fw(t, tlm::END_RESP); }),
              Breaks("response status", "changed since BEGIN_RESP to TLM_ADDRESS_ERROR_RESPONSE"));
}

// ---- Timing ------------------------------------------------------------------------------------

TEST_F(ProtocolCheckerTest, APhaseThatTakesEffectBeforeTheLast) {
  Transaction& t = make();
  fw(t, tlm::BEGIN_REQ, 10);
  pass(4);
  EXPECT_THAT(complaint([&] { bw(t, tlm::END_REQ, 5); }), Breaks("timing", "1000000 fs before"));
}

TEST_F(ProtocolCheckerTest, EndRespBeforeTheAnnotatedResponse) {
  Transaction& t = make();
  fw(t, tlm::BEGIN_REQ);
  respond(t, 10);
  pass(9);
  EXPECT_THAT(complaint([&] { fw(t, tlm::END_RESP); }), Breaks("timing", "1000000 fs before"));
}

TEST_F(ProtocolCheckerTest, ADelayThatShrinks) {
  target->answer = [](Payload&, tlm_phase& phase, sc_time& delay) {
    phase = tlm::END_REQ;
    delay = sc_core::SC_ZERO_TIME;
    return tlm::TLM_UPDATED;
  };
  EXPECT_THAT(complaint([&] { fw(make(), tlm::BEGIN_REQ, 2); }),
              Breaks("timing", "the delay shrank in answer to BEGIN_REQ"));
}

TEST_F(ProtocolCheckerTest, ANegativeDelay) {
  Transaction& t = make();
  tlm_phase phase = tlm::BEGIN_REQ;
  sc_time delay = sc_time::from_value(~std::uint64_t(0));
  EXPECT_THAT(complaint([&] { initiator->socket->nb_transport_fw(t, phase, delay); }),
              Breaks("timing", "negative delay"));
}

TEST_F(ProtocolCheckerTest, ABlockingCallThatReturnsBeforeItBegan) {
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
