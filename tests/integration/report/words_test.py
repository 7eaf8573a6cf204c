#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What `warpmem report` prints: the answer of its page, where the time of each kernel goes, and the
life of the request that the page draws."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
REPORT = HERE.parents[2] / "tools" / "report" / "report.py"
sys.path.insert(0, str(HERE))

from answer_test import Runs, launch  # noqa: E402
from inside_test import instructions  # noqa: E402


class WordsTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.made = Runs(self.folder / "runs")

    def report(self, output="page.html", status=0, to=subprocess.PIPE):
        result = subprocess.run(
            [sys.executable, REPORT, *self.made.runs, "-o", output], cwd=self.folder, stdout=to,
            stderr=subprocess.PIPE, text=True)
        self.assertEqual(result.returncode, status, result.stderr)
        return result

    def test_two_runs(self):
        self.made.add("slow", launch(2000, issue=1000), launch(500, issue=1000))
        self.made.add("fast", launch(1000, issue=1000), launch(500, issue=1000))
        lines = self.report().stdout.splitlines()
        self.assertIn("fast is the fastest: 1,500 cycles", lines[0])
        kernels = [line for line in lines if line.startswith("kernel ")]
        self.assertEqual([line.split(":")[0] for line in kernels],
                         ["kernel k0 in slow", "kernel k0 in fast", "kernel k1 in slow",
                          "kernel k1 in fast"])
        # An SM issues in 250 of the 1000 cycles, and waits in the others.
        self.assertIn("1,000 cycles: 37.5 % waits for loads at L2, 37.5 % waits for loads at DRAM, "
                      "25.0 % issues an instruction", kernels[1])
        page = (self.folder / "page.html").read_text()
        self.assertIn(lines[0].removeprefix("fast"), page)

    def test_kernels_that_ran_together_are_all_named(self):
        names = ["a(int*) + b(float*, int) + a(int*)", "a(int*) + a(int*)",
                 "(anonymous namespace)::hidden(int*)", "void t<(1 + 2), int>(void (*)(int))", "k"]
        self.made.add("one", *[launch(1000, issue=1000) for _ in names])
        stats = self.made.runs[0] / "stats.json"
        document = json.loads(stats.read_text())
        for kernel, name in zip(document["kernels"], names):
            kernel["name"] = name
        stats.write_text(json.dumps(document))
        lines = self.report().stdout.splitlines()
        told = [line.rpartition(": 1,000 cycles")[0] for line in lines if "1,000 cycles" in line]
        self.assertEqual(told, ["kernel a + b + a", "kernel a + a",
                                "kernel (anonymous namespace)::hidden",
                                "kernel void t<(1 + 2), int>", "kernel k"])

    def test_a_life(self):
        self.made.add("one", launch(1000, issue=1000))
        document = instructions()
        one = document["kernels"][0]["instructions"][0]
        one["slowest"]["parts"] = [{"name": "coalescer", "fs": 2_000_000},
                                   {"name": "dram_service", "fs": 7_500_000}]
        (self.made.runs[0] / "instructions.json").write_text(json.dumps(document))
        lines = self.report().stdout.splitlines()
        self.assertTrue(any(line.startswith("one: the slowest request of ld.global.f32, line ")
                            and line.endswith(": coalescer 2.0 ns, DRAM service 7.5 ns")
                            for line in lines), lines)

    def test_only_the_page_goes_where_the_page_goes(self):
        self.made.add("one", launch(1000, issue=1000))
        text = self.report("/dev/stdout").stdout
        self.assertTrue(text.rstrip().endswith("</html>"))
        with open("/dev/full", "w") as full:
            said = self.report(status=2, to=full).stderr
        self.assertIn("standard output: cannot be written", said)


if __name__ == "__main__":
    unittest.main()
