# SPDX-License-Identifier: Apache-2.0
"""tools/validation/silicon.py: the page has what the programs give now, and the machine is what the
microbenchmarks of the card say."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools/validation/silicon.py"
PAGE = ROOT / "docs/silicon.md"
QUICK = ["gemm_wmma", "similarity"]
sys.path.insert(0, str(ROOT / "tools/validation"))
import silicon  # noqa: E402
import silicon_page  # noqa: E402


def check(*arguments):
    return subprocess.run(
        [sys.executable, TOOL, "--warpmem", os.environ["WARPMEM"], *arguments, "--check", *QUICK],
        capture_output=True, text=True)  # fmt: skip


class PageTest(unittest.TestCase):
    def test_some_programs(self):
        result = check()
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_another_figure(self):
        row = next(line for line in PAGE.read_text().splitlines()
                   if line.startswith("| `similarity` |"))  # fmt: skip
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "silicon.md"
            page.write_text(PAGE.read_text().replace(row, row.replace(" % |", "0 % |", 1)))
            result = check("--page", page)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("has other figures than these:\n" + row + "\nWhere", result.stderr)

    def test_programs_that_are_too_large(self):
        """They are named, and all others are there."""
        page = PAGE.read_text()
        for size in silicon.sizes():
            for program, arguments in size.arguments.items():
                with self.subTest(program, size=size.name):
                    self.assertIn(f"| `{program}` | {arguments} |", page)
            for program in size.too_long:
                self.assertRegex(page, rf"Not run, as [^|]*`{program}`")


class CalibrationTest(unittest.TestCase):
    def test_rates_of_the_card(self):
        """1056 blocks of 256 threads and 8 loads of 4 B: 96 rounds more in 90912 ns."""
        self.assertAlmostEqual(silicon_page.card_rates()["read_l2"],
                               96 * 1056 * 256 * 8 * 4 / 90912)  # fmt: skip

    def test_the_machine_is_near_its_microbenchmarks(self):
        implied = silicon.implied(os.environ["WARPMEM"])
        rates = silicon_page.card_rates()
        for row in silicon_page.card_rows():
            figure = next((f for _, f, p in silicon_page.FIGURES if p == row["program"]), None)
            if figure is None or figure == "write.1":  # what limits these is not modelled
                continue
            card = rates.get(row["program"], float(row["measured"]))
            with self.subTest(figure):
                # An atomic unit takes whole cycles.
                self.assertAlmostEqual(implied[figure][0] / card, 1, delta=0.1)
                if implied[figure][1] == "cycles":
                    self.assertAlmostEqual(implied[figure][0] / card, 1, delta=0.01)


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
