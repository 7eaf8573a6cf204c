# SPDX-License-Identifier: Apache-2.0
"""tools/validation: the page has what the programs give now, and a page that has not is refused."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import types
import unittest

import page_check

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/validation.md"
QUICK = ["atax", "bfs", "histogram", "stencil", "transpose", "vectoradd"]
CAPACITY = ("l2.hit_rate", "dram.read_bytes", "dram.write_bytes")  # what half an L2 changes


def check(*arguments, programs=QUICK):
    return page_check.check("validate.py", programs, *arguments)


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

    def test_half_of_l2(self):
        # Beside another simulator, too, correlate names the counters of what is wrong.
        config = ROOT / "tools/validation/machines/gu-dlmshr.yaml"
        reference = ROOT / "tools/validation/data/gu-dlmshr.csv"
        warpmem = os.environ["WARPMEM"]
        differing = {}
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            for machine, size in [("right", "128 KiB"), ("half", "64 KiB")]:
                subprocess.run(
                    [warpmem, "run", "-c", config, "--set", f"l2.size={size}", "--set",
                     "check_data=false", "-o", folder / machine, ROOT / "workloads/stencil.cu",
                     "--", "48", "48", "2"], check=True, capture_output=True)  # fmt: skip
                subprocess.run(
                    [warpmem, "correlate", reference, folder / machine, "--match",
                     f"{folder / machine}=stencil", "--json", folder / "result.json"],
                    check=True, capture_output=True)  # fmt: skip
                result = json.loads((folder / "result.json").read_text())
                second = next(one for one in result["launches"] if one["launch"] == 2)
                differing[machine] = [one["metric"] for one in second["differing"]]
                self.assertEqual(second["outlier"], machine == "half")
        self.assertEqual(set(differing["half"][:3]), set(CAPACITY))
        self.assertFalse(set(differing["right"]) & {"l2.hit_rate", "dram.read_bytes"}, differing)

    def test_runs_that_show_a_rule(self):
        sys.path.insert(0, str(page_check.TOOLS))
        import validation_page

        machine = types.SimpleNamespace(name="m", cycles=lambda program: (10, 20, -50))
        rule = {"machine": "m", "program": "p"}

        def sentence(cycles, **changes):
            return validation_page.shown_by({**rule, **changes}, [machine], {"p": ["7"]}, cycles)

        self.assertEqual(
            sentence((11, None), keys=["a=1", "b=2"]),
            "`p 7` on `m` takes warpmem 10 cycles, with `a=1`, `b=2` 11; Accel-Sim 20 cycles.")
        self.assertEqual(
            sentence((None, 21), options=["-c 3"]),
            "`p 7` on `m` takes warpmem 10 cycles; Accel-Sim 20 cycles, with `-c 3` 21.")
        self.assertEqual(
            sentence((11, 21), keys=["a=1"], options=["-c 3"]),
            "`p 7` on `m` takes warpmem 10 cycles, with `a=1` 11; Accel-Sim 20 cycles, with "
            "`-c 3` 21.")

    def test_unknown_program(self):
        result = check(programs=["unheard"])
        self.assertEqual(result.returncode, 1)
        self.assertIn("error: unheard is no workload; allowed: 2dconv, ", result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
