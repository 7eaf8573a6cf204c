# SPDX-License-Identifier: Apache-2.0
"""What must change no statistic: a second run, ticking every module, the order of construction,
checks."""

import json
import pathlib
import unittest

from whole_runs import CHECKED, ROOT, RunTest, WORKLOADS, run


class IdentityTest(RunTest):
    """The statistics of these runs must be the same bytes."""

    def test_same_run_twice(self):
        self.assertEqual(self.run_workload("bfs", [], "a"), self.run_workload("bfs", [], "b"))

    def test_reversed_construction(self):
        for name in ("bfs", "histogram", "atax"):
            self.assertEqual(
                self.run_workload(name, [], "a"),
                self.run_workload(name, ["reverse_construction=true"], "b"),
                name,
            )

    def test_tick_all(self):
        for name in ("bfs", "reduction", "atax"):
            self.assertEqual(
                self.run_workload(name, [], "a"),
                self.run_workload(name, [], "b", ["--tick-all"]),
                name,
            )

    def test_unrelated_clocks(self):
        clocks = [
            "sm.clock=1137 MHz",
            "noc.clock=701 MHz",
            "l2.clock=933 MHz",
            "dram.clock=1750 MHz",
        ]
        self.assertEqual(
            self.run_workload("atax", clocks, "a"),
            self.run_workload("atax", [*clocks, "reverse_construction=true"], "b"),
        )

    def test_data_check_does_not_change_timing(self):
        def timing(stats):
            return {
                k: v
                for k, v in json.loads(stats)["total"]["stats"].items()
                if not k.startswith("gpu.data.")
            }

        self.assertEqual(
            timing(self.run_workload("atax", ["check_data=false"], "a")),
            timing(self.run_workload("atax", ["check_data=true"], "b")),
        )

    def test_protocol_checkers_do_not_change_timing(self):
        self.assertEqual(
            self.run_workload("atax", [], "a"),
            self.run_workload("atax", ["check_protocol=true"], "b"),
        )

    def test_scheduling_policies_tick_all(self):
        """Held-back warps are woken when they may go; no statistic depends on when it is asked."""
        policies = ("gtrr", "gtlr", "two_level", "swl:2", "ccws", "laws", "laws_th", "laws_nmd")
        for policy in policies:
            keys = [f"sm.scheduler.policy={policy}", "l1d.size=4KiB"]
            self.assertEqual(
                self.run_workload("atax", keys, "a"),
                self.run_workload("atax", keys, "b", ["--tick-all"]),
                policy,
            )

    def test_stalls_over_time_tick_all(self):
        """What a blocked head waits counts where it waits, also while its clock sleeps."""
        config = ROOT / "configs" / "mrpb-base-s.yaml"
        series = []
        for label, more in (("a", []), ("b", ["--tick-all"])):
            out = pathlib.Path(self.folder.name) / label
            result = run("spmv", [], ["4096", "12"], out, config, ["--series", *more])
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            series.append((out / "series.csv").read_text())
        self.assertEqual(*series)

    def test_mrpb_tick_all(self):
        keys = ["l1d.frontend.kind=mrpb", "l1d.bypass.kind=associativity"]
        for name in ("atax", "bfs"):
            self.assertEqual(
                self.run_workload(name, keys, "a"),
                self.run_workload(name, keys, "b", ["--tick-all"]),
                name,
            )

    def test_l2_frontends_and_bypasses_tick_all(self):
        for keys in (
            ["l2.frontend.kind=nonblocking", "l2.bypass.kind=any_rf"],
            ["l2.frontend.kind=bank_queues", "l1d.bypass.kind=bucl_dyn"],
            [
                "l2.frontend.kind=cart",
                "dram.write_drain=true",
                "l1d.bypass.kind=bucl_prf",
                "l1d.bypass.bucl.profile_cycles=1000",
            ],
            ["l2.frontend.kind=cart", "l2.frontend.drain=greedy", "dram.page=closed"],
        ):
            first = self.run_workload("atax", keys, "a")
            self.assertEqual(first, self.run_workload("atax", keys, "b", ["--tick-all"]), keys)
            reverse = [*keys, "reverse_construction=true"]
            self.assertEqual(first, self.run_workload("atax", reverse, "b"), keys)


