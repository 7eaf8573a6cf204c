#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""tools/python/warpmem and docs/results-database.md: frames hold what the files do, and the page's
own examples run. Ends with status 77 where pandas is not installed; what draws is left out where
matplotlib is not."""
import importlib.util
import json
import os
import pathlib
import re
import shutil
import sqlite3
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "results-database.md"
sys.path.insert(0, str(ROOT / "tools" / "report"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

try:
    import pandas
except ImportError as missing:
    print(f"skipped: {missing} (tools/python-packages.txt)")
    sys.exit(77)
MATPLOTLIB = importlib.util.find_spec("matplotlib") is not None
os.environ["MPLBACKEND"] = "Agg"
needs_matplotlib = unittest.skipUnless(MATPLOTLIB, "needs matplotlib (tools/notebook-packages.txt)")

sys.path.insert(0, str(ROOT / "tools" / "python"))
import warpmem  # noqa: E402
import inside_test  # noqa: E402
from answer_test import Runs, launch  # noqa: E402

SOURCES = "".join((ROOT / "sweeps" / f"{name}.cpp").read_text()
                  for name in ("database", "detail_tables"))
STATEMENTS = re.findall(r'"(CREATE (?:TABLE|VIEW) .*?)"\)?[,}]', re.sub(r'"\n\s*"', "", SOURCES))
TABLES = [statement for statement in STATEMENTS if statement.startswith("CREATE TABLE")]
ENGINES = ("pyarrow", "fastparquet")
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
            for statement in STATEMENTS:
                db.execute(statement)
            db.execute("INSERT INTO sweep VALUES('schema', '2')")
            db.execute("INSERT INTO units VALUES('gpu.ipc', 'ratio', '1', 'Instructions a cycle.')")
            for position, kind in enumerate(("conventional", "dl") * 2):
                workload = ("bfs", "srad")[position // 2]
                key, labels = f"{workload}-{kind}", json.dumps({"mshr": kind})
                db.execute("INSERT INTO points VALUES(?, ?, ?, '64', ?)",
                           (position, key, workload, labels))
                if (workload, kind) in VALUES:
                    db.execute("INSERT INTO runs VALUES(?, 'complete', '', 1, '', '{}')", (key,))
                    db.execute("INSERT INTO stats VALUES(?, 'gpu.ipc', ?)",
                               (key, VALUES[workload, kind]))
                    self.add_details(db, key, VALUES[workload, kind])
        db.close()

    @staticmethod
    def add_details(db, key, ipc):
        for launch in (1, 2):
            stats = json.dumps({"gpu.ipc": ipc, "l1d.accesses": 8,
                                **({"l1d.primary_misses": 2} if launch == 2 else {})})
            db.execute("INSERT INTO kernels VALUES(?, ?, 'k', '4x1x1', '32x1x1', ?, ?)",
                       (key, launch, 100 * launch, stats))
            db.execute("INSERT INTO intervals VALUES(?, ?, ?, ?, ?)",
                       (key, launch - 1, 100 * launch, 100 * launch + 100, launch))
        db.execute("INSERT INTO instructions VALUES(?, 1, 'k', 2, 8, 'ld', 'load', 'global', 4, 7,"
                   " 9, '{\"l1d.hits\": 5}', NULL)", (key,))
        db.execute("INSERT INTO instructions VALUES(?, 2, NULL, NULL, NULL, NULL, 'prefetch', NULL,"
                   " NULL, NULL, NULL, '{\"l1d.hits\": 1}', NULL)", (key,))
        db.execute("INSERT INTO series VALUES(?, 'gpu.ipc', ?)", (key, json.dumps([ipc, None])))
        if key == "srad-conventional":
            db.execute("INSERT INTO series VALUES(?, 'l1d.hits', '[3, 4]')", (key,))

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
        self.assertEqual(list(frame["end"]), [101, 201, 301, 401])
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
        found = frame.set_index(["workload", "mshr"])
        for place, value in VALUES.items():
            self.assertEqual(found.loc[place, "gpu.ipc"], value)
        self.assertEqual(found.loc[("srad", "dl"), "status"], "not run yet")
        self.assertTrue(pandas.isna(found.loc[("srad", "dl"), "gpu.ipc"]))
        with self.assertRaisesRegex(warpmem.ReportError, "not the file of a sweep"):
            warpmem.sweep(PAGE)

    def test_launches_of_a_sweep(self):
        frame = warpmem.details.kernels(self.database)
        self.assertEqual(len(frame), 6)
        found = frame.set_index(["workload", "mshr", "launch"])
        self.assertEqual(found.loc[("bfs", "dl", 2), "gpu.ipc"], 12)
        self.assertEqual(found.loc[("bfs", "dl", 2), "cycles"], 200)
        self.assertEqual(found.loc[("bfs", "dl", 1), "l1d.primary_misses"], 0)
        self.assertEqual(found.loc[("bfs", "dl", 1), "grid"], "4x1x1")

    def test_instructions_and_series_of_a_sweep(self):
        frame = warpmem.details.instructions(self.database)
        self.assertEqual(list(frame["l1d.hits"]), [5, 1] * 3)
        self.assertEqual(frame["pc"][0], 8)
        self.assertTrue(pandas.isna(frame["pc"][1]))
        frame = warpmem.details.over_time(self.database).set_index(["workload", "mshr", "begin"])
        self.assertEqual(frame.loc[("bfs", "dl", 100), "gpu.ipc"], 12)
        self.assertTrue(pandas.isna(frame.loc[("bfs", "dl", 200), "gpu.ipc"]))
        self.assertEqual(frame.loc[("bfs", "dl", 100), "l1d.hits"], 0)
        self.assertEqual(frame.loc[("srad", "conventional", 200), "l1d.hits"], 4)
        frame = warpmem.details.over_time(self.database, "l1d.hits")
        self.assertNotIn("gpu.ipc", frame)
        with self.assertRaisesRegex(warpmem.ReportError, "no series gpu.pc"):
            warpmem.details.over_time(self.database, "gpu.pc")
        self.assertEqual(warpmem.details.units(self.database).loc["gpu.ipc", "meaning"],
                         "Instructions a cycle.")

    def change(self, *statements):
        with sqlite3.connect(self.database) as db:
            for statement in statements:
                db.execute(statement)
        db.close()

    def test_what_a_sweep_does_not_keep(self):
        self.change("DELETE FROM instructions", "DELETE FROM intervals")
        for read, entry in ((warpmem.details.instructions, "per_pc"),
                            (warpmem.details.over_time, "series")):
            with self.assertRaisesRegex(warpmem.ReportError, f"observe: {{{entry}: true}}"):
                read(self.database)
        self.change("UPDATE sweep SET value = '1' WHERE key = 'schema'")
        for read in (warpmem.details.kernels, warpmem.details.units):
            with self.assertRaisesRegex(warpmem.ReportError, "schema 1, which has totals only"):
                read(self.database)
        self.assertEqual(len(warpmem.sweep(self.database)), 4)
        with self.assertRaisesRegex(warpmem.ReportError, "not the file of a sweep"):
            warpmem.details.kernels(PAGE)

    def test_files_of_frames(self):
        frame = warpmem.sweep(self.database)
        warpmem.write(frame, self.folder / "frame.csv")
        self.assertEqual(len(pandas.read_csv(self.folder / "frame.csv")), 4)
        with self.assertRaisesRegex(warpmem.ReportError, "a name in .csv or .parquet"):
            warpmem.write(frame, self.folder / "frame.xlsx")

    def test_parquet_without_an_engine(self):
        frame = warpmem.sweep(self.database)
        with mock.patch.dict(sys.modules, {name: None for name in ENGINES}):
            with self.assertRaisesRegex(warpmem.ReportError, "neither pyarrow nor fastparquet"):
                warpmem.write(frame, self.folder / "frame.parquet")
        self.assertFalse((self.folder / "frame.parquet").exists())

    def test_parquet_goes_to_the_engine_that_pandas_finds(self):
        class Engine:
            """Keeps what pandas would have it write."""
            @staticmethod
            def write(frame, path, **_):
                pathlib.Path(path).write_bytes(b"PAR1" + frame.to_json().encode())

        frame = warpmem.sweep(self.database)
        with mock.patch("pandas.io.parquet.get_engine", lambda _: Engine):
            warpmem.write(frame, self.folder / "frame.parquet")
        kept = (self.folder / "frame.parquet").read_bytes()
        self.assertEqual(kept, b"PAR1" + frame.to_json().encode())

    @unittest.skipUnless(any(map(importlib.util.find_spec, ENGINES)), "no engine is installed")
    def test_parquet_reads_back(self):
        for read in (warpmem.sweep, warpmem.details.kernels, warpmem.details.instructions,
                     warpmem.details.over_time, warpmem.details.units):
            frame = read(self.database)
            warpmem.write(frame, self.folder / "frame.parquet")
            back = pandas.read_parquet(self.folder / "frame.parquet")
            pandas.testing.assert_frame_equal(back, frame)

    @needs_matplotlib
    def test_plot_has_a_line_for_each_workload(self):
        axes = warpmem.plot(warpmem.sweep(self.database), "gpu.ipc", over="mshr")
        self.assertEqual([line.get_label() for line in axes.get_lines()], ["bfs", "srad"])
        self.assertEqual(list(axes.get_lines()[0].get_ydata()), [10.0, 12.0])
        self.assertEqual((axes.get_xlabel(), axes.get_ylabel()), ("mshr", "gpu.ipc"))

    def test_the_pages_examples(self):
        database = sqlite3.connect(self.database)
        self.addCleanup(database.close)
        totals, launches = re.findall(r"```sql\n(.*?)```", PAGE.read_text(), re.S)
        rows = database.execute(totals).fetchall()
        self.assertEqual(rows, [(w, kind, value) for (w, kind), value in VALUES.items()])
        rows = database.execute(launches).fetchall()
        self.assertEqual(len(rows), 6)
        self.assertEqual(rows[0][1:], (2, "k", "4x1x1", 200, 0.25))

    @needs_matplotlib
    def test_the_pages_frames(self):
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.folder)
        exec(compile(block("python"), str(PAGE), "exec"), {})
        self.assertIn("bfs,10.0,12.0", (self.folder / "ipc.csv").read_text())
        self.assertTrue((self.folder / "ipc.png").read_bytes().startswith(b"\x89PNG"))

    def test_the_page_has_every_column(self):
        self.assertEqual((len(TABLES), len(STATEMENTS)), (9, 12))
        text = PAGE.read_text()
        for statement in STATEMENTS:
            self.assertIn(f"`{statement.split()[2].split('(')[0]}`", text)
        for table in TABLES:
            columns = re.search(r"\((.*)\)", table.split(", PRIMARY KEY(")[0] + ")")[1]
            for column in columns.split(","):
                self.assertIn(f"`{column.split()[0]}`", text)


if __name__ == "__main__":
    unittest.main()
