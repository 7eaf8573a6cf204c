// SPDX-License-Identifier: Apache-2.0
#include "base/tlm_ports.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>

#include "base/protocol_checker.hpp"
#include "base/transaction.hpp"
#include "support/plain_tlm.hpp"

namespace warpmem {
namespace {

using testing::ElementsAre;

void run_for(Femtoseconds t) { sc_core::sc_start(sc_core::sc_time::from_value(t)); }
constexpr Femtoseconds kNs = 1'000'000;
constexpr std::uint64_t kGigahertz = 1'000'000'000;

/// true in `of` of 8 cycles, the same in every system that is compared.
bool chance(Cycle now, unsigned salt, unsigned of) {
  std::uint64_t x = now * 0x9e3779b97f4a7c15u + salt * 0xbf58476d1ce4e5b9u;
  x ^= x >> 29;
  x *= 0x94d049bb133111ebu;
  return (x >> 40) % 8 < of;
}

enum class Event { send, response, request, respond };
using Trace = std::vector<std::array<std::uint64_t, 3>>;  // cycle, event, address

struct Pace {
  unsigned send = 8;                     ///< eighths of the cycles in which the sender tries
  unsigned take = 8;                     ///< ... takes a response
  unsigned accept = 8;                   ///< ... in which the receiver takes a request
  unsigned respond = 8;                  ///< ... responds
  unsigned responses = 2, requests = 2;  ///< queue depths
};

class Sender : public sc_core::sc_module, public Clocked {
 public:
  Sender(sc_core::sc_module_name name, ClockDomain& d, const Pace& pace, unsigned count)
      : sc_module(name),
        Clocked(d),
        port("port", *this, pace.responses),
        pace_(pace),
        count_(count) {}
  RequestPort port;
  Trace trace;
  TransactionPool pool;
  std::vector<std::uint32_t> data;

 private:
  Cycle tick(Cycle now) override {
    port.begin_cycle();
    if (Payload* p = port.response(); p != nullptr && chance(now, 1, pace_.take)) {
      EXPECT_TRUE(p->is_response_ok());
      std::uint32_t word;
      std::memcpy(&word, p->get_data_ptr(), 4);
      data.push_back(word);
      port.take_response();
      trace.push_back({now, static_cast<std::uint64_t>(Event::response), p->get_address()});
      p->release();
    }
    if (sent_ < count_ && chance(now, 2, pace_.send) && port.can_send()) {
      Transaction& t = pool.get(tlm::TLM_WRITE_COMMAND, 128 * sent_, 4);
      std::memcpy(t.data.data(), &sent_, 4);
      ++sent_;
      trace.push_back({now, static_cast<std::uint64_t>(Event::send), t.get_address()});
      port.send(t);
    }
    // Blocked for ever without a wake-up: nothing is tried before one.
    const bool may_act = port.response() != nullptr || (sent_ < count_ && !blocked());
    return may_act ? now + 1 : kNever;
  }
  /// Waits for END_REQ, which wakes.
  bool blocked() const { return port.describe().find("END_REQ") != std::string::npos; }

  Pace pace_;
  unsigned count_;
  std::uint32_t sent_ = 0;
};

class Receiver : public sc_core::sc_module, public Clocked {
 public:
  Receiver(sc_core::sc_module_name name, ClockDomain& d, const Pace& pace)
      : sc_module(name), Clocked(d), port("port", *this, pace.requests), pace_(pace), held_(4) {
    port.on_debug([](Payload& p) { return p.get_data_length(); });
    port.on_blocking([](Payload& p, sc_core::sc_time& delay) {
      delay += sc_core::sc_time(7, sc_core::SC_NS);
      p.set_response_status(tlm::TLM_OK_RESPONSE);
    });
  }
  ServicePort port;
  Trace trace;
  std::map<Addr, std::uint32_t> memory;

 private:
  Cycle tick(Cycle now) override {
    port.begin_cycle();
    if (!held_.empty() && chance(now, 3, pace_.respond) && port.can_respond()) {
      Payload* p = held_.pop();
      p->set_response_status(tlm::TLM_OK_RESPONSE);
      trace.push_back({now, static_cast<std::uint64_t>(Event::respond), p->get_address()});
      port.respond(*p);
    }
    if (Payload* p = port.request();
        p != nullptr && !held_.full() && chance(now, 4, pace_.accept)) {
      port.take_request();
      if (p->is_write()) std::memcpy(&memory[p->get_address()], p->get_data_ptr(), 4);
      if (p->is_read()) std::memcpy(p->get_data_ptr(), &memory[p->get_address()], 4);
      trace.push_back({now, static_cast<std::uint64_t>(Event::request), p->get_address()});
      held_.push(p);
    }
    const bool may_respond =
        !held_.empty() && port.describe().find("END_RESP") == std::string::npos;
    const bool may_accept = port.request() != nullptr && !held_.full();
    return may_respond || may_accept ? now + 1 : kNever;
  }

