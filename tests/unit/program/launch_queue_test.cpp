// SPDX-License-Identifier: Apache-2.0
// Which kernels may run together, by the rules of streams, events and the default stream.
#include "program/launch_queue.hpp"

#include <gtest/gtest.h>

#include <string>

namespace warpmem::program {
namespace {

class Named : public Grid {
 public:
  explicit Named(std::string name) { traits_.name = std::move(name); }
  const KernelTraits& traits() const override { return traits_; }
  std::unique_ptr<Cta> start_cta(std::uint64_t, const SmView&) override { return nullptr; }

 private:
  KernelTraits traits_;
};

class Queue {
 public:
  Queue& add(const StreamId& stream, const std::string& name) {
    queue.add(stream, std::make_unique<Named>(name));
    return *this;
  }
  /// The groups: "a b | c".
  std::string groups() {
    std::string text;
    for (const LaunchQueue::Group& group : queue.take()) {
      text += text.empty() ? "" : " |";
      for (const auto& grid : group) text += (text.empty() ? "" : " ") + grid->traits().name;
    }
    return text;
  }
  LaunchQueue queue;
};

const int kHandles[3] = {};
const StreamId kDefault, kA{&kHandles[0], true}, kB{&kHandles[1], true},
    kBeside{&kHandles[2], false};

TEST(LaunchQueue, StreamsAreIndependentAndEachIsInOrder) {
  Queue q;
  EXPECT_EQ(q.add(kA, "a").add(kA, "b").add(kB, "c").add(kBeside, "d").groups(), "a c d | b");
}

TEST(LaunchQueue, DefaultStreamIsInOrderWithAllThatBlock) {
  Queue q;
  q.add(kA, "a").add(kB, "b").add(kB, "c").add(kDefault, "d").add(kA, "e").add(kDefault, "f");
  EXPECT_EQ(q.groups(), "a b | c | d | e | f");
}

TEST(LaunchQueue, OneThatDoesNotBlockIsBesideTheDefaultStream) {
  Queue q;
  EXPECT_EQ(q.add(kDefault, "a").add(kBeside, "b").add(kDefault, "c").add(kBeside, "d").groups(),
            "a b | c d");
}

TEST(LaunchQueue, EventOfAnotherStreamIsWaitedFor) {
  Queue q;
  q.add(kA, "a").add(kA, "b");
  const unsigned behind_b = q.queue.level(kA);
  EXPECT_EQ(behind_b, 2u);
  q.add(kBeside, "c");
  q.queue.wait(kBeside, behind_b);
  q.add(kBeside, "d").add(kB, "e");
  EXPECT_EQ(q.groups(), "a c e | b | d");
}

TEST(LaunchQueue, EventInTheDefaultStreamIsBehindAllThatBlock) {
  Queue q;
  q.add(kA, "a").add(kA, "b").add(kBeside, "c");
  EXPECT_EQ(q.queue.level(kDefault), 2u);
  EXPECT_EQ(q.queue.level(kB), 0u);
}

TEST(LaunchQueue, WaitOfTheDefaultStreamHoldsThoseThatBlock) {
  Queue q;
  q.add(kBeside, "a").add(kBeside, "b");
  q.queue.wait(kDefault, q.queue.level(kBeside));
  EXPECT_EQ(q.add(kA, "c").groups(), "a | b | c");
}

TEST(LaunchQueue, NothingIsRememberedOfWhatWasTaken) {
  Queue q;
  q.add(kA, "a").add(kDefault, "b");
  EXPECT_EQ(q.groups(), "a | b");
  EXPECT_TRUE(q.queue.empty());
  EXPECT_EQ(q.queue.level(kDefault), 0u);
  EXPECT_EQ(q.add(kA, "c").groups(), "c");
}

}  // namespace
}  // namespace warpmem::program
