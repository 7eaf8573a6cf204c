# SPDX-License-Identifier: Apache-2.0
"""Sweeps in parts: shards for any scheduler, merged; limits, order and progress of runs."""

import json
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

from whole_runs import ROOT, WARPMEM, warpmem

sys.path.insert(0, str(ROOT / "tests" / "support"))

import one_machine_slurm  # noqa: E402
import other_file_system  # noqa: E402

# Programs that stand for a simulator, so that hundreds of runs take seconds, and leave results as
# the run directory has them. This one says in the file LOG that it has run, and sleeps for its
# second argument. The third argument is memory in MiB.
HEAD = """#!/usr/bin/python3
import json, os, sys, time
point, second = sys.argv[1], float(sys.argv[2])
ballast = bytearray(int(sys.argv[3]) << 20) if len(sys.argv) > 3 else b""
here = os.path.dirname(os.path.abspath(sys.argv[0]))
def say(text):
    log = os.open(here + "/log", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(log, (text + "\\n").encode())
"""
RESULTS = """
folder = os.environ["WARPMEM_RUN_DIR"]
total = {"gpu.cycles": int(point) * 10 + 1, "gpu.ipc": len(ballast) % 7}
kernel = {"name": "k", "launch": 1, "grid": [2, 1, 1], "block": [32, 1, 1], "stats": total}
units = {name: {"kind": "counter", "unit": "cycles", "doc": "A count."} for name in total}
stats = {"units": units, "kernels": [kernel], "total": {"stats": total}}
json.dump({"status": "complete"}, open(folder + "/manifest.json", "w"))
json.dump(stats, open(folder + "/stats.json", "w"))
"""
# It says its end as programs of warpmem do, in one system call behind the one that logs it.
PROGRAM = HEAD + "time.sleep(second)" + RESULTS + """
pid, _, record = os.environ["WARPMEM_END_RECORD"].partition(" ")
assert int(pid) == os.getpid()
with open(record + ".said.draft", "w") as end:
    end.write(f"0 {int(second * 1e9)} end\\n")
say(point)
os.rename(record + ".said.draft", record + ".said")
os._exit(0)  # Between the two calls before a signal takes back a run that the log has.
"""
# This one says in LOG when it begins and ends, and waits in between for a file of the point's. Its
# second argument is its exit status.
GATED = HEAD + """
say("begin " + point)
while not os.path.exists(here + "/gate" + point):
    time.sleep(0.01)
""" + RESULTS + """
say("end " + point)
os._exit(int(second))
"""


class PartsCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.program = self.path("simulator")
        self.program.write_text(PROGRAM)
        self.program.chmod(0o755)
        self.log = self.path("log")
        self.output = self.path("s.sqlite")

    def path(self, name):
        return self.folder / name

    def write(self, arguments, name="s.yaml"):
        """A sweep with a point for each text of `arguments`."""
        lines = [f"  - {{file: {self.program}, args: \"{a}\"}}\n" for a in arguments]
        self.path(name).write_text("workloads:\n" + "".join(lines))
        return self.path(name)

    def call(self, *arguments, status=0, env=None):
        result = warpmem(*arguments, env=env)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result

    def wait(self, condition, seconds=240):
        end = time.monotonic() + seconds
        while not condition():
            self.assertLess(time.monotonic(), end, self.logs())
            time.sleep(0.1)

    def logs(self):
        return ""

    def executed(self):
        return sorted(map(int, self.log.read_text().split())) if self.log.exists() else []

    def rows(self, file, sql):
        with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as db:
            return db.execute(sql).fetchall()


