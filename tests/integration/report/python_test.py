#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""tools/python/warpmem and docs/results-database.md: frames hold what the files do, and the page's
own examples run. Ends with status 77 where pandas or matplotlib is not installed."""
import json
import os
import pathlib
import re
import shutil
import sqlite3
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "results-database.md"
sys.path.insert(0, str(ROOT / "tools" / "report"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

try:
    import matplotlib
    import pandas

    matplotlib.use("Agg")
except ImportError as missing:
    print(f"skipped: {missing} (tools/python-packages.txt)")
    sys.exit(77)

sys.path.insert(0, str(ROOT / "tools" / "python"))
import warpmem  # noqa: E402
import inside_test  # noqa: E402
from answer_test import Runs, launch  # noqa: E402

TABLES = re.findall(r'"(CREATE TABLE .*?\)(?: WITHOUT ROWID)?)"[,}]',
                    re.sub(r'"\n\s*"', "", (ROOT / "sweeps" / "database.cpp").read_text()))
VALUES = {("bfs", "conventional"): 10.0, ("bfs", "dl"): 12.0, ("srad", "conventional"): 4.0}


def block(language):
    return re.search(rf"```{language}\n(.*?)```", PAGE.read_text(), re.S)[1]


class Frames(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        runs = Runs(self.folder / "runs")
        runs.add("a", launch(1000, issue=1000, **{"l2.hits": 3}), launch(500, issue=100))
        runs.add("b", launch(2000, issue=1000), sms=4)
        self.database = self.folder / "handlers.sqlite"
        with sqlite3.connect(self.database) as db:
            for table in TABLES:
                db.execute(table)
            db.execute("INSERT INTO sweep VALUES('schema', '1')")
            for position, scheme in enumerate(("conventional", "dl") * 2):
                workload = ("bfs", "srad")[position // 2]
                key, labels = f"{workload}-{scheme}", json.dumps({"scheme": scheme})
                db.execute("INSERT INTO points VALUES(?, ?, ?, '64', ?)",
                           (position, key, workload, labels))
                if (workload, scheme) in VALUES:
                    db.execute("INSERT INTO runs VALUES(?, 'complete', '', 1, '', '{}')", (key,))
                    db.execute("INSERT INTO stats VALUES(?, 'gpu.ipc', ?)",
                               (key, VALUES[workload, scheme]))
        db.close()

    def test_runs(self):
        frame = warpmem.runs(self.folder / "runs" / "*")
        self.assertEqual(list(frame.index), ["a", "b"])
        self.assertEqual(frame.loc["a", "gpu.cycles"], 1500)
        self.assertEqual(frame.loc["b", "sm.count"], "4")
        self.assertNotIn("sm.count", warpmem.runs([self.folder / "runs" / "a"], False))
        with self.assertRaisesRegex(warpmem.ReportError, "not a run directory"):
            warpmem.runs(self.folder / "nowhere")

    def test_kernels(self):
        frame = warpmem.kernels(self.folder / "runs" / "a")
        self.assertEqual(list(frame["gpu.cycles"]), [1000, 500])
        self.assertEqual(list(frame["kernel"]), ["k0", "k1"])
        self.assertEqual(frame.index.name, "launch")

    def test_series(self):
        file = self.folder / "runs" / "a" / "stats.json"
        stats = json.loads(file.read_text())
        stats["total"]["series"] = {"x": {"interval": 16, "points": [1, 2], "clock": "sm"}}
        file.write_text(json.dumps(stats))
        frame = warpmem.series(file.parent)
        self.assertEqual(frame.loc[("x", 16), "amount"], 2)

    def test_cycle_stacks_make_up_the_time(self):
        frame = warpmem.cycle_stacks(self.folder / "runs" / "*")
        self.assertEqual(frame.loc["a"].sum(), 1500)
        self.assertEqual(frame.loc["b", "issue"], 250)

    def test_what_a_run_shows_inside(self):
        folder = self.folder / "runs" / "a"
        for file, document in (("instructions", inside_test.instructions()),
                               ("instances", inside_test.instances()),
                               ("series", inside_test.series([1, 2, None, 4]))):
            (folder / f"{file}.json").write_text(json.dumps(document))
        frame = warpmem.instructions(folder)
        self.assertEqual(list(frame.index), [("k(float*)", 8), ("k(float*)", 16)])
        self.assertEqual(frame.loc[("k(float*)", 8), "l1d.hits"], 30)
        self.assertEqual(list(frame["latency.sum"]), [3000, 1000])
        frame = warpmem.instances(folder)
        self.assertEqual(frame.loc[("l1d", 1, "accesses"), "value"], 100)
        self.assertEqual(frame.loc[("dram", 0, "bank.00.accesses"), "value"], 9)
        frame = warpmem.over_time(folder)
        self.assertEqual(list(frame["end"]), [100, 200, 300, 400])
        self.assertEqual(frame.loc[101, "gpu.ipc"], 2)
        self.assertTrue(pandas.isna(frame.loc[201, "gpu.ipc"]))
        self.assertEqual(frame["l1d.reservation_fails.cycles"].sum(), 200)

    def test_what_a_run_does_not_show(self):
        for read, option in ((warpmem.instructions, "--per-pc"), (warpmem.over_time, "--series"),
                             (warpmem.instances, "--per-instance")):
            with self.assertRaisesRegex(warpmem.ReportError, f"the run had no {option}"):
                read(self.folder / "runs" / "b")

    def test_sweep(self):
        frame = warpmem.sweep(self.database)
        found = frame.set_index(["workload", "scheme"])
        for place, value in VALUES.items():
            self.assertEqual(found.loc[place, "gpu.ipc"], value)
        self.assertEqual(found.loc[("srad", "dl"), "status"], "not run yet")
        self.assertTrue(pandas.isna(found.loc[("srad", "dl"), "gpu.ipc"]))
        with self.assertRaisesRegex(warpmem.ReportError, "not the file of a sweep"):
            warpmem.sweep(PAGE)

    def test_plot_has_a_line_for_each_workload(self):
        axes = warpmem.plot(warpmem.sweep(self.database), "gpu.ipc", over="scheme")
        self.assertEqual([line.get_label() for line in axes.get_lines()], ["bfs", "srad"])
        self.assertEqual(list(axes.get_lines()[0].get_ydata()), [10.0, 12.0])
        self.assertEqual((axes.get_xlabel(), axes.get_ylabel()), ("scheme", "gpu.ipc"))

    def test_the_pages_examples(self):
        database = sqlite3.connect(self.database)
        self.addCleanup(database.close)
        rows = database.execute(block("sql")).fetchall()
        self.assertEqual(rows, [(w, scheme, value) for (w, scheme), value in VALUES.items()])
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.folder)
        exec(compile(block("python"), str(PAGE), "exec"), {})
        self.assertIn("bfs,10.0,12.0", (self.folder / "ipc.csv").read_text())
        self.assertTrue((self.folder / "ipc.png").read_bytes().startswith(b"\x89PNG"))

    def test_the_page_has_every_column(self):
        self.assertEqual(len(TABLES), 4)
        text = PAGE.read_text()
        for table in TABLES:
            columns = re.search(r"\((.*)\)", table.split(", PRIMARY KEY(")[0] + ")")[1]
            for column in columns.split(","):
                self.assertIn(f"`{column.split()[0]}`", text)


if __name__ == "__main__":
    unittest.main()
