#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Curves of a sweep over numbers: their order, their knees, and the mean over the area."""
import json
import pathlib
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "tools" / "report"))
sys.path.insert(0, str(HERE))

import knees  # noqa: E402
import sweep_lines  # noqa: E402
from costs_test import result  # noqa: E402
from reading import ReportError  # noqa: E402
from sweep_figures import Figure  # noqa: E402


class Point:
    def __init__(self, workload, label, value, config=None):
        self.workload = self.shown = workload
        self.labels, self.stats, self.config = {"n": label}, {"gpu.ipc": value}, config or {}
        self.problem = ""


class Sweep:
    classes, class_word = {}, ""


def figure(values, metric="gpu.ipc", configs=None):
    """`values`: workload -> {label: value}."""
    points = [
        Point(workload, label, value, (configs or {}).get(label))
        for workload, row in values.items()
        for label, value in row.items()
    ]
    labels = list(next(iter(values.values())))
    return Figure(Sweep(), metric, "n", labels[0], points, labels), points


class Lines(unittest.TestCase):
    def test_numbers(self):
        for label, value in (("8", 8), ("16 KiB", 16384), ("1.5 GHz", 1.5e9), ("2x", 2),
                             ("12 ns", 12), ("800 kHz", 8e5), ("40 ck", 40)):
            self.assertEqual(sweep_lines.number_of(label), value)
        for label in ("dl", "8xE", "1.2.3", "", ".", "8 apples"):
            self.assertIsNone(sweep_lines.number_of(label))

    def test_only_axes_of_numbers_have_curves(self):
        self.assertEqual(sweep_lines.curves(figure({"a": {"x": 1, "y": 2, "z": 3}})[0], "n"), [])
        self.assertEqual(sweep_lines.curves(figure({"a": {"1": 1, "2": 2}})[0], "n"), [])

    def test_answer(self):
        answer = {"metric": "gpu.ipc", "within": 0.1, "knee": "16",
                  "workloads": [{"workload": "a", "knee": "8"}, {"workload": "b", "knee": "16"}]}
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "answer.json"
            file.write_text(json.dumps(answer))
            found = knees.read(file)
            self.assertEqual((found.within, found.labels, found.of_all),
                             (0.1, {"a": "8", "b": "16"}, "16"))
            for other in ({"question": "pareto"}, {**answer, "workloads": 3}):
                file.write_text(json.dumps(other))
                with self.assertRaisesRegex(ReportError, "no answer of 'warpmem explore --knee'"):
                    knees.read(file)

    def test_one_plot_a_workload_and_the_mean_first(self):
        values = {"bfs": {"8": 1, "32": 4, "16": 2}, "srad": {"8": 2, "32": 2, "16": 2}}
        told = knees.Knees("gpu.ipc", 0.05, {"bfs": "32", "srad": "8"}, "32")
        found = sweep_lines.curves(figure(values)[0], "n", told)
        self.assertEqual([f["name"] for f in found], ["geomean", "bfs", "srad"])
        self.assertEqual([f["note"] for f in found],
                         ["knee at 32, 2.000×", "knee at 32, 4.000×", "knee at 8, 1.000×"])
        self.assertIn("srad, n 8: 1 (the knee)", found[2]["svg"])
        svg = found[1]["svg"]
        self.assertIn("bfs, n 32: 4 (the knee)", svg)
        places = [svg.index(f"bfs, n {label}:") for label in ("8", "16", "32")]
        self.assertEqual(places, sorted(places))  # by value, not in the order of the file
        self.assertIn(">4<", found[2]["svg"])  # the axis of the highest plot

    def test_no_knee_but_of_what_was_asked(self):
        plain, _ = figure({"a": {"1": 1, "2": 2, "4": 4}})
        told = knees.Knees("gpu.cycles", 0.05, {"a": "2"}, "2")
        for found in (sweep_lines.curves(plain, "n"), sweep_lines.curves(plain, "n", told)):
            self.assertEqual([f["note"] for f in found], ["", ""])
            self.assertNotIn("(the knee)", found[1]["svg"])

    def test_verdict(self):
        numbers = {"a": {"8": 1, "16": 1.95, "32": 2}, "b": {"8": 1, "16": 1.95, "32": 2}}
        self.assertEqual(
            sweep_lines.verdict(figure(numbers)[0], "n"),
            ("32", " is the best of n: 2.000× the gpu.ipc of 8, geometric mean of 2 workloads; "
             "first in 2 of them, worst in a (2.000×)."),
        )
        names = {"a": {"old": 1, "new": 4}, "b": {"old": 2, "new": 1}}
        self.assertEqual(
            sweep_lines.verdict(figure(names)[0], "n"),
            ("new", " is the best of n: 1.414× the gpu.ipc of old, geometric mean of 2 workloads; "
             "first in 1 of them, worst in b (0.500×)."),
        )
        names = {"a": {"old": 2, "new": 1}}
        self.assertEqual(
            sweep_lines.verdict(figure(names)[0], "n"),
            ("old", " is the best of n: no other has a higher gpu.ipc, geometric mean of 1 "
             "workloads."),
        )
        fails = figure(names, "l1d.hit_rate")[0]
        self.assertIsNone(sweep_lines.verdict(fails, "n"))

    def test_mean_over_area(self):
        configs = {
            label: {f"{level}.mshr.kind": label for level in ("l1d", "l2")}
            for label in ("conventional", "dl", "set_associative")
        }
        values = {"a": {"conventional": 1, "dl": 2, "set_associative": 3}}
        fig, points = figure(values, configs=configs)
        documents = [result("conventional", 1000), result("dl", 3000)]
        chart = sweep_lines.over_area(fig, points, "n", documents)
        self.assertIn("dl: 2, 0.108 mm²", chart["svg"])
        self.assertNotIn("set_associative", chart["svg"])
        self.assertIsNone(sweep_lines.over_area(fig, points, "n", documents[:1]))


if __name__ == "__main__":
    unittest.main()
