# SPDX-License-Identifier: Apache-2.0
"""Unified virtual memory: workloads whose memory migrates, under every prefetcher and evictor, with
less device memory than they use; the caches above it; what the host does; the errors.

usage: uvm_test.py GROUP      a test class, as in tests/CMakeLists.txt
       uvm_test.py product    every workload x prefetcher x evictor x ratio (600 runs, minutes)
"""

import functools
import itertools
import json
import pathlib
import sys
import tempfile
import unittest

import whole_runs
from whole_runs import CHECKED, HANDLERS, ROOT, RunTest, assignments, compiled, warpmem

CONFIG = ROOT / "configs" / "gu-uvm.yaml"
run = functools.partial(whole_runs.run, config=CONFIG)

WORKLOADS = {
    "vectoradd": ["40000"],
    "atax": ["160"],
    "bfs": ["3000"],
    "reduction": ["120000"],
    "transpose": ["160"],
    "histogram": ["50000"],
}
PREFETCHERS = ["none", "random", "sequential", "tree", "cap"]
EVICTORS = ["random", "sequential", "nvidia", "tree", "ture"]
RATIOS = [1.0, 1.1, 1.25, 1.4]
# A short fault keeps the runs short; the time in it costs nothing, the retries of the host do.
SMALL = ["sm.count=4", "memory.partitions=2", "uvm.fault.latency_ns=8000"]


def policies(prefetch, evict, ratio):
    return [
        f"uvm.prefetch={prefetch}",
        f"uvm.evict={evict}",
        f"uvm.oversubscription={ratio}",
        "uvm.manage_all=true",
    ]


class UvmCase(RunTest):
    def stats(self, source, keys, arguments, label="run", flags=()):
        out = pathlib.Path(self.folder.name) / label
        result = run(source, [*SMALL, *CHECKED, *keys], arguments, out, flags=flags)
        self.assertEqual(result.returncode, 0, f"{source} {keys}: {result.stdout}{result.stderr}")
        self.assertIn("PASS", result.stdout)
        text = (out / "stats.json").read_text()
        self.text = text
        return json.loads(text)["total"]["stats"]

    def fails(self, source, keys, arguments, *texts):
        out = pathlib.Path(self.folder.name) / "failed"
        result = run(source, [*SMALL, *keys], arguments, out)
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        for text in texts:
            self.assertIn(text, result.stderr)


class PolicyTest(UvmCase):
    """Each pair of policies under each workload, each time with another ratio, so that every pair
    meets every ratio."""

    def pairs(self, name):
        first = list(WORKLOADS).index(name)
        for i, (prefetch, evict) in enumerate(itertools.product(PREFETCHERS, EVICTORS)):
            ratio = RATIOS[(first + i) % len(RATIOS)]
            s = self.stats(name, policies(prefetch, evict, ratio), WORKLOADS[name])
            self.assertGreater(s["uvm.faults"], 0)
            gone = s["uvm.pages_out.dirty"] + s["uvm.pages_out.clean"]
            if ratio == 1.0 and evict != "ture":  # which lets pages go when they seem done with
                self.assertEqual(gone, 0, f"{prefetch} {evict}")
            if ratio > 1.0:
                self.assertGreater(gone, 0, f"{prefetch} {evict} {ratio}")
            # A page whose own fault waits for the host is none that was prefetched.
            if prefetch == "none":
                self.assertEqual(s["uvm.prefetched"], 0)


for _name in WORKLOADS:
    setattr(PolicyTest, f"test_{_name}", lambda self, name=_name: self.pairs(name))


