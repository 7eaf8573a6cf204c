#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The report of a sweep from databases made here: numbers, CSV, what is absent, errors."""
import csv
import html
import io
import json
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[3]
TOOL = ROOT / "tools" / "report" / "report.py"
TABLES = """
CREATE TABLE sweep(key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE points(position INTEGER PRIMARY KEY, run TEXT, workload TEXT, arguments TEXT,
  labels TEXT);
CREATE TABLE runs(key TEXT PRIMARY KEY, status TEXT, message TEXT, seconds REAL, config TEXT,
  manifest TEXT);
CREATE TABLE stats(run TEXT, name TEXT, value REAL, PRIMARY KEY(run, name)) WITHOUT ROWID;
"""
# bfs and srad are Rodinia, atax and bicg PolyBench/GPU in the catalogue.
IPC = {
    "atax": (10, 20),
    "bicg": (10, 80),
    "bfs": (5, 5),
    "srad": (4, 36),
}


def config(scheme):
    return f"l1d:\n  line_bytes: 128\n  mshr:\n    kind: {scheme}\n"


class SweepReport(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.file = self.folder / "s.data"
        self.output = self.folder / "r.html"

    def database(self, points, runs, schema="1"):
        """Writes a database of `points`: (run, workload, labels); `runs`: key -> (status, message,
        config, stats)."""
        self.file.unlink(missing_ok=True)
        with sqlite3.connect(self.file) as db:
            db.executescript(TABLES)
            about = {
                "schema": schema,
                "file": "mshr.yaml",
                "warpmem": "0.1.0",
                "title": "A <sweep>",
            }
            db.executemany("INSERT INTO sweep VALUES(?, ?)", about.items())
            for position, (run, workload, labels) in enumerate(points):
                row = (position, run, workload, "64", json.dumps(labels))
                db.execute("INSERT INTO points VALUES(?, ?, ?, ?, ?)", row)
            for key, (status, message, text, stats) in runs.items():
                row = (key, status, message, 1.5, text, "{}")
                db.execute("INSERT INTO runs VALUES(?, ?, ?, ?, ?, ?)", row)
                for name, value in stats.items():
                    db.execute("INSERT INTO stats VALUES(?, ?, ?)", (key, name, value))
        db.close()

    def two_schemes(self, values=None):
        points, runs = [], {}
        for workload, pair in (values or IPC).items():
            for scheme, value in zip(("conventional", "dl"), pair):
                key = f"{workload}-{scheme}"
                points.append((key, workload, {"scheme": scheme}))
                runs[key] = ("complete", "", config(scheme), {"gpu.ipc": value})
        return points, runs

    def call(self, *arguments):
        return subprocess.run(
            [sys.executable, str(TOOL), *map(str, arguments), "-o", str(self.output)],
            capture_output=True,
            text=True,
        )

    def page(self, *options):
        result = self.call(self.file, *options)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return self.output.read_text()

    def error(self, *arguments):
        self.output.unlink(missing_ok=True)
        result = self.call(*arguments)
        self.assertEqual(result.returncode, 2, result.stdout)
        self.assertFalse(self.output.exists())
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        return result.stderr

    def tables(self, page):
        """Returns the CSV files: name -> rows."""
        found = {}
        for link, name in re.findall(
            r'href="data:text/csv;charset=utf-8,([^"]*)" download="([^"]*)"', page
        ):
            text = urllib.parse.unquote(html.unescape(link))
            found[name] = list(csv.reader(io.StringIO(text)))
        return found

    def test_bars_and_geometric_means(self):
        self.database(*self.two_schemes())
        page = self.page()
        for tip in (
            "atax, conventional: 1",
            "atax, dl: 2",
            "bicg, dl: 8",
            "bfs, dl: 1",
            "srad, dl: 9",
            "geomean PolyBench/GPU, dl: 4",
            "geomean Rodinia, dl: 3",
            "geomean, dl: 3.464",  # the fourth root of 2 * 8 * 1 * 9
        ):
            self.assertIn(f"<title>{tip}</title>", page)
        self.assertIn("A &lt;sweep&gt;", page)
        self.assertIn("None: every point has a complete run", page)
        self.assertNotRegex(page, r"https?://|url\(|@import|<script[^>]|<link")

    def test_schedulers_show_what_accesses_and_cycles_consist_of(self):
        points, runs = self.two_schemes({"bfs": (5, 6)})
        self.database(points, runs)
        self.assertNotIn("Policy of LAWS", self.page())
        runs["bfs-dl"][3].update(
            {
                "l1d.class.miss": 30,
                "l1d.class.intra": 60,
                "l1d.class.inter_m": 10,
                "sm.laws.fair_cycles": 1,
                "sm.laws.unfair_cycles": 3,
                "sm.throttle.warps.2.cycles": 2,
                "sm.throttle.warps.all.cycles": 2,
            }
        )
        self.database(points, runs)
        page = self.page()
        for tip in (
            "hit within the warp: 60.0 %",
            "MSHR hit between warps: 10.0 %",
            "GTLR: 25.0 %",
            "2 warps: 50.0 %",
            "no limit: 50.0 %",
        ):
            self.assertIn(f"<title>bfs dl\n{tip}</title>", page)
        self.assertNotIn("hit between warps: 0", page)

    def test_tables_have_csv(self):
        self.database(*self.two_schemes())
        tables = self.tables(self.page())
        raw = tables["gpu.ipc.csv"]
        self.assertEqual(raw[0], ["workload", "conventional", "dl"])
        self.assertEqual(
            raw[1:], [[w, repr(float(a)), repr(float(b))] for w, (a, b) in IPC.items()]
        )
        over = {row[0]: row[1:] for row in tables["gpu.ipc_over_conventional.csv"]}
        self.assertEqual(over["srad"], ["1.0", "9.0"])
        self.assertAlmostEqual(float(over["geomean"][1]), 144**0.25, 12)
        self.assertAlmostEqual(float(over["geomean Rodinia"][1]), 3, 12)
        everything = tables["s.csv"]
        self.assertEqual(everything[0], ["workload", "arguments", "scheme", "status", "gpu.ipc"])
        self.assertEqual(everything[2], ["atax", "64", "dl", "complete", "20.0"])
        self.assertEqual(len(everything), 9)

    def test_baseline_can_be_chosen(self):
        self.database(*self.two_schemes())
        page = self.page("--baseline", "dl")
        self.assertIn("<title>atax, conventional: 0.5</title>", page)
        self.assertIn(
            "no label 'other'; its labels: conventional, dl",
            self.error(self.file, "--baseline", "other"),
        )

    def test_configuration_differences(self):
        self.database(*self.two_schemes())
        page = self.page()
        self.assertRegex(page, r"<code>l1d\.mshr\.kind</code></td><td>conventional</td><td>dl</td>")
        self.assertNotIn("line_bytes", page)

    def test_failed_and_missing_points_are_listed(self):
        points, runs = self.two_schemes()
        runs["bfs-dl"] = ("failed", "deadlock at cycle 5:\nL1D <0>", config("dl"), {})
        del runs["srad-conventional"]
        self.database(points, runs)
        page = self.page()
        self.assertIn("1 of 8 points failed and 1 has not run yet", page)
        self.assertIn("<td>failed: deadlock at cycle 5: L1D &lt;0&gt;</td>", page)
        self.assertIn("<td>srad</td><td>conventional</td><td>not run yet</td>", page)
        self.assertIn("bfs, dl: absent, failed: deadlock", page)
        self.assertIn("baseline conventional: not run yet", page)
        self.assertIn("<title>geomean, dl: 4</title>", page)  # of atax and bicg only
        self.assertIn("Geometric mean over 2 of 4 workloads", page)
        self.assertEqual(
            self.tables(page)["gpu.ipc.csv"][3][2], "failed: deadlock at cycle 5: L1D <0>"
        )

    def test_zero_baseline_and_zero_value(self):
        self.database(*self.two_schemes({"atax": (0, 5), "bfs": (2, 0), "srad": (1, 3)}))
        page = self.page()
        self.assertIn("atax: absent, baseline conventional is 0", page)
        self.assertIn("<title>bfs, dl: 0</title>", page)
        self.assertIn("a bar of 0 has no logarithm: bfs", page)
        self.assertIn("<title>geomean, dl: 3</title>", page)

    def test_nothing_has_run(self):
        points, _ = self.two_schemes()
        self.database(points, {})
        page = self.page()
        self.assertIn("0 of 8 points failed and 8 have not run yet", page)
        self.assertNotIn("<svg", page)

    def test_one_chart_for_each_combination_of_other_axes(self):
        points, runs = [], {}
        for latency, factor in (("100", 1), ("200", 2)):
            for scheme, ipc in (("base", 1), ("dl", 2 * factor)):
                key = latency + scheme
                points.append((key, "atax", {"latency": latency, "scheme": scheme}))
                runs[key] = ("complete", "", "", {"gpu.ipc": ipc})
        self.database(points, runs)
        page = self.page("--axis", "scheme")
        self.assertIn("<figcaption>gpu.ipc · latency 100</figcaption>", page)
        self.assertIn("<figcaption>gpu.ipc · latency 200</figcaption>", page)
        self.assertIn("<title>atax, dl: 2</title>", page)
        self.assertIn("<title>atax, dl: 4</title>", page)
        self.assertIn("<figcaption>gpu.ipc · scheme dl</figcaption>", self.page())
        self.assertIn(
            "no axis 'x'; axes of this sweep: latency, scheme", self.error(self.file, "--axis", "x")
        )

    def test_sweep_without_axes_shows_values(self):
        points = [("a", "atax", {}), ("b", "bfs", {})]
        runs = {key: ("complete", "", "", {"gpu.ipc": 7}) for key in "ab"}
        self.database(points, runs)
        page = self.page()
        self.assertIn("<title>atax: 7</title>", page)
        self.assertNotIn("geomean", page)

    def test_metrics(self):
        points, runs = self.two_schemes()
        for number, (_, _, _, stats) in enumerate(runs.values()):
            stats["l1d.reservation_fails.entry_full.cycles"] = 10 * (number + 1)
            stats["l1d.reservation_fails.merge_full.cycles"] = 10 * (number + 1)
        self.database(points, runs)
        page = self.page("--metric", "l1d.reservation_fails.cycles")
        self.assertEqual(
            self.tables(page)["l1d.reservation_fails.cycles.csv"][1], ["atax", "20.0", "40.0"]
        )
        self.assertNotIn("<figcaption>gpu.ipc", page)
        self.assertIn(
            "no run has a statistic 'gpu.ipcc'; nearest: gpu.ipc",
            self.error(self.file, "--metric", "gpu.ipcc"),
        )
        self.assertIn("Not recorded in this sweep: l1d.hit_rate; l1d.mshr.utilization", self.page())

    def test_forty_workloads_are_wrapped(self):
        values = {f"workload{i:02}": (1, 1 + i / 40) for i in range(40)}
        values["outlier"] = (1, 500)
        self.database(*self.two_schemes(values))
        page = self.page()
        self.assertIn("<title>workload39, dl: 1.975</title>", page)
        self.assertRegex(page, r'class="cut"[^>]*>500</text>')

    def test_wrong_input_gives_one_message(self):
        points, runs = self.two_schemes()
        self.database(points, runs, schema="9")
        self.assertIn("a sweep of schema 9; allowed: 1, 2", self.error(self.file))
        self.database([], runs)
        self.assertIn("the sweep has no points", self.error(self.file))
        self.database([("a", "atax", ["dl"])], {})
        self.assertIn("point 0: its labels are not a JSON object", self.error(self.file))
        self.database([("a", "atax", {"s": "x"}), ("b", "atax", {"s": "x"})], {})
        self.assertIn("two runs for workload atax, s x", self.error(self.file))
        self.assertIn("a sweep is reported alone", self.error(self.file, self.folder))
        self.file.write_bytes(b"SQLite format 3\0" + bytes(50) + b"garbage" * 200)
        self.assertIn("s.data: damaged: file is not a database", self.error(self.file))
        self.database(points, runs)
        with sqlite3.connect(self.file) as db:
            db.execute("UPDATE runs SET config = CAST(? AS TEXT)", (b"l1d:\n  ways: \xff\n" * 9,))
        db.close()
        self.assertIn("s.data: damaged: Could not decode to UTF-8", self.error(self.file))
        with sqlite3.connect(self.folder / "other") as db:
            db.execute("CREATE TABLE t(x)")
        db.close()
        self.assertIn("no such table: sweep", self.error(self.folder / "other"))
        self.file.write_text("text")
        self.assertIn("neither a run directory nor", self.error(self.file))
        self.assertIn("--axis is for the SQLite file", self.error(self.folder, "--axis", "x"))


if __name__ == "__main__":
    unittest.main()
