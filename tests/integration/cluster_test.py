# SPDX-License-Identifier: Apache-2.0
"""Clusters of thread blocks: their bytes, what a configuration implies of them, what is refused."""

import json
import pathlib
import re
import sys
import unittest

from whole_runs import CHECKED, ROOT, RunTest, assignments, compiled, run, warpmem

MACHINE = ROOT / "configs" / "h100.yaml"
PROGRAM = "micro/clusters"
SMALL = ["sm.count=8", "memory.partitions=4", "gpu.launch_latency=0", "gpc.sms=4"]
MODES = ["latency", "bandwidth", "barrier", "separate", "multicast", "exchange", "scatter"]


class ClusterTest(RunTest):
    def out(self, label):
        return pathlib.Path(self.folder.name) / label

    def run_mode(self, arguments, keys=(), label="run"):
        """Returns what was measured, or None, and the statistics."""
        result = run(PROGRAM, [*SMALL, *keys], arguments.split(), self.out(label), MACHINE)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("PASS", result.stdout)
        found = re.search(r"measured ([0-9.]+)", result.stdout)
        stats = json.loads((self.out(label) / "stats.json").read_text())["total"]["stats"]
        return found and float(found.group(1)), stats

    def test_results_are_right_and_do_not_depend_on_what_is_skipped(self):
        for mode in MODES:
            for shape in ("4 2 4", "3 4 3", "1 2 2"):
                if mode in ("separate", "multicast") and shape[0] == "3":
                    continue  # parts of tiles are multiples of 16 B
                with self.subTest(mode=mode, shape=shape):
                    plain = self.run_mode(f"{mode} {shape}", CHECKED)
                    every = self.run_mode(
                        f"{mode} {shape}", [*CHECKED, "tick_all=true", "reverse_construction=true"])
                    self.assertEqual(plain, every)
                    result = warpmem("run", "--functional", compiled(PROGRAM), "--", mode,
                                     *shape.split())
                    self.assertEqual(result.stdout.splitlines()[-1:], ["PASS"], result.stderr)

    def test_asynchronous_writes_are_packets_of_segments(self):
        _, stats = self.run_mode("scatter 4 2 3", CHECKED)
        blocks, rounds, warps = 8, 3, 4
        self.assertEqual(stats["sm.cluster.async_writes"], 2 * blocks * rounds * warps)
        self.assertEqual(stats["sm.bulk.peer_reductions"], blocks * rounds)
        self.assertEqual(stats["sm.cluster.blocks"], blocks * rounds * 4)  # of 128 of 512 B
        # Pairs of a warp are two segments. Three lanes of a counter are three packets.
        arrivals = 2 * stats["sm.cluster.arrivals"]
        self.assertGreater(arrivals, 0)
        self.assertEqual(stats["sm.cluster.requests"],
                         stats["sm.cluster.arrivals"] + stats["sm.ctas"] +
                         blocks * rounds * (4 + warps * (2 + 6)))

    def test_without_gpcs_an_asynchronous_write_is_refused(self):
        source = pathlib.Path(self.folder.name) / "own.cu"
        source.write_text("""
__global__ void k(int* out) {
  __shared__ unsigned long long bar;
  __shared__ int word;
  const unsigned b = (unsigned)__cvta_generic_to_shared(&bar);
  const unsigned w = (unsigned)__cvta_generic_to_shared(&word);
  asm volatile("mbarrier.init.shared.b64 [%0], 1; mbarrier.arrive.expect_tx.shared.b64 _, [%0], 4;"
               "st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%1], 7, [%0];"
               "{ .reg .pred p; A: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra A; }"
               :: "r"(b), "r"(w) : "memory");
  *out = word;
}
int main() {
  int* out, host = 0;
  cudaMalloc(&out, 4);
  k<<<1, 1>>>(out);
  cudaMemcpy(&host, out, 4, cudaMemcpyDeviceToHost);
  return host == 7 ? 0 : 1;
}
""")
        for gpcs, status in (("gpc.sms=4", 0), ("gpc.sms=0", 2)):
            result = warpmem("run", "-c", MACHINE, *assignments([*SMALL, *CHECKED, gpcs]), source)
            self.assertEqual(result.returncode, status, result.stderr)
        self.assertIn("this machine has no GPCs (gpc.sms)", result.stderr)

    def test_blocks_may_share_an_sm(self):
        _, stats = self.run_mode("exchange 16 1 3", CHECKED)  # of 4 SMs
        self.assertEqual(stats["sm.cluster.sent"], stats["sm.cluster.taken"])
        self.assertEqual(stats["sm.ctas"], 16)
        # A copy to a peer takes a cycle for each of its blocks at least.
        self.assertGreaterEqual(stats["sm.bulk.copy_cycles"], stats["sm.cluster.blocks"])

    def test_a_load_takes_the_network_twice_and_shared_memory(self):
        def cycles(*keys):
            return self.run_mode("latency 2 1 4", keys)[0]
        base = cycles("gpc.latency=50")
        self.assertEqual(cycles("gpc.latency=80") - base, 2 * 30)
        self.assertEqual(cycles("gpc.latency=50", "sm.shared.latency=33") - base, 10)
        # Beyond these, the cycles from one module to the next.
        self.assertEqual(base, 2 * 50 + 23 + 6)

    def test_a_narrow_network_limits_loads(self):
        # 32 lanes of 16 B are four packets of 128 B, of which an answer takes 17 flits of 8 B.
        narrow, _ = self.run_mode("bandwidth 2 1 16", ["gpc.flit_bytes=8", "gpc.latency=8"])
        self.assertGreater(narrow, 0.9 * 128 / 17)
        self.assertLessEqual(narrow, 128 / 17)

    def test_the_barrier_is_one_packet_a_block(self):
        _, stats = self.run_mode("barrier 4 2 10")
        barriers = 13 * 8  # of each of the 8 blocks, with those around the measurement
        self.assertEqual(stats["sm.cluster.arrivals"], barriers)
        self.assertEqual(stats["sm.cluster.phases"], barriers)
        far, _ = self.run_mode("barrier 4 2 64", ["gpc.latency=150"])
        near, _ = self.run_mode("barrier 4 2 64", ["gpc.latency=50"])
        self.assertAlmostEqual(far - near, 100, delta=10)

    def test_multicast_asks_l2_once_for_the_cluster(self):
        tiles, clusters, lines = 6, 2, 8192 // 32
        _, separate = self.run_mode(f"separate 4 {clusters} {tiles}")
        _, multicast = self.run_mode(f"multicast 4 {clusters} {tiles}")
        self.assertEqual(separate["sm.bulk.requests"], 4 * clusters * tiles * lines)
        self.assertEqual(multicast["sm.bulk.requests"], clusters * tiles * lines)
        self.assertEqual(multicast["sm.bulk.multicasts"], 4 * clusters * tiles)
        # Each packet goes through the sender's port once, and to four outputs.
        self.assertEqual(multicast["gpc.request.copies"],
                         multicast["sm.cluster.sent"] - multicast["sm.cluster.requests"])

    def test_without_gpcs_there_is_nothing_of_them(self):
        result = run("vectoradd", ["sm.count=2", "gpc.sms=0"], ["1000"], self.out("none"), MACHINE)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("cluster.", (self.out("none") / "stats.json").read_text())


