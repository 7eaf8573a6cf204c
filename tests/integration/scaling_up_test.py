# SPDX-License-Identifier: Apache-2.0
"""tools/scaling_up.py: it measures, and writes into the part of the page that is its own."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import scaling_up  # noqa: E402

TOOL = ROOT / "tools/scaling_up.py"
PAGE = ROOT / "docs/scaling-up.md"


class ScalingUpTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.page = pathlib.Path(folder.name) / "page.md"

    def measure(self, *arguments):
        return subprocess.run(
            [sys.executable, TOOL, "--warpmem", os.environ["WARPMEM"], *arguments, self.page],
            capture_output=True, text=True)

    def test_tiny(self):
        self.page.write_text("before\n<!-- measured -->\nold\n<!-- end of what is measured -->\n"
                             "after\n")
        result = self.measure("--sms", "1,16", "--lengths", "1000,100000", "--points", "2")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        text = self.page.read_text()
        self.assertTrue(text.startswith("before\n<!-- measured -->\n## A larger machine\n"))
        self.assertTrue(text.endswith("<!-- end of what is measured -->\nafter\n"))
        self.assertNotIn("old", text)
        number = r"[\d.]+"
        for name in ("vectoradd", "spmv", "blackscholes"):
            for sms in (1, 16):  # memory comes in pieces of 2 MiB
                self.assertRegex(text, rf"\| {name}: [\w ,]+ \| {sms} \|( {number} \|){{7}}\n")
        self.assertRegex(text, rf"\| 1000000000 \| {number} \| {number} \| extrapolated")
        self.assertRegex(text, rf"An SM of 64 warps, .* takes {number} KiB")
        self.assertRegex(text, r"\| 10.0 s \| 27.8 h \| 104 min \| 100 s \|")
        # The page of the documentation has the same tables.
        headings = [line for line in text.splitlines() if line.startswith(("## ", "| program"))]
        for line in headings:
            self.assertIn(line + "\n", PAGE.read_text())

    def test_the_line_through_the_longest_runs(self):
        runs = [{"warp_instructions": count, "cpu_seconds": 0.1 + count / 1e6}
                for count in (1000, 10_000, 100_000)]
        self.assertAlmostEqual(scaling_up.extrapolated(runs, "cpu_seconds"), 1000.1)
        runs[-1]["cpu_seconds"] = 0.1
        with self.assertRaisesRegex(SystemExit, "further apart"):
            scaling_up.extrapolated(runs, "cpu_seconds")

    def test_one_length_is_no_line(self):
        result = self.measure("--lengths", "1000")
        self.assertEqual(result.returncode, 2)
        self.assertIn("--lengths: two at least", result.stderr)

    def test_a_page_without_its_place(self):
        self.page.write_text("nothing\n")
        result = self.measure()
        self.assertEqual(result.returncode, 1)
        self.assertIn("<!-- measured --> and <!-- end of what is measured --> are needed",
                      result.stderr)
        self.assertEqual(self.page.read_text(), "nothing\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
