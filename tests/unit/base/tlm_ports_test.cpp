// SPDX-License-Identifier: Apache-2.0
#include "base/tlm_ports.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "base/protocol_checker.hpp"
#include "link_bench.hpp"

namespace warpmem {
namespace {

using testing::ElementsAre;

class TlmPortsTest : public testing::Test {
 protected:
  TlmPortsTest() { set_simulation_resolution(); }
};

/// Sleeps until somebody wakes it.
struct SleepingOwner : Clocked {
  using Clocked::Clocked;
  std::vector<Cycle> ticks;
  Cycle tick(Cycle now) override {
    ticks.push_back(now);
    return kNever;
  }
};

/// These are a sender and a receiver, in clock domains of their own.
struct System {
  struct Options {
    bool receiver_first = false;
    bool checker = false;
    bool tick_all = false;
    std::uint64_t sender_hertz = kGigahertz;
    std::uint64_t receiver_hertz = kGigahertz;
    unsigned count = 200;
  };
  std::unique_ptr<ClockDomain> sender_clock, receiver_clock;
  std::unique_ptr<Sender> sender;
  std::unique_ptr<Receiver> receiver;
  std::unique_ptr<ProtocolChecker> checker;

  System(const Pace& pace, const Options& o) {
    const auto name = [](const char* base) { return sc_core::sc_gen_unique_name(base); };
    const auto make_receiver = [&] {
      receiver_clock =
          std::make_unique<ClockDomain>(name("receiver_clock"), o.receiver_hertz, o.tick_all);
      receiver = std::make_unique<Receiver>(name("receiver"), *receiver_clock, pace);
    };
    if (o.receiver_first) make_receiver();
    sender_clock = std::make_unique<ClockDomain>(name("sender_clock"), o.sender_hertz, o.tick_all);
    sender = std::make_unique<Sender>(name("sender"), *sender_clock, pace, o.count);
    if (!o.receiver_first) make_receiver();
    if (o.checker) {
      checker = std::make_unique<ProtocolChecker>(name("checker"));
      sender->port.socket.bind(checker->target);
      checker->initiator.bind(receiver->port.socket);
    } else {
      sender->port.socket.bind(receiver->port.socket);
    }
  }
};

TEST_F(TlmPortsTest, EverythingShowsAtTheNextCycle) {
  System::Options one;
  one.count = 1;
  System s({}, one);
  run_for(100 * kNs);
  EXPECT_THAT(cycles_of(s.sender->trace, Event::send), ElementsAre(0));
  EXPECT_THAT(cycles_of(s.receiver->trace, Event::request), ElementsAre(1));
  EXPECT_THAT(cycles_of(s.receiver->trace, Event::respond), ElementsAre(2));
  EXPECT_THAT(cycles_of(s.sender->trace, Event::response), ElementsAre(3));
  EXPECT_TRUE(s.sender->port.idle());
  EXPECT_TRUE(s.receiver->port.idle());
  EXPECT_EQ(s.sender->pool.outstanding(), 0u);
}

TEST_F(TlmPortsTest, TwoPlacesGiveOneTransferACycle) {
  System::Options o;
  o.count = 20;
  System s({}, o);
  run_for(200 * kNs);
  std::vector<Cycle> every;
  for (Cycle c = 0; c < 20; ++c) every.push_back(c);
  EXPECT_EQ(cycles_of(s.sender->trace, Event::send), every);
  EXPECT_EQ(cycles_of(s.sender->trace, Event::response).back(), 22u);
}

// There is one place: it is taken in cycle n, its room shows in n + 1, where the parked request
// moves in and END_REQ goes; the sender is free again in n + 2.
TEST_F(TlmPortsTest, RoomFreedInACycleCountsFromTheNext) {
  System::Options o;
  o.count = 4;
  Pace pace;
  pace.requests = 1;
  System s(pace, o);
  run_for(200 * kNs);
  EXPECT_THAT(cycles_of(s.sender->trace, Event::send), ElementsAre(0, 1, 3, 5));
  EXPECT_THAT(cycles_of(s.receiver->trace, Event::request), ElementsAre(1, 3, 5, 7));
}

class BlockedReceiver : public sc_core::sc_module, public Clocked {
 public:
  BlockedReceiver(sc_core::sc_module_name name, ClockDomain& d)
      : sc_module(name), Clocked(d), port("port", *this, 1) {}
  ServicePort port;
  bool open = false;
  unsigned taken = 0;

