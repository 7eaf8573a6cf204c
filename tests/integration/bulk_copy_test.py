# SPDX-License-Identifier: Apache-2.0
"""Tiles that pass through shared memory by bulk copies, by cp.async, or through registers; programs
that the machine, or nobody, can run; waits that never end."""

import json
import pathlib
import sys
import unittest

from whole_runs import CHECKED, ROOT, RunTest, assignments, compiled, run, warpmem

MACHINE = ROOT / "configs" / "h100.yaml"
PROGRAM = "micro/bulk_copy"
TILES, BLOCKS, TILE_BYTES = 12, 4, 4096
SMALL = ["sm.count=2", "memory.partitions=4", "gpu.launch_latency=0"]


class BulkCopyTest(RunTest):
    def out(self, label):
        return pathlib.Path(self.folder.name) / label

    def stats(self, arguments, keys=(), label="run", flags=()):
        result = run(PROGRAM, [*SMALL, *keys], arguments, self.out(label), MACHINE, flags)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("PASS", result.stdout)
        return json.loads((self.out(label) / "stats.json").read_text())["total"]["stats"]

    def test_the_ways_have_the_traffic_in_common(self):
        ways = {way: self.stats([way, str(TILES), str(BLOCKS)], CHECKED, way)
                for way in ("bulk", "async", "registers")}
        bulk = ways["bulk"]
        for way, stats in ways.items():
            with self.subTest(way=way):
                self.assertEqual(stats["sm.requests"] + stats["sm.bulk.requests"],
                                 2 * TILES * BLOCKS * TILE_BYTES // 32)
                self.assertEqual(stats["l2.accesses"], bulk["l2.accesses"])
        self.assertEqual(bulk["sm.bulk.loads"], TILES * BLOCKS)
        self.assertEqual(bulk["sm.bulk.stores"], TILES * BLOCKS)
        self.assertEqual(bulk["sm.bulk.load_bytes"], TILES * BLOCKS * TILE_BYTES)
        self.assertEqual(bulk["sm.mbarrier.phases"], TILES * BLOCKS)
        self.assertGreater(bulk["sm.mbarrier.suspended"], 0)
        self.assertEqual(ways["async"]["sm.bulk.loads"], 0)
        self.assertGreater(ways["registers"]["gpu.cycles"], 1.3 * bulk["gpu.cycles"])

    def test_reductions_are_atomics_of_l2(self):
        arguments = ["reduce", "3", str(BLOCKS)]
        stats = self.stats(arguments, CHECKED)
        every = self.stats(arguments, [*CHECKED, "tick_all=true", "reverse_construction=true"],
                           "every")
        self.assertEqual(stats, every)
        requests = 3 * BLOCKS * TILE_BYTES // 32
        self.assertEqual(stats["sm.bulk.reductions"], 3 * BLOCKS)
        self.assertEqual(stats["sm.bulk.reduction_bytes"], 3 * BLOCKS * TILE_BYTES)
        self.assertEqual(stats["l2.atomics"], requests)
        self.assertEqual(stats["l2.reductions"], requests)
        self.assertEqual(stats["sm.bulk.atomic_groups"], 8 * requests)
        result = warpmem("run", "--functional", compiled(PROGRAM), "--", *arguments)
        self.assertEqual(result.stdout, "PASS\n", result.stderr)

    def test_bytes_are_not_there_before_they_are_waited_for(self):
        self.stats(["forgets", "2", "4"])  # the program looks for wrong values
        result = warpmem("run", "--functional", compiled(PROGRAM), "--", "forgets", "2", "4")
        self.assertEqual(result.stdout, "PASS\n", result.stderr)

    def test_small_engines_are_slower(self):
        def cycles(label, *keys):
            return self.stats(["bulk", "4", "2"], [*CHECKED, *keys], label)["gpu.cycles"]
        self.assertGreater(cycles("pending", "sm.bulk.pending=8"), 2 * cycles("whole"))
        full = self.stats(["bulk", "4", "2"], ["sm.bulk.queue=1", "sm.bulk.rate=1"], "queue")
        self.assertGreater(full["sm.stall.bulk"], 0)

    def test_waits_whose_time_is_over_are_asked_again(self):
        tick_all = ["tick_all=true", "reverse_construction=true"]
        short = [self.stats(["bulk", "4", "4"], [*CHECKED, "sm.mbarrier_wait=5", *keys], label)
                 for label, keys in (("short", []), ("every", tick_all))]
        self.assertEqual(short[0], short[1])
        long = self.stats(["bulk", "4", "4"], CHECKED)
        self.assertEqual(long["sm.mbarrier.expired"], 0)
        self.assertGreater(short[0]["sm.mbarrier.expired"], 100)
        self.assertEqual(short[0]["sm.mbarrier.waits_failed"], short[0]["sm.mbarrier.expired"])
        self.assertGreater(short[0]["sm.warp_inst"], long["sm.warp_inst"])

    def test_a_trace_of_it_has_the_same_statistics(self):
        for way in ("bulk", "reduce"):
            with self.subTest(way=way):
                self.replay([way, "4", "4"])

    def replay(self, arguments):
        trace = self.out("bulk.wmtrace")
        result = warpmem("trace", "convert", compiled(PROGRAM), "-o", trace, "--", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        expected = self.stats(arguments, label="program")
        keys = assignments(SMALL)
        result = warpmem("run", "-c", MACHINE, *keys, "-o", self.out("replay"), trace)
        self.assertEqual(result.returncode, 0, result.stderr)
        replayed = json.loads((self.out("replay") / "stats.json").read_text())
        self.assertEqual(replayed["total"]["stats"], expected)
        # So has a trace of the trace.
        again = self.out("again.wmtrace")
        result = warpmem("trace", "convert", trace, "-o", again)
        self.assertEqual(result.returncode, 0, result.stderr)
        result = warpmem("run", "-c", MACHINE, *keys, "-o", self.out("again"), again)
        self.assertEqual(json.loads((self.out("again") / "stats.json").read_text())["total"],
                         replayed["total"], result.stderr)

    def test_a_machine_without_an_engine_refuses_the_kernel(self):
        result = run(PROGRAM, [], ["bulk", "2", "1"], self.out("none"),
                     ROOT / "configs" / "gu-dlmshr.yaml")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("kernel by_bulk(", result.stderr)
        self.assertRegex(result.stderr, r"bulk_copy\.cu:\d+ \(PTX line \d+\): `cp\.async\.bulk\.")
        self.assertIn("set sm.bulk.enable to true", result.stderr)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)


HANGS = """
#include <cuda_awbarrier_primitives.h>
__global__ void hangs(bool polls) {
  __shared__ __mbarrier_t barrier;
  if (threadIdx.x == 0) __mbarrier_init(&barrier, 65);
  __syncthreads();
  const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
  while (!(polls ? __mbarrier_test_wait(&barrier, token)
                 : __mbarrier_try_wait(&barrier, token, 100))) {}
}
int main(int argc, char**) {
  hangs<<<1, 64>>>(argc > 1);
  return cudaDeviceSynchronize() != cudaSuccess;
}
"""


# Two warps take turns at two mbarriers, without an access to memory in between. With a second
# argument a bulk copy and a store of one warp go to the same words, with nothing between them.
TURNS = """
#include <cstdlib>
#include <cuda_awbarrier_primitives.h>
__global__ void turns(int rounds) {
  __shared__ __mbarrier_t barrier[2];
  const unsigned warp = threadIdx.x / 32;
  if (threadIdx.x == 0) {
    __mbarrier_init(&barrier[0], 32);
    __mbarrier_init(&barrier[1], 32);
  }
  __syncthreads();
  for (int i = 0; i < rounds; ++i) {
    if (warp == 0) __mbarrier_arrive(&barrier[0]);
    while (!__mbarrier_test_wait_parity(&barrier[1 - warp], i & 1)) {}
    if (warp == 1) __mbarrier_arrive(&barrier[1]);
  }
}
__global__ void race(uint4* out) {
  __shared__ __align__(128) uint4 tile[1024];
  for (unsigned i = threadIdx.x; i < 1024; i += 32) tile[i] = uint4{2, 2, 2, 2};
  asm volatile("fence.proxy.async;" ::: "memory");
  if (threadIdx.x == 0)
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
                 "cp.async.bulk.commit_group;"
                 ::"l"(out), "r"((unsigned)__cvta_generic_to_shared(tile)), "r"(16384) : "memory");
  for (unsigned i = threadIdx.x; i < 1024; i += 32) out[i] = uint4{1, 1, 1, 1};
}
int main(int argc, char** argv) {
  uint4* out;
  cudaMalloc(&out, 16384);
  if (argc > 2) {
    race<<<1, 32>>>(out);
  } else {
    turns<<<1, 64>>>(atoi(argv[1]));
  }
  return cudaDeviceSynchronize() != cudaSuccess;
}
"""


class TurnsTest(RunTest):
    def setUp(self):
        super().setUp()
        self.source = pathlib.Path(self.folder.name) / "turns.cu"
        self.source.write_text(TURNS)

    def run_turns(self, *arguments):
        result = warpmem("run", "-c", MACHINE, *assignments([*SMALL, *CHECKED, "watchdog=20000"]),
                         "-o", self.folder.name, self.source, "--", *arguments)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_phases_that_end_are_progress(self):
        self.run_turns("400")
        stats = json.loads((pathlib.Path(self.folder.name) / "stats.json").read_text())
        self.assertGreater(stats["total"]["stats"]["gpu.cycles"], 2 * 20000)

    def test_a_bulk_copy_races_with_the_stores_of_its_warp(self):
        self.run_turns("0", "race")


class EndlessWaitTest(RunTest):
    """A wait at an mbarrier that nobody completes ends with a report, whether the warp is suspended
    or polls."""

    def test_the_watchdog_names_the_mbarrier_and_the_warp(self):
        source = pathlib.Path(self.folder.name) / "hangs.cu"
        source.write_text(HANGS)
        for arguments in ([], ["polls"]):
            with self.subTest(arguments=arguments):
                result = warpmem("run", "-c", MACHINE, *assignments([*SMALL, "watchdog=20000"]),
                                 source, "--", *arguments)
                self.assertNotEqual(result.returncode, 0)
                self.assertIn("no progress for ", result.stderr)
                self.assertRegex(result.stderr, r"warp 1 \(CTA 0, warp 1\): .*waits at hangs\.cu:")
                self.assertIn("mbarrier at shared address 0x0: 1 of 65 arrivals", result.stderr)
                functional = warpmem("run", "--functional", source, "--", *arguments)
                self.assertNotEqual(functional.returncode, 0)
                self.assertIn("1 of 65 arrivals and 0 bytes are missing", functional.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
