# SPDX-License-Identifier: Apache-2.0
"""Whole runs whose every statistic is in the tree.

usage: golden_test.py [RunsTest|ViewsTest|BytesTest|CoverageTest|ReportTest|RuleTest]
"""

import copy
import json
import re
import subprocess
import unittest

import golden
from golden import ROOT, Runs, warpmem

MOST_BYTES = 2 << 20
README = ROOT / "tests" / "README.md"


class GoldenCase(unittest.TestCase):
    maxDiff = None

    def check(self, runs, name):
        file = runs.golden_file(name)
        self.assertTrue(file.exists(), f"{file} is missing.\n{golden.HOW_TO_RENEW}")
        expected, now = file.read_text(), golden.execute(runs, name)
        if expected != now:
            self.fail("\n" + golden.report(name, expected, now))


class RunsTest(GoldenCase):
    """A run gives, byte for byte, what the tree holds."""


class ViewsTest(GoldenCase):
    """These runs have units that Verilator or the C++ compiler builds."""


def add_run_tests():
    runs = Runs.read()
    for name, run in runs.by_name.items():
        values = {golden.word(value) for value in run["covers"].values()}
        compiled = {"core", "systemc", "rtl"} & values
        setattr(ViewsTest if compiled else RunsTest, f"test_{name}",
                lambda self, name=name: self.check(runs, name))


class BytesTest(GoldenCase):
    """Timing does not depend on whether payloads carry the bytes that are compared."""

    def test_runs_that_check_data(self):
        runs = Runs.read()
        checked = [run for run in runs.of_their_own()
                   if {**runs.common, **runs.by_name[run]["covers"]}.get("check_data")]
        self.assertGreater(len(checked), 20)
        for name in checked:
            run = runs.by_name[name]
            runs.by_name[name] = {**run, "covers": {**run["covers"], "check_data": False}}
            expected = [line for line in runs.golden_file(name).read_text().splitlines()
                        if not line.startswith('"gpu.data.')]
            self.assertEqual(expected, golden.execute(runs, name).splitlines(), name)


class CoverageTest(unittest.TestCase):
    """Every value of every mechanism, every machine and every trace is in some golden run."""

    @classmethod
    def setUpClass(cls):
        result = warpmem("config", "--schema")
        cls.schema = json.loads(result.stdout)
        cls.runs = Runs.read()

    def test_every_value_of_every_mechanism(self):
        missing = golden.uncovered(self.schema, self.runs)
        self.assertEqual(missing, [], "not covered by any golden run; add one to runs.json")
        self.assertEqual(list(golden.misplaced(self.schema, self.runs)), [])

    def test_the_schema_has_what_the_program_lists(self):
        listed = [line.split()[0] for line in warpmem("list", "mechanisms").stdout.splitlines()]
        choices = [key for key, about in self.schema["keys"].items() if about["type"] == "choice"]
        self.assertGreater(len(choices), 30)
        self.assertEqual(choices, listed)

    def test_a_new_mechanism_is_missed(self):
        schema = copy.deepcopy(self.schema)
        schema["keys"]["l1d.mshr.kind"]["choices"].append("unheard")
        schema["keys"]["l2.silent"] = {"type": "bool"}
        self.assertEqual(golden.uncovered(schema, self.runs),
                         ["l1d.mshr.kind=unheard", "l2.silent=true", "l2.silent=false"])

    def test_a_mechanism_in_the_wrong_place(self):
        runs = Runs('{"every_run_sets": {}, "runs": [{"name": "a", '
                    '"covers": {"l1d.ways": 2}, "set": {"l1d.enable": false}}]}')
        self.assertEqual(list(golden.misplaced(self.schema, runs)),
                         ["a: l1d.ways is no mechanism", "a: the mechanism l1d.enable is in `set`"])

    def test_every_machine_and_every_trace(self):
        used = {run[part] for run in self.runs.by_name.values() for part in ("config", "program")}
        for file in (ROOT / "configs").glob("*.yaml"):
            self.assertIn(file.stem, used)
        traces = list((ROOT / "tests" / "data" / "traces").iterdir())
        self.assertGreaterEqual(len(traces), 2)
        for folder in traces:
            self.assertIn(str(folder.relative_to(ROOT)), used)

    def test_the_files(self):
        files = set(golden.STATS.iterdir())
        self.assertEqual(files, {self.runs.golden_file(name) for name in self.runs.by_name})
        self.assertLess(sum(file.stat().st_size for file in files), MOST_BYTES)
        texts = {file.read_text() for file in files}
        self.assertEqual(len(texts), len(files), "two golden runs show the same")


