# SPDX-License-Identifier: Apache-2.0
"""tools/machines_page.py: a small machine measures what its configuration implies, the bounds are
those of the page, and the published figures are of known figures and sources."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import machines_page  # noqa: E402

# The 64 loads that an SM has under way, none of them refused, are too few for a longer latency of
# DRAM, and with more warps they meet L1D sets whose lines are all reserved.
SMALL = ["sm.count=2", "memory.partitions=2", "l2.size=512 KiB", "dram.min_latency=50"]
FIGURES = ["latency.l1d", "latency.l2", "latency.row_hit", "latency.row_miss", "read.l1d",
           "read.l2", "read.dram", "write.4"]


def tool(*arguments):
    keys = [f"--set={key}" for key in SMALL]
    return subprocess.run(
        [sys.executable, ROOT / "tools/machines_page.py", "--warpmem", os.environ["WARPMEM"], *keys,
         "--check", *arguments, ROOT / "configs/gu-dlmshr.yaml"], capture_output=True, text=True)


class MachineTest(unittest.TestCase):
    def test_measures_what_is_implied(self):
        result = tool("--only", ",".join(FIGURES))
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        for figure in FIGURES:
            self.assertIn(f"| {machines_page.MEANINGS[figure]} |", result.stdout)

    def test_unknown_figure(self):
        result = tool("--only", "latency.l3")
        self.assertEqual(result.returncode, 1)
        self.assertIn("latency.l3 is no figure; allowed: latency.l1d", result.stderr)


def implied(name, *keys):
    """Figure -> its line, as `config --implied` has it."""
    result = subprocess.run(
        [os.environ["WARPMEM"], "config", "-c", ROOT / "configs" / f"{name}.yaml", "--implied",
         *(f"--set={key}" for key in keys)], capture_output=True, text=True, check=True)
    return {line.split()[0]: line for line in result.stdout.splitlines()}


class ImpliedTest(unittest.TestCase):
    def test_all_figures_of_all_machines(self):
        for config in sorted((ROOT / "configs").glob("*.yaml")):
            for keys in ([], ["dram.page=closed"], ["l1d.enable=false"]):
                with self.subTest(machine=config.stem, keys=keys):
                    figures = implied(config.stem, *keys)
                    for figure in ("latency.row_hit", "misses.l1d", "misses.l2", "read.dram"):
                        self.assertIn(figure, figures)
                    for line in figures.values():
                        self.assertGreater(float(line.split()[1]), 0)
                        self.assertLess(float(line.split()[1]), 1e9)

    def test_one_bank_needs_no_miss_ports(self):
        """Those of the file have no effect then."""
        self.assertIn("a request a cycle", implied("v100", "l1d.banks=1")["peak.l1d"])

    def test_dram_of_somebody_else_has_no_figures(self):
        own = implied("gu-dlmshr")
        for keys in (["dram.kind=external"], ["dram.kind=external", "l1d.enable=false"]):
            figures = implied("gu-dlmshr", *keys)
            self.assertEqual([f for f in own if f not in figures and "l1d" not in f],
                             ["latency.row_hit", "latency.row_miss", "peak.dram", "misses.l2",
                              "read.dram", "camping.bank.stride", "camping.bank.lines",
                              "camping.bank"])
            self.assertNotIn("misses.l1d", figures)
            self.assertFalse([line for line in figures.values() if "inf" in line])


class BoundsTest(unittest.TestCase):
    @staticmethod
    def holds(unit, ratio):
        return machines_page.Row("read.l2", (100.0, unit, ""), 100.0 * ratio).holds()

    def test_latency_within_two_per_cent(self):
        self.assertEqual([self.holds("cycles", r) for r in (0.979, 0.981, 1.019, 1.021)],
                         [False, True, True, False])

    def test_bandwidth_from_95_per_cent_on(self):
        self.assertEqual([self.holds("GB/s", r) for r in (0.949, 0.951, 1.149, 1.151)],
                         [False, True, True, False])

    def test_sizes(self):
        self.assertEqual([machines_page.size_of(t) for t in ("8", "2 KiB", "1137 MHz", "4 GiB")],
                         [8, 2048, 1137000000, 4 << 30])


class PageTest(unittest.TestCase):
    PAGE = ROOT / "docs/machines.md"

    def test_sections_that_are_not_written_anew_stay(self):
        text = self.PAGE.read_text()
        found = machines_page.sections(text)
        self.assertTrue(text.endswith("".join(found.values())))
        self.assertEqual([*found], [*sorted(f.stem for f in (ROOT / "configs").glob("*.yaml")),
                                    "Sources"])  # fmt: skip

    def test_a_page_without_a_machine_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "machines.md"
            page.write_text(self.PAGE.read_text().replace("## v100\n", "## v1000\n"))
            result = tool("--page", page)
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"{page} has no section on v100", result.stderr)


class PublishedTest(unittest.TestCase):
    def test_figures_and_sources_are_known(self):
        data = json.loads(machines_page.PUBLISHED.read_text())
        for machine, figures in data["machines"].items():
            for figure, entries in figures.items():
                self.assertIn(figure, machines_page.MEANINGS, machine)
                for value, source in entries:
                    self.assertRegex(value, r"^[\d.]+ (cycles|GB/s|G/s)")
                    self.assertIn(source, data["sources"])


if __name__ == "__main__":
    unittest.main()