# Blocks of clusters of two by two read from all others of theirs.
SQUARES = """
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 2) squares(unsigned* out) {
  __shared__ unsigned word[32];
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned block = blockIdx.x + gridDim.x * blockIdx.y;
  word[threadIdx.x] = 32 * block + threadIdx.x;
  cluster.sync();
  unsigned sum = 0;
  for (unsigned rank = 0; rank < 4; ++rank)
    sum += *cluster.map_shared_rank(&word[31 - threadIdx.x], rank);
  cluster.sync();
  out[32 * block + threadIdx.x] = sum;
}
int main() {
  unsigned* out;
  cudaMalloc(&out, 16 * 32 * 4);
  squares<<<dim3(4, 4), 32>>>(out);
  return cudaDeviceSynchronize();
}
"""


class TraceTest(RunTest):
    """A trace of a kernel with clusters has the statistics of the program, as PTX has it."""

    def statistics(self, label, program, *arguments, flags=()):
        out = pathlib.Path(self.folder.name) / label
        keys = assignments([*SMALL, "ptx.early_loads=false"])
        result = warpmem("run", "-c", MACHINE, *keys, *flags, "-o", out, program, *arguments)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        stats = json.loads((out / "stats.json").read_text())["total"]["stats"]
        self.assertGreater(stats["sm.cluster.requests"], 0)
        return stats

    def check(self, program, *arguments):
        trace = pathlib.Path(self.folder.name) / "clusters.wmtrace"
        result = warpmem("trace", "convert", program, "-o", trace, *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        for flags in ((), ("--ctas", "4")):  # the others are executed without timing
            self.assertEqual(self.statistics("trace", trace, flags=flags),
                             self.statistics("program", program, *arguments, flags=flags))
        result = warpmem("run", "--functional", trace)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_each_way(self):
        for mode in MODES:
            with self.subTest(mode=mode):
                self.check(compiled(PROGRAM), "--", mode, "4", "2", "4")

    def test_blocks_of_a_cluster_are_not_neighbours_in_the_grid(self):
        source = pathlib.Path(self.folder.name) / "squares.cu"
        source.write_text(SQUARES)
        self.check(source)


class RefusedTest(RunTest):
    def refused(self, keys, arguments, *parts):
        result = run(PROGRAM, keys, arguments.split(), pathlib.Path(self.folder.name) / "out",
                     MACHINE)
        self.assertEqual(result.returncode, 2, result.stderr)
        for part in parts:
            self.assertIn(part, result.stderr)

    def test_a_machine_without_gpcs(self):
        self.refused(["sm.count=4", "gpc.sms=0"], "barrier 2",
                     "clusters of 2 thread blocks", "set gpc.sms")

    def test_a_cluster_that_never_fits(self):
        self.refused(["sm.count=4", "gpc.sms=2", "sm.ctas=1"], "barrier 4",
                     "a GPC has 2 SMs (gpc.sms), each with room for 1 such blocks (sm.ctas)")

    def test_clusters_that_cuda_does_not_have(self):
        source = pathlib.Path(self.folder.name) / "odd.cu"
        source.write_text("""
__global__ void __cluster_dims__(3) k(int* p) { *p = 1; }
int main() {
  int* p;
  cudaMalloc(&p, 4);
  k<<<4, 32>>>(p);
  return cudaGetLastError() == cudaErrorInvalidClusterSize ? 0 : 1;
}
""")
        result = warpmem("run", "--functional", source)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("a grid of 4x1x1 blocks in clusters of 3x1x1", result.stderr)

    def test_accelsim_knows_none(self):
        result = warpmem("trace", "export", compiled(PROGRAM), "-o",
                         pathlib.Path(self.folder.name) / "accelsim", "--arch", "90", "--",
                         "barrier")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("clusters of blocks cannot be said in this format", result.stderr)

    def test_part_of_a_launch_is_whole_clusters(self):
        for ctas, status in (("4", 0), ("5", 2)):
            result = warpmem("run", "-c", MACHINE, *assignments(SMALL), "--ctas", ctas,
                             compiled(PROGRAM), "--", "barrier", "4", "2", "3")
            self.assertEqual(result.returncode, status, result.stderr)
        self.assertIn("5 thread blocks are no whole clusters of 4; allowed: a multiple of 4\n",
                      result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
