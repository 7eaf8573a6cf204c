# SPDX-License-Identifier: Apache-2.0
"""The request path of L1D in whole runs: the contention of MR Figs 2 and 3, prefetchers on strided
programs and under every miss handler, and {MRPB} x {miss handlers} x {bypassing, BUCL} x
{prefetchers} covered in pairs, with every byte checked.

usage: l1d_path_test.py [ContentionTest|SectoredBuclTest|PrefetchTest|GridTest]
"""

import itertools
import json
import pathlib
import random
import unittest

from whole_runs import CHECKED, HANDLERS, ROOT, RunTest, run

PREFETCHERS = ["pc_stride", "pcst", "itpc", "stpe", "mt_hwp"]


class PathCase(RunTest):
    def stats_file(self, source, keys, arguments=(), config="gu-dlmshr.yaml", flags=()):
        out = pathlib.Path(self.folder.name)
        result = run(source, keys, arguments, out, ROOT / "configs" / config, flags)
        self.assertEqual(result.returncode, 0, f"{source} {keys}\n{result.stderr}")
        self.assertIn("PASS", result.stdout.splitlines())
        return (out / "stats.json").read_bytes()

    def stats(self, *arguments, **named):
        return json.loads(self.stats_file(*arguments, **named))["total"]["stats"]


class ContentionTest(PathCase):
    """Associativity stalls on the small baseline of MR are there, kept by an order of the requests,
    removed by bypassing."""

    def check(self, source):
        def run(*keys):
            return self.stats(source, ["sm.count=1", *CHECKED, *keys], config="mrpb-base-s.yaml")

        stalls = "l1d.reservation_fails.assoc_full.cycles"
        base = run()
        reordered = run("l1d.frontend.kind=mrpb")
        bypassed = run("l1d.bypass.kind=associativity")
        both = run("l1d.frontend.kind=mrpb", "l1d.bypass.kind=associativity")
        self.assertGreater(base[stalls], 0.5 * base["gpu.cycles"])
        self.assertGreater(reordered[stalls], 0.8 * base[stalls])
        self.assertGreater(reordered["gpu.cycles"], 0.95 * base["gpu.cycles"])
        for stats in (bypassed, both):
            self.assertEqual(stats[stalls], 0)
            self.assertGreater(stats["l1d.bypasses"], 0)
            self.assertLess(stats["gpu.cycles"], 0.75 * base["gpu.cycles"])

    def test_fig2_rows_4_kb_apart(self):
        self.check("micro/row_walk")

    def test_fig3_tile_of_16_lines_of_a_set(self):
        self.check("micro/tile_load")


class SectoredBuclTest(PathCase):
    """BU's un-coalescing degree is of lines: where requests are sectors, too, a load of 32 words in
    a row has degree 1 and bypasses under no threshold, and one of 32 lines bypasses."""

    def bypasses(self, *program):
        stats = self.stats(program[0], ["sm.count=2", "memory.partitions=2", "l1d.banks=1",
                                        "l1d.bypass.kind=bucl_dyn", "check_data=true"],
                           program[1:], config="v100.yaml")
        return stats["l1d.bypasses.uncoalesced"], stats["l1d.accesses"]

    def test_coalesced_loads(self):
        bypasses, accesses = self.bypasses("vectoradd", 8192)
        self.assertGreater(accesses, 1000)
        self.assertEqual(bypasses, 0)

    def test_scattered_loads(self):
        bypasses, accesses = self.bypasses("gesummv", 64)
        self.assertGreater(bypasses, accesses / 2)


class PrefetchTest(PathCase):
    # With a longer way to DRAM more of the prefetches are late.
    NEAR = ["noc.latency=60", "dram.min_latency=237"]

    def strides(self, kind, *arguments):
        keys = ["sm.count=1", "sm.ctas=2", f"l1d.prefetch.kind={kind}", *self.NEAR, *CHECKED]
        stats = self.stats("micro/strides", keys, arguments)
        return stats["gpu.cycles"], stats

    def test_a_loop(self):
        base, _ = self.strides("none", "loop")
        for kind in ("pcst", "itpc", "stpe", "mt_hwp"):
            cycles, stats = self.strides(kind, "loop")
            self.assertLess(cycles, 0.7 * base, kind)
            self.assertGreater(stats["l1d.prefetch.useful"], 80, kind)
            self.assertGreater(stats["l1d.prefetch.useful"] + stats["l1d.prefetch.late"],
                               0.9 * stats["l1d.prefetch.issued"], kind)
        # Two warps take turns in one table (KI 4.1.2).
        _, stats = self.strides("pc_stride", "loop")
        self.assertLess(stats["l1d.prefetch.issued"], 20)

    def test_blocks_without_a_loop(self):
        base, _ = self.strides("none", "straight", 16)
        _, stats = self.strides("pcst", "straight", 16)
        self.assertEqual(stats["l1d.prefetch.issued"], 0)
        for kind in ("itpc", "stpe"):
            cycles, stats = self.strides(kind, "straight", 16)
            self.assertLess(cycles, 0.85 * base, kind)
            self.assertGreater(stats["l1d.prefetch.useful"], 10, kind)
            self.assertEqual(stats["l1d.prefetch.useless"], 0, kind)

    def test_none_changes_nothing(self):
        """The key itself acts, and so does the alias of docs/mechanisms.md 8."""
        runs = [self.stats_file("bfs", ["sm.count=4", *keys], [1500])
                for keys in ([], ["l1d.prefetch.kind=none"], ["sm.prefetch.kind=none"])]
        self.assertEqual(runs[0], runs[1])
        self.assertEqual(runs[0], runs[2])
        self.assertNotIn(b"prefetch", runs[0])

    def test_every_cycle_ticked(self):
        keys = ["sm.count=4", "l1d.prefetch.kind=stpe"]
        self.assertEqual(self.stats_file("atax", keys, [128]),
                         self.stats_file("atax", keys, [128], flags=["--tick-all"]))

    def test_the_dau_pin_by_pin(self):
        keys = ["sm.count=2", "l1d.prefetch.kind=mt_hwp", "l1d.mshr.kind=dl"]
        self.assertEqual(self.stats_file("atax", keys, [96]),
                         self.stats_file("atax", [*keys, "l1d.mshr.dau=systemc"], [96]))

    def test_under_every_miss_handler(self):
        for source, arguments in (("atax", [96]), ("bfs", [800]), ("transpose", [96]),
                                  ("srad", [32, 1])):
            for prefetch, handler in itertools.product(PREFETCHERS, HANDLERS):
                keys = ["sm.count=2", f"l1d.prefetch.kind={prefetch}", "l1d.prefetch.degree=2"]
                keys += [f"{level}.mshr.kind={handler}" for level in ("l1d", "l2")]
                with self.subTest(program=source, prefetch=prefetch, handler=handler):
                    stats = self.stats(source, [*keys, *CHECKED], arguments)
                    self.assertGreater(stats["gpu.data.bytes_compared"], 0)


