#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Area, clock and power of the configured miss handlers, beside the runs that have them."""
import json
import pathlib
import shutil
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "tools" / "report"))
sys.path.insert(0, str(HERE))

import content  # noqa: E402
import costs  # noqa: E402
import load  # noqa: E402
import report  # noqa: E402
from answer_test import Runs, launch  # noqa: E402


def result(kind, area, **more):
    """What `warpmem synth --configured --json` writes."""
    handlers = [
        {
            "level": level,
            "copies": copies,
            "kind": kind,
            "entries": 32,
            "slots": 8,
            "area_um2": area,
            "fmax_mhz": clock,
            "power_mw": 2,
            "by_law": False,
            "keys": {f"{level}.mshr.kind": kind},
        }
        for level, copies, clock in (("l1d", 28, 900), ("l2", 8, 800))
    ]
    return {"handlers": handlers, "library": "osu018", "node_nm": 180, **more}


class Costs(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.made = Runs(self.folder / "runs")
        for kind, cycles in (("conventional", 20000), ("dl", 10000)):
            self.made.add(kind, launch(cycles, issue=8000, ctas=8))
            config = self.made.runs[-1] / "config.yaml"
            lines = "".join(f"{level}:\n  mshr:\n    kind: {kind}\n" for level in ("l1d", "l2"))
            config.write_text(config.read_text() + lines)

    def page(self, *results):
        files = []
        for number, document in enumerate(results):
            files.append(self.folder / f"{number}.json")
            files[-1].write_text(json.dumps(document))
        synths = [load.read_synth(file) for file in files]
        context = content.page(load.read_runs(self.made.runs), synths, "")
        return context, report.render("page.html", context)

    def test_each_run_has_the_result_of_its_configuration(self):
        context, page = self.page(result("dl", 20000), result("conventional", 10000))
        each = "L1D {0} µm² (32 {1} of 8) × 28; L2 {0} µm² (32 {1} of 8) × 8"
        self.assertEqual(
            [(row["name"], row["cells"]) for row in context["costs"]],
            [
                ("conventional", ["0.36 mm²", each.format("10,000", "entries"), "800\u00a0MHz",
                                  "72\u00a0mW", "35.6 a mm²"]),
                ("dl", ["0.72 mm² (+100.0 %)", each.format("20,000", "sets"), "800\u00a0MHz",
                        "72\u00a0mW", "35.6 a mm²"]),
            ],
        )
        self.assertIn("What it costs", page)
        self.assertIn("library osu018 at 180 nm", page)
        self.assertIn("dl: 25.6, 0.72 mm²", page)

    def test_a_run_without_a_result_says_so(self):
        context, _ = self.page(result("conventional", 10000))
        self.assertEqual(context["costs"][1]["cells"][0], "not synthesized")
        self.assertIsNone(context["area_chart"])

    def test_without_results_nothing_is_shown(self):
        _, page = self.page()
        self.assertNotIn("What it costs", page)

    def test_what_does_not_fit_is_refused(self):
        for results, message in (
            ([result("tsma", 1)], "0.json: no run is configured so (l1d tsma and l2 tsma)"),
            ([result("dl", 1), result("dl", 2)], "1.json: dl has another result already"),
            (
                [result("dl", 1), result("conventional", 1, node_nm=45)],
                "different libraries cannot be compared: osu018 at 180 nm and osu018 at 45 nm",
            ),
        ):
            with self.assertRaises(load.ReportError) as raised:
                self.page(*results)
            self.assertIn(message, str(raised.exception))

    def test_power(self):
        self.assertEqual(costs.power_text(12.345), "12.3\u00a0mW")
        self.assertEqual(costs.power_text(2760), "2.76\u00a0W")

    def test_front(self):
        marks = [(1, 5), (2, 4), (3, 7), (3, 6), (4, 7), (5, 9)]
        self.assertEqual(costs.pareto(marks), [(1, 5), (3, 7), (5, 9)])


if __name__ == "__main__":
    unittest.main()
