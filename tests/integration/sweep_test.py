# SPDX-License-Identifier: Apache-2.0
"""Sweeps through the command line tool: the same table whatever the parallelism and whatever
interrupted it, failures recorded, mistakes said at once."""

import json
import os
import pathlib
import signal
import sqlite3
import subprocess
import tempfile
import time
import unittest

from whole_runs import ROOT, WARPMEM, warpmem

SWEEP = f"""base: {ROOT}/configs/gu-dlmshr.yaml
set: {{sm.count: 2, memory.partitions: 2}}
axes:
  scheme:
    base: {{l1d.mshr.kind: conventional, l2.mshr.kind: conventional}}
    dl: {{l1d.mshr.kind: dl, l2.mshr.kind: dl}}
    same_as_base: {{l1d.mshr.kind: conventional, l2.mshr.kind: conventional}}
workloads:
  - {{name: atax, args: "128"}}
  - {{name: bfs, args: "1500"}}
  - {{name: reduction, args: "30000"}}
"""


class SweepCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def path(self, name):
        return self.folder / name

    def write(self, text, name="s.yaml"):
        self.path(name).write_text(text)
        return self.path(name)

    def sweep(self, *arguments, status=0):
        result = warpmem("sweep", *arguments)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result


class ShippedFilesTest(unittest.TestCase):
    """Every experiment and sweep of the repository: keys, labels, workloads, configurations."""

    def check(self, *arguments):
        result = warpmem(*arguments, "--dry-run")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertRegex(result.stdout, r"[1-9][0-9]* points")

    def test_experiments(self):
        files = sorted((ROOT / "experiments").glob("*.yaml"))
        self.assertTrue(files)
        for file in files:
            with self.subTest(file.name):
                self.check("reproduce", file)

    def test_sweeps(self):
        files = sorted((ROOT / "experiments/sweeps").glob("*.yaml"))
        self.assertTrue(files)
        for file in files:
            with self.subTest(file.name):
                self.check("sweep", file)

    def test_result_pages_say_what_the_experiments_say(self):
        page = (ROOT / "docs/results.md").read_text()
        files = sorted((ROOT / "docs/results").glob("*.json"))
        self.assertTrue(files)
        for file in files:
            with self.subTest(file.name):
                result = json.loads(file.read_text())
                text = (ROOT / "experiments" / f"{file.stem}.yaml").read_text()
                lines = result["analysis"].rstrip("\n").split("\n")
                self.assertIn("".join(f"    {line}".rstrip() + "\n" for line in lines), text)
                self.assertIn("\n".join(lines), page)
                for row in result["rows"]:
                    self.assertIn(row["name"], text)


class SweepTest(SweepCase):
    def test_parallelism_changes_nothing(self):
        file = self.write(SWEEP)
        tables = []
        for jobs in ("1", "2", "5"):
            answer = self.path(f"{jobs}.json")
            result = self.sweep(
                file, "-j", jobs, "-o", self.path(f"{jobs}.sqlite"), "--json", answer
            )
            tables.append((result.stdout, answer.read_bytes()))
        self.assertEqual(tables[0], tables[1])
        self.assertEqual(tables[0], tables[2])
        points = json.loads(tables[0][1])
        self.assertEqual(len(points), 9)
        self.assertTrue(all(p["status"] == "complete" for p in points))
        # Equal configurations are one run.
        self.assertIn("9 points, 6 runs, 6 of them executed now", result.stderr)

    def test_killed_and_resumed(self):
        file = self.write(SWEEP.replace('"128"', '"512"'))
        undisturbed = self.sweep(file, "-o", self.path("a.sqlite")).stdout
        target = self.path("b.sqlite")
        kills = 0
        for _ in range(50):
            process = subprocess.Popen(
                [WARPMEM, "sweep", str(file), "-j", "1", "-o", str(target), "--resume"],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            before = self.ended(target)
            while process.poll() is None and self.ended(target) == before:
                time.sleep(0.01)
            if process.poll() is not None:
                break
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            kills += 1
        self.assertGreaterEqual(kills, 3, "the sweep ended before it could be killed")
        result = self.sweep(file, "-o", target, "--resume")
        self.assertEqual(result.stdout, undisturbed)
        self.assertIn("0 of them executed now", result.stderr)
        self.assertEqual(self.ended(target), 6)

    def ended(self, file):
        if not file.exists():
            return 0
        try:
            with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as db:
                return db.execute("SELECT count(*) FROM runs").fetchone()[0]
        except sqlite3.OperationalError:
            return 0

    def test_a_failure_is_recorded_and_retried_on_demand(self):
        bad = SWEEP + '  - {name: bfs, args: "none"}\n'
        file = self.write(bad)
        target = self.path("f.sqlite")
        result = self.sweep(file, "-o", target, status=1)
        self.assertIn("failed: exit status 1", result.stdout)
        self.assertIn("2 failed", result.stderr)
        resumed = self.sweep(file, "-o", target, "--resume", status=1)
        self.assertIn("0 of them executed", resumed.stderr)
        again = self.sweep(file, "-o", target, "--resume", "--retry-failed", status=1)
        self.assertIn("2 of them executed", again.stderr)
        self.assertEqual(again.stdout, result.stdout)

    def test_a_run_that_takes_too_long_is_a_failure(self):
        file = self.write(SWEEP.replace('"128"', '"2048"').split("  - {name: bfs")[0])
        result = self.sweep(file, "-o", self.path("t.sqlite"), "--timeout", "1", status=1)
        self.assertIn("failed: not finished after 1 s", result.stdout)

    def test_an_existing_file_is_not_overwritten(self):
        file = self.write(SWEEP)
        target = self.path("x.sqlite")
        target.write_text("precious")
        self.assertIn("--resume", self.sweep(file, "-o", target, status=2).stderr)
        self.sweep(file, "-o", target, "--resume", status=2)
        self.assertEqual(target.read_text(), "precious")

    def test_mistakes_are_said_before_anything_runs(self):
        file = self.write(SWEEP.replace("l1d.mshr.kind: dl", "l1d.mshr.kind: tmsa")
                          .replace("name: bfs", "name: bsf"))
        result = self.sweep(file, "-o", self.path("m.sqlite"), status=2)
        self.assertIn("did you mean bfs?", result.stderr)
        self.assertFalse(self.path("m.sqlite").exists())
        result = self.sweep(self.write(SWEEP.replace("l1d.mshr.kind: dl", "l1d.mshr.kind: tmsa")),
                            status=2)
        self.assertIn("did you mean tsma?", result.stderr)
        self.assertIn("9 points", self.sweep(self.write(SWEEP), "--dry-run").stdout)


if __name__ == "__main__":
    unittest.main()