class ShardTest(PartsCase):
    def test_shards_give_what_one_sweep_gives(self):
        file = self.write(f"{i} 0" for i in range(40))
        whole = self.call("sweep", file, "-o", self.path("whole.sqlite"), "-j", "4").stdout
        self.log.unlink()
        for index in (3, 1, 2):
            self.call("sweep", file, "-o", self.output, "--shard", f"{index}/3")
            state = self.call("sweep", "status", self.output).stdout
        self.assertIn("40 points, 40 runs: 40 complete, 0 failed, 0 missing", state)
        self.assertIn("3 shards have begun; 0 runs were executed twice", state)
        merged = self.call("sweep", "merge", self.output, "--json", self.path("m.json"))
        self.assertEqual(merged.stdout, whole)
        self.assertEqual(len(json.loads(self.path("m.json").read_text())), 40)
        self.assertEqual(self.executed(), list(range(40)))
        for table, rows in (("kernels", 40), ("units", 2)):
            ordered = f"SELECT * FROM {table} ORDER BY 1, 2"
            self.assertEqual(self.rows(self.output, ordered),
                             self.rows(self.path("whole.sqlite"), ordered))
            self.assertEqual(self.rows(self.output, f"SELECT count(*) FROM {table}"), [(rows,)])
        # What is merged is a sweep like any other.
        again = self.call("sweep", file, "-o", self.output, "--resume")
        self.assertIn("0 of them executed now", again.stderr)

    def test_a_shard_goes_on_and_other_numbers_find_what_there_is(self):
        file = self.write(f"{i} 0" for i in range(30))
        self.call("sweep", file, "-o", self.output, "--shard", "1/2")
        first = self.executed()
        self.assertTrue(0 < len(first) < 30)
        again = self.call("sweep", file, "-o", self.output, "--shard", "1/2")
        self.assertIn("0 of them executed now", again.stdout)
        part = self.call("sweep", "merge", self.output, status=1)
        self.assertIn(f"{30 - len(first)} missing", part.stderr)
        self.assertEqual(part.stdout.count("not run"), 30 - len(first))
        for index in range(1, 6):
            self.call("sweep", file, "-o", self.output, "--shard", f"{index}/5")
        self.assertEqual(self.executed(), list(range(30)))
        self.call("sweep", "merge", self.output)

    def test_a_point_is_given_back(self):
        file = self.write(["1 0", "2 300"])
        process = subprocess.Popen(
            [WARPMEM, "sweep", file, "-o", self.output, "--shard", "1/1"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        shard = self.path("s.sqlite.shards/1-of-1.sqlite")
        self.wait(lambda: shard.exists() and shard.stat().st_size != 0)
        self.wait(lambda: "simulator 2 300" in self.call("sweep", "status", self.output).stdout)
        second = subprocess.Popen(
            [WARPMEM, "sweep", file, "-o", self.output, "--shard", "1/1"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertIn(f"(pid {process.pid}); waiting for its end", second.stderr.readline())
        process.send_signal(signal.SIGTERM)
        self.assertIn("given back: simulator 2 300", process.communicate()[1])
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)
        second.send_signal(signal.SIGTERM)
        second.communicate()
        self.assertEqual(self.executed(), [1])
        self.assertEqual(list(self.path("s.sqlite.shards").glob("*.work-*")), [])
        self.assertEqual(self.rows(shard, "SELECT count(*) FROM runs"), [(1,)])

    def test_another_shard_that_vanishes(self):
        file = self.write(["1 0", "2 0"])
        self.call("sweep", file, "-o", self.output, "--shard", "1/1")
        other = self.path("s.sqlite.shards/1-of-1.sqlite")
        # It waits for the list of programs behind its look at the other shards.
        programs = self.path("programs")
        os.mkfifo(programs)
        shard = subprocess.Popen(
            [WARPMEM, "sweep", file, "-o", self.output, "--shard", "2/2", "--programs", programs],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        with open(programs, "w"):
            other.unlink()
        output, errors = shard.communicate(timeout=600)
        self.assertEqual(shard.returncode, 0, output + errors)

    def test_merging_into_a_file_behind_a_link(self):
        file = self.write(["1 0", "2 0"])
        self.call("sweep", file, "-o", self.output, "--shard", "1/1")
        there = self.path("there")
        there.mkdir()
        self.output.symlink_to("there/all.sqlite")
        log = self.path("system.log")
        for _ in range(2):
            log.unlink(missing_ok=True)
            env = other_file_system.environment(self.folder, FILE_SYSTEM_LOG=str(log))
            self.call("sweep", "merge", self.output, env=env)
            self.assertTrue(self.output.is_symlink())
            self.assertEqual([entry.name for entry in there.iterdir()], ["all.sqlite"])
            self.assertEqual(self.rows(there / "all.sqlite", "SELECT count(*) FROM runs"), [(2,)])
            # Whenever the machine crashes, the name is that of a whole file.
            lines = log.read_text().splitlines()
            renamed = next(i for i, line in enumerate(lines) if line.startswith("rename "))
            _, draft, target = lines[renamed].split()
            self.assertEqual(pathlib.Path(draft).parent.parent, there.resolve())
            self.assertEqual(target, str(there.resolve() / "all.sqlite"))
            self.assertIn(f"fsync {draft}", lines[:renamed])
            self.assertIn(f"fsync {there.resolve()}", lines[renamed:])

    def test_mistakes(self):
        file = self.write(["1 0", "2 0"])
        missing = self.call("sweep", "merge", self.output, status=2)
        self.assertIn("no shards in", missing.stderr)
        self.assertIn("no such file, and no shards",
                      self.call("sweep", "status", self.output, status=2).stderr)
        self.assertIn("INDEX/COUNT",
                      self.call("sweep", file, "--shard", "3/2", status=2).stderr)
        for wrong in (["--shard", "1/2", "--resume"], ["--shard", "1/2", "--slurm"],
                      ["--partition", "p"], ["--plan", "x"]):
            self.call("sweep", file, *wrong, status=2)
        self.assertIn("options of their own",
                      self.call("sweep", "-j", "3", "merge", self.output, status=2).stderr)
        self.call("sweep", file, "-o", self.output, "--shard", "1/1")
        self.assertIn("has changed since it was submitted",
                      self.call("sweep", file, "-o", self.output, "--shard", "1/1", "--plan",
                                "0", status=2).stderr)
        for text in ("some text\n", "source\0"):
            self.path("list").write_text(text)
            self.assertIn("list: not a list of compiled programs",
                          self.call("sweep", file, "-o", self.output, "--shard", "1/1",
                                    "--programs", self.path("list"), status=2).stderr)
        other = self.write(["1 0", "2 0", "3 0"], "t.yaml")
        self.call("sweep", other, "-o", self.output, "--shard", "1/2")
        self.assertIn("of another plan", self.call("sweep", "merge", self.output, status=2).stderr)

    def test_results_that_differ_are_not_merged(self):
        file = self.write(["1 0"])
        self.call("sweep", file, "-o", self.output, "--shard", "1/1")
        folder = self.path("s.sqlite.shards")
        shutil.copy(folder / "1-of-1.sqlite", folder / "2-of-2.sqlite")
        self.assertIn("1 runs were executed twice",
                      self.call("sweep", "status", self.output).stdout)
        self.call("sweep", "merge", self.output)
        with sqlite3.connect(folder / "2-of-2.sqlite") as db:
            db.execute("UPDATE stats SET value = 12 WHERE name = 'gpu.cycles'")
        db.close()
        before = self.output.read_bytes()
        self.assertIn("has another gpu.cycles",
                      self.call("sweep", "merge", self.output, status=2).stderr)
        self.assertEqual(self.output.read_bytes(), before)
        with sqlite3.connect(folder / "2-of-2.sqlite") as db:
            db.execute("UPDATE stats SET value = 11 WHERE name = 'gpu.cycles'")
            db.execute("UPDATE kernels SET stats = '{\"gpu.cycles\": 12}'")
        db.close()
        self.assertIn("has another launch 1",
                      self.call("sweep", "merge", self.output, status=2).stderr)
        self.assertEqual(self.output.read_bytes(), before)


class LimitsTest(PartsCase):
    def test_memory(self):
        file = self.write(["1 60 300", "2 0 1"])
        result = self.call("sweep", file, "-o", self.output, "--max-memory", "150", status=1)
        self.assertRegex(result.stdout, "simulator 1 60 300 .*failed: more than 150 MiB of memory")
        self.assertRegex(result.stdout, "simulator 2 0 1 .*complete")

    def test_the_longest_come_first(self):
        file = self.write(["1 0", "2 0.6", "3 0.3"])
        self.call("sweep", file, "-o", self.output, "-j", "1")
        self.assertEqual(self.log.read_text(), "1\n2\n3\n")
        self.log.unlink()
        self.call("sweep", file, "-o", self.path("b.sqlite"), "-j", "1", "--costs", self.output)
        self.assertEqual(self.log.read_text(), "2\n3\n1\n")

    def test_lines_of_progress(self):
        file = self.write(["1 2.5", "2 2.5"])
        result = self.call("sweep", file, "-o", self.output, "-j", "1", "--progress", "1")
        lines = [line for line in result.stderr.splitlines() if "/2 runs" in line]
        self.assertGreaterEqual(len(lines), 3)
        self.assertRegex(
            lines[0], r"^warpmem: 0/2 runs, 0 failed; now: simulator 1 2.5 \(\d+ s, \d+ MiB\)$")
        left = [int(m[1]) for m in (re.search(r"about (\d+) s left", s) for s in lines) if m]
        self.assertTrue(left)
        self.assertEqual(left, sorted(left, reverse=True))
        quiet = self.call("sweep", file, "-o", self.path("q.sqlite"), "-j", "2", "--progress", "0")
        self.assertNotIn("/2 runs", quiet.stderr)


class KilledSweepTest(PartsCase):
    """SIGKILL at each moment of a run's life: which runs are executed again, and that no run ever
    begins beside an earlier one of the same."""

    def setUp(self):
        super().setUp()
        self.program.write_text(GATED)

    def start(self, file):
        process = subprocess.Popen(
            [WARPMEM, "sweep", file, "-o", self.output, "-j", "2"], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True)

        def end():
            process.kill()
            process.wait()
        self.addCleanup(end)
        return process

    def said(self):
        return self.log.read_text().splitlines() if self.log.exists() else []

    def open_gate(self, point):
        self.path(f"gate{point}").touch()

    def ends(self):
        """Returns how many runs have ended and are not stored."""
        return len(list(self.folder.glob("s.sqlite.work-*/*/ended")))

    def resume(self, file, *arguments, status=0):
        return self.call("sweep", file, "-o", self.output, "-j", "2", "--resume", *arguments,
                         status=status)

    def stopped_with_ends(self, file, points):
        """Starts the sweep, stops it, lets the runs `points` end, and kills it."""
        sweep = self.start(file)
        self.wait(lambda: {f"begin {p}" for p in points} <= set(self.said()))
        sweep.send_signal(signal.SIGSTOP)
        for point in points:
            self.open_gate(point)
        self.wait(lambda: self.ends() == len(points))
        sweep.kill()
        sweep.wait()

    def nobody_left(self):
        here = str(self.program).encode()
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if here in (process / "cmdline").read_bytes().split(b"\0"):
                    return False
            except OSError:  # It has ended.
                continue
        return True

    def test_ended_while_the_sweep_was_stopped(self):
        file = self.write(["1 0", "2 0"])
        self.stopped_with_ends(file, ["1", "2"])
        result = self.resume(file)
        for point in (1, 2):
            self.assertIn(f"ended before the sweep was killed, kept: simulator {point} 0",
                          result.stderr)
        self.assertIn("0 of them executed now", result.stderr)
        self.assertEqual(sorted(self.said()), ["begin 1", "begin 2", "end 1", "end 2"])
        self.assertEqual(list(self.folder.glob("*.work-*")), [])
        undisturbed = self.call("sweep", file, "-o", self.path("whole.sqlite"))
        self.assertEqual(result.stdout, undisturbed.stdout)
        for table in ("stats", "kernels", "units"):
            sql = f"SELECT * FROM {table} ORDER BY 1, 2"
            self.assertEqual(self.rows(self.output, sql),
                             self.rows(self.path("whole.sqlite"), sql))
        seconds = self.rows(self.output, "SELECT min(seconds), max(seconds) FROM runs")[0]
        self.assertTrue(0 < seconds[0] <= seconds[1] < 240)

    def test_one_ended_and_one_not(self):
        file = self.write(["1 0", "2 0"])
        sweep = self.start(file)
        self.wait(lambda: len(self.said()) == 2)
        sweep.send_signal(signal.SIGSTOP)
        self.open_gate(1)
        self.wait(lambda: self.ends() == 1)
        sweep.kill()
        sweep.wait()
        self.wait(self.nobody_left)  # the other run ends with its sweep
        self.open_gate(2)
        result = self.resume(file)
        self.assertIn("1 of them executed now", result.stderr)
        self.assertEqual(sorted(self.said()),
                         ["begin 1", "begin 2", "begin 2", "end 1", "end 2"])

    def test_a_failure_is_kept_and_retried_on_demand(self):
        file = self.write(["1 3", "2 0"])
        self.stopped_with_ends(file, ["1", "2"])
        result = self.resume(file, status=1)
        self.assertIn("0 of them executed now", result.stderr)
        self.assertRegex(result.stdout, "simulator 1 3 .*failed: exit status 3")
        self.assertIn("1 of them executed now",
                      self.resume(file, "--retry-failed", status=1).stderr)

    def test_all_killed_at_once(self):
        # As Slurm ends a task: sweep, keeper and run, with whatever they have started.
        file = self.write(["1 0"])
        sweep = self.start(file)
        self.wait(lambda: self.said() == ["begin 1"])
        tree, new = [], [sweep.pid]
        while new:
            tree += new
            new = [int(child) for pid in new for child in
                   pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
        self.assertEqual(len(tree), 3)
        # None of them may act on the end of another before its own.
        for end in (signal.SIGSTOP, signal.SIGKILL):
            for pid in tree:
                os.kill(pid, end)
        sweep.wait()
        self.open_gate(1)
        self.assertIn("1 of them executed now", self.resume(file).stderr)
        self.assertEqual(self.said(), ["begin 1", "begin 1", "end 1"])

    def test_what_survives_its_sweep_is_waited_for(self):
        # A script that starts its simulator in a session of its own, where nothing ends it.
        file = self.write(["1 0"])
        real = self.path("real")
        self.program.rename(real)
        self.program.write_text(f"#!/bin/sh\nsetsid {real} \"$@\" &\nwait\n")
        self.program.chmod(0o755)
        sweep = self.start(file)
        self.wait(lambda: self.said() == ["begin 1"])
        sweep.kill()
        sweep.wait()
        second = subprocess.Popen([WARPMEM, "sweep", file, "-o", self.output, "--resume"],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertIn("have survived their sweep", second.stderr.readline())
        self.assertEqual(self.said(), ["begin 1"])
        self.open_gate(1)
        self.assertIn("1 of them executed now", second.communicate()[1])
        self.assertEqual(second.returncode, 0)
        self.assertEqual(self.said(), ["begin 1", "end 1", "begin 1", "end 1"])

    def test_another_program_is_another_run(self):
        file = self.write(["1 0"])
        self.stopped_with_ends(file, ["1"])
        self.program.write_text(GATED + "# changed\n")
        self.assertIn("1 of them executed now", self.resume(file).stderr)
        self.assertEqual(self.said(), ["begin 1", "end 1"] * 2)

    def test_killed_again_while_it_takes_them_over(self):
        # The second sweep stands for one that is killed behind its last write to the database.
        file = self.write(["1 0"])
        self.stopped_with_ends(file, ["1"])
        work = next(iter(self.folder.glob("*.work-*")))
        shutil.copytree(work, self.path("copy"))
        self.resume(file)
        shutil.copytree(self.path("copy"), work)
        with sqlite3.connect(self.output) as db:
            db.execute("UPDATE sweep SET value = ? WHERE key = 'work'", (work.name,))
        db.close()
        again = self.resume(file)
        self.assertNotIn("kept", again.stderr)
        self.assertIn("0 of them executed now", again.stderr)
        self.assertEqual(self.said(), ["begin 1", "end 1"])
        self.assertFalse(work.exists())


MISSING = one_machine_slurm.missing()


@unittest.skipIf(MISSING, "not installed (tools/slurm-packages.txt): " + ", ".join(MISSING))
class SlurmTest(PartsCase):
    """A Slurm of four nodes on this machine."""

    POINTS = 200

    def setUp(self):
        super().setUp()
        os.chmod(self.folder, 0o755)
        self.path("cluster").mkdir()
        self.cluster = one_machine_slurm.Cluster(self.path("cluster"), 4)
        self.addCleanup(self.cluster.down)
        self.cluster.up()

    def sweep(self, *arguments, status=0):
        return self.call("sweep", *arguments, status=status, env=self.cluster.environment)

    def state(self):
        self.cluster.release_held()
        self.sweep("status", self.output, "--json", self.path("status.json"))
        return json.loads(self.path("status.json").read_text())

    def logs(self):
        return self.cluster.logs()

    def no_job(self):
        self.cluster.release_held()
        listed = self.cluster.call("squeue", "-h")
        return listed.returncode == 0 and not listed.stdout.strip()

    def given_back(self):
        """Returns what tasks said of points that were under way when one ended, or was killed."""
        said = "".join(f.read_text() for f in self.path("s.sqlite.shards/log").glob("*.txt"))
        return re.findall(r"^warpmem: (given back: .*|lost when .*)", said, re.M)

    def test_nothing_is_lost_and_nothing_runs_twice(self):
        file = self.write([f"{i} 0.15" for i in range(self.POINTS)])
        whole = self.call("sweep", file, "-o", self.path("whole.sqlite"), "-j", "8").stdout
        self.log.unlink()
        said = self.sweep(file, "-o", self.output, "--slurm", "--array-size", "12").stdout
        job = re.search(r"job (\d+) has 12 tasks for the 200 that are missing", said)[1]
        self.assertIn("is not over", self.sweep(file, "-o", self.output, "--slurm", "--resume",
                                                status=2).stderr)
        self.wait(lambda: len(self.executed()) >= 10)
        # A node's daemon crashes, and so does the controller; both come back.
        self.cluster.kill("n2")
        self.cluster.kill("slurmctld")
        self.cluster.start_controller()
        self.wait(lambda: self.cluster.call("squeue", "-h").returncode == 0)
        self.cluster.start_node("n2")
        # A third of the tasks is cancelled, two of them while they run.
        working = [w["shard"].split("-")[0] for w in self.state()["at_work"]][:2]
        waiting = [str(i) for i in range(12, 0, -1) if str(i) not in working][:2]
        for task in working + waiting:
            self.cluster.call("scancel", f"{job}_{task}")
        self.wait(lambda: self.state()["job"]["state"] == "over")
        left = self.state()["missing"]
        self.assertGreater(left, 0)
        self.wait(self.no_job)
        said = self.sweep(file, "-o", self.output, "--slurm", "--resume").stdout
        self.assertRegex(said, rf"tasks for the {left} that are missing")
        self.wait(self.no_job)
        merged = self.sweep("merge", self.output)
        self.assertEqual(merged.stdout, whole)
        state = self.state()
        self.assertEqual((state["complete"], state["missing"], state["executed_twice"]),
                         (self.POINTS, 0, 0))
        self.assertEqual(self.executed(), list(range(self.POINTS)),
                         f"given back: {self.given_back()}\n{self.logs()}")
        self.assertIn("nothing is missing",
                      self.sweep(file, "-o", self.output, "--slurm", "--resume").stdout)


if __name__ == "__main__":
    unittest.main()
