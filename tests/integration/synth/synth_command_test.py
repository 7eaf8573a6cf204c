# SPDX-License-Identifier: Apache-2.0
"""warpmem synth on the command line: macros, and transitions that warpmem cosim has counted."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest


def warpmem(*arguments):
    command = [os.environ["WARPMEM"], *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True)


class SynthCommand(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.folder = pathlib.Path(self.scratch.name)

    def succeed(self, *arguments):
        run = warpmem(*arguments)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        return run.stdout

    def refused(self, text, *arguments):
        run = warpmem(*arguments)
        self.assertNotEqual(run.returncode, 0)
        self.assertIn(text, run.stderr)

    def result(self, *arguments):
        file = self.folder / "result.json"
        self.succeed("synth", *arguments, "--json", file)
        return json.loads(file.read_text())

    def test_macro(self):
        sizes = ["-p", "WORDS=32", "-p", "BITS=25", "-p", "PORTS=2"]
        cam = self.result("--macro", "cam", *sizes)
        sram = self.result("--macro", "sram", *sizes)
        self.assertAlmostEqual(cam["area_um2"], 32 * 25 * 292 * 0.18**2 * 1.25**2 / 0.7, 2)
        self.assertAlmostEqual(cam["area_um2"], 2 * sram["area_um2"], 2)
        self.assertGreater(cam["search_pj"], 0)
        self.refused("--macro needs -p WORDS=...", "synth", "--macro", "sram", "-p", "BITS=8")
        self.refused("no parameter 'WORD'", "synth", "--macro", "cam", "-p", "WORD=8")
        no_port = [*sizes[:4], "-p", "PORTS=0"]
        self.refused("an integer from 1 to 16", "synth", "--macro", "cam", *no_port)

    def test_node_without_a_macro(self):
        self.refused("allowed with --storage-outside", "synth", "tsma_index_gen", "--node", 45)

    def test_activity(self):
        toggles = self.folder / "toggles.json"
        cosim = ["--entries", 5, "--cycles", 2000, "--seed", 1, "--toggles", toggles]
        self.succeed("cosim", "tsma_index_gen", *cosim)
        measured = json.loads(toggles.read_text())["transitions_per_cycle"]
        self.assertAlmostEqual(measured["clk"], 2, 1)
        unit = ["tsma_index_gen", "-p", "ENTRIES=5"]
        with_file = self.result(*unit, "--activity", toggles)
        without = self.result(*unit)
        transitions = with_file["power"]["transitions"]
        self.assertEqual(transitions["measured_registers"], with_file["registers"]["bits"])
        self.assertEqual(transitions["assumed_nets"], 0)
        self.assertNotEqual(with_file["power"]["dynamic_mw"], without["power"]["dynamic_mw"])
        self.assertEqual(with_file["power"]["leakage_nw"], without["power"]["leakage_nw"])
        self.assertNotIn("transitions", without["power"])
        self.refused("transitions of another size of the unit; allowed with them: "
                     "-p ENTRIES=5", "synth", "tsma_index_gen", "--activity", toggles)
        other = ["synth", "mrpb_drain", "--activity", toggles]
        self.refused("transitions of tsma_index_gen, not of mrpb_drain", *other)


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
