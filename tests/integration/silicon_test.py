# SPDX-License-Identifier: Apache-2.0
"""tools/validation/silicon.py: the page has what the programs give now, and each machine is what
the microbenchmarks of its card say."""

import os
import pathlib
import sys
import tempfile
import unittest

import page_check

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/silicon.md"
QUICK = ["gemm_wmma", "similarity"]
sys.path.insert(0, str(ROOT / "tools/validation"))
import silicon  # noqa: E402
import silicon_page  # noqa: E402


def check(*arguments):
    return page_check.check("silicon.py", QUICK, *arguments)


class PageTest(unittest.TestCase):
    def test_some_programs(self):
        result = check()
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_another_figure(self):
        """A row of one machine is not taken for that of the other."""
        rows = [line for line in PAGE.read_text().splitlines()
                if line.startswith("| `similarity` |")]  # fmt: skip
        self.assertEqual(len(set(rows)), 2)
        for card, row in zip(silicon_page.CARDS, rows):
            with self.subTest(card.machine), tempfile.TemporaryDirectory() as folder:
                page = pathlib.Path(folder) / "silicon.md"
                other = next(one for one in rows if one != row)
                page.write_text(PAGE.read_text().replace(row, other))
                result = check("--page", page, "--card", card.machine)
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertIn("has other figures than these:\n" + row + "\nWhere", result.stderr)

    def test_a_page_without_a_machine(self):
        text = PAGE.read_text()
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "silicon.md"
            page.write_text(text[: text.index("## H100")])
            result = check("--page", page)
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"{page} has no section on h100", result.stderr)

    def test_what_is_not_run_stays(self):
        """Both sections are as the page has them when none of them is written anew."""
        text = PAGE.read_text()
        self.assertEqual(silicon_page.text(silicon_page.sections(text)), text)

    def test_notes_are_said_once(self):
        self.assertEqual(silicon_page.said_once(["a; b", "c", "a", "c", "ab"]), ["a; b", "c", "ab"])
        for section in silicon_page.sections(PAGE.read_text()).values():
            self.assertEqual("\n".join(section).count("caches are empty"), 1)

    def test_programs_that_are_too_large(self):
        """They are named, and all others are there."""
        sections = silicon_page.sections(PAGE.read_text())
        for card in silicon_page.CARDS:
            page = "\n".join(sections[card.machine])
            for size in silicon.sizes(card):
                for program, arguments in size.arguments.items():
                    with self.subTest(program, card=card.machine, size=size.name):
                        self.assertIn(f"| `{program}` | {arguments} |", page)
                for program in size.too_long:
                    self.assertRegex(page, rf"Not run, as [^|]*`{program}`")

    def test_the_programs_of_both_cards_are_the_same(self):
        first, second = ({(size.name, *row) for size in silicon.sizes(card)[:2]
                          for row in size.arguments.items()}
                         for card in silicon_page.CARDS)  # fmt: skip
        self.assertEqual(first, second)


class CalibrationTest(unittest.TestCase):
    def test_rates_of_the_card(self):
        """1056 blocks of 256 threads and 8 loads of 4 B: 96 rounds more in 90912 ns."""
        self.assertAlmostEqual(silicon_page.card_rates(silicon_page.CARDS[0])["read_l2"],
                               96 * 1056 * 256 * 8 * 4 / 90912)  # fmt: skip

    def test_the_machine_is_near_its_microbenchmarks(self):
        for card in silicon_page.CARDS:
            implied = silicon.implied(card, os.environ["WARPMEM"])
            rates = silicon_page.card_rates(card)
            for row in silicon_page.card_rows(card):
                figure = next((f for _, f, p in silicon_page.FIGURES if p == row["program"]), None)
                if figure is None or figure == "write.1":  # what limits these is not modelled
                    continue
                measured = rates.get(row["program"], float(row["measured"]))
                with self.subTest(figure, card=card.machine):
                    # An atomic unit takes whole cycles.
                    self.assertAlmostEqual(implied[figure][0] / measured, 1, delta=0.1)
                    if implied[figure][1] == "cycles":
                        self.assertAlmostEqual(implied[figure][0] / measured, 1, delta=0.01)

    def test_loads_of_several_lines(self):
        card = silicon_page.CARDS[0]
        rows = {row["program"]: row for row in silicon_page.card_rows(card)}
        for program in ("gather_8", "gather_32", "meeting_4", "meeting_32"):
            with self.subTest(program), tempfile.TemporaryDirectory() as folder:
                ours = silicon.measured_figure(card, os.environ["WARPMEM"], program,
                                               rows[program]["arguments"],
                                               pathlib.Path(folder) / "run")  # fmt: skip
                self.assertAlmostEqual(ours / float(rows[program]["measured"]), 1, delta=0.1)

    def test_memory_of_the_host(self):
        """Fewer bytes than on the card, so that the launch counts more."""
        arguments = {"chase_host": "host 96 4224", "host_lines": "lines 524288 1 528",
                     "host_writes": "writes 524288 1 528"}  # fmt: skip
        card = next(card for card in silicon_page.CARDS if card.machine == "h100")
        theirs = {row["program"]: float(row["measured"]) for row in silicon_page.card_rows(card)}
        for program, words in arguments.items():
            with self.subTest(program), tempfile.TemporaryDirectory() as folder:
                ours = silicon.measured_figure(card, os.environ["WARPMEM"], program, words,
                                           pathlib.Path(folder) / "run")  # fmt: skip
                delta = 0.02 if program == "chase_host" else 0.1
                self.assertAlmostEqual(ours / theirs[program], 1, delta=delta)


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
