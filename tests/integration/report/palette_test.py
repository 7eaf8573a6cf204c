#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The colours of the report: told apart by everyone, also without one sort of cones."""
import itertools
import pathlib
import re
import sys
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[3] / "tools" / "report"
sys.path.insert(0, str(TOOL))

import figures  # noqa: E402
import stack  # noqa: E402
import values  # noqa: E402
from colour_vision import VISION, contrast, distance  # noqa: E402

# Distances in OKLab times 100. Two paints side by side look different from 2 on; a legend, which is
# compared from memory, wants several times that.
ANY_TWO = 7
NEIGHBOURS = 12
TEXT = 4.5  # contrast ratio of WCAG 2, level AA
LINE = 1.7  # thin shapes stand out from the page; their values are in tooltips and tables as well


def variables(block):
    return dict(re.findall(r"(--[\w-]+): (#[0-9a-f]{6})", block))


class Palette(unittest.TestCase):
    def setUp(self):
        style = (TOOL / "style.css").read_text()
        roots = re.findall(r":root \{(.*?)\}", style, re.S)
        self.light = variables(roots[0])
        self.dark = {**self.light, **variables(roots[1])}

    def least(self, pairs):
        return min(
            (distance(self.light[a], self.light[b], vision), vision, a, b)
            for a, b in pairs
            for vision in VISION
        )

    def check(self, names, least):
        found = self.least(names)
        self.assertGreaterEqual(found[0], least, found)

    def test_the_measure_itself(self):
        self.assertLess(distance("#336699", "#336699", "full"), 1e-6)
        self.assertAlmostEqual(contrast("#000000", "#ffffff"), 21)
        # A red and a green that a deuteranope takes for one colour.
        self.assertGreater(distance("#c05050", "#708030", "full"), 10)
        self.assertLess(distance("#c05050", "#708030", "deuteranopia"), 7)

    def test_runs(self):
        names = values.RUN_COLOURS
        self.check(list(itertools.combinations(names, 2)), ANY_TWO)
        self.check(list(itertools.pairwise(names)), NEIGHBOURS)

    def test_causes_of_refusals(self):
        names = [colour for colour, _ in values.CAUSES.values()]
        self.check(list(itertools.combinations(names, 2)), ANY_TWO)

    def test_cycle_stack(self):
        names = [colour for key, colour, _ in stack.PARTS if key != "memory"]
        self.assertEqual(len(set(names)), len(names))
        self.check(list(itertools.combinations(names, 2)), ANY_TWO)
        self.check(list(itertools.pairwise(names)), NEIGHBOURS)

    def test_stages_of_a_load(self):
        names = list(figures.STAGE_COLOURS.values())
        self.assertEqual(len(set(names)), len(names))
        self.check(list(itertools.combinations(names, 2)), ANY_TWO)
        self.check(list(itertools.pairwise(names)), NEIGHBOURS)

    def test_contrast(self):
        for theme in (self.light, self.dark):
            for ink in ("--ink", "--soft", "--good", "--bad", "--link"):
                for paper in ("--paper", "--sheet"):
                    self.assertGreaterEqual(contrast(theme[ink], theme[paper]), TEXT, (ink, paper))
            self.assertGreaterEqual(contrast(theme["--ink"], theme["--mark"]), TEXT)
            for line in values.RUN_COLOURS:
                self.assertGreaterEqual(contrast(theme[line], theme["--paper"]), LINE, line)


if __name__ == "__main__":
    unittest.main()
