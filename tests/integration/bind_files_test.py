#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The bind files of rtl/: all of them bound to their units in Verilator, which needs nothing else
of warpmem. Under random inputs no property is violated, and a mistake made by hand
(mutation/faults) in each unit violates one of that unit's."""

import itertools
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from planted import plant

ROOT = pathlib.Path(__file__).resolve().parents[2]
RTL = ROOT / "rtl"
HERE = ROOT / "tests" / "integration" / "bind_files"
CYCLES = 8000


def bound():
    """Returns the modules with a bind file, and what the file says of its test: a size, inputs that
    are not random bits (what the unit may count on, and what is to be rare), a mistake."""
    modules = {}
    for path in sorted(RTL.glob("*/*_properties.sv")):
        said = re.findall(r"^// Tested (at|with|by the mistake) (.*)", path.read_text(), re.M)
        modules[path.name.removesuffix("_properties.sv")] = {
            "size": dict(pair.split("=") for kind, text in said if kind == "at"
                         for pair in text.split()),
            "given": dict(text.split(": ", 1) for kind, text in said if kind == "with"),
            "mistakes": [text for kind, text in said if kind == "by the mistake"],
        }
    return modules


BOUND = bound()
UNITS = {path.name for path in RTL.iterdir() if (path / f"{path.name}.sv").exists()}


def ports(unit):
    """Returns (direction, width as it is written, name) of each port but clock and reset."""
    text = re.sub(r"//.*", "", (RTL / unit / f"{unit}.sv").read_text())
    found = re.findall(r"^\s*(input|output)\s+wire logic\s*(\[[^\]]*\])?\s*(\w+)", text, re.M)
    return [port for port in found if port[2] not in ("clk", "rst_n")]


def bench():
    """Returns a module with every unit, each with its own bits of the random input."""
    bit = itertools.count()
    body = ""
    for unit in sorted(UNITS):
        parameters, given = BOUND[unit]["size"], BOUND[unit]["given"]
        sizes = ", ".join(f".{name}({value})" for name, value in parameters.items())
        pins, logic = "", ""
        text = re.sub(r"//.*", "", (RTL / unit / f"{unit}.sv").read_text())
        constants = re.findall(r"(?:parameter|localparam) int unsigned (\w+)\s*= ([^,\n]+)",
                               text[:text.index(") (")])
        for name, value in constants:
            logic += f"  localparam int unsigned {name} = {parameters.get(name, value)};\n"
        for direction, width, name in ports(unit):
            logic += f"  wire logic {width} {name};\n"
            pins += f", .{name}({name})"
            if direction == "output":
                continue
            value = given.get(name, "{all}")
            while "{random}" in value:
                value = value.replace("{random}", f"random_i[{next(bit)}]", 1)
            if value == "{all}":
                value = f"random_i[{next(bit)} +: $bits({name})]"
                for _ in range(7):  # no input is wider
                    next(bit)
            logic += f"  assign {name} = {re.sub(r'{(.*?)}', lambda m: m[1], value)};\n"
        body += (f"if (1) begin : {unit}_\n{logic}"
                 f"  {unit} #({sizes}) u ({'.clk, .rst_n' + pins});\nend\n")
    words = (next(bit) + 31) // 32
    return (f"module bench (input wire clk, input wire rst_n,"
            f" input wire [{32 * words - 1}:0] random_i);\n{body}endmodule\n")


class BindFilesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def violated(self, rtl):
        """Returns the assertions that are violated, as 'unit.place.name'."""
        work = self.folder / "work"
        top = self.folder / "bench.sv"
        top.write_text(bench())
        binds = sorted(rtl.glob("*/*_properties.sv"))
        folders = [word for path in sorted(rtl.iterdir()) if path.is_dir() for word in ("-y", path)]
        build = subprocess.run(
            ["verilator", "--cc", "--exe", "--build", "--assert", "-Wno-lint", "-Wno-UNOPTFLAT",
             "--top-module", "bench", "--Mdir", work, f"-I{rtl}", *folders, top, *binds,
             HERE / "main.cpp", "-MAKEFLAGS", "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0"],
            capture_output=True, text=True)
        self.assertEqual(build.returncode, 0, build.stdout + build.stderr)
        run = subprocess.run([work / "Vbench", f"+cycles={CYCLES}",
                              "+verilator+error+limit+1000000"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr[-2000:])
        return {tuple(found) for found in re.findall(
            r"Assertion failed in \w+\.bench\.(\w+)_\.u\.([\w.]+)", run.stdout + run.stderr)}

    def test_every_unit_has_one(self):
        self.assertEqual(UNITS - set(BOUND), set())
        for unit in UNITS:
            self.assertNotEqual(BOUND[unit]["size"], {}, unit)

    def test_names_are_declared_before_they_are_used(self):
        """Verilator and Yosys do not ask for that; others do."""
        for path in sorted(RTL.glob("*/*_formal.svh")):
            text = re.sub(r"//.*", lambda m: " " * len(m[0]), path.read_text())
            for found in re.finditer(r"\b(?:logic|integer)\b([^;=]*)[;=]", text):
                for name in re.findall(r"\bf_\w+", re.sub(r"\[[^\]]*\]", "", found[1])):
                    first = re.search(rf"\b{name}\b", text).start()
                    self.assertGreaterEqual(first, found.start(), f"{path.name}: {name}")

    def test_no_property_is_violated(self):
        self.assertEqual(self.violated(RTL), set())

    def test_a_mistake_in_each_unit_violates_a_bound_property(self):
        rtl = self.folder / "rtl"
        shutil.copytree(RTL, rtl)
        for module, tested in BOUND.items():
            for mistake in tested["mistakes"]:
                plant(f"{module}/{mistake}", rtl)
        violated = self.violated(rtl)
        # Units that share a file share a mistake; a part is judged within a unit.
        units = {place for place, name in violated if name.startswith("u_properties.")}
        self.assertEqual(units, UNITS)
        names = {name.split(".")[-1] for _, name in violated if "u_properties." in name}
        for part in set(BOUND) - UNITS:
            text = next(RTL.glob(f"*/{part}_formal.svh")).read_text()
            self.assertNotEqual(names & set(re.findall(r"`CHECK\((\w+)", text)), set(), part)


if __name__ == "__main__":
    unittest.main()
