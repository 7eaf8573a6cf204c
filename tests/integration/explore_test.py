# SPDX-License-Identifier: Apache-2.0
"""warpmem explore: knees and fronts, with how few runs, and the page."""

import json
import pathlib
import re
import sqlite3
import sys
import unittest

from whole_runs import RunTest, warpmem

SMALL = ["-c", "gu-dlmshr", "--set", "sm.count=2", "--set", "memory.partitions=2",
         "--set", "l1d.mshr.kind=conventional"]


class ExploreRuns(RunTest):
    def explore(self, folder, *arguments, status=0):
        self.out = pathlib.Path(self.folder.name) / folder
        result = warpmem("explore", *SMALL, "-o", str(self.out), *arguments)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result

    def answer(self):
        return json.loads((self.out / "answer.json").read_text())


class KneeTest(ExploreRuns):
    AXIS = "l1d.mshr.entries=1,2,4,8,16,32,64,128"

    def check_marks(self, page):
        """The page marks the knees of the answer, and no other."""
        key = re.escape(self.answer()["axis"])
        marked = dict(re.findall(rf"<title>(\w+), {key} (\w+): [^<]* \(the knee\)", page))
        marked.pop("geomean", None)
        self.assertEqual(marked, {w["workload"]: w["knee"] for w in self.answer()["workloads"]})

    def test_bisection_finds_the_knee_of_all_values(self):
        result = self.explore("some", "--knee", self.AXIS, "gesummv:tiny", "atax:tiny")
        some = self.answer()
        self.assertLess(some["points_run"], some["points"])
        self.assertIn(f"{some['points_run']} of 16 points ran", result.stdout)
        database = sqlite3.connect(self.out / "explore.sqlite")
        self.assertEqual(database.execute("select count(*) from points").fetchone(),
                         (some["points_run"],))
        page = (self.out / "explore.html").read_text()
        self.assertIn(result.stdout.splitlines()[0], page.replace("&#39;", "'"))
        self.assertNotIn("have not run yet", page)
        self.assertIn("<h1>Knee of l1d.mshr.entries", page)
        axis = re.search(r"<strong>l1d.mshr.entries</strong>: ([0-9, ]+)\.", page)[1]
        self.assertEqual(axis.split(", "), sorted(axis.split(", "), key=int))
        self.check_marks(page)

        # The rest of the points changes nothing; those that are there are not run again.
        more = self.explore("some", "--resume", "--every-value", "--knee", self.AXIS,
                            "gesummv:tiny", "atax:tiny")
        missing = some["points"] - some["points_run"]
        self.assertIn(f"{missing} runs executed now", more.stderr)
        every = self.answer()
        self.assertEqual(every["points_run"], 16)
        self.assertEqual(every["knee"], some["knee"])
        for one, all_of_it in zip(some["workloads"], every["workloads"]):
            self.assertEqual(one["knee"], all_of_it["knee"])
            self.assertLessEqual(one["measured"].items(), all_of_it["measured"].items())

    def test_programs_are_compiled_once(self):
        self.explore("kept", "--knee", "l1d.mshr.entries=1,8", "bfs:tiny")

        def resume(*axis, status=0):
            # Where there is no room for the compiler's files.
            result = warpmem("explore", *SMALL, "-o", str(self.out), "--resume", "--knee", *axis,
                             "bfs:tiny", env={"TMPDIR": "/nowhere"})
            self.assertEqual(result.returncode, status, result.stdout + result.stderr)
            return result.stderr

        self.assertIn("1 runs executed now", resume("l1d.mshr.entries=1,4,8"))
        program = self.out / "programs/1/bfs"
        program.write_bytes(program.read_bytes()[:1000])
        self.assertIn("No such file or directory", resume("l1d.mshr.entries=1,8", status=2))

    def test_where_more_hurts_every_value_runs(self):
        result = self.explore("hurts", "--knee", "l1d.hit_cycles=1,20,80", "bfs:tiny")
        answer = self.answer()
        self.assertFalse(answer["workloads"][0]["monotone"])
        self.assertEqual(answer["points_run"], 3)
        self.assertEqual(answer["knee"], "1")
        self.assertIn("more hurts here", result.stdout)

    def test_less_may_be_better(self):
        self.explore("less", "--knee", "l1d.mshr.entries=1,8,32", "--metric", "gpu.cycles",
                     "--less", "--within", "10", "bfs:tiny")
        self.assertEqual(self.answer()["metric"], "gpu.cycles")
        self.assertGreaterEqual(self.answer()["workloads"][0]["share_of_best"], 0.9)
        page = (self.out / "explore.html").read_text()
        self.check_marks(page)
        self.assertIn("the least value within 10 % of the best one", page)

    def test_the_least_value_may_be_enough(self):
        self.explore("least", "--every-value", "--knee", "l1d.mshr.entries=32,64,128",
                     "bfs:tiny")
        self.assertEqual(self.answer()["knee"], "32")
        self.check_marks((self.out / "explore.html").read_text())

    def test_mistakes_are_said_before_anything_runs(self):
        for arguments, text in (
            (["bfs:tiny"], "one question is needed; allowed: --knee"),
            (["--knee", "l1d.mshr.entries=8", "bfs:tiny"], "two values or more"),
            (["--knee", "l1d.mshr.entries=8,8", "bfs:tiny"], "a value is given twice"),
            (["--knee", "l1d.mshr.entries=8,4", "bfs:tiny"], "the values of a knee ascend"),
            (["--knee", "l1d.mshr.kind=dl,tsma", "bfs:tiny"], "dl is not a number"),
            (["--knee", "l1d.mshr.entries=8,16", "bfss"], "did you mean bfs?"),
            (["--knee", "l1d.mshr.entriez=8,16", "bfs:tiny"], "did you mean l1d.mshr.entries?"),
            (["--knee", "l1d.mshr.entries=8,16", "--lib", "x.lib", "bfs:tiny"], "--pareto"),
            (["--pareto", "l1d.mshr.entries=8,16", "--node", "45", "bfs:tiny"],
             "--node requires --lib"),
            (["--knee", "l1d.mshr.entry=8,16", "bfs:tiny"],
             "error: l1d.mshr.entry=8,16: l1d.mshr.entry: unknown key"),
            (["--knee", "l1d.mshr.entries=8,16", "--set", "#l1d.ways=4", "bfs:tiny"],
             "error: --set #l1d.ways=4: #l1d.ways: unknown key"),
        ):  # fmt: skip
            with self.subTest(arguments):
                result = self.explore("bad", *arguments, status=2)
                self.assertIn(text, result.stderr)
                self.assertNotIn("explore.yaml", result.stderr)
                self.assertFalse(self.out.exists())
        result = self.explore("named", "--knee", "l1d.mshr.entries=8,16,32", "--metric", "gpu.ipcc",
                              "--every-value", "bfs:tiny", status=2)
        self.assertIn("did you mean gpu.ipc?", result.stderr)
        with sqlite3.connect(self.out / "explore.sqlite") as database:
            self.assertEqual(database.execute("SELECT count(*) FROM runs").fetchone(), (1,))
        result = self.explore("named", "--knee", "l1d.mshr.entries=8,16", "bfs:tiny", status=2)
        self.assertIn("go on with --resume", result.stderr)