 private:
  Cycle tick(Cycle) override {
    port.begin_cycle();
    if (!open || port.request() == nullptr || !port.can_respond()) return kNever;
    Payload* p = port.take_request();
    p->set_response_status(tlm::TLM_OK_RESPONSE);
    port.respond(*p);
    ++taken;
    return kNever;  // the port wakes: a queue with more to show keeps its owner awake
  }
};

TEST_F(TlmPortsTest, AWithheldEndReqWakesTheSleepingSender) {
  ClockDomain d("d", kGigahertz);
  Sender sender("sender", d, {}, 5);
  BlockedReceiver receiver("receiver", d);
  sender.port.socket.bind(receiver.port.socket);
  run_for(1000 * kNs);
  EXPECT_EQ(cycles_of(sender.trace, Event::send).size(), 2u) << "one queued, one parked";
  EXPECT_FALSE(sender.port.can_send());
  EXPECT_EQ(receiver.port.in_flight(), 2u);
  EXPECT_EQ(receiver.port.describe(),
            "receiver.port: 1/1 requests queued, another waits for END_REQ, 2 in flight");
  receiver.open = true;
  receiver.wake();
  run_for(1000 * kNs);
  EXPECT_EQ(receiver.taken, 5u);
  EXPECT_EQ(cycles_of(sender.trace, Event::response).size(), 5u);
  EXPECT_TRUE(sender.port.idle());
  EXPECT_TRUE(receiver.port.idle());
}

class LazySender : public sc_core::sc_module, public Clocked {
 public:
  LazySender(sc_core::sc_module_name name, ClockDomain& d)
      : sc_module(name), Clocked(d), port("port", *this, 1) {}
  RequestPort port;
  TransactionPool pool;
  bool open = false;
  unsigned sent = 0, taken = 0;

