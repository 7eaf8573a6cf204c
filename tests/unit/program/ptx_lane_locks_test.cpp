// SPDX-License-Identifier: Apache-2.0
// Locks that every lane takes for itself, in the forms that compilers give them: two blocks of two
// warps count up a word that only the lock protects.
#include "base/errors.hpp"
#include "program/functional.hpp"
#include "unit/program/ptx_fixture.hpp"

namespace warpmem::program::ptx {
namespace {

const char* const kWork =
    "ld.volatile.global.u32 %r3, [%d0+4];\nadd.u32 %r3, %r3, 1;\n"
    "st.volatile.global.u32 [%d0+4], %r3;\nmembar.gl;\n";
const char* const kRelease = "atom.global.exch.b32 %r4, [%d0], 0;\n";

constexpr unsigned kWords = 10;  ///< a lock, a counter, more locks

/// Returns the counted lanes, of 128.
unsigned counted(const std::string& body, const std::string& functions = "") {
  DeviceMemory memory(1 << 20);
  Module module(header() + functions +
                    ".visible .entry k(.param .u64 p) {\n.reg .b32 %r<9>; .reg .b64 %d<4>; "
                    ".reg .pred %p<3>;\nld.param.u64 %d0, [p];\n" +
                    body + "ret;\n}\n",
                "locks.ptx");
  module.bind(memory);
  const Addr words = memory.allocate(4 * kWords);
  const auto launch = make_grid(module, "k", {2}, {64}, 0, Arguments().add(words).bytes(), memory);
  FunctionalLimits limits;
  limits.without_progress = 1'000'000;
  run_functional(*launch, 0, ~std::uint64_t(0), limits);
  return reinterpret_cast<const unsigned*>(DeviceMemory::host(words))[1];
}

const std::string kTry =
    "LOCK: atom.global.cas.b32 %r2, [%d0], 0, 1;\n"
    "setp.ne.u32 %p1, %r2, 0;\n";

TEST(PtxLaneLocks, AnEmptyLoopBeforeTheWork) {
  EXPECT_EQ(counted(kTry + "@%p1 bra LOCK;\n" + kWork + kRelease), 128u);
}

TEST(PtxLaneLocks, TheBranchLeavesTheLoop) {
  EXPECT_EQ(counted(kTry + "@!%p1 bra WORK;\nbra LOCK;\nWORK:\n" + kWork + kRelease), 128u);
}

TEST(PtxLaneLocks, TheLoopSleeps) {
  EXPECT_EQ(
      counted(kTry + "@!%p1 bra WORK;\nnanosleep.u32 20;\nbra LOCK;\nWORK:\n" + kWork + kRelease),
      128u);
}

// As of lock[bin[i]], whose index the compiler loads in every round, and again for the release.
TEST(PtxLaneLocks, TheAddressIsComputedInEveryRound) {
  const std::string address = "ld.param.u64 %d1, [p];\nadd.u64 %d2, %d1, 0;\n";
  const std::string again = "ld.param.u64 %d3, [p];\natom.global.exch.b32 %r4, [%d3], 0;\n";
  EXPECT_EQ(counted("LOCK: " + address +
                    "atom.global.cas.b32 %r2, [%d2], 0, 1;\nsetp.ne.u32 %p1, %r2, 0;\n"
                    "@%p1 bra LOCK;\n" +
                    kWork + again),
            128u);
}

// A lane takes a lock and the next one, of eight behind the counter; as the order is the same for
// all, none waits for itself.
const char* const kTwoLocks =
    "mov.u32 %r5, %laneid;\nrem.u32 %r5, %r5, 7;\nmul.wide.u32 %d1, %r5, 4;\n"
    "add.u64 %d1, %d1, %d0;\n";
const char* const kWorkOfBoth = "atom.global.add.u32 %r3, [%d0+4], 1;\nmembar.gl;\n";
const char* const kReleaseBoth =
    "atom.global.exch.b32 %r4, [%d1+12], 0;\natom.global.exch.b32 %r4, [%d1+8], 0;\n";

TEST(PtxLaneLocks, ASecondLockWhileTheFirstIsHeld) {
  EXPECT_EQ(counted(std::string(kTwoLocks) +
                    "FIRST: atom.global.cas.b32 %r2, [%d1+8], 0, 1;\nsetp.ne.u32 %p1, %r2, 0;\n"
                    "@%p1 bra FIRST;\n"
                    "SECOND: atom.global.cas.b32 %r2, [%d1+12], 0, 1;\nsetp.ne.u32 %p1, %r2, 0;\n"
                    "@%p1 bra SECOND;\n" +
                    kWorkOfBoth + kReleaseBoth),
            128u);
}

TEST(PtxLaneLocks, TheFirstIsGivenBackWhileTheSecondIsNotHad) {
  EXPECT_EQ(counted(std::string(kTwoLocks) +
                    "FIRST: atom.global.cas.b32 %r2, [%d1+8], 0, 1;\nsetp.ne.u32 %p1, %r2, 0;\n"
                    "@%p1 bra FIRST;\n"
                    "atom.global.cas.b32 %r2, [%d1+12], 0, 1;\nsetp.eq.u32 %p1, %r2, 0;\n"
                    "@%p1 bra WORK;\natom.global.exch.b32 %r4, [%d1+8], 0;\nbra FIRST;\nWORK:\n" +
                    kWorkOfBoth + kReleaseBoth),
            128u);
}

// As of a table in which each round looks at another place; lanes meet as they leave.
TEST(PtxLaneLocks, ALoopWhoseAddressMovesIsNone) {
  EXPECT_EQ(counted("mov.u64 %d1, %d0;\nmov.u32 %r5, %laneid;\n"
                    "NEXT: add.u64 %d1, %d1, 0;\natom.global.cas.b32 %r2, [%d1], 7, 7;\n"
                    "sub.u32 %r5, %r5, 1;\nsetp.gt.s32 %p1, %r5, 0;\n@%p1 bra NEXT;\n"
                    "activemask.b32 %r6;\nsetp.ne.u32 %p2, %r6, 0xffffffff;\n@%p2 trap;\n"
                    "st.global.u32 [%d0+4], 5;\n"),
            5u);
}

TEST(PtxLaneLocks, ReleasedByAStoreAndAfterABranch) {
  EXPECT_EQ(
      counted(kTry +
              "@%p1 bra LOCK;\nmov.u32 %r5, %laneid;\nand.b32 %r5, %r5, 1;\n"
              "setp.eq.u32 %p2, %r5, 0;\n@%p2 bra OTHER;\n" +
              kWork + "bra DONE;\nOTHER:\n" + kWork + "DONE: st.volatile.global.u32 [%d0], 0;\n"),
      128u);
}

TEST(PtxLaneLocks, LanesAreTogetherAgainBehindTheRelease) {
  const std::string all = "activemask.b32 %r6;\nsetp.ne.u32 %p2, %r6, 0xffffffff;\n@%p2 trap;\n";
  EXPECT_EQ(counted(kTry + "@%p1 bra LOCK;\n" + kWork + kRelease + all + "bar.sync 0;\n"), 128u);
}

// As of acquire(lock) and release(lock) that are not inlined.
const std::string kAcquire =
    ".func acquire(.param .u64 lock) {\n.reg .b32 %r<9>; .reg .b64 %d<4>; .reg .pred %p<3>;\n"
    "ld.param.u64 %d0, [lock];\n" +
    kTry + "@%p1 bra LOCK;\nmembar.gl;\nret;\n}\n";
const std::string kGiveBack =
    ".func release(.param .u64 lock) {\n.reg .b32 %r<9>; .reg .b64 %d<4>;\n"
    "ld.param.u64 %d0, [lock];\nmembar.gl;\n" +
    std::string(kRelease) + "ret;\n}\n";
std::string calls(const std::string& function) {
  return "{ .param .b64 lock; st.param.b64 [lock], %d0; call.uni " + function + ", (lock); }\n";
}
const char* const kTogether =
    "activemask.b32 %r6;\nsetp.ne.u32 %p2, %r6, 0xffffffff;\n@%p2 trap;\n";

TEST(PtxLaneLocks, AFunctionReturnsWithTheLock) {
  EXPECT_EQ(counted(calls("acquire") + kWork + kRelease + kTogether, kAcquire), 128u);
}

TEST(PtxLaneLocks, AFunctionReleases) {
  EXPECT_EQ(counted(calls("acquire") + kWork + calls("release") + kTogether + "bar.sync 0;\n",
                    kAcquire + kGiveBack),
            128u);
  EXPECT_EQ(counted(kTry + "@%p1 bra LOCK;\n" + kWork + calls("release") + kTogether, kGiveBack),
            128u);
}

TEST(PtxLaneLocks, AFunctionCallsTheOneThatTakesTheLock) {
  const std::string outer =
      ".func outer(.param .u64 place) {\n.reg .b64 %d<4>; .reg .b32 %r<9>; .reg .pred %p<3>;\n"
      "ld.param.u64 %d0, [place];\nmov.u32 %r1, %laneid;\nsetp.lt.u32 %p1, %r1, 32;\n"
      "@!%p1 bra DONE;\n" +
      calls("acquire") + "DONE: ret;\n}\n";
  EXPECT_EQ(
      counted(calls("outer") + kWork + calls("release") + kTogether, kAcquire + kGiveBack + outer),
      128u);
}

TEST(PtxLaneLocks, TheLockIsTakenInEachRound) {
  const std::string rounds = "mov.u32 %r7, 0;\nROUND:\n" + calls("acquire") + kWork +
                             calls("release") +
                             "add.u32 %r7, %r7, 1;\nsetp.lt.u32 %p2, %r7, 3;\n@%p2 bra ROUND;\n";
  EXPECT_EQ(counted(rounds + kTogether, kAcquire + kGiveBack), 3 * 128u);
}

TEST(PtxLaneLocks, OnlySomeLanesTakeTheLock) {
  EXPECT_EQ(counted("mov.u32 %r5, %laneid;\nand.b32 %r5, %r5, 1;\nsetp.eq.u32 %p2, %r5, 0;\n"
                    "@%p2 bra JOIN;\n" +
                        calls("acquire") + kWork + calls("release") + "JOIN:\n" + kTogether,
                    kAcquire + kGiveBack),
            64u);
}

// As of `while (!done) if (try_acquire(lock)) { ...; done = true; }`.
TEST(PtxLaneLocks, AFunctionTriesTheLockOnce) {
  const std::string try_once =
      ".func (.param .b32 had) try_once(.param .u64 lock) {\n.reg .b32 %r<9>; .reg .b64 %d<4>;\n"
      "ld.param.u64 %d0, [lock];\natom.global.cas.b32 %r2, [%d0], 0, 1;\n"
      "st.param.b32 [had], %r2;\nret;\n}\n";
  EXPECT_EQ(counted("LOCK: { .param .b64 lock; .param .b32 had; st.param.b64 [lock], %d0;\n"
                    "call.uni (had), try_once, (lock); ld.param.b32 %r2, [had]; }\n"
                    "setp.ne.u32 %p1, %r2, 0;\n@%p1 bra LOCK;\n" +
                        std::string(kWork) + calls("release") + kTogether,
                    try_once + kGiveBack),
            128u);
}

// The second lock is taken in a frame of its own, above that of lanes that still want the first.
TEST(PtxLaneLocks, FunctionsTakeTwoLocks) {
  const std::string both = std::string(kTwoLocks) + "add.u64 %d2, %d1, 8;\nadd.u64 %d3, %d1, 12;\n";
  const auto of = [](const std::string& function, const std::string& lock) {
    return "{ .param .b64 lock; st.param.b64 [lock], " + lock + "; call.uni " + function +
           ", (lock); }\n";
  };
  EXPECT_EQ(counted(both + of("acquire", "%d2") + of("acquire", "%d3") + kWorkOfBoth +
                        of("release", "%d3") + of("release", "%d2") + kTogether,
                    kAcquire + kGiveBack),
            128u);
}

// The lanes that have the lock wait at the release for the others, which have none.
TEST(PtxLaneLocks, LanesThatNeedOthersBeforeTheReleaseDoNotEnd) {
  const std::string taken = kTry + "@%p1 bra LOCK;\n";
  const std::string vote = "vote.sync.any.pred %p2, %p1, 0xffffffff;\n";
  EXPECT_THROW(counted(taken + vote + kRelease), UserError);
  // Nor where a function that is called may need them.
  EXPECT_THROW(
      counted(taken + "call f;\n" + kRelease,
              ".func f() {\n.reg .pred %p<3>;\nsetp.eq.u32 %p1, 0, 0;\n" + vote + "ret;\n}\n"),
      UserError);
}

}  // namespace
}  // namespace warpmem::program::ptx
