# SPDX-License-Identifier: Apache-2.0
"""Sweeps through the command line tool: the same table whatever the parallelism and whatever
interrupted it, failures recorded, mistakes said at once."""

import errno
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

from whole_runs import ROOT, WARPMEM, compiled, warpmem

sys.path.insert(0, str(ROOT / "tests" / "support"))

import other_file_system  # noqa: E402

SWEEP = f"""base: {ROOT}/configs/gu-dlmshr.yaml
set: {{sm.count: 2, memory.partitions: 2}}
axes:
  scheme:
    base: {{l1d.mshr.kind: conventional, l2.mshr.kind: conventional}}
    dl: {{l1d.mshr.kind: dl, l2.mshr.kind: dl}}
    same_as_base: {{l1d.mshr.kind: conventional, l2.mshr.kind: conventional}}
workloads:
  - {{name: atax, args: "128"}}
  - {{name: bfs, args: "600"}}
  - {{name: reduction, args: "6000"}}
"""


def with_programs(sweep):
    """Returns `sweep` with the programs of its workloads, so that not every sweep compiles them."""
    return re.sub(r"name: (\w+)", lambda m: f"file: {compiled(m[1])}", sweep)


# This is one short run.
ONE = f"""set: {{sm.count: 1, memory.partitions: 1}}
workloads:
  - {{name: vectoradd, args: "500"}}
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

    def test_result_pages_are_what_the_rules_make_of_the_records(self):
        with tempfile.TemporaryDirectory() as folder:
            docs = pathlib.Path(folder) / "docs"
            shutil.copytree(ROOT / "docs/results", docs / "results")
            result = warpmem("reproduce", "--judge-again", "--page", docs)
            self.assertEqual(result.returncode, 0, result.stderr)
            files = sorted(file.name for file in (ROOT / "docs/results").iterdir())
            self.assertEqual(sorted(file.name for file in (docs / "results").iterdir()), files)
            for name in ("results.md", *(f"results/{file}" for file in files)):
                shipped = (ROOT / "docs" / name).read_text()
                self.assertEqual((docs / name).read_text(), shipped, name)


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
        file = self.write(with_programs(SWEEP.replace('"128"', '"256"')))
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
        bad = with_programs(SWEEP + '  - {name: bfs, args: "none"}\n')
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
        longer = SWEEP.replace('"128"', '"2048"').split("  - {name: bfs")[0]
        file = self.write(with_programs(longer))
        result = self.sweep(file, "-o", self.path("t.sqlite"), "--timeout", "1", status=1)
        self.assertIn("failed: not finished after 1 s", result.stdout)

    def test_an_existing_file_is_not_overwritten(self):
        file = self.write(SWEEP)
        target = self.path("x.sqlite")
        target.write_text("precious")
        self.assertIn("--resume", self.sweep(file, "-o", target, status=2).stderr)
        self.sweep(file, "-o", target, "--resume", status=2)
        self.assertEqual(target.read_text(), "precious")

    def test_two_sweeps_on_one_database(self):
        file = self.write(with_programs(SWEEP.replace('"128"', '"256"')))
        target = self.path("two.sqlite")
        first = subprocess.Popen([WARPMEM, "sweep", str(file), "-j", "1", "-o", str(target)],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while self.ended(target) == 0 and first.poll() is None:
            time.sleep(0.01)
        self.assertIsNone(first.poll(), "the first sweep ended too early")
        first.send_signal(signal.SIGSTOP)  # so that it does not end before the others are refused
        try:
            for option in ([], ["--resume"]):
                second = self.sweep(file, "-o", target, *option, status=2)
                self.assertIn(f"another sweep works on it (pid {first.pid})", second.stderr)
                self.assertEqual(len(second.stderr.splitlines()), 1)
        finally:
            first.send_signal(signal.SIGCONT)
        output, errors = first.communicate()
        self.assertEqual(first.returncode, 0, errors)
        self.assertNotIn("failed:", output)
        self.assertEqual(self.sweep(file, "-o", target, "--resume").stdout, output)

    def test_a_folder_named_like_the_work_folder_stays(self):
        file = self.write(with_programs(ONE))
        precious = self.path("w.sqlite.work")
        precious.mkdir()
        (precious / "thesis").write_text("precious")
        self.sweep(file, "-o", self.path("w.sqlite"))
        self.assertEqual((precious / "thesis").read_text(), "precious")
        self.assertEqual(list(self.folder.glob("*.work-*")), [])

    def test_what_a_killed_sweep_leaves_is_removed(self):
        file = self.write(with_programs(SWEEP.replace('"128"', '"256"')))
        target = self.path("k.sqlite")
        process = subprocess.Popen([WARPMEM, "sweep", str(file), "-j", "1", "-o", str(target)],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while self.ended(target) == 0 and process.poll() is None:
            time.sleep(0.01)
        process.kill()
        process.wait()
        self.assertEqual(len(list(self.folder.glob("*.work-*"))), 1)
        other = self.path("k.sqlite.work-other0")
        other.mkdir()
        self.sweep(file, "-o", target, "--resume")
        self.assertEqual(list(self.folder.glob("*.work-*")), [other])

    def not_a_result(self, reason, program, before=lambda target: None, env=None):
        """The workload is `program`, a shell script, then a sound one: the failure was none of
        the point's."""
        script = self.path("program")
        script.write_text(program)
        script.chmod(0o755)
        file = self.write(f"workloads:\n  - {{file: {script}}}\n")
        target = self.path("n.sqlite")
        target.unlink(missing_ok=True)
        before(target)
        result = warpmem("sweep", file, "-o", target, env=env)
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        self.assertIn("not run: program: ", result.stderr)
        self.assertIn(reason, result.stderr)
        self.assertIn("--resume runs them again", result.stderr)
        self.assertIn("not run", result.stdout)
        self.assertEqual(self.ended(target), 0)
        again = warpmem("sweep", file, "-o", target, "--resume", env=env)
        self.assertIn("not run: program: ", again.stderr)

    def test_failures_of_the_harness_are_no_results(self):
        self.not_a_result("cannot be run", "#!/nowhere/sh\n")
        self.not_a_result("exit status 127: ", "#!/bin/sh\nnothing-of-this-name\n")
        self.not_a_result("ended by SIGKILL", "#!/bin/sh\nkill -KILL $$\n")
        self.not_a_result("ended by SIGTERM", "#!/bin/sh\nkill -TERM $$\n")
        self.not_a_result("ended by SIGTERM", "#!/bin/sh\nexit 143\n")

    def test_a_fault_of_the_program_is_a_result(self):
        script = self.path("program")
        script.write_text("#!/bin/sh\nkill -SEGV $$\n")
        script.chmod(0o755)
        file = self.write(f"workloads:\n  - {{file: {script}}}\n")
        result = self.sweep(file, "-o", self.path("p.sqlite"), status=1)
        self.assertIn("failed: ended by SIGSEGV", result.stdout)

    def test_a_missing_compiler_is_no_result(self):
        program = self.path("vectoradd")
        made = warpmem("cc", ROOT / "workloads/vectoradd.cu", "-o", program)
        self.assertEqual(made.returncode, 0, made.stderr)
        keys = "{sm.count: 1, memory.partitions: 1, l1d.mshr.kind: dl, l1d.mshr.dau: systemc}"
        file = self.write(f"set: {keys}\nworkloads:\n  - {{file: {program}, args: \"500\"}}\n")
        target = self.path("c.sqlite")
        env = {"PATH": "/nowhere", "XDG_CACHE_HOME": str(self.path("cache"))}
        result = warpmem("sweep", file, "-o", target, env=env)
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        self.assertIn("is not installed", result.stderr)
        self.assertEqual(self.ended(target), 0)
        self.assertIn("1 of them executed now",
                      self.sweep(file, "-o", target, "--resume").stderr)

    def test_resuming_checks_the_file(self):
        file = self.write(with_programs(ONE))
        target = self.path("d.sqlite")
        table = self.sweep(file, "-o", target).stdout
        self.assertEqual(self.sweep(file, "-o", target, "--resume").stdout, table)
        good = target.read_bytes()
        with open(target, "r+b") as data:  # pages of the statistics
            data.seek(len(good) // 2)
            data.write(b"\xa5" * 3000)
        damaged = target.read_bytes()
        result = self.sweep(file, "-o", target, "--resume", status=2)
        self.assertIn("damaged", result.stderr)
        self.assertEqual(target.read_bytes(), damaged)
        target.write_bytes(good[: len(good) // 2])
        self.assertRegex(self.sweep(file, "-o", target, "--resume", status=2).stderr,
                         "damaged|malformed")
        target.unlink()
        with sqlite3.connect(target) as db:
            db.execute("CREATE TABLE sweep(key TEXT PRIMARY KEY, value TEXT)")
        db.close()
        result = self.sweep(file, "-o", target, "--resume", status=2)
        self.assertIn("not the results of a sweep", result.stderr)

    def test_resuming_compiles_what_has_changed(self):
        source = self.path("one.cu")
        header = self.path("size.hpp")
        source.write_text((ROOT / "workloads/vectoradd.cu").read_text() + '#include "size.hpp"\n')
        shutil.copytree(ROOT / "workloads/common", self.path("common"))
        header.write_text("// size\n")
        settings = "{sm.count: 1, memory.partitions: 1}"
        file = self.write(f"set: {settings}\nworkloads:\n  - {{file: one.cu, args: \"500\"}}\n")
        target = self.path("made.sqlite")
        table = self.sweep(file, "-o", target).stdout
        # Where there is no room for the compiler's files.
        def resume(status):
            result = warpmem("sweep", file, "-o", target, "--resume", env={"TMPDIR": "/nowhere"})
            self.assertEqual(result.returncode, status, result.stderr)
            return result
        self.assertEqual(resume(0).stdout, table)
        header.write_text("// size\nint another;\n")
        self.assertIn("No such file or directory", resume(2).stderr)
        self.assertIn("1 of them executed now", self.sweep(file, "-o", target, "--resume").stderr)
        self.assertEqual(resume(0).stdout, table)

    def test_resuming_with_another_plan(self):
        file = self.write(with_programs(ONE))
        target = self.path("plan.sqlite")
        self.sweep(file, "-o", target)
        more = self.write(ONE + '  - {name: reduction, args: "3000"}\n')
        self.assertIn("1 of them executed now",
                      self.sweep(more, "-o", target, "--resume").stderr)
        for text, reason in ((ONE, "reduction is not in"),
                             (more.read_text().replace("sm.count: 1", "sm.count: 2"),
                              "has another configuration now")):
            other = self.write(text, "other.yaml")
            result = self.sweep(other, "-o", target, "--resume", status=2)
            self.assertIn("holds another plan", result.stderr)
            self.assertIn(reason, result.stderr)
        self.sweep(other, "-o", target, "--resume", "--new-plan")

    def test_an_experiment_without_its_library_is_not_measured(self):
        file = self.write("""experiment:
  id: C99
  source: none
  title: an area
  band: near
  measure: {metric: area_um2, as: mean}
  rows:
    - {name: base, point: {design: base}, published: 3.5}
    - {name: more, point: {design: more}, published: 7}
synth:
  libraries:
    nowhere: {node_nm: 45, file: none/nowhere.lib}
  designs:
    base: {kind: conventional, entries: 8, slots: 2, addr_bits: 8, slot_bits: 8}
    more: {kind: conventional, entries: 16, slots: 2, addr_bits: 8, slot_bits: 8}
""")
        docs = self.path("docs")
        result = warpmem("reproduce", file, "--page", docs)
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        self.assertIn("C99: not measured (an input is missing)", result.stdout)
        self.assertNotIn("differs", result.stdout)
        self.assertNotIn("order", result.stdout)
        self.assertIn(f"no such file: {self.path('none/nowhere.lib')}", result.stderr)
        self.assertFalse(docs.exists())

    def test_a_full_disk_is_said_once(self):
        file = self.write(with_programs(ONE))
        result = self.sweep(file, "-o", self.path("j.sqlite"), "--json", "/dev/full", status=2)
        self.assertEqual(
            [line for line in result.stderr.splitlines() if "error" in line],
            ["warpmem: error: /dev/full: cannot be written: No space left on device"])
        self.assertTrue(pathlib.Path("/dev/full").is_char_device())
        for target in ("/dev/null", self.path("none/x.sqlite")):
            self.sweep(file, "-o", target, status=2)
        self.assertTrue(pathlib.Path("/dev/null").is_char_device())


class MistakeTest(SweepCase):
    """Everything is said before anything runs, and leaves nothing behind."""

    def refused(self, *arguments, text):
        before = sorted(self.folder.iterdir())
        result = self.sweep(*arguments, status=2)
        self.assertIn(text, result.stderr)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertEqual(sorted(self.folder.iterdir()), before)

    def test_names_in_the_file(self):
        file = self.write(SWEEP.replace("l1d.mshr.kind: dl", "l1d.mshr.kind: tmsa")
                          .replace("name: bfs", "name: bsf"))
        self.refused(file, "-o", self.path("m.sqlite"), text="did you mean bfs?")
        result = self.sweep(self.write(SWEEP.replace("l1d.mshr.kind: dl", "l1d.mshr.kind: tmsa")),
                            status=2)
        self.assertIn("did you mean tsma?", result.stderr)
        self.assertIn("9 points", self.sweep(self.write(SWEEP), "--dry-run").stdout)

    def test_what_is_no_program(self):
        self.path("notes").write_text("some text\n")
        self.path("empty.wmtrace").write_text("")
        for name, text in (("notes", "neither a program"), ("empty.wmtrace", "not a trace")):
            file = self.write(f"workloads:\n  - {{file: {name}}}\n")
            for rest in (["--dry-run"], ["-o", self.path("n.sqlite")]):
                self.refused(file, *rest, text=text)

    def test_files_that_no_sweep_can_use(self):
        file = self.write(with_programs(ONE))
        target = self.path("hw.sqlite")
        for costs, text in (("nosuch", "nosuch: no such file"), (".", ".: not a regular file"),
                            ("/dev/null", "/dev/null: not a regular file"),
                            (file, "s.yaml: ")):  # fmt: skip
            self.refused(file, "-o", target, "--costs", costs, text=text)
        self.refused(file, "-o", target, "--json", self.folder, text=f"{self.folder}: cannot be")
        missing = self.path("nodir/x.sqlite")
        self.refused(file, "-o", missing, text=f"{missing}: cannot be used: No such file")
        self.refused("status", self.folder, text=f"{self.folder}: not a regular file")
        self.sweep(file, "-o", target)

    def test_options_that_would_say_nothing(self):
        file = self.write(with_programs(ONE))
        for arguments, text in (
            (["--dry-run", "--json", self.path("j")], "--json excludes --dry-run"),
            (["--retry-failed"], "--retry-failed: only with --resume or --shard"),
            (["--new-plan"], "--new-plan: only with --resume or --shard"),
        ):
            result = self.sweep(file, "-o", self.path("o.sqlite"), *arguments, status=2)
            self.assertIn(text, result.stderr)
            self.assertFalse(self.path("o.sqlite").exists())

    def test_labels_that_no_sweep_has_written(self):
        file = self.write(with_programs(ONE))
        target = self.path("l.sqlite")
        self.sweep(file, "-o", target)
        with sqlite3.connect(target) as db:
            db.execute("UPDATE points SET labels = '{\"e\": 3}'")
        db.close()
        for arguments in (["status", target], [file, "-o", target, "--resume"]):
            self.refused(*arguments, text=f"{target}: point 1 of vectoradd: its labels are")


class OtherFileSystemTest(SweepCase):
    def sweep_there(self, *arguments, status=0, **settings):
        env = other_file_system.environment(self.folder, **settings)
        result = warpmem("sweep", *arguments, env=env)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result

    def names(self, name):
        return sorted(file.name for file in self.folder.glob(f"{name}*"))

    def test_locks_of_bytes_stand_for_flock(self):
        two = ONE + '  - {name: vectoradd, args: "600"}\n'
        file = self.write(with_programs(two))
        target = self.path("n.sqlite")
        here = self.sweep(file, "-o", self.path("here.sqlite"))
        there = self.sweep_there(file, "-o", target)
        self.assertEqual(there.stdout, here.stdout)
        self.assertIn("2 of them executed now", there.stderr)
        self.assertEqual(self.names("n.sqlite"), ["n.sqlite"])
        again = self.sweep_there(file, "-o", target, "--resume")
        self.assertEqual(again.stdout, here.stdout)
        self.assertIn("0 of them executed now", again.stderr)
        self.assertEqual(self.names("n.sqlite"), ["n.sqlite"])

    def test_a_run_directory_that_cannot_be_locked(self):
        file = self.write(with_programs(ONE))
        result = self.sweep_there(file, "-o", self.path("d.sqlite"), status=2,
                                  DIRECTORY_LOCK_ERROR=str(errno.ENOLCK))
        self.assertIn("cannot lock the run directory: No locks available", result.stderr)
        self.assertIn("--resume runs them again", result.stderr)

    def test_a_folder_that_cannot_be_removed_ends_no_sweep(self):
        script = self.path("program")
        for status, reason in ((3, "failed: exit status 3"), (127, "not run")):
            with self.subTest(status=status):
                script.write_text(f'#!/bin/sh\ntouch "$WARPMEM_RUN_DIR/held"\nexit {status}\n')
                script.chmod(0o755)
                file = self.write(f"workloads:\n  - {{file: {script}, args: \"1\"}}\n"
                                  f"  - {{file: {script}, args: \"2\"}}\n")
                result = self.sweep_there(file, "-j", "1", "-o", self.path(f"{status}.sqlite"),
                                          status=1 if status == 3 else 2, STUCK="held")
                self.assertEqual(result.stdout.count(reason), 2, result.stdout + result.stderr)


if __name__ == "__main__":
    unittest.main()
