#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Single kernels, how near each resource is to what it can do, and what MSHR files hold."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tools" / "report"))

import bounds  # noqa: E402
import figures  # noqa: E402
import kernels  # noqa: E402

CONFIG = {
    "sm.count": "4",
    "sm.clock": "1000 MHz",
    "sm.schedulers": "2",
    "sm.issue_interval": "1",
    "l1d.banks": "1",
    "noc.clock": "500 MHz",
    "noc.cluster": "2",
    "l2.clock": "1000 MHz",
    "l2.slices": "2",
    "memory.partitions": "2",
    "dram.clock": "2000 MHz",
    "dram.bus_bytes": "8",
    "dram.pseudo_channels": "1",
}


class Run:
    def __init__(self, name, launches, **config):
        self.name = name
        self.kernels = [{"name": kernel, "stats": stats} for kernel, stats in launches]
        self.config = {**CONFIG, **config}
        self.stats = {}
        for _, stats in launches:
            for key, value in stats.items():
                self.stats[key] = self.stats.get(key, 0) + value


def launch(cycles, **more):
    return {"gpu.cycles": cycles, **{key.replace("__", "."): v for key, v in more.items()}}


class Uses(unittest.TestCase):
    def of(self, **counters):
        run = Run("r", [("k", launch(1000, **counters))])
        return {row["name"]: row["cells"][0] for row in bounds.uses([run])}

    def test_each_resource_beside_what_it_can_do(self):
        found = self.of(
            sm__warp_inst=4000,  # of 4 SMs x 2 schedulers x 1000 cycles
            l1d__accesses=700,
            l1d__requests=1000,  # of 4 x 1000, stores too
            noc__request__busy_cycles=500,  # of 4 slices x 500 cycles of the crossbar
            noc__response__busy_cycles=750,  # of 2 ports x 500
            l2__requests=1000,  # of 4 slices x 1000
            dram__data_bus_cycles=3000,  # of 2 channels x 2000
        )
        self.assertEqual(
            {name: (cell["text"], cell["bound"]) for name, cell in found.items()},
            {
                "Schedulers": ("50.0 %", "500 cycles at least"),
                "L1D, one bank": ("25.0 %", "250 cycles at least"),
                "Crossbar to L2": ("25.0 %", "250 cycles at least"),
                "Crossbar to the SMs": ("75.0 %", "750 cycles at least"),
                "L2": ("25.0 %", "250 cycles at least"),
                "DRAM data buses": ("75.0 %", "750 cycles at least"),
            },
        )

    def test_what_is_not_counted_or_configured_has_no_row(self):
        self.assertEqual(list(self.of(l2__requests=1)), ["L2"])
        run = Run("r", [("k", launch(1000, l1d__requests=1))], **{"l1d.banks": "4"})
        self.assertEqual(bounds.uses([run]), [])
        run.config = {}
        self.assertEqual(bounds.uses([run]), [])


class Slots(unittest.TestCase):
    def of(self, level, kind):
        sizes = {"kind": kind, "entries": "96", "slots": "8", "small_entries": "4",
                 "small_slots": "16"}
        keys = {f"{level}.mshr.{key}": value for key, value in sizes.items()}
        return figures.capacity(Run("r", [], **keys), level)

    def test_both_parts_of_htsma_count(self):
        self.assertEqual(self.of("l1d", "dl"), 4 * 96 * 8)
        self.assertEqual(self.of("l1d", "htsma"), 4 * (96 * 8 + 4 * 16))
        self.assertEqual(self.of("l2", "htsma"), 2 * 2 * (96 * 8 + 4 * 16))


class Roofline(unittest.TestCase):
    def test_marks(self):
        work = {"gpu__thread_inst": 64000, "dram__data_bus_cycles": 1000}
        run = Run("r", [("k", launch(1000, **work)), ("k", launch(1000, **work))])
        machine = bounds.Machine(run.config)
        self.assertEqual(machine.issue_roof(), 256)
        self.assertEqual(machine.dram_roof(), 32)  # 2 channels of 8 B, two DRAM cycles a cycle
        # 64000 instructions on 8000 bytes, in 1000 cycles.
        self.assertEqual(bounds.points([run], machine), [(0, "k", 8, 64)])
        svg = bounds.roofline([run])["svg"]
        self.assertIn("r, k: 64.00 a cycle, 25.0 % of the roof", svg)

    def test_machines_of_different_roofs_have_no_common_one(self):
        work = {"gpu__thread_inst": 64000, "dram__data_bus_cycles": 1000}
        runs = [Run("a", [("k", launch(1000, **work))]),
                Run("b", [("k", launch(1000, **work))], **{"sm.count": "8"})]
        self.assertIsNone(bounds.roofline(runs))

    def test_no_traffic_no_chart(self):
        self.assertIsNone(bounds.roofline([Run("a", [("k", launch(1000, gpu__thread_inst=1))])]))


class Kernels(unittest.TestCase):
    def test_means_are_weighted_by_requests(self):
        latency = "sm.latency.crossbar_ns"
        launches = [
            {"sm.load.requests": 1, latency: 100.0},
            {"sm.load.requests": 3, latency: 20.0},
        ]
        self.assertEqual(kernels.mean_stages(launches), {"crossbar": 40.0})
        self.assertEqual(kernels.mean_stages([{"sm.load.requests": 0}]), {})

    def launches(self, name, cycles):
        stats = launch(
            cycles,
            sm__ctas=4,
            sm__active_cycles=4 * cycles,
            sm__issue_cycles=cycles,
            sm__stall__memory=3 * cycles,
            sm__load__requests=1,
            sm__latency__l2_access_ns=40.0,
        )
        return name, stats

    def test_stacks_by_kernel_share_a_scale(self):
        run = Run("r", [self.launches(n, c) for n, c in (("a", 100), ("b", 300), ("a", 100))])
        time, latency = kernels.kernel_bars([run])
        self.assertEqual([group["name"] for group in time["groups"]], ["a", "b"])
        parts = [[p["width"] for p in g["bars"][0]["parts"]] for g in time["groups"]]
        self.assertEqual(parts, [["16.667", "50.000"], ["25.000", "75.000"]])
        self.assertEqual(time["groups"][0]["bars"][0]["time"], "200 cycles")
        self.assertEqual(latency["groups"][1]["bars"][0]["time"], "40.0 ns")

    def test_many_kernels_are_in_the_table_only(self):
        count = kernels.MOST_KERNELS + 2
        run = Run("r", [self.launches(f"k{i}", 100 + i) for i in range(count)])
        time = kernels.kernel_bars([run])[0]
        self.assertEqual(len(time["groups"]), kernels.MOST_KERNELS)
        self.assertNotIn("k1", [group["name"] for group in time["groups"]])
        self.assertIn("2 kernels with fewer cycles", time["note"])
        self.assertEqual(len(kernels.kernel_table([run])), count)


if __name__ == "__main__":
    unittest.main()