class ReportTest(unittest.TestCase):
    """Nothing is left out of a golden file, and what moved is said in full."""

    DOCUMENT = {
        "units": {"sm.cycles": {"kind": "counter", "unit": "cycles", "doc": "d"},
                  "sm.wait": {"kind": "histogram", "unit": "cycles", "doc": "d"},
                  "sm.busy": {"kind": "series", "unit": "", "doc": "d"}},
        "kernels": [{"name": "k", "launch": 1, "stats": {"sm.cycles": 7},
                     "histograms": {"sm.wait": {"bounds": [4], "counts": [2, 2]}}}],
        "total": {"stats": {"sm.cycles": 7},
                  "histograms": {"sm.wait": {"bounds": [4], "counts": [2, 2]}},
                  "series": {"sm.busy": {"interval": 8, "clock": "sm", "points": [0.5]}}},
    }  # fmt: skip

    def changed(self, change):
        document = copy.deepcopy(self.DOCUMENT)
        change(document)
        return golden.differences(golden.canonical(self.DOCUMENT), golden.canonical(document))

    def test_one_statistic_a_line(self):
        lines = golden.canonical(self.DOCUMENT).splitlines()
        self.assertEqual(lines[1], '"launches": ["1 k"],')
        self.assertEqual(lines[2], '"sm.cycles": {"counter":7},')
        self.assertEqual(lines[3], '"sm.wait": {"bounds":"4","histogram":{"counts":"2*2"}},')
        self.assertEqual(lines[4], '"sm.busy": {"series":"8 sm: 0.5"}')
        self.assertEqual(len(lines), 6)

    def test_what_moved(self):
        def total(document):
            for part in (document["total"], *document["kernels"]):
                part["stats"]["sm.cycles"] = 14

        def launch(document):
            document["kernels"][0]["stats"]["sm.cycles"] = 5

        def gone(document):
            del document["units"]["sm.busy"]
            del document["total"]["series"]["sm.busy"]

        def bin_of(document):
            for part in (document["total"], *document["kernels"]):
                part["histograms"]["sm.wait"]["counts"][1] = 3

        def bounds(document):
            for part in (document["total"], *document["kernels"]):
                part["histograms"]["sm.wait"]["bounds"] = [5]

        self.assertEqual(self.changed(lambda document: None), [])
        self.assertEqual(self.changed(total), ["sm.cycles: 7 -> 14 (+100.00 %)"])
        self.assertEqual(self.changed(launch), ["sm.cycles: launches: null -> [5]"])
        self.assertEqual(self.changed(gone), ["sm.busy: is gone"])
        self.assertEqual(self.changed(bin_of),
                         ['sm.wait: histogram: {"counts": "2*2"} -> {"counts": "2 3"}'])

    def test_an_unknown_part_is_refused(self):
        def part(document):
            document["more"] = {}

        def statistic(document):
            document["total"]["stats"]["sm.more"] = 1

        def of_launch(document):
            document["kernels"][0]["stats"]["sm.more"] = 1

        def bounds_of_launch(document):
            document["kernels"][0]["histograms"]["sm.wait"]["bounds"] = [5]

        for change in (part, statistic, of_launch, bounds_of_launch):
            with self.assertRaises(ValueError):
                self.changed(change)

    def test_the_first_twenty_and_how_to_renew(self):
        before = {"launches": [], **{f"s{i}": {"counter": 4} for i in range(30)}}
        after = {"launches": [], **{f"s{i}": {"counter": 5} for i in range(30)}}
        text = golden.report("run", json.dumps(before), json.dumps(after))
        self.assertIn("golden run run: 30 statistics moved\n  s0: 4 -> 5 (+25.00 %)\n", text)
        self.assertIn("  s19: 4 -> 5 (+25.00 %)\n  and 10 more\n", text)
        self.assertNotIn("s20", text)
        self.assertIn("--target renew_golden", text)


def reason(message):
    """Returns the reason that a commit message gives for new golden statistics, or None."""
    found = re.search(r"^Golden: +(\S.*)$", message, re.MULTILINE)
    return found and found.group(1)


class RuleTest(unittest.TestCase):
    """A commit that changes golden statistics says why."""

    def test_the_rule_is_written(self):
        text = README.read_text()
        self.assertIn("renew_golden", text)
        self.assertIn("`Golden: reason`", text)

    def test_reasons(self):
        self.assertEqual(reason("Subject\n\nGolden: a row stays open\n"), "a row stays open")
        for message in ("Golden", "Subject\n\nGolden:\n", "Subject\n\nNot Golden: x\n"):
            self.assertIsNone(reason(message))

    def git(self, *arguments):
        result = subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True)
        return result.stdout if result.returncode == 0 else ""

    def last_change(self):
        """The last commit with statistics that none of its parents has. A merge that takes each
        file from one side has none."""
        for commit in self.git("log", "--format=%H", "--", "tests/golden/stats").split():
            merge = len(self.git("rev-list", "--parents", "-n", "1", commit).split()) > 2
            if not merge or self.git("diff-tree", "-c", "--name-only", "--no-commit-id", "-r",
                                     commit, "--", "tests/golden/stats"):
                return commit
        return ""

    def test_the_last_commit_that_changed_them(self):
        commit = self.last_change()
        if not commit or self.git("rev-parse", "--is-shallow-repository").strip() == "true":
            self.skipTest("no git history at hand")
        message = self.git("log", "-1", "--format=%B", commit)
        self.assertIsNotNone(reason(message),
                             "the last commit that changed tests/golden/stats has no line "
                             f"`Golden: reason`:\n{message}")


add_run_tests()

if __name__ == "__main__":
    unittest.main()