class TickAllTest(RunTest):
    """The decisions of these mechanisms depend on the cycle: what sleeps must be awake when one is
    due."""

    CROWDED = ["sm.count=6", "memory.partitions=2", "l1d.mshr.entries=8"]

    def same(self, workload, keys, arguments):
        first = self.run_workload(workload, keys, "a", arguments=arguments)
        ticked = self.run_workload(workload, keys, "b", ["--tick-all"], arguments)
        self.assertEqual(first, ticked, f"{workload} {keys}")
        return json.loads(first)["total"]["stats"]

    def test_bucl(self):
        refused = 0
        for kind in ("bucl_dyn", "bucl_prf"):
            for handler in ("conventional", "dl"):
                keys = [*self.CROWDED, f"l1d.bypass.kind={kind}", "l1d.bypass.bucl.period=500"]
                keys += [f"{level}.mshr.kind={handler}" for level in ("l1d", "l2")]
                for name, arguments in (("bfs", ["4096", "6"]), ("spmv", ["2048", "12"])):
                    refused += self.same(name, keys, arguments)["l1d.bypasses.refused"]
        self.assertGreater(refused, 100)

    def test_bucl_behind_mrpb(self):
        keys = [*self.CROWDED, "l1d.bypass.kind=bucl_dyn", "l1d.frontend.kind=mrpb"]
        self.same("bfs", keys, ["4096", "6"])

    def test_bucl_with_unrelated_clocks(self):
        clocks = ["sm.clock=1137 MHz", "noc.clock=701 MHz", "l2.clock=933 MHz"]
        keys = [*self.CROWDED, *clocks, "l1d.bypass.kind=bucl_dyn"]
        self.same("bfs", keys, ["4096", "6"])

    def test_throttles(self):
        """Limits are by age with a guest, scores fall, limits settle."""
        for policy in ("swl:2", "ccws", "laws_th", "laws_nmd"):
            keys = [*self.CROWDED, f"sm.scheduler.policy={policy}", "l1d.size=4KiB"]
            if policy != "ccws":
                keys.append("sm.scheduler.patience=1000")
            for name in ("bfs", "reduction"):
                self.same(name, keys, WORKLOADS[name])

    def test_prefetchers(self):
        for kind in ("mt_hwp", "stpe", "pc_stride"):
            keys = [*self.CROWDED, f"l1d.prefetch.kind={kind}"]
            self.same("atax", keys, ["128"])

    def test_mrpb_drains(self):
        for drain in ("round_robin", "greedy_longest"):
            for latency in (1, 40):
                keys = [*self.CROWDED, "l1d.frontend.kind=mrpb"]
                keys += [f"l1d.frontend.mrpb.{k}" for k in (f"drain={drain}", f"latency={latency}")]
                self.same("bfs", [*keys, "l1d.bypass.kind=any_rf"], ["4096", "6"])

    def test_l2_frontends(self):
        for kind in ("nonblocking", "bank_queues", "cart"):
            keys = [*self.CROWDED, f"l2.frontend.kind={kind}", "l2.frontend.overtakes=4"]
            self.same("transpose", keys, ["128"])

    def test_dram(self):
        """The channel sleeps through refreshes, and writes are drained for old requests."""
        for keys in (
            ["dram.age_cap=50", "dram.write_drain=true"],
            ["dram.age_cap=50", "dram.page=closed"],
            ["dram.policy=fcfs"],
        ):
            self.same("histogram", [*self.CROWDED, *keys], WORKLOADS["histogram"])


if __name__ == "__main__":
    unittest.main()
