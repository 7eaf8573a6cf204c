#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The metrics of a launch of a run: what each is made of, and when the run does not have it."""
import sys
import unittest

from made import ROOT, launch

sys.path[:0] = [str(ROOT / "tools" / "correlate"), str(ROOT / "tools" / "report")]
import measured  # noqa: E402
import metrics  # noqa: E402

CONFIG = {"sm.clock": "2000 MHz", "l1d.line": "128", "l2.line": "128"}
# Of a machine without sectors these are not there, and requests are lines.
SECTORED = ("l1d.fetch_bytes", "l2.fetch_bytes", "l2.writeback_bytes", "l2.placements")


def of(name, unit, without=(), config=CONFIG, **changes):
    """The metric, or why it is absent."""
    kernel = launch("a", 1, **changes)
    for statistic in without:
        del kernel["stats"][statistic]
    try:
        return measured.value(measured.Launch(kernel, config), metrics.BY_NAME[name], unit)
    except measured.Absent as reason:
        return str(reason)


class MeasuredTest(unittest.TestCase):
    def test_values(self):
        for name, unit, value in (
            ("cycles", "cycles", 2500),
            ("kernel_cycles", "cycles", 2000),
            ("duration", "ns", 1250),
            ("ipc", "per cycle", 48),
            ("warp_ipc", "per cycle", 1.6),
            ("loads", "instructions", 700),
            ("l1d.accesses", "requests", 3300),
            ("l1d.hit_rate", "%", 60),
            ("l1d.hit_rate", "% of sectors", 60),
            ("l1d.merges", "requests", 200),
            ("l2.accesses", "requests", 1300),
            ("l2.accesses", "sectors", 1300),
            ("l2.misses", "sectors", 600),
            ("dram.reads", "requests", 500),
            ("dram.writes", "requests", 90),
            ("dram.row_hit_rate", "%", 75),
            ("load_latency", "cycles", 200),
            ("memory_latency", "cycles", 240),
        ):
            self.assertEqual(of(name, unit), value, name)

    def test_lines_in_place_of_sectors(self):
        """Bytes follow from the size of a line."""
        self.assertEqual(of("dram.read_bytes", "B", SECTORED), 500 * 128)
        self.assertEqual(of("dram.write_bytes", "B", SECTORED), 90 * 128)
        self.assertEqual(of("l2.reads", "sectors", SECTORED), 1000 * 4)
        self.assertEqual(of("l2.misses", "requests", SECTORED), 500)
        self.assertIn("l2.line", of("dram.read_bytes", "B", SECTORED, {}))
        self.assertIn("wider than a sector", of("l2.hit_rate", "% of sectors", SECTORED))

    def test_atomics_are_reads_of_l2(self):
        self.assertEqual(of("l2.reads", "requests", l2__atomics=7), 1007)
        self.assertIn("atomics", of("l2.reads", "sectors", l2__atomics=7))
        self.assertIn("atomics", of("l2.writes", "sectors", l2__atomics=7))

    def test_bypasses(self):
        """They carry bytes to L2, and leave L1D as misses do."""
        changes = {"l1d__bypasses": 200, "l1d__bypasses__bytes": 6400}
        self.assertEqual(of("l2.reads", "sectors", **changes), 1200)
        self.assertEqual(of("memory_latency", "cycles", **changes), 200)
        self.assertIn("bypasses read L2", of("l2.reads", "sectors", SECTORED, **changes))
        self.assertIn("bypass L2", of("dram.read_bytes", "B", l2__bypasses=1))

    def test_absent(self):
        for name, unit, reason, changes in (
            ("l2.reads", "sectors", "bulk copies", {"sm__bulk__requests": 1}),
            ("dram.write_bytes", "B", "through L2", {"dram__writes": 91}),
            ("l1d.hit_rate", "%", "l1d.accesses is below 100, too few", {"l1d__accesses": 99}),
            ("l2.hit_rate", "%", "l2.accesses is below 100", {"l2__accesses": 99}),
            ("dram.row_hit_rate", "%", "is below 100", {"dram__reads": 9}),
            ("ipc", "per cycle", "took no cycle", {"gpu__cycles": 0}),
            ("memory_latency", "cycles", "no load left L1D", {"l1d__primary_misses": 0}),
            ("memory_latency", "cycles", "not all accesses of L1D are loads",
             {"l1d__accesses": 3064, "l1d__primary_misses": 1064}),  # 64 local stores
            ("l1d.reads", "sectors", "wider than a sector", {"sm__requests__bytes_64": 1}),
            ("l1d.reads", "sectors", "wider than a sector", {"sm__requests__bytes_128": 1}),
            ("l2.hit_rate", "% of sectors", "wider than a sector", {"l2__write_bytes": 9632}),
        ):
            self.assertIn(reason, of(name, unit, **changes), name)
        self.assertIn("no statistic l1d.hits", of("l1d.hit_rate", "%", ["l1d.hits"]))
        self.assertIn("no statistic sm.req", of("l1d.reads", "sectors", ["sm.requests.bytes_32"]))
        self.assertEqual(of("l1d.hit_rate", "%", l1d__accesses=100, l1d__hits=20), 20)
        self.assertIn("does not tell sm.clock", of("duration", "ns", config={}))
        self.assertEqual(of("duration", "ns", config={"sm.clock": "2 GHz"}), 1250)


if __name__ == "__main__":
    unittest.main()
