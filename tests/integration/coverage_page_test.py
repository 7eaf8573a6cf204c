# SPDX-License-Identifier: Apache-2.0
"""The page of a unit's coverage says what the lockstep runs say: counts at every size, steps from
state to state, lines and toggles of the RTL, and what was never met."""

import html
import json
import pathlib
import sys
import tempfile
import unittest

from whole_runs import ROOT, warpmem

sys.path.insert(0, str(pathlib.Path(__file__).parent / "report"))
from report_test import Checker  # noqa: E402


def first_unit():
    """The one of which examples/own-unit has variants."""
    return warpmem("cosim", "none").stderr.partition("units: ")[2].split(", ")[0]


class CoveragePageTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def page(self, *arguments, status=0):
        """Returns (page, its text, result of --json)."""
        page, result = self.folder / "page.html", self.folder / "result.json"
        run = warpmem("cosim", *arguments, "--seed", 1, "--coverage-page", page, "--json", result)
        self.assertEqual(run.returncode, status, run.stdout + run.stderr)
        checker = Checker()
        checker.feed(page.read_text())
        checker.close()
        self.assertEqual((checker.open, checker.sources), ([], []))
        return page.read_text(), " ".join(" ".join(checker.text).split()), json.loads(
            result.read_text())  # fmt: skip

    def test_counts(self):
        page, text, result = self.page("htsma_steer", "--cycles", 3000)
        self.assertTrue("Views agree at 8 sizes" in text)
        self.assertTrue("0 never met" in text)
        for what, count in result["coverage"].items():
            shown = [f"{run['coverage'].get(what, 0):,}" for run in [result, *result["corners"]]]
            row = f"{what} " + " ".join("–" if count == "0" else count for count in shown)
            self.assertTrue(row in text)
        lines = result["rtl_coverage"]["lines"]
        shown = f"Lines of the RTL 100.00 % {lines['covered']} of {lines['points']}"
        self.assertTrue(shown in text)
        self.assertTrue("shared_count_i: all 4 bits changed" in text)
        self.assertFalse('class="bad' in page or ' bad"' in page)

    def test_never_met(self):
        """A few cycles leave steps from state to state, lines and bits, which stand out."""
        page, text, result = self.page(first_unit(), "--sets", 16, "--slots", 2, "--reserved", 4,
                                       "--no-directed", "--cycles", 12)  # fmt: skip
        never = [what for what, count in result["transitions"].items() if count == 0]
        self.assertTrue(never)
        for what in never:
            self.assertTrue(f'class="n bad" title="{html.escape(what)}">0</td>' in page, what)
        self.assertTrue("From the state of the row to that of the column" in text)
        covered = result["rtl_coverage"]["toggles"]
        self.assertLess(covered["percent"], 100)
        shown = f"{covered['percent']:.2f} % {covered['covered']} of {covered['points']}"
        self.assertTrue(shown in text)
        self.assertTrue('<tr class="bad">' in page and "; never: " in text)

    def test_own_rtl(self):
        """The page of a user's own RTL names his files; where views differ, it says so."""
        own = ROOT / "examples" / "own-unit"
        shared = next(own.glob("own_*.sv"))
        for top, status in (("links_highest", 0), ("illegal", 3)):
            folder = next(own.glob(f"*_{top}"))
            page, text, _ = self.page(first_unit(), "--rtl", shared, "--rtl", folder,
                                      "--sets", 16, "--slots", 2, "--reserved", 8,
                                      "--cycles", 3000, status=status)  # fmt: skip
            self.assertEqual('<div class="big bad">differs</div>' in page, status != 0)
            self.assertEqual(f" {shared} " in text, status == 0)  # else the run is cut short
            self.assertFalse("rtl/.." in text)

    def test_refused(self):
        run = warpmem("cosim", "laws", "--coverage-page", self.folder / "page.html")
        self.assertEqual(run.returncode, 2)
        self.assertIn("--coverage-page is for one unit; laws are several", run.stderr)
        for option in ("--coverage-page", "--toggles"):
            file = self.folder / "file"
            run = warpmem("cosim", "htsma_steer", "--no-code-coverage", option, file)
            self.assertEqual(run.returncode, 2)
            self.assertIn(f"--no-code-coverage excludes {option}", run.stderr)


if __name__ == "__main__":
    unittest.main()