class CacheTest(UvmCase):
    """What stands between the TLBs and memory does not matter to what is right."""

    def test_l1d_off(self):
        self.stats("atax", [*policies("tree", "sequential", 1.25), "l1d.enable=false"], ["160"])

    def test_miss_handlers(self):
        for kind in HANDLERS:
            keys = [f"l1d.mshr.kind={kind}"]
            if kind != "set_associative":
                keys.append(f"l2.mshr.kind={kind}")
            self.stats("atax", [*policies("cap", "ture", 1.4), *keys], ["160"], kind)

    def test_pages(self):
        for page in ["64KiB", "2MiB"]:
            for prefetch, evict in [("cap", "ture"), ("tree", "tree"), ("sequential", "random")]:
                keys = [*policies(prefetch, evict, 1.25), f"uvm.page={page}"]
                self.stats("reduction", keys, ["120000"])

    def test_batches(self):
        keys = policies("none", "sequential", 1.25)
        one = self.stats("vectoradd", keys, ["40000"], "one")
        many = self.stats("vectoradd", [*keys, "uvm.fault.handling=batch"], ["40000"], "many")
        self.assertEqual(one["uvm.batches"], one["uvm.faults"] - one["uvm.faults_found"])
        self.assertLess(many["uvm.batches"] * 2, many["uvm.faults"])
        self.assertLess(many["gpu.cycles"], one["gpu.cycles"])

    def test_identity(self):
        """Neither skipping idle cycles nor the order of construction nor carrying bytes matters."""
        keys = [*policies("cap", "ture", 1.25), "noc.clock=700MHz"]
        self.stats("bfs", keys, ["6000"], "a")
        text = self.text
        self.stats("bfs", keys, ["6000"], "b", ["--tick-all"])
        self.assertEqual(self.text, text)
        self.stats("bfs", [*keys, "reverse_construction=true"], ["6000"], "c")
        self.assertEqual(self.text, text)
        with_bytes = json.loads(text)["total"]["stats"]
        without = self.stats("bfs", [*keys, "check_data=false"], ["6000"], "d")
        for name, value in without.items():
            self.assertEqual(value, with_bytes[name], name)


class TickAllTest(UvmCase):
    """A page that TURE lets go, or whose last translation arrives, is seen in the next cycle."""

    def same(self, source, keys, arguments):
        stats = self.stats(source, keys, arguments, "a")
        text = self.text
        self.stats(source, keys, arguments, "b", ["--tick-all"])
        self.assertEqual(self.text, text, f"{source} {keys}")
        return stats

    def test_ture(self):
        for entries in (1, 4, 256):
            keys = ["uvm.evict=ture", f"uvm.ture.table_entries={entries}", "sm.count=2"]
            stats = self.same("managed/relay", keys, ["8000", "3"])
            self.assertGreater(stats["uvm.evict.ture.expired"], 0)
            keys.append("uvm.oversubscription=1.25")
            stats = self.same("managed/stream", keys, ["1024"])
            self.assertGreater(stats["uvm.pages_out.clean"] + stats["uvm.pages_out.dirty"], 0)
            self.assertGreater(stats["uvm.evict.ture.expired"], 0)

    def test_evictors(self):
        """Translations on their way keep pages: two requests of an SM, small TLBs."""
        for evict in EVICTORS:
            keys = [*policies("tree", evict, 1.4), "uvm.tlb.entries=8", "uvm.tlb.ways=4"]
            self.same("bfs", keys, ["800"])


class FreedTest(UvmCase):
    """What device memory holds of pages that are freed is nobody's business."""

    SOURCE = ROOT / "tests" / "integration" / "freed_managed.cu"

    def test_freed_and_allocated_again(self):
        with tempfile.TemporaryDirectory() as folder:
            program = whole_runs.PROGRAMS.get(self.SOURCE)
            for page in ("4KiB", "64KiB"):
                for sizes in (["8208", "4104", "0"], ["8208", "4104", "2048"], ["256", "256", "0"]):
                    keys = whole_runs.assignments([*SMALL, *CHECKED, f"uvm.page={page}"])
                    out = pathlib.Path(folder) / "run"
                    result = whole_runs.warpmem(
                        "run", "-c", CONFIG, *keys, "-o", out, program, "--", *sizes
                    )
                    said = f"{page} {sizes}: {result.stdout}{result.stderr}"
                    self.assertEqual(result.returncode, 0, said)
                    self.assertIn("PASS", result.stdout)

    def test_copies_of_a_program_that_frees(self):
        self.stats("scan", ["uvm.manage_all=true"], ["2048"])


