# SPDX-License-Identifier: Apache-2.0
"""Help, names and completion of the command line.

usage: command_line_test.py [HelpTest|NamesTest|CostTest|CompletionTest]
"""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
WARPMEM = os.environ["WARPMEM"]


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def call(self, *words, status=0):
        result = subprocess.run([WARPMEM, *words], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(result.returncode, status, result.stderr)
        return result

    def refused(self, *words):
        result = self.call(*words, status=2)
        self.assertEqual(result.stdout, "")
        lines = result.stderr.splitlines()
        self.assertEqual(len(lines), 1, result.stderr)
        return lines[0].removeprefix("warpmem: error: ")


class HelpTest(Case):
    def test_help_is_that_of_the_command(self):
        for command in ([], ["run"], ["trace", "convert"]):
            asked = self.call("help", *command).stdout
            self.assertEqual(asked, self.call(*command, "--help").stdout)
            self.assertIn(" ".join(["Usage: warpmem", *command]), asked)

    def test_mistyped_words(self):
        for words, message in (
            (["rnu", "x"], "rnu: no such command; did you mean run?"),
            (["trace", "record"], "record: no such command; allowed: convert, export, info"),
            (["help", "trace", "record"],
             "record: no such command; allowed: convert, export, info"),
            (["trace", "expotr"], "expotr: no such command; did you mean export?"),
            (["help", "swep"], "swep: no such command; did you mean sweep?"),
            (["run", "--tabel", "x"], "--tabel: no such option; did you mean --table?"),
            (["run", "x", "--outt=y"], "--outt: no such option; did you mean --out?"),
            (["config", "--dump", "x"], "x: unexpected argument"),
            (["list", "units", "bar"], "bar: unexpected argument"),
            (["--foo", "run"], "--foo: no such option"),
            (["run", "--size", "foo", "vectoradd", "--", "3"],
             "--size: foo not in {tiny,small,medium,published} (warpmem run --help says more)"),
            (["trace", "export", "x", "--arch", "71", "-o", "z", "--", "4"],
             "--arch: 71 not in {70,75,80,86,90} (warpmem trace export --help says more)"),
        ):
            self.assertEqual(self.refused(*words), message)

    def test_options_that_cannot_stand_together(self):
        for words, message in (
            (["config", "--dump", "--schema"],
             "--dump excludes --schema (warpmem config --help says more)"),
            (["config", "--docs"], "--docs requires --dump (warpmem config --help says more)"),
            (["sweep", "x.yaml", "--jobs", "0"],
             "--jobs: Value 0 not in range 1 to 256 (warpmem sweep --help says more)"),
            ([], "A subcommand is required (warpmem --help says more)"),
        ):
            self.assertEqual(self.refused(*words), message)

    def test_every_command_is_listed_and_explains_itself(self):
        listed = self.call("help").stdout.split("Subcommands:")[1]
        names = [line.split()[0] for line in listed.splitlines() if line[:2] == "  " != line[2:4]]
        names = [name for name in names if (ROOT / "docs" / "man" / f"warpmem-{name}.1").exists()]
        self.assertGreater(len(names), 12)
        for name in names:
            self.assertIn("Usage", self.call("help", name).stdout)


class NamesTest(Case):
    def test_what_is_listed_runs(self):
        result = self.call("run", "vectoradd", "-c", "gu-dlmshr", "--size", "tiny")
        catalogue = json.loads(self.call("list", "workloads", "--json").stdout)
        size = catalogue["vectoradd"]["sizes"]["tiny"]
        self.assertIn(f"warpmem: vectoradd, size tiny: {size}\n", result.stderr)
        run = self.folder / "runs" / "vectoradd"
        manifest = json.loads((run / "manifest.json").read_text())
        self.assertEqual(manifest["command"], f"warpmem run -c gu-dlmshr vectoradd -- {size}")
        self.assertIn("count: 28", (run / "config.yaml").read_text())

    def test_arguments_take_the_place_of_a_size(self):
        result = self.call("run", "vectoradd", "-c", "gu-dlmshr", "--", "1000")
        self.assertNotIn("size", result.stderr)
        self.assertIn("size", self.refused("run", "vectoradd", "--size", "tiny", "--", "1000"))

    def test_names_that_do_not_exist(self):
        self.assertEqual(
            self.refused("run", "vectorad"),
            "vectorad: no such file; give a .cu file, a program, a trace, or a workload of "
            "`warpmem list workloads`; did you mean vectoradd?",
        )
        comment = "# The workloads"  # of the catalogue, before a colon
        self.assertIn(f"{comment}: no such file", self.refused("run", comment))
        self.assertEqual(
            self.refused("config", "-c", "gu-dlmsr"),
            "gu-dlmsr: no such file, and no machine of `warpmem list configs`; did you mean "
            "gu-dlmshr?",
        )
        self.assertEqual(
            self.refused("run", "vectoradd", "--size", "published"),
            "vectoradd has no size published; it has tiny, small, medium",
        )
        source = ROOT / "workloads" / "vectoradd.cu"
        self.assertIn("is a file", self.refused("run", str(source), "--size", "tiny"))

    def test_a_file_goes_before_a_name(self):
        (self.folder / "gu-dlmshr").write_text("sm:\n  count: 3\n")
        self.assertIn("count: 3\n", self.call("config", "-c", "gu-dlmshr", "--dump").stdout)

    def test_every_name_of_every_list(self):
        for what in ("configs", "workloads", "units", "mechanisms", "keys"):
            names = self.call("list", what, "--names").stdout.split()
            self.assertGreater(len(names), 10)
            shown = self.call("list", what).stdout
            for name in names:
                self.assertIn(name, shown)
        for machine in self.call("list", "configs", "--names").stdout.split():
            self.call("config", "-c", machine)


class CostTest(Case):
    """Area of what a run was configured with, beside the run."""

    def test_costs_are_shown_beside_their_run(self):
        small = ["-c", "gu-dlmshr"]
        for level in ("l1d", "l2"):
            for value in ("kind=conventional", "entries=2", "slots=1"):
                small += ["--set", f"{level}.mshr.{value}"]
        self.call("run", *small, "-o", "small", "vectoradd", "--", "100")
        shown = self.call("synth", "--configured", *small, "--json", "small.json").stdout
        self.assertRegex(shown, r"l1d +conventional +2 entries of 1 slots")
        self.call("report", "small", "--synth", "small.json", "-o", "page.html")
        page = (self.folder / "page.html").read_text()
        area = json.loads((self.folder / "small.json").read_text())["handlers"][0]["area_um2"]
        self.assertIn(f"L1D {area:,.0f} µm² (2 entries of 1) × 28", page)
        other = ["run", "-c", "gu-dlmshr", "-o", "other", "vectoradd", "--", "100"]
        self.call(*other)
        message = self.refused("report", "other", "--synth", "small.json")
        self.assertIn("no run is configured so", message)
        self.assertIn("--configured", self.refused("synth", "--configured", "throttle_unit"))

    def test_a_machine_is_for_configured_handlers(self):
        result = self.call("synth", "throttle_unit", "-c", "gu-dlmshr", status=2)
        self.assertIn("--config requires --configured", result.stderr)


class CompletionTest(Case):
    def completed(self, *words):
        """What bash offers for the last word."""
        quoted = " ".join(f"'{word}'" for word in words)
        script = (
            f". '{ROOT}/docs/warpmem.bash'; COMP_WORDS=('{WARPMEM}' {quoted}); "
            f"COMP_CWORD={len(words)}; _warpmem; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        )
        result = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
        self.assertEqual(result.stderr, "")
        return result.stdout.split()

    def test_words(self):
        self.assertEqual(self.completed("re"), ["report", "reproduce"])
        self.assertIn("--config", self.completed("run", "--co"))
        self.assertEqual(self.completed("trace", "exp"), ["export"])
        self.assertEqual(self.completed("trace", "export", "--arch", "8"), ["80", "86"])
        self.assertEqual(self.completed("list", "con"), ["configs"])

    def test_names(self):
        self.assertEqual(self.completed("run", "-c", "gu-d"), ["gu-dlmshr"])
        self.assertEqual(self.completed("run", "vec"), ["vectoradd"])
        self.assertEqual(self.completed("run", "--size", "s"), ["small"])
        self.assertEqual(self.completed("config", "--explain", "l1d.mshr.ki"), ["l1d.mshr.kind"])
        self.assertEqual(self.completed("synth", "thrott"), ["throttle_unit"])

    def test_the_programs_own_arguments_are_left_alone(self):
        self.assertEqual(self.completed("run", "x", "--", "-"), [])


if __name__ == "__main__":
    unittest.main()
