# SPDX-License-Identifier: Apache-2.0
"""The testbenches of tb/: vectors recorded from lockstep pass in Verilator, as plain Verilog and as
netlists in Icarus; what is wrong in a unit or a file is told."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
WARPMEM = os.environ["WARPMEM"]
UNITS = sorted(path.name.removesuffix("_tb.sv") for path in (ROOT / "tb").glob("*_tb.sv"))


def tested(unit):
    """Returns what the testbench says of its tests: options for a size, and whether its netlist is
    played to."""
    text = (ROOT / "tb" / f"{unit}_tb.sv").read_text()
    found = re.search(r"^// Tested with: (.*?)(; as a netlist, too)?$", text, re.M)
    return (found[1].split(), found[2] is not None) if found else ([], False)


class TestbenchCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def warpmem(self, *arguments):
        result = subprocess.run([WARPMEM, *map(str, arguments)], cwd=self.folder,
                                capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout

    def vectors(self, unit, size=None, cycles=1000):
        file = self.folder / f"{unit}.vec"
        size = tested(unit)[0] if size is None else size
        self.warpmem("cosim", unit, *size, "--cycles", cycles, "--seed", 1, "--vectors", file)
        return file

    def parameters(self, vectors):
        words = vectors.read_text().splitlines()[0].split()[2:]
        return [word for parameter in words for word in ("-p", parameter)]

    def plain(self, unit, vectors):
        file = self.folder / f"{unit}.v"
        self.warpmem("synth", unit, *self.parameters(vectors), "--export-verilog", file)
        return file

    def play(self, simulator, unit, vectors, *files):
        return subprocess.run(
            [ROOT / "tb" / "run.sh", simulator, unit, vectors, *files], capture_output=True,
            text=True, env={**os.environ, "TB_WORK": str(self.folder)})

    def check_passes(self, simulator, unit, vectors, *files):
        with self.subTest(simulator=simulator, unit=unit):
            result = self.play(simulator, unit, vectors, *files)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            cycles = vectors.read_text().splitlines()[3].split()[2]
            self.assertEqual(result.stdout.splitlines()[-1], f"PASS: {cycles} cycles")


class UnitsTest(TestbenchCase):
    def test_every_unit_has_a_testbench(self):
        units = self.warpmem("list", "units")
        for unit in UNITS:
            self.assertIn(unit, units)
        self.assertEqual(
            UNITS, sorted(path.name for path in (ROOT / "rtl").iterdir()
                          if (path / f"{path.name}.sv").exists()))

    def test_every_unit_in_both_simulators(self):
        for unit in UNITS:
            vectors = self.vectors(unit)
            self.check_passes("icarus", unit, vectors, self.plain(unit, vectors))
            self.check_passes("verilator", unit, vectors)


class NetlistTest(TestbenchCase):
    def test_the_vectors_pass_at_gate_level(self):
        units = [unit for unit in UNITS if tested(unit)[1]]
        self.assertEqual(len(units), 3)
        for unit in units:
            vectors = self.vectors(unit)
            folder = self.folder / unit
            table = self.warpmem("synth", unit, *self.parameters(vectors), "--netlist", folder,
                                 "--target-period", 6)
            self.assertRegex(table, r"target  period 6\.000 ns, slack -?\d+\.\d+ ns")
            self.check_passes("netlist", unit, vectors, folder / f"{unit}.v",
                              folder / f"{unit}_cells.v")
            constraints = (folder / f"{unit}.sdc").read_text()
            self.assertIn("create_clock -name clk -period 6.0000", constraints)
            self.assertIn("(DELAYFILE", (folder / f"{unit}.sdf").read_text())

    def test_x_between_gates_is_no_answer(self):
        """Icarus finds an X where each value of the registers gives the same answer."""
        unit = "dl_mshr_pipe"
        size = [word for number in ("SETS=4", "RESERVED=2", "SLOTS=4", "ADDR_BITS=6")
                for word in ("-p", number)]
        vectors = self.vectors(unit, size)
        self.warpmem("synth", unit, *self.parameters(vectors), "--netlist", self.folder,
                     "--target-period", 6)
        netlist = (self.folder / f"{unit}.v", self.folder / f"{unit}_cells.v")
        self.check_passes("netlist", unit, vectors, *netlist)
        result = self.play("icarus", unit, vectors, *netlist)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)


class FailureTest(TestbenchCase):
    """Failures of the unit end with 1, what cannot be run with 2."""

    def setUp(self):
        super().setUp()
        self.file = self.vectors("tsma_index_gen", ("--entries", "5"), cycles=300)
        self.verilog = self.plain("tsma_index_gen", self.file)

    def outcome(self, *arguments):
        result = self.play(*arguments)
        return result.returncode, result.stdout + result.stderr

    def test_another_answer_is_told_with_its_cycle(self):
        lines = self.file.read_text().splitlines()
        reset, given, expected, care = lines[4 + 17].split()
        lines[4 + 17] = " ".join((reset, given, expected[:-1] + str(1 - int(expected[-1])), care))
        wrong = self.folder / "wrong.vec"
        wrong.write_text("\n".join(lines) + "\n")
        for arguments in (("icarus", "tsma_index_gen", wrong, self.verilog),
                          ("verilator", "tsma_index_gen", wrong)):
            status, text = self.outcome(*arguments)
            self.assertEqual(status, 1, text)
            self.assertIn("FAIL in cycle 17 of", text)
        lines[4 + 17] = " ".join((*lines[4 + 17].split()[:3], care[:-1] + "0"))
        wrong.write_text("\n".join(lines) + "\n")
        self.check_passes("icarus", "tsma_index_gen", wrong, self.verilog)

    def test_an_x_is_a_failure(self):
        text = self.verilog.read_text()
        # Without its reset the unit keeps what it had before: nothing.
        broken = self.folder / "broken.v"
        changed = re.sub(r"if \(!?rst_n\)|!rst_n \?|rst_n \?", lambda m: {"i": "if (1'b0)"}.get(
            m[0][0], "1'b0 ?" if m[0][0] == "!" else "1'b1 ?"), text)
        self.assertNotEqual(changed, text)
        broken.write_text(changed)
        status, output = self.outcome("icarus", "tsma_index_gen", self.file, broken)
        self.assertEqual(status, 1, output)
        self.assertRegex(output, r"found +[01]*x[01x]*")

    def test_what_cannot_be_run_is_said(self):
        other = self.folder / "other.vec"
        other.write_text(self.file.read_text().replace("ENTRIES=5", "ENTRIES=9", 1))
        short = self.folder / "short.vec"
        short.write_text("\n".join(self.file.read_text().splitlines()[:20]) + "\n")
        lines = self.file.read_text().splitlines()
        inputs, outputs, cycles = lines[3].split()
        few = self.folder / "few.vec"
        few.write_text("\n".join([*lines[:3], f"{inputs} {outputs} 5", *lines[4:]]) + "\n")
        negative = self.folder / "negative.vec"
        negative.write_text("\n".join([*lines[:3], f"{inputs} {outputs} -1", *lines[4:]]) + "\n")
        narrow = self.folder / "narrow.vec"
        reset, given, expected, care = lines[9].split()
        narrow.write_text("\n".join([*lines[:9], f"{reset} {given[1:]} {expected} 0{care}",
                                     *lines[10:]]) + "\n")
        none = self.folder / "none.vec"
        none.write_text("hello\n")
        unit, verilog = "tsma_index_gen", self.verilog
        for arguments, expected in (
                (("icarus", unit, other, verilog),
                 "the file has 5 bits of inputs and 4 of outputs, the unit 6 and 5"),
                (("icarus", unit, short, verilog), "error: cycle 16 is not as the file's format"),
                (("icarus", unit, few, verilog), "more cycles than the 5 of line 4"),
                (("icarus", unit, negative, verilog), "the file has no cycles"),
                (("icarus", unit, narrow, verilog), "error: cycle 5 is not as the file's format"),
                (("verilator", unit, narrow), "error: cycle 5 is not as the file's format"),
                (("icarus", unit, none, verilog), "is no vector file"),
                (("icarus", unit, self.folder / "missing", verilog), "cannot be read"),
                (("icarus", UNITS[0], self.file, verilog), f"vectors of {unit}, not of {UNITS[0]}"),
                (("icarus", "nobody", self.file, verilog), "no testbench of nobody"),
                (("icarus", unit, self.file), "needs the unit as plain Verilog"),
                (("vcs", unit, self.file), "neither verilator, icarus, netlist nor properties"),
                (("netlist", unit, self.file), "needs the netlist and its cells")):
            status, text = self.outcome(*arguments)
            self.assertEqual(status, 2, text)
            self.assertIn(expected, text)

    def test_vectors_are_of_one_unit(self):
        result = subprocess.run([WARPMEM, "cosim", "mshr", "--vectors", self.folder / "all.vec"],
                                capture_output=True, text=True)
        self.assertEqual(result.returncode, 2)
        self.assertIn("--vectors is for one unit; mshr are several", result.stderr)


if __name__ == "__main__":
    unittest.main()