class SlowHostTest(UvmCase):
    """The host may take as long as it is told to: that is no deadlock."""

    def test_a_slow_fault(self):
        s = self.stats("vectoradd", ["uvm.fault.latency_ns=1000000", "uvm.manage_all=true"], ["64"])
        self.assertGreater(s["gpu.cycles"], 1_000_000)

    def test_a_slow_link(self):
        keys = ["uvm.pcie.bandwidth=100", "watchdog=20000", "uvm.manage_all=true"]
        self.stats("vectoradd", keys, ["64"])

    def test_stages(self):
        """The wait for the host is no time of the coalescer."""
        s = self.stats("managed/relay", ["uvm.fault.latency_ns=45000"], ["8000", "3"])
        parts = {k: v for k, v in s.items() if k.startswith("sm.latency.")}
        self.assertGreater(parts["sm.latency.fault_ns"], 10 * parts["sm.latency.coalescer_ns"])
        self.assertGreater(parts["sm.latency.transfer_ns"], 0)
        self.assertGreater(parts["sm.latency.walk_ns"], 0)
        self.assertGreater(parts["sm.latency.tlb_ns"], 0)


class HostTest(UvmCase):
    RELAY = ["20000", "3"]

    def test_relay(self):
        s = self.stats("managed/relay", ["uvm.prefetch=sequential"], [*self.RELAY, "0"])
        self.assertGreater(s["uvm.faults"], 0)
        self.assertEqual(s["uvm.moved_ahead"], 0)
        self.assertGreaterEqual(s["uvm.pages_to_host"], 2 * 20)  # v comes back in every round
        self.assertEqual(s["uvm.thrashed"], 0)

    def test_moved_ahead(self):
        s = self.stats("managed/relay", [], [*self.RELAY, "1"])
        self.assertEqual(s["uvm.faults"], 0)
        self.assertEqual(s["uvm.moved_ahead"], 20 + 3 * 20)  # add stays, v comes back each time

    def test_utilization_is_over_the_cycles_of_the_kernels(self):
        # The time in which pages move before them is uvm.ahead_cycles.
        keys = ["l1d.mshr.kind=conventional", "l1d.mshr.entries=16", "l1d.mshr.slots=4"]
        s = self.stats("managed/relay", keys, [*self.RELAY, "1"])
        series = json.loads(self.text)["total"]["series"]["l1d.mshr.occupancy"]
        slots = 4 * 16 * 4
        cycles = sum(series["points"]) / s["l1d.mshr.utilization"] / slots
        self.assertGreater(s["uvm.ahead_cycles"], s["gpu.cycles"])
        self.assertAlmostEqual(cycles, s["gpu.cycles"], delta=10)  # about one a launch

    def test_moved_ahead_of_too_little_memory(self):
        s = self.stats("managed/relay", ["uvm.oversubscription=1.4"], [*self.RELAY, "1"])
        self.assertGreater(s["uvm.pages_out.clean"] + s["uvm.pages_out.dirty"], 0)

    def test_moved_ahead_in_both_directions(self):
        # What the program sends back to the host comes again before the next kernel.
        source = "../tests/integration/prefetched_back"
        s = self.stats(source, [], ["1048576", "0"])
        page_count = s["uvm.moved_ahead"] // 5  # in thrice, out twice before a kernel
        self.assertEqual(s["uvm.moved_ahead"], 5 * page_count)
        self.assertEqual(s["uvm.pages_in"], 3 * page_count)
        self.assertEqual(s["uvm.pages_out.dirty"], 2 * page_count)
        self.assertEqual((s["uvm.faults"], s["uvm.thrashed"]), (0, 0))

    def test_a_later_allocation_takes_frames(self):
        # Half of the pages leave before the kernel that follows, and no prefetch brings all.
        source = "../tests/integration/prefetched_back"
        keys = ["memory.size=16MiB", "uvm.evict=tree"]
        s = self.stats(source, keys, [str(12 << 20), str(10 << 20)])
        self.assertGreaterEqual(s["uvm.pages_out.dirty"], (6 << 20) // 4096)
        self.assertGreater(s["uvm.thrashed"], 0)

    def test_off_is_as_before(self):
        keys = ["uvm.enable=false", "uvm.manage_all=false"]
        s = self.stats("managed/relay", keys, [*self.RELAY, "1"])
        self.assertNotIn("uvm.faults", s)
        self.assertNotIn("tlb.requests", s)

    def test_thrashing_finishes(self):
        keys = ["uvm.prefetch=none", "uvm.evict=sequential", "uvm.oversubscription=1.25"]
        s = self.stats("managed/cycle", keys, ["131072", "4"])
        self.assertGreater(s["uvm.thrashed"], 2 * 128)  # nearly every page in every sweep

    def test_too_large_a_footprint(self):
        keys = ["memory.size=1MiB", "uvm.host_memory=1MiB"]
        self.fails("managed/cycle", keys, ["600000", "1"], "footprint", "uvm.host_memory")

    def test_larger_than_device_memory(self):
        s = self.stats("managed/cycle", ["memory.size=1MiB"], ["393216", "1"])
        self.assertGreater(s["uvm.pages_out.dirty"], 0)

    def test_keys(self):
        self.fails("atax", ["uvm.page=16KiB"], ["64"], "uvm.page")
        self.fails("atax", ["uvm.tlb.entries=10"], ["64"], "uvm.tlb.entries")
        self.fails("atax", ["l1d.prefetch.kind=pc_stride"], ["64"], "l1d.prefetch.kind")


class TraceTest(UvmCase):
    """A trace is told what its program was: its pages move as those of the program did."""

    def record(self, source, keys, arguments, config=CONFIG):
        trace = pathlib.Path(self.folder.name) / "t.wmtrace"
        result = warpmem("trace", "convert", "-c", config, *assignments(keys), compiled(source),
                         "-o", trace, "--", *arguments)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return trace

    def replay(self, trace, keys):
        out = pathlib.Path(self.folder.name) / "replayed"
        return warpmem("run", "-c", CONFIG, *assignments(keys), "-o", out, trace), out

    def same(self, source, keys, arguments):
        keys = [*SMALL, *CHECKED, *keys, "check_data=false"]
        stats = self.stats(source, keys, arguments)
        result, out = self.replay(self.record(source, keys, arguments), keys)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("managed", result.stderr)
        self.assertEqual((out / "stats.json").read_text(), self.text)
        self.assertGreater(stats["uvm.pages_in"], 0)
        return stats

    def test_faults(self):
        s = self.same("managed/stencil", [], ["64"])
        self.assertGreater(s["uvm.faults"], 0)

    def test_what_the_host_does_between_launches(self):
        for ahead in ("0", "1"):
            s = self.same("managed/relay", [], [*HostTest.RELAY, ahead])
            self.assertGreater(s["uvm.pages_to_host"], 0)
        self.same("../tests/integration/prefetched_back", [], ["1048576", "0"])

    def test_memory_that_is_freed(self):
        self.same("managed/stream", ["uvm.oversubscription=1.25"], ["256"])
        self.same("vectoradd", ["uvm.manage_all=true"], ["20000"])

    def test_recorded_on_another_machine(self):
        trace = self.record("managed/relay", SMALL[:2], HostTest.RELAY,
                            config=whole_runs.CONFIG)
        result, _ = self.replay(trace, SMALL)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("t.wmtrace: byte offset", result.stderr)
        self.assertIn("allowed: multiples of 2097152 bytes", result.stderr)

    def test_nothing_is_managed(self):
        result, _ = self.replay(ROOT / "tests" / "data" / "traces" / "saxpy", SMALL)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("note: uvm.enable: the trace says of no memory that it is managed",
                      result.stderr)


def product():
    with tempfile.TemporaryDirectory() as folder:
        failed = 0
        for name, prefetch, evict, ratio in itertools.product(
            WORKLOADS, PREFETCHERS, EVICTORS, RATIOS
        ):
            keys = [*SMALL, *CHECKED, *policies(prefetch, evict, ratio)]
            result = run(name, keys, WORKLOADS[name], pathlib.Path(folder) / "run")
            if result.returncode != 0 or "PASS" not in result.stdout:
                failed += 1
                print(name, prefetch, evict, ratio, result.returncode, result.stderr[-2000:])
        print(f"{failed} of 600 runs failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    if sys.argv[1:] == ["product"]:
        product()
    unittest.main()
