# SPDX-License-Identifier: Apache-2.0
"""What others counted beside runs: `reference:` of an experiment, on the terminal and on the page
of results, and `warpmem report --reference` of runs and of a sweep."""

import json
import pathlib
import re
import unittest

from whole_runs import CONFIG, RunTest, assignments, compiled, warpmem

MACHINE = ["sm.count=2", "memory.partitions=2", "l1d.mshr.kind=conventional"]
SIZES = {"vectoradd": ["3000"], "atax": ["64"]}
EXPERIMENT = """experiment:
  id: T1
  source: nowhere
  title: Beside another machine
  measure: {{metric: gpu.ipc, as: gain, over: {{scheme: base}}}}
  rows:
    - {{name: slow, point: {{scheme: slow}}, published: [-100, 0]}}
  reference: {{file: {file}, point: {{scheme: {scheme}}}}}
base: {config}
set: {{sm.count: 2, memory.partitions: 2, l1d.mshr.kind: conventional}}
axes:
  scheme:
    base: {{}}
    slow: {{noc.latency: 300}}
workloads:
  - {{file: {vectoradd}, args: "3000"}}
  - {{file: {atax}, args: "64"}}
  - {{file: {other}, args: "2000"}}
"""


class ReferenceTest(RunTest):
    def setUp(self):
        super().setUp()
        self.here = pathlib.Path(self.folder.name)
        self.cycles = {name: self.cycles_of(name, [], name) for name in SIZES}
        written = self.call("correlate", "--write", "ref.csv", *SIZES)
        self.assertEqual(written.returncode, 0, written.stderr)

    def call(self, *arguments):
        return warpmem(*arguments, cwd=self.here)

    def cycles_of(self, name, keys, folder):
        run = self.call("run", "-c", CONFIG, *assignments([*MACHINE, *keys]), "-o", folder,
                        compiled(name), "--", *SIZES[name])  # fmt: skip
        self.assertEqual(run.returncode, 0, run.stderr)
        stats = json.loads((self.here / folder / "stats.json").read_text())
        return stats["total"]["stats"]["gpu.cycles"]

    def reproduce(self, *arguments, scheme="base", file="ref.csv"):
        (self.here / "t1.yaml").write_text(EXPERIMENT.format(
            scheme=scheme, file=file, config=CONFIG, other=compiled("reduction"),
            **{name: compiled(name) for name in SIZES}))  # fmt: skip
        return self.call("reproduce", "t1.yaml", "-o", "db", *arguments)

    def record(self):
        return json.loads((self.here / "docs/results/T1.json").read_text())["reference"]

    def test_an_experiment_beside_its_reference(self):
        same = self.reproduce("--page", "docs")
        self.assertEqual(same.returncode, 0, same.stdout + same.stderr)
        self.assertIn("beside ", same.stdout)
        self.assertIn("Not in the reference: reduction.", same.stdout)
        found = self.record()
        self.assertEqual({row["mean_error"] for row in found["metrics"]}, {0})
        self.assertEqual({row["workload"]: row["reference"] for row in found["workloads"]},
                         self.cycles)

        slow = self.reproduce("--page", "docs", scheme="slow")
        self.assertEqual(slow.returncode, 0, slow.stdout + slow.stderr)
        page = (self.here / "docs/results.md").read_text()
        errors = []
        for row in self.record()["workloads"]:
            name = row["workload"]
            ours = self.cycles_of(name, ["noc.latency=300"], f"slow-{name}")
            error = 100 * (ours / self.cycles[name] - 1)
            self.assertAlmostEqual(row["error"], error, places=5)
            self.assertGreater(error, 5)
            line = f"{name} {ours} {self.cycles[name]} {error:+.1f} %"
            self.assertIn(line, re.sub(" +", " ", slow.stdout))
            self.assertIn(f"| {name} | {ours} | {self.cycles[name]} | {error:+.1f} % |\n", page)
            errors.append(error)
        self.assertEqual(len(errors), 2)
        self.assertIn(f"ref.csv (warpmem CSV) at scheme slow. Mean errors: cycles "
                      f"{sum(errors) / 2:.1f} %", page)

        report = self.call("report", "db/T1.sqlite", "--reference", "ref.csv", "-o", "sweep.html")
        self.assertEqual(report.returncode, 0, report.stderr)
        html = (self.here / "sweep.html").read_text()
        self.assertIn('<h2 id="reference">', html)
        self.assertIn('<span class="delta">+0.0 %</span>', html)
        self.assertIn(f'<span class="delta">{errors[0]:+.1f} %</span>', html)

    def test_runs_beside_a_reference(self):
        slow = self.cycles_of("atax", ["noc.latency=300"], "slow")
        report = self.call("report", "atax", "slow", "--reference", "ref.csv", "-o", "runs.html")
        self.assertEqual(report.returncode, 0, report.stderr)
        html = (self.here / "runs.html").read_text()
        error = f"{100 * (slow / self.cycles['atax'] - 1):+.1f} %"
        row = re.search(r'<tr><td>cycles .*?</tr>', html)[0]
        self.assertIn(f'<td class="n">{self.cycles["atax"]:,}</td>', row)
        self.assertIn('<span class="delta">+0.0 %</span>', row)
        self.assertIn(f'<span class="delta">{error}</span>', row)
        plain = self.call("report", "atax", "-o", "plain.html")
        self.assertEqual(plain.returncode, 0, plain.stderr)
        self.assertNotIn('id="reference"', (self.here / "plain.html").read_text())

    def test_mistakes_are_said_before_anything_runs(self):
        for wrong, text in (({"file": "none.csv"}, "reference: no such file: "),
                            ({"scheme": "fast"}, "no point of the sweep has scheme fast")):
            result = self.reproduce(**wrong)
            self.assertEqual(result.returncode, 2)
            self.assertIn(text, result.stderr)
            self.assertFalse((self.here / "db").exists())
        (self.here / "other.csv").write_text("program,kernel,launch,cycles [cycles]\nbfs,k,1,5\n")
        result = self.call("report", "atax", "--reference", "other.csv", "-o", "none.html")
        self.assertEqual(result.returncode, 2)
        self.assertIn("atax: of atax, which the reference does not have; it has bfs", result.stderr)
        result = self.reproduce(file="other.csv")
        self.assertEqual(result.returncode, 2)
        self.assertIn("none of the sweep's workloads is in it", result.stderr)


if __name__ == "__main__":
    unittest.main()