  Pace pace_;
  Ring<Payload*> held_;
};

class TlmPortsTest : public testing::Test {
 protected:
  TlmPortsTest() { set_simulation_resolution(); }
};

/// A sender and a receiver, in clock domains of their own.
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

std::vector<Cycle> cycles_of(const Trace& trace, Event event) {
  std::vector<Cycle> cycles;
  for (const auto& line : trace)
    if (line[1] == static_cast<std::uint64_t>(event)) cycles.push_back(line[0]);
  return cycles;
}

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

// One place: taken in cycle n, its room shows in n + 1, where the parked request moves in and
// END_REQ goes; the sender is free again in n + 2.
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

/// The same system, constructed in both orders, with a protocol checker, with every module ticked.
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

// ---- Modules that know nothing of warpmem
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

TEST_F(TlmPortsTest, ATargetThatCompletesAtOnce) {
  check_plain_target(plain::Answer::completed, {}, 11);
}
TEST_F(TlmPortsTest, ATargetThatCompletesAtOnceAndASlowSender) {
  check_plain_target(plain::Answer::completed, kSlow, 11);
}
TEST_F(TlmPortsTest, ATargetThatRespondsOnTheReturnPath) {
  check_plain_target(plain::Answer::updated_response, {}, 11);
}
TEST_F(TlmPortsTest, ATargetThatRespondsOnTheReturnPathAndASlowSender) {
  check_plain_target(plain::Answer::updated_response, kSlow, 11);
}
TEST_F(TlmPortsTest, ATargetThatEndsTheRequestAtOnce) {
  check_plain_target(plain::Answer::updated_end_req, {}, 11);
}
TEST_F(TlmPortsTest, ATargetThatEndsTheRequestAtOnceAndASlowSender) {
  check_plain_target(plain::Answer::updated_end_req, kSlow, 11);
}
TEST_F(TlmPortsTest, ATargetThatEndsTheRequestLater) {
  check_plain_target(plain::Answer::accepted, {}, 11);
}
TEST_F(TlmPortsTest, ATargetThatEndsTheRequestLaterAndASlowSender) {
  check_plain_target(plain::Answer::accepted, kSlow, 11);
}
TEST_F(TlmPortsTest, ATargetWhoseResponseEndsTheRequest) {
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

TEST_F(TlmPortsTest, AnAnnotatedEndReqHoldsTheNextRequestBack) {
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

TEST_F(TlmPortsTest, AnInitiatorThatCompletes) {
  check_plain_initiator(plain::Finish::completed, {});
}
TEST_F(TlmPortsTest, AnInitiatorThatEndsOnTheReturnPath) {
  check_plain_initiator(plain::Finish::updated_end_resp, {});
}
TEST_F(TlmPortsTest, AnInitiatorThatEndsTheResponseLater) {
  check_plain_initiator(plain::Finish::accepted, {});
}
TEST_F(TlmPortsTest, AnInitiatorThatEndsTheResponseLaterOnAFullQueue) {
  check_plain_initiator(plain::Finish::accepted, {8, 8, 3, 8, 1, 1});
}

TEST_F(TlmPortsTest, DebugAndBlockingCallsReachTheOwner) {
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

TEST_F(TlmPortsTest, WithoutABlockingHandlerTheCommandIsRefused) {
  ClockDomain d("d", kGigahertz);
  plain::Initiator initiator("initiator", plain::Finish::completed, 0);
  BlockedReceiver receiver("receiver", d);
  initiator.socket.bind(receiver.port.socket);
  run_for(10 * kNs);
  TransactionPool pool;
  Transaction& t = pool.get(tlm::TLM_READ_COMMAND, 0, 16);
  EXPECT_EQ(initiator.socket->transport_dbg(t), 0u);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  initiator.socket->b_transport(t, delay);
  EXPECT_EQ(t.get_response_status(), tlm::TLM_COMMAND_ERROR_RESPONSE);
  t.release();
}

TEST_F(TlmPortsTest, ArrivalsAreReportedInABit) {
  ClockDomain d("d", kGigahertz);
  Sender sender("sender", d, {}, 1);
  Receiver receiver("receiver", d, {});
  std::uint64_t responses = 0, requests = 0;
  sender.port.watch(responses, 5);
  receiver.port.watch(requests, 63);
  sender.port.socket.bind(receiver.port.socket);
  run_for(kNs / 2);
  EXPECT_EQ(requests, std::uint64_t(1) << 63) << "reported at once, though not yet visible";
  EXPECT_EQ(responses, 0u);
  run_for(10 * kNs);
  EXPECT_EQ(responses, 32u);
}

TEST_F(TlmPortsTest, LookingPastTheHeadAndTakingFromTheMiddle) {
  ClockDomain d("d", kGigahertz);
  struct Owner : Clocked {
    using Clocked::Clocked;
    Cycle tick(Cycle) override { return kNever; }
  } owner(d);
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
  struct Owner : Clocked {
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
