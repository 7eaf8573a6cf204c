// SPDX-License-Identifier: Apache-2.0
// What a foreign module does wrong at the other end of a port is an error in every build.
#include <gtest/gtest.h>

#include <memory>

#include "base/errors.hpp"
#include "base/tlm_ports.hpp"
#include "base/transaction.hpp"
#include "protocol_puppets.hpp"

namespace warpmem {
namespace {

DECLARE_EXTENDED_PHASE(other_protocol);

class Owner : public sc_core::sc_module, public Clocked {
 public:
  Owner(sc_core::sc_module_name name, ClockDomain& domain)
      : sc_module(name),
        Clocked(domain),
        request("request", *this, 1),
        service("service", *this, 1) {}
  RequestPort request;
  ServicePort service;

 private:
  Cycle tick(Cycle) override { return kNever; }
};

class TlmMisuse : public testing::Test {
 protected:
  TlmMisuse()
      : domain("clock", (set_simulation_resolution(), 1'000'000'000)),
        owner("owner", domain),
        in("in"),
        out("out") {
    in.socket.bind(owner.service.socket);
    owner.request.socket.bind(out.socket);
    step();
  }
  void step() { sc_core::sc_start(sc_time(1, sc_core::SC_NS)); }
  Transaction& make() {
    Transaction& t = pool.get(tlm::TLM_READ_COMMAND, 0x1000, 128);
    t.set_response_status(tlm::TLM_OK_RESPONSE);
    return t;
  }
  tlm_sync_enum from_initiator(Payload& p, tlm_phase phase) {
    sc_time delay = sc_core::SC_ZERO_TIME;
    return in.socket->nb_transport_fw(p, phase, delay);
  }
  tlm_sync_enum from_target(Payload& p, tlm_phase phase) {
    sc_time delay = sc_core::SC_ZERO_TIME;
    return out.socket->nb_transport_bw(p, phase, delay);
  }
  template <class Call>
  static std::string error(const Call& call) {
    try {
      call();
    } catch (const SimulationError& e) {
      return e.what();
    }
    return "no error";
  }
  /// Returns the message after the socket's name.
  template <class Call>
  static std::string request_error(const Call& call) {
    const std::string text = error(call), name = "owner.request: ";
    return text.rfind(name, 0) == 0 ? text.substr(name.size()) : "not of the port: " + text;
  }
  template <class Call>
  static std::string service_error(const Call& call) {
    const std::string text = error(call), name = "owner.service: ";
    return text.rfind(name, 0) == 0 ? text.substr(name.size()) : "not of the port: " + text;
  }

  ClockDomain domain;
  Owner owner;
  PuppetInitiator in;
  PuppetTarget out;
  TransactionPool pool;
};

TEST_F(TlmMisuse, BeginReqBeforeEndReq) {
  EXPECT_EQ(from_initiator(make(), tlm::BEGIN_REQ), tlm::TLM_UPDATED);
  EXPECT_EQ(from_initiator(make(), tlm::BEGIN_REQ), tlm::TLM_ACCEPTED);  // full: withheld
  EXPECT_EQ(service_error([&] { from_initiator(make(), tlm::BEGIN_REQ); }),
            "the initiator sends BEGIN_REQ while another request waits for END_REQ");
}

TEST_F(TlmMisuse, EndRespWithoutResponse) {
  Transaction& t = make();
  from_initiator(t, tlm::BEGIN_REQ);
  EXPECT_EQ(service_error([&] { from_initiator(t, tlm::END_RESP); }),
            "the initiator sends END_RESP for a response that does not wait for it");
  step();
  ASSERT_EQ(owner.service.take_request(), &t);
  owner.service.respond(t);
  EXPECT_EQ(service_error([&] { from_initiator(make(), tlm::END_RESP); }),
            "the initiator sends END_RESP for a response that does not wait for it");
  EXPECT_EQ(from_initiator(t, tlm::END_RESP), tlm::TLM_COMPLETED);
}

TEST_F(TlmMisuse, PhasesOfTheOtherDirection) {
  Transaction& t = make();
  EXPECT_EQ(service_error([&] { from_initiator(t, tlm::END_REQ); }), "the initiator sends END_REQ");
  EXPECT_EQ(service_error([&] { from_initiator(t, tlm::BEGIN_RESP); }),
            "the initiator sends BEGIN_RESP");
  EXPECT_EQ(request_error([&] { from_target(t, tlm::BEGIN_REQ); }), "the target sends BEGIN_REQ");
  EXPECT_EQ(request_error([&] { from_target(t, tlm::END_RESP); }), "the target sends END_RESP");
  EXPECT_EQ(from_initiator(t, other_protocol), tlm::TLM_ACCEPTED);
  EXPECT_EQ(from_target(t, other_protocol), tlm::TLM_ACCEPTED);
}

TEST_F(TlmMisuse, PayloadWithoutMemoryManager) {
  Payload payload;
  EXPECT_EQ(service_error([&] { from_initiator(payload, tlm::BEGIN_REQ); }),
            "the initiator's payload has no memory manager");
}

TEST_F(TlmMisuse, InitiatorAnswersWithAWrongPhase) {
  Transaction& t = make();
  from_initiator(t, tlm::BEGIN_REQ);
  step();
  in.answer = update_to(tlm::END_REQ);
  EXPECT_EQ(service_error([&] { owner.service.respond(*owner.service.take_request()); }),
            "the initiator answers BEGIN_RESP with END_REQ; allowed: END_RESP");
}

TEST_F(TlmMisuse, InitiatorEndsAResponseTwice) {
  Transaction& t = make();
  from_initiator(t, tlm::BEGIN_REQ);
  step();
  in.answer = [&](Payload& p, tlm_phase&, sc_time&) {
    from_initiator(p, tlm::END_RESP);
    return tlm::TLM_COMPLETED;
  };
  t.acquire();
  EXPECT_EQ(service_error([&] { owner.service.respond(*owner.service.take_request()); }),
            "the initiator answers BEGIN_RESP with END_RESP and has sent END_RESP, too");
}

TEST_F(TlmMisuse, EndReqWithoutRequest) {
  Transaction& t = make();
  EXPECT_EQ(request_error([&] { from_target(t, tlm::END_REQ); }),
            "the target sends END_REQ for a request that does not wait for it");
  owner.request.send(t);
  EXPECT_EQ(from_target(t, tlm::END_REQ), tlm::TLM_ACCEPTED);
  EXPECT_EQ(request_error([&] { from_target(t, tlm::END_REQ); }),
            "the target sends END_REQ for a request that does not wait for it");
}

TEST_F(TlmMisuse, BeginRespWithoutRequest) {
  EXPECT_EQ(request_error([&] { from_target(make(), tlm::BEGIN_RESP); }),
            "the target sends BEGIN_RESP without a request");
  Transaction& t = make();
  owner.request.send(t);
  EXPECT_EQ(from_target(t, tlm::BEGIN_RESP), tlm::TLM_COMPLETED);
  EXPECT_EQ(request_error([&] { from_target(t, tlm::BEGIN_RESP); }),
            "the target sends BEGIN_RESP without a request");
}

TEST_F(TlmMisuse, BeginRespBeforeEndResp) {
  Transaction* sent[3];
  for (Transaction*& t : sent) {
    t = &make();
    owner.request.send(*t);
    from_target(*t, tlm::END_REQ);
    step();
  }
  EXPECT_EQ(from_target(*sent[0], tlm::BEGIN_RESP), tlm::TLM_COMPLETED);
  EXPECT_EQ(from_target(*sent[1], tlm::BEGIN_RESP), tlm::TLM_ACCEPTED);  // full: withheld
  EXPECT_EQ(request_error([&] { from_target(*sent[2], tlm::BEGIN_RESP); }),
            "the target sends BEGIN_RESP while another response waits for END_RESP");
}

TEST_F(TlmMisuse, TargetAnswersWithAWrongPhase) {
  out.answer = update_to(tlm::END_RESP);
  EXPECT_EQ(request_error([&] { owner.request.send(make()); }),
            "the target answers BEGIN_REQ with END_RESP; allowed: END_REQ, BEGIN_RESP");
}

TEST_F(TlmMisuse, TargetEndsARequestTwice) {
  out.answer = [&](Payload& p, tlm_phase& phase, sc_time&) {
    from_target(p, tlm::END_REQ);
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  };
  EXPECT_EQ(request_error([&] { owner.request.send(make()); }),
            "the target answers BEGIN_REQ with END_REQ and has sent END_REQ, too");
}

TEST_F(TlmMisuse, OwnersThatDoNotAskFirst) {
  owner.request.send(make());
  EXPECT_EQ(request_error([&] { owner.request.send(make()); }),
            "a request is sent while another waits for END_REQ");
  Transaction& a = make();
  from_initiator(a, tlm::BEGIN_REQ);
  step();
  owner.service.take_request();
  step();
  Transaction& b = make();
  from_initiator(b, tlm::BEGIN_REQ);
  step();
  owner.service.take_request();
  owner.service.respond(a);
  EXPECT_EQ(service_error([&] { owner.service.respond(b); }),
            "a response is sent while another waits for END_RESP");
  from_initiator(a, tlm::END_RESP);
  EXPECT_EQ(service_error([&] { owner.service.respond(b); }),
            "more responses are sent in one cycle than the link is wide");
}

}  // namespace
}  // namespace warpmem
