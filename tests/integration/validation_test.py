# SPDX-License-Identifier: Apache-2.0
"""tools/validation: the page has what the programs give now, and a page that has not is refused."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools/validation/validate.py"
PAGE = ROOT / "docs/validation.md"
QUICK = ["atax", "bfs", "histogram", "transpose", "vectoradd"]


def check(*arguments):
    return subprocess.run(
        [sys.executable, TOOL, "--warpmem", os.environ["WARPMEM"], *arguments, "--check", *QUICK],
        capture_output=True, text=True)


class PageTest(unittest.TestCase):
    def test_some_programs(self):
        result = check()
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_another_figure(self):
        row = next(line for line in PAGE.read_text().splitlines() if line.startswith("| `bfs` |"))
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "validation.md"
            page.write_text(PAGE.read_text().replace(row, row.replace(" : ", "0 : ", 1)))
            result = check("--page", page)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("has other figures than these:\n" + row + "\nWhere", result.stderr)

    def test_unknown_program(self):
        result = subprocess.run(
            [sys.executable, TOOL, "--warpmem", os.environ["WARPMEM"], "--check", "unheard"],
            capture_output=True, text=True)
        self.assertEqual(result.returncode, 1)
        self.assertIn("error: unheard is no workload; allowed: 2dconv, ", result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
