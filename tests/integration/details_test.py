# SPDX-License-Identifier: Apache-2.0
"""What a sweep's database has of a run beside its totals is what the run's own files have, of a
program and of a trace."""

import json
import pathlib
import sqlite3
import tempfile
import unittest

from whole_runs import compiled, warpmem

SWEEP = """set: {{sm.count: 2, memory.partitions: 2}}
{observe}workloads:
  - {{file: {program}, args: "96"}}
"""
OBSERVE = "observe: {per_pc: true, series: true, interval: 300}\n"
KEYS = ["--set", "sm.count=2", "--set", "memory.partitions=2"]
FLAGS = ["--per-pc", "--series", "--interval", "300"]


class DetailsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.trace = cls.folder / "atax.wmtrace"
        cls.call("trace", "convert", compiled("atax"), "-o", cls.trace, "--", "96")

    @staticmethod
    def call(*arguments, status=0):
        result = warpmem(*arguments)
        assert result.returncode == status, result.stdout + result.stderr
        return result

    def sweep(self, name, program, observe, status=0, *more):
        file = self.folder / f"{name}.yaml"
        text = SWEEP.format(observe=observe, program=program)
        file.write_text(text.replace(', args: "96"', "") if program == self.trace else text)
        database = self.folder / f"{name}.sqlite"
        self.call("sweep", file, "-o", database, *more, status=status)
        db = sqlite3.connect(database)
        self.addCleanup(db.close)
        return db

    def check(self, name, program):
        db = self.sweep(name, program, OBSERVE)
        out = self.folder / f"{name}.run"
        arguments = [] if program == self.trace else ["--", "96"]
        self.call("run", *KEYS, *FLAGS, "-o", out, program, *arguments)
        stats, instructions, series = (json.loads((out / f"{file}.json").read_text())
                                       for file in ("stats", "instructions", "series"))
        launches = db.execute("SELECT launch, name, grid, block, cycles FROM kernels"
                              " ORDER BY launch").fetchall()
        self.assertEqual(launches, [
            (k["launch"], k["name"], "x".join(map(str, k["grid"])),
             "x".join(map(str, k["block"])), k["stats"]["gpu.cycles"]) for k in stats["kernels"]])
        self.assertEqual(len(launches), 2)
        rows = db.execute("SELECT launch, name, value FROM kernel_stats").fetchall()
        self.assertEqual({(launch, key): value for launch, key, value in rows},
                         {(k["launch"], key): value for k in stats["kernels"]
                          for key, value in k["stats"].items() if value})
        units = {key: (kind, unit, doc) for key, kind, unit, doc in
                 db.execute("SELECT name, kind, unit, meaning FROM units")}
        expected = {**series["series"], **stats["units"]}
        self.assertEqual(units, {key: (u["kind"], u["unit"], u["doc"])
                                 for key, u in expected.items()})

        loads = db.execute("SELECT kernel, pc, text, op, source_line FROM instructions"
                           " WHERE pc IS NOT NULL ORDER BY number").fetchall()
        self.assertEqual(loads, [
            (kernel["name"], *(one[key] for key in ("pc", "text", "op", "source_line")))
            for kernel in instructions["kernels"] for one in kernel["instructions"]])
        self.assertGreater(len(loads), 4)
        for key in ("l1d.hits", "l1d.primary_misses", "l2.hits", "l2.primary_misses"):
            total = db.execute("SELECT sum(value) FROM instruction_stats WHERE name = ?", (key,))
            self.assertEqual(total.fetchone()[0], stats["total"]["stats"][key], key)
        bins = db.execute("SELECT sum(value) FROM instruction_stats WHERE name LIKE"
                          " 'latency.up%' OR name = 'latency.above'").fetchone()[0]
        loads = stats["total"]["histograms"]["sm.load.latency"]["samples"]
        self.assertGreaterEqual(bins, loads)

        for key, one in series["series"].items():
            points = db.execute("SELECT begin_cycle, end_cycle, launch, value FROM series_points"
                                " WHERE name = ? ORDER BY begin_cycle", (key,)).fetchall()
            self.assertEqual(points, list(zip(series["begin"], series["end"], series["launch"],
                                              one["points"])), key)
        self.assertGreater(len(points), 5)

    def test_program(self):
        self.check("program", compiled("atax"))

    def test_trace(self):
        self.check("trace", self.trace)

    def test_nothing_is_kept_that_is_not_asked_for(self):
        db = self.sweep("plain", compiled("atax"), "")
        for table, rows in (("kernels", 2), ("instructions", 0), ("intervals", 0), ("series", 0)):
            self.assertEqual(db.execute(f"SELECT count(*) FROM {table}").fetchone()[0], rows)
        # Totals are the same, the run is another one, and the sweep goes on with it.
        totals = db.execute("SELECT name, value FROM stats").fetchall()
        db = self.sweep("plain", compiled("atax"), OBSERVE, 0, "--resume")
        runs = db.execute("SELECT run FROM points").fetchall()
        self.assertEqual(len(runs), 1)
        self.assertEqual(db.execute("SELECT name, value FROM stats WHERE run = ?",
                                    runs[0]).fetchall(), totals)
        self.assertEqual(db.execute("SELECT count(*) FROM runs").fetchone()[0], 2)
        self.assertNotEqual(db.execute("SELECT count(*) FROM series").fetchone()[0], 0)


if __name__ == "__main__":
    unittest.main()
