# SPDX-License-Identifier: Apache-2.0
"""tools/sensitivity_page.py: what it says of given figures, and that docs/ has what it writes."""
import json
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import sensitivity_page as tool  # noqa: E402


class Point:
    """As sweep_load's, of one run."""

    def __init__(self, workload, labels, ipc, problem=""):
        self.workload = self.shown = workload
        self.labels, self.problem = labels, problem
        self.stats = {"gpu.ipc": ipc}


class Sweep:
    def __init__(self, points):
        self.points = points


def on_paper(gains, problem=""):
    """Two programs with the same gain on each machine; `gains`: machine -> percent."""
    points = []
    for machine in tool.MACHINES:
        for scheme, ipc in (("without", 2.0), ("with", 2.0 + gains.get(machine, 0) / 50)):
            points += [Point(program, {"machine": machine, "scheme": scheme}, ipc, problem)
                       for program in ("a", "b")]
    return Sweep(points)


def today(gains):
    """`gains`: program -> percent with DL; every other idea changes nothing."""
    schemes = {"without": 1.0, "one-bank": 0.5, **{idea: 0.5 for idea in tool.IDEAS}, "cart": 1.0}
    points = []
    for program, gain in gains.items():
        for scheme, ipc in schemes.items():
            more = 1 + gain / 100 if scheme == "dl" else 1
            points.append(Point(program, {"scheme": scheme}, ipc * more))
    return Sweep(points)


def records_of(name, sweep):
    return tool.pairs_of(name, tool.ipc_of(sweep, "x.sqlite"))


class PageTest(unittest.TestCase):
    def test_mean_is_geometric(self):
        self.assertAlmostEqual(tool.mean({"a": [1.0, 4.0], "b": [2.0, 2.0]}), 100.0)
        self.assertEqual(tool.percent(-0.04), "0.0")
        self.assertEqual(tool.percent(0.06), "+0.1")

    def test_the_knob_that_moves_the_gain_most_is_named(self):
        gains = {tool.PUBLISHED: 10, "links / 2": 2, "links x 2": 12, "queue 2": 10, "queue 28": 10,
                 "MSHRs / 2": 15, "MSHRs x 2": 9, "DRAM / 2": 10, "DRAM x 2": 10}
        records = records_of("dl", on_paper(gains))["dl"]
        self.assertEqual(tool.answer("dl", records),
                         "On its paper's machine (`gu-dlmshr`) DL-MSHR gains 10.0 %, and the width "
                         "of the crossbar's links moves that most: +2.0 % with the smaller value, "
                         "+12.0 % with the larger one.")

    def test_a_gain_that_nothing_moves(self):
        records = records_of("dl", on_paper({m: -5 for m in tool.MACHINES}))["dl"]
        self.assertIn("DL-MSHR loses 5.0 %, and none of the four knobs moves that by a point.",
                      tool.answer("dl", records))

    def test_what_pays_today(self):
        records = {**records_of("v100", today({"a": 3, "b": 1}))["dl"],
                   **records_of("h100", today({"a": -8, "b": 9}))["dl"]}
        self.assertEqual(tool.answer("dl", records),
                         "Today it pays on the V100: on a quarter of a V100 it gains 2.0 %, from "
                         "+1.0 % (b) to +3.0 % (a); on a quarter of an H100 it makes no difference "
                         "(+0.1 %), from -8.0 % (a) to +9.0 % (b).")
        other = records_of("v100", today({"a": 3}))["cart"]
        self.assertTrue(tool.answer("cart", other).startswith("Today it does not pay: "))

    def test_a_machine_without_figures_has_no_column(self):
        page = tool.page(records_of("v100", today({"a": 3})))
        self.assertIn("| idea | V100 / 4 |\n", page)
        self.assertIn("| DL-MSHR | +3.0 |\n", page)
        self.assertNotIn("H100 / 4", page)
        self.assertIn("\nThe L1D of one bank by itself: -50.0 % on the V100.\n", page)

    def test_a_run_that_failed_is_said(self):
        with self.assertRaisesRegex(tool.Mistake, "x.sqlite: a, .*: not run yet"):
            tool.ipc_of(on_paper({}, "not run yet"), "x.sqlite")

    def test_the_sweeps_have_the_machines_and_schemes(self):
        folder = ROOT / "experiments/sweeps"
        for name, (_, config, base) in tool.IDEAS.items():
            text = (folder / f"sensitivity-{name}.yaml").read_text()
            self.assertIn(f"configs/{config}.yaml", text)
            for machine in tool.MACHINES:
                self.assertRegex(text, f'\n    "?{machine}"?:')
            for gpu in tool.TODAY:
                text = (folder / f"sensitivity-{gpu}.yaml").read_text()
                self.assertRegex(text, f"\n    {name}:")
                self.assertRegex(text, f"\n    {base}:")

    def test_the_page_is_what_the_tool_writes(self):
        ideas = json.loads((ROOT / "docs/sensitivity.json").read_text())
        self.assertEqual((ROOT / "docs/sensitivity.md").read_text(), tool.page(ideas))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