 private:
  Cycle tick(Cycle now) override {
    port.begin_cycle();
    if (open && port.response() != nullptr) {
      port.take_response()->release();
      ++taken;
    }
    if (sent < 4 && port.can_send()) port.send(pool.get(tlm::TLM_READ_COMMAND, 128 * sent++, 4));
    return sent < 4 ? now + 1 : kNever;
  }
};

TEST_F(TlmPortsTest, AWithheldEndRespWakesTheSleepingResponder) {
  ClockDomain d("d", kGigahertz);
  LazySender sender("sender", d);
  Receiver receiver("receiver", d, {});
  sender.port.socket.bind(receiver.port.socket);
  run_for(1000 * kNs);
  EXPECT_EQ(cycles_of(receiver.trace, Event::respond).size(), 2u) << "one queued, one parked";
  EXPECT_FALSE(receiver.port.can_respond());
  sender.open = true;
  sender.wake();
  run_for(1000 * kNs);
  EXPECT_EQ(sender.taken, 4u);
  EXPECT_TRUE(sender.port.idle());
  EXPECT_TRUE(receiver.port.idle());
  EXPECT_EQ(sender.pool.outstanding(), 0u);
}

/// Runs the same system, constructed in both orders, with a protocol checker, with every module
/// ticked.
void check_order(std::uint64_t sender_hertz, std::uint64_t receiver_hertz) {
  std::vector<Pace> paces = {{},
                             {8, 8, 3, 8, 1, 1},
                             {8, 3, 8, 8, 1, 1},
                             {5, 5, 5, 5, 1, 1},
                             {5, 5, 5, 5, 2, 3},
                             {8, 2, 8, 8, 2, 1},
                             {8, 8, 8, 2, 1, 2},
                             {2, 8, 8, 8, 1, 1},
                             {8, 4, 4, 8, 3, 3}};
  std::vector<std::vector<std::unique_ptr<System>>> systems;
  for (const Pace& pace : paces) {
    systems.emplace_back();
    for (unsigned variant = 0; variant < 6; ++variant) {
      System::Options o;
      o.sender_hertz = sender_hertz;
      o.receiver_hertz = receiver_hertz;
      o.receiver_first = variant % 2 != 0;
      o.checker = variant / 2 == 1;
      o.tick_all = variant / 2 == 2;
      systems.back().push_back(std::make_unique<System>(pace, o));
    }
  }
  run_for(20'000 * kNs);
  for (std::size_t i = 0; i < systems.size(); ++i) {
    const System& first = *systems[i].front();
    ASSERT_EQ(first.sender->trace.size(), 400u) << "pace " << i;
    for (std::size_t variant = 0; variant < systems[i].size(); ++variant) {
      const System& s = *systems[i][variant];
      EXPECT_EQ(s.sender->trace, first.sender->trace) << "pace " << i << " variant " << variant;
      EXPECT_EQ(s.receiver->trace, first.receiver->trace) << "pace " << i << " variant " << variant;
      EXPECT_TRUE(s.sender->port.idle());
      EXPECT_TRUE(s.receiver->port.idle());
      EXPECT_EQ(s.sender->pool.outstanding(), 0u);
      if (s.checker == nullptr) continue;
      EXPECT_EQ(s.checker->count(), 200u);
      EXPECT_EQ(s.checker->outstanding(), 0u);
    }
  }
}

TEST_F(TlmPortsTest, OrderDoesNotShowAtEqualFrequencies) { check_order(kGigahertz, kGigahertz); }
TEST_F(TlmPortsTest, OrderDoesNotShowTowardsASlowerClock) {
  check_order(kGigahertz, kGigahertz / 2);
}
TEST_F(TlmPortsTest, OrderDoesNotShowTowardsAFasterClock) {
  check_order(kGigahertz / 4, kGigahertz);
}
TEST_F(TlmPortsTest, OrderDoesNotShowAtUnrelatedFrequencies) {
  check_order(1'137'000'000, 924'000'000);
}

TEST_F(TlmPortsTest, OrderDoesNotShowWithinOneDomain) {
  ClockDomain d("d", kGigahertz);
  Pace pace{8, 4, 4, 6, 1, 1};
  Sender first("first", d, pace, 100);
  Receiver second("second", d, pace);
  Receiver third("third", d, pace);
  Sender fourth("fourth", d, pace, 100);
  first.port.socket.bind(second.port.socket);
  fourth.port.socket.bind(third.port.socket);
  run_for(5000 * kNs);
  EXPECT_EQ(first.trace.size(), 200u);
  EXPECT_EQ(first.trace, fourth.trace);
  EXPECT_EQ(second.trace, third.trace);
}

TEST_F(TlmPortsTest, WithoutABlockingHandlerTheCommandIsRefused) {
  ClockDomain d("d", kGigahertz);
  LazySender sender("sender", d);
  BlockedReceiver receiver("receiver", d);
  sender.port.socket.bind(receiver.port.socket);
  run_for(10 * kNs);
  TransactionPool pool;
  Transaction& t = pool.get(tlm::TLM_READ_COMMAND, 0, 16);
  EXPECT_EQ(sender.port.socket->transport_dbg(t), 0u);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  sender.port.socket->b_transport(t, delay);
  EXPECT_EQ(t.get_response_status(), tlm::TLM_COMMAND_ERROR_RESPONSE);
  t.release();
}

TEST_F(TlmPortsTest, ArrivalsAreReportedInASet) {
  ClockDomain d("d", kGigahertz);
  Sender sender("sender", d, {}, 1);
  Receiver receiver("receiver", d, {});
  PortSet responses, requests;
  sender.port.watch(responses, 5);
  receiver.port.watch(requests, kMaxSlices - 1);
  sender.port.socket.bind(receiver.port.socket);
  run_for(kNs / 2);
  EXPECT_EQ(requests.first(), kMaxSlices - 1) << "reported at once, though not yet visible";
  EXPECT_TRUE(responses.none());
  run_for(10 * kNs);
  EXPECT_EQ(responses.first(), 5u);
}

// An owner that has said so sleeps through arrivals, and can tell later when they were.
TEST_F(TlmPortsTest, ArrivalsMayWait) {
  ClockDomain d("d", kGigahertz);
  SleepingOwner owner(d);
  LinkQueue queue(owner, 3);
  TransactionPool pool;
  std::array<Transaction*, 3> t{};
  for (auto& p : t) p = &pool.get(tlm::TLM_READ_COMMAND, 0, 4);
  run_for(kNs / 2);
  queue.offer(*t[0], sc_core::SC_ZERO_TIME);
  run_for(3 * kNs);
  queue.let_arrivals_wait(true);
  queue.offer(*t[1], sc_core::SC_ZERO_TIME);
  run_for(3 * kNs);
  queue.let_arrivals_wait(false);
  queue.offer(*t[2], sc_core::SC_ZERO_TIME);
  run_for(3 * kNs);
  EXPECT_THAT(owner.ticks, ElementsAre(0, 1, 7));
  EXPECT_EQ(queue.visible_since(1), 4u);
  EXPECT_EQ(queue.at(1), t[1]);
  for (auto* p : t) p->release();
}

// Whoever is parked behind a full queue waits for a place, and time alone brings none.
TEST_F(TlmPortsTest, AParkedPayloadWakesNobodyBeforeThereIsRoom) {
  ClockDomain d("d", kGigahertz);
  SleepingOwner owner(d);
  LinkQueue queue(owner, 1);
  TransactionPool pool;
  std::array<Transaction*, 2> t{};
  for (auto& p : t) p = &pool.get(tlm::TLM_READ_COMMAND, 0, 4);
  run_for(kNs / 2);
  queue.offer(*t[0], sc_core::SC_ZERO_TIME);
  run_for(3 * kNs);
  EXPECT_FALSE(queue.offer(*t[1], sc_core::SC_ZERO_TIME));
  run_for(3 * kNs);
  EXPECT_THAT(owner.ticks, ElementsAre(0, 1));
  queue.take();
  run_for(3 * kNs);
  EXPECT_THAT(owner.ticks, ElementsAre(0, 1, 7));
  EXPECT_EQ(queue.admit_parked(), t[1]);
  for (auto* p : t) p->release();
}

TEST_F(TlmPortsTest, LookingPastTheHeadAndTakingFromTheMiddle) {
  ClockDomain d("d", kGigahertz);
  SleepingOwner owner(d);
  LinkQueue queue(owner, 3);
  TransactionPool pool;
  std::array<Transaction*, 4> t{};
  for (auto& p : t) p = &pool.get(tlm::TLM_READ_COMMAND, 0, 4);
  run_for(kNs / 2);
  for (unsigned i = 0; i < 3; ++i) EXPECT_TRUE(queue.offer(*t[i], sc_core::SC_ZERO_TIME));
  EXPECT_FALSE(queue.offer(*t[3], sc_core::SC_ZERO_TIME));
  EXPECT_EQ(queue.front(), nullptr) << "not before the next edge";
  EXPECT_EQ(queue.size(), 4u);
  run_for(kNs);
  EXPECT_EQ(queue.front(), t[0]);
  EXPECT_EQ(queue.at(2), t[2]);
  EXPECT_EQ(queue.at(3), nullptr);
  EXPECT_EQ(queue.take(1), t[1]);
  EXPECT_EQ(queue.at(1), t[2]);
  EXPECT_EQ(queue.admit_parked(), nullptr) << "the room shows at the next edge";
  run_for(kNs);
  EXPECT_EQ(queue.admit_parked(), t[3]);
  EXPECT_FALSE(queue.has_parked());
  EXPECT_EQ(queue.at(2), nullptr);
  run_for(kNs);
  EXPECT_EQ(queue.at(2), t[3]);
  for (auto* p : t) p->release();
}

TEST_F(TlmPortsTest, AParkedPayloadKeepsItsAnnotation) {
  ClockDomain d("d", kGigahertz);
  struct WakefulOwner : Clocked {
    using Clocked::Clocked;
    Cycle tick(Cycle now) override { return now + 1; }
  } owner(d);
  LinkQueue queue(owner, 1);
  TransactionPool pool;
  Transaction& first = pool.get(tlm::TLM_READ_COMMAND, 0, 4);
  Transaction& second = pool.get(tlm::TLM_READ_COMMAND, 0, 4);
  run_for(kNs / 2);
  EXPECT_TRUE(queue.offer(first, sc_core::SC_ZERO_TIME));
  EXPECT_FALSE(queue.offer(second, sc_core::sc_time(10, sc_core::SC_NS)));  // from 10.5 ns on
  run_for(kNs);
  EXPECT_EQ(queue.take(), &first);
  run_for(kNs);
  EXPECT_EQ(queue.admit_parked(), &second);
  EXPECT_EQ(queue.admitted_delay(), sc_core::sc_time(8, sc_core::SC_NS));
  run_for(8 * kNs);
  EXPECT_EQ(queue.front(), nullptr) << "10.5 ns, edge 10";
  run_for(kNs);
  EXPECT_EQ(queue.front(), &second) << "edge 11";
  first.release();
  second.release();
}

}  // namespace
}  // namespace warpmem