class FrontTest(ExploreRuns):
    def test_designs_that_nobody_beats(self):
        self.explore("front", "--pareto", "l1d.mshr.entries=1,2,4", "--pareto",
                     "l1d.mshr.slots=1,2", "--set", "l2.mshr.kind=conventional",
                     "--set", "l2.mshr.entries=2", "--set", "l2.mshr.slots=1", "bfs:tiny")
        designs = self.answer()["designs"]
        self.assertEqual(len(designs), 6)
        self.assertEqual(designs[0]["mean"], 1)
        front = [d for d in designs if d["front"]]
        for design in designs:
            beaten = any(other["area_mm2"] <= design["area_mm2"] and other["mean"] >= design["mean"]
                         and (other["area_mm2"], other["mean"])
                         != (design["area_mm2"], design["mean"]) for other in designs)
            self.assertEqual(design["front"], not beaten)
            if not design["front"]:
                self.assertIn(design["beaten_by"], [d["design"] for d in front])
        areas = [d["area_mm2"] for d in designs]
        self.assertLess(areas[0], areas[1])  # a slot more
        self.assertLess(areas[0], areas[2])  # an entry more
        page = (self.out / "explore.html").read_text()
        self.assertIn("over the area of the miss handlers", page)

    def test_equal_designs_do_not_beat_each_other(self):
        self.explore("equal", "--pareto", "l1d.mshr.entries=2,4", "--pareto",
                     "dram.age_cap=100000,200000", "bfs:tiny")
        designs = self.answer()["designs"]
        self.assertEqual(len(designs), 4)
        for one, other in ((0, 1), (2, 3)):  # no request is as old
            self.assertEqual(designs[one]["mean"], designs[other]["mean"])
            self.assertEqual(designs[one]["front"], designs[other]["front"])
        self.assertTrue(designs[0]["front"])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
