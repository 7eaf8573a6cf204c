// SPDX-License-Identifier: Apache-2.0
// Clusters of CTAs in the interpreter: who is who, each other's shared memory, the barrier,
// mbarriers and copies of others, and the errors.
#include "program/async.hpp"
#include "program/cluster.hpp"
#include "unit/program/ptx_memory_fixture.hpp"

namespace warpmem::program::ptx {
namespace {

constexpr char kSync[] = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;";

/// %r8 is the CTA's place of 128 bytes in shared memory, %r9 an mbarrier for one arrival, %r10 the
/// CTA's rank, %r11 the rank after it; %rd3 is the thread's word of the CTA in the buffer.
class PtxCluster : public PtxMemory {
 protected:
  void prepare_cluster(const std::string& body, Dim3 ctas, Dim3 cluster,
                       const std::string& attributes = "") {
    grid.reset();
    module = std::make_unique<Module>(
        header() + ".visible .entry k(.param .u64 ptr) " + attributes +
            " {\n.reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<30>; .reg .b64 %rd<20>;\n"
            ".shared .align 16 .b8 tile[128]; .shared .align 8 .b64 bar;"
            "ld.param.u64 %rd0, [ptr]; mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x;"
            "mad.lo.u32 %r2, %r1, 32, %r0; mul.wide.u32 %rd1, %r2, 4; add.u64 %rd3, %rd0, %rd1;"
            "mov.u32 %r8, tile; mov.u32 %r9, bar; mov.u32 %r10, %cluster_ctarank;"
            "add.u32 %r11, %r10, 1; mov.u32 %r12, %cluster_nctarank; rem.u32 %r11, %r11, %r12;"
            "setp.eq.u32 %p8, %r0, 0; @%p8 mbarrier.init.shared.b64 [%r9], 1;" +
            body + "\nret; }\n",
        "cluster.ptx");
    module->bind(memory);
    grid = make_grid(*module, "k", ctas, {32}, 0, Arguments().add(buffer).bytes(), memory, cluster);
  }
  void run_cluster(const std::string& body, Dim3 ctas = {4}, Dim3 cluster = {2}) {
    prepare_cluster(body, ctas, cluster);
    run_functional(*grid);
  }
  std::string fails_in_cluster(const std::string& body, Dim3 ctas = {4}, Dim3 cluster = {2}) {
    return error_of([&] { run_cluster(body, ctas, cluster); });
  }
  const std::uint32_t* words(unsigned cta) { return host<std::uint32_t>() + 32 * cta; }
};

TEST(Clusters, CtasOfBoxes) {
  KernelTraits traits;
  traits.grid = {4, 6, 2};
  traits.cluster = {2, 3, 1};
  const Clusters clusters(traits);
  EXPECT_EQ(clusters.ctas_each(), 6u);
  for (std::uint64_t index = 0; index < traits.grid.count(); ++index)
    EXPECT_EQ(clusters.cta(clusters.cluster_of(index), clusters.rank_of(index)), index);
  EXPECT_EQ(clusters.cluster_of(3 + 4 * 4), 3u);  // (3, 4, 0) lies in cluster (1, 1, 0)
  EXPECT_EQ(clusters.rank_of(3 + 4 * 4), 3u);     // as (1, 1, 0) of it
}

TEST_F(PtxCluster, RegistersSayWhoIsWho) {
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, unsigned>>{{"clusterid.x", 1},
                                                     {"clusterid.y", 2},
                                                     {"clusterid.z", 0},
                                                     {"clusterid.w", 0},
                                                     {"nclusterid.x", 2},
                                                     {"nclusterid.y", 3},
                                                     {"nclusterid.z", 1},
                                                     {"cluster_ctaid.x", 1},
                                                     {"cluster_ctaid.y", 0},
                                                     {"cluster_ctaid.z", 0},
                                                     {"cluster_nctaid.x", 2},
                                                     {"cluster_nctaid.y", 2},
                                                     {"cluster_nctaid.z", 1},
                                                     {"cluster_ctarank", 1},
                                                     {"cluster_nctarank", 4}}) {
    // CTA (3, 4) of a grid of 4 x 6.
    run_cluster(
        "mov.u32 %r3, %ctaid.y; setp.ne.u32 %p1, %r3, 4; @%p1 ret;"
        "mov.u32 %r4, %" +
            name + "; st.global.u32 [%rd3], %r4;",
        {4, 6}, {2, 2});
    EXPECT_EQ(words(3)[0], value) << name;
  }
}

TEST_F(PtxCluster, AnExplicitClusterIsOneOfAttributeOrLaunch) {
  const std::string store =
      "mov.pred %p1, %is_explicit_cluster; selp.u32 %r4, 1, 2, %p1;"
      "st.global.u32 [%rd3], %r4;";
  run_cluster(store, {1}, {1});
  EXPECT_EQ(words(0)[0], 1u);
  run(store.substr(0, store.find("st.global")) + "st.global.u32 [%rd2], %r4;");
  EXPECT_EQ(words(0)[0], 2u);
  prepare_cluster("mov.u32 %r4, %cluster_nctarank; st.global.u32 [%rd3], %r4;", {4}, {4},
                  ".explicitcluster .reqnctapercluster 2, 1, 1");
  grid = make_grid(*module, "k", {4}, {32}, 0, Arguments().add(buffer).bytes(), memory);
  run_functional(*grid);
  EXPECT_EQ(words(3)[31], 2u);
}

TEST_F(PtxCluster, LoadsAndStoresReachTheNextCta) {
  const std::string place = "shl.b32 %r3, %r0, 2; add.u32 %r3, %r3, %r8;";
  const std::string value = "mad.lo.u32 %r4, %r10, 1000, %r0;";
  const std::string map = "mapa.shared::cluster.u32 %r5, %r3, %r11;";
  run_cluster(place + value + map + "st.shared.u32 [%r3], %r4;" + kSync +
              "ld.shared::cluster.u32 %r6, [%r5]; st.global.u32 [%rd3], %r6;" + kSync);
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(words(2)[i], 1000 + i);
  run_cluster(place + value + map + kSync + std::string("st.shared::cluster.u32 [%r5], %r4;") +
              kSync + "ld.shared::cta.u32 %r6, [%r3]; st.global.u32 [%rd3], %r6;");
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(words(2)[i], 1000 + i);
}

TEST_F(PtxCluster, GenericAddressesAndAtomicsDoToo) {
  const std::string generic = "cvta.shared.u64 %rd4, %rd5; mapa.u64 %rd6, %rd4, 0;";
  run_cluster("mov.u64 %rd5, tile;" + generic + kSync + "atom.add.u32 %r4, [%rd6], 1;" + kSync +
              "ld.u32 %r6, [%rd6]; st.global.u32 [%rd3], %r6;" + kSync);
  EXPECT_EQ(words(0)[0], 64u);
  EXPECT_EQ(words(1)[7], 64u);
  run_cluster("mov.u64 %rd5, tile;" + generic + "getctarank.u64 %r4, %rd6;" +
              "mapa.shared::cluster.u32 %r5, %r8, %r11; getctarank.shared::cluster.u32 %r6, %r5;"
              "mad.lo.u32 %r4, %r4, 10, %r6; st.global.u32 [%rd3], %r4;");
  EXPECT_EQ(words(0)[0], 1u);
  EXPECT_EQ(words(1)[0], 0u);
}

TEST_F(PtxCluster, LanesOfOneInstructionMayGoToSeveralCtas) {
  run_cluster(
      "shl.b32 %r3, %r0, 2; add.u32 %r3, %r3, %r8; mad.lo.u32 %r4, %r10, 1000, %r0;"
      "st.shared.u32 [%r3], %r4;" +
          std::string(kSync) +
          "and.b32 %r7, %r0, 3; mapa.shared::cluster.u32 %r5, %r3, %r7;"
          "ld.shared::cluster.u32 %r6, [%r5]; st.global.u32 [%rd3], %r6;" +
          kSync,
      {4}, {4});
  for (unsigned cta = 0; cta < 4; ++cta)
    for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(words(cta)[i], i % 4 * 1000 + i);
}

TEST_F(PtxCluster, TheMachineIsToldWhereAnAccessGoes) {
  prepare_cluster("mapa.shared::cluster.u32 %r5, %r8, 1; ld.shared::cluster.u32 %r6, [%r5+16];",
                  {2}, {2});
  const auto first = grid->start_cta(0, SmView{}), second = grid->start_cta(1, SmView{});
  const auto load_of = [](Cta& cta) -> const Issue& {
    while (cta.next(0)->space != Space::cluster) cta.execute(0);
    return cta.execute(0);
  };
  const Issue& there = load_of(*first);
  EXPECT_EQ(there.space, Space::cluster);
  EXPECT_EQ(there.address[5], cluster_address(1, 16));
  const Issue& here = load_of(*second);
  EXPECT_EQ(here.space, Space::shared);
  EXPECT_EQ(here.address[5], 16u);
}

TEST_F(PtxCluster, AnArrivalElsewhereIsTheMachinesToDeliver) {
  const std::string arrive = "mapa.shared::cluster.u32 %r5, %r9, %r11;" + std::string(kSync) +
                             "@%p8 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r5];";
  const std::string wait =
      "AGAIN: mbarrier.try_wait.parity.acquire.cluster.shared.b64 %p1, [%r9], "
      "0; @!%p1 bra AGAIN;";
  run_cluster(arrive + wait + "st.global.u32 [%rd3], 5;");
  EXPECT_EQ(words(3)[31], 5u);
  prepare_cluster(
      "mapa.shared::cluster.u32 %r5, %r9, 1;"
      "@%p8 mbarrier.arrive.shared::cluster.b64 _, [%r5];",
      {2}, {2});
  const auto first = grid->start_cta(0, SmView{}), second = grid->start_cta(1, SmView{});
  while (second->next(0)->space != Space::cluster) second->execute(0);
  while (first->next(0)->space != Space::cluster) first->execute(0);
  const Issue& arrival = first->execute(0);
  EXPECT_EQ(arrival.space, Space::cluster);
  EXPECT_EQ(arrival.operand[0], 1u);
  EXPECT_EQ(arrival.phases_ended, 0u);
  const std::uint32_t at = cluster_offset(arrival.address[0]);
  EXPECT_EQ(second->peer_mbarrier(arrival.inst->pc, at, MbarrierOp::arrive, 1), 1u);
}

TEST_F(PtxCluster, CopiesGoToOneCtaOrToMany) {
  for (unsigned i = 0; i < 32; ++i) host<std::uint32_t>()[512 + i] = 70 + i;
  const std::string expect = "@%p8 mbarrier.arrive.expect_tx.shared.b64 _, [%r9], 128;";
  const std::string wait =
      "AGAIN: mbarrier.try_wait.parity.shared.b64 %p1, [%r9], 0;"
      "@!%p1 bra AGAIN; shl.b32 %r3, %r0, 2; add.u32 %r3, %r3, %r8;"
      "ld.shared.u32 %r4, [%r3]; st.global.u32 [%rd3], %r4;";
  const std::string one = "setp.eq.and.u32 %p2, %r10, 1, %p8; add.u64 %rd4, %rd0, 2048;";
  const std::string load = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes";
  run_cluster(one + expect + kSync + "mov.u16 %h0, 15; @%p2 " + load +
                  ".multicast::cluster [%r8], [%rd4], 128, [%r9], %h0;" + wait + kSync,
              {4}, {4});
  for (unsigned cta = 0; cta < 4; ++cta) EXPECT_EQ(words(cta)[31], 101u) << cta;
  // CTA 1 fills its tile, and CTA 0's from that.
  run_cluster("setp.eq.u32 %p3, %r10, 0;" + one + expect + kSync + "@%p2 " + load +
                  " [%r8], [%rd4], 128, [%r9];"
                  "@%p3 bra W; F: mbarrier.try_wait.parity.shared.b64 %p1, [%r9], 0; @!%p1 bra F;"
                  "mapa.shared::cluster.u32 %r5, %r8, 0; mapa.shared::cluster.u32 %r6, %r9, 0;"
                  "@%p2 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "
                  "[%r5], [%r8], 128, [%r6]; W: " +
                  wait + kSync,
              {2}, {2});
  EXPECT_EQ(words(0)[31], 101u);
}

TEST_F(PtxCluster, Errors) {
  const std::string map = "mapa.shared::cluster.u32 %r5, %r8, %r11;";
  EXPECT_NE(
      fails_in_cluster("mapa.shared::cluster.u32 %r5, %r8, 2;").find("CTA 2 of a cluster of 2"),
      std::string::npos);
  EXPECT_NE(fails_in_cluster(map + "setp.eq.u32 %p1, %r10, 0; @%p1 ret;" +
                             "barrier.cluster.arrive; barrier.cluster.wait;" +
                             "ld.shared::cluster.u32 %r6, [%r5];")
                .find("CTA 0 of the cluster has ended"),
            std::string::npos);
  EXPECT_NE(fails_in_cluster(map + "ld.shared.u32 %r6, [%r5];").find("out of range"),
            std::string::npos);
  EXPECT_NE(fails_in_cluster("barrier.cluster.wait;").find("without having arrived"),
            std::string::npos);
  EXPECT_NE(fails_in_cluster("barrier.cluster.arrive; barrier.cluster.arrive;")
                .find("again without having waited"),
            std::string::npos);
  EXPECT_NE(fails_in_cluster("@%p8 barrier.cluster.arrive;").find("diverged"), std::string::npos);
  EXPECT_NE(fails_in_cluster("", {3}, {2}).find("is no multiple of the cluster (2,1,1)"),
            std::string::npos);
  EXPECT_NE(fails_in_cluster("", {32}, {32}).find("allowed: 1 to 16"), std::string::npos);
  EXPECT_NE(fails_in_cluster("mapa.shared::cluster.u32 %r5, %r9, %r11; mov.pred %p1, %p8;" +
                             std::string(kSync) +
                             "mbarrier.test_wait.parity.shared::cluster.b64 %p1, [%r5], 0;")
                .find("waits at mbarriers of its own CTA"),
            std::string::npos);
  // The value of an asynchronous store and its mbarrier go to the same CTA.
  const std::string store = "@%p8 st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 ";
  const std::string both = map + "mapa.shared::cluster.u32 %r6, %r9, %r11;" + kSync;
  EXPECT_NE(fails_in_cluster(both + store + "[%r5], %r0, [%r9];")
                .find("the mbarrier is not in the CTA to which the bytes go"),
            std::string::npos);
  EXPECT_NE(fails_in_cluster(both + store + "[%r5+2], %r0, [%r6];").find("not aligned to 4 bytes"),
            std::string::npos);
  EXPECT_NE(fails_in_cluster(both + store + "[%r5], %r0, [%r6-8];").find("no mbarrier was init"),
            std::string::npos);
  prepare_cluster("", {4}, {2});
  EXPECT_NE(error_of([&] { run_functional(*grid, 1); }).find("no whole clusters of 2"),
            std::string::npos);
}

}  // namespace
}  // namespace warpmem::program::ptx