def mrpb(signature, drain, flush, entries, latency):
    return ["l1d.frontend.kind=mrpb", f"l1d.frontend.mrpb.signature={signature}",
            f"l1d.frontend.mrpb.drain={drain}", f"l1d.frontend.mrpb.flush={flush}",
            f"l1d.frontend.mrpb.entries={entries}", f"l1d.frontend.mrpb.latency={latency}"]


# This can be chosen on L1D's path; a choice is the keys it sets.
FACTORS = [
    [[]] + [mrpb(*options) for options in (
        ("warp", "fixed", "true", 8, 5), ("cta", "round_robin", "false", 0, 3),
        ("warp_in_cta", "longest", "true", 4, 18), ("warp", "greedy_fixed", "false", 16, 3),
        ("cta", "greedy_round_robin", "true", 32, 4),
        ("warp", "greedy_longest", "true", 4, 10))],
    [[f"l1d.bypass.kind={kind}"]
     for kind in ("none", "associativity", "any_rf", "bucl_dyn", "bucl_prf")],
    [[f"l1d.mshr.kind={kind}"] for kind in HANDLERS],
    [[f"l1d.prefetch.kind={kind}"] for kind in ("none", *PREFETCHERS)],
    [[f"l1d.allocate={when}"] for when in ("on_miss", "on_fill")],
    [[f"l1d.index={index}"] for index in ("linear", "xor")],
    [["l1d.size=1 KiB", "l1d.ways=2"], ["l1d.size=16 KiB", "l1d.ways=4"]],
    # With the coalescer's own segments a bypassed load never has a line to ask for.
    [["l1d.bypass.fetch=segment"], ["l1d.bypass.fetch=line", "sm.coalescer.granularity=line"]],
]
PROGRAMS = [("atax", [64]), ("bfs", [600]), ("histogram", [4096]),
            ("kmeans_uncoalesced", [256, 8, 3]),
            ("lud", [48, 1])]  # threads of a block hand values over in global memory


def pairwise(sizes, seed=1):
    """Returns rows of choices in which every pair of choices of two factors occurs; each is the
    best of some random ones that hold a pair that is missing."""
    rng = random.Random(seed)
    columns = list(itertools.combinations(range(len(sizes)), 2))
    missing = {(i, j, a, b) for i, j in columns
               for a in range(sizes[i]) for b in range(sizes[j])}
    rows = []
    while missing:
        i, j, a, b = min(missing)
        candidates = []
        for _ in range(60):
            row = [rng.randrange(size) for size in sizes]
            row[i], row[j] = a, b
            candidates.append(row)
        covers = lambda row: {(x, y, row[x], row[y]) for x, y in columns} & missing
        best = max(candidates, key=lambda row: len(covers(row)))
        missing -= covers(best)
        rows.append(best)
    return rows


class GridTest(PathCase):
    def test_pairs(self):
        factors = [*FACTORS, PROGRAMS]
        rows = pairwise([len(f) for f in factors])
        self.assertLess(len(rows), 90)
        prefetched = bypassed = saved = 0
        for row in rows:
            choices = [factor[choice] for factor, choice in zip(factors, row)]
            keys = sum(choices[:-1], ["sm.count=2", *CHECKED])
            source, arguments = choices[-1]
            with self.subTest(program=source, keys=keys):
                stats = self.stats(source, keys, arguments, config="bucl.yaml")
                self.assertGreater(stats["gpu.data.bytes_compared"], 0)
                prefetched += stats.get("l1d.prefetch.issued", 0)
                bypassed += stats["l1d.bypasses"]
                less = 128 * stats["l1d.bypasses"] - stats["l1d.bypasses.bytes"]
                if "l1d.bypass.fetch=line" in keys:
                    self.assertEqual(less, 0)
                saved += less
        self.assertGreater(prefetched, 0)
        self.assertGreater(bypassed, 0)
        self.assertGreater(saved, 0)


if __name__ == "__main__":
    unittest.main()
