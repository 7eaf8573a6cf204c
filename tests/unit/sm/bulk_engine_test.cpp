// SPDX-License-Identifier: Apache-2.0
// The bulk copy engine alone, at a memory whose answers can be taken after 400 cycles.
#include "sm/bulk_engine.hpp"

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <map>

#include "files/stats_json.hpp"
#include "program/async.hpp"
#include "unit/sm/plain_memory.hpp"

namespace warpmem::sm {
namespace {

using Kind = BulkEngine::Kind;

struct BulkClock {
  ClockDomain clock{"clock", (set_simulation_resolution(), std::uint64_t(1'000'000'000))};
};

/// Accepts copies in given cycles and notes when they are read and complete.
class BulkBench : private BulkClock, public sc_core::sc_module, public Clocked {
 public:
  explicit BulkBench(const SmParams& sm_params = {}, sc_core::sc_module_name name = "bench")
      : sc_module(name),
        Clocked(clock),
        params(sm_params),
        port("port", *this, 64, 4),
        engine(params, SmId(0), *this, pool, nullptr),
        memory("memory", sc_core::sc_time(399, sc_core::SC_NS)) {
    port.socket.bind(memory.socket);
  }

  /// A copy of one lane for each of `global`, which issues in cycle `at`.
  void copy(Cycle at, Kind kind, std::vector<Addr> global, std::uint32_t bytes) {
    plan.push_back({at, kind, std::move(global), bytes, {}});
  }
  /// A tile with these pieces.
  void tile(Cycle at, Kind kind, std::vector<program::BulkPiece> pieces) {
    const std::uint32_t bytes = pieces.back().offset + pieces.back().bytes;
    program::TileCopy tile;
    tile.pieces = std::move(pieces);
    plan.push_back({at, kind, {0}, bytes, std::move(tile)});
  }
  void run() {
    engine.register_stats(stats.group("sm"));
    sc_core::sc_start(sc_core::sc_time(5000, sc_core::SC_NS));
    rethrow_tick_failure();
    EXPECT_TRUE(engine.idle()) << engine.describe();
    EXPECT_EQ(pool.outstanding(), 0u);
    EXPECT_EQ(engine.requests(), engine.responses());
  }

  struct Planned {
    Cycle at;
    Kind kind;
    std::vector<Addr> global;
    std::uint32_t bytes;
    program::TileCopy tile;
  };
  std::vector<Planned> plan;
  std::map<Addr, Cycle> read, done;  ///< by the first address
  std::vector<Cycle> sent;           ///< cycles in which requests went
  Cycle accepted = 0;                ///< when the last one of the plan entered

 private:
  Cycle tick(Cycle now) override {
    port.begin_cycle();
    while (port.response() != nullptr)
      engine.answer(*port.take_response(), now,
                    [&](const BulkEngine::Copy& c) { done[first_of(c)] = now; });
    const std::uint64_t before = engine.requests();
    engine.send(
        port, now, [&](const BulkEngine::Copy& c) { read[first_of(c)] = now; },
        [&](const BulkEngine::Copy& c) { done[first_of(c)] = now; });
    for (std::uint64_t n = before; n < engine.requests(); ++n) sent.push_back(now);
    while (next_ < plan.size() && plan[next_].at <= now && !engine.full()) {
      accept(plan[next_++]);
      accepted = now;
    }
    return now + 1;
  }
  static Addr first_of(const BulkEngine::Copy& c) { return c.tile.pieces.front().global; }
  void accept(const Planned& p) {
    program::InstInfo& inst = infos_.emplace_back();
    inst.mem = p.kind == Kind::store ? program::MemOp::store : program::MemOp::load;
    inst.async =
        p.kind == Kind::prefetch ? program::AsyncCopy::bulk_prefetch : program::AsyncCopy::bulk;
    program::Issue issue;
    issue.inst = &inst;
    std::array<Addr, kWarpLanes> address{};
    std::array<std::uint32_t, kWarpLanes * program::kBulkOperands> operand{};
    for (std::size_t i = 0; i < p.global.size(); ++i) {
      issue.lanes |= LaneMask(1) << i;
      address[i] = p.global[i];
      operand[i * program::kBulkOperands + 1] = p.bytes;
    }
    issue.address = address.data();
    issue.operand = operand.data();
    if (!p.tile.pieces.empty()) issue.tiles = &p.tile;
    engine.accept(issue, {}, nullptr);
  }

  std::deque<program::InstInfo> infos_;
  std::size_t next_ = 0;

 public:
  TransactionPool pool;
  StatRegistry stats;
  SmParams params;
  RequestPort port;
  BulkEngine engine;
  PlainMemory memory;
};

// The example of docs/mechanisms.md 1.7, ten cycles later.
TEST(BulkEngine, CopiesGoOneAfterTheOtherAndOverlap) {
  BulkBench bench;
  bench.copy(10, Kind::load, {0x1000}, 256);
  bench.copy(11, Kind::load, {0x2000}, 256);
  bench.run();
  EXPECT_EQ(bench.sent, (std::vector<Cycle>{11, 12, 13, 14}));
  EXPECT_EQ(bench.done[0x1000], 412u);
  EXPECT_EQ(bench.done[0x2000], 414u);
}

TEST(BulkEngine, TheRateIsOfRequestsInACycle) {
  SmParams params;
  params.bulk_rate = 3;
  BulkBench bench(params);
  bench.copy(10, Kind::load, {0x1000}, 512);
  bench.run();
  EXPECT_EQ(bench.sent, (std::vector<Cycle>{11, 11, 11, 12}));
}

// The third request waits for the answer to the first.
TEST(BulkEngine, SoManyRequestsMayBeUnderWay) {
  SmParams params;
  params.bulk_pending = 2;
  BulkBench bench(params);
  bench.copy(10, Kind::load, {0x1000}, 384);
  bench.run();
  EXPECT_EQ(bench.sent, (std::vector<Cycle>{11, 12, 411}));
}

// Copies that have sent all their requests are not in the queue any longer.
TEST(BulkEngine, AFullQueueHoldsTheNextInstruction) {
  SmParams params;
  params.bulk_queue = 2;
  BulkBench bench(params);
  for (unsigned i = 0; i < 3; ++i) bench.copy(10, Kind::load, {0x1000 + 0x1000 * Addr(i)}, 256);
  bench.run();
  EXPECT_EQ(bench.accepted, 12u);  // the first copy has sent its second request
}

TEST(BulkEngine, LanesOfAnInstructionAreCopiesOfTheirOwn) {
  SmParams params;
  params.bulk_queue = 1;
  BulkBench bench(params);
  bench.copy(10, Kind::load, {0x1000, 0x3000, 0x2000}, 128);
  bench.run();
  EXPECT_EQ(bench.accepted, 10u);
  EXPECT_EQ(bench.done[0x1000], 411u);
  EXPECT_EQ(bench.done[0x3000], 412u);
  EXPECT_EQ(bench.done[0x2000], 413u);
}

// 160 bytes from 0x1070 on: the last 16 of a line, and 144 of which 128 are the next one's.
TEST(BulkEngine, AskForTheSectorsThatTheyTouch) {
  BulkBench bench;
  bench.copy(10, Kind::load, {0x1070}, 160);
  bench.run();
  ASSERT_EQ(bench.memory.seen.size(), 3u);
  const unsigned sectors[] = {8, 15, 1};
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_EQ(bench.memory.seen[i].address, 0x1000u + 0x80 * i);
    EXPECT_EQ(bench.memory.seen[i].bytes, 128u);
    EXPECT_EQ(bench.memory.seen[i].sectors, sectors[i]);
  }
}

TEST(BulkEngine, SegmentsShrinkToWhatIsWanted) {
  SmParams params;
  params.granularity = Granularity::segment;
  BulkBench bench(params);
  bench.copy(10, Kind::load, {0x1070}, 64);
  bench.run();
  ASSERT_EQ(bench.memory.seen.size(), 2u);
  EXPECT_EQ(bench.memory.seen[0].address, 0x1060u);
  EXPECT_EQ(bench.memory.seen[0].bytes, 32u);
  EXPECT_EQ(bench.memory.seen[0].sectors, 1u);
  EXPECT_EQ(bench.memory.seen[1].address, 0x1080u);
  EXPECT_EQ(bench.memory.seen[1].bytes, 64u);
  EXPECT_EQ(bench.memory.seen[1].sectors, 3u);
}

TEST(BulkEngine, AStoreIsReadWhenItsLastRequestGoes) {
  BulkBench bench;
  bench.copy(10, Kind::store, {0x1000}, 256);
  bench.copy(10, Kind::prefetch, {0x2000}, 128);
  bench.run();
  EXPECT_EQ(bench.read.size(), 1u);
  EXPECT_EQ(bench.read[0x1000], 12u);
  EXPECT_EQ(bench.done[0x1000], 412u);
  EXPECT_EQ(bench.done[0x2000], 413u);
  EXPECT_TRUE(bench.memory.seen[0].write);
  EXPECT_FALSE(bench.memory.seen[2].write);
}

// Two rows of 64 B of a tile, with 160 B outside the tensor between them: two blocks of no request.
TEST(BulkEngine, ATileAsksForItsPieces) {
  BulkBench bench;
  bench.tile(10, Kind::load, {{0x1040, 0, 64}, {0, 64, 160}, {0x3000, 224, 64}});
  bench.run();
  EXPECT_EQ(bench.sent, (std::vector<Cycle>{11, 14}));
  EXPECT_EQ(bench.done[0x1040], 414u);
  ASSERT_EQ(bench.memory.seen.size(), 2u);
  EXPECT_EQ(bench.memory.seen[0].address, 0x1000u);
  EXPECT_EQ(bench.memory.seen[0].sectors, 12u);
  EXPECT_EQ(bench.memory.seen[1].address, 0x3000u);
  EXPECT_EQ(bench.memory.seen[1].sectors, 3u);
}

// It is complete when it has passed over its bytes, at 128 a cycle.
TEST(BulkEngine, ATileOutsideItsTensorAsksForNothing) {
  BulkBench bench;
  bench.tile(10, Kind::load, {{0, 0, 384}});
  bench.tile(10, Kind::store, {{0, 0, 128}});
  bench.run();
  EXPECT_TRUE(bench.sent.empty());
  EXPECT_EQ(bench.done[0], 14u);
  EXPECT_EQ(bench.read[0], 14u);
}

// What was answered before the rest of the tile was passed over completes nothing.
TEST(BulkEngine, ATileMayEndOutsideItsTensor) {
  SmParams params;
  params.bulk_pending = 1;
  BulkBench bench(params);
  bench.tile(10, Kind::load, {{0x1000, 0, 128}, {0, 128, 256}});
  bench.run();
  EXPECT_EQ(bench.sent, (std::vector<Cycle>{11}));
  EXPECT_EQ(bench.done[0x1000], 412u);  // answered in 411, and passed over in 411 and 412
}

/// An engine whose copies go to other CTAs; their packets wait.
class PeerBench : private BulkClock, public sc_core::sc_module, public Clocked {
 public:
  explicit PeerBench(sc_core::sc_module_name name = "bench")
      : sc_module(name),
        Clocked(clock),
        peers(params, SmId(0), *this, pool),
        engine(params, SmId(0), *this, pool, nullptr, &peers) {}

  SmParams params;
  TransactionPool pool;
  ClusterUnit peers;
  BulkEngine engine;

 private:
  Cycle tick(Cycle) override { return kNever; }
};

TEST(BulkEngine, ACopyToAPeerTakesUntilItsLastBlockHasLeft) {
  PeerBench bench;
  StatRegistry stats;
  bench.engine.register_stats(stats.group("sm"));
  stats.begin_kernel("k");
  program::InstInfo inst;
  inst.async = program::AsyncCopy::bulk_peer;
  const std::array<Addr, kWarpLanes> address{};
  std::array<std::uint32_t, kWarpLanes * program::kBulkOperands> operand{};
  operand[1] = 512;
  program::Issue issue;
  issue.inst = &inst;
  issue.lanes = 1;
  issue.address = address.data();
  issue.operand = operand.data();
  const Cycle issued = bench.domain().now();
  bench.engine.accept(issue, {}, nullptr);
  unsigned done = 0;
  for (Cycle now = issued + 1; now <= issued + 4; ++now) {
    EXPECT_EQ(done, 0u);
    EXPECT_TRUE(bench.engine.send_block(now, [&](const BulkEngine::Copy&) { ++done; }));
  }
  EXPECT_EQ(done, 1u);
  stats.end_kernel();
  EXPECT_NE(stats_json(stats).find("\"sm.bulk.copy_cycles\": 4"), std::string::npos);
}

}  // namespace
}  // namespace warpmem::sm
