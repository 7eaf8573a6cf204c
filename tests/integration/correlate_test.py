# SPDX-License-Identifier: Apache-2.0
"""`warpmem correlate` on whole runs: a machine agrees with itself, one with half the L2 is
explained by L2, and the command passes on what it is given."""

import json
import pathlib
import unittest

from whole_runs import CONFIG, ROOT, SMALL, RunTest, assignments, warpmem

# Each workload with an L2 that holds what its second launch uses again, and one of half the size.
SIZES = {"atax": ["192"], "bfs": ["4096"]}
L2 = {"right": "64 KiB", "half": "32 KiB"}
MACHINE = ["l1d.mshr.kind=conventional"]


class HalvedTest(RunTest):
    def setUp(self):
        super().setUp()
        self.here = pathlib.Path(self.folder.name)

    def correlate(self, *arguments):
        return warpmem("correlate", *arguments, cwd=self.here)

    def runs(self, machine):
        labels = [f"{machine}-{name}" for name in SIZES]
        for label, (name, arguments) in zip(labels, SIZES.items()):
            keys = [*MACHINE, f"l2.size={L2[machine]}"]
            self.run_workload(name, keys, label, arguments=arguments)
        return labels

    def result(self, *arguments):
        run = self.correlate(*arguments, "--json", "result.json")
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout, json.loads((self.here / "result.json").read_text())

    def test_halved_l2(self):
        right, half = self.runs("right"), self.runs("half")
        written = self.correlate("--write", "right.csv", *right)
        self.assertEqual(written.returncode, 0, written.stderr)

        _, itself = self.result("right.csv", *right)
        self.assertEqual({row["mean_error"] for row in itself["metrics"]}, {0})
        for row in itself["metrics"]:
            self.assertIn(row["pearson"], (1, None), row["metric"])  # None: one value everywhere
        self.assertEqual({row["pearson"] for row in itself["metrics"] if row["metric"] in (
            "cycles", "ipc", "l1d.hit_rate", "l2.misses", "dram.read_bytes")}, {1})  # fmt: skip
        self.assertFalse(any(one["outlier"] or one["differing"] for one in itself["launches"]))

        text, wrong = self.result("right.csv", *half)
        outliers = [one for one in wrong["launches"] if one["outlier"]]
        self.assertEqual(outliers[0], wrong["launches"][0])
        self.assertGreater(wrong["launches"][0]["values"]["cycles"]["error"], 10)
        for one in outliers:
            first = [counter["metric"] for counter in one["differing"][:3]]
            self.assertIn(first[0], ("l2.misses", "l2.merges", "l2.hit_rate", "dram.reads"))
            self.assertIn("l2.misses", first)
        self.assertRegex(text, r"atax #2 atax_columns: \+[\d.]+ % .*\n    l2\.misses \+")
        worst = max((row for row in wrong["metrics"] if row["error_unit"] == "%"),
                    key=lambda row: row["mean_error"])  # fmt: skip
        self.assertIn(worst["metric"], ("l2.misses", "dram.reads", "dram.read_bytes"))
        work = {"warp_instructions", "loads", "l1d.reads"}  # halving L2 changes none of them
        for row in wrong["metrics"]:
            self.assertTrue(row["mean_error"] == 0 or row["metric"] not in work, row)

        judged = self.correlate("right.csv", *half, "--fail-above", "0.1")
        self.assertEqual(judged.returncode, 1)
        self.assertIn("the mean error of cycles is", judged.stderr)


class CommandTest(RunTest):
    def test_options_reach_the_tool(self):
        here = pathlib.Path(self.folder.name)
        self.run_workload("vectoradd", [], "run", arguments=["2000"])
        for file in ("a.csv", "a.json"):
            self.assertEqual(warpmem("correlate", "--write", file, "run", "--match", "run=vec=add",
                                     cwd=here).returncode, 0)  # fmt: skip
        for arguments, status, message in (
            (["a.csv", "run", "--match", "run=vec=add"], 0, ""),
            (["a.json", "--match=run=vec=add", "--page=p.html", "--title=T & T", "run"], 0, ""),
            (["a.csv", "run"], 2, "run: of vectoradd, which a.csv does not have; it has vec=add"),
            (["a.csv", "run", "--outlier=few"], 2, "--outlier few: not a number"),
            (["a.csv", "run", "--work=many"], 2, "--work many: not a number"),
            (["a.csv", "run", "--fail-above=all"], 2, "--fail-above all: not a number"),
            (["a.csv"], 2, "a reference and at least one run are needed"),
            ([], 2, "FILE is required"),
            (["--", "--not-there.csv", "run"], 2, "--not-there.csv: no such file"),
        ):
            with self.subTest(arguments):
                run = warpmem("correlate", *arguments, cwd=here)
                self.assertEqual(run.returncode, status, run.stdout + run.stderr)
                self.assertIn(message, run.stderr)
        self.assertIn("<title>T &amp; T</title>", (here / "p.html").read_text())

    def test_a_trace_in_place_of_its_program(self):
        """Launches of a trace agree with those of the program that it records."""
        here = pathlib.Path(self.folder.name)
        self.run_workload("vectoradd", [], "run", arguments=["2000"])
        program = ROOT / "workloads" / "vectoradd.cu"
        trace = "vectoradd.wmtrace"
        recorded = warpmem("trace", "convert", program, "-o", trace, "--", 2000, cwd=here)
        self.assertEqual(recorded.returncode, 0, recorded.stderr)
        keys = assignments(SMALL)
        timed = warpmem("run", "-c", CONFIG, *keys, "-o", "trace", trace, cwd=here)
        self.assertEqual(timed.returncode, 0, timed.stderr)
        self.assertEqual(warpmem("correlate", "--write", "a.csv", "run", cwd=here).returncode, 0)
        run = warpmem("correlate", "a.csv", "trace", "--fail-above", "0", cwd=here)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)


if __name__ == "__main__":
    unittest.main()
