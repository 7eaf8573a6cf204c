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
import unittest.mock

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


def bench(units):
    """Returns a module with these units, each with its own bits of the random input."""
    bit = itertools.count()
    body = ""
    for unit in sorted(units):
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
    words = max(3, (next(bit) + 31) // 32)  # more than 64 bits are an array in C++
    return (f"module bench (input wire clk, input wire rst_n,"
            f" input wire [{32 * words - 1}:0] random_i);\n{body}endmodule\n")


class BindFilesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def violated(self, rtl, units=frozenset(UNITS), more=()):
        """Returns the assertions that are violated, as (unit, place and name)."""
        work = self.folder / "work"
        shutil.rmtree(work, ignore_errors=True)
        top = self.folder / "bench.sv"
        top.write_text(bench(units))
        binds = [path for path in sorted(rtl.glob("*/*_properties.sv"))
                 if units == UNITS or path.parent.name in units]
        folders = [word for path in sorted(rtl.iterdir()) if path.is_dir() for word in ("-y", path)]
        build = subprocess.run(
            ["verilator", "--cc", "--exe", "--build", "--assert", "-Wno-lint", "-Wno-UNOPTFLAT",
             "--top-module", "bench", "--Mdir", work, f"-I{rtl}", *folders, top, *binds, *more,
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

    def test_what_a_prover_reads_elaborates(self):
        top = self.folder / "bench.sv"
        top.write_text(bench(UNITS))
        folders = [word for path in sorted(RTL.iterdir()) if path.is_dir() for word in ("-y", path)]
        lint = subprocess.run(
            ["verilator", "--lint-only", "--assert", "-Wno-lint", "-Wno-UNOPTFLAT",
             "-DWARPMEM_PROVER", "--top-module", "bench", f"-I{RTL}", *folders, top,
             *sorted(RTL.glob("*/*_properties.sv"))], capture_output=True, text=True)
        self.assertEqual((lint.returncode, lint.stderr), (0, ""))

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

    def test_a_memory_of_ones_own_holds_the_slots(self):
        """The module of rtl/common/README.md around a memory, and around one that loses a bit."""
        page = (RTL / "common" / "README.md").read_text()
        wrapper = re.search(r"^module my_slots .*?^endmodule\n", page, re.M | re.S)[0]
        sram = """
module SRAM2P_256X16 (input CLK, input WEN, input [2:0] WA, input [2:0] D,
                      input REN, input [2:0] RA, output reg [2:0] Q);
  reg [2:0] words [0:7];
  always @(posedge CLK) begin
    if (WEN) words[WA] <= D;
    if (REN) Q <= words[RA];
  end
endmodule
"""
        file = self.folder / "my_slots.sv"
        more = ("-DWARPMEM_SLOT_MACRO=my_slots", file)
        file.write_text(wrapper + sram)
        self.assertEqual(self.violated(RTL, {"dl_mshr_pipe"}, more), set())
        file.write_text(wrapper + sram.replace("<= D;", "<= D & 3'd6;"))
        self.assertIn(("dl_mshr_pipe", "u_properties.answered_in_turn_with_its_own_slot"),
                      self.violated(RTL, {"dl_mshr_pipe"}, more))

    def test_a_memory_of_ones_own_may_have_one_port(self):
        page = (RTL / "common" / "README.md").read_text()
        wrapper = re.search(r"^module my_slots_1p .*?^endmodule\n", page, re.M | re.S)[0]
        sram = """
module SRAM1P_256X16 (input CLK, input CEN, input WEN, input [2:0] A, input [2:0] D,
                      output reg [2:0] Q);
  reg [2:0] words [0:7];
  always @(posedge CLK)
    if (CEN && WEN) words[A] <= D;
    else if (CEN) Q <= words[A];
endmodule
"""
        file = self.folder / "my_slots_1p.sv"
        more = ("-DWARPMEM_SLOT_MACRO=my_slots_1p", file)
        sizes = {unit: dict(BOUND[unit]["size"], STORAGE="1")
                 for unit in ("dl_mshr", "dl_mshr_pipe")}
        with unittest.mock.patch.dict(BOUND, {unit: dict(BOUND[unit], size=size)
                                              for unit, size in sizes.items()}):
            file.write_text(wrapper + sram)
            self.assertEqual(self.violated(RTL, set(sizes), more), set())
            file.write_text(wrapper + sram.replace("else if", "always @(posedge CLK) if"))
            violated = self.violated(RTL, set(sizes), more)  # what was read does not stay
            for unit in sizes:
                self.assertIn((unit, "u_properties.answered_in_turn_with_its_own_slot"), violated)

    def test_a_memory_of_ones_own_is_a_cell_of_its_library(self):
        page = (RTL / "common" / "README.md").read_text()
        (self.folder / "my_slots.v").write_text(
            re.search(r"^module my_slots .*?^endmodule\n", page, re.M | re.S)[0])
        pins = "".join(f"pin({pin}) {{ direction : input; }}\n" for pin in ("CLK", "WEN", "REN"))
        buses = "".join(f"bus({bus}) {{ bus_type : t; direction : {way}; }}\n" for bus, way in (
            ("WA", "input"), ("RA", "input"), ("D", "input"), ("Q", "output")))
        (self.folder / "sram.lib").write_text(
            "library(sram) {\ntype(t) { base_type : array; data_type : bit; bit_width : 3;"
            " bit_from : 2; bit_to : 0; }\n"
            f"cell(SRAM2P_256X16) {{\narea : 1000;\n{pins}{buses}}}\n}}\n")
        files = [RTL / "common" / "slot_memory.sv"] + [
            path for path in sorted((RTL / "dl_mshr_pipe").glob("*.sv"), reverse=True)
            if not path.stem.endswith("_properties")]
        read = "".join(f"read_verilog -sv -DWARPMEM_SLOT_MACRO=my_slots -I{RTL} {path}; "
                       for path in files)
        done = subprocess.run(
            ["yosys", "-p", f"read_liberty -lib sram.lib; read_verilog my_slots.v; {read}"
             "chparam -set SETS 4 -set RESERVED 1 -set SLOT_BITS 3 dl_mshr_pipe; "
             "hierarchy -check -top dl_mshr_pipe; proc; flatten; opt -fast; "
             "select -assert-count 1 t:SRAM2P_256X16; select -assert-none w:*u_slots.slot_q*"],
            cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, (done.stdout + done.stderr)[-2000:])


if __name__ == "__main__":
    unittest.main()
