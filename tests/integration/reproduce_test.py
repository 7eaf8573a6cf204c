# SPDX-License-Identifier: Apache-2.0
"""Several experiments as one sweep: what they share runs once, an interruption loses nothing, each
gets its verdict, its record and its figure."""

import json
import pathlib
import re
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
import unittest

from whole_runs import ROOT, WARPMEM, warpmem

# A program that stands for a simulator: its IPC is the number of SMs times its first argument. It
# says in the file `log` that it has run, and takes its second argument's seconds.
PROGRAM = """#!/usr/bin/python3
import json, os, re, sys, time
time.sleep(float(sys.argv[2]))
config = open(os.environ["WARPMEM_CONFIG"]).read()
sms = int(re.search(r"^sm:\\n(?:  .*\\n)*?  count: (\\d+)", config, re.M)[1])
folder = os.environ["WARPMEM_RUN_DIR"]
manifest = {"status": "complete", "cpu_seconds": 7.5 * sms}
json.dump(manifest, open(folder + "/manifest.json", "w"))
total = {"gpu.ipc": sms * float(sys.argv[1]), "gpu.cycles": 1}
stats = {"units": {}, "kernels": [], "total": {"stats": total}}
json.dump(stats, open(folder + "/stats.json", "w"))
log = os.open(os.path.dirname(os.path.abspath(sys.argv[0])) + "/log",
              os.O_WRONLY | os.O_APPEND | os.O_CREAT)
os.write(log, f"{sms} {sys.argv[1]}\\n".encode())
"""

EXPERIMENT = """experiment:
  id: {id}
  source: nobody
  title: IPC of more SMs
  band: shape
  measure: {{metric: gpu.ipc, as: gain, over: {{sms: "2"}}}}
  rows:
    - {{name: more, point: {{sms: "{more}"}}, published: {published}}}
set: {{memory.partitions: 1}}
axes:
  sms:
    "2": {{sm.count: 2}}
    "{more}": {{sm.count: {more}}}
workloads:
"""

AREA = """experiment:
  id: T3
  source: nobody
  title: an area
  measure: {metric: area_um2, as: mean}
  rows:
    - {name: base, point: {design: base}, published: 3.5}
synth:
  libraries:
    nowhere: {node_nm: 45, file: none/nowhere.lib}
  designs:
    base: {kind: conventional, entries: 8, slots: 2, addr_bits: 8, slot_bits: 8}
"""


class SeveralTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.program = self.folder / "simulator"
        self.program.write_text(PROGRAM)
        self.program.chmod(0o755)
        self.log = self.folder / "log"
        self.database = self.folder / "db"

    def experiment(self, name, more, published, seconds="0", folder=None):
        text = EXPERIMENT.format(id=name, more=more, published=published)
        for number in (1, 2, 3):
            text += f"  - {{file: {self.program}, args: \"{number} {seconds}\"}}\n"
        file = (folder or self.folder) / f"{name}.yaml"
        file.write_text(text)
        return file

    def reproduce(self, *arguments, status=0, env=None):
        result = warpmem("reproduce", *arguments, "-o", self.database, env=env)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result

    def test_what_they_share_runs_once(self):
        first, second = self.experiment("T1", 3, 50), self.experiment("T2", 4, 300)
        docs = self.folder / "docs"
        result = self.reproduce(first, second, "--page", docs)
        self.assertEqual(len(self.log.read_text().split("\n")) - 1, 9)
        self.assertIn("12 points, 9 runs, 9 executed now, 0 failed", result.stderr)
        self.assertRegex(result.stdout, r"\nT1 +IPC of more SMs +near\nT2 +IPC of more SMs +shape")
        for name in ("T1", "T2"):
            record = json.loads((docs / f"results/{name}.json").read_text())
            self.assertEqual(len(record["rows"][0]["values"]), 3)
            self.assertIn("</svg>", (docs / f"results/{name}.svg").read_text())
        self.assertIn("2 results: 1 near, 1 shape.", (docs / "results.md").read_text())
        # One alone finds all that it needs.
        alone = self.reproduce(first)
        self.assertIn("6 points, 6 runs, 0 executed now", alone.stderr)
        self.assertIn("T1: near\n", alone.stdout)

    def test_only_what_rows_compare_runs(self):
        file = self.experiment("T1", 3, 50)
        text = file.read_text().replace('    "2": {sm.count: 2}\n',
                                        '    "2": {sm.count: 2}\n    "8": {sm.count: 8}\n')
        file.write_text(text)
        self.assertIn("T1: 1 rows, 6 points", self.reproduce(file, "--dry-run").stdout)
        self.assertIn("6 points, 6 runs", self.reproduce(file).stderr)
        self.assertNotIn("8 ", self.log.read_text())

    def test_interrupted_and_resumed(self):
        files = [self.experiment("T1", 3, 50, "0.3"), self.experiment("T2", 4, 100, "0.3")]
        process = subprocess.Popen(
            [WARPMEM, "reproduce", *files, "-j", "1", "-o", self.database],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 60
        # The second run says so at its end, when the first one has been stored.
        while not self.log.exists() or len(self.log.read_text().splitlines()) < 2:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)
        first = self.log.read_text().splitlines()[0]
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(), 128 + signal.SIGTERM)
        self.assertIn("go on with --resume", self.reproduce(*files, status=2).stderr)
        result = self.reproduce(*files, "--resume")
        executed = int(re.search(r"9 runs, (\d+) executed now", result.stderr)[1])
        self.assertLess(executed, 9)
        lines = self.log.read_text().splitlines()
        self.assertEqual(lines.count(first), 1)
        self.assertEqual(len(set(lines)), 9)

    def installation(self):
        """Makes one with two experiments that run something."""
        home = self.folder / "home"
        home.mkdir()
        for entry in ROOT.iterdir():
            if entry.name not in (".git", "build", "experiments"):
                (home / entry.name).symlink_to(entry)
        (home / "experiments").mkdir()
        self.experiment("T1", 3, 50, "0.01", home / "experiments")
        self.experiment("T2", 4, -10, "0.01", home / "experiments")
        return home

    def test_all_of_an_installation(self):
        home = self.installation()
        (home / "experiments/T3.yaml").write_text(AREA)
        env = {"WARPMEM_HOME": str(home)}
        listed = self.reproduce("--list", env=env).stdout
        self.assertRegex(listed, r"T1 +IPC of more SMs +\? +nobody")
        self.assertRegex(listed, r"T3 +an area +synthesis +nobody")
        self.assertIn("T2: 1 rows, 6 points",
                      self.reproduce("--all", "--dry-run", env=env).stdout)
        docs = self.folder / "docs"
        result = self.reproduce("--all", "--page", docs, status=1, env=env)
        self.assertRegex(result.stdout, r"T2 +IPC of more SMs +differs\n")
        self.assertRegex(result.stdout, r"T3 +an area +not measured \(no .*nowhere.lib\)\n")
        self.assertFalse((docs / "results/T3.json").exists())
        self.assertRegex(self.reproduce("--list", env=env).stdout,
                         r"T1 +IPC of more SMs +\d+ s +nobody(.|\n)*\nall .* \d+ s\n")

    def test_costs_before_anything_has_run(self):
        home = self.installation()
        env = {"WARPMEM_HOME": str(home)}
        costs = home / "experiments/costs.json"
        # All programs have run with two SMs twice, with three and with four once.
        said = self.reproduce("--measure-costs", costs, "--timeout", "60", env=env)
        self.assertIn(f"3 programs, 45 s; {costs}\n", said.stdout)
        self.assertIn("3 points, 3 runs, 3 executed now, 0 failed", said.stderr)
        self.assertEqual(json.loads(costs.read_text())[0],
                         {"workload": "simulator", "arguments": "1 0.01", "seconds": 15.0})
        shutil.rmtree(self.database)
        self.assertRegex(self.reproduce("--list", env=env).stdout,
                         r"T1 +IPC of more SMs +90 s +nobody(.|\n)*\nall .* 135 s\n")
        # What has run here says how fast this machine is.
        self.reproduce("T1", env=env)
        with sqlite3.connect(self.database / "T1.sqlite") as db:
            took = db.execute("SELECT sum(seconds) FROM runs").fetchone()[0]
        db.close()
        listed = self.reproduce("--list", env=env).stdout
        seconds = int(re.search(r"T1 +IPC of more SMs +(\d+) s +nobody", listed)[1])
        self.assertLessEqual(seconds, 3 * took + 1)
        shutil.rmtree(self.database)
        costs.write_text(json.dumps(json.loads(costs.read_text())[:2]))
        self.assertRegex(self.reproduce("--list", env=env).stdout,
                         r"T1 +IPC of more SMs +> 60 s +nobody")
        costs.write_text("[1]")
        self.assertIn("costs.json: row 1: a map is needed",
                      self.reproduce("--list", status=2, env=env).stderr)
        for wrong in (["--all"], ["--list"], ["T1"], ["--page", "docs"]):
            self.reproduce("--measure-costs", costs, *wrong, status=2, env=env)

    def test_mistakes(self):
        first = self.experiment("T1", 3, 50)
        other = self.folder / "other.yaml"
        other.write_text(first.read_text())
        self.assertIn("its id T1 is that of", self.reproduce(first, other, status=2).stderr)
        other.write_text(first.read_text().replace("gpu.ipc", "gpu.ipc, as: gian"))
        wrong = self.folder / "wrong.yaml"
        wrong.write_text(first.read_text().replace("point: {sms: ", "point: {sm: "))
        said = self.reproduce(wrong, other, status=2).stderr
        self.assertIn("wrong.yaml: row more: the sweep has no axis sm", said)
        self.assertIn("unknown value gian", said)
        self.assertIn("say which experiment", self.reproduce(status=2).stderr)
        for wrong in (["--all", str(first)], [str(first), "--resume"], ["--list", "--all"]):
            self.reproduce(*wrong, status=2)
        again = warpmem("reproduce", "--judge-again")
        self.assertEqual(again.returncode, 2)
        other.write_text(first.read_text().replace("id: T1", "id: ../X"))
        self.assertIn("other.yaml:2: id: ../X: it names files",
                      self.reproduce(other, status=2).stderr)

    def test_outputs_that_cannot_be_written(self):
        file = self.experiment("T1", 3, 50)
        said = self.reproduce(file, "--page", file, status=2).stderr
        self.assertIn(f"{file}/results.md: cannot be written", said)
        env = {"WARPMEM_HOME": str(self.installation())}
        said = self.reproduce("--measure-costs", self.folder, status=2, env=env).stderr
        self.assertIn(f"{self.folder}: cannot be written", said)
        self.assertFalse(self.log.exists())

    def test_a_record_that_somebody_has_changed(self):
        env = {"WARPMEM_HOME": str(self.installation())}
        docs = self.folder / "docs"
        self.reproduce("T1", "--page", docs, env=env)
        file = docs / "results/T1.json"
        record = json.loads(file.read_text())
        record["rows"][0] = {}
        file.write_text(json.dumps(record))
        again = warpmem("reproduce", "T1", "--judge-again", "--page", docs, env=env)
        self.assertEqual(again.returncode, 2)
        self.assertEqual(again.stderr, f"warpmem: error: {file}: not what `warpmem reproduce` "
                                       "writes\n")  # fmt: skip
        self.assertEqual(json.loads(file.read_text()), record)


if __name__ == "__main__":
    unittest.main()
